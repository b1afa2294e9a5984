#include "cooker/engine/cook_asset.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "cache/key.h"
#include "cooker/base/file.h"
#include "cooker/engine/tree_reader.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKeySchema = "1";
constexpr int kSteadyTries = 3;

std::string folderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(path.substr(0, slash == std::string_view::npos ? 0 : slash + 1));
}

std::string suffixOf(std::string_view path) {
  std::string suffix = fs::path(path).extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return suffix;
}

std::string relativeTo(const std::string& folder, const std::string& path) {
  return folder.empty() ? path : fs::path(path).lexically_relative(folder).generic_string();
}

/// The dependencies of an answer without the source itself, named as seen from its folder: a key holds no place.
std::vector<Dependency> withoutSource(const Answer& answer, const std::string& sourcePath) {
  std::vector<Dependency> others;
  for (const Dependency& dependency : answer.dependencies)
    if (dependency.path != sourcePath)
      others.push_back({relativeTo(folderOf(sourcePath), dependency.path), dependency.digest});
  return others;
}

std::vector<std::string> namesOf(const std::vector<Dependency>& dependencies) {
  std::vector<std::string> names;
  names.reserve(dependencies.size());
  for (const Dependency& dependency : dependencies) names.push_back(dependency.path);
  return names;
}

void addDependencies(KeyText& key, const std::vector<Dependency>& dependencies) {
  for (const Dependency& dependency : dependencies)
    key.add("dependency", dependency.path + " " + (dependency.digest ? dependency.digest->hex() : "absent"));
}

/// The digests that files named as seen from the source's folder have now.
Result<std::vector<Dependency>> currentDigests(TreeDigests& digests, const std::string& sourcePath,
                                               const std::vector<std::string>& names) {
  std::vector<Dependency> dependencies;
  for (const std::string& name : names) {
    SIMMER_TRY(path, joinInsideTree(folderOf(sourcePath), name));
    SIMMER_TRY(digest, digests.digestOf(path));
    dependencies.push_back({name, digest});
  }
  return dependencies;
}

std::vector<std::string> insideTree(const std::string& sourcePath, const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names)
    if (auto path = joinInsideTree(folderOf(sourcePath), name)) paths.push_back(std::move(*path));
  return paths;
}

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The names a plugin asked for last time, remembered under what is known before it runs.
Result<std::optional<std::vector<Dependency>>> rememberedDependencies(Store& store, TreeDigests& digests,
                                                                      std::string_view kind, const Digest& id,
                                                                      const std::string& sourcePath) {
  SIMMER_TRY(text, store.note(kind, id));
  if (!text) return std::nullopt;
  const auto names = namesFromJson(*text);
  if (!names) return std::nullopt;  // damaged: as good as forgotten
  auto dependencies = currentDigests(digests, sourcePath, *names);
  if (!dependencies && dependencies.error().code == ErrorCode::InvalidInput) return std::nullopt;
  if (!dependencies) return tl::unexpected(dependencies.error());
  return std::move(*dependencies);
}

/// Whether two calls were given the same bytes of every file that both read.
bool sawTheSame(const Answer& one, const Answer& other) {
  return std::all_of(one.dependencies.begin(), one.dependencies.end(), [&](const Dependency& dependency) {
    const auto same = std::find_if(other.dependencies.begin(), other.dependencies.end(),
                                   [&](const Dependency& d) { return d.path == dependency.path; });
    return same == other.dependencies.end() || same->digest == dependency.digest;
  });
}

/// Moves the outputs out of an artifact that kept its bounds; what failed its measure is not kept.
std::vector<Bytes> takeOutputs(Artifact& artifact, CookResult& result) {
  std::vector<Bytes> blobs;
  if (result.error) return blobs;
  for (Output& output : artifact.outputs) {
    result.outputs.push_back({output.suffix, output.perSource, {sha256(output.bytes), output.bytes.size()}});
    blobs.push_back(std::move(output.bytes));
  }
  if (blobs.empty()) result.error = Error{ErrorCode::ToleranceUnmet, "the plugin gave no output", {}};
  return blobs;
}

}  // namespace

struct AssetCooker::Inputs {
  const std::string& sourcePath;
  const PluginMetadata& plugin;
  const Recipe& recipe;
  const ItemDescription& item;
  Digest sourceDigest;

  /// Everything that decides the bytes, but the files beside the source.
  KeyText keyText(const Digest& source) const {
    KeyText key;
    key.add("schema", kKeySchema);
    key.add("source", source);
    key.add("suffix", suffixOf(sourcePath));
    key.add("item", item.id);
    key.add("plugin", plugin.name);
    for (const std::string& part : plugin.usedParts(sourcePath, recipe.values())) key.add("part", part);
    key.add("recipe", recipe.canonicalText());
    return key;
  }
  Job job(Job::Kind kind, const fs::path& root) const {
    return {kind,   plugin.name, root, sourcePath, {}, {item.id, recipe.values(), recipe.tolerance, recipe.tables},
            nullptr};
  }
};

Result<void> checkMeasures(const Measures& measures, const Artifact& artifact, double toleranceM) {
  bool bounded = false;
  for (const Measure& measure : measures) {
    if (!std::isfinite(measure.value) || measure.value < 0)
      return fail(ErrorCode::ToleranceUnmet, "the {} is {}, expected a finite value from 0", measure.quantity,
                  measure.value);
    if (!measure.bound) continue;
    bounded = true;
    if (!(measure.value <= *measure.bound))
      return fail(ErrorCode::ToleranceUnmet, "the {} is {:.6g} {}, at most {:.6g} {} is allowed", measure.quantity,
                  measure.value, measure.unit, *measure.bound, measure.unit);
    if (measure.quantity == kWorldError && std::abs(*measure.bound - toleranceM * 1000) > 1e-6 * toleranceM * 1000)
      return fail(ErrorCode::ToleranceUnmet, "the plugin measured against {:.6g} mm, the recipe says {:.6g} mm",
                  *measure.bound, toleranceM * 1000);
  }
  if (!bounded) return fail(ErrorCode::ToleranceUnmet, "the plugin measured nothing that has a bound");
  if (artifact.toleranceM > 0 && std::abs(artifact.toleranceM - toleranceM) > 1e-9 * toleranceM)
    return fail(ErrorCode::ToleranceUnmet, "the plugin cooked for {:.9g} mm, the recipe says {:.9g} mm",
                artifact.toleranceM * 1000, toleranceM * 1000);
  return {};
}

/// What decides a description, but the files beside the source.
struct AssetCooker::DescribeInputs {
  const std::string& sourcePath;
  const PluginMetadata& plugin;
  Settings import;

  KeyText keyText(const Digest& source) const {
    KeyText key;
    key.add("describe", source);
    key.add("suffix", suffixOf(sourcePath));
    key.add("plugin", plugin.versionText());
    for (const auto& [name, value] : import) key.add(name, canonicalText(value));
    return key;
  }
};

Result<AssetCooker::Described> AssetCooker::describe(const std::string& sourcePath, const PluginMetadata& plugin,
                                                     const Recipe& recipe) {
  Environment& env = m_environment;
  SIMMER_TRY(source, env.digests.digestOf(sourcePath));
  if (!source) return fail(ErrorCode::NotFound, "the file has gone");
  const DescribeInputs inputs{sourcePath, plugin, recipe.importValues(plugin)};
  KeyText text = inputs.keyText(*source);
  SIMMER_TRY(known, rememberedDependencies(env.store, env.digests, "describe-names", text.key(), sourcePath));
  if (known) {
    addDependencies(text, *known);
    SIMMER_TRY(note, env.store.note("describe", text.key()));
    if (note)
      if (auto result = DescribeResult::fromJson(*note))
        return Described{std::move(*result), insideTree(sourcePath, namesOf(*known))};
  }
  return runDescribe(inputs, *source);
}

Result<AssetCooker::Described> AssetCooker::runDescribe(const DescribeInputs& inputs, const Digest& source) {
  Environment& env = m_environment;
  const Job job{Job::Kind::Describe, inputs.plugin.name, env.sourceRoot, inputs.sourcePath, inputs.import, {}, nullptr};
  ++m_runs.describe;
  Answer answer = env.executor.execute(job, env.cancelled);
  Described described;
  described.result.log = answer.log;
  if (answer.value) {
    described.result.description = std::get<Description>(std::move(*answer.value));
  } else {
    if (!isDeterministic(answer.value.error().code)) return tl::unexpected(answer.value.error());
    described.result.description = tl::unexpected(answer.value.error());
  }
  const std::vector<Dependency> others = withoutSource(answer, inputs.sourcePath);
  described.dependencies = insideTree(inputs.sourcePath, namesOf(others));
  KeyText text = inputs.keyText(answer.digestOf(inputs.sourcePath).value_or(source));
  SIMMER_CHECK(env.store.putNote("describe-names", text.key(), namesToJson(namesOf(others))));
  addDependencies(text, others);
  SIMMER_CHECK(env.store.putNote("describe", text.key(), described.result.toJsonText()));
  return described;
}

Result<AssetCooker::Cooked> AssetCooker::cook(const std::string& sourcePath, const PluginMetadata& plugin,
                                              const Recipe& recipe, const ItemDescription& item) {
  SIMMER_TRY(source, m_environment.digests.digestOf(sourcePath));
  if (!source) return fail(ErrorCode::NotFound, "the file has gone");
  const Inputs inputs{sourcePath, plugin, recipe, item, *source};
  if (m_environment.force) return m_environment.lookupOnly ? plan(inputs) : run(inputs);
  SIMMER_TRY(found, lookUp(inputs));
  if (found) return std::move(*found);
  return m_environment.lookupOnly ? plan(inputs) : runOnce(inputs);
}

/// Two assets may be the same but for their place. The second one waits for the first, and finds its result.
Result<AssetCooker::Cooked> AssetCooker::runOnce(const Inputs& inputs) {
  const Key known = inputs.keyText(inputs.sourceDigest).key();
  {
    std::unique_lock lock(m_mutex);
    m_finished.wait(lock, [&] { return m_running.count(known) == 0; });
    m_running.insert(known);
  }
  const auto cookUnlessFound = [&]() -> Result<Cooked> {
    SIMMER_TRY(found, lookUp(inputs));
    if (found) return std::move(*found);
    return run(inputs);
  };
  auto cooked = cookUnlessFound();
  {
    const std::lock_guard lock(m_mutex);
    m_running.erase(known);
  }
  m_finished.notify_all();
  return cooked;
}

/// What runOnce() would do. Files beside the source are those that its description read: which ones a cook reads is not
/// known before.
Result<AssetCooker::Cooked> AssetCooker::plan(const Inputs& inputs) {
  KeyText text = inputs.keyText(inputs.sourceDigest);
  const DescribeInputs described{inputs.sourcePath, inputs.plugin, inputs.recipe.importValues(inputs.plugin)};
  SIMMER_TRY(read, rememberedDependencies(m_environment.store, m_environment.digests, "describe-names",
                                          described.keyText(inputs.sourceDigest).key(), inputs.sourcePath));
  if (read) addDependencies(text, *read);
  Cooked cooked;
  const std::lock_guard lock(m_mutex);
  const bool first = m_planned.insert(text.key()).second;
  cooked.outcome = first || m_environment.force ? Outcome::WouldRun : Outcome::WouldBeFound;
  return cooked;
}

Result<AssetCooker::KeyNow> AssetCooker::keyNow(const std::string& sourcePath, const PluginMetadata& plugin,
                                                const Recipe& recipe, const ItemDescription& item) {
  SIMMER_TRY(source, m_environment.digests.digestOf(sourcePath));
  if (!source) return fail(ErrorCode::NotFound, "the file has gone");
  return lookAt({sourcePath, plugin, recipe, item, *source}, nullptr);
}

/// Two steps: (source digest, recipe) ▸ remembered names ▸ their digests ▸ key ▸ record.
Result<AssetCooker::KeyNow> AssetCooker::lookAt(const Inputs& inputs, std::vector<std::string>* names) {
  Environment& env = m_environment;
  KeyText text = inputs.keyText(inputs.sourceDigest);
  SIMMER_TRY(dependencies, rememberedDependencies(env.store, env.digests, "cook-names", text.key(), inputs.sourcePath));
  if (!dependencies) return KeyNow{text.text(), false, std::nullopt};
  if (names) *names = namesOf(*dependencies);
  addDependencies(text, *dependencies);
  const auto record = env.store.find(text.key());
  const bool dropped = !record && record.error().code == ErrorCode::Corrupt;  // cook it again
  if (!record && !dropped) return tl::unexpected(record.error());
  KeyNow now{text.text(), true, std::nullopt};
  if (dropped || !*record) return now;
  if (auto result = CookResult::fromRecord(**record)) now.kept = std::move(*result);
  return now;
}

Result<std::optional<AssetCooker::Cooked>> AssetCooker::lookUp(const Inputs& inputs) {
  std::vector<std::string> names;
  SIMMER_TRY(now, lookAt(inputs, &names));
  if (!now.kept) return std::nullopt;
  return Cooked{std::move(*now.kept), sha256(now.text), Outcome::Found, insideTree(inputs.sourcePath, names)};
}

Result<AssetCooker::Cooked> AssetCooker::run(const Inputs& inputs) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kSteadyTries; ++i) {
    ++m_runs.cook;
    Answer cooked =
        m_environment.executor.execute(inputs.job(Job::Kind::Cook, m_environment.sourceRoot), m_environment.cancelled);
    CookResult result;
    result.log = cooked.log;
    if (!cooked.value) {
      if (!isDeterministic(cooked.value.error().code)) return tl::unexpected(cooked.value.error());
      result.error = cooked.value.error();
      result.seconds = secondsSince(start);
      return finish(inputs, cooked, std::move(result), {});
    }
    const auto artifact = std::make_shared<Artifact>(std::get<Artifact>(std::move(*cooked.value)));
    SIMMER_TRY(steady, measure(inputs, cooked, artifact, result));
    if (!steady) continue;
    std::vector<Bytes> blobs = takeOutputs(*artifact, result);
    result.seconds = secondsSince(start);
    return finish(inputs, cooked, std::move(result), std::move(blobs));
  }
  return fail(ErrorCode::Io, "the source changed each of {} times it was cooked", kSteadyTries);
}

/// Measures an artifact and fills in what is known of it. False when the measure saw other bytes than the cook: then it
/// says nothing about the artifact.
Result<bool> AssetCooker::measure(const Inputs& inputs, const Answer& cooked,
                                  const std::shared_ptr<const Artifact>& artifact, CookResult& result) {
  Job job = inputs.job(Job::Kind::Measure, m_environment.sourceRoot);
  job.artifact = artifact;
  ++m_runs.measure;
  Answer measured = m_environment.executor.execute(job, m_environment.cancelled);
  if (!measured.value && !isDeterministic(measured.value.error().code) &&
      measured.value.error().code != ErrorCode::Corrupt)
    return tl::unexpected(measured.value.error());
  if (!sawTheSame(cooked, measured)) return false;
  if (!measured.value) {
    result.error =
        Error{ErrorCode::ToleranceUnmet, "the cooked result can not be measured: " + measured.value.error().text(), {}};
  } else {
    result.measures = std::get<Measures>(std::move(*measured.value));
    const double toleranceM = inputs.recipe.tolerance.resolve(inputs.item.heightM);
    if (const auto check = checkMeasures(result.measures, *artifact, toleranceM); !check) result.error = check.error();
  }
  result.toleranceM = artifact->toleranceM;
  result.objectHeightM = artifact->objectHeightM;
  result.codec = artifact->codec;
  result.rawBytes = artifact->rawBytes;
  result.memoryBytes = artifact->memoryBytes;
  return true;
}

/// Stores what came of a cook under the key of the bytes that the plugin was given.
Result<AssetCooker::Cooked> AssetCooker::finish(const Inputs& inputs, const Answer& answer, CookResult result,
                                                std::vector<Bytes> blobs) {
  Store& store = m_environment.store;
  const std::vector<Dependency> others = withoutSource(answer, inputs.sourcePath);
  KeyText text = inputs.keyText(answer.digestOf(inputs.sourcePath).value_or(inputs.sourceDigest));
  SIMMER_CHECK(store.putNote("cook-names", text.key(), namesToJson(namesOf(others))));
  addDependencies(text, others);
  SIMMER_CHECK(store.put(text.key(), result.toRecord(text.text()), blobs));
  return Cooked{std::move(result), text.key(), Outcome::Ran, insideTree(inputs.sourcePath, namesOf(others))};
}

}  // namespace simmer
