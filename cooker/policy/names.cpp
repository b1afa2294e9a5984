#include "cooker/policy/names.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace simmer {
namespace {

constexpr std::size_t kMaxNameBytes = 60;  // longer ones are no name of ours, and would make the distance slow
constexpr std::size_t kMaxNamesShown = 24;

char folded(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c + 32);
  return c == '-' ? '_' : c;
}

/// Edits between two names of at most kMaxNameBytes: insert, remove, replace, or exchange two neighbours.
std::size_t editDistance(std::string_view a, std::string_view b) {
  using Row = std::array<std::size_t, kMaxNameBytes + 1>;
  Row twoBack{}, oneBack{}, row{};
  for (std::size_t j = 0; j <= b.size(); ++j) oneBack[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t differs = folded(a[i - 1]) == folded(b[j - 1]) ? 0 : 1;
      row[j] = std::min({oneBack[j] + 1, row[j - 1] + 1, oneBack[j - 1] + differs});
      const bool exchanged =
          i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]);
      if (exchanged) row[j] = std::min(row[j], twoBack[j - 2] + 1);
    }
    twoBack = oneBack;
    oneBack = row;
  }
  return oneBack[b.size()];
}

}  // namespace

std::string_view nearestName(std::string_view written, const std::vector<std::string_view>& valid) {
  if (written.empty() || written.size() > kMaxNameBytes) return {};
  std::string_view best;
  std::size_t bestDistance = std::max<std::size_t>(1, written.size() / 3) + 1;
  for (const std::string_view name : valid) {
    if (name.size() > kMaxNameBytes) continue;
    const std::size_t distance = editDistance(written, name);
    // A name that shares no letter is not near, however short both are.
    if (distance < bestDistance && distance < std::max(written.size(), name.size())) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

std::string quotedName(std::string_view name) {
  bool cut = name.size() > kMaxNameBytes;
  std::size_t end = std::min(name.size(), kMaxNameBytes);
  // Not within a UTF-8 character.
  while (cut && end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  std::string text = "'";
  for (const char c : name.substr(0, end)) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte < 0x20 || byte == 0x7F)
      text += fmt::format("\\x{:02x}", byte);
    else
      text += c;
  }
  return text + (cut ? "…'" : "'");
}

std::string nameAdvice(std::string_view written, const std::vector<std::string_view>& valid) {
  if (valid.empty()) return {};
  const std::string_view nearest = nearestName(written, valid);
  if (!nearest.empty()) return fmt::format("; did you mean '{}'?", nearest);
  const std::vector<std::string_view> shown(
      valid.begin(), valid.begin() + static_cast<std::ptrdiff_t>(std::min(valid.size(), kMaxNamesShown)));
  return fmt::format("; expected {}{}{}", valid.size() == 1 ? "" : "one of ", fmt::join(shown, ", "),
                     shown.size() < valid.size() ? ", …" : "");
}

}  // namespace simmer
