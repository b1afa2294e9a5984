"""`simmer report`: sums, history, baselines, and the forms that build servers read."""
import datetime
import json
import os
import shutil
import sqlite3
import subprocess
import unittest
import xml.etree.ElementTree as tree

import jsonschema

from report_project import HERE, PROFILES, SCHEMA, ReportTest
from simmer_project import bvh, gltf, run

SARIF = json.loads((HERE / "schema/sarif.schema.json").read_text())


class Sums(ReportTest):
    def test_equal_what_find_says_to_the_byte(self):
        self.sources()
        self.cook(code=1)
        report = self.json()
        self.assertEqual(report["totals"]["shipped_bytes"], self.shipped())
        files = self.shipped() - self.manifest()
        for groups in ("profiles", "folders"):
            top = report[groups][:1] if groups == "folders" else report[groups]  # the first holds all others
            self.assertEqual(sum(group["totals"]["shipped_bytes"] for group in top), files, groups)
        outputs = {output["path"]: output["bytes"] for asset in report["assets"] for output in asset["outputs"]}
        self.assertEqual(outputs, {path: len(data) for path, data in self.outputs().items()})
        for name, totals in ((folder["folder"], folder["totals"]) for folder in report["folders"]):
            below = [data for path, data in self.outputs().items() if not name or path.startswith(name + "/")]
            self.assertEqual(totals["shipped_bytes"], sum(map(len, below)), name)

    def test_hold_with_last_good_outputs_of_failed_assets(self):
        self.sources()
        self.cook(code=1)
        self.source("hero/walk.bvh", "HIERARCHY\nROOT")
        self.source("hero/fox.gltf", "{}")
        self.cook(code=1)
        report = self.json("-b", "first")
        self.assertEqual(report["totals"]["failed"], 3)
        self.assertEqual(report["totals"]["shipped_bytes"], self.shipped())
        self.assertEqual(report["comparison"]["changes"], [], "the same files ship")
        self.assertIn("its last good output ships", self.report())

    def test_are_what_the_cook_said(self):
        self.sources()
        cooked = self.cook(code=1)["totals"]
        totals = self.json()["totals"]
        for name, value in totals.items():
            self.assertEqual(value, cooked[name], name)

    def test_hold_after_a_cook_of_some_files(self):
        self.sources()
        self.cook(code=1)
        self.source("hero/walk.bvh", bvh(50))
        self.source("npc/crowd/idle.bvh", bvh(50))
        done = run("cook", self.assets / "npc/crowd", cwd=self.root)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.json()["totals"]["shipped_bytes"], self.shipped())


    def test_of_a_damaged_state_come_back_with_the_next_cook(self):
        self.sources()
        self.cook(code=1)
        with sqlite3.connect(self.root / ".simmer/state.db") as database:
            database.execute("UPDATE source_state SET rows = '{}' WHERE path = 'hero/walk.bvh'")
        self.assertIn("simmer cook writes it anew", self.report(code=3))
        self.cook(code=1)
        self.assertEqual(self.json()["totals"]["shipped_bytes"], self.shipped())


class Past(ReportTest):
    def setUp(self):
        super().setUp()
        self.sources()
        self.then = {}
        for number, change in enumerate((lambda: None, self.change, self.remove, self.rename), 1):
            change()
            self.cook(code=1)
            self.then[number] = self.json()
            self.assertEqual(self.then[number]["run"], number)
            (self.root / f"{number}.json").write_text(json.dumps(self.then[number]))

    def change(self):
        self.source("hero/walk.bvh", bvh(80))
        self.source("hero/fox.gltf", gltf(["Run", "Jump", "Walk"]))

    def remove(self):
        (self.assets / "npc/crowd/idle.bvh").unlink()

    def rename(self):
        shutil.move(self.assets / "hero", self.assets / "lead")
        self.settings(self.TOML + PROFILES.replace("hero/**", "lead/**"))

    def test_totals_are_those_that_were_reported_then(self):
        for number, then in self.then.items():
            before = self.json("-b", f"#{number}")["comparison"]
            for members in ("totals", "profiles", "folders"):
                self.assertEqual(before[members], then[members], f"{members} of #{number}")
        self.assertEqual([point["totals"]["shipped_bytes"] for point in self.json()["history"]],
                         [then["totals"]["shipped_bytes"] for then in self.then.values()])

    def test_a_file_and_the_history_give_the_same_comparison(self):
        for number in self.then:
            by_history = self.json("-b", f"#{number}")["comparison"]
            by_file = self.json("-b", self.root / f"{number}.json")["comparison"]
            for members in ("totals", "profiles", "folders", "changes"):
                self.assertEqual(by_file[members], by_history[members], f"{members} of #{number}")

    def test_changes_add_up_and_have_causes(self):
        comparison = self.json("-b", "#1")["comparison"]
        changes = {change["output"]: change for change in comparison["changes"]}
        self.assertEqual(changes["hero/fox.gltf.Run.clip"]["kind"], "gone")
        self.assertEqual(changes["lead/fox.gltf.Jump.clip"]["kind"], "new")
        self.assertEqual(changes["npc/crowd/idle.bvh.clip"]["kind"], "gone")
        grown = sum(change["after_bytes"] - change["before_bytes"] for change in comparison["changes"])

        def files(report):
            return sum({o["path"]: o["bytes"] for asset in report["assets"] for o in asset["outputs"]}.values())

        self.assertEqual(grown, files(self.then[4]) - files(self.then[1]))
        self.source("lead/walk.bvh", bvh(160))
        self.cook(code=1)
        change = self.json("-b", "#4")["comparison"]["changes"][0]
        self.assertEqual((change["source"], change["kind"]), ("lead/walk.bvh", "grew"))
        self.assertEqual(change["cause"], "longer (+100.0 % raw)")

    def test_two_points_of_the_past_and_two_files(self):
        past = self.json("--at", "#3", "-b", "#1")
        self.assertEqual(past["totals"], self.then[3]["totals"])
        files = self.json("--at", self.root / "3.json", "-b", self.root / "1.json")
        self.assertEqual(files["totals"], self.then[3]["totals"])
        for members in ("totals", "profiles", "folders", "changes"):
            self.assertEqual(files["comparison"][members], past["comparison"][members], members)
        self.assertIn("is neither a file nor a point in history", self.report("--at", "someday", code=2))

    def test_points_in_history_by_time(self):
        now = datetime.datetime.now().astimezone()
        day = lambda days, hour: (now - datetime.timedelta(days=days)).replace(hour=hour, minute=0, second=0)
        self.move_runs({1: day(10, 8), 2: day(7, 8), 3: day(1, 8), 4: now})
        before = lambda what: self.json("-b", what)["comparison"]["run"]
        self.assertEqual(before("first"), 1)
        self.assertEqual(before("last-week"), 2)
        self.assertEqual(before("yesterday"), 3)
        self.assertEqual(before(day(7, 0).strftime("%Y-%m-%d")), 2)
        self.assertEqual(before(day(7, 7).strftime("%Y-%m-%dT%H:%M")), 1)
        self.assertEqual(before("9d"), 1)
        self.assertEqual(before("0m"), 4)
        self.assertIn("the history begins later than 20d: with #1 of", self.report("-b", "20d", code=2))
        self.assertIn("there is no run #9; the history goes from #1 to #4", self.report("-b", "#9", code=2))

    def test_since_shows_every_cook_and_their_sum(self):
        now = datetime.datetime.now().astimezone()
        self.move_runs({n: now - datetime.timedelta(days=days) for n, days in ((1, 10), (2, 6), (3, 2), (4, 0))})
        def since(what):
            found = self.json("--since", what)["since"]
            return found["from"] and found["from"]["run"], [point["run"] for point in found["runs"]]
        self.assertEqual(since("#2"), (2, [3, 4]))
        self.assertEqual(since("first"), (1, [2, 3, 4]))
        self.assertEqual(since("7d"), (1, [2, 3, 4]))
        self.assertEqual(since("3d"), (2, [3, 4]))
        self.assertEqual(since("4w"), (None, [1, 2, 3, 4]))
        self.assertEqual(since("1d"), (3, [4]))
        text = self.report("--since", "first")
        self.assertRegex(text, r"3 cooks since #1 of [-0-9 :]+: shipped [▲▼]")
        self.assertIn("is no point in history", self.report("--since", "tuesday", code=2))

    def test_a_deleted_state_begins_anew(self):
        for name in ("state.db", "state.db-wal", "state.db-shm"):
            (self.root / ".simmer" / name).unlink(missing_ok=True)
        self.assertIn("nothing was cooked yet: simmer cook", self.report(code=2))
        self.assertFalse((self.root / ".simmer/state.db").exists(), "a report leaves nothing behind")
        self.cook(code=1)
        report = self.json("-b", self.root / "4.json")
        self.assertEqual(len(report["history"]), 1)
        self.assertEqual(report["comparison"]["changes"], [], "files outlive the history")
        self.assertEqual(report["totals"], self.then[4]["totals"])


class Forms(ReportTest):
    HOSTILE = 'a<script>alert("1")&\']]>\u202e%20 ä走.bvh'

    def setUp(self):
        super().setUp()
        self.sources()
        self.source("npc/" + self.HOSTILE, bvh(20))
        self.source("hero/bad " + self.HOSTILE, "HIERARCHY\nROOT")
        self.source("hero/walk.bvh.simmer.toml", "tolerance_m = 1\n")
        self.source("gone.bvh.simmer.toml", "tolerance_mm = 1\n")
        self.source("npc/box.gltf", gltf(["\x1b[31m\x01<b>]]>", "ok"]))
        self.settings(self.TOML + PROFILES + "[[rule]]\nmatch = \"nobody/**\"\nprofile = \"npc\"\n"
                      "[[budget]]\nname = '<b>&]]>'\nmax_bytes = 1\n[[budget]]\nmax_growth_percent = 1\n")
        self.cook(code=1)

    def test_json_follows_its_schema(self):
        self.json()
        self.json("-b", "first", "--since", "first")
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_junit_follows_its_schema(self):
        file = self.root / "report.xml"
        self.report("--junit", "-o", file)
        done = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", HERE / "schema/junit.xsd", file],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        suites = {suite.get("name"): suite for suite in tree.parse(file).getroot()}
        self.assertEqual(set(suites), {"hero", "npc", "(no profile)", "budgets"})
        for suite in suites.values():
            self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
            self.assertEqual(int(suite.get("skipped")), len(suite.findall("testcase/skipped")))
            self.assertEqual(int(suite.get("tests")), len(suite.findall("testcase")))
        self.assertEqual([case.get("name") for case in suites["budgets"]], ["<b>&]]>", "total"])
        self.assertEqual(len(suites["budgets"].findall("testcase/failure")), 1)
        self.assertEqual(len(suites["budgets"].findall("testcase/skipped")), 1)
        names = [case.get("name") for suite in suites.values() for case in suite]
        self.assertIn("npc/" + self.HOSTILE.replace("\u202e", "\ufffd"), names)

    def test_sarif_follows_its_schema_and_points_at_lines(self):
        report = json.loads(self.report("--sarif"))
        jsonschema.Draft202012Validator.check_schema(SARIF)
        jsonschema.Draft202012Validator(SARIF).validate(report)
        places = {}
        for result in report["runs"][0]["results"]:
            place = result["locations"][0]["physicalLocation"]
            places[place["artifactLocation"]["uri"]] = (result["ruleId"], place.get("region", {}).get("startLine"),
                                                        place["artifactLocation"]["uriBaseId"])
        self.assertEqual(places["hero/walk.bvh.simmer.toml"], ("asset-failed", 1, "SOURCES"))
        self.assertEqual(places["gone.bvh.simmer.toml"], ("warning", None, "SOURCES"))
        self.assertEqual(places["npc/bad.bvh"][0::2], ("asset-failed", "SOURCES"))
        lines = (self.root / "simmer.toml").read_text().splitlines()
        rules = {}
        for result in report["runs"][0]["results"]:
            place = result["locations"][0]["physicalLocation"]
            if place["artifactLocation"]["uri"] == "simmer.toml":
                rules[result["ruleId"]] = lines[place["region"]["startLine"] - 1]
        self.assertEqual(rules, {"warning": 'match = "nobody/**"', "budget-exceeded": "[[budget]]"})

    def test_html_escapes_names_and_needs_nothing_else(self):
        page = self.report("--html", "-b", "first")
        self.assertNotIn("<script>alert", page)
        self.assertIn("a&lt;script&gt;alert(&quot;1&quot;)&amp;&#39;]]&gt;", page)
        self.assertNotIn("\x1b", page)
        self.assertNotRegex(page, r"https?:|src=|href=|url\(")

    def test_none_of_them_names_the_machine(self):
        for form in ("--json", "--junit", "--sarif", "--html"):
            text = self.report(form, "-b", "first")
            self.assertNotIn(str(self.root), text, form)
            self.assertNotIn(os.uname().nodename + "\"", text, form)

    def test_the_terminal_gets_no_control_characters(self):
        text = self.report("--since", "first", "-b", "first", "--top", 100)
        self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f\u202e]")

    def test_one_form_at_a_time(self):
        self.assertEqual(run("report", "-p", self.root, "--json", "--html").returncode, 2)

    def test_a_file_that_can_not_be_written_exits_with_3(self):
        blocked = self.source("../blocked", "x")
        self.assertIn("blocked", self.report("-o", blocked / "report.txt", code=3))

    def test_a_baseline_that_is_none_says_what_one_is(self):
        self.assertIn("is neither a file nor a point in history", self.report("-b", "tuesday", code=2))
        junk = self.root / "junk.json"
        junk.write_text("[]")
        self.assertIn("this is no report that `simmer report --json` wrote", self.report("-b", junk, code=2))
        junk.write_text(json.dumps({**self.json(), "schema": 2}))
        self.assertIn("the report has schema 2, this program reads schema 1", self.report("-b", junk, code=2))


if __name__ == "__main__":
    unittest.main()
