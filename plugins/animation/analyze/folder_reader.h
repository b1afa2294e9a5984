#pragma once

#include <filesystem>
#include <string>

#include "cooker/plugin/plugin_api.h"

namespace simmer::animation {

/// Reads a file and what stands in its folder or below, for a command outside a project.
class FolderReader : public SourceReader {
 public:
  explicit FolderReader(const std::filesystem::path& file);

  std::string_view sourceName() const override { return m_name; }
  /// InvalidInput for a path that leaves the folder, through symbolic links too.
  Result<Bytes> read(std::string_view pathNextToSource) override;

 private:
  std::filesystem::path m_folder;
  std::string m_name;
};

}  // namespace simmer::animation
