#include "cooker/policy/sidecar_edit.h"

#include <algorithm>
#include <cmath>

#include "cooker/policy/names.h"
#include "cooker/policy/toml_text.h"

namespace simmer {
namespace {

using Path = std::vector<std::string>;

/// Text by lines, where the library's places (line and column, both from 1, columns in characters) can be found.
class Lines {
 public:
  explicit Lines(std::string_view text) : m_text(text) {
    m_starts.push_back(0);
    for (std::size_t at = 0; at < text.size(); ++at)
      if (text[at] == '\n') m_starts.push_back(at + 1);
  }

  std::size_t startOf(std::size_t line) const { return line > m_starts.size() ? m_text.size() : m_starts[line - 1]; }
  std::size_t offsetOf(const toml::source_position& place) const {
    std::size_t at = startOf(place.line);
    for (std::size_t column = 1; column < place.column && at < m_text.size(); ++column) {
      ++at;
      while (at < m_text.size() && (static_cast<unsigned char>(m_text[at]) & 0xC0) == 0x80) ++at;
    }
    return at;
  }
  std::string_view line(std::size_t number) const {
    return m_text.substr(startOf(number), startOf(number + 1) - startOf(number));
  }

 private:
  std::string_view m_text;
  std::vector<std::size_t> m_starts;
};

bool isBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") == std::string_view::npos;
}
bool isComment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line[first] == '#';
}

/// A key as TOML spells it: bare where it may be.
std::string keyText(const std::string& key) {
  constexpr std::string_view kBare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const bool bare = !key.empty() && key.find_first_not_of(kBare) == std::string::npos;
  return bare ? key : tomlText(SettingValue(key));
}

/// The table that the first `count` parts of the path lead to, or null.
const toml::table* tableAt(const toml::table& root, const Path& path, std::size_t count) {
  const toml::table* table = &root;
  for (std::size_t i = 0; i < count && table; ++i) {
    const toml::node* node = table->get(path[i]);
    table = node ? node->as_table() : nullptr;
  }
  return table;
}

/// The text that is put in, and the place, so that one line is added.
struct Insertion {
  std::size_t offset = 0;
  std::string text;
};

class Editor {
 public:
  Editor(std::string_view text, std::string_view file, const Path& path)
      : m_text(text),
        m_path(path),
        m_file(file),
        m_lineEnd(text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n"),
        m_lines(text) {}

  Result<std::string> set(std::string_view value) const {
    SIMMER_TRY(root, parseToml(m_text, m_file));
    const toml::table* const table = tableAt(root, m_path, m_path.size() - 1);
    if (const toml::node* node = table ? table->get(m_path.back()) : nullptr)
      return check(replaced(*node, value), value);
    const Insertion insertion = table && !table->is_inline() ? inTable(*table, value) : newTable(value);
    std::string text(m_text);
    text.insert(insertion.offset, insertion.text);
    return check(std::move(text), value);
  }

  Result<std::string> unset() const {
    SIMMER_TRY(root, parseToml(m_text, m_file));
    const toml::table* const table = tableAt(root, m_path, m_path.size() - 1);
    const toml::node* const node = table ? table->get(m_path.back()) : nullptr;
    if (!node || node->is_table())
      return failAt(ErrorCode::NotFound, std::string(m_file), "'{}' is not set in it", m_path.back());
    const std::size_t first = keyLine(*table), last = node->source().end.line;
    std::string text(m_text);
    text.erase(m_lines.startOf(first), m_lines.startOf(last + 1) - m_lines.startOf(first));
    SIMMER_TRY(checked, check(std::move(text), std::nullopt));
    return table->size() == 1 && m_path.size() > 1 ? withoutHeader(std::move(checked), *table) : std::move(checked);
  }

 private:
  std::string replaced(const toml::node& node, std::string_view value) const {
    std::string text(m_text);
    const std::size_t begin = m_lines.offsetOf(node.source().begin), end = m_lines.offsetOf(node.source().end);
    return text.replace(begin, end - begin, value);
  }

  std::string lineText(std::string_view value) const {
    return fmt::format("{} = {}{}", keyText(m_path.back()), value, m_lineEnd);
  }

  std::size_t keyLine(const toml::table& table) const {
    for (const auto& [key, node] : table)
      if (key.str() == m_path.back()) return key.source().begin.line;
    return 1;
  }

  /// Behind the last value of the table, or behind its header; at the top of the file, in front of the first table.
  Insertion inTable(const toml::table& table, std::string_view value) const {
    std::size_t last = 0;
    for (const auto& [key, node] : table)
      if (!node.is_table()) last = std::max<std::size_t>(last, node.source().end.line);
    if (last == 0 && m_path.size() == 1) return atTop(table, value);
    if (last == 0) last = table.source().begin.line;
    const std::string_view line = m_lines.line(last);
    const std::string indent(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
    return {m_lines.startOf(last + 1), (line.ends_with('\n') ? "" : m_lineEnd) + indent + lineText(value)};
  }

  Insertion atTop(const toml::table& root, std::string_view value) const {
    std::size_t header = 0;
    for (const auto& [key, node] : root) {
      const std::size_t line = key.source().begin.line;
      header = header == 0 ? line : std::min(header, line);
    }
    if (header == 0)
      return {m_text.size(), (m_text.empty() || m_text.ends_with('\n') ? "" : m_lineEnd) + lineText(value)};
    while (header > 1 && isComment(m_lines.line(header - 1))) --header;  // comments above it belong to it
    return {m_lines.startOf(header), lineText(value) + m_lineEnd};
  }

  Insertion newTable(std::string_view value) const {
    std::string header;
    for (std::size_t i = 0; i + 1 < m_path.size(); ++i) header += (i ? "." : "") + keyText(m_path[i]);
    const std::string gap = m_text.empty() ? "" : m_text.ends_with('\n') ? m_lineEnd : m_lineEnd + m_lineEnd;
    return {m_text.size(), fmt::format("{}[{}]{}{}", gap, header, m_lineEnd, lineText(value))};
  }

  /// The header of a table that lost its only value goes too, when no comment would be left without it.
  std::string withoutHeader(std::string text, const toml::table& table) const {
    const std::size_t header = table.source().begin.line;
    const Lines lines(text);
    const std::string_view line = lines.line(header);
    const bool alone = isBlank(lines.line(header + 1)) || lines.line(header + 1).starts_with('[');
    const std::size_t bracket = line.find_first_not_of(" \t");
    if (!alone || bracket == std::string_view::npos || line[bracket] != '[') return text;
    std::size_t first = header;
    if (header > 1 && isBlank(lines.line(header - 1))) first = header - 1;
    text.erase(lines.startOf(first), lines.startOf(header + 1) - lines.startOf(first));
    return text;
  }

  /// Reads the changed text back: nothing but the one value may differ.
  Result<std::string> check(std::string text, std::optional<std::string_view> value) const {
    SIMMER_TRY(expected, parseToml(m_text, m_file));
    toml::table* table = &expected;
    for (std::size_t i = 0; i + 1 < m_path.size(); ++i) {
      if (!table->contains(m_path[i])) table->insert(m_path[i], toml::table());
      table = table->get_as<toml::table>(m_path[i]);
      if (!table) return byHand();
    }
    table->erase(m_path.back());
    if (value) {
      SIMMER_TRY(one, parseToml(fmt::format("v = {}", *value), m_file));
      table->insert(m_path.back(), *one.get("v"));
    }
    const auto found = parseToml(text, m_file);
    return found && *found == expected ? Result<std::string>(std::move(text)) : byHand();
  }

  Result<std::string> byHand() const {
    return failAt(ErrorCode::InvalidInput, std::string(m_file),
                  "'{}' can not be changed without touching what stands around it: edit the file by hand",
                  m_path.back());
  }

  std::string_view m_text;
  const Path& m_path;
  std::string_view m_file;
  std::string m_lineEnd;
  Lines m_lines;
};

}  // namespace

std::string tomlText(const SettingValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    const std::string text = fmt::format("{}", *number);
    return text.find_first_of(".e") == std::string::npos && std::isfinite(*number) ? text + ".0" : text;
  }
  const auto* text = std::get_if<std::string>(&value);
  if (!text) return canonicalText(value);
  std::string quoted = "\"";
  for (const char c : *text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

std::string tomlText(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) list += (list.size() > 1 ? ", " : "") + tomlText(SettingValue(text));
  return list + "]";
}

Result<std::string> setInToml(std::string_view text, std::string_view file, const Path& path, std::string_view value) {
  return Editor(text, file, path).set(value);
}

Result<std::string> setInToml(std::string_view text, std::string_view file, std::string_view assignment) {
  const auto unreadable = [&] {
    return fail(ErrorCode::InvalidInput, "{}: expected key=value, such as profile.npc.pixel_budget=2",
                quotedName(assignment));
  };
  // The first '=' behind which the key reads as one: a quoted part of it may hold one too.
  for (std::size_t equals = assignment.find('='); equals != std::string_view::npos;
       equals = assignment.find('=', equals + 1)) {
    const auto key = parseToml(fmt::format("{} = 0", assignment.substr(0, equals)), file);
    if (!key || key->size() != 1) continue;
    Path path;
    for (const toml::table* table = &*key; table; table = table->begin()->second.as_table())
      path.emplace_back(table->begin()->first.str());
    const std::string_view value = assignment.substr(equals + 1);
    const bool isToml = parseToml(fmt::format("v = {}", value), file).has_value();
    return setInToml(text, file, path, isToml ? std::string(value) : tomlText(SettingValue(std::string(value))));
  }
  return unreadable();
}

Result<std::string> unsetInToml(std::string_view text, std::string_view file, const Path& path) {
  return Editor(text, file, path).unset();
}

}  // namespace simmer
