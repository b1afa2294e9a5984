#include "cooker/engine/cook_session.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <numeric>

#include "cache/key.h"
#include "cooker/engine/summary.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

/// For each of the two trees: the one that takes longer goes on with both cores of a small machine.
constexpr unsigned kWalkThreads = 2;
constexpr std::size_t kSaveEvery = 256;  // sources

/// Walks the output tree; one that is not there yet is empty.
Result<Tree> walkOutputs(const Project& project) {
  std::error_code error;
  const auto kind = fs::status(project.output(), error).type();
  if (kind != fs::file_type::not_found && kind != fs::file_type::directory)
    return fail(ErrorCode::InvalidInput, "there is something else than a folder in its place");
  auto tree = walkTree(project.output(), {{}, {}, kWalkThreads});
  if (!tree && tree.error().code == ErrorCode::NotFound) return Tree{};
  return tree;
}

bool isSidecar(std::string_view path) {
  return path.ends_with(kSidecarSuffix);
}
bool isProjectFile(std::string_view path) {
  return path == kProjectFileName;
}

}  // namespace

CookSession::CookSession(const Project& project, const Catalog& catalog, Executor& executor,
                         const StoreOpener& openStore, const CookOptions& options)
    : m_project(project), m_catalog(catalog), m_executor(executor), m_openStore(openStore), m_options(options) {}

Result<CookReport> CookSession::run() {
  const auto start = std::chrono::steady_clock::now();
  SIMMER_CHECK(walkTrees());
  SIMMER_TRY(state, StateDb::open(m_project.stateFolder()));
  m_state = std::move(state);
  SIMMER_TRY(nothingChanged, takeSnapshot());
  if (!nothingChanged) {
    SIMMER_CHECK(cookSources());
    SIMMER_CHECK(finish());
  }
  m_report.problems = m_sources.problems;
  m_report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  tell(CookEnded{m_report.totals, m_report.cancelled});
  return std::move(m_report);
}

/// Both trees at once: a run in which nothing changed consists of little else.
Result<void> CookSession::walkTrees() {
  m_walkedAtNs = fileClockNs();
  auto outputs = std::async(std::launch::async, [this] {
    auto tree = walkOutputs(m_project);
    if (tree) m_outputsDigest = tree->digest();
    return tree;
  });
  auto sources = walkTree(m_project.source(), {{m_project.output(), m_project.stateFolder()}, {}, kWalkThreads});
  if (sources) m_sourcesDigest = sources->digest();
  auto walkedOutputs = outputs.get();
  if (!sources) {
    Error error = sources.error();
    error.where = "source folder " + m_project.source().string();
    return tl::unexpected(error);
  }
  if (!walkedOutputs) {
    Error error = walkedOutputs.error();
    error.where = "output folder " + m_project.output().string();
    return tl::unexpected(error);
  }
  m_sources = std::move(*sources);
  m_outputs = std::move(*walkedOutputs);
  return {};
}

Digest CookSession::snapshotFingerprint() const {
  KeyText text;
  text.add("summary", kSummarySchema);
  text.add("project", m_project.digest());
  text.add("output", m_project.output().string());
  for (const PluginMetadata* plugin : m_catalog.plugins()) text.add("plugin", plugin->versionText());
  text.add("sources", m_sourcesDigest);
  text.add("outputs", m_outputsDigest);
  return text.key();
}

Result<bool> CookSession::takeSnapshot() {
  if (m_options.force || !m_options.only.empty()) return false;
  SIMMER_TRY(snapshot, m_state->snapshot());
  if (!snapshot || snapshot->fingerprint != snapshotFingerprint()) return false;
  auto summary = Summary::fromJson(snapshot->summary);
  if (!summary) return false;
  m_report.totals = summary->totals;
  m_report.rows = std::move(summary->failed);
  m_report.warnings = std::move(summary->warnings);
  if (m_report.totals.assets <= m_options.unchangedRows) {
    auto rows = m_state->rows();
    if (!rows && rows.error().code == ErrorCode::Corrupt) return false;  // written by another version: made anew
    if (!rows) return tl::unexpected(rows.error());
    m_report.rows = std::move(*rows);
    for (AssetRow& row : m_report.rows) row.settle();
  }
  m_report.nothingChanged = true;
  return true;
}

bool CookSession::wanted(std::string_view path) const {
  if (isSidecar(path) || isProjectFile(path) || m_project.ignored(path)) return false;
  const auto covers = [&](const std::string& only) {
    return path == only || only.empty() || (path.starts_with(only) && path[only.size()] == '/');
  };
  return m_options.only.empty() || std::any_of(m_options.only.begin(), m_options.only.end(), covers);
}

Result<void> CookSession::cookSources() {
  SIMMER_TRY(statCache, m_state->statCache());
  SIMMER_TRY(before, m_state->sources());
  SIMMER_TRY(published, m_state->outputs());
  SIMMER_TRY(store, m_openStore());
  m_before = std::move(before);
  m_digests = std::make_unique<TreeDigests>(m_project.source(), m_sources, *statCache);
  m_publisher = std::make_unique<Publisher>(m_project.output(), m_outputs, std::move(published));
  m_cooker = std::make_unique<AssetCooker>(AssetCooker::Environment{m_project.source(), m_executor, *store, *m_digests,
                                                                    [this] { return cancelled(); }, m_options.force,
                                                                    m_options.dryRun});
  m_shared = std::make_unique<CookShared>(
      CookShared{m_project, m_catalog, *m_digests, *m_publisher, *m_cooker, *store, m_options.force, m_options.dryRun});
  for (const TreeFile& file : m_sources.files) {
    if (!wanted(file.path)) continue;
    const auto known = m_before.find(file.path);
    m_tasks.push_back(
        std::make_unique<SourceTask>(*m_shared, file.path, known == m_before.end() ? nullptr : &known->second));
  }
  std::vector<std::string_view> paths;
  for (const TreeFile& file : m_sources.files) paths.push_back(file.path);
  m_report.warnings = m_project.warnings(paths);
  tell(CookStarted{m_tasks.size()});
  for (const std::size_t index : largestFirst()) m_queue.push([this, index] { startSource(index); });
  m_queue.run(std::max(1U, m_options.jobs));
  m_report.cancelled = cancelled();
  SIMMER_CHECK(store->flush());
  return {};
}

/// A large source that starts last would keep one thread busy while the others have nothing left to do.
std::vector<std::size_t> CookSession::largestFirst() const {
  std::vector<std::size_t> order(m_tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return m_digests->sizeOf(m_tasks[a]->path()) > m_digests->sizeOf(m_tasks[b]->path());
  });
  return order;
}

void CookSession::startSource(std::size_t index) {
  if (cancelled()) return;
  SourceTask& task = *m_tasks[index];
  const std::size_t items = task.begin();
  // In front of other sources, so that what this one keeps in memory is free soon.
  for (std::size_t item = items; item-- > 0;)
    m_queue.push([this, index, item] { cookItem(index, item); }, WorkQueue::Place::Front);
  if (items == 0) sourceDone(task);
}

void CookSession::cookItem(std::size_t index, std::size_t item) {
  SourceTask& task = *m_tasks[index];
  if (task.cookItem(item)) sourceDone(task);
}

Result<void> CookSession::saveOutputs() {
  StateDb::Changes changes;
  changes.outputs = m_publisher->takeChanges();
  return m_state->apply(changes);
}

void CookSession::sourceDone(SourceTask& task) {
  const std::lock_guard lock(m_telling);
  ++m_done;
  // So that a run that is killed leaves few files in the output tree that nobody knows of.
  if (m_done % kSaveEvery == 0 && !m_options.dryRun && m_saved) m_saved = saveOutputs();
  if (!m_options.events) return;
  if (!task.unchanged())
    for (const AssetRow& row : task.rows()) m_options.events(AssetDone{row});
  m_options.events(SourceDone{task.path(), m_done, m_tasks.size()});
}

void CookSession::tell(const CookEvent& event) {
  const std::lock_guard lock(m_telling);
  if (m_options.events) m_options.events(event);
}

Result<void> CookSession::finish() {
  SIMMER_CHECK(m_saved);
  StateDb::Changes changes;
  std::set<std::string> walked;
  bool settled = true;
  for (const auto& task : m_tasks) {
    if (m_report.cancelled && !task->finished()) {
      settled = false;
      continue;
    }
    walked.insert(task->path());
    settled = settled && task->settled();
    if (!task->unchanged() && !m_options.dryRun) {
      changes.sources[task->path()] = task->stateAfter();
      task->addHistory(changes);
    }
    std::move(task->rows().begin(), task->rows().end(), std::back_inserter(m_report.rows));
  }
  m_report.totals = totalsOf(m_report.rows);
  m_report.describeRuns = m_cooker->runs().describe;
  m_report.cookRuns = m_cooker->runs().cook;
  m_report.measureRuns = m_cooker->runs().measure;
  if (m_options.dryRun) return {};
  // A source that the scan passes over now (gone, ignored) has nothing to publish.
  const auto isThere = [&](const std::string& path) { return m_digests->has(path) && !m_project.ignored(path); };
  for (const auto& [path, state] : m_before)
    if (!isThere(path)) forget(path, state, changes);
  m_report.outputsRemoved =
      m_publisher->removeGone([&](const std::string& source) { return walked.count(source) != 0 || !isThere(source); });
  auto manifestBytes = m_publisher->writeManifest();
  if (!manifestBytes) {
    manifestBytes.error().where = (m_project.output() / kManifestName).string();
    return tl::unexpected(manifestBytes.error());
  }
  changes.outputs = m_publisher->takeChanges();
  m_report.totals.shippedBytes = m_publisher->shippedBytes() + *manifestBytes;
  changes.totals = totalsAfter(changes);
  SIMMER_CHECK(m_state->apply(changes));
  SIMMER_TRY(statCache, m_state->statCache());
  statCache->keepOnly(m_sources);
  SIMMER_CHECK(statCache->flush());
  return settled && m_options.only.empty() ? rememberSnapshot() : m_state->setSnapshot(std::nullopt);
}

/// A source that is gone, with its assets.
void CookSession::forget(const std::string& path, const StateDb::SourceState& state, StateDb::Changes& changes) {
  changes.sources[path] = std::nullopt;
  if (const auto rows = StateDb::splitRows(state.rows))
    for (const AssetRow& row : *rows) changes.removed.emplace_back(path, row.item);
}

/// The totals of the whole project, also after a run that went through a part of it.
Totals CookSession::totalsAfter(const StateDb::Changes& changes) const {
  if (m_options.only.empty() && !m_report.cancelled) return m_report.totals;
  std::map<std::string, std::string> rows;  // by source
  for (const auto& [path, state] : m_before) rows[path] = state.rows;
  for (const auto& [path, state] : changes.sources) rows[path] = state ? state->rows : std::string();
  std::vector<AssetRow> all;
  for (const auto& [path, text] : rows) {
    auto some = StateDb::splitRows(text);
    if (some) std::move(some->begin(), some->end(), std::back_inserter(all));  // else it counts as never cooked
  }
  Totals totals = totalsOf(all);
  totals.shippedBytes = m_report.totals.shippedBytes;
  return totals;
}

/// What lets the next run see at a glance that nothing changed.
Result<void> CookSession::rememberSnapshot() {
  const bool racy =
      m_digests->sawRacyFile() || std::any_of(m_sources.files.begin(), m_sources.files.end(),
                                              [&](const TreeFile& file) { return isRacy(file.stamp, m_walkedAtNs); });
  if (racy) return m_state->setSnapshot(std::nullopt);
  SIMMER_TRY(outputs, walkOutputs(m_project));
  m_outputsDigest = outputs.digest();
  return m_state->setSnapshot(StateDb::Snapshot{snapshotFingerprint(), Summary::of(m_report).toJsonText()});
}

}  // namespace simmer
