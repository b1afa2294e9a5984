#include <algorithm>

#include "cooker/report/escape.h"
#include "cooker/report/html_parts.h"
#include "cooker/report/moment.h"
#include "cooker/report/numbers.h"

namespace simmer {
namespace {

constexpr double kWidth = 1000, kHeight = 160;
constexpr std::size_t kMostPoints = 400;

/// Not more than can be told apart: the first, the last, and evenly chosen ones between.
std::vector<const HistoryRun*> chosen(const std::vector<HistoryRun>& runs) {
  std::vector<const HistoryRun*> points;
  if (runs.size() <= kMostPoints) {
    for (const HistoryRun& run : runs) points.push_back(&run);
    return points;
  }
  for (std::size_t i = 0; i < kMostPoints; ++i) points.push_back(&runs[i * (runs.size() - 1) / (kMostPoints - 1)]);
  return points;
}

struct Axis {
  double low = 0, high = 1;
  double y(std::uint64_t bytes) const {
    return kHeight - 4 - (static_cast<double>(bytes) - low) / (high - low) * (kHeight - 12);
  }
};

Axis axisOf(const std::vector<const HistoryRun*>& points) {
  const auto [least, most] = std::minmax_element(
      points.begin(), points.end(), [](auto* a, auto* b) { return a->totals.shippedBytes < b->totals.shippedBytes; });
  Axis axis;
  axis.high = std::max<double>(1, static_cast<double>((*most)->totals.shippedBytes));
  // What hardly moves is drawn from near its least value on; the label says so.
  const double low = static_cast<double>((*least)->totals.shippedBytes);
  if (low > 0.8 * axis.high && low < axis.high) axis.low = low - (axis.high - low) * 0.2;
  return axis;
}

}  // namespace

std::string historyHtml(const std::vector<HistoryRun>& runs) {
  if (runs.size() < 2) return "<p class=\"quiet\">The line begins with the second cook.</p>\n";
  const std::vector<const HistoryRun*> points = chosen(runs);
  const Axis axis = axisOf(points);
  const double begin = static_cast<double>(points.front()->timeMs);
  const double span = std::max(1.0, static_cast<double>(points.back()->timeMs) - begin);
  std::string line, dots;
  double y = 0;
  for (const HistoryRun* run : points) {
    const double x = 4 + (static_cast<double>(run->timeMs) - begin) / span * (kWidth - 8);
    const double next = axis.y(run->totals.shippedBytes);
    line += line.empty() ? fmt::format("M{:.1f} {:.1f}", x, next)
                         : fmt::format("L{:.1f} {:.1f}L{:.1f} {:.1f}", x, y, x, next);
    y = next;
    dots += fmt::format(
        "<path class=\"dot\" d=\"M{0:.1f} {1:.1f}h0\"><title>#{2} of {3}\n{4} shipped, {5}</title></path>\n", x, y,
        run->id, timeText(run->timeMs), bytesText(run->totals.shippedBytes),
        countOf(run->totals.assets, "asset", "assets"));
  }
  const std::string start =
      axis.low > 0 ? fmt::format("axis starts at {}", bytesText(static_cast<std::uint64_t>(axis.low))) : "0 B";
  return fmt::format(
      "<div class=\"history\"><div class=\"ends\"><span>{0}</span><span>{1}</span></div>\n"
      "<svg viewBox=\"0 0 {2} {3}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Shipped bytes after each "
      "cook\"><path class=\"grid\" d=\"M0 8H{2}M0 {4}H{2}M0 {5}H{2}\"/><path class=\"line\" d=\"{6}\"/>\n{7}</svg>\n"
      "<div class=\"ends\"><span>{8}</span><span>{9}</span></div><div class=\"ends\"><span>{10}</span>"
      "<span>{11}</span></div></div>\n",
      bytesText(static_cast<std::uint64_t>(axis.high)), "", kWidth, kHeight, kHeight / 2, kHeight - 4, line, dots,
      start, countOf(runs.size(), "cook", "cooks"), timeText(points.front()->timeMs), timeText(points.back()->timeMs));
}

}  // namespace simmer
