"""Settings as a person meets them: why, override, explain, and what a change cooks again."""
import json
import os
import random
import shutil
import unittest

from simmer_project import ProjectTest, bvh, gltf, run

TOML = """[project]
source = "assets"
output = "cooked"

[plugin.animation]
effort = "draft"

[profile.npc]
screen_height_px = 256
pixel_budget = 1.0

[profile.hero]
screen_height_px = 900
pixel_budget = 0.5

[[rule]]
match = "npc/**"
profile = "npc"

[[rule]]
match = "hero/**"
profile = "hero"
"""


class PolicyTest(ProjectTest):
    TOML = TOML

    def cook(self, *arguments):
        process = run("cook", "--json", *arguments, cwd=self.root)
        self.assertIn(process.returncode, (0, 1), process.stderr)
        return json.loads(process.stdout)

    def runs(self):
        """Cooks, and gives the assets for which a plugin ran."""
        return {(a["source"], a["clip"]) for a in self.cook()["assets"] if a["plugin_ran"]}

    def simmer(self, *arguments, code=0):
        process = run(*arguments, cwd=self.root)
        self.assertEqual(process.returncode, code, process.stdout + process.stderr)
        return process.stdout if code == 0 else process.stderr


class Inheritance(PolicyTest):
    def setUp(self):
        super().setUp()
        for index, name in enumerate(("npc/a.bvh", "npc/b.bvh", "hero/c.bvh", "d.bvh")):
            self.source(name, bvh(12, offset=index))
        self.source("npc/b.bvh.simmer.toml", "tolerance_mm = 2\n")
        self.assertEqual(len(self.runs()), 4)

    def test_a_folder_default_recooks_exactly_what_it_changes(self):
        self.settings(TOML.replace("pixel_budget = 1.0", "pixel_budget = 2.0"))
        self.assertEqual(self.runs(), {("npc/a.bvh", "clip")}, "b has a tolerance of its own")

    def test_the_same_effective_value_recooks_nothing(self):
        self.settings(TOML.replace("pixel_budget = 1.0", "pixel_budget = 1").replace("[profile.hero]", "# words\n[profile.hero]"))
        self.assertEqual(self.runs(), set())
        self.settings(TOML.replace("screen_height_px = 256\npixel_budget = 1.0", "screen_height_px = 256\npixel_budget = 1.0")
                      + '\n[[rule]]\nmatch = "npc/a.bvh"\npixel_budget = 1.0\n')
        self.assertEqual(self.runs(), set(), "a rule that says what holds anyway")

    def test_another_profile_with_the_same_values_recooks_nothing(self):
        self.settings(TOML + '\n[profile.crowd]\nscreen_height_px = 256\npixel_budget = 1.0\n'
                             '[[rule]]\nmatch = "npc/a.bvh"\nprofile = "crowd"\ntags = ["far"]\n')
        self.assertEqual(self.runs(), set())
        rows = {a["source"]: a for a in self.cook()["assets"]}
        self.assertEqual(rows["npc/a.bvh"]["profile"], "crowd", "and yet the report says so")
        self.assertEqual(rows["npc/a.bvh"]["tags"], ["far"])


class Why(PolicyTest):
    def setUp(self):
        super().setUp()
        self.source("npc/walk.bvh", bvh(12))
        self.source("hero/fox.gltf", gltf(["Run", "Walk"]))
        self.source("hero/fox.gltf.simmer.toml", '[clip."Run"]\ntolerance_mm = 0.5\n')

    def test_the_arithmetic_in_words(self):
        self.settings(TOML.replace('pixel_budget = 1.0', 'pixel_budget = 1.0\nobject_height_m = 1.8'))
        self.assertEqual(self.simmer("config", "why", "npc/walk.bvh", "tolerance"),
                         "1 px × 1.80 m ÷ 256 px = 7.03 mm (profile npc, simmer.toml:10)\n")

    def test_a_measured_height_says_so(self):
        text = self.simmer("config", "why", "npc/walk.bvh", "tolerance")
        self.assertRegex(text, r"^1 px × 0\.400 m ÷ 256 px = 1\.56 mm \(profile npc, simmer\.toml:10; "
                               r"height measured from the rest pose\)\n$")

    def test_a_camera(self):
        self.settings(TOML.replace("screen_height_px = 256", "distance_m = 5.4\nfov_deg = 90"))
        self.assertEqual(self.simmer("config", "why", "npc/walk.bvh", "tolerance"),
                         "1 px × 2 × 5.40 m × tan(90° ÷ 2) ÷ 1080 px = 10.0 mm (pixel_budget: profile npc, simmer.toml:11; "
                         "distance_m: profile npc, simmer.toml:9; fov_deg: profile npc, simmer.toml:10; viewport_px: built-in; "
                         "there 0.400 m stand 40 px tall)\n")

    def test_every_value_with_its_origin(self):
        text = self.simmer("config", "why", "hero/fox.gltf:Run")
        for line in ("hero/fox.gltf · Run", "tolerance: 0.50 mm outright (sidecar clip Run, hero/fox.gltf.simmer.toml:2)",
                     "plugin animation, simmer.toml:6"):
            self.assertIn(line, text)
        self.assertNotIn("Walk", text)
        document = json.loads(self.simmer("config", "why", "--json", "hero/fox.gltf"))
        self.assertEqual([a["clip"] for a in document["assets"]], ["Run", "Walk"])
        effort = next(v for v in document["assets"][0]["values"] if v["name"] == "effort")
        self.assertEqual(effort, {"name": "effort", "value": "draft",
                                  "origin": {"label": "plugin animation", "file": "simmer.toml", "line": 6}})

    def test_a_path_leads_to_its_project_also_with_a_clip(self):
        for given in (self.assets / "hero/fox.gltf", f"{self.assets}/hero/fox.gltf:Run"):
            done = run("config", "why", given, "effort", cwd="/")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("effort = draft", done.stdout)

    def test_mistakes_name_the_nearest(self):
        self.assertIn("there is no setting 'efort'; did you mean 'effort'?",
                      self.simmer("config", "why", "npc/walk.bvh", "efort", code=2))
        self.assertIn("npc/wlak.bvh: there is no such source; did you mean 'npc/walk.bvh'?",
                      self.simmer("config", "why", "npc/wlak.bvh", code=2))
        self.assertIn("the source has no clip 'Rum'; did you mean 'Run'?",
                      self.simmer("config", "why", "hero/fox.gltf:Rum", code=2))


class Override(PolicyTest):
    def setUp(self):
        super().setUp()
        self.file = self.source("npc/walk.bvh", bvh(40))
        self.sidecar = self.assets / "npc/walk.bvh.simmer.toml"
        self.cook()

    def test_sets_and_cooks_at_once(self):
        self.sidecar.write_text("# by hand\ncodec = 'spline'  # stays\n")
        text = self.simmer("override", "npc/walk.bvh", "tolerance_mm=0.25", "tags=a,b")
        self.assertEqual(self.sidecar.read_text(),
                         "# by hand\ncodec = 'spline'  # stays\ntolerance_mm = 0.25\ntags = [\"a\", \"b\"]\n")
        self.assertRegex(text, r"npc/walk\.bvh +before .* 1\.56 ")
        self.assertRegex(text, r" now .* 0\.25 .*cooked")
        self.assertEqual(self.runs(), set(), "it was cooked already")
        self.assertIn('tolerance_mm = 0.25  (npc/walk.bvh.simmer.toml:3)', self.simmer("override", "npc/walk.bvh", "--list"))

    def test_unset_goes_back_to_what_is_inherited(self):
        self.simmer("override", "npc/walk.bvh", "tolerance_mm=0.25", "effort=max")
        self.simmer("override", "npc/walk.bvh", "-u", "tolerance_mm", "-u", "effort")
        self.assertFalse(self.sidecar.exists(), "nothing is left to say")
        self.assertIn("nothing is overridden", self.simmer("override", "npc/walk.bvh", "--list"))

    def test_refuses_what_would_not_resolve_and_changes_nothing(self):
        for given, text in (("efort=max", "there is no setting 'efort'; did you mean 'effort'?"),
                            ("effort=mx", 'effort is "mx", expected one of draft, default, max'),
                            ("tolerance_mm=0.5mm", 'tolerance_mm is "0.5mm", expected a number'),
                            ("profile=ncp", "there is no profile 'ncp'; did you mean 'npc'?"),
                            ("tolerance_mm", "'tolerance_mm': expected key=value"),
                            ("distance_m=3\nx=1", "distance_m is ")):
            self.assertIn(text, self.simmer("override", "npc/walk.bvh", given, code=2))
        self.assertIn("'effort' is not set in it", self.simmer("override", "npc/walk.bvh", "--unset", "effort", code=2))
        self.assertIn("keep one", self.simmer("override", "npc/walk.bvh", "distance_m=3", "screen_height_px=9", code=2))
        self.assertFalse(self.sidecar.exists())

    def test_one_clip(self):
        self.source("fox.gltf", gltf(["Run", "Walk"]))
        self.cook()
        text = self.simmer("override", "fox.gltf:Run", "tolerance_mm=0.25")
        self.assertEqual((self.assets / "fox.gltf.simmer.toml").read_text(), "[clip.Run]\ntolerance_mm = 0.25\n")
        self.assertRegex(text, r"Walk +before")
        self.assertIn("decides how the whole file is read", self.simmer("override", "fox.gltf:Run", "sample_rate=10", code=2))


class Explain(PolicyTest):
    def test_component_by_component(self):
        self.source("npc/walk.bvh", bvh(12))
        self.assertRegex(self.simmer("explain", "npc/walk.bvh"), r"last: never cooked\n  next: would be cooked\n")
        self.cook()
        text = self.simmer("explain", "npc/walk.bvh")
        self.assertRegex(text, r"last: .*, cooked in .*\n  why: it was the first time\n  next: nothing to do\n")
        self.source("npc/walk.bvh.simmer.toml", 'effort = "max"\n')
        self.assertRegex(self.simmer("explain", "npc/walk.bvh"), r"next: would be cooked\n    effort +draft ▸ max\n")
        self.cook()
        self.source("npc/walk.bvh", bvh(13))
        self.cook()
        text = self.simmer("explain", "npc/walk.bvh")
        self.assertRegex(text, r"why: its key changed\n    source +[0-9a-f]{12}… ▸ [0-9a-f]{12}…\n  next: nothing to do\n")
        self.source("npc/walk.bvh", bvh(12))
        self.assertRegex(self.simmer("explain", "npc/walk.bvh"), r"next: would be taken from the cache\n")
        self.cook()
        self.assertIn("taken from the cache", self.simmer("explain", "npc/walk.bvh"))
        document = json.loads(self.simmer("explain", "--json", "npc/walk.bvh"))["assets"][0]
        self.assertFalse(document["last"]["plugin_ran"])
        self.assertEqual(document["next"], "nothing to do")

    def test_a_cache_that_lost_everything(self):
        self.source("npc/walk.bvh", bvh(12))
        self.cook()
        self.source("npc/walk.bvh", bvh(13))
        self.cook()
        for name in (self.root / ".simmer").glob("cache.db*"):
            shutil.rmtree(name) if name.is_dir() else name.unlink()
        text = self.simmer("explain", "npc/walk.bvh")
        self.assertIn("the cache no longer has the earlier one", text)
        self.assertIn("next: would be cooked", text)


class WhatIf(PolicyTest):
    TOML = TOML.replace('effort = "draft"', 'effort = "default"')

    def setUp(self):
        super().setUp()
        for index, name in enumerate(("npc/a.bvh", "npc/b.bvh", "hero/c.bvh")):
            self.source(name, bvh(60, offset=index, rotations=[(31 * i * (index + 2)) % 47 for i in range(60)]))
        self.cook()

    def files(self):
        return {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in sorted(self.root.rglob("*"))
                if p.is_file() and ".simmer" not in p.parts}

    def ask(self, *arguments):
        return json.loads(self.simmer("what-if", "--json", *arguments))

    def test_says_what_a_profile_would_save_and_touches_nothing(self):
        before = self.files()
        answer = self.ask("profile.npc.pixel_budget=4")
        self.assertEqual(before, self.files())
        changed = [a["source"] for a in answer["assets"] if a["changes"]]
        self.assertEqual(changed, ["npc/a.bvh", "npc/b.bvh"])
        self.assertLess(answer["total"]["then_bytes"], answer["total"]["now_bytes"])
        profiles = {p["name"]: p for p in answer["profiles"]}
        self.assertEqual(profiles["hero"]["now_bytes"], profiles["hero"]["then_bytes"])
        self.assertEqual(self.runs(), set(), "the project is as it was")

    def test_an_estimate_is_near_what_the_cook_gives(self):
        for change in ("profile.npc.pixel_budget=3", "profile.npc.pixel_budget=0.3", "screen.pixel_budget=9"):
            fast, exact = self.ask(change)["total"], self.ask("--exact", change)["total"]
            self.assertAlmostEqual(fast["then_bytes"] / exact["then_bytes"], 1, delta=0.12, msg=change)  # three small clips

    def test_exact_is_what_the_next_cook_gives_from_the_cache(self):
        answer = self.ask("--exact", "profile.npc.pixel_budget=3")
        self.assertFalse(any(a["estimated"] for a in answer["assets"]))
        self.settings(self.TOML.replace("pixel_budget = 1.0", "pixel_budget = 3"))
        report = self.cook()
        self.assertEqual(report["totals"]["plugin_runs"]["cook"], 0)
        self.assertEqual({a["source"]: a["then_bytes"] for a in answer["assets"]},
                         {a["source"]: a["artifact_bytes"] for a in report["assets"]})

    def test_other_settings(self):
        answer = self.ask("plugin.animation.codec=article")
        self.assertTrue(all(a["changes"] for a in answer["assets"]))
        exact = self.ask("--exact", "plugin.animation.effort=max")
        self.assertEqual(self.ask("plugin.animation.effort=max")["assets"], exact["assets"],
                         "drafts can not say what effort does: it is cooked")

    def test_mistakes(self):
        self.assertIn("unknown key 'pixel_bugdet' in profile npc; did you mean 'pixel_budget'?",
                      self.simmer("what-if", "profile.npc.pixel_bugdet=2", code=2))
        self.assertIn("expected key=value", self.simmer("what-if", "npc", code=2))


class DryRun(PolicyTest):
    """`cook --dry-run` names exactly what the next cook runs, whatever was done to the project before."""

    def edit(self, random):
        """One thing that a person may do; gives its name."""
        sources = sorted(p for p in self.assets.rglob("*") if p.suffix in (".bvh", ".gltf"))
        some = random.choice(sources)
        sidecar = some.with_name(some.name + ".simmer.toml")
        folder = self.assets / random.choice(("npc", "hero", "new/deep"))
        folder.mkdir(parents=True, exist_ok=True)
        what = random.choice(("content", "sidecar", "no sidecar", "copy", "move", "remove", "rules", "touch", "break", "lose"))
        if what == "content":
            some.write_text(gltf(random.sample(["Run", "Walk", "Idle"], 2)) if some.suffix == ".gltf"
                            else bvh(random.randrange(3, 8), random.randrange(3)))
        elif what == "sidecar":
            sidecar.write_text(random.choice(("tolerance_mm = 1\n", "tolerance_mm = 2\n", "pixel_budget = 1.0\n", 'codec = "article"\n',
                                              '[clip."Run"]\ntolerance_mm = 3\n', "efort = 1\n")))
        elif what == "no sidecar":
            sidecar.unlink(missing_ok=True)
        elif what == "copy":
            (folder / (random.choice("xyz") + some.suffix)).write_bytes(some.read_bytes())
        elif what == "move":
            some.rename(folder / ("moved" + some.suffix))
        elif what == "remove" and len(sources) > 3:
            some.unlink()
        elif what == "rules":
            self.settings(TOML.replace("pixel_budget = 1.0", f"pixel_budget = {random.choice((1.0, 2.0, 3.0))}")
                          .replace("pixel_budget = 0.5", f"pixel_budget = {random.choice((0.5, 0.25))}"))
        elif what == "touch":
            os.utime(some)
        elif what == "break":
            some.write_text("HIERARCHY\nnothing\n")
        elif what == "lose":
            outputs = sorted(self.cooked.rglob("*.clip"))
            if outputs:
                random.choice(outputs).unlink()
        return what

    def test_says_exactly_what_the_next_cook_runs(self):
        for index, name in enumerate(("npc/a.bvh", "npc/b.bvh", "hero/c.bvh", "d.bvh")):
            self.source(name, bvh(4, offset=index))
        self.source("hero/fox.gltf", gltf(["Run", "Walk"]))
        seed = random.Random(7)
        ran = 0
        for round_ in range(100):
            edits = [self.edit(seed) for _ in range(seed.choice((1, 1, 2, 4)))]
            planned = {(a["source"], a["clip"]) for a in self.cook("--dry-run", "-j1")["assets"] if a["state"] == "stale"}
            report = self.cook("-j1")
            cooked = {(a["source"], a["clip"]) for a in report["assets"] if a["plugin_ran"]}
            self.assertEqual(planned, cooked, f"round {round_}: {edits}")
            self.assertEqual(len(cooked), report["totals"]["plugin_runs"]["cook"], f"round {round_}: {edits}")
            ran += len(cooked)
        self.assertGreater(ran, 50, "the edits have to make work")


if __name__ == "__main__":
    unittest.main()
