#include "plugins/animation/codec/spline/uniform_fits.h"

#include <cmath>

#include <gtest/gtest.h>

namespace simmer::animation::spline {
namespace {

constexpr std::int32_t kLast = 120;

TEST(UniformFits, AreMadeOnceForEachKindAndSpacing) {
  UniformFits fits(kLast, false);
  const UniformFits::Entry& wide = fits.of(KnotKind::UniformCubic, 16);
  const UniformFits::Entry& narrow = fits.of(KnotKind::UniformCubic, 4);
  EXPECT_EQ(&fits.of(KnotKind::UniformCubic, 16), &wide);
  EXPECT_EQ(&fits.of(KnotKind::UniformCubic, 4), &narrow);
  EXPECT_NE(&fits.of(KnotKind::UniformLinear, 4), &narrow);
  EXPECT_LT(wide.basis->points, narrow.basis->points);
}

TEST(UniformFits, GiveWhatAFitOfOnesOwnGives) {
  std::vector<double> signal;
  for (std::int32_t h = 0; h <= kLast; ++h) signal.push_back(std::sin(h * 0.11));
  const std::vector<float> none;
  for (const bool thin : {false, true}) {
    UniformFits fits(kLast, thin);
    const Basis own = fits.basisOf({KnotKind::UniformCubic, 24, 0, {}});
    EXPECT_EQ(own.rows() < signal.size(), thin);
    EXPECT_EQ(fits.of(KnotKind::UniformCubic, 24).fitter.solve(signal, 1), Fitter(own, none).solve(signal, 1));
  }
}

}  // namespace
}  // namespace simmer::animation::spline
