#pragma once

#include <string>
#include <string_view>

#include "cooker/scan/walk.h"

struct stat;

namespace simmer {

/// Whether the bytes are well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool isUtf8(std::string_view name);
/// The name with every byte that is not of a well-formed UTF-8 character written as \xNN.
std::string escapedName(std::string_view name);

/// The stamp that a stat() result stands for.
FileStamp stampFrom(const struct stat& info);

}  // namespace simmer
