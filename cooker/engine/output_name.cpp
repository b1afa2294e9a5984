#include "cooker/engine/output_name.h"

#include <fmt/format.h>

#include "cooker/base/digest.h"

namespace simmer {
namespace {

constexpr std::size_t kMaxNamePart = 120;
constexpr std::size_t kMaxFileName = 255;  // of every common file system

bool isPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-' || c == ' ';
}

/// `text` cut to `length` bytes, the end replaced by a digest of all of it.
std::string shortened(std::string_view text, std::size_t length) {
  const std::string end = "~" + sha256(text).hex().substr(0, 16);
  return std::string(text.substr(0, length - end.size())) + end;
}

}  // namespace

std::string escapedNamePart(std::string_view name) {
  std::string escaped;
  for (const char c : name) {
    if (isPlain(c)) {
      escaped += c;
    } else {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return escaped.size() <= kMaxNamePart ? escaped : shortened(escaped, kMaxNamePart);
}

std::string outputPath(std::string_view sourcePath, std::string_view item, bool named, std::string_view suffix) {
  const std::size_t slash = sourcePath.rfind('/');
  const std::size_t nameAt = slash == std::string_view::npos ? 0 : slash + 1;
  const std::string end = (named ? "." + escapedNamePart(item) : "") + "." + std::string(suffix);
  std::string fileName(sourcePath.substr(nameAt));
  if (fileName.size() + end.size() > kMaxFileName) fileName = shortened(fileName, kMaxFileName - end.size());
  return std::string(sourcePath.substr(0, nameAt)) + fileName + end;
}

}  // namespace simmer
