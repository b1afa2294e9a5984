#pragma once

#include "plugins/animation/import/gltf_accessor.h"
#include "plugins/animation/import/gltf_skeleton.h"

namespace simmer::animation::gltf {

/// Gives the skeleton its skin radii and its skin height, from the meshes in the rest pose of the nodes.
///
/// A vertex counts for every joint that has more than a tenth of it: less moves it too little to matter, and smeared
/// weights would otherwise stretch a finger's radius over the whole body. A mesh without a skin counts for the nearest
/// joint at or above its node; one that stands below no joint (scenery) for none. Joints without any skin, such as the
/// sockets that weapons hang on, keep the shell of a source without meshes, since what hangs there must not swing
/// freely. Of more than a million vertices every n-th is taken.
///
/// A skin over five times as tall as a rig of eight or more joints has parts that the rest pose puts somewhere else;
/// the height is then that of the joints. Vertices that are not finite are left out.
///
/// A mesh that can not be read leaves all joints with the shell; the clips stay readable. Each of these gives a
/// sentence. Cancelled is the only error.
Result<std::vector<std::string>> measureSkin(const Document& document, AccessorReader& accessors, Context& context,
                                             Rig& rig);

}  // namespace simmer::animation::gltf
