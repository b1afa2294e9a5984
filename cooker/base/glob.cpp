#include "cooker/base/glob.h"

namespace simmer {
namespace {

constexpr std::size_t kMaxAlternatives = 256;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

/// Bytes of the UTF-8 character at `at`; a stray byte counts as one character.
std::size_t characterLength(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  return std::min(length, text.size() - at);
}

/// The index behind the ']' of the set that opens at `open`, or npos.
std::size_t setEnd(std::string_view pattern, std::size_t open) {
  std::size_t at = open + 1;
  if (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^')) ++at;
  if (at < pattern.size() && pattern[at] == ']') ++at;
  while (at < pattern.size() && pattern[at] != ']') ++at;
  return at < pattern.size() ? at + 1 : std::string_view::npos;
}

/// Whether the set `[...]` (whole, with brackets) holds `character`.
bool setHolds(std::string_view set, std::string_view character, bool ignoreCase) {
  std::string_view body = set.substr(1, set.size() - 2);
  const bool negated = !body.empty() && (body[0] == '!' || body[0] == '^');
  if (negated) body.remove_prefix(1);
  const auto folded = [&](std::string_view c) {
    std::string text(c);
    if (ignoreCase && text.size() == 1) text[0] = lower(text[0]);
    return text;
  };
  const std::string wanted = folded(character);
  bool found = false;
  for (std::size_t at = 0; at < body.size() && !found;) {
    const std::size_t length = characterLength(body, at);
    const std::string low = folded(body.substr(at, length));
    at += length;
    if (at + 1 < body.size() && body[at] == '-') {
      const std::size_t highLength = characterLength(body, at + 1);
      const std::string high = folded(body.substr(at + 1, highLength));
      at += 1 + highLength;
      // UTF-8 sorts as code points do, when shorter characters come first.
      const auto key = [](const std::string& s) { return std::pair(s.size(), s); };
      found = key(low) <= key(wanted) && key(wanted) <= key(high);
    } else {
      found = low == wanted;
    }
  }
  return found != negated;
}

/// One token of a pattern that stands for one character, matched against the path at `at`.
/// Gives how many bytes of each it took; {0, 0} when they differ.
std::pair<std::size_t, std::size_t> matchOne(std::string_view pattern, std::size_t p, std::string_view path,
                                             std::size_t at, bool ignoreCase) {
  if (at >= path.size() || p >= pattern.size()) return {0, 0};
  const char c = pattern[p];
  if (c == '?')
    return path[at] == '/' ? std::pair<std::size_t, std::size_t>{0, 0}
                           : std::pair<std::size_t, std::size_t>{1, characterLength(path, at)};
  if (c == '[') {
    const std::size_t end = setEnd(pattern, p);
    const std::size_t length = characterLength(path, at);
    if (path[at] == '/' || !setHolds(pattern.substr(p, end - p), path.substr(at, length), ignoreCase)) return {0, 0};
    return {end - p, length};
  }
  const std::size_t escape = c == '\\' && p + 1 < pattern.size() ? 1 : 0;
  const char wanted = pattern[p + escape];
  const bool same = ignoreCase ? lower(wanted) == lower(path[at]) : wanted == path[at];
  if (!same) return {0, 0};
  return {1 + escape, 1};
}

/// Iterative matching with one place to come back to for `*` and one for `**`: never exponential.
bool matchesPattern(std::string_view pattern, std::string_view path, bool ignoreCase) {
  constexpr auto none = std::string_view::npos;
  std::size_t p = 0, at = 0;
  std::size_t starPattern = none, starPath = 0, foldersPattern = none, foldersPath = 0;
  while (true) {
    if (p == pattern.size() && at == path.size()) return true;
    if (pattern.substr(p, 2) == "**") {
      p += 2;
      const bool wholeFolders = p < pattern.size() && pattern[p] == '/';
      if (wholeFolders) ++p;  // "**/" also stands for no folder at all
      foldersPattern = p;
      foldersPath = at;
      starPattern = none;
      continue;
    }
    if (p < pattern.size() && pattern[p] == '*') {
      starPattern = ++p;
      starPath = at;
      continue;
    }
    if (const auto [patternBytes, pathBytes] = matchOne(pattern, p, path, at, ignoreCase); pathBytes > 0) {
      p += patternBytes;
      at += pathBytes;
      continue;
    }
    if (starPattern != none && starPath < path.size() && path[starPath] != '/') {
      p = starPattern;
      at = ++starPath;
      continue;
    }
    if (foldersPattern == none || foldersPath >= path.size()) return false;
    // A pattern that ends in "**" takes any rest; one that goes on starts at the next folder.
    const bool toFolder = foldersPattern > 2 && pattern[foldersPattern - 1] == '/';
    if (toFolder) {
      const std::size_t slash = path.find('/', foldersPath);
      if (slash == none) return false;
      foldersPath = slash + 1;
    } else {
      ++foldersPath;
    }
    starPattern = none;
    p = foldersPattern;
    at = foldersPath;
  }
}

/// The patterns that `{a,b}` stands for. Braces may be nested.
Result<void> expand(std::string_view pattern, std::vector<std::string>& out) {
  std::size_t open = 0;
  while (open < pattern.size() && pattern[open] != '{') open += pattern[open] == '\\' ? 2 : 1;
  if (open >= pattern.size()) {
    if (out.size() == kMaxAlternatives)
      return fail(ErrorCode::InvalidInput, "braces stand for more than {} patterns", kMaxAlternatives);
    out.emplace_back(pattern);
    return {};
  }
  std::vector<std::string_view> choices;
  int depth = 0;
  std::size_t start = open + 1, at = open;
  for (; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if (c == '\\') {
      ++at;
    } else if (c == '{') {
      ++depth;
    } else if ((c == ',' && depth == 1) || c == '}') {
      if (c == '}' && --depth > 0) continue;
      choices.push_back(pattern.substr(start, at - start));
      start = at + 1;
      if (c == '}') break;
    }
  }
  if (depth > 0) return failAt(ErrorCode::InvalidInput, fmt::format("character {}", open + 1), "'{{' is not closed");
  for (const std::string_view choice : choices)
    SIMMER_CHECK(expand(fmt::format("{}{}{}", pattern.substr(0, open), choice, pattern.substr(at + 1)), out));
  return {};
}

Result<void> checkSets(std::string_view pattern) {
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] == '\\') {
      ++at;
    } else if (pattern[at] == '[') {
      const std::size_t end = setEnd(pattern, at);
      if (end == std::string_view::npos)
        return failAt(ErrorCode::InvalidInput, fmt::format("character {}", at + 1), "'[' is not closed");
      at = end - 1;
    }
  }
  return {};
}

}  // namespace

Result<Glob> Glob::parse(std::string_view pattern, Case sensitivity) {
  if (pattern.empty()) return fail(ErrorCode::InvalidInput, "the pattern is empty");
  if (pattern.size() > 4096)
    return fail(ErrorCode::InvalidInput, "the pattern has {} bytes, at most 4096", pattern.size());
  SIMMER_CHECK(checkSets(pattern));
  Glob glob;
  glob.m_pattern = pattern;
  glob.m_case = sensitivity;
  SIMMER_CHECK(expand(pattern, glob.m_alternatives));
  return glob;
}

bool Glob::matches(std::string_view path) const {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  for (const std::string& alternative : m_alternatives) {
    const bool wholePath = alternative.find('/') != std::string::npos;
    if (matchesPattern(alternative, wholePath ? path : name, m_case == Case::Insensitive)) return true;
  }
  return false;
}

}  // namespace simmer
