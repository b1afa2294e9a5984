#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cache/store.h"

namespace simmer {

/// Builds the text that a key is made of: one labelled, length-prefixed line for each value,
/// "label LENGTH:value\n", so that no two lists of values give the same text and a person can read the difference of
/// two.
class KeyText {
 public:
  /// `label` has letters, digits, '.', '_' and '-' only; `value` may be any bytes.
  void add(std::string_view label, std::string_view value);
  void add(std::string_view label, const Digest& digest) { add(label, digest.hex()); }
  const std::string& text() const { return m_text; }
  Key key() const { return sha256(m_text); }

 private:
  std::string m_text;
};

/// The labels and values of a key text, in order. Corrupt when it is none.
Result<std::vector<std::pair<std::string, std::string>>> parseKeyText(std::string_view text);

}  // namespace simmer
