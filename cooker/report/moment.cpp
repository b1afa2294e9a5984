#include "cooker/report/moment.h"

#include <charconv>
#include <ctime>
#include <optional>

#include "cooker/report/numbers.h"

namespace simmer {
namespace {

constexpr std::int64_t kSecondMs = 1000;
constexpr std::int64_t kMinuteMs = 60 * kSecondMs;
constexpr std::size_t kMostDigits = 9;  // of a number of days

/// Whole text as a number; at most kMostDigits digits.
std::optional<std::int64_t> numberFrom(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool digits = !text.empty() && text.size() <= kMostDigits && text.front() != '-';
  return digits && error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::tm localTime(std::int64_t timeMs) {
  const std::time_t seconds = static_cast<std::time_t>(timeMs / kSecondMs);
  std::tm fields = {};
  ::localtime_r(&seconds, &fields);
  return fields;
}

/// Local time as milliseconds. Fields out of their range count on: day 32 is in the next month.
std::int64_t localMs(int year, int month, int day, int hour = 0, int minute = 0, int second = 0) {
  std::tm fields = {};
  fields.tm_year = year - 1900;
  fields.tm_mon = month - 1;
  fields.tm_mday = day;
  fields.tm_hour = hour;
  fields.tm_min = minute;
  fields.tm_sec = second;
  fields.tm_isdst = -1;
  return static_cast<std::int64_t>(std::mktime(&fields)) * kSecondMs;
}

std::int64_t edgeOfDay(int year, int month, int day, DayEdge edge) {
  return edge == DayEdge::Start ? localMs(year, month, day) : localMs(year, month, day + 1) - 1;
}

/// "2026-11-30" with 'd' for each digit is "dddd-dd-dd".
std::string shapeOf(std::string_view text) {
  std::string shape(text);
  for (char& c : shape)
    if (c >= '0' && c <= '9') c = 'd';
  return shape;
}

Result<Moment> dateFrom(std::string_view text, DayEdge edge) {
  const std::string shape = shapeOf(text);
  const bool minutes = shape == "dddd-dd-ddTdd:dd" || shape == "dddd-dd-dd dd:dd";
  const bool seconds = shape == "dddd-dd-ddTdd:dd:dd" || shape == "dddd-dd-dd dd:dd:dd";
  if (shape != "dddd-dd-dd" && !minutes && !seconds) return fail(ErrorCode::NotFound, "no date");
  const auto part = [&](std::size_t at, std::size_t length) {
    return static_cast<int>(numberFrom(text.substr(at, length)).value_or(0));
  };
  const int year = part(0, 4), month = part(5, 2), day = part(8, 2);
  const int hour = minutes || seconds ? part(11, 2) : 0, minute = minutes || seconds ? part(14, 2) : 0;
  const int second = seconds ? part(17, 2) : 0;
  const std::tm back = localTime(localMs(year, month, day, 12));
  if (year < 1971 || back.tm_mon + 1 != month || back.tm_mday != day || hour > 23 || minute > 59 || second > 59)
    return fail(ErrorCode::InvalidInput, "'{}' is no date of the calendar", text);
  if (!minutes && !seconds) return Moment{Moment::Kind::Time, 0, edgeOfDay(year, month, day, edge)};
  // A minute means all of it where an end is asked for.
  const std::int64_t length = edge == DayEdge::Start ? 0 : (seconds ? kSecondMs : kMinuteMs) - 1;
  return Moment{Moment::Kind::Time, 0, localMs(year, month, day, hour, minute, second) + length};
}

std::int64_t unitMs(char unit) {
  switch (unit) {
    case 'm':
      return kMinuteMs;
    case 'h':
      return 60 * kMinuteMs;
    case 'd':
      return 24 * 60 * kMinuteMs;
    case 'w':
      return 7 * 24 * 60 * kMinuteMs;
    default:
      return 0;
  }
}

}  // namespace

const char* const kMomentForms = "#12 (a run), 2026-11-30, 2026-11-30T12:00, yesterday, last-week, 7d, 3h or first";

Result<Moment> parseMoment(std::string_view text, std::int64_t nowMs, DayEdge edge) {
  if (text == "first") return Moment{};
  if (text.starts_with('#')) {
    const auto run = numberFrom(text.substr(1));
    if (!run) return fail(ErrorCode::InvalidInput, "'{}' names no run: expected # and its number", text);
    return Moment{Moment::Kind::Run, *run, 0};
  }
  const int daysAgo = text == "today" ? 0 : text == "yesterday" ? 1 : text == "last-week" ? 7 : -1;
  if (daysAgo >= 0) {
    const std::tm now = localTime(nowMs);
    return Moment{Moment::Kind::Time, 0, edgeOfDay(now.tm_year + 1900, now.tm_mon + 1, now.tm_mday - daysAgo, edge)};
  }
  if (const std::int64_t unit = text.empty() ? 0 : unitMs(text.back()); unit > 0)
    if (const auto count = numberFrom(text.substr(0, text.size() - 1)))
      return Moment{Moment::Kind::Time, 0, nowMs - *count * unit};
  return dateFrom(text, edge);
}

const HistoryRun* runAt(const std::vector<HistoryRun>& runs, const Moment& moment) {
  const HistoryRun* found = nullptr;
  for (const HistoryRun& run : runs) {
    if (!run.finished) continue;
    if (moment.kind == Moment::Kind::First) return &run;
    if (moment.kind == Moment::Kind::Run && run.id == moment.run) return &run;
    if (moment.kind == Moment::Kind::Time && run.timeMs <= moment.timeMs) found = &run;
  }
  return found;
}

std::string timeText(std::int64_t timeMs) {
  const std::string text = momentText(timeMs);
  return text.substr(0, text.rfind(':'));  // without the seconds
}

std::string isoTime(std::int64_t timeMs) {
  const std::time_t seconds = static_cast<std::time_t>(timeMs / kSecondMs);
  std::tm t = {};
  ::gmtime_r(&seconds, &t);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour,
                     t.tm_min, t.tm_sec);
}

}  // namespace simmer
