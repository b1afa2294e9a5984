#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cooker/base/result.h"

namespace simmer {

/// A pattern for paths inside a tree, whose folders are separated by '/'.
///
/// `*` any run of characters but '/' · `?` one character but '/' · `**` any number of folders (also none) ·
/// `[a-z]`, `[!a-z]` one of a set · `{a,b}` either · `\x` the character x itself. A pattern without '/' matches the
/// file name in any folder; one with '/' matches the whole path. Compared byte by byte, but `?` and sets take one
/// UTF-8 character. Case counts, unless the glob was made to ignore it (ASCII letters only).
class Glob {
 public:
  enum class Case { Sensitive, Insensitive };

  /// InvalidInput, with the place in the pattern, when it is empty or a bracket or brace is not closed.
  static Result<Glob> parse(std::string_view pattern, Case sensitivity = Case::Sensitive);

  bool matches(std::string_view path) const;
  /// The pattern as it was written.
  const std::string& pattern() const { return m_pattern; }

 private:
  /// A pattern without braces, and what can be seen of it at a glance.
  struct Alternative {
    /// Literal: no token but characters. Star: ASCII characters, one `*`, characters, no '/'. Folder: "literal/**".
    enum class Form { Literal, Star, Folder, Other };

    explicit Alternative(std::string pattern);
    bool matches(std::string_view path, bool ignoreCase) const;

    std::string text;
    Form form = Form::Other;
    bool wholePath = false;  // holds a '/'
    std::size_t prefix = 0;  // bytes at the start and at the end that a path has to have, all ASCII
    std::size_t suffix = 0;
  };

  std::string m_pattern;
  std::vector<Alternative> m_alternatives;
  Case m_case = Case::Sensitive;
};

}  // namespace simmer
