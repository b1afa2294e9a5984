#pragma once

// All that an asset plugin sees of Simmer. Free of Qt. PLUGINS.md beside this file shows how to write one.

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cooker/base/bytes.h"
#include "cooker/base/result.h"
#include "cooker/plugin/setting.h"

namespace simmer {

/// The only way to the disk. The framework hashes the very bytes it hands out; each read is a dependency of what
/// comes of it, and a file that was asked for and absent is one too.
class SourceReader {
 public:
  virtual ~SourceReader() = default;

  /// The source's own file name, without its folder: "walk.bvh".
  virtual std::string_view sourceName() const = 0;
  /// The file at a path relative to the source's folder, '/' between folders, UTF-8. sourceName() gives the source
  /// itself. NotFound when it is absent; InvalidInput when the path leaves the source tree or names no regular file.
  virtual Result<Bytes> read(std::string_view pathNextToSource) = 0;
};

/// Given to every call of a plugin, for the time of the call. Safe to use from the calling thread only.
class Context {
 public:
  enum class Level { Info, Warning };
  virtual ~Context() = default;

  /// How much is done, from 0 to 1.
  virtual void progress(double fraction) = 0;
  /// Whether somebody asked to stop. A long call looks at it and returns Cancelled.
  virtual bool cancelled() const = 0;
  /// A line for whoever looks at the asset. Kept with the result.
  virtual void log(Level level, std::string_view text) = 0;
};

/// How the tolerance of an asset comes about: pixels allowed × object height ÷ on-screen height, or a length outright.
/// The on-screen height is given, or follows from a camera: object height × viewport ÷ (2 × distance × tan(fov ÷ 2)).
struct ToleranceRule {
  double pixelBudget = 0.5;             ///< pixels of error allowed on the screen
  double screenHeightPx = 540;          ///< how tall the object stands on the screen, in pixels; not with a distance
  std::optional<double> distanceM;      ///< of the camera from the object, metres; then the camera decides the height
  double fovDeg = 60;                   ///< the camera's vertical field of view, degrees
  double viewportPx = 1080;             ///< height of the camera's picture, pixels
  std::optional<double> objectHeightM;  ///< its height in the world, in metres; measured from the source when empty
  std::optional<double> toleranceM;     ///< metres of error allowed; when set, nothing else decides

  /// The tolerance in metres for a source of this measured height (metres). A height that is not above zero counts as
  /// 1.8 m, the height of a person.
  double resolve(double measuredHeightM) const;
  /// Metres of the world to one pixel of the screen.
  double metresPerPixel(double measuredHeightM) const;
  /// The object's height in the world: given, measured, or a person's (metres).
  double heightM(double measuredHeightM) const;
  /// How tall the object stands on the screen, in pixels.
  double onScreenPx(double measuredHeightM) const;

  bool operator==(const ToleranceRule&) const = default;
};

/// One thing that can be cooked out of a source, for example one clip of a glTF file.
struct ItemDescription {
  std::string id;               ///< its name in the source, "#2" added for a duplicate
  bool named = false;           ///< false where the format has no names; then the id stands in no output's name
  double heightM = 0;           ///< measured height of the object in metres; 0 when the source has none
  double durationS = 0;         ///< 0 when it has no length in time
  Settings embedded;            ///< settings that stand in the asset itself (glTF `extras.simmer`)
  std::string heightFrom = {};  ///< what the height was measured from, for a person: "the rest pose"
};

/// What a source holds. A source without items is fine: there is nothing to cook.
struct Description {
  std::vector<ItemDescription> items;
  /// For each table of the metadata the names that it can address, for example the joints.
  std::map<std::string, std::vector<std::string>, std::less<>> names;
  std::vector<std::string> warnings;  ///< what a person should know, one sentence each
};

/// What a table such as [joint."hand_*"] sets.
struct TableSettings {
  std::string table;    ///< "joint"
  std::string pattern;  ///< a glob for names
  Settings settings;    ///< those that it sets, checked
  bool operator==(const TableSettings&) const = default;
};

/// What to cook: an item, and all settings that decide its bytes.
struct Request {
  std::string item;
  Settings settings;  ///< every setting of the plugin's metadata
  ToleranceRule tolerance;
  std::vector<TableSettings> tables;  ///< of several that match a name and set the same, the last one holds
};

/// One file that a cook gives.
struct Output {
  std::string suffix;      ///< the end of its name, without the dot: "clip"
  bool perSource = false;  ///< shared by all items of the source ("fox.glb.skeleton"); each must give the same bytes
  Bytes bytes;
};

/// What a cook gives. The first output is the item's own.
struct Artifact {
  std::vector<Output> outputs;
  double toleranceM = 0;          ///< the resolved tolerance, metres; 0 when there is nothing to lose
  double objectHeightM = 0;       ///< the height it was resolved with, metres
  std::string codec;              ///< how the bytes came about, for a person: "article cubic, quantised"
  std::uint64_t rawBytes = 0;     ///< the item uncompressed
  std::uint64_t memoryBytes = 0;  ///< what the loaded result takes at run time
};

/// One measured figure of an artifact.
struct Measure {
  std::string quantity;  ///< "world error", "joint error", "scalar error", …
  double value = 0;
  std::optional<double> bound;  ///< what `value` must not exceed; empty when it is for information only
  std::string unit;             ///< "mm", "relative", "bytes", …
  bool operator==(const Measure&) const = default;
};
using Measures = std::vector<Measure>;

/// The quantity by which the recipe's tolerance is enforced. A plugin that loses anything reports it, in mm, with the
/// tolerance as its bound.
inline constexpr std::string_view kWorldError = "world error";

/// A span of time that a viewer shows.
struct Window {
  double startS = 0;
  double endS = 0;
  std::uint32_t samples = 0;  ///< how many evenly spaced moments; at least 1
};

/// What a plugin's own command is given.
struct Arguments {
  std::vector<std::string> words;  ///< the words behind the command
  std::ostream& out;               ///< what was asked for
  std::ostream& err;               ///< what went wrong
  bool terminal = false;           ///< whether `out` is a terminal, which may be given colour
};

/// An asset plugin. Stateless and deterministic: the same request over the same bytes gives the same bytes on every
/// machine, compiler and number of threads. Calls may come from several threads at once. Nothing of it throws
/// anything but std::bad_alloc.
class AssetPlugin {
 public:
  virtual ~AssetPlugin() = default;

  /// What the source holds. `import` are the settings marked import in the metadata. Kept by source digest, import
  /// settings and plugin version.
  virtual Result<Description> describe(const Settings& import, SourceReader&, Context&) const = 0;
  /// One item as bytes. ToleranceUnmet when no encoding meets the tolerance.
  virtual Result<Artifact> cook(const Request&, SourceReader&, Context&) const = 0;
  /// How far the artifact is from a fresh import of the source, decoded by the code that the game runs.
  virtual Result<Measures> measure(const Request&, SourceReader&, const Artifact&, Context&) const = 0;
  /// What a viewer shows of an item and, when given, of its artifact. The form is the plugin's own; its documentation
  /// specifies it.
  virtual Result<Bytes> inspect(const Request&, SourceReader&, const Artifact*, Window, Context&) const {
    return fail(ErrorCode::Unsupported, "this plugin has no view of its assets");
  }
  /// A command that the metadata declares. Gives the exit code of the process.
  virtual int run(std::string_view command, Arguments&, Context&) const;
};

}  // namespace simmer
