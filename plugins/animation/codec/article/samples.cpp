#include "plugins/animation/codec/article/samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "plugins/animation/clip/exact_math.h"

// The formulas stand as in the article's program, operation by operation: the last bit decides which of two frames
// with nearly the same error becomes a key.

namespace simmer::animation::article {
namespace {

constexpr double kPi = 3.141592653589793;
constexpr double kRateHz = 60;

struct Bone {
  const char* name;
  std::int32_t parent;
  std::array<double, 3> offsetM;
};

constexpr std::array<Bone, 30> kRig{{
    {"hips", -1, {0, 0.95, 0}},
    {"spine", 0, {0, 0.12, 0}},
    {"chest", 1, {0, 0.16, 0}},
    {"neck", 2, {0, 0.20, 0}},
    {"head", 3, {0, 0.09, 0}},
    {"shoulder.L", 2, {0.05, 0.16, 0}},
    {"upperarm.L", 5, {0.13, 0, 0}},
    {"forearm.L", 6, {0.28, 0, 0}},
    {"hand.L", 7, {0.26, 0, 0}},
    {"shoulder.R", 2, {-0.05, 0.16, 0}},
    {"upperarm.R", 9, {-0.13, 0, 0}},
    {"forearm.R", 10, {-0.28, 0, 0}},
    {"hand.R", 11, {-0.26, 0, 0}},
    {"thigh.L", 0, {0.09, -0.06, 0}},
    {"shin.L", 13, {0, -0.42, 0}},
    {"foot.L", 14, {0, -0.40, 0}},
    {"toe.L", 15, {0, -0.06, 0.12}},
    {"thigh.R", 0, {-0.09, -0.06, 0}},
    {"shin.R", 17, {0, -0.42, 0}},
    {"foot.R", 18, {0, -0.40, 0}},
    {"toe.R", 19, {0, -0.06, 0.12}},
    {"finger1.L", 8, {0.06, 0, 0.02}},
    {"finger2.L", 8, {0.06, 0, -0.02}},
    {"finger1.R", 12, {-0.06, 0, 0.02}},
    {"finger2.R", 12, {-0.06, 0, -0.02}},
    {"prop_sword", 12, {-0.04, 0, 0}},
    {"jaw", 4, {0, -0.03, 0.04}},
    {"eye.L", 4, {0.03, 0.04, 0.06}},
    {"eye.R", 4, {-0.03, 0.04, 0.06}},
    {"cape", 2, {0, 0.05, -0.08}},
}};

/// A rotation from angles in degrees about x, y and z.
Quaternion euler(double x, double y, double z) {
  constexpr double kToRadians = kPi / 180;
  const double cx = exact::cos(x * kToRadians / 2), sx = exact::sin(x * kToRadians / 2);
  const double cy = exact::cos(y * kToRadians / 2), sy = exact::sin(y * kToRadians / 2);
  const double cz = exact::cos(z * kToRadians / 2), sz = exact::sin(z * kToRadians / 2);
  return {sx * cy * cz + cx * sy * sz, cx * sy * cz - sx * cy * sz, cx * cy * sz + sx * sy * cz,
          cx * cy * cz - sx * sy * sz};
}

double smooth(double u) {
  u = std::clamp(u, 0.0, 1.0);
  return u * u * (3 - 2 * u);
}

/// The article's rig with its offsets in double, where the skeleton has float32.
DoubleClip blank(std::uint32_t frames) {
  DoubleClip clip = DoubleClip::atRest(articleSkeleton(), frames, kRateHz);
  for (std::size_t joint = 0; joint < kRig.size(); ++joint)
    for (std::size_t axis = 0; axis < 3; ++axis)
      std::ranges::fill(clip.translation(joint, axis), kRig[joint].offsetM[axis]);
  return clip;
}

void turn(DoubleClip& clip, std::string_view bone, std::uint32_t frame, std::array<double, 3> degrees) {
  const auto found = std::ranges::find(kRig, bone, &Bone::name);
  clip.rotation(static_cast<std::size_t>(found - kRig.begin()))[frame] = euler(degrees[0], degrees[1], degrees[2]);
}

/// The noise of captured data, from -1 to 1; nothing for a clean clip.
class Jitter {
 public:
  explicit Jitter(bool on) : m_on(on) {}
  double operator()() {
    if (!m_on) return 0;
    m_state = m_state * 1664525 + 1013904223;
    return m_state / 4294967296.0 * 2 - 1;
  }

 private:
  bool m_on;
  std::uint32_t m_state = 20260905;
};

void walkFrame(DoubleClip& clip, std::uint32_t f, Jitter& j) {
  const auto sin = exact::sin;
  const double t = f / kRateHz;
  const double p = 2 * kPi * 1.0 * t;
  clip.translation(0, 0)[f] = 0.020 * sin(p) + j() * 0.0004;
  clip.translation(0, 1)[f] = 0.95 + 0.025 * sin(2 * p) + j() * 0.0004;
  clip.translation(0, 2)[f] = 1.40 * t + j() * 0.0004;
  // Within braces the calls of j() run from left to right.
  turn(clip, "hips", f, {-4 + 1.5 * sin(2 * p) + j() * 0.12, 3 * sin(p) + j() * 0.12, 2 * sin(p)});
  turn(clip, "spine", f, {2 * sin(2 * p) + j() * 0.12, -2 * sin(p), 0});
  turn(clip, "chest", f, {1.5 * sin(2 * p), 4 * sin(p + kPi) + j() * 0.12, 0});
  turn(clip, "neck", f, {0, -2 * sin(p) + j() * 0.12, 0});
  turn(clip, "head", f, {1.5 * sin(2 * p) + j() * 0.12, 2 * sin(p), 0});
  turn(clip, "upperarm.L", f, {-8 + 25 * sin(p) + j() * 0.12, 0, 8});
  turn(clip, "upperarm.R", f, {-8 + 25 * sin(p + kPi) + j() * 0.12, 0, -8});
  turn(clip, "forearm.L", f, {-(20 + 15 * sin(p + 0.6)) + j() * 0.12, 0, 0});
  turn(clip, "forearm.R", f, {-(20 + 15 * sin(p + 0.6 + kPi)) + j() * 0.12, 0, 0});
  turn(clip, "hand.L", f, {5 * sin(p) + j() * 0.12, 0, 0});
  turn(clip, "hand.R", f, {5 * sin(p + kPi) + j() * 0.12, 0, 0});
  turn(clip, "thigh.L", f, {28 * sin(p) + j() * 0.12, 0, 0});
  turn(clip, "thigh.R", f, {28 * sin(p + kPi) + j() * 0.12, 0, 0});
  turn(clip, "shin.L", f, {-(4 + 46 * std::max(0.0, sin(p + 1.2))) + j() * 0.12, 0, 0});
  turn(clip, "shin.R", f, {-(4 + 46 * std::max(0.0, sin(p + 1.2 + kPi))) + j() * 0.12, 0, 0});
  turn(clip, "foot.L", f, {12 * sin(p + 2.0) + j() * 0.12, 0, 0});
  turn(clip, "foot.R", f, {12 * sin(p + 2.0 + kPi) + j() * 0.12, 0, 0});
  turn(clip, "toe.L", f, {30 * std::max(0.0, sin(p + 2.6)), 0, 0});
  turn(clip, "toe.R", f, {30 * std::max(0.0, sin(p + 2.6 + kPi)), 0, 0});
  turn(clip, "cape", f, {6 * sin(p - 0.8) + j() * 0.12, 0, 3 * sin(2 * p)});
}

DoubleClip walk(bool jitter) {
  DoubleClip clip = blank(180);
  Jitter j(jitter);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) walkFrame(clip, frame, j);
  return clip;
}

/// Height of the root above its rest, metres: idle, crouch, launch, flight, impact, recovery, idle.
double jumpHeight(double t) {
  if (t < 0.30) return 0;
  if (t < 0.48) return -0.18 * smooth((t - 0.30) / 0.18);
  if (t < 0.54) return -0.18 + 0.18 * ((t - 0.48) / 0.06);
  if (t < 1.10) {
    const double u = (t - 0.54) / 0.56;
    return 4 * 0.55 * u * (1 - u);
  }
  if (t < 1.18) return -0.22 * ((t - 1.10) / 0.08);
  if (t < 1.45) return -0.22 * (1 - smooth((t - 1.18) / 0.27));
  return 0;
}

void jumpFrame(DoubleClip& clip, std::uint32_t f) {
  const double t = f / kRateHz;
  const double h = jumpHeight(t), earlier = jumpHeight(std::max(0.0, t - 0.08));
  const double crouch = std::clamp(-h / 0.22, 0.0, 1.0);
  const double air = std::clamp(h / 0.55, 0.0, 1.0);
  clip.translation(0, 0)[f] = 0;
  clip.translation(0, 1)[f] = 0.95 + h;
  clip.translation(0, 2)[f] = 0.9 * std::clamp((t - 0.48) / 0.62, 0.0, 1.0) * 1.0;
  const double stretch = 1 - 0.10 * crouch + 0.07 * air;
  clip.scale(0, 1)[f] = stretch;
  clip.scale(0, 0)[f] = clip.scale(0, 2)[f] = 1 / std::sqrt(stretch);
  turn(clip, "hips", f, {-4 - 22 * crouch + 6 * air, 0, 0});
  turn(clip, "spine", f, {25 * crouch - 8 * air, 0, 0});
  turn(clip, "chest", f, {10 * crouch - 5 * air, 0, 0});
  turn(clip, "neck", f, {-6 * crouch, 0, 0});
  turn(clip, "head", f, {-8 * crouch + 4 * air, 0, 0});
  turn(clip, "upperarm.L", f, {-70 * crouch + 100 * air, 0, 8});
  turn(clip, "upperarm.R", f, {-70 * crouch + 100 * air, 0, -8});
  turn(clip, "cape", f, {20 * std::clamp(-jumpHeight(0) + (earlier - h) * 40, -1.0, 1.0), 0, 0});
  for (const char side : {'L', 'R'}) {
    const auto bone = [&](const char* name) { return std::string(name) + '.' + side; };
    turn(clip, bone("forearm"), f, {-(15 + 45 * air), 0, 0});
    turn(clip, bone("hand"), f, {-10 * crouch + 15 * air, 0, 0});
    turn(clip, bone("thigh"), f, {55 * crouch + 35 * air, 0, 0});
    turn(clip, bone("shin"), f, {-(70 * crouch + 60 * air), 0, 0});
    turn(clip, bone("foot"), f, {20 * crouch - 30 * air, 0, 0});
    turn(clip, bone("toe"), f, {25 * crouch, 0, 0});
  }
}

DoubleClip jump() {
  DoubleClip clip = blank(120);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) jumpFrame(clip, frame);
  return clip;
}

}  // namespace

DoubleClip DoubleClip::atRest(std::shared_ptr<const Skeleton> skeleton, std::uint32_t frames, double rateHz) {
  DoubleClip clip;
  clip.skeleton = std::move(skeleton);
  clip.frames = frames;
  clip.rateHz = rateHz;
  clip.translations.resize(3 * clip.joints() * frames);
  clip.scales.resize(3 * clip.joints() * frames);
  clip.rotations.resize(clip.joints() * frames);
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    const Transform& rest = clip.skeleton->rest[joint];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::ranges::fill(clip.translation(joint, axis), rest.translation[axis]);
      std::ranges::fill(clip.scale(joint, axis), rest.scale[axis]);
    }
    const auto& r = rest.rotation;
    std::ranges::fill(clip.rotation(joint), normalised({r[0], r[1], r[2], r[3]}));
  }
  return clip;
}

const char* toString(Sample sample) {
  return sample == Sample::Walk ? "walk" : sample == Sample::Jump ? "jump" : "mocap";
}

DoubleClip makeSample(Sample sample) {
  return sample == Sample::Jump ? jump() : walk(sample == Sample::Mocap);
}

std::shared_ptr<const Skeleton> articleSkeleton() {
  static const std::shared_ptr<const Skeleton> rig = [] {
    auto skeleton = std::make_shared<Skeleton>();
    for (const Bone& bone : kRig) {
      skeleton->names.emplace_back(bone.name);
      skeleton->parents.push_back(bone.parent);
      Transform rest;
      for (std::size_t axis = 0; axis < 3; ++axis) rest.translation[axis] = static_cast<float>(bone.offsetM[axis]);
      skeleton->rest.push_back(rest);
    }
    return skeleton;
  }();
  return rig;
}

Clip toClip(const DoubleClip& clip, std::string id) {
  Clip result;
  result.id = std::move(id);
  result.named = true;
  result.skeleton = clip.skeleton;
  result.rateHz = clip.rateHz;
  result.frames = clip.frames;
  result.poses.resize(clip.frames * clip.joints());
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      Transform& pose = result.pose(frame, joint);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        pose.translation[axis] = static_cast<float>(clip.translation(joint, axis)[frame]);
        pose.scale[axis] = static_cast<float>(clip.scale(joint, axis)[frame]);
      }
      for (std::size_t i = 0; i < 4; ++i) pose.rotation[i] = static_cast<float>(clip.rotation(joint)[frame][i]);
    }
  return result;
}

DoubleClip toDouble(const Clip& clip) {
  DoubleClip result = DoubleClip::atRest(clip.skeleton, clip.frames, clip.rateHz);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      const Transform& pose = clip.pose(frame, joint);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        result.translation(joint, axis)[frame] = pose.translation[axis];
        result.scale(joint, axis)[frame] = pose.scale[axis];
      }
      const auto& r = pose.rotation;
      result.rotation(joint)[frame] = normalised({r[0], r[1], r[2], r[3]});
    }
  return result;
}

}  // namespace simmer::animation::article
