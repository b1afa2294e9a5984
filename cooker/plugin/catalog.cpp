#include "cooker/plugin/catalog.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QLibrary>
#include <QPluginLoader>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

#include "cooker/plugin/qt_plugin.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

struct Entry {
  fs::path file;
  PluginMetadata metadata;
  const AssetPlugin* plugin = nullptr;  // once loaded
};

/// Reads what the library says of itself, without running any of its code.
Result<PluginMetadata> readMetadata(const fs::path& file) {
  const QPluginLoader loader(QString::fromStdString(file.string()));
  const QJsonObject json = loader.metaData();
  if (json.isEmpty()) return fail(ErrorCode::Unsupported, "no plugin metadata in it");
  const std::string iid = json["IID"].toString().toStdString();
  if (iid != SIMMER_PLUGIN_IID)
    return fail(ErrorCode::Unsupported, "its interface is \"{}\", expected \"{}\"", iid, SIMMER_PLUGIN_IID);
  const QByteArray text = QJsonDocument(json["MetaData"].toObject()).toJson(QJsonDocument::Compact);
  return PluginMetadata::parse(std::string_view(text.data(), static_cast<std::size_t>(text.size())));
}

std::vector<fs::path> librariesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (QLibrary::isLibrary(QString::fromStdString(entry.path().string()))) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

struct Catalog::Impl {
  std::map<std::string, Entry, std::less<>> entries;
  std::vector<Refused> refused;
  std::mutex loading;
};

Catalog::Catalog() : m_impl(std::make_unique<Impl>()) {}
Catalog::~Catalog() = default;
Catalog::Catalog(Catalog&&) noexcept = default;
Catalog& Catalog::operator=(Catalog&&) noexcept = default;

std::vector<fs::path> Catalog::defaultFolders() {
  std::vector<fs::path> folders;
  if (const char* path = std::getenv("SIMMER_PLUGIN_PATH"); path && *path) {
    std::string_view rest = path;
    while (!rest.empty()) {
      const std::size_t colon = std::min(rest.find(':'), rest.size());
      if (colon > 0) folders.emplace_back(rest.substr(0, colon));
      rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    return folders;
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path().parent_path() / "lib/simmer/plugins");
  return folders;
}

Catalog Catalog::open(const std::vector<fs::path>& folders) {
  Catalog catalog;
  for (const fs::path& folder : folders) {
    for (const fs::path& file : librariesIn(folder)) {
      auto metadata = readMetadata(file);
      if (!metadata) {
        catalog.m_impl->refused.push_back({file, metadata.error().text()});
        continue;
      }
      const std::string name = metadata->name;
      const auto [entry, added] = catalog.m_impl->entries.try_emplace(name, Entry{file, std::move(*metadata), nullptr});
      if (!added)
        catalog.m_impl->refused.push_back(
            {file, fmt::format("the name '{}' is taken by {}", name, entry->second.file.string())});
    }
  }
  return catalog;
}

std::vector<const PluginMetadata*> Catalog::plugins() const {
  std::vector<const PluginMetadata*> all;
  for (const auto& [name, entry] : m_impl->entries) all.push_back(&entry.metadata);
  return all;
}

const PluginMetadata* Catalog::find(std::string_view name) const {
  const auto found = m_impl->entries.find(name);
  return found == m_impl->entries.end() ? nullptr : &found->second.metadata;
}

const std::vector<Catalog::Refused>& Catalog::refused() const {
  return m_impl->refused;
}

const PluginMetadata* Catalog::pluginFor(std::string_view path) const {
  for (const auto& [name, entry] : m_impl->entries)
    if (entry.metadata.takes(path)) return &entry.metadata;
  return nullptr;
}

Result<const AssetPlugin*> Catalog::load(std::string_view name) const {
  const std::lock_guard lock(m_impl->loading);
  const auto found = m_impl->entries.find(name);
  if (found == m_impl->entries.end()) return fail(ErrorCode::NotFound, "there is no plugin '{}'", name);
  Entry& entry = found->second;
  if (entry.plugin) return entry.plugin;
  QPluginLoader loader(QString::fromStdString(entry.file.string()));
  // A symbol that is missing is an error now, not the end of the process when it is first called.
  loader.setLoadHints(QLibrary::ResolveAllSymbolsHint);
  const auto* exported = qobject_cast<QtPlugin*>(loader.instance());
  if (!exported)
    return fail(ErrorCode::Unsupported, "the plugin '{}' can not be loaded: {}", name,
                loader.errorString().toStdString());
  entry.plugin = &exported->plugin();
  return entry.plugin;
}

}  // namespace simmer
