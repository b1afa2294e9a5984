"""`simmer cook` as a person meets it: tables, states, messages, exit codes."""
import gzip
import json
import os
import signal
import subprocess
import time
import unittest

from simmer_project import ProjectTest, SIMMER, bvh, gltf, run, sha256


class Cook(ProjectTest):
    def test_prints_a_table_and_totals(self):
        self.source("walk.bvh", bvh(40))
        done = run("cook", self.root)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], r"^asset +raw +cooked +ratio +tolerance mm +error mm +px +state$")
        self.assertRegex(lines[1], r"^walk\.bvh .* cooked$")
        self.assertIn("1 asset from 1 source: 1 cooked", done.stdout)

    def test_report_has_every_member(self):
        self.source("walk.bvh", bvh(40))
        report = self.cook()
        self.assertEqual(set(report), {"assets", "totals", "problems", "warnings"})
        row = report["assets"][0]
        for name in ("source clip profile state codec tolerance_mm error_mm joint_error_mm error_px measures "
                     "source_bytes raw_bytes artifact_bytes memory_bytes seconds message tags plugin_ran").split():
            self.assertIn(name, row)
        self.assertEqual(row["raw_bytes"], 40 * 2 * 10 * 4)
        self.assertEqual(row["source_bytes"], (self.assets / "walk.bvh").stat().st_size)
        self.assertEqual(row["artifact_bytes"], (self.cooked / "walk.bvh.clip").stat().st_size)
        self.assertLessEqual(row["error_mm"], row["tolerance_mm"])
        self.assertEqual(report["totals"]["over_bound"], 0)

    def test_second_run_does_nothing(self):
        self.source("walk.bvh", bvh(40))
        self.source("bad.bvh", "HIERARCHY\nROOT")
        self.cook(code=1)
        before = {p: p.stat().st_mtime_ns for p in self.cooked.rglob("*")}
        report = self.cook(code=1)
        self.assertNoPluginRan(report)
        self.assertEqual(self.states(report)[("walk.bvh", "clip")], "unchanged")
        self.assertEqual(before, {p: p.stat().st_mtime_ns for p in self.cooked.rglob("*")})

    def test_manifest_lists_what_stands_in_the_output_tree(self):
        self.source("a/walk.bvh", bvh(40))
        self.source("box.gltf", gltf(["Up", "Down"]))
        self.cook()
        lines = (self.cooked / "manifest.tsv").read_text().splitlines()
        self.assertEqual(lines[0].split("\t"), ["output", "source", "sha256", "bytes", "error_mm"])
        listed = {line.split("\t")[0]: line.split("\t") for line in lines[1:]}
        self.assertEqual(set(listed), set(self.outputs()))
        for name, fields in listed.items():
            self.assertEqual(fields[2], sha256(self.cooked / name))
            self.assertEqual(int(fields[3]), (self.cooked / name).stat().st_size)

    def test_names_of_outputs(self):
        self.source("box.gltf", gltf(["Run", "Wa/lk: 1", "Run", "x" * 300]))
        self.cook()
        names = set(self.outputs())
        for name in ("box.gltf.Run.clip", "box.gltf.Wa%2Flk%3A 1.clip", "box.gltf.Run%232.clip", "box.gltf.skeleton"):
            self.assertIn(name, names)
        self.assertEqual(len(names), 5)

    def test_failure_names_file_place_and_reason_and_keeps_the_last_good_output(self):
        self.source("walk.bvh", bvh(40))
        self.source("idle.bvh", bvh(20))
        self.cook()
        good = self.outputs()
        self.source("walk.bvh", bvh(40).replace("Frames: 40", "Frames: 41"))
        done = run("cook", self.root)
        self.assertEqual(done.returncode, 1)
        self.assertIn("✕ walk.bvh", done.stdout)
        self.assertIn("41", done.stdout)
        self.assertIn("last good output", done.stdout)
        self.assertEqual(self.outputs(), good)

    def test_source_gone_takes_its_outputs_along(self):
        self.source("a/b/walk.bvh", bvh(40))
        self.source("idle.bvh", bvh(20))
        self.cook()
        (self.assets / "a/b/walk.bvh").unlink()
        report = self.cook()
        self.assertEqual(set(self.outputs()), {"idle.bvh.clip", "idle.bvh.skeleton"})
        self.assertFalse((self.cooked / "a").exists())
        self.assertEqual(report["totals"]["outputs_removed"], 2)

    def test_files_of_others_in_the_output_tree_stay(self):
        self.source("walk.bvh", bvh(40))
        self.cook()
        (self.cooked / "notes.txt").write_text("mine")
        (self.assets / "walk.bvh").unlink()
        self.cook()
        self.assertEqual(set(self.outputs()), {"notes.txt"})

    def test_output_that_was_removed_or_changed_is_published_again(self):
        self.source("walk.bvh", bvh(40))
        self.cook()
        good = self.outputs()
        (self.cooked / "walk.bvh.clip").unlink()
        (self.cooked / "walk.bvh.skeleton").write_bytes(b"scribble")
        report = self.cook()
        self.assertEqual(self.outputs(), good)
        self.assertNoPluginRan(report)
        self.assertEqual(self.states(report)[("walk.bvh", "clip")], "cached")

    def test_two_sources_with_one_output_are_both_named(self):
        self.source("a.gltf", gltf(["b.gltf.c", "d"]))
        self.source("a.gltf.b.gltf", gltf(["c", "e"]))
        report = self.cook(code=1)
        failed = [row for row in report["assets"] if row["state"] == "failed"]
        self.assertEqual(len(failed), 1)
        both = failed[0]["source"] + failed[0]["message"]
        self.assertIn("a.gltf.b.gltf", both)
        self.assertIn("is also the output of a.gltf", both.replace("of a.gltf.b.gltf", "of a.gltf"))

    def test_dry_run_writes_nothing(self):
        self.source("walk.bvh", bvh(40))
        report = self.cook("--dry-run")
        self.assertEqual(self.states(report), {("walk.bvh", "clip"): "stale"})
        self.assertFalse(self.cooked.exists())
        self.assertEqual(report["totals"]["plugin_runs"]["cook"], 0)
        self.assertEqual(self.cook()["totals"]["cooked"], 1)

    def test_only_what_was_asked_for(self):
        self.source("hero/walk.bvh", bvh(40))
        self.source("npc/walk.bvh", bvh(41))
        report = json.loads(run("cook", "hero", "--json", cwd=self.assets).stdout)
        self.assertEqual(self.states(report), {("hero/walk.bvh", "clip"): "cooked"})
        report = json.loads(run("cook", self.assets / "npc/walk.bvh", "--json").stdout)
        self.assertEqual(self.states(report), {("npc/walk.bvh", "clip"): "cooked"})
        self.assertEqual(self.cook()["totals"]["unchanged"], 2)

    def test_rules_send_other_files_to_deflate(self):
        self.settings(self.TOML + '[[rule]]\nmatch = "*.txt"\nplugin = "deflate"\n')
        self.source("notes.txt", "hello " * 100)
        self.source("picture.png", b"\x89PNG")
        report = self.cook()
        self.assertEqual(list(self.states(report)), [("notes.txt", report["assets"][0]["clip"])])
        self.assertEqual(gzip.decompress(self.outputs()["notes.txt.gz"]), b"hello " * 100)

    def test_ctrl_c_keeps_what_is_finished(self):
        for i in range(60):
            self.source(f"walk{i:02}.bvh", bvh(1500, i))
        process = subprocess.Popen([SIMMER, "cook", self.root, "--json", "--jobs", "1"], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        deadline = time.monotonic() + 120
        while not list(self.cooked.glob("*.clip")) and process.poll() is None and time.monotonic() < deadline:
            os.sched_yield()
        process.send_signal(signal.SIGINT)
        report = json.loads(process.communicate(timeout=120)[0])
        self.assertEqual(process.returncode, 130)
        self.assertTrue(report["totals"]["cancelled"])
        cooked = report["totals"]["cooked"]
        self.assertGreater(cooked, 0)
        rest = self.cook()
        self.assertEqual(rest["totals"]["cooked"], 60 - cooked)
        self.assertEqual(rest["totals"]["failed"], 0)


class Mistakes(ProjectTest):
    def test_no_project(self):
        done = run("cook", self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("simmer init", done.stderr)

    def test_project_file_error_names_line_and_column(self):
        self.settings(self.TOML + "[profile.hero]\npixel_buget = 1\n")
        done = run("cook", self.root)
        self.assertEqual(done.returncode, 2)
        self.assertIn("simmer.toml:5:1", done.stderr)
        self.assertIn("pixel_budget", done.stderr)

    def test_source_folder_missing(self):
        self.settings('[project]\nsource = "nowhere"\n')
        done = run("cook", self.root)
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere", done.stderr)

    def test_output_folder_is_a_file(self):
        self.source("walk.bvh", bvh(40))
        self.cooked.write_text("in the way")
        done = run("cook", self.root)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"output folder {self.cooked}", done.stderr)

    def test_unknown_path(self):
        done = run("cook", "--project", self.root, "no/such/file.bvh")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no/such/file.bvh", done.stderr)

    def test_wrong_usage(self):
        self.assertEqual(run("cook", "--jobs", "0").returncode, 2)
        self.assertEqual(run("frobnicate").returncode, 2)
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("--help").returncode, 0)
        self.assertEqual(run("--version").returncode, 0)

    def test_init_leaves_an_existing_file_alone(self):
        before = (self.root / "simmer.toml").read_bytes()
        self.assertEqual(run("init", self.root).returncode, 2)
        self.assertEqual((self.root / "simmer.toml").read_bytes(), before)
        fresh = self.folder / "fresh"
        fresh.mkdir()
        self.assertEqual(run("init", fresh).returncode, 0)
        (fresh / "walk.bvh").write_text(bvh(30))
        self.assertEqual(run("cook", fresh).returncode, 0)


class Demo(ProjectTest):
    def test_demo_cooks(self):
        demo = self.folder / "demo"
        self.assertEqual(run("demo", demo).returncode, 0)
        self.use(demo)
        report = self.cook()
        self.assertEqual(report["totals"]["failed"], 0)
        self.assertEqual({row["profile"] for row in report["assets"]} >= {"hero", "npc", "background"}, True)
        npc = [row for row in report["assets"] if row["profile"] == "npc" and row["tolerance_mm"]]
        self.assertAlmostEqual(npc[0]["tolerance_mm"], 1800 / 256, places=6)
        self.assertNoPluginRan(self.cook())


if __name__ == "__main__":
    unittest.main()
