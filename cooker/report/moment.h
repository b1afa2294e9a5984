#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cooker/engine/history.h"

namespace simmer {

/// A point in history as a person names it.
struct Moment {
  enum class Kind { First, Run, Time };
  Kind kind = Kind::First;
  std::int64_t run = 0;
  std::int64_t timeMs = 0;
};

/// What a date without a time of day means: its first or its last millisecond.
enum class DayEdge { Start, End };

/// How moments are written, for messages.
extern const char* const kMomentForms;

/// `first`, `#12` (a run), `2026-11-30`, `2026-11-30T12:00`, `today`, `yesterday`, `last-week` (the day a week ago),
/// `90m`, `3h`, `7d`, `2w` (before now). Dates are local time. NotFound when `text` is none of these; InvalidInput when
/// it looks like one but is no date.
Result<Moment> parseMoment(std::string_view text, std::int64_t nowMs, DayEdge edge);

/// The last run that had ended its work and began no later; null when there is none. A moment that names a run: that
/// one. `runs` are in their order.
const HistoryRun* runAt(const std::vector<HistoryRun>& runs, const Moment& moment);

/// "2026-11-30 12:00", local time.
std::string timeText(std::int64_t timeMs);
/// "2026-11-30T11:00:00Z".
std::string isoTime(std::int64_t timeMs);

}  // namespace simmer
