#include "cooker/plugin/setting.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

namespace simmer {
namespace {

template <class T>
const T& valueOf(const Settings& settings, std::string_view name) {
  const auto found = settings.find(name);
  assert(found != settings.end() && "the setting is not declared in the plugin's metadata");
  const T* value = std::get_if<T>(&found->second);
  assert(value && "the setting is declared with another type");
  return *value;
}

Result<SettingValue> wrongType(const SettingSpec& spec, const SettingValue& value) {
  return fail(ErrorCode::InvalidInput, "{} is {}, expected {}", spec.name, canonicalText(value), toString(spec.type));
}

Result<SettingValue> checkRange(const SettingSpec& spec, const SettingValue& value, double number) {
  if (!std::isfinite(number)) return wrongType(spec, value);
  if ((spec.minimum && number < *spec.minimum) || (spec.maximum && number > *spec.maximum)) {
    if (!spec.maximum)
      return fail(ErrorCode::InvalidInput, "{} is {}, expected at least {}", spec.name, number, *spec.minimum);
    if (!spec.minimum)
      return fail(ErrorCode::InvalidInput, "{} is {}, expected at most {}", spec.name, number, *spec.maximum);
    return fail(ErrorCode::InvalidInput, "{} is {}, expected {} to {}", spec.name, number, *spec.minimum,
                *spec.maximum);
  }
  return value;
}

/// The same range in its one spelling, or empty where all of the asset is meant.
Result<SettingValue> checkInterval(const SettingSpec& spec, const SettingValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (!text) return wrongType(spec, value);
  if (text->empty()) return value;
  const std::optional<NumberRange> range = parseRange(*text);
  if (!range) return wrongType(spec, value);
  SIMMER_CHECK(checkRange(spec, value, range->first));
  SIMMER_CHECK(checkRange(spec, value, range->last));
  return SettingValue(rangeText(*range));
}

/// In quotes and on one line, whatever the text holds.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result.append(1, '\\').append(1, c);
    else if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (byte < 0x20 || byte == 0x7F)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  return result + '"';
}

}  // namespace

std::string_view toString(SettingSpec::Type type) {
  switch (type) {
    case SettingSpec::Type::Boolean:
      return "true or false";
    case SettingSpec::Type::Integer:
      return "a whole number";
    case SettingSpec::Type::Number:
      return "a number";
    case SettingSpec::Type::Text:
      return "a text";
    case SettingSpec::Type::Choice:
      return "one of its choices";
    case SettingSpec::Type::Range:
      return "two numbers, the larger one last, such as \"0.5..2\"";
  }
  return "";
}

std::string rangeText(const NumberRange& range) {
  const auto plain = [](double number) { return number == 0 ? 0.0 : number; };  // no "-0"
  return fmt::format("{}..{}", plain(range.first), plain(range.last));
}

std::optional<NumberRange> parseRange(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits, double& value) {
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && rest == digits.data() + digits.size() && std::isfinite(value);
  };
  NumberRange range;
  if (!number(text.substr(0, dots), range.first) || !number(text.substr(dots + 2), range.last)) return std::nullopt;
  return range.last < range.first ? std::nullopt : std::optional(range);
}

std::string canonicalText(const SettingValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{}", *number == 0 ? 0.0 : *number);
  return quoted(std::get<std::string>(value));
}

Result<SettingValue> SettingSpec::check(const SettingValue& value) const {
  switch (type) {
    case Type::Boolean:
      if (!std::holds_alternative<bool>(value)) return wrongType(*this, value);
      return value;
    case Type::Integer:
      if (!std::holds_alternative<std::int64_t>(value)) return wrongType(*this, value);
      return checkRange(*this, value, static_cast<double>(std::get<std::int64_t>(value)));
    case Type::Number: {
      const auto* integer = std::get_if<std::int64_t>(&value);
      const double* number = std::get_if<double>(&value);
      if (!integer && !number) return wrongType(*this, value);
      const double asNumber = integer ? static_cast<double>(*integer) : *number;
      return checkRange(*this, asNumber, asNumber);
    }
    case Type::Text:
      if (!std::holds_alternative<std::string>(value)) return wrongType(*this, value);
      return value;
    case Type::Range:
      return checkInterval(*this, value);
    case Type::Choice: {
      const auto* text = std::get_if<std::string>(&value);
      if (text && std::find(choices.begin(), choices.end(), *text) != choices.end()) return value;
      return fail(ErrorCode::InvalidInput, "{} is {}, expected one of {}", name, canonicalText(value),
                  fmt::join(choices, ", "));
    }
  }
  return wrongType(*this, value);
}

bool settingBool(const Settings& settings, std::string_view name) {
  return valueOf<bool>(settings, name);
}
std::int64_t settingInteger(const Settings& settings, std::string_view name) {
  return valueOf<std::int64_t>(settings, name);
}
double settingNumber(const Settings& settings, std::string_view name) {
  return valueOf<double>(settings, name);
}
const std::string& settingText(const Settings& settings, std::string_view name) {
  return valueOf<std::string>(settings, name);
}

std::optional<NumberRange> settingRange(const Settings& settings, std::string_view name) {
  return parseRange(settingText(settings, name));
}

}  // namespace simmer
