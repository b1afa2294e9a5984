#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "plugins/animation/analyze/report.h"

namespace simmer::animation {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr std::size_t kBarWidth = 32;
constexpr double kFrameMs = 1000.0 / 60;
constexpr int kCrowd = 100;  // characters that play at once
constexpr std::size_t kShownNameBytes = 60;

class Report {
 public:
  Report(const ClipAnalysis& analysis, std::string_view title, bool colour)
      : m_a(analysis), m_title(title), m_colour(colour) {}

  std::string text() {
    headline();
    constants();
    techniques();
    sweep();
    spline();
    pixels();
    overTime();
    records();
    decode();
    return std::move(m_text);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(Out(m_text), format, std::forward<Args>(args)...);
    m_text += '\n';
  }
  void heading(std::string_view title) {
    line("\n{}{}{}", m_colour ? "\x1b[1m" : "", title, m_colour ? "\x1b[0m" : "");
  }
  double perSecond(std::size_t bytes) const { return static_cast<double>(bytes) / m_a.seconds; }
  static double percent(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }
  static double ratio(std::size_t before, std::size_t after) {
    return after == 0 ? 0 : static_cast<double>(before) / static_cast<double>(after);
  }

  void headline() {
    const TechniqueRow &raw = m_a.technique(1), &small = m_a.technique(6);
    const double thrownAway = 100 - percent(small.bytes, raw.bytes);
    const double mm = small.error.maxM * 1000;
    heading(fmt::format("How much of {} can you throw away?", shortened(printable(m_title))));
    if (thrownAway >= 1) {
      line("About {:.0f} % of it: {} bytes as raw float32 \u25b8 {} bytes ({:.1f}x smaller), {} with gzip.",
           std::min(99.0, std::floor(thrownAway + 0.5)), grouped(raw.bytes), grouped(small.bytes),
           ratio(raw.bytes, small.bytes), grouped(small.gzipBytes));
    } else {
      line("Nothing: {} bytes as raw float32, {} bytes as keyframes. It is too short to have any to spare.",
           grouped(raw.bytes), grouped(small.bytes));
    }
    line("The worst joint is then {:.2f} mm off = {:.2f} px on a character {} px tall.", mm,
         mm / m_a.mmPerPixel(kHeadlinePx), kHeadlinePx);
    if (const auto& spline = m_a.spline.besideTechnique6; spline && spline->bytes < small.bytes)
      line("Codec spline: {} bytes, {:.1f}x smaller than raw, with nothing farther off in the world.",
           grouped(spline->bytes), ratio(raw.bytes, spline->bytes));
    line("{} joints, {} frames at {:.6g} Hz, {:.2f} s; {:.2f} m tall ({}).", grouped(m_a.joints), grouped(m_a.frames),
         m_a.rateHz, m_a.seconds, m_a.heightM,
         m_a.heightMeasured ? "measured in the rest pose" : "nothing to measure: a person's height");
    if (m_a.steppedTracks > 0)
      line("{} tracks hold between frames; world errors hold them too.", grouped(m_a.steppedTracks));
    if (m_a.scalarTracks > 0) line("{} scalar tracks (morph weights) are not counted here.", grouped(m_a.scalarTracks));
  }

  void constants() {
    const std::size_t scalars = m_a.scalarChannels(), tracks = 7 * m_a.joints;
    heading("What never moves");
    line("{} of {} position and scale channels and {} of {} rotation tracks: {:.1f} % of all.",
         grouped(m_a.constantScalars), grouped(scalars), grouped(m_a.constantRotations), grouped(m_a.joints),
         percent(tracks - m_a.animatedTracks(), tracks));
    line("One value for each instead of {}: {:.2f}x smaller, and nothing is lost.", grouped(m_a.frames),
         ratio(m_a.technique(1).bytes, m_a.technique(2).bytes));
  }

  void techniques() {
    heading(fmt::format("Seven ways to store it (keyframes within {:g} mm and {:.3f} degrees of each channel)",
                        kComparedToleranceMm, article::leverDegrees(kComparedToleranceMm)));
    line("                                               bytes      B/s     gzip    B/s  joint  angle  world");
    line("                                                              (gzipped)         mm    deg     mm");
    for (const TechniqueRow& row : m_a.techniques)
      line("{} {:<39} {:>10} {:>8.0f} {:>8} {:>6.0f} {:>6} {:>6} {:>6}", row.number, row.name, grouped(row.bytes),
           perSecond(row.bytes), grouped(row.gzipBytes), perSecond(row.gzipBytes), shortNumber(row.error.maxM * 1000),
           shortNumber(row.error.maxDegrees), shortNumber(row.worldErrorM * 1000));
    if (const auto& row = m_a.spline.besideTechnique6)
      line("  {:<39} {:>10} {:>8.0f} {:>8} {:>6} {:>6} {:>6} {:>6}", "codec spline, no farther off than 6",
           grouped(row->bytes), perSecond(row->bytes), "-", "-", shortNumber(row->error.maxM * 1000),
           shortNumber(row->error.maxDegrees), shortNumber(row->worldErrorM * 1000));
    line("joint, angle: worst joint at the frames, as the article measures. world: joints and the skin around");
    line("them, frames and between, with inherited scale - what `simmer cook` keeps under its bound.");
    const auto kept = [&](int number) { return m_a.keysPerTrackSecond(m_a.technique(number)); };
    line("{} animated tracks keep {:.1f} (linear) or {:.1f} (cubic) of {:.6g} keys a second.",
         grouped(m_a.animatedTracks()), kept(4), kept(5), m_a.rateHz);
  }

  void sweep() {
    heading("What a tolerance buys (constants removed, not quantised)");
    line("tolerance          ------------ linear ------------      ------------ cubic -------------");
    line("   mm    deg         keys      bytes     gzip  joint mm       keys      bytes     gzip  joint mm");
    const std::size_t count = kSweptTolerancesMm.size();
    for (std::size_t i = 0; i < count; ++i) {
      const SweepRow &linear = m_a.sweep[i], &cubic = m_a.sweep[count + i];
      line("{:>5g} {:>6.3f}   {}   {}", linear.toleranceMm, article::leverDegrees(linear.toleranceMm),
           sweepCells(linear), sweepCells(cubic));
    }
  }

  static std::string sweepCells(const SweepRow& row) {
    return fmt::format("{:>10} {:>10} {:>8} {:>9}", grouped(row.keys), grouped(row.bytes), grouped(row.gzipBytes),
                       shortNumber(row.error.maxM * 1000));
  }

  void spline() {
    heading("What `simmer cook` makes of it (codec spline, effort default; the bound is on the world error)");
    if (m_a.spline.sweep.empty()) {
      line("Nothing: no tolerance of the sweep can be met.");
      return;
    }
    line("tolerance mm      bytes      B/s    of raw   memory bytes   world mm  joint mm  angle deg");
    for (const SplineRow& row : m_a.spline.sweep)
      line("{:>12g} {:>10} {:>8.0f} {:>7.2f} %   {:>12}   {:>8} {:>9} {:>10}", row.toleranceMm, grouped(row.bytes),
           perSecond(row.bytes), percent(row.bytes, m_a.technique(1).bytes), grouped(row.memoryBytes),
           shortNumber(row.worldErrorM * 1000), shortNumber(row.error.maxM * 1000), shortNumber(row.error.maxDegrees));
    line("bytes: gives poses without another file, no joint names; memory: as a game samples it in place.");
  }

  void pixels() {
    heading("What a player could see (coarsest tolerance whose worst joint stays under one pixel)");
    line("on screen   mm per pixel         linear keyframes               cubic keyframes");
    for (const PixelRow& row : m_a.pixels)
      line("{:>6} px   {:>12.2f}   {:<28}   {}", row.heightPx, row.mmPerPixel, choice(row.linear), choice(row.cubic));
  }

  std::string choice(std::optional<std::size_t> index) const {
    if (!index) return "    none in the sweep";
    const SweepRow& row = m_a.sweep[*index];
    return fmt::format("{:>5g} mm {:>12.0f} B/s", row.toleranceMm, perSecond(row.bytes));
  }

  void overTime() {
    heading("Where the keys land (linear keyframes)");
    std::size_t most = 0, all = 0;
    for (const TimeSpan& span : m_a.keysOverTime) all += span.keys;
    double densest = 0;
    for (const TimeSpan& span : m_a.keysOverTime) {
      most = std::max(most, span.keys);
      densest = std::max(densest, density(span));
    }
    if (most == 0) {
      line("Nowhere: nothing moves.");
      return;
    }
    for (const TimeSpan& span : m_a.keysOverTime) {
      const auto length = static_cast<std::size_t>(std::lround(density(span) / densest * kBarWidth));
      std::string bar;
      for (std::size_t i = 0; i < length; ++i) bar += "\u2588";
      line("{:>7.2f} - {:>7.2f} s {:>8} keys {:>5.1f} %  {:>6.1f} a frame  {}", span.startS, span.endS,
           grouped(span.keys), percent(span.keys, all), density(span), bar);
    }
  }

  static double density(const TimeSpan& span) { return static_cast<double>(span.keys) / span.frames; }

  void records() {
    heading("What gzip still finds (cubic keyframes)");
    line("                       constant tracks           animated tracks              together");
    for (const RecordSizes& sizes : m_a.records)
      line("{:<16} {} {} {}", sizes.quantised ? "quantised keys" : "float32 keys",
           gzipCells(sizes.constantBytes, sizes.constantGzip), gzipCells(sizes.animatedBytes, sizes.animatedGzip),
           gzipCells(sizes.allBytes, sizes.allGzip));
  }

  static std::string gzipCells(std::size_t before, std::size_t after) {
    if (before == 0) return fmt::format("{:>26}", "none");
    return fmt::format("{:>10} \u25b8{:>8} {:>5.2f}x", grouped(before), grouped(after), ratio(before, after));
  }

  void decode() {
    heading("What a pose costs to decode (on this machine, now; medians of nine)");
    const DecodeCost& cost = m_a.decode;
    const auto row = [&](std::string_view name, double ns) {
      line("{:<44} {:>9.0f} ns {:>6.1f}x raw", name, ns, ns / cost.raw);
    };
    row("raw float32, between two frames", cost.raw);
    row("linear keyframes", cost.linear);
    row("cubic keyframes", cost.cubic);
    row("cubic keyframes, quantised", cost.quantised);
    line("{} characters with quantised keyframes take {:.2f} ms, {:.1f} % of a frame at 60 Hz.", kCrowd,
         cost.quantised * kCrowd / 1e6, cost.quantised * kCrowd / 1e6 / kFrameMs * 100);
    line("Position and scale alone, playing forward: {:.0f} ns by binary search, {:.0f} ns with a cached cursor.",
         cost.scalarsBySearch, cost.scalarsByCursor);
  }

  /// Cut between characters of UTF-8.
  static std::string shortened(std::string_view text) {
    if (text.size() <= kShownNameBytes) return std::string(text);
    std::size_t size = kShownNameBytes;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
    return std::string(text.substr(0, size)) + "\u2026";
  }

  /// At most six characters, for millimetres and degrees of any size.
  static std::string shortNumber(double value) {
    if (!std::isfinite(value)) return "inf";
    if (value < 999.995) return fmt::format("{:.2f}", value);
    if (value < 99999.5) return fmt::format("{:.0f}", value);
    return fmt::format("{:.0e}", value);
  }

  const ClipAnalysis& m_a;
  std::string_view m_title;
  bool m_colour;
  std::string m_text;
};

}  // namespace

std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  return result;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string textReport(const ClipAnalysis& analysis, std::string_view title, bool colour) {
  return Report(analysis, title, colour).text();
}

}  // namespace simmer::animation
