#pragma once

#include <string>

#include "cooker/report/project_report.h"

namespace simmer {

/// What `simmer report` prints; `width` columns wide where names can be shortened.
std::string reportText(const ProjectReport& report, std::size_t width);
/// What `simmer budget` prints: each limit with what is used and left, and who grew where one is exceeded.
std::string budgetText(const ProjectReport& report, std::size_t width);

/// A budget's verdict in words, without its name: "612 kB, at most 500 kB (112 kB over)".
std::string limitText(const LimitCheck& check);
/// "at most 500 kB", "at most +2.5 %", "at most 0.50 mm"; and what is used of it, "–" when that is not known.
std::string mostText(const LimitCheck& check);
std::string usedText(const LimitCheck& check);
/// "▲ walk.glb · Run  12.0 → 40.1 kB (+234.2 %)" without the glyph: what a culprit did.
std::string culpritText(const Culprit& culprit);

}  // namespace simmer
