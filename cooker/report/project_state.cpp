#include "cooker/report/project_state.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "cooker/engine/output_name.h"
#include "cooker/engine/summary.h"
#include "cooker/report/moment.h"

namespace simmer {
namespace {

constexpr std::size_t kLongName = 100;  // bytes of a file or clip name; longer ones may have been cut

std::uint64_t sumOf(const FileBytes& files) {
  std::uint64_t sum = 0;
  for (const auto& [path, bytes] : files) sum += bytes;
  return sum;
}

/// The endings of all names, without the dot.
std::set<std::string> endingsOf(const FileBytes& files) {
  std::set<std::string> endings;
  for (const auto& [path, bytes] : files) endings.insert(path.substr(path.rfind('.') + 1));
  return endings;
}

/// Tells whose a published file is. Names end in what the engine appended to the source's name and the clip's.
class Owners {
 public:
  Owners(const std::vector<AssetRow>& rows, const FileBytes& files) : m_endings(endingsOf(files)) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const AssetRow& row = rows[i];
      add(m_assets, row, row.named, i);
      if (row.named && (i == 0 || rows[i - 1].source != row.source)) add(m_sources, row, false, i);
    }
  }

  /// The asset that a file belongs to alone, or the first one of the source whose assets share it.
  struct Owner {
    std::size_t row = 0;
    bool shared = false;
  };
  std::optional<Owner> of(const std::string& path) const {
    for (std::size_t end = path.size() + 1; end != std::string::npos + 1;) {
      // First the whole name, then up to each dot, from the last one on.
      const std::string head = path.substr(0, end);
      if (const auto found = m_assets.find(head); found != m_assets.end()) return Owner{found->second, false};
      if (const auto found = m_sources.find(head); found != m_sources.end()) return Owner{found->second, true};
      const std::size_t from = end > path.size() ? std::string::npos : end < 2 ? 0 : end - 2;
      if (from == 0) break;
      end = path.rfind('.', from) + 1;
    }
    return std::nullopt;
  }

 private:
  using Index = std::unordered_map<std::string, std::size_t>;

  void add(Index& index, const AssetRow& row, bool named, std::size_t at) const {
    std::string name = outputPath(row.source, row.item, named, "");
    const std::size_t fileName = row.source.size() - (row.source.rfind('/') + 1);
    if (fileName > kLongName || (named && row.item.size() > kLongName))
      for (const std::string& ending : m_endings) index.emplace(outputPath(row.source, row.item, named, ending), at);
    index.emplace(std::move(name), at);
  }

  std::set<std::string> m_endings;
  Index m_assets, m_sources;
};

/// Keeps of the outputs those that stand, and their bytes.
void settleOutputs(ProjectState& state) {
  for (AssetRow& row : state.rows) {
    std::erase_if(row.outputs, [&](const PublishedOutput& output) { return !state.files.contains(output.path); });
    for (PublishedOutput& output : row.outputs) output.bytes = state.files.at(output.path);
    row.settle();
  }
}

}  // namespace

void attachOutputs(std::vector<AssetRow>& rows, const FileBytes& files) {
  const Owners owners(rows, files);
  std::vector<std::pair<std::size_t, PublishedOutput>> shared;
  for (const auto& [path, bytes] : files) {
    const auto owner = owners.of(path);
    if (!owner) continue;
    if (owner->shared) {
      shared.emplace_back(owner->row, PublishedOutput{path, {}, bytes});
      continue;
    }
    // The artifact comes first; only its size is known.
    AssetRow& row = rows[owner->row];
    const bool first =
        row.outputs.empty() || (row.outputs.front().bytes != row.artifactBytes && bytes == row.artifactBytes);
    row.outputs.insert(first ? row.outputs.begin() : row.outputs.end(), PublishedOutput{path, {}, bytes});
  }
  for (const auto& [at, output] : shared)
    for (std::size_t i = at; i < rows.size() && rows[i].source == rows[at].source; ++i)
      rows[i].outputs.push_back(output);
}

Result<ProjectState> currentState(StateDb& database, std::uint64_t manifestBytes) {
  ProjectState state;
  SIMMER_TRY(rows, database.rows());
  SIMMER_TRY(outputs, database.outputs());
  SIMMER_TRY(runs, database.history().runs());
  for (const auto& [path, output] : outputs) state.files.emplace(path, output.stamp.size);
  state.rows = std::move(rows);
  if (!runs.empty()) {
    state.run = runs.back().id;
    state.timeMs = runs.back().timeMs;
    state.label = fmt::format("#{} of {}", state.run, timeText(state.timeMs));
  }
  settleOutputs(state);
  state.totals = totalsOf(state.rows);
  state.totals.shippedBytes = sumOf(state.files) + manifestBytes;
  return state;
}

Result<ProjectState> stateAfter(History history, const HistoryRun& run) {
  ProjectState state;
  SIMMER_TRY(rows, history.assetsAt(run.id));
  SIMMER_TRY(files, history.outputsAt(run.id));
  state.rows = std::move(rows);
  state.files = std::move(files);
  attachOutputs(state.rows, state.files);
  settleOutputs(state);
  state.totals = totalsOf(state.rows);
  // The manifest has no entry of its own.
  state.totals.shippedBytes = run.totals.shippedBytes;
  state.run = run.id;
  state.timeMs = run.timeMs;
  state.label = fmt::format("#{} of {}", run.id, timeText(run.timeMs));
  return state;
}

Totals totalsOfRows(const std::vector<const AssetRow*>& rows) {
  Totals totals;
  std::set<std::string_view> shared, shipped;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const AssetRow& row = *rows[i];
    const bool first = i == 0 || row.source != rows[i - 1]->source;
    totals.add(row, first);
    if (first) shared.clear();
    if (first) shipped.clear();
    for (std::size_t o = 0; o < row.outputs.size(); ++o) {
      const PublishedOutput& output = row.outputs[o];
      if (o > 0 && row.state != AssetState::Failed && shared.insert(output.path).second)
        totals.artifactBytes += output.bytes;
      if (shipped.insert(output.path).second) totals.shippedBytes += output.bytes;
    }
  }
  return totals;
}

void addTotals(Totals& to, const Totals& more) {
  constexpr std::uint64_t Totals::*kSums[] = {
      &Totals::sources,       &Totals::assets,      &Totals::cooked,       &Totals::cached,      &Totals::unchanged,
      &Totals::failed,        &Totals::ignored,     &Totals::stale,        &Totals::sourceBytes, &Totals::rawBytes,
      &Totals::artifactBytes, &Totals::memoryBytes, &Totals::shippedBytes, &Totals::overBound};
  for (const auto member : kSums) to.*member += more.*member;
  to.worstErrorMm = std::max(to.worstErrorMm, more.worstErrorMm);
  to.worstUsed = std::max(to.worstUsed, more.worstUsed);
}

void forEachSource(const std::vector<AssetRow>& rows,
                   const std::function<void(const std::vector<const AssetRow*>&)>& visit) {
  std::vector<const AssetRow*> some;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    some.push_back(&rows[i]);
    if (i + 1 < rows.size() && rows[i + 1].source == rows[i].source) continue;
    visit(some);
    some.clear();
  }
}

std::vector<GroupSum> sumsByProfile(const std::vector<AssetRow>& rows) {
  std::map<std::string, Totals> sums;
  forEachSource(rows, [&](const std::vector<const AssetRow*>& source) {
    std::map<std::string_view, std::vector<const AssetRow*>> parts;
    for (const AssetRow* row : source) parts[row->profile].push_back(row);
    for (const auto& [profile, part] : parts) addTotals(sums[std::string(profile)], totalsOfRows(part));
  });
  std::vector<GroupSum> list;
  for (auto& [profile, totals] : sums)
    if (!profile.empty()) list.push_back({profile, totals});
  if (const auto none = sums.find(""); none != sums.end()) list.push_back({"", none->second});
  return list;
}

std::vector<GroupSum> sumsByFolder(const std::vector<AssetRow>& rows) {
  std::map<std::string, Totals> sums;
  forEachSource(rows, [&](const std::vector<const AssetRow*>& source) {
    const Totals totals = totalsOfRows(source);
    const std::string& path = source.front()->source;
    addTotals(sums[""], totals);
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
      addTotals(sums[path.substr(0, slash)], totals);
  });
  std::vector<GroupSum> list;
  list.reserve(sums.size());
  for (auto& [folder, totals] : sums) list.push_back({folder, totals});
  return list;
}

}  // namespace simmer
