#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "cooker/engine/job.h"

namespace simmer {

/// The source tree as a plugin sees it from one source: reads stay inside the tree, the bytes handed out are hashed,
/// and every read is remembered as a dependency.
class TreeReader : public SourceReader {
 public:
  /// `sourcePath` is inside the tree below `root`, which is absolute.
  TreeReader(std::filesystem::path root, std::string_view sourcePath);

  std::string_view sourceName() const override { return m_name; }
  Result<Bytes> read(std::string_view pathNextToSource) override;

  std::vector<Dependency> dependencies() const;

 private:
  Result<Bytes> readInside(const std::string& treePath);

  std::filesystem::path m_root;
  std::string m_folder;  // of the source, inside the tree; empty or ending in '/'
  std::string m_name;
  std::map<std::string, std::optional<Digest>> m_dependencies;
};

/// `relative` as seen from a folder inside the tree, without "." and ".."; InvalidInput when it leaves the tree, is
/// absolute, empty or holds a NUL.
Result<std::string> joinInsideTree(std::string_view folder, std::string_view relative);

}  // namespace simmer
