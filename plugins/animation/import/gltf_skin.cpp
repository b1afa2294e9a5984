#include "plugins/animation/import/gltf_skin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "plugins/animation/import/gltf_matrix.h"

namespace simmer::animation::gltf {
namespace {

constexpr std::uint64_t kMostVertices = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostPatches = 16 * kMostVertices;
constexpr double kLeastWeight = 0.1;
constexpr std::size_t kRigJoints = 8;   // from here on the joints' extent says how large the object is
constexpr double kMostTimesTaller = 5;  // than its joints may the skin be
constexpr double kShellRadiusM = 0.03, kPersonHeightM = 1.8;  // as skinRadii() has it

/// Where a vertex of a mesh goes in the rest pose: one map for each joint of its skin, or one for all of it.
struct Binding {
  std::vector<Affine> maps;
  std::vector<std::size_t> joints;  ///< of the skeleton, one for each map
};

class SkinMeter {
 public:
  SkinMeter(const Document& document, AccessorReader& accessors, Context& context, Rig& rig)
      : m_document(document), m_accessors(accessors), m_context(context), m_rig(rig) {}

  Result<void> measure();
  /// Gives the skeleton what was measured, and a sentence for each thing that was odd.
  std::vector<std::string> store();

 private:
  void findWorld();
  Result<void> countVertices();
  Result<const Binding*> skinBinding(const Node& node, std::size_t index);
  Result<void> measureNode(std::size_t index);
  Result<void> measurePrimitive(const Primitive& primitive, const Binding& binding, bool skinned,
                                const std::string& place);
  Result<void> measureSkinned(const Primitive& primitive, const std::vector<float>& positions, const Binding& binding,
                              const std::string& place);
  /// Counts a vertex, unless it is nowhere.
  bool add(const Vector3& point) {
    if (!std::isfinite(point[0] + point[1] + point[2])) {
      ++m_lost;
      return false;
    }
    m_low = std::min(m_low, point[1]);
    m_high = std::max(m_high, point[1]);
    return true;
  }
  void reach(std::size_t joint, const Vector3& point) {
    const Vector3& origin = m_world[m_rig.nodeOfJoint[joint]].columns[3];
    const double x = point[0] - origin[0], y = point[1] - origin[1], z = point[2] - origin[2];
    m_squaredReach[joint] = std::max(m_squaredReach[joint], x * x + y * y + z * z);
  }
  const Document& m_document;
  AccessorReader& m_accessors;
  Context& m_context;
  Rig& m_rig;
  std::vector<Affine> m_world;                  // of every node
  std::vector<std::int32_t> m_above;            // the nearest joint at or above every node, or -1
  std::vector<double> m_squaredReach;           // of every joint
  std::map<std::uint32_t, Binding> m_bindings;  // by skin
  double m_low = std::numeric_limits<double>::infinity(), m_high = -m_low;
  std::uint64_t m_step = 1;
  std::uint64_t m_lost = 0;
};

Vector3 apply(const Affine& map, const float* v) {
  Vector3 point;
  for (std::size_t i = 0; i < 3; ++i)
    point[i] = map.columns[0][i] * v[0] + map.columns[1][i] * v[1] + map.columns[2][i] * v[2] + map.columns[3][i];
  return point;
}

void SkinMeter::findWorld() {
  m_world.resize(m_document.nodes.size());
  m_above.assign(m_document.nodes.size(), -1);
  for (const std::uint32_t index : m_rig.order) {
    const Node& node = m_document.nodes[index];
    const Affine local = node.matrix ? affineOf(*node.matrix) : Affine::of(node.local);
    const std::int32_t parent = m_rig.parentOfNode[index];
    m_world[index] = parent < 0 ? local : m_world[static_cast<std::size_t>(parent)] * local;
    m_above[index] = m_rig.jointOfNode[index] >= 0 || parent < 0 ? m_rig.jointOfNode[index]
                                                                 : m_above[static_cast<std::size_t>(parent)];
  }
}

/// Chooses the step so that no more than the budget is read. Patches of sparse accessors are walked whole each time.
Result<void> SkinMeter::countVertices() {
  constexpr std::uint64_t kMany = std::uint64_t{1} << 32;
  std::uint64_t total = 0, patches = 0;
  const auto count = [&](std::uint32_t index, bool vertices) {
    if (index >= m_document.accessors.size() || !m_document.accessors[index]) return;
    const Accessor& accessor = *m_document.accessors[index];
    if (vertices) total += std::min(accessor.count, kMany);
    if (accessor.sparse) patches += std::min(accessor.sparse->count, kMany);
  };
  for (std::size_t i = 0; i < m_document.nodes.size(); ++i) {
    const Node& node = m_document.nodes[i];
    if (!node.mesh) continue;
    SIMMER_TRY(mesh, elementAt(m_document.meshes, *node.mesh, "mesh", fmt::format("/nodes/{}/mesh", i)));
    for (const Primitive& primitive : mesh->primitives) {
      if (primitive.position) count(*primitive.position, true);
      for (const std::uint32_t index : primitive.joints) count(index, false);
      for (const std::uint32_t index : primitive.weights) count(index, false);
    }
  }
  if (patches > kMostPatches)
    return fail(ErrorCode::Unsupported, "the meshes have {} sparse values, at most {} are read", patches, kMostPatches);
  m_step = std::max<std::uint64_t>(1, (total + kMostVertices - 1) / kMostVertices);
  return {};
}

Result<const Binding*> SkinMeter::skinBinding(const Node& node, std::size_t index) {
  if (const auto known = m_bindings.find(*node.skin); known != m_bindings.end()) return &known->second;
  SIMMER_TRY(skin, elementAt(m_document.skins, *node.skin, "skin", fmt::format("/nodes/{}/skin", index)));
  Binding& binding = m_bindings[*node.skin];
  std::vector<float> inverse;
  if (skin->inverseBindMatrices) {
    const std::string place = fmt::format("/skins/{}/inverseBindMatrices", *node.skin);
    SIMMER_TRY(matrices, m_accessors.floats(*skin->inverseBindMatrices, {.type = "MAT4"}, place));
    if (matrices.size() / 16 < skin->joints.size())
      return failAt(ErrorCode::InvalidInput, place, "has {} matrices for {} joints", matrices.size() / 16,
                    skin->joints.size());
    inverse = std::move(matrices);
  }
  for (std::size_t j = 0; j < skin->joints.size(); ++j) {
    Affine map = m_world[skin->joints[j]];
    if (!inverse.empty()) {
      std::array<double, 16> matrix;
      std::copy_n(inverse.begin() + static_cast<std::ptrdiff_t>(16 * j), 16, matrix.begin());
      map = map * affineOf(matrix);
    }
    binding.maps.push_back(map);
    binding.joints.push_back(static_cast<std::size_t>(m_rig.jointOfNode[skin->joints[j]]));
  }
  return &binding;
}

Result<void> SkinMeter::measureNode(std::size_t index) {
  const Node& node = m_document.nodes[index];
  const Mesh& mesh = *m_document.meshes[*node.mesh];
  Binding rigid;
  const Binding* skin = nullptr;
  if (node.skin) {
    SIMMER_TRY(binding, skinBinding(node, index));
    skin = binding;
  }
  if (m_above[index] >= 0) rigid = {{m_world[index]}, {static_cast<std::size_t>(m_above[index])}};
  std::set<std::vector<std::uint32_t>> done;  // primitives often share one set of vertices
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
    const Primitive& primitive = mesh.primitives[p];
    if (!primitive.position) continue;
    const bool skinned = skin != nullptr && !primitive.joints.empty() && !primitive.weights.empty();
    if (!skinned && rigid.maps.empty()) continue;
    std::vector<std::uint32_t> key{*primitive.position};
    key.insert(key.end(), primitive.joints.begin(), primitive.joints.end());
    key.insert(key.end(), primitive.weights.begin(), primitive.weights.end());
    if (!done.insert(std::move(key)).second) continue;
    const std::string place = fmt::format("/meshes/{}/primitives/{}", *node.mesh, p);
    SIMMER_CHECK(measurePrimitive(primitive, skinned ? *skin : rigid, skinned, place));
    if (m_context.cancelled()) return fail(ErrorCode::Cancelled, "cancelled while the skin was measured");
  }
  return {};
}

Result<void> SkinMeter::measurePrimitive(const Primitive& primitive, const Binding& binding, bool skinned,
                                         const std::string& place) {
  const std::string where = place + "/attributes/POSITION";
  const AccessorReader::Expected expected{.type = "VEC3", .anyIntegers = true, .anyFloats = true, .stride = m_step};
  SIMMER_TRY(accessor, m_accessors.accessor(*primitive.position, expected, where));
  if (primitive.draco && !accessor->view)
    return failAt(ErrorCode::Unsupported, place, "the mesh is under KHR_draco_mesh_compression, which is not read");
  SIMMER_TRY(positions, m_accessors.floats(*primitive.position, expected, where));
  if (skinned) return measureSkinned(primitive, positions, binding, place);
  for (std::size_t v = 0; v < positions.size(); v += 3) {
    const Vector3 point = apply(binding.maps[0], &positions[v]);
    if (add(point)) reach(binding.joints[0], point);
  }
  return {};
}

Result<void> SkinMeter::measureSkinned(const Primitive& primitive, const std::vector<float>& positions,
                                       const Binding& binding, const std::string& place) {
  const std::size_t sets = std::min(primitive.joints.size(), primitive.weights.size());
  std::vector<std::vector<std::uint32_t>> joints(sets);
  std::vector<std::vector<float>> weights(sets);
  for (std::size_t set = 0; set < sets; ++set) {
    const std::string where = fmt::format("{}/attributes/JOINTS_{}", place, set);
    SIMMER_TRY(indices, m_accessors.integers(primitive.joints[set],
                                             {.type = "VEC4", .integers = true, .stride = m_step}, where));
    SIMMER_TRY(shares, m_accessors.floats(primitive.weights[set],
                                          {.type = "VEC4", .normalised = true, .anyFloats = true, .stride = m_step},
                                          fmt::format("{}/attributes/WEIGHTS_{}", place, set)));
    if (indices.size() / 4 != positions.size() / 3 || shares.size() != indices.size())
      return failAt(ErrorCode::InvalidInput, where, "{} joints and {} weights for {} vertices", indices.size() / 4,
                    shares.size() / 4, positions.size() / 3);
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (indices[i] >= binding.maps.size() && !(shares[i] <= 0))
        return failAt(ErrorCode::InvalidInput, where, "vertex {} names joint {}, the skin has {}", i / 4 * m_step,
                      indices[i], binding.maps.size());
    joints[set] = std::move(indices);
    weights[set] = std::move(shares);
  }
  for (std::size_t v = 0; v < positions.size() / 3; ++v) {
    Vector3 point{0, 0, 0};
    double sum = 0;
    for (std::size_t i = 0; i < 4 * sets; ++i) {
      const double weight = weights[i / 4][4 * v + i % 4];
      if (weight <= 0) continue;  // NaN goes on, and takes the vertex nowhere
      const Vector3 part = apply(binding.maps[joints[i / 4][4 * v + i % 4]], &positions[3 * v]);
      for (std::size_t axis = 0; axis < 3; ++axis) point[axis] += weight * part[axis];
      sum += weight;
    }
    if (sum == 0) continue;
    for (double& axis : point) axis /= sum;
    if (!add(point)) continue;
    for (std::size_t i = 0; i < 4 * sets; ++i)
      if (weights[i / 4][4 * v + i % 4] > kLeastWeight * sum)
        reach(binding.joints[joints[i / 4][4 * v + i % 4]], point);
  }
  return {};
}

Result<void> SkinMeter::measure() {
  findWorld();
  m_squaredReach.assign(m_rig.skeleton.size(), 0);
  SIMMER_CHECK(countVertices());
  for (std::size_t i = 0; i < m_document.nodes.size(); ++i)
    if (m_document.nodes[i].mesh) SIMMER_CHECK(measureNode(i));
  if (m_high < m_low) return {};
  if (!std::isfinite(m_high - m_low)) return fail(ErrorCode::InvalidInput, "a vertex of the rest pose is not finite");
  for (const double squared : m_squaredReach)
    if (!(std::sqrt(squared) < std::numeric_limits<float>::max()))
      return fail(ErrorCode::InvalidInput, "a vertex of the rest pose is not finite");
  return {};
}

std::vector<std::string> SkinMeter::store() {
  std::vector<std::string> notes;
  if (m_lost > 0) notes.push_back(fmt::format("{} vertices are not finite and left out of the skin", m_lost));
  if (m_high < m_low) return notes;
  Skeleton& skeleton = m_rig.skeleton;
  const double jointHeight = measuredHeight(skeleton);
  if (skeleton.size() < kRigJoints || m_high - m_low <= kMostTimesTaller * jointHeight) {
    skeleton.skinHeightM = m_high - m_low;
  } else {
    notes.push_back(
        fmt::format("the skin is {:.3g} m tall in the rest pose, the joints {:.3g} m: parts of it stand "
                    "elsewhere before a clip plays, so the height is that of the joints",
                    m_high - m_low, jointHeight));
  }
  const double height = measuredHeight(skeleton);
  const double shell = kShellRadiusM * (height > 0 ? height : kPersonHeightM) / kPersonHeightM;
  skeleton.skinRadiusM.resize(skeleton.size());
  for (std::size_t j = 0; j < skeleton.size(); ++j)
    skeleton.skinRadiusM[j] = static_cast<float>(m_squaredReach[j] > 0 ? std::sqrt(m_squaredReach[j]) : shell);
  return notes;
}

}  // namespace

Result<std::vector<std::string>> measureSkin(const Document& document, AccessorReader& accessors, Context& context,
                                             Rig& rig) {
  SkinMeter meter(document, accessors, context, rig);
  const Result<void> measured = meter.measure();
  if (measured) return meter.store();
  if (measured.error().code == ErrorCode::Cancelled) return tl::unexpected(measured.error());
  return std::vector<std::string>{
      fmt::format("{}; the skin is left out and every joint gets the same small shell", measured.error().text())};
}

}  // namespace simmer::animation::gltf
