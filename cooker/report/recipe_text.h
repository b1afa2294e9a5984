#pragma once

#include <string>
#include <string_view>

#include "cooker/engine/json.h"
#include "cooker/plugin/metadata.h"
#include "cooker/policy/recipe.h"

namespace simmer {

/// How a tolerance comes about, in words: "1 px × 1.80 m ÷ 256 px = 7.03 mm (profile npc, simmer.toml:14; height
/// measured from the rest pose)".
std::string toleranceText(const Recipe& recipe, const ItemDescription& item);

/// Every effective value of a recipe with where it comes from: a table below `title`, the tolerance's arithmetic first.
std::string recipeText(std::string_view title, const Recipe& recipe, const ItemDescription& item, std::size_t width);

/// One value of it with its origin and what it means. InvalidInput with the nearest name when there is none of this
/// name.
Result<std::string> settingText(std::string_view name, const Recipe& recipe, const ItemDescription& item,
                                const PluginMetadata& plugin);

/// {"tolerance_mm", "tolerance", "values": [{"name", "value", "origin": {"label", "file", "line"}}], …}.
Json recipeJson(const Recipe& recipe, const ItemDescription& item);

}  // namespace simmer
