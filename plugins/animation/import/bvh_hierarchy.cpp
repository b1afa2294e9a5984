#include "plugins/animation/import/bvh_hierarchy.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "plugins/animation/import/bvh_rate.h"
#include "plugins/animation/import/source_file.h"

namespace simmer::animation::bvh {
namespace {

constexpr unsigned kMaxChannels = 6;
constexpr double kRateOfPoseHz = 30;  // for a single frame without a frame time, which has no rate
constexpr std::array<std::string_view, 6> kChannelNames{"Xposition", "Yposition", "Zposition",
                                                        "Xrotation", "Yrotation", "Zrotation"};

class Parser {
 public:
  Parser(Text& text, double metresPerUnit) : m_text(text), m_metresPerUnit(metresPerUnit) {}

  Result<Hierarchy> read() {
    if (!m_text.keyword("HIERARCHY")) return unexpected(m_text.peek(), "HIERARCHY");
    while (!m_text.keyword("MOTION")) SIMMER_CHECK(statement());
    if (!m_open.empty()) return fail("MOTION stands inside {}, which has no '}}'", describe(m_open.back()));
    if (m_result.skeleton.size() == 0) return fail("the HIERARCHY has no joint");
    if (m_result.columns.empty()) return fail("no joint has channels, so there is no motion");
    SIMMER_CHECK(frames());
    if (m_latin1Names > 1) m_result.warnings.front() += fmt::format("; so were {} more", m_latin1Names - 1);
    return std::move(m_result);
  }

 private:
  /// A block whose '{' was read and whose '}' was not.
  struct Open {
    std::int32_t joint = -1;  // of an End Site: its parent
    bool endSite = false;
    bool offset = false;
    bool channels = false;
  };

  template <class... Args>
  tl::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) const {
    return failAt(ErrorCode::InvalidInput, m_text.where(), format, std::forward<Args>(args)...);
  }

  tl::unexpected<Error> unexpected(std::string_view seen, std::string_view expected) const {
    if (seen.empty()) return fail("the file ends where {} is expected", expected);
    return fail("{} where {} is expected", inQuotes(seen), expected);
  }

  std::string describe(const Open& block) const {
    return fmt::format("{}joint {}", block.endSite ? "the End Site of " : "",
                       inQuotes(m_result.skeleton.names[static_cast<std::size_t>(block.joint)]));
  }

  Result<void> statement() {
    if (m_text.peek() == "}") return closeBlock();
    if (m_open.empty()) {
      if (m_text.keyword("ROOT")) return openJoint();
      return unexpected(m_text.peek(), m_result.skeleton.size() == 0 ? "ROOT" : "ROOT or MOTION");
    }
    if (m_text.keyword("OFFSET")) return offset();
    if (m_open.back().endSite) return unexpected(m_text.peek(), "OFFSET or '}' of an End Site");
    if (m_text.keyword("CHANNELS")) return channels();
    if (m_text.keyword("JOINT")) return openJoint();
    if (m_text.keyword("End")) return openEndSite();
    return unexpected(m_text.peek(), "OFFSET, CHANNELS, JOINT, End Site or '}'");
  }

  Result<void> openBlock(const Open& block) {
    const std::string_view brace = m_text.word();
    if (brace != "{") return unexpected(brace, "'{' of " + describe(block));
    m_open.push_back(block);
    return {};
  }

  Result<void> openJoint() {
    Skeleton& skeleton = m_result.skeleton;
    if (skeleton.size() == kMaxJoints) return fail("more than {} joints", kMaxJoints);
    const std::string_view written = m_text.name();
    std::string name = toUtf8(written);
    if (name != written && ++m_latin1Names == 1)
      m_result.warnings.push_back(
          fmt::format("{}: the joint name {} is not UTF-8 and was read as Latin-1", m_text.where(), inQuotes(written)));
    skeleton.names.push_back(std::move(name));
    skeleton.parents.push_back(m_open.empty() ? -1 : m_open.back().joint);
    skeleton.rest.emplace_back();
    return openBlock({static_cast<std::int32_t>(skeleton.size()) - 1});
  }

  Result<void> openEndSite() {
    if (!m_text.keyword("Site")) return unexpected(m_text.peek(), "Site");
    m_text.restOfLine();  // some exporters name it
    return openBlock({m_open.back().joint, true});
  }

  Result<void> closeBlock() {
    m_text.word();
    if (m_open.empty()) return fail("a '}}' without a '{{'");
    if (!m_open.back().offset) return fail("{} has no OFFSET", describe(m_open.back()));
    m_open.pop_back();
    return {};
  }

  Result<void> offset() {
    Open& block = m_open.back();
    if (block.offset) return fail("{} has a second OFFSET", describe(block));
    block.offset = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      auto units = toNumber(m_text.word(), "a part of OFFSET");
      if (!units) return fail("{}", units.error().message);
      const auto metres = static_cast<float>(*units * m_metresPerUnit);
      if (!std::isfinite(metres)) return fail("OFFSET {} is too large for a float", *units);
      if (!block.endSite) m_result.skeleton.rest[static_cast<std::size_t>(block.joint)].translation[axis] = metres;
    }
    return {};
  }

  Result<void> channels() {
    Open& block = m_open.back();
    if (block.channels) return fail("{} has a second CHANNELS", describe(block));
    block.channels = true;
    const std::string_view word = m_text.word();
    unsigned count = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (error != std::errc() || end != word.data() + word.size() || count > kMaxChannels)
      return fail("CHANNELS says {}, expected 0 to {}", inQuotes(word), kMaxChannels);
    unsigned positions = 0;
    for (unsigned i = 0; i < count; ++i) {
      const std::string_view name = m_text.word();
      unsigned kind = 0;
      while (kind < kChannelNames.size() && !sameWord(name, kChannelNames[kind])) ++kind;
      if (kind == kChannelNames.size())
        return unexpected(name, fmt::format("channel {} of {} (Xposition … Zrotation)", i + 1, count));
      const Column column{static_cast<std::uint32_t>(block.joint), static_cast<std::uint8_t>(kind % 3), kind < 3};
      if (column.position && (positions >> column.axis & 1) != 0) return fail("{} stands twice", kChannelNames[kind]);
      if (column.position) positions |= 1U << column.axis;
      m_result.columns.push_back(column);
    }
    return {};
  }

  Result<void> frames() {
    if (!m_text.keyword("Frames")) return unexpected(m_text.peek(), "Frames:");
    const std::string_view count = m_text.word();
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), m_result.frames);
    const bool whole = !count.empty() && end == count.data() + count.size();
    if (whole && error == std::errc::result_out_of_range)
      return fail("MOTION says {} frames, expected at most {}", count.substr(0, 40),
                  std::numeric_limits<std::uint32_t>::max());
    if (!whole || error != std::errc() || m_result.frames == 0)
      return fail("MOTION says {} frames, expected a whole number above 0", inQuotes(count));
    return frameTime();
  }

  Result<void> frameTime() {
    if (!m_text.keyword("Frame") || !m_text.keyword("Time")) return unexpected(m_text.peek(), "Frame Time:");
    const std::string_view word = m_text.word();
    const auto seconds = toNumber(word, "Frame Time");
    if (!seconds) return fail("{}", seconds.error().message);
    if (*seconds > 0 && std::isfinite(1 / *seconds)) {
      m_result.rateHz = frameRate(word, *seconds);
    } else if (m_result.frames == 1) {
      m_result.rateHz = kRateOfPoseHz;
    } else {
      return fail("Frame Time is {}, expected above 0", inQuotes(word));
    }
    return {};
  }

  Text& m_text;
  double m_metresPerUnit;
  Hierarchy m_result;
  std::vector<Open> m_open;
  std::size_t m_latin1Names = 0;
};

}  // namespace

Result<Hierarchy> readHierarchy(Text& text, double metresPerUnit) {
  return Parser(text, metresPerUnit).read();
}

}  // namespace simmer::animation::bvh
