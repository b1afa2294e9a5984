"""`simmer budget`: what is held against what, exit codes, growth."""
import json
import shutil
import unittest

from report_project import PROFILES, ReportTest
from simmer_project import bvh


class Budgets(ReportTest):
    def limit(self, *budgets):
        self.settings(self.TOML + PROFILES + "".join("[[budget]]\n" + budget + "\n" for budget in budgets))

    def test_that_are_kept_exit_with_0(self):
        self.sources()
        self.cook(code=1)
        files = self.shipped() - self.manifest()
        self.limit(f"max_bytes = {files}", "folder = 'npc'\nmax_bytes = '1 MB'", "tag = 'cutscene'\nmax_error_mm = 0.5")
        self.assertRegex(self.budget(), r"total +\S+ \S+ +\S+ \S+ +0 B +fine")
        self.limit(f"max_bytes = {files - 1}")
        self.assertIn("1 B over", self.budget(code=4))

    def test_that_are_exceeded_exit_with_4_and_name_who_grew(self):
        self.sources()
        self.cook(code=1)
        self.source("hero/walk.bvh", bvh(200))
        self.cook(code=1)
        self.limit("folder = 'hero'\nmax_bytes = 100", "folder = 'npc'\nmax_bytes = '1 MB'")
        self.assertRegex(self.budget(code=4), r"✕ folder hero \(simmer\.toml:\d+\): .*\n    · hero/")
        text = self.budget("-b", "#1", code=4)
        self.assertRegex(text, r"    ▲ hero/walk\.bvh  ")
        self.assertNotIn("▲ hero/fox", text, "what did not grow is not named")
        answer = json.loads(self.budget("--json", "-b", "#1", code=4))
        self.assertEqual([budget["verdict"] for budget in answer["budgets"]], ["exceeded", "fine"])
        self.assertEqual({culprit["source"] for culprit in answer["budgets"][0]["culprits"]}, {"hero/walk.bvh"})

    def test_of_growth(self):
        self.sources()
        self.cook(code=1)
        (self.root / "base.json").write_text(self.report("--json"))
        self.limit("profile = 'hero'\nmax_growth_percent = 3")
        self.assertIn("no baseline", self.budget())
        self.assertIn("fine", self.budget("-b", self.root / "base.json"))
        self.source("hero/walk.bvh", bvh(200))
        self.cook(code=1)
        self.assertIn("▲ hero/walk.bvh", self.budget("-b", self.root / "base.json", code=4))
        self.assertIn("▲ hero/walk.bvh", self.budget("-b", "#1", code=4))
        self.assertIn("fine", self.budget("-b", "#2"))

    def test_of_a_tag_know_the_tags_of_the_past(self):
        self.sources()
        self.cook(code=1)
        (self.root / "base.json").write_text(self.report("--json"))
        shutil.rmtree(self.assets / "hero")
        self.source("hero/jump.bvh", bvh(30))
        self.cook(code=1)
        self.limit("tag = 'cutscene'\nmax_growth_percent = 1")
        used = [json.loads(self.budget("--json", "-b", what))["budgets"][0]["baseline_bytes"]
                for what in ("#1", self.root / "base.json")]
        self.assertEqual(used[0], used[1])
        self.assertGreater(used[0], 0)

    def test_of_errors(self):
        self.sources()
        self.cook(code=1)
        self.limit("profile = 'npc'\nmax_error_mm = 0.000001", "profile = 'hero'\nmax_error_mm = 0.5")
        self.assertRegex(self.budget(code=4), r"npc/crowd/idle\.bvh  [\d.]+ mm")

    def test_are_not_needed(self):
        self.sources()
        self.cook(code=1)
        self.assertIn("No budgets", self.budget())

    def test_that_are_wrong_exit_with_2(self):
        self.limit("folder = 'npc'")
        self.assertIn("a budget without a limit", self.budget(code=2))

    def test_before_the_first_cook_exit_with_2(self):
        self.limit("max_bytes = 1")
        self.assertIn("nothing was cooked yet: simmer cook", self.budget(code=2))

    def test_do_not_change_a_cook(self):
        self.limit("max_bytes = 1")
        self.source("npc/idle.bvh", bvh(20))
        self.cook()


if __name__ == "__main__":
    unittest.main()
