#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cooker/base/digest.h"
#include "cooker/plugin/plugin_api.h"

namespace simmer {

/// A file that a job read, or asked for in vain.
struct Dependency {
  std::string path;              ///< inside the source tree
  std::optional<Digest> digest;  ///< of the bytes the plugin was given; empty: absent
  auto operator<=>(const Dependency&) const = default;
};

/// One call of a plugin, as a value: it can be carried out here or elsewhere.
struct Job {
  enum class Kind { Describe, Cook, Measure };

  Kind kind = Kind::Describe;
  std::string plugin;
  std::filesystem::path sourceRoot;          ///< absolute
  std::string sourcePath;                    ///< inside the source tree
  Settings import;                           ///< for Describe
  Request request;                           ///< for Cook and Measure
  std::shared_ptr<const Artifact> artifact;  ///< for Measure
};

/// What came of a job.
struct Answer {
  using Value = std::variant<Description, Artifact, Measures>;

  Result<Value> value = Value{};
  std::vector<Dependency> dependencies;  ///< sorted by path, each once; the source is among them
  std::vector<std::string> log;          ///< "warning: …" and plain lines, in order

  /// The digest of the source's bytes as the plugin saw them; empty when it never read them.
  std::optional<Digest> digestOf(std::string_view path) const;
};

/// Where jobs are carried out. execute() blocks until there is an answer and may be called from several threads.
class Executor {
 public:
  virtual ~Executor() = default;
  /// `cancelled` may become true at any time; the answer is then a Cancelled error as soon as the plugin notices.
  virtual Answer execute(const Job& job, const std::function<bool()>& cancelled) = 0;
};

}  // namespace simmer
