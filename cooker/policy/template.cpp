#include "cooker/policy/project.h"
#include "cooker/policy/sidecar_edit.h"

namespace simmer {
namespace {

constexpr std::string_view kTemplate = R"toml(# What Simmer cooks, and how much error a player could see.
#
#   tolerance = pixel_budget x object height / screen_height_px
#
# A person of 1.8 m who stands 256 pixels tall has 1.8 m / 256 = 7.03 mm to a pixel: an error of less can not be seen.
# Where nothing is said, half a pixel at 540 pixels is allowed: 1.67 mm for 1.8 m.

[project]
source = @SOURCE@    # the folder with the files to cook
output = @OUTPUT@    # where the results go; may lie inside the source folder
ignore = [".*", "*~", "*.bak", "*.tmp"]    # files and folders that are left alone

# [cache]
# path = "../shared-cache"    # to share it between checkouts; .simmer/cache.db when absent
# limit = "10 GB"

# A profile is a class of assets that are seen in the same way.

[profile.hero]    # fills the screen and is looked at closely: 0.83 mm
screen_height_px = 1080
pixel_budget = 0.5
object_height_m = 1.8    # without it, the height is measured in each source

[profile.npc]    # somebody who stands there: 7.03 mm
screen_height_px = 256
pixel_budget = 1.0
object_height_m = 1.8

[profile.background]    # somebody in the crowd: 28.13 mm
screen_height_px = 64
pixel_budget = 1.0
object_height_m = 1.8

# Rules say which files a profile is for. A pattern with a '/' is for the whole path below the source folder ("**" is
# any number of folders), one without for the file name. Of several rules that set the same value, the last one holds.

[[rule]]
match = "hero/**"
profile = "hero"

[[rule]]
match = "npc/**"
profile = "npc"

[[rule]]
match = "background/**"
profile = "background"

# Files that are no clips: made smaller, nothing lost.

[[rule]]
match = "*.{txt,md,json,csv,png,ppm}"
plugin = "deflate"

# A rule may set a value itself, and a file that has to differ gets a sidecar: walk.bvh.simmer.toml beside walk.bvh.
#
# [[rule]]
# match = "hero/cutscene/**"
# tolerance_mm = 0.2
)toml";

void replaceOnce(std::string& text, std::string_view mark, const std::string& value) {
  text.replace(text.find(mark), mark.size(), value);
}

}  // namespace

std::string projectTemplate(std::string_view source, std::string_view output) {
  std::string text(kTemplate);
  // From the end, so that a mark inside a value stays what it is.
  replaceOnce(text, "@OUTPUT@", tomlText(SettingValue(std::string(output))));
  replaceOnce(text, "@SOURCE@", tomlText(SettingValue(std::string(source))));
  return text;
}

}  // namespace simmer
