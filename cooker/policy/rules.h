#pragma once

// What a project file says, checked and with its globs compiled: what Project::resolve() works from.

#include <map>
#include <string>
#include <vector>

#include "cooker/base/glob.h"
#include "cooker/policy/budget.h"
#include "cooker/policy/recipe.h"
#include "cooker/policy/sidecar.h"

namespace simmer {

/// Values that stand at one level, with the words that say so.
struct ValueLayer {
  std::string label;  ///< "profile npc"
  WrittenValues values;
};

/// A glob with its place in the project file.
struct PlacedGlob {
  Glob glob;
  int line = 0;
  int column = 0;
};

struct PolicyRule {
  std::vector<PlacedGlob> match;
  ValueLayer layer;     ///< label "rule 3", counted from 1
  std::string profile;  ///< empty: names none
  int profileLine = 0;
  std::string plugin;  ///< empty: names none; kNoPlugin: leave the file alone
  int pluginLine = 0;
  std::vector<std::string> tags;

  bool matches(std::string_view sourcePath) const {
    for (const PlacedGlob& pattern : match)
      if (pattern.glob.matches(sourcePath)) return true;
    return false;
  }
};

struct PolicyRules {
  ValueLayer screen{"screen", {}};                         ///< [screen]
  std::map<std::string, ValueLayer, std::less<>> plugins;  ///< [plugin.NAME]
  std::map<std::string, ValueLayer, std::less<>> profiles;
  std::vector<PolicyRule> rules;
  std::vector<PlacedGlob> ignore;
  std::vector<Budget> budgets;
};

}  // namespace simmer
