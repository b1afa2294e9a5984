#include "plugins/animation/import/gltf_skeleton.h"

namespace simmer::animation::gltf {
namespace {

Result<void> findParents(const Document& document, Rig& rig) {
  const std::size_t count = document.nodes.size();
  rig.parentOfNode.assign(count, -1);
  for (std::size_t node = 0; node < count; ++node) {
    const std::vector<std::uint32_t>& children = document.nodes[node].children;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const auto place = [&] { return fmt::format("/nodes/{}/children/{}", node, i); };
      if (children[i] >= count)
        return failAt(ErrorCode::InvalidInput, place(), "names node {}, the file has {}", children[i], count);
      std::int32_t& parent = rig.parentOfNode[children[i]];
      if (parent >= 0)
        return failAt(ErrorCode::InvalidInput, place(), "node {} is already a child of node {}", children[i], parent);
      parent = static_cast<std::int32_t>(node);
    }
  }
  return {};
}

/// Depth-first without recursion: files nest as deep as they like.
Result<void> findOrder(const Document& document, Rig& rig) {
  const std::size_t count = document.nodes.size();
  std::vector<std::uint32_t> open;
  for (std::size_t node = count; node-- > 0;)
    if (rig.parentOfNode[node] < 0) open.push_back(static_cast<std::uint32_t>(node));
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    rig.order.push_back(node);
    const std::vector<std::uint32_t>& children = document.nodes[node].children;
    open.insert(open.end(), children.rbegin(), children.rend());
  }
  if (rig.order.size() == count) return {};
  std::vector<char> reached(count, 0);
  for (const std::uint32_t node : rig.order) reached[node] = 1;
  std::size_t lost = 0;
  while (reached[lost]) ++lost;
  return failAt(ErrorCode::InvalidInput, fmt::format("/nodes/{}", lost), "the node stands below itself");
}

Result<std::vector<char>> findJoints(const Document& document) {
  std::vector<char> isJoint(document.nodes.size(), 0);
  for (std::size_t s = 0; s < document.skins.size(); ++s) {
    if (!document.skins[s]) return tl::unexpected(document.skins[s].error());
    const std::vector<std::uint32_t>& joints = document.skins[s]->joints;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (joints[i] >= isJoint.size())
        return failAt(ErrorCode::InvalidInput, fmt::format("/skins/{}/joints/{}", s, i),
                      "names node {}, the file has {}", joints[i], isJoint.size());
      isJoint[joints[i]] = 1;
    }
  }
  for (const Result<Animation>& animation : document.animations) {
    if (!animation) continue;
    for (const Result<ChannelTarget>& channel : animation->channels)
      if (channel && channel->node && *channel->node < isJoint.size()) isJoint[*channel->node] = 1;
  }
  return isJoint;
}

}  // namespace

Result<Rig> buildRig(const Document& document) {
  Rig rig;
  SIMMER_CHECK(findParents(document, rig));
  SIMMER_CHECK(findOrder(document, rig));
  SIMMER_TRY(isJoint, findJoints(document));
  for (auto node = rig.order.rbegin(); node != rig.order.rend(); ++node)
    if (isJoint[*node] && rig.parentOfNode[*node] >= 0) isJoint[static_cast<std::size_t>(rig.parentOfNode[*node])] = 1;
  rig.jointOfNode.assign(document.nodes.size(), -1);
  for (const std::uint32_t node : rig.order) {
    if (!isJoint[node]) continue;
    const Node& source = document.nodes[node];
    if (!source.decomposable)
      return failAt(ErrorCode::InvalidInput, fmt::format("/nodes/{}/matrix", node),
                    "is no product of translation, rotation and scale");
    const std::int32_t parent = rig.parentOfNode[node];
    rig.jointOfNode[node] = static_cast<std::int32_t>(rig.nodeOfJoint.size());
    rig.nodeOfJoint.push_back(node);
    rig.skeleton.names.push_back(source.name);
    rig.skeleton.parents.push_back(parent < 0 ? -1 : rig.jointOfNode[static_cast<std::size_t>(parent)]);
    rig.skeleton.rest.push_back(source.local);
  }
  return rig;
}

}  // namespace simmer::animation::gltf
