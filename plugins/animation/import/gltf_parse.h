#pragma once

#include "plugins/animation/import/gltf_document.h"
#include "plugins/animation/import/gltf_json.h"

namespace simmer::animation::gltf {

// The elements of a document that describe objects; parseDocument() reads those that describe data itself.

/// A node; `index` makes its name where it has none. A wrong rotation (length 0) is an error, another is normalised.
Result<Node> parseNode(const Json& value, std::size_t index, const Where& where);
Result<Skin> parseSkin(const Json& value, const Where& where);
Result<Mesh> parseMesh(const Json& value, const Where& where);
Result<Animation> parseAnimation(const Json& value, const Where& where);

}  // namespace simmer::animation::gltf
