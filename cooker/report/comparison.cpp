#include "cooker/report/comparison.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "cooker/report/cook_text.h"
#include "cooker/report/numbers.h"

namespace simmer {
namespace {

/// Which asset gives a file, and whether the file is that asset's own.
struct Giver {
  const AssetRow* row = nullptr;
  bool main = false;
};
using Givers = std::unordered_map<std::string_view, Giver>;

Givers giversOf(const ProjectState& state) {
  Givers givers;
  for (const AssetRow& row : state.rows)
    for (std::size_t o = 0; o < row.outputs.size(); ++o) givers.try_emplace(row.outputs[o].path, Giver{&row, o == 0});
  return givers;
}

Giver giverOf(const Givers& givers, const std::string& path) {
  const auto found = givers.find(path);
  return found == givers.end() ? Giver{} : found->second;
}

/// Numbers that went through a database or a text.
bool nearlyEqual(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

std::uint64_t sizeOf(const FileChange& change) {
  return change.after > change.before ? change.after - change.before : change.before - change.after;
}

void addChange(Comparison& comparison, FileChange::Kind kind, const std::string& path, std::uint64_t before,
               std::uint64_t after, const Giver& was, const Giver& is) {
  FileChange change;
  change.kind = kind;
  change.path = path;
  change.before = before;
  change.after = after;
  const Giver& giver = is.row ? is : was;
  change.name = giver.main ? assetName(*giver.row) : path;
  if (giver.row) {
    change.source = giver.row->source;
    change.item = giver.main ? giver.row->item : std::string();
    change.profile = giver.row->profile;
  }
  if (was.row && is.row) change.cause = causeOf(*was.row, *is.row);
  comparison.changes.push_back(std::move(change));
}

}  // namespace

std::string_view toString(FileChange::Kind kind) {
  constexpr std::string_view kTexts[] = {"grew", "shrank", "new", "gone"};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string causeOf(const AssetRow& before, const AssetRow& after) {
  std::vector<std::string> causes;
  const auto orNone = [](const std::string& name) { return name.empty() ? std::string("none") : name; };
  if (before.profile != after.profile)
    causes.push_back(fmt::format("profile {} → {}", orNone(before.profile), orNone(after.profile)));
  if (!nearlyEqual(before.toleranceM, after.toleranceM))
    causes.push_back(fmt::format("tolerance {} → {} mm", toleranceMmText(before.toleranceM * 1000),
                                 toleranceMmText(after.toleranceM * 1000)));
  if (before.codec != after.codec)
    causes.push_back(fmt::format("codec {} → {}", orNone(before.codec), orNone(after.codec)));
  if (before.rawBytes != after.rawBytes)
    causes.push_back(fmt::format("{} ({} raw)", after.rawBytes > before.rawBytes ? "longer" : "shorter",
                                 growthText(before.rawBytes, after.rawBytes)));
  else if (causes.empty() && before.sourceBytes != after.sourceBytes)
    causes.push_back("source changed");
  if (causes.empty() && before.key != after.key) causes.push_back("source or settings changed");
  return fmt::format("{}", fmt::join(causes, ", "));
}

Comparison compare(const ProjectState& before, const ProjectState& after) {
  Comparison comparison;
  comparison.label = before.label;
  comparison.timeMs = before.timeMs;
  comparison.run = before.run;
  comparison.before = before.totals;
  comparison.profiles = sumsByProfile(before.rows);
  comparison.folders = sumsByFolder(before.rows);
  const Givers were = giversOf(before), are = giversOf(after);
  for (const auto& [path, bytes] : after.files) {
    const auto old = before.files.find(path);
    const Giver was = giverOf(were, path), is = giverOf(are, path);
    if (old == before.files.end())
      addChange(comparison, FileChange::Kind::New, path, 0, bytes, was, is);
    else if (old->second != bytes)
      addChange(comparison, bytes > old->second ? FileChange::Kind::Grew : FileChange::Kind::Shrank, path, old->second,
                bytes, was, is);
  }
  for (const auto& [path, bytes] : before.files)
    if (!after.files.contains(path))
      addChange(comparison, FileChange::Kind::Gone, path, bytes, 0, giverOf(were, path), giverOf(are, path));
  std::stable_sort(comparison.changes.begin(), comparison.changes.end(),
                   [](const FileChange& a, const FileChange& b) { return sizeOf(a) > sizeOf(b); });
  return comparison;
}

}  // namespace simmer
