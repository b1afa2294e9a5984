#include "cooker/scan/names.h"

#include <cstdint>

#include <fmt/format.h>
#include <sys/stat.h>

namespace simmer {
namespace {

/// Bytes of the well-formed UTF-8 character at the start of `text`; 0 when there is none (RFC 3629, section 4).
std::size_t characterBytes(std::string_view text) {
  const auto at = [&](std::size_t i) -> std::uint8_t {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0;
  };
  const auto follows = [&](std::size_t i) { return (at(i) & 0xC0) == 0x80; };
  const std::uint8_t first = at(0), second = at(1);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (first < 0xC2 || first > 0xF4 || !follows(1)) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) {
    const bool overlong = first == 0xE0 && second < 0xA0, surrogate = first == 0xED && second > 0x9F;
    return overlong || surrogate || !follows(2) ? 0 : 3;
  }
  const bool overlong = first == 0xF0 && second < 0x90, tooLarge = first == 0xF4 && second > 0x8F;
  return overlong || tooLarge || !follows(2) || !follows(3) ? 0 : 4;
}

/// Nanoseconds since 1970. Some file systems keep any 64-bit time: one beyond the year 2262 wraps, and is still the
/// same number for the same time.
std::int64_t nanoseconds(const timespec& time) {
  const std::uint64_t wrapped =
      static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
  return static_cast<std::int64_t>(wrapped);
}

}  // namespace

FileStamp stampFrom(const struct stat& info) {
  return {static_cast<std::uint64_t>(info.st_size), nanoseconds(info.st_mtim), nanoseconds(info.st_ctim),
          static_cast<std::uint64_t>(info.st_ino)};
}

bool isUtf8(std::string_view name) {
  while (!name.empty()) {
    const std::size_t count = characterBytes(name);
    if (count == 0) return false;
    name.remove_prefix(count);
  }
  return true;
}

std::string escapedName(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    const std::size_t count = characterBytes(name);
    if (count == 0)
      text += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(name[0]));
    else
      text += name.substr(0, count);
    name.remove_prefix(count == 0 ? 1 : count);
  }
  return text;
}

}  // namespace simmer
