"""Checks the include lines of a source tree against rules.py: the order of the modules, and no cycles."""

import fnmatch
import os
import re
import sys

import rules
import tree

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
STANDARD = re.compile(r"^[a-z0-9_]+(\.h)?$")
QT = re.compile(r"^(Qt|Q[A-Z])")


def module_of(path):
    """The longest folder of the table that holds the file, or None."""
    found = [folder for folder in rules.MAY_INCLUDE if path.startswith(folder)]
    return max(found, key=len) if found else None


def matches(path, globs):
    return any(fnmatch.fnmatchcase(path, glob) for glob in globs)


def may_include(path, header):
    module = module_of(path)
    if module == rules.ANIMATION:
        return matches(header, [folder + "*" for folder in [rules.ANIMATION, *rules.PLUGIN_SEES]])
    return module_of(header) == module or header.startswith(tuple(rules.MAY_INCLUDE[module]))


def check_own(path, header, files):
    """What is wrong with including one of our headers, or None."""
    if header.endswith(".moc"):
        return None
    if header not in files and header not in rules.GENERATED:
        return f'"{header}" is no file of the tree; includes start at its root'
    if header in rules.ONLY_FROM:
        allowed = rules.ONLY_FROM[header]
        return None if matches(path, allowed) else f"{header} is only for {', '.join(allowed)}"
    if not may_include(path, header):
        return f"{module_of(path)} may not include {header}"
    return None


def check_system(path, header):
    """What is wrong with including a header of the system, or None."""
    if QT.match(header) and not matches(path, rules.QT_ALLOWED):
        return f"<{header}> is Qt, which has no place here"
    if path.startswith(tuple(rules.STANDARD_ONLY)) and not STANDARD.match(header):
        return f"<{header}> is not of the standard library"
    return None


def find_cycle(graph):
    """The files of one cycle of includes, or None."""
    done = set()
    for start in graph:
        stack = [(start, iter(graph[start]))] if start not in done else []
        trail = [start]
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                done.add(node)
                stack.pop()
                trail.pop()
            elif following in trail:
                return trail[trail.index(following):] + [following]
            elif following not in done and following in graph:
                stack.append((following, iter(graph[following])))
                trail.append(following)
    return None


def check(root):
    """Every broken rule as "file: what is wrong"."""
    files = set(tree.files_of(root, tree.CODE))
    problems = []
    graph = {}
    for path in sorted(files):
        if module_of(path) is None:
            problems.append(f"{path}: its folder has no row in tests/layering/rules.py")
            continue
        found = INCLUDE.findall(tree.text_of(root, path) or "")
        graph[path] = [own for own, _ in found if own in files]
        wrong = [check_own(path, own, files) if own else check_system(path, system) for own, system in found]
        problems += [f"{path}: {text}" for text in wrong if text]
    cycle = find_cycle(graph)
    if cycle:
        problems.append(f"{cycle[0]}: includes itself: {' > '.join(cycle)}")
    return problems


if __name__ == "__main__":
    broken = check(os.path.abspath(sys.argv[1]))
    print("\n".join(broken))
    sys.exit(1 if broken else 0)
