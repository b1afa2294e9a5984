#include "cooker/engine/source_task.h"

#include <algorithm>

#include "cache/key.h"
#include "cooker/engine/output_name.h"

namespace simmer {
namespace {

constexpr std::string_view kStateSchema = "2";

using Outcome = AssetCooker::Outcome;

/// Whether the next run may end differently although nothing changed.
bool mayGoAway(ErrorCode code) {
  return !isDeterministic(code) && code != ErrorCode::Corrupt;
}

}  // namespace

SourceTask::SourceTask(CookShared& shared, std::string path, const StateDb::SourceState* before)
    : m_shared(shared), m_path(std::move(path)), m_before(before) {
  if (!before) return;
  if (auto rows = StateDb::splitRows(before->rows)) m_rowsBefore = std::move(*rows);
}

/// Everything that decides the source's rows but its path, under which the state is kept.
Result<Digest> SourceTask::fingerprint(const std::vector<std::string>& dependencies) {
  SIMMER_TRY(source, m_shared.digests.digestOf(m_path));
  if (!source) return fail(ErrorCode::NotFound, "the file has gone");
  KeyText text;
  text.add("schema", kStateSchema);
  text.add("source", *source);
  text.add("project", m_shared.project.digest());
  for (const PluginMetadata* plugin : m_shared.catalog.plugins()) text.add("plugin", plugin->versionText());
  SIMMER_TRY(sidecar, m_shared.digests.digestOf(sidecarPath()));
  if (sidecar) text.add("sidecar", *sidecar);
  for (const std::string& path : dependencies) {
    SIMMER_TRY(digest, m_shared.digests.digestOf(path));
    text.add("dependency", path + " " + (digest ? digest->hex() : "absent"));
  }
  return text.key();
}

bool SourceTask::stillStands() {
  if (m_shared.force || !m_before || m_rowsBefore.empty()) return false;
  const auto now = fingerprint(m_before->dependencies);
  if (!now || *now != m_before->fingerprint) return false;
  for (const AssetRow& row : m_rowsBefore)
    for (const PublishedOutput& output : row.outputs)
      if (!m_shared.publisher.stands(output)) return false;
  return true;
}

std::size_t SourceTask::begin() {
  m_begun = true;
  if (stillStands()) {
    m_unchanged = true;
    m_rows = std::move(m_rowsBefore);
    for (AssetRow& row : m_rows) {
      row.settle();
      for (const PublishedOutput& output : row.outputs) m_shared.publisher.keep(output.path);
    }
    return 0;
  }
  if (const auto error = prepare()) failSource(*error);
  if (!m_contents.plugin || !m_rows.empty()) return 0;
  if (m_contents.description.items.empty()) {
    AssetRow row;
    row.source = m_path;
    row.plugin = m_contents.plugin->name;
    row.state = AssetState::Ignored;
    row.sourceBytes = m_shared.digests.sizeOf(m_path);
    row.message =
        m_contents.description.warnings.empty() ? "nothing to cook in it" : m_contents.description.warnings.front();
    m_rows.push_back(std::move(row));
    return 0;
  }
  m_rows.resize(m_contents.description.items.size());
  m_left = m_rows.size();
  return m_rows.size();
}

/// Finds out what the source holds. Leaves m_contents.plugin null when no plugin takes the file.
std::optional<Error> SourceTask::prepare() {
  const auto read =
      readSource(m_shared.project, m_shared.catalog, m_shared.digests, m_shared.cooker, m_path, m_contents);
  addDependencies(m_contents.dependencies);
  return read ? std::nullopt : std::optional(read.error());
}

void SourceTask::failSource(const Error& error) {
  AssetRow row;
  row.source = m_path;
  if (m_contents.plugin) row.plugin = m_contents.plugin->name;
  row.state = AssetState::Failed;
  row.sourceBytes = m_shared.digests.sizeOf(m_path);
  row.message = error.text();
  if (mayGoAway(error.code)) m_settled = false;
  keepLastGoodOutputs(row, true);
  m_rows.assign(1, std::move(row));
}

bool SourceTask::cookItem(std::size_t index) {
  const ItemDescription& item = m_contents.description.items[index];
  AssetRow& row = m_rows[index];
  row.source = m_path;
  row.item = item.id;
  row.named = item.named;
  row.plugin = m_contents.plugin->name;
  row.sourceBytes = m_shared.digests.sizeOf(m_path);
  Result<void> done;
  const auto recipe = m_shared.project.resolve(m_path, m_contents.sidecarOrNull(), &item);
  if (!recipe) {
    done = tl::unexpected(recipe.error());
  } else if (*recipe) {
    done = cookInto(row, item, **recipe);
  }
  if (!done) {
    row.state = AssetState::Failed;
    row.message = done.error().text();
    keepLastGoodOutputs(row, false);
    const std::lock_guard lock(m_mutex);
    if (mayGoAway(done.error().code)) m_settled = false;
  }
  return --m_left == 0;
}

Result<void> SourceTask::cookInto(AssetRow& row, const ItemDescription& item, const Recipe& recipe) {
  row.profile = recipe.profile;
  row.tags.assign(recipe.tags.begin(), recipe.tags.end());
  row.toleranceM = recipe.tolerance.resolve(item.heightM);
  row.metresPerPixel = recipe.tolerance.metresPerPixel(item.heightM);
  // A blob that turns out damaged or gone when it is published is dropped by the store: the second round cooks it
  // again.
  for (int round = 0;; ++round) {
    auto cooked = m_shared.cooker.cook(m_path, *m_contents.plugin, recipe, item);
    if (!cooked) return tl::unexpected(cooked.error());
    if (cooked->outcome == Outcome::WouldRun || cooked->outcome == Outcome::WouldBeFound) {
      const bool runs = cooked->outcome == Outcome::WouldRun;
      row.state = runs ? AssetState::Stale : AssetState::Cached;
      row.message = runs ? "would be cooked" : "would come from the cache: another asset is the same";
      keepLastGoodOutputs(row, false);
      return {};
    }
    row.ran = cooked->outcome == Outcome::Ran;
    addDependencies(cooked->dependencies);
    fillRow(row, *cooked, item);
    if (cooked->result.error) return tl::unexpected(*cooked->result.error);
    const auto published = publish(row, cooked->result);
    if (published) {
      row.state = row.ran ? AssetState::Cooked : *published ? AssetState::Cached : AssetState::Unchanged;
      return {};
    }
    const bool damaged = published.error().code == ErrorCode::Corrupt || published.error().code == ErrorCode::NotFound;
    if (!damaged || round > 0) return tl::unexpected(published.error());
  }
}

void SourceTask::fillRow(AssetRow& row, const AssetCooker::Cooked& cooked, const ItemDescription& item) const {
  const CookResult& result = cooked.result;
  row.key = cooked.key.hex();
  row.codec = result.codec;
  row.measures = result.measures;
  row.rawBytes = result.rawBytes;
  row.memoryBytes = result.memoryBytes;
  row.artifactBytes = result.outputs.empty() ? 0 : result.outputs.front().blob.bytes;
  row.seconds = result.seconds;
  row.log = result.log;
  row.outputs.clear();
  // A lossless result has no tolerance to show.
  if (!result.error && result.toleranceM == 0) row.toleranceM = row.metresPerPixel = 0;
  for (const CookResult::Output& output : result.outputs)
    row.outputs.push_back({outputPath(m_path, item.id, item.named && !output.perSource, output.suffix),
                           output.blob.digest, output.blob.bytes});
}

Result<bool> SourceTask::publish(const AssetRow& row, const CookResult& result) {
  bool wrote = false;
  for (std::size_t i = 0; i < row.outputs.size(); ++i) {
    const PublishedOutput& output = row.outputs[i];
    if (m_shared.dryRun) {
      wrote = wrote || !m_shared.publisher.stands(output);
      continue;
    }
    const auto load = [&]() -> Result<Bytes> {
      SIMMER_TRY(bytes, m_shared.store.blob(output.digest));
      if (!bytes) return fail(ErrorCode::NotFound, "the cache has lost {}", output.digest.hex());
      return std::move(*bytes);
    };
    const double errorMm = result.outputs[i].perSource ? -1 : row.worldErrorMm();
    auto written = m_shared.publisher.publish(m_path, output, errorMm, load);
    if (!written && written.error().code == ErrorCode::Io) written.error().where = "output " + output.path;
    if (!written) return written;
    wrote = wrote || *written;
  }
  return wrote;
}

void SourceTask::keepLastGoodOutputs(AssetRow& row, bool allOfSource) {
  row.outputs.clear();
  for (const AssetRow& before : m_rowsBefore) {
    if (!allOfSource && before.item != row.item) continue;
    for (const PublishedOutput& output : before.outputs) {
      const bool have = std::find(row.outputs.begin(), row.outputs.end(), output) != row.outputs.end();
      if (have || !m_shared.publisher.stands(output)) continue;
      m_shared.publisher.keep(output.path);
      row.outputs.push_back(output);
    }
  }
}

void SourceTask::addDependencies(const std::vector<std::string>& paths) {
  const std::lock_guard lock(m_mutex);
  m_dependencies.insert(paths.begin(), paths.end());
}

void SourceTask::addHistory(StateDb::Changes& changes) const {
  const auto find = [](const std::vector<AssetRow>& rows, const std::string& item) {
    return std::find_if(rows.begin(), rows.end(), [&](const AssetRow& row) { return row.item == item; });
  };
  for (const AssetRow& row : m_rows) {
    const auto before = find(m_rowsBefore, row.item);
    const bool ran = row.state == AssetState::Cooked;
    if (ran || before == m_rowsBefore.end() || !sameResult(*before, row)) changes.rows.push_back(row);
  }
  for (const AssetRow& row : m_rowsBefore)
    if (find(m_rows, row.item) == m_rows.end()) changes.removed.emplace_back(m_path, row.item);
}

std::optional<StateDb::SourceState> SourceTask::stateAfter() {
  if (m_rows.empty()) return std::nullopt;
  const std::vector<std::string> dependencies(m_dependencies.begin(), m_dependencies.end());
  StateDb::SourceState state{{}, dependencies, StateDb::joinRows(m_rows)};
  // Without a fingerprint that can match, the next run goes through the source again.
  if (m_settled)
    if (const auto now = fingerprint(dependencies)) state.fingerprint = *now;
  return state;
}

}  // namespace simmer
