#include "plugins/animation/codec/spline/points.h"

#include <random>

#include <gtest/gtest.h>

namespace simmer::animation::spline {
namespace {

Track trackOf(Part part, unsigned components) {
  Track track;
  track.part = part;
  track.components = components;
  return track;
}

CodedTrack codedOf(std::vector<std::int32_t> points) {
  CodedTrack coded;
  coded.points = std::move(points);
  return coded;
}

bool fits(std::int64_t point, std::int64_t bias, std::uint32_t width) {
  return point - bias >= 0 && (point - bias) >> width == 0;
}

TEST(Fields, HoldEveryPointInTheFewestBits) {
  std::mt19937 random(1);
  for (const Part part : {Part::Rotation, Part::Translation, Part::Scale, Part::Scalar})
    for (int round = 0; round < 300; ++round) {
      const unsigned components = part == Part::Scalar ? 1 : part == Part::Rotation && round % 2 == 0 ? 4 : 3;
      const auto reach = static_cast<std::int32_t>(1u << random() % 22);
      const auto middle = static_cast<std::int32_t>(random() % 100000) - 50000;
      std::vector<std::int32_t> points(components * (1 + random() % 9));
      for (std::int32_t& point : points)
        point = (part == Part::Rotation ? 0 : middle) + static_cast<std::int32_t>(random()) % reach;
      const Fields fields = fieldsOf(trackOf(part, components), codedOf(points));
      for (unsigned c = 0; c < components; ++c) {
        bool narrower = fields.widths[c] > 0;
        for (std::size_t i = c; i < points.size(); i += components) {
          if (fields.widths[c] == 0) {
            EXPECT_EQ(points[i], part == Part::Rotation ? 0 : fields.biases[c]);
            continue;
          }
          EXPECT_TRUE(fits(points[i], fields.biases[c], fields.widths[c]));
          const std::int32_t less = part == Part::Rotation ? -(1 << (fields.widths[c] - 1)) / 2 : fields.biases[c];
          narrower = narrower && fields.widths[c] > 1 && fits(points[i], less, fields.widths[c] - 1);
        }
        EXPECT_FALSE(narrower) << "a bit less would do";
      }
    }
}

TEST(Fields, OfRotationsAreSymmetric) {
  const Fields fields = fieldsOf(trackOf(Part::Rotation, 3), codedOf({-4, 0, 3, 3, 0, -1}));
  EXPECT_EQ(fields.widths[0], 3u);
  EXPECT_EQ(fields.biases[0], -4);
  EXPECT_EQ(fields.widths[1], 0u);
  EXPECT_EQ(fields.widths[2], 3u);
}

TEST(Orders, FollowWhatTheNumbersDo) {
  std::vector<std::int32_t> ramp, noise;
  std::mt19937 random(2);
  for (int i = 0; i < 40; ++i) {
    ramp.push_back(90 * i);
    noise.push_back(static_cast<std::int32_t>(random() % 512) - 256);
  }
  const auto choose = [](Part part, const std::vector<std::int32_t>& points) {
    return cheapestOrder(codedOf(points), 0, 1, fieldsOf(trackOf(part, 1), codedOf(points)));
  };
  EXPECT_EQ(choose(Part::Translation, ramp).order, 2u);
  EXPECT_EQ(choose(Part::Rotation, noise).order, 0u);
  EXPECT_LT(choose(Part::Translation, ramp).cost, choose(Part::Translation, noise).cost);
  // Noise around any height is predicted by the middle of its field.
  std::vector<std::int32_t> high = noise;
  for (std::int32_t& value : high) value += 100'000;
  EXPECT_EQ(choose(Part::Translation, high).order, 0u);
  EXPECT_EQ(choose(Part::Translation, high).cost, choose(Part::Translation, noise).cost);
}

TEST(ResidualCost, GrowsWithTheMagnitudeWhereSmallOnesAreExpected) {
  for (const std::int32_t magnitude : {0, 1, 2, 4, 9, 20, 40, 90, 1000, 1 << 20}) {
    EXPECT_LT(residualCost(0, magnitude), residualCost(0, 3 * magnitude + 1));
    EXPECT_EQ(residualCost(3, magnitude), residualCost(3, -magnitude));
  }
  EXPECT_LT(residualCost(0, 0), 256u);       // less than a bit
  EXPECT_GT(residualCost(15, 0), 2u * 256);  // among large ones
}

}  // namespace
}  // namespace simmer::animation::spline
