#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cooker/report/project_state.h"

namespace simmer {

/// A published file that is not as large as it was.
struct FileChange {
  enum class Kind { Grew, Shrank, New, Gone };
  Kind kind = Kind::Grew;
  std::string path;    ///< inside the output tree
  std::string name;    ///< for a person: the asset's, or the path of a file that assets share
  std::string source;  ///< empty when nobody knows whose it is
  std::string item;
  std::string profile;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::string cause;  ///< "longer (+12.0 % raw), tolerance 7.03 → 3.51 mm"; may be empty
};
std::string_view toString(FileChange::Kind kind);

/// What became of a project between two of its states.
struct Comparison {
  std::string label;        ///< of the earlier state
  std::int64_t timeMs = 0;  ///< 0: not known
  std::int64_t run = 0;     ///< 0: a report
  Totals before;
  /// Largest change first. Their sum is the change of all published files.
  std::vector<FileChange> changes;
  std::vector<GroupSum> profiles, folders;  ///< of the earlier state
};

Comparison compare(const ProjectState& before, const ProjectState& after);

/// Why an asset's bytes are others than before, in words; empty when nothing tells.
std::string causeOf(const AssetRow& before, const AssetRow& after);

}  // namespace simmer
