#pragma once

#include <cstdint>
#include <vector>

#include "plugins/animation/clip/skeleton.h"
#include "plugins/animation/import/gltf_document.h"

namespace simmer::animation::gltf {

/// The node hierarchy, and the skeleton that the clips of a file share: every node that is a joint of a skin or the
/// target of an animation, and all that stand above one, so that world space is the file's. Depth-first in node order.
/// Leaf nodes that nothing moves and nothing is skinned to ("Hand_end"), meshes and cameras are left out.
struct Rig {
  Skeleton skeleton;                      ///< without its skin
  std::vector<std::int32_t> jointOfNode;  ///< -1: the node is no joint
  std::vector<std::uint32_t> nodeOfJoint;
  std::vector<std::int32_t> parentOfNode;  ///< -1: a root
  std::vector<std::uint32_t> order;        ///< all nodes, parents first
};

/// InvalidInput when a child or a joint does not exist, a node has two parents or is its own ancestor, or a joint's
/// matrix is no translation, rotation and scale.
Result<Rig> buildRig(const Document& document);

}  // namespace simmer::animation::gltf
