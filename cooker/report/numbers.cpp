#include "cooker/report/numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <fmt/format.h>

namespace simmer {
namespace {

constexpr const char* kUnknown = "–";

/// Three significant digits, no exponent: "6.69", "56.2", "216".
std::string threeDigits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

/// Rounded up or down to three significant digits, but to no finer step than 0.01.
std::string directed(double value, bool up) {
  double step = 0.01;
  while (value / step >= 1000) step *= 10;
  // A figure that is a step but for the rounding of binary fractions stays that step.
  const double steps = value / step;
  const double nearest = std::round(steps);
  const double whole = std::abs(steps - nearest) < 1e-6 ? nearest : up ? std::ceil(steps) : std::floor(steps);
  const double rounded = whole * step;
  const int decimals = rounded < 9.995 ? 2 : rounded < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", rounded, decimals);
}

struct Character {
  std::size_t bytes;
  std::size_t columns;
};

/// The UTF-8 character at `at`. Enough for file names: CJK and emoji take two columns, combining marks none.
Character characterAt(const std::string& text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  const std::size_t bytes = std::min(length, text.size() - at);
  char32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < bytes; ++i) code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  const bool combining = (code >= 0x300 && code <= 0x36F) || (code >= 0xFE00 && code <= 0xFE0F) || code == 0x200D;
  const bool wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
                    (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
                    (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
                    (code >= 0x1F300 && code <= 0x1FAFF);
  return {bytes, combining ? 0U : wide ? 2U : 1U};
}

}  // namespace

std::string bytesText(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  static constexpr const char* units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(units)) {
    value /= 1000;
    ++unit;
  }
  return threeDigits(value) + " " + units[unit];
}

std::string ratioText(std::uint64_t larger, std::uint64_t smaller) {
  if (smaller == 0 || larger == 0) return kUnknown;
  const double ratio = static_cast<double>(larger) / static_cast<double>(smaller);
  return threeDigits(ratio) + "×";
}

std::string metresText(double metres) {
  return metres >= 0.995 ? threeDigits(metres) + " m" : fmt::format("{:#.3g} m", metres);
}

std::string measuredMmText(double mm) {
  if (mm < 0) return kUnknown;
  if (mm == 0) return "0.00";
  return std::isfinite(mm) ? directed(mm, true) : "∞";
}

std::string errorMmText(double mm, double toleranceMm) {
  const std::string error = measuredMmText(mm), tolerance = toleranceMmText(toleranceMm);
  // Both have so few digits that the texts can be compared as numbers.
  const bool contradicts =
      mm >= 0 && mm <= toleranceMm && std::strtod(error.c_str(), nullptr) > std::strtod(tolerance.c_str(), nullptr);
  return contradicts ? tolerance : error;
}

std::string toleranceMmText(double mm) {
  if (!(mm > 0)) return kUnknown;
  return mm < 0.01 ? fmt::format("{:.3g}", mm) : directed(mm, false);
}

std::string measuredPxText(double px) {
  if (px < 0) return kUnknown;
  return fmt::format("{:.2f}", std::ceil(px * 100 - 1e-6) / 100);
}

std::string durationText(double seconds) {
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string momentText(std::int64_t timeMs) {
  const std::time_t seconds = timeMs / 1000;
  std::tm local{};
  if (!::localtime_r(&seconds, &local)) return kUnknown;
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday,
                     local.tm_hour, local.tm_min, local.tm_sec);
}

std::string countText(std::uint64_t count) {
  const std::string digits = fmt::format("{}", count);
  std::string grouped;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) grouped += ',';
    grouped += digits[i];
  }
  return grouped;
}

std::string countOf(std::uint64_t count, const char* one, const char* many) {
  return countText(count) + " " + (count == 1 ? one : many);
}

std::string growthText(std::uint64_t before, std::uint64_t after) {
  if (before == after) return "±0 %";
  if (before == 0) return "new";
  const double ratio = static_cast<double>(after) / static_cast<double>(before);
  if (ratio > 10) return fmt::format("×{:.0f}", ratio);
  const double percent = std::abs(ratio - 1) * 100;
  // A change that is there never reads as none.
  const std::string digits = percent < 0.05 ? "<0.1" : fmt::format("{:.1f}", percent);
  return fmt::format("{}{} %", after > before ? "+" : "−", digits);
}

std::string changeText(std::uint64_t before, std::uint64_t after) {
  if (before == after) return "=";
  const std::uint64_t size = after > before ? after - before : before - after;
  return fmt::format("{} {} ({})", after > before ? "▲" : "▼", bytesText(size), growthText(before, after));
}

std::string fromToText(std::uint64_t before, std::uint64_t after) {
  const std::string from = bytesText(before), to = bytesText(after);
  const std::size_t space = from.rfind(' ');
  const bool sameUnit = from.substr(space) == to.substr(to.rfind(' '));
  return (sameUnit ? from.substr(0, space) : from) + " → " + to;
}

std::string usedText(double part) {
  if (part < 0) return kUnknown;
  return fmt::format("{:.1f} %", std::ceil(part * 1000 - 1e-6) / 10);
}

std::size_t displayWidth(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = characterAt(text, at);
    width += character.columns;
    at += character.bytes;
  }
  return width;
}

std::string shortenedMiddle(const std::string& text, std::size_t width) {
  if (displayWidth(text) <= width || width < 3) return text;
  std::vector<std::string> characters;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = characterAt(text, at);
    characters.push_back(text.substr(at, character.bytes));
    at += character.bytes;
  }
  // The end says more (the file and the clip), so it keeps two thirds.
  std::string head, tail;
  const std::size_t room = width - 1;
  for (const std::string& c : characters) {
    if (displayWidth(head + c) > room / 3) break;
    head += c;
  }
  const std::size_t left = room - displayWidth(head);
  for (auto c = characters.rbegin(); c != characters.rend() && displayWidth(*c + tail) <= left; ++c) tail = *c + tail;
  return head + "…" + tail;
}

}  // namespace simmer
