#include "plugins/animation/analyze/folder_reader.h"

#include <algorithm>
#include <system_error>

#include "cooker/base/file.h"

namespace simmer::animation {

namespace fs = std::filesystem;

FolderReader::FolderReader(const fs::path& file)
    : m_folder(file.parent_path().empty() ? fs::path(".") : file.parent_path()), m_name(file.filename().string()) {}

Result<Bytes> FolderReader::read(std::string_view path) {
  // The file itself was named by the user and may be a link to anywhere.
  if (path == m_name) return readFile(m_folder / m_name);
  const fs::path relative{std::string(path)};
  const bool climbs = std::ranges::any_of(relative, [](const fs::path& part) { return part == ".."; });
  if (path.empty() || relative.is_absolute() || climbs || path.find('\0') != std::string_view::npos)
    return fail(ErrorCode::InvalidInput, "'{}' leaves the folder of the source", path);
  std::error_code error;
  const fs::path folder = fs::canonical(m_folder, error);
  if (error) return fail(ErrorCode::Io, "the folder of the source cannot be read: {}", error.message());
  const fs::path target = fs::weakly_canonical(m_folder / relative, error);
  if (error) return fail(ErrorCode::NotFound, "'{}' is not there", path);
  const auto [end, unused] = std::mismatch(folder.begin(), folder.end(), target.begin(), target.end());
  if (end != folder.end()) return fail(ErrorCode::InvalidInput, "'{}' leaves the folder of the source", path);
  return readFile(target);
}

}  // namespace simmer::animation
