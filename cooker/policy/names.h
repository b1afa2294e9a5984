#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simmer {

/// The valid name that a person most likely meant by `written`, or empty when none is near: at most a third of its
/// letters differ (an exchange of two neighbours counts once), or the same name written with other case, '-' for '_'.
/// Of names equally near the first one.
std::string_view nearestName(std::string_view written, const std::vector<std::string_view>& valid);

/// "'name'", cut at 60 bytes and with control characters written as \xNN, so that it may stand in a message.
std::string quotedName(std::string_view name);

/// "; did you mean 'x'?", or "; expected one of a, b, c" when no name is near; empty when there are no names at all.
std::string nameAdvice(std::string_view written, const std::vector<std::string_view>& valid);

}  // namespace simmer
