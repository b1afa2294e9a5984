#pragma once

#include <cstdint>
#include <string>

namespace simmer {

// Figures as every screen and table shows them. Unknown is "–", never 0 and never blank.

/// "879 B", "6.69 kB", "216 kB", "1.02 MB": three significant digits by 1000, exact below.
std::string bytesText(std::uint64_t bytes);
/// "246×", "46.0×", "7.31×"; "–" when `smaller` is 0.
std::string ratioText(std::uint64_t larger, std::uint64_t smaller);
/// A measured length in mm, rounded up to three significant digits and at least 0.01: two shown figures never
/// contradict a bound. Below 0: "–".
std::string measuredMmText(double mm);
/// As measuredMmText(), beside a tolerance (mm) as toleranceMmText() shows it: an error within the tolerance is never
/// shown above it.
std::string errorMmText(double mm, double toleranceMm);
/// A tolerance in mm, rounded down to three significant digits. 0: "–".
std::string toleranceMmText(double mm);
/// A length in metres, three significant digits: "1.80 m", "337 m", "0.0900 m".
std::string metresText(double metres);
/// Measured pixels, two decimals, rounded up. Below 0: "–".
std::string measuredPxText(double px);
/// "744 ms", "3.1 s", "4 min 10 s".
std::string durationText(double seconds);
/// A moment in milliseconds since 1970, in local time: "2026-11-30 14:05:12".
std::string momentText(std::int64_t timeMs);
/// "1,204".
std::string countText(std::uint64_t count);
/// "9 files", "1 file".
std::string countOf(std::uint64_t count, const char* one, const char* many);
/// "+1.8 %", "−0.4 %", above tenfold "×12"; "±0 %" when equal, "new" when there was nothing.
std::string growthText(std::uint64_t before, std::uint64_t after);
/// "▲ 1.90 MB (+1.8 %)", "▼ 12 B (−0.4 %)"; "=" when equal.
std::string changeText(std::uint64_t before, std::uint64_t after);
/// "560 → 512 B", "412 kB → 1.02 MB".
std::string fromToText(std::uint64_t before, std::uint64_t after);
/// "99.2 %": a part of a tolerance that is used, 0 to 1, rounded up. Below 0: "–".
std::string usedText(double part);
/// Columns that the text takes on a terminal, wide and combining characters counted as such a screen does.
std::size_t displayWidth(const std::string& text);
/// `text` cut in its middle to `width` columns, "…" marking the cut.
std::string shortenedMiddle(const std::string& text, std::size_t width);

}  // namespace simmer
