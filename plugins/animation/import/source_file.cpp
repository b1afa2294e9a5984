#include "plugins/animation/import/source_file.h"

#include <array>

namespace simmer::animation {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kLfsStart = "version https://git-lfs.github.com/spec/";
constexpr std::size_t kQuotedLength = 40;

struct Magic {
  std::string_view start;
  std::string_view kind;
};
constexpr std::array kMagics{
    Magic{"\x89PNG"sv, "a PNG image"},      Magic{"\xFF\xFE"sv, "UTF-16 text"},
    Magic{"\xFE\xFF"sv, "UTF-16 text"},     Magic{"H\0"sv, "UTF-16 text"},
    Magic{"\0H"sv, "UTF-16 text"},          Magic{"\xFF\xD8\xFF"sv, "a JPEG image"},
    Magic{"glTF"sv, "a binary glTF file"},  Magic{"Kaydara FBX Binary"sv, "a binary FBX file"},
    Magic{"PK\x03\x04"sv, "a ZIP archive"}, Magic{"\x1F\x8B"sv, "gzip data"},
    Magic{"RIFF"sv, "a RIFF file"},         Magic{"{"sv, "JSON text"},
    Magic{"<"sv, "XML or HTML text"},
};

/// Bytes of the UTF-8 character that starts here; 0 when none does.
std::size_t utf8Length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool outside = (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF4 && byte(1) > 0x8F);
  return overlong || outside ? 0 : length;
}

}  // namespace

Result<Bytes> CheckedReader::read(std::string_view pathNextToSource) {
  auto bytes = m_reader.read(pathNextToSource);
  if (!bytes) return bytes;
  const bool isSource = pathNextToSource == m_reader.sourceName();
  const std::string where = isSource ? std::string() : std::string(pathNextToSource);
  if (asText(*bytes).starts_with(kLfsStart))
    return failAt(ErrorCode::InvalidInput, where, "this is a Git LFS pointer, not the file itself: run git lfs pull");
  if (isSource && bytes->empty()) return fail(ErrorCode::InvalidInput, "the file is empty");
  return bytes;
}

std::string_view knownKind(ByteView bytes) {
  for (const Magic& magic : kMagics)
    if (asText(bytes).starts_with(magic.start)) return magic.kind;
  return {};
}

std::string toUtf8(std::string_view name) {
  bool valid = true;
  for (std::size_t at = 0; at < name.size() && valid;) {
    const std::size_t length = utf8Length(name.substr(at));
    valid = length > 0;
    at += length;
  }
  if (valid) return std::string(name);
  std::string converted;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      converted += c;
    } else {
      converted += static_cast<char>(0xC0 | byte >> 6);
      converted += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return converted;
}

std::string inQuotes(std::string_view word) {
  std::string text = "'";
  for (const char c : word.substr(0, kQuotedLength)) text += c >= 0x20 && c < 0x7F ? c : '?';
  return text + (word.size() > kQuotedLength ? "…'" : "'");
}

}  // namespace simmer::animation
