"""Who may include whom. DESIGN's order, folder by folder; a folder that is not named here is refused."""

BASE = "cooker/base/"
PLUGIN_SEES = [BASE, "cooker/plugin/plugin_api.h", "cooker/plugin/setting.h"]
ANIMATION = "plugins/animation/"

# A folder (everything below it, unless a longer row matches) and what its files may include besides that folder itself.
MAY_INCLUDE = {
    "cooker/base/": [],
    "cache/": [BASE],
    "cooker/plugin/": [BASE],
    "cooker/policy/": [BASE, "cooker/plugin/", "cache/"],
    "cooker/scan/": [BASE, "cooker/plugin/", "cache/", "cooker/policy/"],
    "cooker/watch/": [BASE, "cooker/plugin/", "cache/", "cooker/policy/"],
    "cooker/engine/": [BASE, "cooker/plugin/", "cache/", "cooker/policy/", "cooker/scan/", "cooker/watch/"],
    "cooker/worker/": [BASE, "cooker/plugin/", "cache/", "cooker/policy/", "cooker/scan/", "cooker/watch/",
                       "cooker/engine/"],
    "cooker/report/": [BASE, "cooker/plugin/", "cache/", "cooker/policy/", "cooker/scan/", "cooker/watch/",
                       "cooker/engine/", "cooker/worker/"],
    "cooker/server/": [BASE, "cooker/plugin/", "cache/", "cooker/policy/", "cooker/scan/", "cooker/watch/",
                       "cooker/engine/", "cooker/worker/"],
    "cooker/cli/": ["cooker/", "cache/"],
    "plugins/deflate/": PLUGIN_SEES,
    "plugins/example/": PLUGIN_SEES,
    # The game's decoder: nothing of ours, so that a game takes the folder and no more.
    ANIMATION + "runtime/": [],
    ANIMATION + "clip/": PLUGIN_SEES,
    ANIMATION + "codec/": PLUGIN_SEES + [ANIMATION + "clip/", ANIMATION + "runtime/"],
    # A raw file has no skeleton of its own: it is the article's rig.
    ANIMATION + "import/": PLUGIN_SEES + [ANIMATION + "clip/", ANIMATION + "codec/article/"],
    ANIMATION + "export/": PLUGIN_SEES + [ANIMATION + part for part in ("clip/", "codec/", "import/", "runtime/")],
    ANIMATION + "analyze/": PLUGIN_SEES + [ANIMATION + part for part in ("clip/", "codec/", "import/", "runtime/")],
    ANIMATION + "demo/": PLUGIN_SEES + [ANIMATION + part
                                        for part in ("clip/", "codec/", "import/", "runtime/", "export/")],
    ANIMATION: PLUGIN_SEES,  # the plugin itself, above all its parts
    "tests/": ["cooker/", "cache/", "plugins/"],
}

# Headers that only these files (as globs) may include: the one tie between plugins and Qt.
ONLY_FROM = {
    "cooker/plugin/qt_plugin.h": ["plugins/*/plugin.cpp", "cooker/plugin/catalog.cpp", "tests/*"],
}

# Headers that the build writes, and the file they come from.
GENERATED = {"cache/schema_sql.h": "cache/schema.sql"}

# Where a header of Qt may be included at all.
QT_ALLOWED = ["cooker/plugin/catalog.cpp", "cooker/plugin/qt_plugin.h", "cooker/watch/*", "cooker/worker/*",
              "cooker/server/*", "cooker/cli/*", "plugins/*/plugin.cpp", "tests/*"]

# Folders whose system headers are those of the standard library alone.
STANDARD_ONLY = [ANIMATION + "runtime/"]

TOP_LEVEL = ["cooker", "plugins", "gui", "cache", "tests", "CMakeLists.txt", "CMakePresets.json", "README.md",
             "CHANGELOG.md", "LICENSE", "run", "test"]

MAX_LINES = 400
