#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugins/animation/import/gltf_document.h"
#include "plugins/animation/import/gltf_skeleton.h"

namespace simmer::animation::gltf {

enum class Target : std::uint8_t { Translation, Rotation, Scale, Weights };

/// A channel that moves something, with its place and its sampler resolved.
struct Channel {
  std::uint32_t node = 0;
  std::size_t joint = 0;
  Target target = Target::Translation;
  Sampler sampler;
  std::string where;         ///< "/animations/3/channels/1"
  std::string samplerWhere;  ///< "/animations/3/samplers/0"
};

/// The channels of an animation that move joints or morph weights. Channels for what Simmer does not cook (no node, an
/// unknown path, no keys, a material under KHR_animation_pointer) are left out, with a sentence in `warnings`.
/// InvalidInput when a channel is wrong or two have one target; Unsupported when KHR_animation_pointer moves nodes or
/// is all there is.
Result<std::vector<Channel>> usedChannels(const Document& document, const Rig& rig, std::size_t animation,
                                          std::vector<std::string>& warnings);

}  // namespace simmer::animation::gltf
