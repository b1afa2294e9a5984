#include "plugins/animation/codec/clip_writer.h"

#include <algorithm>

#include <zlib.h>

namespace simmer::animation {
namespace {

using runtime::Codec;
using runtime::Packing;

constexpr std::uint64_t kMaxFileBytes = 0xFFFFFFFF;

/// The four numbers behind the header.
struct Totals {
  std::uint32_t nameBytes = 0, tracks = 0, storedKeys = 0, valueBytes = 0;
};

// A raw deflate stream, or nothing where it would not be smaller.
Bytes deflated(ByteView body) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) return {};
  Bytes packed(body.size());
  stream.next_in = const_cast<Bytef*>(body.data());
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  const bool smaller = deflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out < body.size();
  packed.resize(smaller ? stream.total_out : 0);
  deflateEnd(&stream);
  return packed;
}

Result<Bytes> writeFile(const ClipHead& head, Codec codec, std::uint8_t codecVersion, const Totals& totals, Bytes body,
                        const Packaging& packaging) {
  if (head.joints > runtime::kMaxJoints || head.frames > runtime::kMaxFrames ||
      head.scalarNames.size() > runtime::kMaxScalars)
    return fail(ErrorCode::Unsupported, "{} joints, {} frames and {} scalar tracks, at most {}, {} and {} fit",
                head.joints, head.frames, head.scalarNames.size(), runtime::kMaxJoints, runtime::kMaxFrames,
                runtime::kMaxScalars);
  const std::uint64_t most = body.size() + packaging.skeletonFile.size() + runtime::kClipHeaderBytes + 20;
  if (most > kMaxFileBytes) return fail(ErrorCode::Unsupported, "the clip takes {} bytes, at most 4 GiB fit", most);
  const Bytes packed = packaging.deflate ? deflated(body) : Bytes();
  const ByteView stored = packed.empty() ? ByteView(body) : ByteView(packed);

  ByteWriter numbers;
  for (const std::uint32_t number : {totals.nameBytes, totals.tracks, totals.storedKeys, totals.valueBytes})
    putVarint(numbers, number);
  const Bytes numberBytes = numbers.take();
  ByteWriter file;
  file.putBytes(runtime::kClipMagic);
  file.put(runtime::kClipVersion);
  file.put(static_cast<std::uint8_t>(packed.empty() ? Packing::Stored : Packing::Deflate));
  file.put(static_cast<std::uint8_t>(codec));
  file.put(codecVersion);
  file.put(static_cast<std::uint32_t>(runtime::kClipHeaderBytes + numberBytes.size() + packaging.skeletonFile.size() +
                                      stored.size()));
  file.put(head.joints);
  file.put(head.frames);
  file.put(static_cast<std::uint32_t>(head.scalarNames.size()));
  file.put(head.rateHz);
  file.put(static_cast<std::uint32_t>(packaging.skeletonFile.size()));
  file.put(static_cast<std::uint32_t>(body.size()));
  file.putBytes(head.skeleton.bytes);
  file.putBytes(numberBytes);
  file.putBytes(packaging.skeletonFile);
  file.putBytes(stored);
  return file.take();
}

void putNames(ByteWriter& body, const ClipHead& head, Totals& totals) {
  for (const std::string& name : head.scalarNames) {
    const std::string_view text = storedName(name);
    putVarint(body, static_cast<std::uint32_t>(text.size()));
    body.putBytes(asBytes(text));
    totals.nameBytes += static_cast<std::uint32_t>(text.size());
  }
}

void putJointRecords(ByteWriter& body, const std::vector<TrackBytes>& joints) {
  for (std::size_t first = 0; first < joints.size(); first += runtime::kSubTracks) {
    std::uint32_t kinds = 0;
    for (unsigned i = 0; i < runtime::kSubTracks; ++i)
      kinds |= static_cast<std::uint32_t>(joints[first + i].kind) << runtime::kSubTrack[i].shift;
    for (unsigned shift = 0; shift < 24; shift += 8) body.put(static_cast<std::uint8_t>(kinds >> shift));
    for (unsigned i = 0; i < runtime::kSubTracks; ++i)
      if (joints[first + i].kind == runtime::kConstantKind) body.putBytes(joints[first + i].values);
  }
}

void putKeys(ByteWriter& body, const TrackBytes& track, std::uint32_t frames, Totals& totals) {
  putVarint(body, track.count);
  if (track.count == frames) return;
  totals.storedKeys += track.count;
  for (std::size_t i = 1; i < track.keys.size(); ++i) putVarint(body, track.keys[i] - track.keys[i - 1] - 1);
}

}  // namespace

void putVarint(ByteWriter& writer, std::uint32_t value) {
  for (; value > 0x7F; value >>= 7) writer.put(static_cast<std::uint8_t>(value | 0x80));
  writer.put(static_cast<std::uint8_t>(value));
}

std::string_view storedName(const std::string& name) {
  return std::string_view(name).substr(0, name.find('\0'));
}

ClipHead headOf(const Clip& clip, const Digest& skeleton) {
  ClipHead head{static_cast<std::uint32_t>(clip.joints()), clip.frames, clip.rateHz, {}, skeleton};
  for (const ScalarTrack& track : clip.scalars) head.scalarNames.push_back(track.name);
  return head;
}

Result<Bytes> writeArticleClip(const ClipHead& head, const std::vector<TrackBytes>& joints,
                               const std::vector<TrackBytes>& scalars, const Packaging& packaging) {
  ByteWriter body;
  Totals totals;
  putNames(body, head, totals);
  putJointRecords(body, joints);
  for (const TrackBytes& track : scalars) {
    body.put(track.kind);
    if (track.kind == runtime::kConstantKind) body.putBytes(track.values);
  }
  std::vector<const TrackBytes*> animated;
  for (const auto* tracks : {&joints, &scalars})
    for (const TrackBytes& track : *tracks)
      if (track.animated()) animated.push_back(&track);
  totals.tracks = static_cast<std::uint32_t>(animated.size());
  for (const TrackBytes* track : animated) putKeys(body, *track, head.frames, totals);
  const auto isRotation = [&](const TrackBytes* track) {
    return track >= joints.data() && track < joints.data() + joints.size() &&
           static_cast<std::size_t>(track - joints.data()) % runtime::kSubTracks == runtime::kRotationSubTrack;
  };
  for (const TrackBytes* track : animated) {
    if (isRotation(track) || (track->kind - 2) / 3 == static_cast<int>(runtime::ValueFormat::Float)) continue;
    body.put(track->low);
    body.put(track->range);
  }
  for (const TrackBytes* track : animated) {
    if (body.size() + track->values.size() > kMaxFileBytes)
      return fail(ErrorCode::Unsupported, "the clip takes more than 4 GiB");
    body.putBytes(track->values);
    totals.valueBytes += static_cast<std::uint32_t>(track->values.size());
  }
  return writeFile(head, Codec::Article, runtime::kArticleVersion, totals, body.take(), packaging);
}

Result<Bytes> writeRawClip(const Clip& clip, const Digest& skeleton, const Packaging& packaging) {
  if (clip.rawBytes() > kMaxFileBytes)
    return fail(ErrorCode::Unsupported, "the clip takes {} bytes, at most 4 GiB fit", clip.rawBytes());
  const ClipHead head = headOf(clip, skeleton);
  ByteWriter body;
  Totals totals;
  putNames(body, head, totals);
  for (std::size_t joint = 0; joint < clip.joints(); ++joint)
    body.put(static_cast<std::uint8_t>(clip.step.empty() ? 0 : clip.step[joint] & 7));
  for (const ScalarTrack& track : clip.scalars) body.put(static_cast<std::uint8_t>(track.step));
  for (const Transform& pose : clip.poses) {
    for (const float v : pose.translation) body.put(v);
    for (const float v : pose.rotation) body.put(v);
    for (const float v : pose.scale) body.put(v);
  }
  for (const ScalarTrack& track : clip.scalars)
    for (const float v : track.values) body.put(v);
  return writeFile(head, Codec::Raw, runtime::kRawVersion, totals, body.take(), packaging);
}

}  // namespace simmer::animation
