#pragma once

#include <string>

#include "plugins/animation/analyze/analysis.h"

namespace simmer::animation {

/// For a person: at most 100 columns, aligned. `title` is what the clip is called. With `colour`, headings in bold as
/// terminals understand it.
std::string textReport(const ClipAnalysis& analysis, std::string_view title, bool colour);

/// The same as a JSON object, two spaces to a level. README.md lists the names.
std::string jsonReport(const ClipAnalysis& analysis);

/// Text from a file without control characters, which could steer a terminal; each becomes '?'.
std::string printable(std::string_view text);

/// A number with its thousands apart: "216,016".
std::string grouped(std::uint64_t number);

}  // namespace simmer::animation
