#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cache/sqlite_store.h"
#include "cooker/cli/app.h"
#include "cooker/engine/inline_executor.h"
#include "cooker/engine/open_project.h"

namespace simmer {

/// Opens the cache of a project.
Result<std::unique_ptr<SqliteStore>> openStore(const Project& project);

/// A path as it was given, as a path inside the source tree: "" for all of it. A path that is not there may still be
/// one inside the source tree.
Result<std::string> insideSource(const Project& project, const std::string& given);

/// A project with everything that a command about single assets needs.
struct ProjectSession {
  Project project;
  std::unique_ptr<SqliteStore> store;
  std::unique_ptr<InlineExecutor> executor;
  std::unique_ptr<OpenProject> open;

  /// The project of `--project`, else the nearest above `given` (a path, or a name inside the source tree of the
  /// project here).
  static Result<std::unique_ptr<ProjectSession>> start(CommandContext& context, const std::string& given);

 private:
  explicit ProjectSession(Project opened) : project(std::move(opened)) {}
};

/// A source, and some of what it holds.
struct NamedAsset {
  std::string path;                 ///< inside the source tree
  std::optional<std::string> item;  ///< the one that was named
  SourceContents contents;
  std::vector<ItemDescription> items;  ///< the named one, or all

  std::string title(const ItemDescription& of) const;
};

/// The asset that "npc/fox.glb" or "npc/fox.glb:Run" names. NotFound with the nearest name when there is none.
Result<NamedAsset> findAsset(ProjectSession& session, const std::string& given);

}  // namespace simmer
