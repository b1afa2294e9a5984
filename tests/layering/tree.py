"""The files of a source tree, as paths from its root."""

import os

SKIPPED_FOLDERS = {".build", ".git", ".cache", ".simmer", "__pycache__"}
CODE = (".cpp", ".h", ".inc", ".c")


def files_of(root, suffixes=None):
    """Every file below root, sorted; only those whose name ends in one of the suffixes when these are given."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS]
        for name in names:
            if name == ".git":  # of a worktree, where it is a file that says where the repository is
                continue
            if suffixes is None or name.endswith(suffixes):
                found.append(os.path.relpath(os.path.join(folder, name), root))
    return sorted(found)


def text_of(root, path):
    """The file's text, or None when it is no text (a golden file, a corpus)."""
    with open(os.path.join(root, path), "rb") as file:
        data = file.read()
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
