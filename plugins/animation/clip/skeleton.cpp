#include "plugins/animation/clip/skeleton.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/clip/exact_math.h"
#include "plugins/animation/clip/kinematics.h"

namespace simmer::animation {
namespace {

constexpr double kPersonHeightM = 1.8;
constexpr double kShellRadiusM = 0.03;  // on a person; bench measure v1

bool allFinite(const Transform& t) {
  const auto finite = [](float v) { return std::isfinite(v); };
  return std::all_of(t.translation.begin(), t.translation.end(), finite) &&
         std::all_of(t.rotation.begin(), t.rotation.end(), finite) &&
         std::all_of(t.scale.begin(), t.scale.end(), finite);
}

bool isUtf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(at) < 0x80   ? 1
                               : byte(at) < 0xC2 ? 0
                               : byte(at) < 0xE0 ? 2
                               : byte(at) < 0xF0 ? 3
                               : byte(at) < 0xF5 ? 4
                                                 : 0;
    if (length == 0 || at + length > text.size()) return false;
    for (std::size_t i = 1; i < length; ++i)
      if ((byte(at + i) & 0xC0) != 0x80) return false;
    at += length;
  }
  return true;
}

}  // namespace

Result<void> validate(const Skeleton& skeleton) {
  const std::size_t count = skeleton.size();
  if (skeleton.names.size() != count || skeleton.rest.size() != count ||
      (!skeleton.skinRadiusM.empty() && skeleton.skinRadiusM.size() != count))
    return fail(ErrorCode::InvalidInput, "{} parents, {} names, {} rest transforms, {} skin radii", count,
                skeleton.names.size(), skeleton.rest.size(), skeleton.skinRadiusM.size());
  for (std::size_t joint = 0; joint < count; ++joint) {
    const std::string where = fmt::format("joint {}", joint);
    const std::int32_t parent = skeleton.parents[joint];
    if (parent < -1 || parent >= static_cast<std::int64_t>(joint))
      return failAt(ErrorCode::InvalidInput, where, "its parent is joint {}, expected one before it", parent);
    if (!allFinite(skeleton.rest[joint])) return failAt(ErrorCode::InvalidInput, where, "its rest pose is not finite");
    if (!isUtf8(skeleton.names[joint])) return failAt(ErrorCode::InvalidInput, where, "its name is not UTF-8");
    if (!skeleton.skinRadiusM.empty() &&
        !(skeleton.skinRadiusM[joint] >= 0 && std::isfinite(skeleton.skinRadiusM[joint])))
      return failAt(ErrorCode::InvalidInput, where, "its skin radius is {}", skeleton.skinRadiusM[joint]);
  }
  return {};
}

double measuredHeight(const Skeleton& skeleton) {
  if (skeleton.skinHeightM > 0) return skeleton.skinHeightM;
  std::vector<Affine> world(skeleton.size());
  toWorld(skeleton, skeleton.rest.data(), world.data());
  double height = 0;
  for (std::size_t axis = 0; axis < 3 && !world.empty(); ++axis) {
    const auto [low, high] = std::minmax_element(world.begin(), world.end(), [&](const Affine& a, const Affine& b) {
      return a.columns[3][axis] < b.columns[3][axis];
    });
    height = std::max(height, high->columns[3][axis] - low->columns[3][axis]);
  }
  return height < 1e-6 ? 0 : height;
}

std::vector<double> skinRadii(const Skeleton& skeleton, const std::vector<float>& probeRadiusM) {
  std::vector<Affine> world(skeleton.size());
  toWorld(skeleton, skeleton.rest.data(), world.data());
  const double height = measuredHeight(skeleton);
  const double shell = kShellRadiusM * (height > 0 ? height : kPersonHeightM) / kPersonHeightM;
  std::vector<double> radii(skeleton.size());
  for (std::size_t joint = 0; joint < skeleton.size(); ++joint) {
    const double scale = exact::cbrt(std::abs(world[joint].determinant()));
    double radius = skeleton.skinRadiusM.empty() ? shell : static_cast<double>(skeleton.skinRadiusM[joint]);
    if (!probeRadiusM.empty() && probeRadiusM[joint] > 0) radius = static_cast<double>(probeRadiusM[joint]);
    radii[joint] = radius / (scale < 1e-6 ? 1 : scale);
  }
  return radii;
}

}  // namespace simmer::animation
