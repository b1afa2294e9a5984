"""Checks a source tree's shape: the top level, the length of files, no path of somebody's machine, a README per module."""

import os
import re
import sys

import rules
import tree

MACHINE_PATH = re.compile(r"(?<![\w.~}])/(?:work|farm|home|root|Users)/\w+")
LONG_ALLOWED = (".md", ".json", "LICENSE")


def check_top_level(root):
    return [f"{name}: not allowed at the top level; it holds {', '.join(rules.TOP_LEVEL)} and dot-files"
            for name in sorted(os.listdir(root)) if not name.startswith(".") and name not in rules.TOP_LEVEL]


def check_file(root, path):
    text = tree.text_of(root, path)
    if text is None or path.startswith(("tests/data/", "tests/golden/", "tests/fuzz/corpus/")):
        return []
    problems = []
    count = text.count("\n")
    if count > rules.MAX_LINES and not path.endswith(LONG_ALLOWED):
        problems.append(f"{path}: {count} lines, expected at most {rules.MAX_LINES}")
    for number, line in enumerate(text.splitlines(), 1):
        found = MACHINE_PATH.search(line)
        if found:
            problems.append(f"{path}:{number}: {found.group()} is a path of somebody's machine")
    return problems


def check_readme(root):
    """A folder of the table that holds code has a README.md."""
    return [f"{folder}README.md: is missing" for folder in sorted(rules.MAY_INCLUDE)
            if any(name.endswith(".cpp") for name in list_or_empty(root, folder))
            and not os.path.exists(os.path.join(root, folder, "README.md"))]


def list_or_empty(root, folder):
    path = os.path.join(root, folder)
    return os.listdir(path) if os.path.isdir(path) else []


def check(root):
    problems = check_top_level(root) + check_readme(root)
    for path in tree.files_of(root):
        problems += check_file(root, path)
    return problems


if __name__ == "__main__":
    broken = check(os.path.abspath(sys.argv[1]))
    print("\n".join(broken))
    sys.exit(1 if broken else 0)
