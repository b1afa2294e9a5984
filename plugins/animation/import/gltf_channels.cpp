#include "plugins/animation/import/gltf_channels.h"

#include <set>

namespace simmer::animation::gltf {
namespace {

constexpr std::pair<std::string_view, Target> kPaths[] = {{"translation", Target::Translation},
                                                          {"rotation", Target::Rotation},
                                                          {"scale", Target::Scale},
                                                          {"weights", Target::Weights}};

struct Ignored {
  std::size_t pointers = 0;
  std::size_t others = 0;
  std::size_t empty = 0;
  std::string firstPointer, firstOther, firstEmpty;  ///< their places
};

/// Looks at a channel that may move nothing of ours; true when it is one to read.
Result<bool> isUsed(const ChannelTarget& channel, const std::string& where, Ignored& ignored) {
  if (channel.path == "pointer") {
    if (channel.pointer.starts_with("/nodes/"))
      return failAt(ErrorCode::Unsupported, where + "/target", "moves '{}' by KHR_animation_pointer, which is not read",
                    channel.pointer);
    if (ignored.pointers++ == 0) ignored.firstPointer = where;
    return false;
  }
  bool known = false;
  for (const auto& [name, target] : kPaths) known = known || channel.path == name;
  if (channel.node && known) return true;
  if (ignored.others++ == 0) ignored.firstOther = where;
  return false;
}

bool hasNoKeys(const Document& document, const Channel& channel) {
  if (channel.sampler.input >= document.accessors.size()) return false;
  const Result<Accessor>& input = document.accessors[channel.sampler.input];
  return input && input->count == 0;
}

Result<Channel> resolve(const Document& document, const Rig& rig, const Animation& animation,
                        const ChannelTarget& channel, const std::string& where, const std::string& animationWhere) {
  Channel used;
  used.node = *channel.node;
  used.where = where;
  if (used.node >= document.nodes.size())
    return failAt(ErrorCode::InvalidInput, where + "/target/node", "names node {}, the file has {}", used.node,
                  document.nodes.size());
  used.joint = static_cast<std::size_t>(rig.jointOfNode[used.node]);
  for (const auto& [name, target] : kPaths)
    if (channel.path == name) used.target = target;
  if (channel.sampler >= animation.samplers.size())
    return failAt(ErrorCode::InvalidInput, where + "/sampler", "names sampler {}, the animation has {}",
                  channel.sampler, animation.samplers.size());
  const Result<Sampler>& sampler = animation.samplers[channel.sampler];
  if (!sampler) return tl::unexpected(sampler.error());
  used.sampler = *sampler;
  used.samplerWhere = fmt::format("{}/samplers/{}", animationWhere, channel.sampler);
  return used;
}

}  // namespace

Result<std::vector<Channel>> usedChannels(const Document& document, const Rig& rig, std::size_t index,
                                          std::vector<std::string>& warnings) {
  if (!document.animations[index]) return tl::unexpected(document.animations[index].error());
  const Animation& animation = *document.animations[index];
  const std::string animationWhere = fmt::format("/animations/{}", index);
  std::vector<Channel> channels;
  std::set<std::pair<std::uint32_t, Target>> taken;
  Ignored ignored;
  for (std::size_t i = 0; i < animation.channels.size(); ++i) {
    const std::string where = fmt::format("{}/channels/{}", animationWhere, i);
    if (!animation.channels[i]) return tl::unexpected(animation.channels[i].error());
    const ChannelTarget& channel = *animation.channels[i];
    SIMMER_TRY(used, isUsed(channel, where, ignored));
    if (!used) continue;
    SIMMER_TRY(resolved, resolve(document, rig, animation, channel, where, animationWhere));
    if (hasNoKeys(document, resolved)) {
      if (ignored.empty++ == 0) ignored.firstEmpty = where;
      continue;
    }
    if (!taken.emplace(resolved.node, resolved.target).second)
      return failAt(ErrorCode::InvalidInput, where + "/target", "the {} of node {} has a channel already", channel.path,
                    resolved.node);
    channels.push_back(std::move(resolved));
  }
  if (channels.empty() && ignored.pointers > 0)
    return failAt(ErrorCode::Unsupported, ignored.firstPointer + "/target",
                  "all that the animation moves is under KHR_animation_pointer, which is not read");
  if (ignored.pointers > 0)
    warnings.push_back(fmt::format("{}: {} channels under KHR_animation_pointer are left out", ignored.firstPointer,
                                   ignored.pointers));
  if (ignored.others > 0)
    warnings.push_back(
        fmt::format("{}: {} channels without a node or a known path are left out", ignored.firstOther, ignored.others));
  if (ignored.empty > 0)
    warnings.push_back(fmt::format("{}: {} channels without keys are left out", ignored.firstEmpty, ignored.empty));
  return channels;
}

}  // namespace simmer::animation::gltf
