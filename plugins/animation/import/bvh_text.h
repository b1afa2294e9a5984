#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cooker/base/result.h"

namespace simmer::animation::bvh {

inline bool isNewline(char c) {
  return c == '\n' || c == '\r';
}
inline bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\f' || c == '\v' || isNewline(c);
}

/// Walks over the words of a BVH file and counts its lines, which end in LF, CR LF or CR. Owns nothing.
class Text {
 public:
  explicit Text(std::string_view text) : m_text(text) {}

  /// The next word, which ends at white space or a brace; a brace is a word of its own. Empty at the end of the text.
  std::string_view word();
  /// The next word, without passing it.
  std::string_view peek();
  /// A joint's name: the rest of a line up to a '{', without the white space around it. Looks for it on following
  /// lines too; empty where a '{' comes first.
  std::string_view name();
  /// As name(), but only on this line.
  std::string_view restOfLine();
  /// Passes `keyword` and an optional ':' behind it; false (and nothing passed) when something else stands there.
  bool keyword(std::string_view keyword);
  /// Passes white space.
  void skipSpace();

  /// "line 12", of the word that was read last.
  std::string where() const;
  std::size_t line() const { return m_line; }
  /// The text that is not read yet.
  std::string_view rest() const { return m_text.substr(m_at); }

 private:
  std::string_view m_text;
  std::size_t m_at = 0;
  std::size_t m_line = 1;
};

/// Whether the words are the same but for the case of ASCII letters.
bool sameWord(std::string_view a, std::string_view b);

/// The finite number that all of `word` spells, with a '.' whatever the locale. An error's message calls it `what`;
/// its place is left empty.
Result<double> toNumber(std::string_view word, std::string_view what);

}  // namespace simmer::animation::bvh
