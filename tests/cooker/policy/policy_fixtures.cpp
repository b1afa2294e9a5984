#include "tests/cooker/policy/policy_fixtures.h"

namespace simmer::test {

const Catalog& fixtureCatalog() {
  static const Catalog catalog = Catalog::open({SIMMER_GOOD_PLUGINS});
  return catalog;
}

Result<Project> parseProject(std::string_view toml) {
  return Project::parse(toml, "/project", fixtureCatalog());
}

Project goodProject(std::string_view toml) {
  auto project = parseProject(toml);
  EXPECT_TRUE(project) << project.error().text();
  return project ? std::move(*project) : Project();
}

Recipe recipeOf(const Project& project, std::string_view path, const Sidecar* sidecar, const ItemDescription* item) {
  const auto recipe = project.resolve(path, sidecar, item);
  EXPECT_TRUE(recipe) << recipe.error().text();
  EXPECT_TRUE(recipe && *recipe) << path << " has no recipe";
  return recipe && *recipe ? **recipe : Recipe();
}

std::string settingText(const Recipe& recipe, std::string_view name) {
  const auto found = recipe.settings.find(name);
  if (found == recipe.settings.end()) return "absent";
  return canonicalText(found->second.value) + " (" + found->second.origin.text() + ")";
}

double toleranceMm(const Recipe& recipe) {
  return recipe.tolerance.resolve(1.8) * 1000;
}

ItemDescription itemNamed(std::string id, Settings embedded) {
  ItemDescription item;
  item.id = std::move(id);
  item.named = true;
  item.embedded = std::move(embedded);
  return item;
}

Sidecar sidecarOf(std::string_view toml) {
  auto sidecar = Sidecar::parse(toml, "npc/walk.glb.simmer.toml");
  EXPECT_TRUE(sidecar) << sidecar.error().text();
  return sidecar ? std::move(*sidecar) : Sidecar();
}

}  // namespace simmer::test
