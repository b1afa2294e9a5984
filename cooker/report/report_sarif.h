#pragma once

#include <string>
#include <string_view>

#include "cooker/report/project_report.h"

namespace simmer {

/// The report as SARIF 2.1.0: a result for each failed asset, each exceeded budget, and each warning, with its place
/// where one is known: a line of simmer.toml or of a sidecar, else the source. Places are relative to the project's
/// folder (uriBaseId PROJECT) or to its sources (SOURCES).
std::string reportSarif(const ProjectReport& report, std::string_view programVersion);

/// A message that begins with its place: "simmer.toml:3:5: text", "walk.bvh.simmer.toml:2:1: text", "line 12: text".
struct PlacedMessage {
  std::string file;  ///< a settings file; empty when it is about the source itself
  int line = 0;      ///< 0: not known
  int column = 0;
  std::string text;  ///< without the place, when a file was found in it
};
PlacedMessage splitPlace(const std::string& message);

}  // namespace simmer
