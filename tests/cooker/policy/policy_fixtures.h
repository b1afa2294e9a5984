#pragma once

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cooker/policy/project.h"

namespace simmer::test {

/// The stand-ins: "animation" for *.bvh, *.glb and *.gltf, "deflate" for what a rule gives it.
const Catalog& fixtureCatalog();

/// A project in /project with this file in it.
Result<Project> parseProject(std::string_view toml);
/// As parseProject(), where the file has to be right.
Project goodProject(std::string_view toml);

/// The recipe of a source; it has to have one.
Recipe recipeOf(const Project& project, std::string_view path, const Sidecar* sidecar = nullptr,
                const ItemDescription* item = nullptr);
/// "value (origin)" of a setting of the recipe: "5 (plugin default)".
std::string settingText(const Recipe& recipe, std::string_view name);
/// The tolerance in millimetres for something of 1.8 m.
double toleranceMm(const Recipe& recipe);

ItemDescription itemNamed(std::string id, Settings embedded = {});
Sidecar sidecarOf(std::string_view toml);

}  // namespace simmer::test
