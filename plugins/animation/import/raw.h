#pragma once

#include "plugins/animation/import/importer.h"

namespace simmer::animation {

// The article's layout: a 16-byte header, then 10 float32 for each bone of its 30-bone rig and frame. As readContents()
// and readClip().
Result<SourceContents> readRawContents(SourceReader& reader, const ImportOptions& options, Context& context);
Result<Clip> readRawClip(SourceReader& reader, std::string_view id, const ImportOptions& options, Context& context);

}  // namespace simmer::animation
