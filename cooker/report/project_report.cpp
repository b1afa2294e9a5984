#include "cooker/report/project_report.h"

#include <algorithm>

#include "cooker/base/file.h"
#include "cooker/engine/publisher.h"
#include "cooker/report/moment.h"
#include "cooker/report/read_report.h"
#include "cooker/scan/walk.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxReportBytes = std::uint64_t{1} << 30;

Error nothingCooked() {
  return {ErrorCode::NotFound, "nothing was cooked yet: simmer cook", {}};
}

std::uint64_t manifestBytes(const Project& project) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(project.output() / kManifestName, error);
  return error ? 0 : size;
}

Result<const HistoryRun*> findRun(const std::vector<HistoryRun>& runs, const std::string& text, const Moment& moment) {
  if (const HistoryRun* run = runAt(runs, moment)) return run;
  if (runs.empty()) return fail(ErrorCode::NotFound, "the history is empty: it begins with the next cook");
  const HistoryRun &first = runs.front(), &last = runs.back();
  if (moment.kind == Moment::Kind::Run)
    return fail(ErrorCode::NotFound, "there is no run {}; the history goes from #{} to #{}", text, first.id, last.id);
  return fail(ErrorCode::NotFound, "the history begins later than {}: with #{} of {}", text, first.id,
              timeText(first.timeMs));
}

Result<ProjectState> readBaseline(const fs::path& file) {
  auto text = readFile(file, kMaxReportBytes);
  if (!text) {
    text.error().where = file.string();
    return tl::unexpected(text.error());
  }
  auto state = readReport(asText(*text));
  if (!state) {
    state.error().where = file.string();
    return state;
  }
  state->label = fmt::format("{} of {}", file.filename().string(), timeText(state->timeMs));
  return state;
}

/// The state that a person names: a report's, or that of a point in history.
Result<ProjectState> findState(StateDb& database, const std::vector<HistoryRun>& runs, const std::string& what,
                               std::int64_t nowMs) {
  const auto moment = parseMoment(what, nowMs, DayEdge::End);
  if (moment) {
    SIMMER_TRY(run, findRun(runs, what, *moment));
    return stateAfter(database.history(), *run);
  }
  if (moment.error().code != ErrorCode::NotFound) return tl::unexpected(moment.error());
  std::error_code error;
  if (fs::exists(what, error)) return readBaseline(what);
  return fail(ErrorCode::InvalidInput,
              "'{}' is neither a file nor a point in history: expected a report written with --json, {}", what,
              kMomentForms);
}

/// What the last cook left.
Result<ProjectState> lastState(StateDb& database, const Project& project) {
  auto now = currentState(database, manifestBytes(project));
  if (!now && now.error().code == ErrorCode::Corrupt)
    now.error().message = "what the last cook left can not be read; simmer cook writes it anew: " + now.error().message;
  return now;
}

Result<Since> findSince(const std::vector<HistoryRun>& runs, const ReportRequest& request) {
  auto moment = parseMoment(request.since, request.nowMs, DayEdge::Start);
  if (!moment && moment.error().code == ErrorCode::NotFound)
    return fail(ErrorCode::InvalidInput, "'{}' is no point in history: expected {}", request.since, kMomentForms);
  if (!moment) return tl::unexpected(moment.error());
  Since since;
  const HistoryRun* from = runAt(runs, *moment);
  if (moment->kind != Moment::Kind::Time) {
    SIMMER_TRY(named, findRun(runs, request.since, *moment));
    from = named;
  }
  since.label = from ? fmt::format("#{} of {}", from->id, timeText(from->timeMs)) : "nothing was cooked by then";
  if (from) since.from = *from;
  for (const HistoryRun& run : runs)
    if (!from || run.id > from->id) since.runs.push_back(run);
  return since;
}

std::string relativeTo(const fs::path& root, const fs::path& folder) {
  const std::string relative = folder.lexically_relative(root).generic_string();
  return relative.empty() ? folder.filename().string() : relative;
}

/// What a person may have meant otherwise, and names that the scan could not take.
Result<std::vector<Error>> warningsOf(const Project& project) {
  auto tree = walkTree(project.source(), {{project.output(), project.stateFolder()}, {}, 1});
  if (!tree) {
    tree.error().where = "source folder " + project.source().string();
    return tl::unexpected(tree.error());
  }
  std::vector<std::string_view> paths;
  for (const TreeFile& file : tree->files) paths.push_back(file.path);
  std::vector<Error> warnings = project.warnings(paths);
  for (const TreeProblem& problem : tree->problems)
    warnings.push_back({ErrorCode::InvalidInput, problem.message, problem.path});
  return warnings;
}

/// Takes the project's place on this machine out of a message.
void hidePlace(std::string& message, const std::string& root) {
  if (root.size() < 2) return;
  for (std::size_t at = message.find(root + "/"); at != std::string::npos; at = message.find(root + "/", at))
    message.erase(at, root.size() + 1);
}

template <class Better>
std::vector<const AssetRow*> best(const std::vector<AssetRow>& rows, std::size_t most, Better better) {
  std::vector<const AssetRow*> list;
  for (const AssetRow& row : rows)
    if (row.state != AssetState::Failed && row.state != AssetState::Ignored) list.push_back(&row);
  std::stable_sort(list.begin(), list.end(), better);
  if (list.size() > most) list.resize(most);
  return list;
}

double usedBy(const AssetRow& row) {
  return row.toleranceM > 0 ? row.worldErrorMm() / 1000 / row.toleranceM : -1;
}

}  // namespace

std::vector<const AssetRow*> ProjectReport::failed() const {
  std::vector<const AssetRow*> list;
  for (const AssetRow& row : now.rows)
    if (row.state == AssetState::Failed) list.push_back(&row);
  return list;
}

std::vector<const AssetRow*> ProjectReport::largest() const {
  return best(now.rows, top, [](auto* a, auto* b) { return a->artifactBytes > b->artifactBytes; });
}

std::vector<const AssetRow*> ProjectReport::mostUsed() const {
  auto list = best(now.rows, top, [](auto* a, auto* b) { return usedBy(*a) > usedBy(*b); });
  std::erase_if(list, [](const AssetRow* row) { return usedBy(*row) < 0; });
  return list;
}

Verdict ProjectReport::verdict() const {
  Verdict worst = Verdict::Fine;
  for (const BudgetVerdict& budget : budgets) worst = std::max(worst, budget.verdict);
  return worst;
}

Result<ProjectReport> makeReport(const Project& project, const ReportRequest& request) {
  std::error_code error;
  if (!fs::exists(project.stateFolder() / "state.db", error)) return tl::unexpected(nothingCooked());
  SIMMER_TRY(database, StateDb::open(project.stateFolder()));
  auto now = lastState(database, project);
  if (!now) return tl::unexpected(now.error());
  SIMMER_TRY(runs, database.history().runs());
  if (now->rows.empty() && runs.empty()) return tl::unexpected(nothingCooked());
  std::erase_if(runs, [](const HistoryRun& run) { return !run.finished; });
  if (!request.at.empty()) now = findState(database, runs, request.at, request.nowMs);
  if (!now) return tl::unexpected(now.error());
  ProjectReport report;
  report.name = project.root().filename().string();
  report.sourcePath = relativeTo(project.root(), project.source());
  report.outputPath = relativeTo(project.root(), project.output());
  report.timeMs = request.nowMs;
  report.top = request.top;
  report.now = std::move(*now);
  for (AssetRow& row : report.now.rows) hidePlace(row.message, project.root().string());
  report.profiles = sumsByProfile(report.now.rows);
  report.folders = sumsByFolder(report.now.rows);
  SIMMER_TRY(warnings, warningsOf(project));
  report.warnings = std::move(warnings);
  std::optional<ProjectState> baseline;
  if (!request.baseline.empty()) {
    SIMMER_TRY(found, findState(database, runs, request.baseline, request.nowMs));
    baseline = std::move(found);
    report.comparison = compare(*baseline, report.now);
  }
  if (!request.since.empty()) {
    SIMMER_TRY(since, findSince(runs, request));
    report.since = std::move(since);
  }
  report.budgets = checkBudgets(project.budgets(), report.now, baseline ? &*baseline : nullptr, request.top);
  report.runs = std::move(runs);
  return report;
}

}  // namespace simmer
