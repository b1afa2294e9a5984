#pragma once

#include "plugins/animation/codec/article/samples.h"

namespace simmer::animation::article {

/// The article's own error: how far joints are off in the world at the frames.
struct JointError {
  double maxM = 0;
  double meanM = 0;
  double maxDegrees = 0;
};

/// Measures decoded clips against one reference as the article does: a joint's offset is scaled by its parent's own
/// scale alone, which rotations and grandchildren do not inherit, and there is nothing between frames. For glTF
/// semantics see ErrorMeter, which decides what is published; this one is for comparison with the article's tables.
class JointErrorMeter {
 public:
  explicit JointErrorMeter(const DoubleClip& reference);

  /// `decoded` has the joints and frames of the reference.
  JointError measure(const DoubleClip& decoded) const;

 private:
  struct Placed {
    Vector3 position;
    Quaternion rotation;
  };
  static void place(const DoubleClip& clip, std::uint32_t frame, Placed* out);

  std::vector<Placed> m_reference;  // [frame][joint]
};

}  // namespace simmer::animation::article
