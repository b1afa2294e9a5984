#pragma once

#include "plugins/animation/import/importer.h"

namespace simmer::animation {

// glTF 2.0 as JSON (.gltf) and binary (.glb). As readContents() and readClip().
Result<SourceContents> readGltfContents(SourceReader& reader, const ImportOptions& options, Context& context);
Result<Clip> readGltfClip(SourceReader& reader, std::string_view id, const ImportOptions& options, Context& context);

}  // namespace simmer::animation
