#include "cooker/cli/project_session.h"

#include <algorithm>

#include "cooker/policy/names.h"

namespace simmer {

namespace fs = std::filesystem;

Result<std::unique_ptr<SqliteStore>> openStore(const Project& project) {
  SqliteStore::Options options;
  options.limitBytes = project.cacheLimitBytes();
  return SqliteStore::open(project.cacheFile(), options);
}

Result<std::string> insideSource(const Project& project, const std::string& given) {
  std::error_code error;
  const fs::path source = fs::weakly_canonical(project.source(), error);
  const fs::path path = fs::weakly_canonical(fs::absolute(given), error);
  const auto under = [&](const fs::path& folder, const fs::path& file) {
    const std::string relative = file.lexically_relative(folder).generic_string();
    return relative == "."                                  ? std::optional<std::string>("")
           : relative.empty() || relative.starts_with("..") ? std::nullopt
                                                            : std::optional(relative);
  };
  if (fs::exists(path, error)) {
    if (const auto relative = under(source, path)) return *relative;
    // The project's own folder, or one between it and the sources, means all of them.
    if (under(path, source)) return std::string();
  }
  if (fs::exists(source / given, error)) return fs::path(given).lexically_normal().generic_string();
  return failAt(ErrorCode::InvalidInput, given,
                "neither a file or folder below the source folder {} nor a path inside it", source.string());
}

namespace {

/// "fox.glb:Run" as "fox.glb" and "Run"; a file may have a ':' in its own name.
std::pair<std::string, std::optional<std::string>> splitItem(const Project& project, const std::string& given) {
  for (std::size_t colon = given.find(':'); colon != std::string::npos; colon = given.find(':', colon + 1)) {
    const std::string path = given.substr(0, colon);
    std::error_code error;
    if (fs::is_regular_file(path, error) || fs::is_regular_file(project.source() / path, error))
      return {path, given.substr(colon + 1)};
  }
  return {given, std::nullopt};
}

}  // namespace

namespace {

/// Where the search for a project begins: at the path that was given, also when it names one clip of a file.
fs::path startOf(const std::string& given) {
  std::error_code error;
  if (!given.empty() && fs::exists(given, error)) return fs::absolute(given);
  for (std::size_t colon = given.find(':'); colon != std::string::npos; colon = given.find(':', colon + 1))
    if (fs::is_regular_file(given.substr(0, colon), error)) return fs::absolute(given.substr(0, colon));
  return fs::current_path();
}

}  // namespace

Result<std::unique_ptr<ProjectSession>> ProjectSession::start(CommandContext& context, const std::string& given) {
  const fs::path from = context.projectOption.empty() ? startOf(given) : fs::path(context.projectOption);
  SIMMER_TRY(root, Project::findRoot(from));
  SIMMER_TRY(project, Project::load(root, context.catalog()));
  std::unique_ptr<ProjectSession> session(new ProjectSession(std::move(project)));
  auto store = openStore(session->project);
  if (!store) return tl::unexpected(store.error());
  session->store = std::move(*store);
  session->executor = std::make_unique<InlineExecutor>(context.catalog());
  auto open = OpenProject::open(session->project, context.catalog(), *session->executor, *session->store);
  if (!open) return tl::unexpected(open.error());
  session->open = std::move(*open);
  return session;
}

std::string NamedAsset::title(const ItemDescription& of) const {
  return of.named ? fmt::format("{} · {}", path, of.id) : path;
}

Result<NamedAsset> findAsset(ProjectSession& session, const std::string& given) {
  NamedAsset asset;
  const auto [name, item] = splitItem(session.project, given);
  const auto inside = insideSource(session.project, name);
  asset.path = inside && !inside->empty() ? *inside : name;
  asset.item = item;
  SIMMER_TRY(contents, session.open->contents(asset.path));
  asset.contents = std::move(contents);
  std::vector<std::string_view> ids;
  for (const ItemDescription& known : asset.contents.description.items) {
    ids.push_back(known.id);
    if (!item || known.id == *item) asset.items.push_back(known);
  }
  if (asset.items.empty() && item)
    return failAt(ErrorCode::NotFound, asset.path, "the source has no clip {}{}", quotedName(*item),
                  nameAdvice(*item, ids));
  return asset;
}

}  // namespace simmer
