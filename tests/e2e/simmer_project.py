"""What the end-to-end tests share: a project in a fresh folder, cooked by the real program."""
import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

SIMMER = os.environ["SIMMER"]


def run(*arguments, cwd=None, env=None):
    """Runs simmer and gives the finished process, its output as text."""
    return subprocess.run([SIMMER, *map(str, arguments)], cwd=cwd, env={**os.environ, **(env or {})},
                          capture_output=True, text=True, timeout=240)


def sha256(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def bvh(frames, offset=0.0, rotations=None):
    """A two-joint BVH clip whose root moves along X; `offset` makes its content another."""
    rows = "\n".join(f"{offset + 0.5 * i} 90 0 0 {10 * (i % 7) if rotations is None else rotations[i]} 0 0 0 {i}"
                     for i in range(frames))
    return ("HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
            "JOINT Chest\n{\nOFFSET 0 40 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 40 0\n}\n}\n}\n"
            f"MOTION\nFrames: {frames}\nFrame Time: 0.0333333\n{rows}\n")


def gltf(clips, buffer_uri=None):
    """A one-node glTF with one clip for each name; with a `buffer_uri` gives (json text, buffer), else the buffer is inside."""
    times = struct.pack("<3f", 0, 0.5, 1)
    moves = b"".join(struct.pack("<9f", 0, 0, 0, 0.1 * (i + 1), 0.5, 0, 0, 1, 0.3) for i in range(len(clips)))
    data = times + moves
    import base64
    uri = buffer_uri or "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    accessors = [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR", "min": [0], "max": [1]}]
    for i in range(len(clips)):
        accessors.append({"bufferView": 1, "byteOffset": 36 * i, "componentType": 5126, "count": 3, "type": "VEC3"})
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "Box"}],
        "buffers": [{"uri": uri, "byteLength": len(data)}],
        "bufferViews": [{"buffer": 0, "byteLength": 12}, {"buffer": 0, "byteOffset": 12, "byteLength": len(moves)}],
        "accessors": accessors,
        "animations": [{"name": name, "samplers": [{"input": 0, "output": 1 + i}],
                        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}
                       for i, name in enumerate(clips)]}
    text = json.dumps(document)
    return (text, data) if buffer_uri else text


class ProjectTest(unittest.TestCase):
    """A test with a project folder `self.root`, its sources in `self.assets`, its outputs in `self.cooked`."""

    TOML = '[project]\nsource = "assets"\noutput = "cooked"\n'

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="simmer-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.use(self.folder / "project")
        self.assets.mkdir(parents=True)
        self.settings(self.TOML)

    def use(self, root):
        self.root = root
        self.assets = root / "assets"
        self.cooked = root / "cooked"

    def settings(self, text):
        (self.root / "simmer.toml").write_text(text)

    def source(self, name, content):
        path = self.assets / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def cook(self, *arguments, code=0, env=None):
        """Cooks and gives the report as JSON; the exit code is checked."""
        done = run("cook", self.root, "--json", *arguments, env=env)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def outputs(self):
        """Every file of the output tree but the manifest, by its path."""
        return {str(p.relative_to(self.cooked)): p.read_bytes() for p in sorted(self.cooked.rglob("*"))
                if p.is_file() and p.name != "manifest.tsv"}

    def states(self, report):
        return {(row["source"], row["clip"]): row["state"] for row in report["assets"]}

    def assertNoPluginRan(self, report):
        self.assertEqual(report["totals"]["plugin_runs"], {"describe": 0, "cook": 0, "measure": 0})
