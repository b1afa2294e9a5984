#pragma once

#include <string>
#include <string_view>

namespace simmer {

/// A part of an output's name that any file system takes: characters outside letters, digits, '.', '_', '-' and space
/// are written %XX (byte by byte), so that different names stay different. Longer than 120 bytes: cut, with '~' and 16
/// digits of its SHA-256 at the end.
std::string escapedNamePart(std::string_view name);

/// Path of an output inside the output tree: the source's own path, the item's escaped name where it has one, the
/// suffix. "hero/fox.glb", "Run", "clip" ▸ "hero/fox.glb.Run.clip".
std::string outputPath(std::string_view sourcePath, std::string_view item, bool named, std::string_view suffix);

}  // namespace simmer
