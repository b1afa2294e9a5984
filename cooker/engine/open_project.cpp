#include "cooker/engine/open_project.h"

#include "cooker/policy/names.h"

namespace simmer {

Result<std::unique_ptr<OpenProject>> OpenProject::open(const Project& project, const Catalog& catalog,
                                                       Executor& executor, Store& store,
                                                       std::function<bool()> cancelled) {
  std::unique_ptr<OpenProject> opened(new OpenProject(project, catalog, store));
  auto tree = walkTree(project.source(), {{project.output(), project.stateFolder()}, {}, 2});
  if (!tree) {
    tree.error().where = "source folder " + project.source().string();
    return tl::unexpected(tree.error());
  }
  opened->m_sources = std::move(*tree);
  SIMMER_TRY(state, StateDb::open(project.stateFolder()));
  opened->m_state = std::move(state);
  SIMMER_TRY(statCache, opened->m_state->statCache());
  opened->m_digests = std::make_unique<TreeDigests>(project.source(), opened->m_sources, *statCache);
  opened->m_cooker = std::make_unique<AssetCooker>(AssetCooker::Environment{
      project.source(), executor, store, *opened->m_digests, std::move(cancelled), false, false});
  return opened;
}

Result<SourceContents> OpenProject::contents(const std::string& path) {
  if (!has(path)) {
    std::vector<std::string_view> names;
    for (const TreeFile& file : m_sources.files) names.push_back(file.path);
    const std::string_view nearest = nearestName(path, names);
    return failAt(ErrorCode::NotFound, path, "there is no such source{}",
                  nearest.empty() ? std::string() : fmt::format("; did you mean '{}'?", nearest));
  }
  if (m_project.ignored(path))
    return failAt(ErrorCode::Unsupported, path, "the project ignores it: see 'ignore' in {}", kProjectFileName);
  SourceContents contents;
  if (auto read = readSource(m_project, m_catalog, *m_digests, *m_cooker, path, contents); !read) {
    Error error = read.error();
    const bool placed = error.where.starts_with(kProjectFileName) || error.where.starts_with(path);
    if (!placed) error.where = error.where.empty() ? path : fmt::format("{}: {}", path, error.where);
    return tl::unexpected(std::move(error));
  }
  if (!contents.plugin)
    return failAt(ErrorCode::Unsupported, path,
                  "no plugin takes it: a [[rule]] with plugin = \"NAME\" would give it one");
  return contents;
}

}  // namespace simmer
