#include "cooker/report/report_sarif.h"

#include <charconv>

#include "cooker/engine/json.h"
#include "cooker/report/cook_text.h"
#include "cooker/report/escape.h"
#include "cooker/report/report_text.h"

namespace simmer {
namespace {

constexpr std::string_view kSettingsEnd = "simmer.toml:";

/// The number that `text` begins with, which is taken from it; 0 when there is none.
int takeNumber(std::string_view& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 1) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

Json locationJson(const std::string& path, const char* base, int line, int column) {
  Json place = {{"artifactLocation", {{"uri", uriPath(path)}, {"uriBaseId", base}}}};
  if (line > 0) {
    place["region"] = {{"startLine", line}};
    if (column > 0) place["region"]["startColumn"] = column;
  }
  return {{"physicalLocation", place}};
}

/// Where a message's place is: the project file stands beside the sources' folder, sidecars stand in it.
Json placedLocation(const PlacedMessage& message, const std::string& source) {
  if (message.file == kProjectFileName) return locationJson(message.file, "PROJECT", message.line, message.column);
  return locationJson(message.file.empty() ? source : message.file, "SOURCES", message.line, message.column);
}

Json resultJson(const char* rule, int ruleIndex, const char* level, const std::string& text, Json location,
                const std::string& identity) {
  Json result = {{"ruleId", rule},
                 {"ruleIndex", ruleIndex},
                 {"level", level},
                 {"message", {{"text", cleanText(text)}}},
                 {"locations", Json::array()},
                 {"partialFingerprints", {{"simmerResult/v1", sha256(identity).hex()}}}};
  result["locations"].push_back(std::move(location));
  return result;
}

Json ruleJson(const char* id, const char* name, const char* text, const char* level) {
  return {
      {"id", id}, {"name", name}, {"shortDescription", {{"text", text}}}, {"defaultConfiguration", {{"level", level}}}};
}

void addFailures(Json& results, const ProjectReport& report) {
  for (const AssetRow* row : report.failed()) {
    const PlacedMessage placed = splitPlace(row->message);
    std::string text = assetName(*row) + ": " + placed.text;
    if (!row->outputs.empty()) text += ". Its last good output ships.";
    results.push_back(resultJson("asset-failed", 0, "error", text, placedLocation(placed, row->source),
                                 "asset-failed\n" + row->source + "\n" + row->item));
  }
}

void addBudgets(Json& results, const ProjectReport& report) {
  for (const BudgetVerdict& verdict : report.budgets) {
    if (verdict.verdict != Verdict::Exceeded) continue;
    std::string text = "budget " + verdict.budget.name + ":";
    for (const LimitCheck& check : verdict.limits)
      if (check.verdict == Verdict::Exceeded) text += " " + limitText(check) + ".";
    for (const Culprit& culprit : verdict.culprits) text += "\n" + culpritText(culprit);
    const Budget& budget = verdict.budget;
    results.push_back(resultJson("budget-exceeded", 1, "error", text,
                                 locationJson(kProjectFileName, "PROJECT", budget.line, budget.column),
                                 "budget-exceeded\n" + budget.name));
  }
}

void addWarnings(Json& results, const ProjectReport& report) {
  for (const Error& warning : report.warnings) {
    const PlacedMessage placed = splitPlace(warning.where + ": " + warning.message);
    const bool settings = !placed.file.empty();
    Json location = settings ? placedLocation(placed, {}) : locationJson(warning.where, "SOURCES", 0, 0);
    results.push_back(resultJson("warning", 2, "warning", settings ? placed.text : warning.message, std::move(location),
                                 "warning\n" + warning.text()));
  }
}

/// A folder as a URI that names are appended to.
std::string folderUri(const std::string& path) {
  return path == "." ? "./" : uriPath(path) + "/";
}

}  // namespace

PlacedMessage splitPlace(const std::string& message) {
  PlacedMessage placed;
  placed.text = message;
  std::string_view rest = message;
  if (take(rest, "line ")) {
    placed.line = takeNumber(rest);
    return placed;
  }
  const std::size_t end = message.find(kSettingsEnd);
  const std::size_t colon = message.find(": ");
  if (end == std::string::npos || colon < end) return placed;
  rest.remove_prefix(end + kSettingsEnd.size());
  const int line = takeNumber(rest);
  if (line == 0 || !take(rest, ":")) return placed;
  const int column = takeNumber(rest);
  if (!take(rest, ": ")) return placed;
  return {message.substr(0, end + kSettingsEnd.size() - 1), line, column, std::string(rest)};
}

std::string reportSarif(const ProjectReport& report, std::string_view programVersion) {
  Json results = Json::array();
  addFailures(results, report);
  addBudgets(results, report);
  addWarnings(results, report);
  const Json rules = Json::array(
      {ruleJson("asset-failed", "AssetFailed",
                "An asset could not be cooked; its last good output, if any, still ships.", "error"),
       ruleJson("budget-exceeded", "BudgetExceeded", "A [[budget]] of simmer.toml is exceeded.", "error"),
       ruleJson("warning", "Warning", "A setting or a file that may have been meant otherwise.", "warning")});
  const Json run = {{"tool", {{"driver", {{"name", "Simmer"}, {"semanticVersion", programVersion}, {"rules", rules}}}}},
                    {"columnKind", "unicodeCodePoints"},
                    {"originalUriBaseIds",
                     {{"PROJECT", {{"description", {{"text", "The folder of simmer.toml."}}}}},
                      {"SOURCES", {{"uri", folderUri(report.sourcePath)}, {"uriBaseId", "PROJECT"}}}}},
                    {"results", results}};
  return dump({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
               {"version", "2.1.0"},
               {"runs", Json::array({run})}},
              1) +
         "\n";
}

}  // namespace simmer
