"""Tests of the checkers: small trees that break one rule each are refused, and a good one is not."""

import json
import os
import shutil
import tempfile
import unittest

import formatting
import headers
import includes
import layout
import tidy


class Tree:
    def __init__(self, files):
        self.folder = tempfile.TemporaryDirectory()
        self.root = os.path.realpath(self.folder.name)
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(self.root, path)), exist_ok=True)
            with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
                file.write(text)

    def __enter__(self):
        return self.root

    def __exit__(self, *_):
        self.folder.cleanup()


def include(*headers_of_it):
    return "".join(f"#include {header}\n" for header in headers_of_it)


GOOD = {
    "cooker/base/bytes.h": include("<vector>"),
    "cooker/plugin/plugin_api.h": include('"cooker/base/bytes.h"'),
    "cooker/plugin/qt_plugin.h": include("<QtPlugin>", '"cooker/plugin/plugin_api.h"'),
    "cooker/plugin/catalog.h": include('"cooker/plugin/plugin_api.h"'),
    "cooker/engine/engine.h": include('"cooker/plugin/catalog.h"', '"cooker/base/bytes.h"'),
    "plugins/deflate/deflate.h": include('"cooker/plugin/plugin_api.h"'),
    "plugins/deflate/plugin.cpp": include('"cooker/plugin/qt_plugin.h"', '"plugins/deflate/deflate.h"',
                                          '"plugin.moc"'),
    "plugins/animation/clip/clip.h": include('"cooker/base/bytes.h"'),
    "plugins/animation/codec/codec.h": include('"plugins/animation/clip/clip.h"'),
    "plugins/animation/runtime/runtime.h": include("<cstdint>", "<stddef.h>"),
    "plugins/animation/animation.h": include('"plugins/animation/codec/codec.h"'),
}


class Includes(unittest.TestCase):
    def problems(self, changes):
        with Tree({**GOOD, **changes}) as root:
            return includes.check(root)

    def test_a_good_tree_passes(self):
        self.assertEqual(self.problems({}), [])

    def test_what_stands_later_is_refused(self):
        self.assertEqual(self.problems({"cooker/base/a.cpp": include('"cooker/plugin/plugin_api.h"')}),
                         ["cooker/base/a.cpp: cooker/base/ may not include cooker/plugin/plugin_api.h"])

    def test_the_framework_knows_no_plugin(self):
        self.assertEqual(self.problems({"cooker/engine/a.cpp": include('"plugins/animation/clip/clip.h"')}),
                         ["cooker/engine/a.cpp: cooker/engine/ may not include plugins/animation/clip/clip.h"])

    def test_a_plugin_sees_the_plugin_interface_only(self):
        self.assertEqual(self.problems({"plugins/deflate/a.cpp": include('"cooker/plugin/catalog.h"')}),
                         ["plugins/deflate/a.cpp: plugins/deflate/ may not include cooker/plugin/catalog.h"])
        self.assertEqual(self.problems({"plugins/animation/a.cpp": include('"cooker/engine/engine.h"')}),
                         ["plugins/animation/a.cpp: plugins/animation/ may not include cooker/engine/engine.h"])

    def test_a_plugin_sees_no_other_plugin(self):
        self.assertEqual(self.problems({"plugins/deflate/a.cpp": include('"plugins/animation/clip/clip.h"')}),
                         ["plugins/deflate/a.cpp: plugins/deflate/ may not include plugins/animation/clip/clip.h"])
        self.assertEqual(self.problems({"plugins/animation/a.cpp": include('"plugins/deflate/deflate.h"')}),
                         ["plugins/animation/a.cpp: plugins/animation/ may not include plugins/deflate/deflate.h"])

    def test_parts_of_the_animation_plugin_keep_their_order(self):
        self.assertEqual(self.problems({"plugins/animation/clip/a.cpp": include('"plugins/animation/codec/codec.h"')}),
                         ["plugins/animation/clip/a.cpp: plugins/animation/clip/ may not include "
                          "plugins/animation/codec/codec.h"])
        self.assertEqual(self.problems({"plugins/animation/codec/a.cpp": include('"plugins/animation/animation.h"')}),
                         ["plugins/animation/codec/a.cpp: plugins/animation/codec/ may not include "
                          "plugins/animation/animation.h"])

    def test_the_runtime_includes_nothing_of_ours(self):
        self.assertEqual(self.problems({"plugins/animation/runtime/a.cpp": include('"cooker/base/bytes.h"')}),
                         ["plugins/animation/runtime/a.cpp: plugins/animation/runtime/ may not include "
                          "cooker/base/bytes.h"])
        self.assertEqual(self.problems({"plugins/animation/runtime/a.cpp": include("<fmt/format.h>")}),
                         ["plugins/animation/runtime/a.cpp: <fmt/format.h> is not of the standard library"])

    def test_only_plugin_cpp_knows_qt(self):
        self.assertEqual(self.problems({"plugins/deflate/a.cpp": include('"cooker/plugin/qt_plugin.h"')}),
                         ["plugins/deflate/a.cpp: cooker/plugin/qt_plugin.h is only for plugins/*/plugin.cpp, "
                          "cooker/plugin/catalog.cpp, tests/*"])
        self.assertEqual(self.problems({"plugins/deflate/a.cpp": include("<QString>")}),
                         ["plugins/deflate/a.cpp: <QString> is Qt, which has no place here"])

    def test_includes_start_at_the_root(self):
        self.assertEqual(self.problems({"plugins/deflate/a.cpp": '#  include "deflate.h"\n'}),
                         ['plugins/deflate/a.cpp: "deflate.h" is no file of the tree; includes start at its root'])

    def test_a_cycle_is_refused(self):
        problems = self.problems({"cooker/base/a.h": include('"cooker/base/b.h"'),
                                  "cooker/base/b.h": include('"cooker/base/a.h"')})
        self.assertEqual(problems, ["cooker/base/a.h: includes itself: "
                                    "cooker/base/a.h > cooker/base/b.h > cooker/base/a.h"])

    def test_a_folder_without_a_row_is_refused(self):
        self.assertEqual(self.problems({"cooker/misc/a.h": ""}),
                         ["cooker/misc/a.h: its folder has no row in tests/layering/rules.py"])


class Layout(unittest.TestCase):
    def problems(self, files):
        with Tree(files) as root:
            return layout.check(root)

    def test_a_good_tree_passes(self):
        self.assertEqual(self.problems({"README.md": "", ".hidden": "", "cooker/base/a.cpp": "\n" * 400,
                                        "cooker/base/README.md": "\n" * 500}), [])

    def test_the_top_level_is_closed(self):
        problems = self.problems({"notes.txt": ""})
        self.assertEqual(len(problems), 1)
        self.assertTrue(problems[0].startswith("notes.txt: not allowed at the top level"))

    def test_long_files_are_refused(self):
        self.assertEqual(self.problems({"tests/a.cpp": "\n" * 401, "tests/README.md": ""}),
                         ["tests/a.cpp: 401 lines, expected at most 400"])

    def test_paths_of_a_machine_are_refused(self):
        path = "/" + "home/" + "somebody"
        self.assertEqual(self.problems({"tests/a.txt": f"\nsee {path}/x\n"}),
                         [f"tests/a.txt:2: {path} is a path of somebody's machine"])

    def test_a_module_has_a_readme(self):
        self.assertEqual(self.problems({"cache/a.cpp": ""}), ["cache/README.md: is missing"])


class Headers(unittest.TestCase):
    FILES = {"cache/a.h": "", "cache/c.h": '#ifdef __cplusplus\nextern "C" {\n#endif\n'}

    def problems(self, compiled):
        with Tree(self.FILES) as root:
            commands = [{"directory": root, "file": os.path.join(root, ".build", unit)} for unit in compiled]
            with open(os.path.join(root, "compile_commands.json"), "w", encoding="utf-8") as file:
                json.dump(commands, file)
            return headers.check(root, root, os.path.join(root, ".build"))

    def test_a_build_with_every_header_passes(self):
        self.assertEqual(self.problems(["cache/a.h.cpp", "cache/c.h.cpp", "cache/c.h.c"]), [])

    def test_a_header_that_is_left_out_is_found(self):
        self.assertEqual(self.problems(["cache/c.h.cpp"]), ["cache/a.h.cpp: the build does not compile it alone",
                                                            "cache/c.h.c: the build does not compile it alone"])


class Format(unittest.TestCase):
    def test_a_file_that_would_change_is_refused(self):
        style = {".clang-format": "BasedOnStyle: Google\n"}
        with Tree({**style, "tests/a.cpp": "int a;\n"}) as root:
            self.assertEqual(formatting.check(root), [])
        with Tree({**style, "tests/a.cpp": "int  a ;\n"}) as root:
            self.assertEqual(len(formatting.check(root)), 1)


class Tidy(unittest.TestCase):
    def problems(self, text):
        with Tree({".clang-tidy": "Checks: '-*,bugprone-sizeof-expression'\nWarningsAsErrors: '*'\n",
                   "cache/a.cpp": text}) as root:
            command = {"directory": root, "file": "cache/a.cpp", "command": "c++ -std=c++20 -c cache/a.cpp"}
            with open(os.path.join(root, "compile_commands.json"), "w", encoding="utf-8") as file:
                json.dump([command], file)
            self.heard = []
            return list(tidy.check(root, root, lambda *progress: self.heard.append(progress)))

    def test_a_finding_is_fatal(self):
        if shutil.which("clang-tidy") is None:
            self.skipTest("clang-tidy is part of the [ci] packages")
        self.assertEqual(self.problems("int a() { return 1; }\n"), [])
        self.assertEqual(self.heard, [(1, 1)])
        self.assertIn("bugprone-sizeof-expression", "".join(self.problems("int a() { return sizeof(sizeof(int)); }\n")))


if __name__ == "__main__":
    unittest.main()
