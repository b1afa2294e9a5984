"""What the tests of `simmer report` and `simmer budget` share: a project of several profiles, and its reports as JSON."""
import json
import pathlib
import sqlite3
import subprocess

import jsonschema

from simmer_project import ProjectTest, bvh, gltf, run

HERE = pathlib.Path(__file__).parent
SCHEMA = json.loads((HERE / "../../cooker/report/report.schema.json").read_text())

PROFILES = """
[profile.hero]
tolerance_mm = 0.5
[profile.npc]
tolerance_mm = 5
[[rule]]
match = "hero/**"
profile = "hero"
tags = ["cutscene"]
[[rule]]
match = "npc/**"
profile = "npc"
"""

class ReportTest(ProjectTest):
    def setUp(self):
        super().setUp()
        self.settings(self.TOML + PROFILES)

    def sources(self):
        self.source("hero/fox.gltf", gltf(["Run", "Walk"]))
        self.source("hero/walk.bvh", bvh(40))
        self.source("npc/crowd/idle.bvh", bvh(20))
        self.source("npc/bad.bvh", "HIERARCHY\nROOT")

    def report(self, *arguments, code=0):
        done = run("report", "-p", self.root, *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def json(self, *arguments):
        report = json.loads(self.report("--json", *arguments))
        jsonschema.Draft202012Validator(SCHEMA).validate(report)
        return report

    def budget(self, *arguments, code=0):
        done = run("budget", "-p", self.root, *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code in (0, 4) else done.stderr

    def shipped(self):
        """What find says of the output tree."""
        find = ["find", self.cooked, "-type", "f", "-printf", "%s\n"]
        return sum(map(int, subprocess.run(find, capture_output=True, check=True).stdout.split()))

    def manifest(self):
        return (self.cooked / "manifest.tsv").stat().st_size

    def move_runs(self, times):
        """Says when runs began, as if somebody had waited between them."""
        with sqlite3.connect(self.root / ".simmer/state.db") as database:
            for number, time in times.items():
                database.execute("UPDATE run SET time_ms = ? WHERE id = ?", (int(time.timestamp() * 1000), number))
