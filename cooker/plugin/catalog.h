#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cooker/plugin/metadata.h"
#include "cooker/plugin/plugin_api.h"

namespace simmer {

/// The plugins of an installation. Metadata is read without loading; a plugin's code runs only after load().
class Catalog {
 public:
  struct Refused {
    std::filesystem::path file;
    std::string reason;
  };

  /// Where an installation keeps its plugins: `SIMMER_PLUGIN_PATH` (folders separated by ':') when it is set, else
  /// ../lib/simmer/plugins beside the program's own folder.
  static std::vector<std::filesystem::path> defaultFolders();

  /// Reads the metadata of every library in the folders. A library that is no plugin of ours, has another interface
  /// version, wrong metadata or a name that is taken is refused with the reason; its code does not run.
  static Catalog open(const std::vector<std::filesystem::path>& folders = defaultFolders());

  Catalog();
  ~Catalog();
  Catalog(Catalog&&) noexcept;
  Catalog& operator=(Catalog&&) noexcept;

  /// In alphabetical order of their names. Pointers stay valid as long as the catalog.
  std::vector<const PluginMetadata*> plugins() const;
  /// The metadata of this plugin, or null.
  const PluginMetadata* find(std::string_view name) const;
  const std::vector<Refused>& refused() const;
  /// The plugin that takes a source when no rule names one, or null.
  const PluginMetadata* pluginFor(std::string_view sourcePath) const;

  /// Loads the plugin (once) and gives it. It stays loaded until the process ends. NotFound when there is none of this
  /// name; Unsupported when the library can not be loaded. May be called from several threads.
  Result<const AssetPlugin*> load(std::string_view name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace simmer
