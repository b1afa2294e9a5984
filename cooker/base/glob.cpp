#include "cooker/base/glob.h"

namespace simmer {
namespace {

constexpr std::size_t kMaxAlternatives = 256;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

/// Bytes of the UTF-8 character at `at`. A byte that starts none counts as one character, so that a name in another
/// encoding never hides the '/' behind it.
std::size_t characterLength(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length > text.size() - at) return 1;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 1;
  return length;
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

/// Follows all ways through a pattern at once, one character of the path after the other: never more work than the
/// path's length times the pattern's.
class Matcher {
 public:
  Matcher(std::string_view pattern, bool ignoreCase)
      : m_pattern(pattern), m_ignoreCase(ignoreCase), m_seen(pattern.size() + 1, 0) {}

  bool matches(std::string_view path) {
    nextStep();
    enter(0);
    for (std::size_t at = 0; at < path.size() && !m_next.empty();) {
      const std::size_t length = characterLength(path, at);
      nextStep();
      for (const std::size_t place : m_now) take(place, path.substr(at, length));
      at += length;
    }
    return std::find(m_next.begin(), m_next.end(), m_pattern.size()) != m_next.end();
  }

 private:
  bool has(std::size_t place, char c) const { return place < m_pattern.size() && m_pattern[place] == c; }
  /// "**" means folders only where a path's part begins; elsewhere its stars are two plain ones.
  bool isFolders(std::size_t place) const {
    return has(place, '*') && has(place + 1, '*') && (place == 0 || m_pattern[place - 1] == '/');
  }

  void nextStep() {
    ++m_step;
    m_now.swap(m_next);
    m_next.clear();
  }

  /// The path may go on at `place` of the pattern, and where stars may stand for nothing behind it.
  void enter(std::size_t place) {
    while (m_seen[place] != m_step) {
      m_seen[place] = m_step;
      m_next.push_back(place);
      if (isFolders(place))
        place += has(place + 2, '/') ? 3 : 2;
      else if (has(place, '*'))
        ++place;
      else
        return;
    }
  }

  /// What one character of the path makes of `place`.
  void take(std::size_t place, std::string_view character) {
    if (place == m_pattern.size()) return;
    const bool slash = character == "/";
    if (isFolders(place)) {
      stay(place);
      // "**/" ends where a folder does; a "**" without it ends anywhere.
      if (slash || !has(place + 2, '/')) enter(has(place + 2, '/') ? place + 3 : place + 2);
    } else if (has(place, '*')) {
      if (!slash) enter(place);
    } else if (has(place, '?')) {
      if (!slash) enter(place + 1);
    } else if (has(place, '[')) {
      const std::size_t end = setEnd(m_pattern, place);
      if (!slash && setHolds(m_pattern.substr(place, end - place), character, m_ignoreCase)) enter(end);
    } else {
      const std::size_t start = place + (has(place, '\\') && place + 1 < m_pattern.size() ? 1 : 0);
      const std::size_t length = characterLength(m_pattern, start);
      if (same(m_pattern.substr(start, length), character)) enter(start + length);
    }
  }

  /// Remains in "**" without its being allowed to stand for nothing again.
  void stay(std::size_t place) {
    if (m_seen[place] == m_step) return;
    m_seen[place] = m_step;
    m_next.push_back(place);
  }

  bool same(std::string_view left, std::string_view right) const {
    if (m_ignoreCase && left.size() == 1 && right.size() == 1) return lower(left[0]) == lower(right[0]);
    return left == right;
  }

  std::string_view m_pattern;
  bool m_ignoreCase;
  std::vector<std::size_t> m_seen;  // in which step a place was entered last
  std::vector<std::size_t> m_now, m_next;
  std::size_t m_step = 0;
};

/// Where the next token begins: an escaped character and a set are one, so that a brace in them is none.
std::size_t behindToken(std::string_view pattern, std::size_t at) {
  if (pattern[at] == '\\') return at + 2;
  return pattern[at] == '[' ? std::min(setEnd(pattern, at), pattern.size()) : at + 1;
}

/// The patterns that `{a,b}` stands for. Braces may be nested.
Result<void> expand(std::string_view pattern, std::vector<std::string>& out) {
  std::size_t open = 0;
  while (open < pattern.size() && pattern[open] != '{') open = behindToken(pattern, open);
  if (open >= pattern.size()) {
    if (out.size() == kMaxAlternatives)
      return fail(ErrorCode::InvalidInput, "braces stand for more than {} patterns", kMaxAlternatives);
    out.emplace_back(pattern);
    return {};
  }
  std::vector<std::string_view> choices;
  int depth = 0;
  std::size_t start = open + 1, at = open;
  for (; at < pattern.size(); at = behindToken(pattern, at)) {
    const char c = pattern[at];
    if (c == '{') {
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

bool isSpecial(char c) {
  return c == '*' || c == '?' || c == '[' || c == '\\';
}

bool sameText(std::string_view left, std::string_view right, bool ignoreCase) {
  if (left.size() != right.size()) return false;
  if (!ignoreCase) return left == right;
  return std::equal(left.begin(), left.end(), right.begin(), [](char a, char b) { return lower(a) == lower(b); });
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
  std::vector<std::string> plain;
  SIMMER_CHECK(expand(pattern, plain));
  for (std::string& alternative : plain) glob.m_alternatives.emplace_back(std::move(alternative));
  return glob;
}

// A tree of thousands of files is held against each pattern: most answers are at the ends of the path.
Glob::Alternative::Alternative(std::string pattern) : text(std::move(pattern)) {
  wholePath = text.find('/') != std::string::npos;
  const auto isPlain = [](char c) { return static_cast<unsigned char>(c) < 0x80 && !isSpecial(c); };
  while (prefix < text.size() && isPlain(text[prefix])) ++prefix;
  if (prefix == text.size()) {
    form = Form::Literal;
    return;
  }
  if (text.find_first_of("[\\") != std::string::npos) return;  // what looks plain may be part of a set
  // Not across a '/': "**/x" is also for "x".
  while (isPlain(text[text.size() - suffix - 1]) && text[text.size() - suffix - 1] != '/') ++suffix;
  const std::size_t rest = text.size() - prefix - suffix;
  if (rest == 1 && text[prefix] == '*' && !wholePath) form = Form::Star;
  if (rest == 2 && suffix == 0 && prefix > 0 && text[prefix - 1] == '/' && text.ends_with("**")) form = Form::Folder;
}

bool Glob::Alternative::matches(std::string_view path, bool ignoreCase) const {
  const std::string_view pattern = text;
  if (form == Form::Literal) return sameText(pattern, path, ignoreCase);
  if (path.size() < prefix + suffix) return false;
  if (!sameText(pattern.substr(0, prefix), path.substr(0, prefix), ignoreCase)) return false;
  if (!sameText(pattern.substr(pattern.size() - suffix), path.substr(path.size() - suffix), ignoreCase)) return false;
  return form != Form::Other || Matcher(pattern, ignoreCase).matches(path);
}

bool Glob::matches(std::string_view path) const {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return std::any_of(m_alternatives.begin(), m_alternatives.end(), [&](const Alternative& alternative) {
    return alternative.matches(alternative.wholePath ? path : name, m_case == Case::Insensitive);
  });
}

}  // namespace simmer
