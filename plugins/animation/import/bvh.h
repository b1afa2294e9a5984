#pragma once

#include "plugins/animation/import/importer.h"

namespace simmer::animation {

// Biovision hierarchy files. As readContents() and readClip().
Result<SourceContents> readBvhContents(SourceReader& reader, const ImportOptions& options, Context& context);
Result<Clip> readBvhClip(SourceReader& reader, std::string_view id, const ImportOptions& options, Context& context);

}  // namespace simmer::animation
