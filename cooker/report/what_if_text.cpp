#include "cooker/report/what_if_text.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "cooker/engine/json.h"
#include "cooker/report/cook_text.h"
#include "cooker/report/numbers.h"
#include "cooker/report/table.h"

namespace simmer {
namespace {

using Align = TextTable::Align;

struct Sum {
  std::uint64_t now = 0, then = 0;
  std::size_t assets = 0, changed = 0;

  void add(const WhatIfAsset& asset) {
    now += asset.now.artifactBytes;
    then += asset.bytes;
    ++assets;
    changed += asset.changes ? 1 : 0;
  }
};
using Sums = std::map<std::string, Sum>;

/// The first folder of a path; "." for files at the top.
std::string topFolder(const std::string& path) {
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

Sum total(const WhatIf& answer) {
  Sum sum;
  for (const WhatIfAsset& asset : answer.assets) sum.add(asset);
  return sum;
}

template <class Name>
Sums sumsBy(const WhatIf& answer, Name name) {
  Sums sums;
  for (const WhatIfAsset& asset : answer.assets) sums[name(asset)].add(asset);
  return sums;
}

std::string profileOf(const WhatIfAsset& asset) {
  return asset.profile.empty() ? "(none)" : asset.profile;
}

std::string differenceText(std::uint64_t now, std::uint64_t then) {
  if (now == then) return "±0 B";
  return then < now ? "−" + bytesText(now - then) : "+" + bytesText(then - now);
}

std::string percentText(std::uint64_t now, std::uint64_t then) {
  if (now == 0 || now == then) return "";
  const double percent = 100 * (static_cast<double>(then) / static_cast<double>(now) - 1);
  return fmt::format("{}{:.1f} %", percent < 0 ? "−" : "+", std::abs(percent));
}

void addSum(TextTable& table, const std::string& name, const Sum& sum) {
  table.add({name, countText(sum.assets), countText(sum.changed), bytesText(sum.now), bytesText(sum.then),
             differenceText(sum.now, sum.then), percentText(sum.now, sum.then)});
}

std::string sumsText(const WhatIf& answer, std::size_t width) {
  TextTable table({{"", Align::Left},
                   {"assets", Align::Right},
                   {"change", Align::Right},
                   {"now", Align::Right},
                   {"then", Align::Right},
                   {"difference", Align::Right},
                   {"", Align::Right}});
  addSum(table, "total", total(answer));
  for (const auto& [name, sum] : sumsBy(answer, profileOf)) addSum(table, "profile " + name, sum);
  for (const auto& [name, sum] : sumsBy(answer, [](auto& asset) { return topFolder(asset.now.source); }))
    addSum(table, "folder " + name, sum);
  return table.text(width);
}

std::uint64_t distance(const WhatIfAsset& asset) {
  return std::max(asset.bytes, asset.now.artifactBytes) - std::min(asset.bytes, asset.now.artifactBytes);
}

std::string mostText(const WhatIf& answer, std::size_t top, std::size_t width) {
  std::vector<const WhatIfAsset*> changed;
  for (const WhatIfAsset& asset : answer.assets)
    if (asset.bytes != asset.now.artifactBytes) changed.push_back(&asset);
  std::stable_sort(changed.begin(), changed.end(), [](auto* a, auto* b) { return distance(*a) > distance(*b); });
  if (changed.size() > top) changed.resize(top);
  TextTable table({{"changes most", Align::Left},
                   {"profile", Align::Left},
                   {"tolerance mm", Align::Right},
                   {"then", Align::Right},
                   {"now", Align::Right},
                   {"then", Align::Right},
                   {"difference", Align::Right}});
  for (const WhatIfAsset* asset : changed)
    table.add({assetName(asset->now), asset->profile, toleranceMmText(asset->now.toleranceM * 1000),
               toleranceMmText(asset->toleranceM * 1000), bytesText(asset->now.artifactBytes), bytesText(asset->bytes),
               differenceText(asset->now.artifactBytes, asset->bytes)});
  return table.empty() ? std::string() : "\n" + table.text(width);
}

Json sumJson(const Sum& sum) {
  return {{"assets", sum.assets}, {"changed", sum.changed}, {"now_bytes", sum.now}, {"then_bytes", sum.then}};
}

Json sumsJson(const Sums& sums) {
  Json list = Json::array();
  for (const auto& [name, sum] : sums) {
    Json json = {{"name", name}};
    json.update(sumJson(sum));
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

std::string whatIfText(const WhatIf& answer, std::string_view title, std::size_t top, std::size_t width) {
  const auto count = [&](auto what) {
    return static_cast<std::uint64_t>(std::count_if(answer.assets.begin(), answer.assets.end(), what));
  };
  std::string text = fmt::format("what if {}\n\n{}{}", title, sumsText(answer, width), mostText(answer, top, width));
  if (const auto estimated = count([](auto& asset) { return asset.estimated; }))
    text += fmt::format("\n{} estimated from draft cooks; --exact cooks them\n", countOf(estimated, "size", "sizes"));
  for (const WhatIfAsset& asset : answer.assets)
    if (!asset.failure.empty()) text += fmt::format("✕ {}\n    {}\n", assetName(asset.now), asset.failure);
  if (answer.notCooked > 0)
    text += fmt::format("! {} no result yet and left out: `simmer cook` first\n",
                        answer.notCooked == 1 ? "1 asset has" : countText(answer.notCooked) + " assets have");
  if (answer.cancelled) text += "Stopped: what was not looked at counts as it is now.\n";
  return text;
}

std::string whatIfJson(const WhatIf& answer) {
  Json assets = Json::array();
  for (const WhatIfAsset& asset : answer.assets)
    assets.push_back({{"source", asset.now.source},
                      {"clip", asset.now.item},
                      {"profile", asset.profile},
                      {"changes", asset.changes},
                      {"estimated", asset.estimated},
                      {"now_bytes", asset.now.artifactBytes},
                      {"then_bytes", asset.bytes},
                      {"now_tolerance_mm", asset.now.toleranceM * 1000},
                      {"then_tolerance_mm", asset.toleranceM * 1000},
                      {"failure", asset.failure}});
  const auto folder = [](auto& asset) { return topFolder(asset.now.source); };
  return dump({{"total", sumJson(total(answer))},
               {"profiles", sumsJson(sumsBy(answer, profileOf))},
               {"folders", sumsJson(sumsBy(answer, folder))},
               {"assets", assets},
               {"not_cooked", answer.notCooked},
               {"cancelled", answer.cancelled}},
              1) +
         "\n";
}

}  // namespace simmer
