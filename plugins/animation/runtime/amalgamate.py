#!/usr/bin/env python3
"""Writes the runtime as two files, simmer_runtime.h and simmer_runtime.cpp, for a game that wants no other build.

    amalgamate.py FOLDER

Any GCC or Clang with C++17 compiles simmer_runtime.cpp without flags of its own: what CMakeLists.txt says with flags is
said inside. Headers come first and once; then the sources in their order. Files that are included once per unit, those
without #pragma once, stand in each unit that has them."""

import os
import re
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
PREFIX = "plugins/animation/runtime/"
PUBLIC = "simmer_runtime.h"
AVX2 = "spline_avx2.cpp"

INCLUDE = re.compile(r'^#include\s+(?:"([^"]+)"|<([^>]+)>)')
ANONYMOUS = re.compile(r"^namespace \{\n(.*?)^\}  // namespace\n", re.MULTILINE | re.DOTALL)
# What clang-format leaves at the start of a line in a namespace: a type, or a function or constant with its type.
TYPE = re.compile(r"^(?:class|struct|union|enum|enum class|using) (\w+)\b", re.MULTILINE)
VALUE = re.compile(r"^(?!using |template |return |static_assert)[A-Za-z][\w:<>,*& ]*[ *&](\w+)(?=[\[({]| =|;)", re.MULTILINE)

START = """// The runtime of Simmer {version}, made by amalgamate.py from plugins/animation/runtime: edit there, not here.
// SPDX-License-Identifier: Apache-2.0
//
// Needs GCC or Clang and C++17, and no flags. Not -ffast-math: what is proven of a clip holds for these very bits.

#if defined(__FAST_MATH__)
#error "compile simmer_runtime.cpp without -ffast-math"
#endif

#include "simmer_runtime.h"

{includes}

// No fused multiply-add, which would give other bits.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
"""

AVX2_START = """
#if defined(__x86_64__) && defined(__GNUC__)
{includes}
#define SIMMER_AVX2_UNIT
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("{features}"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("{features}")
#endif
#endif
"""

AVX2_END = """
#if defined(SIMMER_AVX2_UNIT)
#undef SIMMER_AVX2_UNIT
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
"""


def text_of(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


def own(line):
    """The file of the runtime that a line includes, or None."""
    found = INCLUDE.match(line)
    return found[1].removeprefix(PREFIX) if found and found[1] else None


def system(line):
    found = INCLUDE.match(line)
    return found[2] if found else None


def is_header(name):
    return name == PUBLIC or "#pragma once" in text_of(name).splitlines()


def sources_and_features():
    """The sources in the order of CMakeLists.txt, and what it compiles the unit for AVX2 with, as a target attribute."""
    text = text_of("CMakeLists.txt")
    features = re.search(r'spline_avx2\.cpp PROPERTIES COMPILE_OPTIONS "([^"]+)"', text)[1]
    names = list(dict.fromkeys(re.findall(r"\b\w+\.cpp\b", text)))
    return names, features.replace("-m", "").replace(";", ",")


def headers_of(names):
    """Every header that the files need, each behind those that it needs itself."""
    done = []

    def visit(name):
        for line in text_of(name).splitlines():
            if own(line) and own(line) not in done:
                visit(own(line))
        if is_header(name) and name not in done:
            done.append(name)

    for name in names:
        visit(name)
    return [name for name in done if name != PUBLIC]


def body_of(name, includes, conditional, depth=0):
    """The file without what stands elsewhere. System headers go to `includes`; those between #if and #endif stay and go
    to `conditional`. Files that are included once per unit are put in."""
    lines = []
    for line in text_of(name).splitlines():
        depth += bool(re.match(r"#\s*if", line)) - bool(re.match(r"#\s*endif", line))
        inner = own(line)
        if inner and not is_header(inner):
            lines += body_of(inner, includes, conditional, depth)
        elif system(line) and depth == 0:
            includes.add(system(line))
        elif not inner and line != "#pragma once":
            if system(line):
                conditional.add(system(line))
            lines.append(line)
    return lines


def names_in(text):
    return set(TYPE.findall(text)) | set(VALUE.findall(text))


def clashes(names, headers):
    """Names of unnamed namespaces that another file has as well: all files are one here, and so are these namespaces."""
    seen, twice = {}, set()
    for name in headers + names:
        text = text_of(name)
        inside = "".join(ANONYMOUS.findall(text))
        for found in names_in(inside if name in names else text):
            twice |= {found} if found in seen else set()
            seen[found] = name
    return twice


def source_text(name, twice, includes, conditional):
    text = "\n".join(body_of(name, includes, conditional)) + "\n"
    suffix = "_" + name.removesuffix(".cpp")
    for found in sorted(names_in("".join(ANONYMOUS.findall(text_of(name)))) & twice):
        text = re.sub(rf"\b{found}\b", found + suffix, text)
    macros = re.findall(r"^#define (SIMMER_\w+)", text_of(name), re.MULTILINE)
    return text + "".join(f"#undef {macro}\n" for macro in dict.fromkeys(macros))


def list_of(includes):
    return "\n".join(f"#include <{name}>" for name in sorted(includes))


def amalgamation():
    """The text of simmer_runtime.cpp."""
    names, features = sources_and_features()
    headers = headers_of(names)
    twice = clashes(names, headers)
    includes, parts = set(), []
    for name in headers:
        parts.append(f"\n// ---- {name}\n" + "\n".join(body_of(name, includes, set())) + "\n")
    for name in names:
        conditional = set()
        text = source_text(name, twice, includes, conditional)
        if name == AVX2:
            # Before the attributes, which the functions of these headers have of their own.
            text = AVX2_START.format(includes=list_of(conditional - includes), features=features) + text + AVX2_END
        parts.append(f"\n// ---- {name}\n" + text)
    version = re.search(r'#define SIMMER_RUNTIME_VERSION "([^"]+)"', text_of(PUBLIC))[1]
    text = START.format(version=version, includes=list_of(includes)) + "".join(parts)
    return re.sub(r"\n{3,}", "\n\n", text)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for name, text in ((PUBLIC, text_of(PUBLIC)), ("simmer_runtime.cpp", amalgamation())):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
