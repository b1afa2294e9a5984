#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "cooker/report/cook_text.h"
#include "cooker/report/escape.h"
#include "cooker/report/html_parts.h"
#include "cooker/report/numbers.h"
#include "cooker/report/treemap.h"

namespace simmer {
namespace {

constexpr double kWidth = 1200, kHeight = 480;  // units; a unit of height is a CSS pixel, widths follow the page
constexpr double kHead = 18;                    // of a folder: its name
constexpr double kLeastArea = 9;                // a tile of 3 × 3
constexpr std::size_t kMostTiles = 2000;

struct Tile {
  std::string name;    // as a tooltip shows it
  std::string label;   // inside the tile
  std::string folder;  // of its source
  double bytes = 0;
  double raw = 0, cooked = 0;  // of what has a ratio
  double used = -1;            // largest part of its tolerance; below 0: none
  bool failed = false;
  std::size_t files = 1;
};
struct Folder {
  std::string name;
  std::vector<Tile> tiles;
  double bytes = 0;
};

/// The step of `value` among rising limits: 1 below the first of them, 7 from the last on.
int stepOf(double value, const std::array<double, 6>& limits) {
  return 1 +
         static_cast<int>(std::count_if(limits.begin(), limits.end(), [&](double limit) { return value >= limit; }));
}

/// u1…u7: part of the tolerance that is used; r1…r7: ratio, the worst in step 7; 0 where there is none.
std::string classesOf(const Tile& tile) {
  if (tile.failed) return "bad";
  return fmt::format(
      "u{} r{}", tile.used < 0 ? 0 : stepOf(tile.used, {0.5, 0.7, 0.8, 0.9, 0.95, 0.99}),
      tile.cooked > 0 && tile.raw > 0 ? 8 - stepOf(tile.raw / tile.cooked, {15, 30, 60, 125, 250, 500}) : 0);
}

std::string folderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}
std::string lastPart(const std::string& path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

Tile tileOf(const AssetRow& row, const PublishedOutput& output, bool main) {
  Tile tile;
  tile.bytes = static_cast<double>(output.bytes);
  tile.folder = folderOf(row.source);
  const std::string name = main ? assetName(row) : output.path;
  tile.label = main && row.named ? row.item : lastPart(name);
  tile.name = fmt::format("{}\n{}", name, bytesText(output.bytes));
  tile.failed = row.state == AssetState::Failed;
  if (tile.failed) {
    tile.name += ", last good output of a failed asset";
  } else if (main) {
    tile.raw = static_cast<double>(row.rawBytes);
    tile.cooked = static_cast<double>(row.artifactBytes);
    tile.name += fmt::format(", {} smaller than raw", ratioText(row.rawBytes, row.artifactBytes));
    if (row.toleranceM > 0 && row.worldErrorMm() >= 0) {
      tile.used = row.worldErrorMm() / 1000 / row.toleranceM;
      tile.name += fmt::format(", error {} of {} mm ({})", errorMmText(row.worldErrorMm(), row.toleranceM * 1000),
                               toleranceMmText(row.toleranceM * 1000), usedText(tile.used));
    }
  }
  return tile;
}

/// The folder a source counts for: the first one in which it is not with all the others.
std::string upperFolder(const std::string& source, const std::string& common) {
  const std::size_t slash = source.find('/', common.size());
  return slash == std::string::npos ? common.substr(0, common.empty() ? 0 : common.size() - 1)
                                    : source.substr(0, slash);
}

/// The path that all sources begin with, up to a '/'.
std::string commonFolder(const std::vector<AssetRow>& rows) {
  if (rows.empty()) return {};
  const std::string &first = rows.front().source, &last = rows.back().source;  // sorted
  const auto differs = std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first;
  const std::string common(first.begin(), differs);
  return common.substr(0, common.rfind('/') + 1);  // npos + 1 is 0
}

std::vector<Folder> foldersOf(const ProjectReport& report) {
  std::vector<Folder> folders;
  std::unordered_map<std::string, std::size_t> index;
  std::unordered_map<std::string_view, bool> seen;
  const std::string common = commonFolder(report.now.rows);
  for (const AssetRow& row : report.now.rows)
    for (std::size_t o = 0; o < row.outputs.size(); ++o) {
      if (!seen.emplace(row.outputs[o].path, true).second) continue;
      const auto [at, fresh] = index.emplace(upperFolder(row.source, common), folders.size());
      if (fresh) folders.push_back({at->first, {}, 0});
      Folder& folder = folders[at->second];
      folder.tiles.push_back(tileOf(row, row.outputs[o], o == 0));
      folder.bytes += folder.tiles.back().bytes;
    }
  return folders;
}

/// The bytes below which a file has no tile of its own: it could not be seen, or there are too many.
double leastBytes(const std::vector<Folder>& folders) {
  double total = 0;
  std::size_t files = 0;
  for (const Folder& folder : folders) {
    total += folder.bytes;
    files += folder.tiles.size();
  }
  const double visible = total * kLeastArea / (kWidth * kHeight);
  return files > kMostTiles ? std::max(visible, total / kMostTiles) : visible;
}

void mergeInto(Tile& merged, const Tile& tile) {
  merged.files += tile.files;
  merged.bytes += tile.bytes;
  merged.raw += tile.raw;
  merged.cooked += tile.cooked;
  merged.used = std::max(merged.used, tile.used);
}

std::size_t depthOf(const std::string& folder) {
  return folder.empty() ? 0 : static_cast<std::size_t>(std::count(folder.begin(), folder.end(), '/')) + 1;
}

void nameMerged(Tile& tile, bool all) {
  const std::string count = countText(tile.files);
  tile.label = all ? count + " more" : fmt::format("{}/ · {}", lastPart(tile.folder), count);
  tile.name = fmt::format("{} in {}\n{}", all ? count + " more" : countOf(tile.files, "file", "files"),
                          tile.folder.empty() ? "the source folder" : tile.folder,
                          bytesText(static_cast<std::uint64_t>(tile.bytes)));
}

/// Files that are too small become one tile of their folder; where that is too small too, of the folder above, and in
/// the end "n more" of the uppermost.
void foldSmall(Folder& folder, double least) {
  std::vector<Tile> kept, small;
  std::size_t depth = 0;
  for (Tile& tile : folder.tiles) {
    depth = std::max(depth, depthOf(tile.folder));
    (tile.bytes >= least ? kept : small).push_back(std::move(tile));
  }
  const std::size_t top = depthOf(folder.name);
  for (; !small.empty(); --depth) {
    std::map<std::string, Tile> merged;
    std::vector<Tile> others;
    for (Tile& tile : small) {
      if (depthOf(tile.folder) < depth) {
        others.push_back(std::move(tile));
        continue;
      }
      const auto [at, fresh] = merged.try_emplace(tile.folder);
      if (fresh) at->second.files = 0;
      at->second.folder = tile.folder;
      mergeInto(at->second, tile);
    }
    for (auto& [path, tile] : merged) {
      const bool last = depth <= top;
      nameMerged(tile, last);
      if (!last && tile.bytes < least) tile.folder = folderOf(path);
      (last || tile.bytes >= least ? kept : others).push_back(std::move(tile));
    }
    small = std::move(others);
    if (depth <= top) break;
  }
  folder.tiles = std::move(kept);
}

/// Folders that are too small become one without a name.
void foldFolders(std::vector<Folder>& folders, double least) {
  Folder rest;
  Tile tile;
  tile.files = 0;
  std::erase_if(folders, [&](const Folder& folder) {
    if (folder.bytes >= least) return false;
    for (const Tile& one : folder.tiles) mergeInto(tile, one);
    return true;
  });
  if (tile.files == 0) return;
  nameMerged(tile, true);
  rest.name = "other folders";
  rest.bytes = tile.bytes;
  rest.tiles.push_back(std::move(tile));
  folders.push_back(std::move(rest));
}

std::string rectSvg(const TreemapRect& rect, const Tile& tile) {
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}</title></rect>\n",
      classesOf(tile), rect.x, rect.y, rect.width, rect.height, markupText(tile.name));
}

/// Text lies above the tiles as HTML, so that it is not stretched with them.
std::string labelHtml(const TreemapRect& rect, const std::string& text, const std::string& classes) {
  return fmt::format("<span class=\"{}\" style=\"left:{:.2f}%;top:{:.1f}px;width:{:.2f}%\">{}</span>\n", classes,
                     rect.x / kWidth * 100, rect.y, rect.width / kWidth * 100, markupText(cleanLine(text)));
}

void drawFolder(const Folder& folder, const TreemapRect& frame, std::string& tiles, std::string& labels) {
  const bool named = frame.height > 2 * kHead && frame.width > 40;
  const double head = named ? kHead : 0;
  if (named)
    labels += labelHtml(frame,
                        fmt::format("{} · {}", folder.name.empty() ? "the source folder" : folder.name,
                                    bytesText(static_cast<std::uint64_t>(folder.bytes))),
                        frame.width < 200 ? "head small" : "head");
  std::vector<double> values;
  for (const Tile& tile : folder.tiles) values.push_back(tile.bytes);
  const std::vector<TreemapRect> rects = squarify(values, {frame.x, frame.y + head, frame.width, frame.height - head});
  for (std::size_t i = 0; i < rects.size(); ++i) {
    if (rects[i].width <= 0) continue;
    tiles += rectSvg(rects[i], folder.tiles[i]);
    if (rects[i].width >= 70 && rects[i].height >= 18)
      labels += labelHtml(rects[i], folder.tiles[i].label,
                          classesOf(folder.tiles[i]) + (rects[i].width < 200 ? " small" : ""));
  }
}

std::string legendHtml() {
  std::string steps;
  for (int i = 1; i <= 7; ++i) steps += fmt::format("<i class=\"s{}\"></i>", i);
  return "<div class=\"legend\"><label><input type=\"radio\" name=\"colour\" value=\"by-ratio\" checked> ratio"
         "</label> <label><input type=\"radio\" name=\"colour\" value=\"by-used\"> tolerance used</label>"
         "<span class=\"scale for-used\">little " +
         steps + " all of it</span><span class=\"scale for-ratio\">saves most " + steps +
         " saves least</span><span class=\"scale\"><i class=\"s0\"></i> has none</span></div>\n";
}

}  // namespace

std::string treemapHtml(const ProjectReport& report) {
  std::vector<Folder> folders = foldersOf(report);
  const double least = leastBytes(folders);
  foldFolders(folders, least);
  std::vector<double> values;
  for (Folder& folder : folders) {
    foldSmall(folder, least);
    values.push_back(folder.bytes);
  }
  const std::vector<TreemapRect> frames = squarify(values, {0, 0, kWidth, kHeight});
  std::string tiles, labels;
  for (std::size_t i = 0; i < folders.size(); ++i) drawFolder(folders[i], frames[i], tiles, labels);
  if (tiles.empty()) return "<p>Nothing is published.</p>\n";
  return fmt::format(
      "{}<div class=\"map\"><svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"Published "
      "bytes by folder and file\">\n{}</svg>\n{}</div>\n",
      legendHtml(), kWidth, kHeight, tiles, labels);
}

}  // namespace simmer
