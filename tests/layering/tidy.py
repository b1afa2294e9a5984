"""Runs clang-tidy over every source of the product that the build compiles. .clang-tidy says what it looks for.

Tests are left out: two compilers and the sanitizers look at them already, and they would take most of the time."""

import concurrent.futures
import json
import os
import subprocess
import sys

import tree


def sources(root, build):
    """The sources that stand in the tree, not those that the build writes."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        compiled = {os.path.normpath(os.path.join(entry["directory"], entry["file"])) for entry in json.load(file)}
    own = {os.path.join(root, path) for path in tree.files_of(root, tree.CODE) if not path.startswith("tests/")}
    return sorted(compiled & own)


def findings(build, source):
    done = subprocess.run(["clang-tidy", "--quiet", "-p", build, source], text=True, capture_output=True, check=False)
    return (done.stdout + done.stderr) if done.returncode else None


def check(root, build):
    """What was found, text by text, as it comes."""
    files = sources(root, build)
    if not files:
        yield "the build compiles no file of the tree"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = concurrent.futures.as_completed([pool.submit(findings, build, source) for source in files])
        yield from (text for text in (future.result() for future in done) if text)


if __name__ == "__main__":
    broken = 0
    for found in check(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])):
        print(found, flush=True)
        broken += 1
    sys.exit(1 if broken else 0)
