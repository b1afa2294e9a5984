"""Checks that clang-format would change no file of the tree."""

import os
import subprocess
import sys

import tree


def check(root):
    files = [os.path.join(root, path) for path in tree.files_of(root, tree.CODE)]
    if not files:
        return ["there are no files"]
    done = subprocess.run(["clang-format", "--dry-run", "-Werror", "--style=file", *files], text=True,
                          capture_output=True, check=False)
    return [done.stderr] if done.returncode else []


if __name__ == "__main__":
    broken = check(os.path.abspath(sys.argv[1]))
    print("\n".join(broken))
    sys.exit(1 if broken else 0)
