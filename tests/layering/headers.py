"""Checks that the build compiles every header of the tree alone (headers.cmake): none may be left out."""

import json
import os
import sys

import tree


def expected_units(root):
    """The sources that headers.cmake writes for the headers of the tree."""
    for header in tree.files_of(root, (".h",)):
        yield header + ".cpp"
        if 'extern "C"' in (tree.text_of(root, header) or ""):
            yield header + ".c"


def check(root, build, folder):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        compiled = {os.path.join(entry["directory"], entry["file"]) for entry in json.load(file)}
    return [f"{unit}: the build does not compile it alone" for unit in expected_units(root)
            if os.path.join(folder, unit) not in compiled]


if __name__ == "__main__":
    broken = check(*(os.path.abspath(argument) for argument in sys.argv[1:4]))
    print("\n".join(broken))
    sys.exit(1 if broken else 0)
