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


def check(root, build, progress=lambda done, total: None):
    """What was found, text by text, as it comes. `progress` hears how many files of how many are done."""
    files = sources(root, build)
    if not files:
        yield "the build compiles no file of the tree"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(findings, build, source) for source in files]
        for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
            if future.result():
                yield future.result()
            progress(done, len(files))


def say(done, total):
    """A line now and then, so that whoever waits sees that it goes on."""
    if done % 10 == 0 or done == total:
        print(f"clang-tidy: {done} of {total} files", flush=True)


if __name__ == "__main__":
    broken = 0
    for found in check(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), say):
        print(found, flush=True)
        broken += 1
    sys.exit(1 if broken else 0)
