#include "plugins/animation/codec/encode.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plugins/animation/codec/channel.h"
#include "plugins/animation/codec/decoded_clip.h"
#include "plugins/animation/codec/scalars.h"

namespace simmer::animation {
namespace {

using runtime::ValueFormat;

constexpr double kPersonHeightM = 1.8;
constexpr double kDegreesPerRadian = 57.295779513082323;
// The article saw the world's error 4 to 5 times as large as a channel's: the search starts there.
constexpr double kFirstGuess = 1.0 / 4;
constexpr unsigned kMostSteps = 12;
// A search ends when the loosest tolerance that met the bound and the tightest that did not are this close …
constexpr double kCloseEnough = 1.04;
// … or when not even this small a part of the tolerance met it: the values' own precision is too coarse then.
constexpr double kHopeless = 1.0 / 2000;
// An encoding that failed is measured a little beyond the bound, so that the next guess knows by how much it failed.
constexpr double kMeasureBeyond = 1.5;
constexpr double kAnything = 1e30;  // metres
// 10-bit rotations stop at about 7 mm on a person; above that they are worth trying first.
constexpr double kSmallWorthFirst = 0.007 / kPersonHeightM;

/// One encoding and what it measured.
struct Attempt {
  Bytes file;  // not deflated yet
  WorldError error;
  double channelToleranceM = 0;
  ValueFormat format = ValueFormat::Float;
  bool raw = false;
  bool met = false;
  bool coarsest = false;  // no channel can lose another key
};

/// [joint]: the smallest tolerance scale of a joint and all below it, which its channels move.
std::vector<double> tightestBelow(const Clip& clip) {
  std::vector<double> tightest(clip.toleranceScale.begin(), clip.toleranceScale.end());
  if (tightest.empty()) tightest.assign(clip.joints(), 1);
  for (std::size_t joint = clip.joints(); joint-- > 0;)
    if (const std::int32_t parent = clip.skeleton->parents[joint]; parent >= 0)
      tightest[static_cast<std::size_t>(parent)] =
          std::min(tightest[static_cast<std::size_t>(parent)], tightest[joint]);
  return tightest;
}

class Search {
 public:
  Search(const Clip& clip, const SkeletonFile& skeleton, const ArticleSettings& settings, double toleranceM,
         Context& context)
      : m_clip(clip),
        m_settings(settings),
        m_toleranceM(toleranceM),
        m_context(context),
        m_head(headOf(clip, skeleton.digest)),
        m_height(measuredHeight(*clip.skeleton)),
        m_meter(clip) {
    if (!(m_height > 0)) m_height = kPersonHeightM;
    makeChannels();
  }

  Result<void> run();
  /// The best attempt, or the reference itself, as the file that is shipped.
  Result<Encoded> finish(const SkeletonFile& skeleton);

 private:
  void makeChannels();
  Result<void> searchFormat(ValueFormat format);
  std::vector<TrackBytes> tracksAt(double toleranceM, ValueFormat format);
  Result<Attempt> attempt(double toleranceM, ValueFormat format);
  Result<void> measure(Attempt& attempt);
  Result<void> fallBackToRaw();
  std::size_t estimateBytes(double toleranceM, ValueFormat format);
  double loosestThatWins(ValueFormat format);
  bool keepIfBetter(Attempt&& attempt);
  double nextGuess(const Attempt& last, double metAt, double metError, double missedAt, double missedError) const;

  const Clip& m_clip;
  const ArticleSettings& m_settings;
  double m_toleranceM;
  Context& m_context;
  ClipHead m_head;
  double m_height;
  ErrorMeter m_meter;
  std::vector<TrackBytes> m_constant;  // all joint tracks; those of channels are filled in by each attempt
  EncodedScalars m_scalars;            // the same in every attempt
  std::vector<ChannelEncoder> m_channels;
  std::optional<Attempt> m_best;
  unsigned m_measured = 0;
};

void Search::makeChannels() {
  std::vector<Affine> world(m_clip.joints());
  toWorld(*m_clip.skeleton, m_clip.skeleton->rest.data(), world.data());
  const std::vector<double> tightest = tightestBelow(m_clip);
  const double lever = article::kLeverM * m_height / kPersonHeightM;
  m_constant.resize(m_clip.joints() * runtime::kSubTracks);
  for (std::size_t joint = 0; joint < m_clip.joints(); ++joint) {
    const std::int32_t parent = m_clip.skeleton->parents[joint];
    const double scale = parent < 0 ? 1 : world[static_cast<std::size_t>(parent)].largestAxis();
    for (unsigned sub = 0; sub < runtime::kSubTracks; ++sub) {
      const auto channel = sub < runtime::kRotationSubTrack    ? Channel::Translation
                           : sub == runtime::kRotationSubTrack ? Channel::Rotation
                                                               : Channel::Scale;
      ChannelPlace place;
      place.track = joint * runtime::kSubTracks + sub;
      place.rotation = channel == Channel::Rotation;
      place.step = m_clip.steps(joint, channel);
      place.values = m_clip.poses[joint].translation.data() + runtime::kSubTrack[sub].firstFloat;
      place.stride = 10 * m_clip.joints();
      place.frames = m_clip.frames;
      place.unitsPerMetre = tightest[joint] * (channel == Channel::Translation ? (scale > 1e-6 ? 1 / scale : 1)
                                               : channel == Channel::Rotation  ? kDegreesPerRadian / lever
                                                                               : 1 / lever);
      if (m_settings.constantRemoval)
        if (auto constant = constantTrack(place, channel == Channel::Scale ? 1.0f : 0.0f)) {
          m_constant[place.track] = std::move(*constant);
          continue;
        }
      m_channels.emplace_back(place, m_settings.keyframes);
    }
  }
}

Result<void> Search::measure(Attempt& attempt) {
  if (m_context.cancelled()) return fail(ErrorCode::Cancelled, "cooking was cancelled");
  SIMMER_TRY(decoded, DecodedClip::load(attempt.file));
  attempt.error = m_meter.measure(decoded.poseSource(), m_toleranceM * kMeasureBeyond);
  attempt.met = attempt.error.worstM <= m_toleranceM;
  ++m_measured;
  m_context.progress(std::min(0.95, m_measured / 20.0));
  return {};
}

std::vector<TrackBytes> Search::tracksAt(double toleranceM, ValueFormat format) {
  std::vector<TrackBytes> tracks = m_constant;
  for (ChannelEncoder& channel : m_channels) tracks[channel.place().track] = channel.encode(toleranceM, format);
  return tracks;
}

Result<Attempt> Search::attempt(double toleranceM, ValueFormat format) {
  const std::vector<TrackBytes> tracks = tracksAt(toleranceM, format);
  Attempt attempt;
  attempt.channelToleranceM = toleranceM;
  attempt.format = format;
  attempt.coarsest = std::ranges::all_of(m_channels, [&](ChannelEncoder& channel) {
    const std::uint32_t count = tracks[channel.place().track].count;
    return count <= 2 || channel.keyCount(kAnything) == count;
  });
  SIMMER_TRY(file, writeArticleClip(m_head, tracks, m_scalars.tracks, {.deflate = false}));
  attempt.file = std::move(file);
  SIMMER_CHECK(measure(attempt));
  return attempt;
}

bool Search::keepIfBetter(Attempt&& attempt) {
  if (!attempt.met || (m_best && m_best->file.size() <= attempt.file.size())) return false;
  m_best = std::move(attempt);
  return true;
}

// Close to what the tracks take; good enough to see where another format can not win any more.
std::size_t Search::estimateBytes(double toleranceM, ValueFormat format) {
  std::size_t bytes = 0;
  for (ChannelEncoder& channel : m_channels) {
    const bool rotation = channel.place().rotation;
    const bool ranged = !rotation && format != ValueFormat::Float;
    const ValueFormat used = ranged ? ValueFormat::Small : format;
    bytes += channel.keyCount(toleranceM) * (1 + runtime::valueBytes(rotation, used)) + (ranged ? 8 : 0);
  }
  return bytes;
}

// The tightest tolerance a channel at which this format needs no more bytes than the best attempt so far.
double Search::loosestThatWins(ValueFormat format) {
  const std::size_t goal = estimateBytes(m_best->channelToleranceM, m_best->format);
  double low = m_best->channelToleranceM / 64, high = m_best->channelToleranceM * 16;
  for (unsigned step = 0; step < 12; ++step) {
    const double middle = std::sqrt(low * high);
    (estimateBytes(middle, format) <= goal ? high : low) = middle;
  }
  return high;
}

double Search::nextGuess(const Attempt& last, double metAt, double metError, double missedAt,
                         double missedError) const {
  const double ratio = m_toleranceM / std::max(last.error.worstM, 1e-300);
  if (missedAt == 0) return last.channelToleranceM * std::clamp(0.97 * ratio, 1.1, 4.0);
  if (metAt == 0) return last.channelToleranceM * std::clamp(0.9 * ratio, 0.2, 0.8);
  // Between the two, where a straight line meets the bound; kept away from both ends.
  const double aim = metAt + (missedAt - metAt) * (0.98 * m_toleranceM - metError) / (missedError - metError);
  const double width = missedAt - metAt;
  return std::clamp(aim, metAt + 0.2 * width, missedAt - 0.2 * width);
}

// Looks for the loosest tolerance a channel that meets the bound with values of this format.
Result<void> Search::searchFormat(ValueFormat format) {
  double guess = m_toleranceM * kFirstGuess;
  double metAt = 0, metError = 0, missedAt = 0, missedError = 0;
  if (m_best) guess = loosestThatWins(format);
  const bool challenger = m_best.has_value();
  for (unsigned step = 0; step < kMostSteps; ++step) {
    SIMMER_TRY(tried, attempt(guess, format));
    const bool met = tried.met, coarsest = tried.coarsest;
    (met ? metAt : missedAt) = guess;
    (met ? metError : missedError) = tried.error.worstM;
    guess = nextGuess(tried, metAt, metError, missedAt, missedError);
    keepIfBetter(std::move(tried));
    if (m_settings.keyframes == ArticleSettings::Keyframes::Off || (met && coarsest)) return {};
    // A format that would have to be looser than this to win, and can not be: there is nothing to find.
    if (challenger && step == 0 && !met) return {};
    if (metAt > 0 && missedAt > 0 && missedAt <= metAt * kCloseEnough) return {};
    if (metAt == 0 && guess <= m_toleranceM * kHopeless) return {};
  }
  return {};
}

Result<void> Search::run() {
  SIMMER_TRY(scalars, encodeScalars(m_clip, m_settings, m_context));
  m_scalars = std::move(scalars);
  using Quantise = ArticleSettings::Quantise;
  if (m_settings.quantise != Quantise::Off) {
    const bool smallFirst = m_toleranceM > kSmallWorthFirst * m_height;
    for (const ValueFormat format :
         {smallFirst ? ValueFormat::Small : ValueFormat::Fine, smallFirst ? ValueFormat::Fine : ValueFormat::Small})
      SIMMER_CHECK(searchFormat(format));
  }
  if (!m_best) SIMMER_CHECK(searchFormat(ValueFormat::Float));
  // Every frame a key, as float32: what the stages can do at their tightest.
  if (!m_best && m_settings.keyframes != ArticleSettings::Keyframes::Off) {
    SIMMER_TRY(exact, attempt(0, ValueFormat::Float));
    keepIfBetter(std::move(exact));
  }
  if (!m_best || m_best->file.size() > m_clip.rawBytes() + m_clip.joints() + runtime::kClipHeaderBytes)
    return fallBackToRaw();
  return {};
}

Result<void> Search::fallBackToRaw() {
  Attempt raw;
  raw.raw = true;
  SIMMER_TRY(file, writeRawClip(m_clip, m_head.skeleton, {.deflate = false}));
  raw.file = std::move(file);
  SIMMER_CHECK(measure(raw));
  if (raw.met) {
    m_best = std::move(raw);
    return {};
  }
  if (m_best) return {};
  return fail(ErrorCode::ToleranceUnmet, "the samples as float32 are off by {:.3g} mm, at most {:.3g} mm is allowed",
              raw.error.worstM * 1000, m_toleranceM * 1000);
}

std::string describe(const Attempt& attempt) {
  if (attempt.raw) return "raw float32";
  const char* const values = attempt.format == ValueFormat::Small  ? "10-bit rotations"
                             : attempt.format == ValueFormat::Fine ? "15-bit rotations"
                                                                   : "float32";
  return fmt::format("article, {}, {:.3g} mm a channel", values, attempt.channelToleranceM * 1000);
}

Result<Encoded> Search::finish(const SkeletonFile& skeleton) {
  const Packaging packaging{m_settings.deflate, m_settings.selfContained ? ByteView(skeleton.bytes) : ByteView()};
  Encoded encoded;
  encoded.how = describe(*m_best);
  encoded.error = m_best->error;
  encoded.scalarError = m_scalars.worst;
  encoded.measured = m_measured;
  if (m_best->raw) {
    SIMMER_TRY(file, writeRawClip(m_clip, m_head.skeleton, packaging));
    encoded.file = std::move(file);
    return encoded;
  }
  const std::vector<TrackBytes> tracks = tracksAt(m_best->channelToleranceM, m_best->format);
  SIMMER_TRY(file, writeArticleClip(m_head, tracks, m_scalars.tracks, packaging));
  encoded.file = std::move(file);
  return encoded;
}

}  // namespace

Result<Encoded> encodeArticle(const Clip& clip, const SkeletonFile& skeleton, const ArticleSettings& settings,
                              double toleranceM, Context& context) {
  Search search(clip, skeleton, settings, toleranceM, context);
  SIMMER_CHECK(search.run());
  return search.finish(skeleton);
}

}  // namespace simmer::animation
