#include "plugins/animation/import/gltf_uri.h"

#include <array>
#include <vector>

namespace simmer::animation::gltf {
namespace {

constexpr std::size_t kQuotedCharacters = 60;
constexpr std::int8_t kNoDigit = -1;

constexpr std::array<std::int8_t, 256> base64Digits() {
  std::array<std::int8_t, 256> digits{};
  for (auto& digit : digits) digit = kNoDigit;
  for (int i = 0; i < 26; ++i) {
    digits[static_cast<std::size_t>('A' + i)] = static_cast<std::int8_t>(i);
    digits[static_cast<std::size_t>('a' + i)] = static_cast<std::int8_t>(26 + i);
  }
  for (int i = 0; i < 10; ++i) digits[static_cast<std::size_t>('0' + i)] = static_cast<std::int8_t>(52 + i);
  digits['+'] = digits['-'] = 62;  // '-' and '_' as in the URL alphabet
  digits['/'] = digits['_'] = 63;
  return digits;
}
constexpr auto kDigits = base64Digits();

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// A '%' that no two hexadecimal digits follow stands for itself: not every exporter encodes its names.
std::string percentDecoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '%' && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 && hexDigit(text[i + 2]) >= 0;
    decoded += escape ? static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2])) : text[i];
    if (escape) i += 2;
  }
  return decoded;
}

/// RFC 3986: a letter, then letters, digits, '+', '-' and '.', then ':'.
std::string_view schemeOf(std::string_view uri) {
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (uri.empty() || !isLetter(uri[0])) return {};
  for (std::size_t i = 1; i < uri.size(); ++i) {
    if (uri[i] == ':') return uri.substr(0, i);
    if (!isLetter(uri[i]) && !(uri[i] >= '0' && uri[i] <= '9') && uri[i] != '+' && uri[i] != '-' && uri[i] != '.')
      break;
  }
  return {};
}

std::string withoutDots(std::string_view path) {
  std::vector<std::string_view> folders;
  while (!path.empty()) {
    const std::size_t end = path.find('/');
    const std::string_view folder = path.substr(0, end);
    path = end == std::string_view::npos ? std::string_view() : path.substr(end + 1);
    if (folder.empty() || folder == ".") continue;
    if (folder == ".." && !folders.empty() && folders.back() != "..") {
      folders.pop_back();
    } else {
      folders.push_back(folder);
    }
  }
  std::string joined;
  for (const std::string_view folder : folders) {
    if (!joined.empty()) joined += '/';
    joined += folder;
  }
  return joined;
}

}  // namespace

std::string shortUri(std::string_view uri) {
  std::string text;
  for (const char c : uri.substr(0, kQuotedCharacters)) text += c >= ' ' && c <= '~' ? c : '?';
  return uri.size() > kQuotedCharacters ? text + "…" : text;
}

bool isDataUri(std::string_view uri) {
  return uri.starts_with("data:");
}

Result<Bytes> decodeDataUri(std::string_view uri) {
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos)
    return fail(ErrorCode::InvalidInput, "the data URI '{}' has no comma before its data", shortUri(uri));
  if (!uri.substr(0, comma).ends_with(";base64"))
    return fail(ErrorCode::Unsupported, "the data URI '{}' is not in base64", shortUri(uri.substr(0, comma)));
  std::string_view text = uri.substr(comma + 1);
  while (text.ends_with('=')) text.remove_suffix(1);
  Bytes bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::int8_t digit = kDigits[static_cast<unsigned char>(text[i])];
    if (digit == kNoDigit)
      return fail(ErrorCode::InvalidInput, "character {} of the data is '{}', expected base64", i + 1,
                  shortUri(text.substr(i, 1)));
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if (++count % 4 == 0) {
      bytes.push_back(static_cast<std::uint8_t>(bits >> 16));
      bytes.push_back(static_cast<std::uint8_t>(bits >> 8));
      bytes.push_back(static_cast<std::uint8_t>(bits));
      bits = 0;
    }
  }
  if (count % 4 == 1) return fail(ErrorCode::InvalidInput, "the base64 data end in the middle of a byte");
  if (count % 4 >= 2) bytes.push_back(static_cast<std::uint8_t>(bits >> (count % 4 == 2 ? 4 : 10)));
  if (count % 4 == 3) bytes.push_back(static_cast<std::uint8_t>(bits >> 2));
  return bytes;
}

Result<std::string> relativePath(std::string_view uri) {
  if (const std::string_view scheme = schemeOf(uri); !scheme.empty())
    return fail(ErrorCode::Unsupported, "'{}' has the scheme '{}', expected a path beside the file", shortUri(uri),
                scheme);
  std::string path = percentDecoded(uri);
  for (char& c : path)
    if (c == '\\') c = '/';
  if (path.find('\0') != std::string::npos)
    return fail(ErrorCode::InvalidInput, "'{}' holds a zero byte, expected a path beside the file", shortUri(uri));
  if (path.starts_with('/') || !schemeOf(path).empty())
    return fail(ErrorCode::InvalidInput, "'{}' is an absolute path, expected one beside the file", shortUri(uri));
  path = withoutDots(path);
  if (path.empty()) return fail(ErrorCode::InvalidInput, "'{}' names no file", shortUri(uri));
  return path;
}

}  // namespace simmer::animation::gltf
