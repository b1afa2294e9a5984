#pragma once

#include <atomic>
#include <fstream>
#include <map>

#include "cache/memory_store.h"
#include "cooker/engine/cook_asset.h"
#include "cooker/engine/inline_executor.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::test {

/// A plugin whose source is a text of lines "item NAME", "need FILE" and "fail REASON"; its artifact is the item's name
/// and what stands in the needed files. What it measures can be chosen.
class ScriptPlugin : public AssetPlugin {
 public:
  Result<Description> describe(const Settings&, SourceReader& reader, Context&) const override {
    SIMMER_TRY(text, reader.read(reader.sourceName()));
    Description description;
    for (const auto& [word, rest] : lines(text)) {
      if (word == "item") description.items.push_back({rest, true, 1.8, 1, {}});
      if (word == "refuse") return fail(ErrorCode::InvalidInput, "{}", rest);
    }
    return description;
  }
  Result<Artifact> cook(const Request& request, SourceReader& reader, Context&) const override {
    ++cooks;
    SIMMER_TRY(text, reader.read(reader.sourceName()));
    if (afterRead) afterRead();
    Artifact artifact;
    std::string content = request.item + "\n";
    for (const auto& [word, rest] : lines(text)) {
      if (word == "need") {
        SIMMER_TRY(bytes, reader.read(rest));
        content += asText(bytes);
      }
      if (word == "fail") return fail(ErrorCode::ToleranceUnmet, "{}", rest);
      if (word == "io") return fail(ErrorCode::Io, "{}", rest);
      if (word == "throw") throw std::runtime_error(rest);
    }
    const ByteView view = asBytes(content);
    artifact.outputs.push_back({"out", false, Bytes(view.begin(), view.end())});
    artifact.outputs.push_back({"shared", true, Bytes{1, 2, 3}});
    artifact.toleranceM = request.tolerance.resolve(1.8);
    artifact.rawBytes = 1000;
    return artifact;
  }
  Result<Measures> measure(const Request& request, SourceReader& reader, const Artifact&, Context&) const override {
    const auto text = reader.read(reader.sourceName());
    if (!text) return tl::unexpected(text.error());
    if (measured) return *measured;
    const double bound = request.tolerance.resolve(1.8) * 1000;
    return Measures{{std::string(kWorldError), bound / 2, bound, "mm"}};
  }

  std::optional<Measures> measured;
  std::function<void()> afterRead;
  mutable std::atomic<int> cooks{0};

 private:
  static std::vector<std::pair<std::string, std::string>> lines(const Bytes& bytes) {
    std::vector<std::pair<std::string, std::string>> all;
    std::string_view text = asText(bytes);
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      const std::size_t space = std::min(line.find(' '), line.size());
      all.emplace_back(line.substr(0, space), line.substr(std::min(space + 1, line.size())));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
  }
};

/// Carries jobs out with one plugin, without a catalog.
class PluginExecutor : public Executor {
 public:
  explicit PluginExecutor(const AssetPlugin& plugin) : m_plugin(plugin) {}
  Answer execute(const Job& job, const std::function<bool()>& cancelled) override {
    return runJob(m_plugin, job, cancelled);
  }

 private:
  const AssetPlugin& m_plugin;
};

inline void writeText(const std::filesystem::path& file, std::string_view text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace simmer::test
