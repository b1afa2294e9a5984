#include "cooker/engine/tree_reader.h"

#include "cooker/base/file.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

/// Whether a link somewhere on the way leads out of the tree.
bool leavesTree(const fs::path& root, const fs::path& file) {
  std::error_code error;
  const fs::path realRoot = fs::canonical(root, error);
  if (error) return false;
  const fs::path realFile = fs::weakly_canonical(file, error);
  if (error) return false;
  const auto [rootEnd, fileEnd] = std::mismatch(realRoot.begin(), realRoot.end(), realFile.begin(), realFile.end());
  return rootEnd != realRoot.end();
}

}  // namespace

Result<std::string> joinInsideTree(std::string_view folder, std::string_view relative) {
  if (relative.empty() || relative.find('\0') != std::string_view::npos || relative.front() == '/')
    return fail(ErrorCode::InvalidInput, "'{}' is no path next to the source", relative);
  const std::string joined = (fs::path(folder) / relative).lexically_normal().generic_string();
  if (joined == ".." || joined.starts_with("../"))
    return fail(ErrorCode::InvalidInput, "'{}' leaves the source tree", relative);
  return joined;
}

TreeReader::TreeReader(fs::path root, std::string_view sourcePath) : m_root(std::move(root)) {
  const std::size_t slash = sourcePath.rfind('/');
  const std::size_t nameAt = slash == std::string_view::npos ? 0 : slash + 1;
  m_folder = sourcePath.substr(0, nameAt);
  m_name = sourcePath.substr(nameAt);
}

Result<Bytes> TreeReader::read(std::string_view pathNextToSource) {
  // The source's own name is taken as it is: the scan found it, so it is inside.
  if (pathNextToSource == m_name) return readInside(m_folder + m_name);
  SIMMER_TRY(path, joinInsideTree(m_folder, pathNextToSource));
  if (leavesTree(m_root, m_root / path))
    return fail(ErrorCode::InvalidInput, "'{}' is a link that leaves the source tree", pathNextToSource);
  return readInside(path);
}

Result<Bytes> TreeReader::readInside(const std::string& treePath) {
  auto bytes = readFile(m_root / treePath);
  if (bytes) {
    m_dependencies[treePath] = sha256(*bytes);
  } else if (bytes.error().code == ErrorCode::NotFound) {
    m_dependencies[treePath] = std::nullopt;
    return fail(ErrorCode::NotFound, "'{}' is not there", treePath);
  }
  return bytes;
}

std::vector<Dependency> TreeReader::dependencies() const {
  std::vector<Dependency> all;
  for (const auto& [path, digest] : m_dependencies) all.push_back({path, digest});
  return all;
}

}  // namespace simmer
