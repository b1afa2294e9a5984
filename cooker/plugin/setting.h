#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cooker/base/result.h"

namespace simmer {

/// The value of one setting.
using SettingValue = std::variant<bool, std::int64_t, double, std::string>;
/// Settings by name. A plugin is given every setting that its metadata declares, with its effective value.
using Settings = std::map<std::string, SettingValue, std::less<>>;

/// What a plugin's metadata says of one setting.
struct SettingSpec {
  enum class Type { Boolean, Integer, Number, Text, Choice, Range };

  std::string name;
  Type type = Type::Text;
  SettingValue defaultValue;
  std::optional<double> minimum;  ///< for Integer, Number and both ends of a Range, inclusive
  std::optional<double> maximum;
  std::vector<std::string> choices;  ///< for Choice
  std::string help;                  ///< one sentence for a person
  /// Decides how the source is read. Such a setting holds for the whole file, never for one clip of it, and
  /// describe() is given it.
  bool import = false;

  /// `value` as this setting holds it (an integer becomes a number where a number is wanted), or InvalidInput that says
  /// what was seen and what is expected.
  Result<SettingValue> check(const SettingValue& value) const;
};

std::string_view toString(SettingSpec::Type type);

/// Two numbers, the second not below the first. As a setting's value it is the text "0.5..2", which rangeText() gives.
struct NumberRange {
  double first = 0;
  double last = 0;
  bool operator==(const NumberRange&) const = default;
};
std::string rangeText(const NumberRange& range);
/// No value when the text is no range.
std::optional<NumberRange> parseRange(std::string_view text);

/// The canonical text of a value: the same value always gives the same text ("true", "12", "0.01", "\"spline\"").
/// It stands in the key text and in messages.
std::string canonicalText(const SettingValue& value);

// The value of a declared setting. Asking for one that is missing or of another type is a wrong call (assert).
bool settingBool(const Settings& settings, std::string_view name);
std::int64_t settingInteger(const Settings& settings, std::string_view name);
double settingNumber(const Settings& settings, std::string_view name);
const std::string& settingText(const Settings& settings, std::string_view name);
/// No value where the setting is empty.
std::optional<NumberRange> settingRange(const Settings& settings, std::string_view name);

}  // namespace simmer
