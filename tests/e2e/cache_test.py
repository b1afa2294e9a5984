"""Nothing is cooked twice, damage is found and healed, and the same input gives the same bytes."""
import json
import os
import pathlib
import random
import shutil
import sqlite3
import time
import unittest

from simmer_project import ProjectTest, bvh, gltf, run


class NothingTwice(ProjectTest):
    def setUp(self):
        super().setUp()
        self.source("a/walk.bvh", bvh(40))
        self.source("b/idle.bvh", bvh(25))
        text, self.buffer = gltf(["Up"], buffer_uri="box.bin")
        self.source("c/box.gltf", text)
        self.source("c/box.bin", self.buffer)
        self.cook()

    def assertOnlyCached(self, report):
        self.assertNoPluginRan(report)
        self.assertEqual(report["totals"]["failed"], 0)

    def test_touch(self):
        for path in self.assets.rglob("*.*"):
            os.utime(path, (time.time() + 5, time.time() + 5))
        report = self.cook()
        self.assertOnlyCached(report)
        self.assertEqual(report["totals"]["unchanged"], 3)

    def test_copy_and_rename(self):
        shutil.copy(self.assets / "a/walk.bvh", self.assets / "copy.bvh")
        (self.assets / "b/idle.bvh").rename(self.assets / "renamed.bvh")
        report = self.cook()
        self.assertOnlyCached(report)
        self.assertEqual(self.states(report)[("copy.bvh", "clip")], "cached")
        self.assertEqual(self.states(report)[("renamed.bvh", "clip")], "cached")
        self.assertNotIn("b/idle.bvh.clip", self.outputs())

    def test_move_of_the_project(self):
        moved = self.folder / "elsewhere" / "project"
        moved.parent.mkdir()
        shutil.move(self.root, moved)
        self.use(moved)
        self.assertOnlyCached(self.cook())

    def test_copy_of_the_project_without_outputs(self):
        copy = self.folder / "copy"
        shutil.copytree(self.root, copy)
        shutil.rmtree(copy / "cooked")
        (copy / ".simmer" / "state.db").unlink()
        before = self.outputs()
        self.use(copy)
        self.assertOnlyCached(self.cook())
        self.assertEqual(self.outputs(), before)

    def test_older_version_comes_back(self):
        old = (self.assets / "a/walk.bvh").read_bytes()
        before = self.outputs()
        self.source("a/walk.bvh", bvh(40, offset=3))
        self.assertEqual(self.cook()["totals"]["plugin_runs"]["cook"], 1)
        self.assertNotEqual(self.outputs(), before)
        self.source("a/walk.bvh", old)
        self.assertOnlyCached(self.cook())
        self.assertEqual(self.outputs(), before)

    def test_older_version_of_a_file_beside_the_source_comes_back(self):
        self.source("c/box.bin", self.buffer[:20] + b"\0\0\0\x3f" + self.buffer[24:])
        report = self.cook()
        self.assertEqual(report["totals"]["plugin_runs"]["cook"], 1)
        self.assertEqual(self.states(report)[("c/box.gltf", "Up")], "cooked")
        self.source("c/box.bin", self.buffer)
        self.assertOnlyCached(self.cook())

    def test_missing_file_beside_the_source_is_a_dependency(self):
        (self.assets / "c/box.bin").unlink()
        report = self.cook(code=1)
        self.assertIn("box.bin", [row for row in report["assets"] if row["state"] == "failed"][0]["message"])
        self.assertNoPluginRan(self.cook(code=1))
        self.source("c/box.bin", self.buffer)
        self.assertOnlyCached(self.cook())

    def test_sidecar_recooks_its_own_asset_only(self):
        self.source("a/walk.bvh.simmer.toml", "pixel_budget = 4\n")
        report = self.cook()
        self.assertEqual(report["totals"]["plugin_runs"]["cook"], 1)
        self.assertEqual(self.states(report)[("a/walk.bvh", "clip")], "cooked")
        (self.assets / "a/walk.bvh.simmer.toml").unlink()
        self.assertOnlyCached(self.cook())

    def test_project_file_change_without_effect(self):
        self.settings(self.TOML + "# a comment\n[profile.unused]\npixel_budget = 3\n")
        self.assertOnlyCached(self.cook())

    def test_shared_cache(self):
        shared = self.folder / "shared-cache"
        env = {"SIMMER_CACHE": str(shared)}
        self.cook("--force", env=env)
        copy = self.folder / "worktree"
        shutil.copytree(self.assets, copy / "assets")
        shutil.copy(self.root / "simmer.toml", copy)
        self.use(copy)
        self.assertOnlyCached(self.cook(env=env))


class Damage(ProjectTest):
    def flip_blob(self, output):
        """Flips one bit of a published output's bytes where the cache database keeps them."""
        content = (self.cooked / output).read_bytes()
        database = self.root / ".simmer" / "cache.db"
        with sqlite3.connect(database) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        data = bytearray(database.read_bytes())
        at = data.find(content[:200])
        self.assertGreater(at, 0)
        data[at + 100] ^= 4
        database.write_bytes(data)

    def test_flipped_bit_is_found_and_healed(self):
        self.source("walk.bvh", bvh(200))
        self.cook()
        good = self.outputs()
        self.flip_blob("walk.bvh.clip")
        shutil.rmtree(self.cooked)
        report = self.cook()
        self.assertEqual(self.outputs(), good)
        self.assertEqual(report["totals"]["plugin_runs"]["cook"], 1)
        stats = json.loads(run("cache", "stats", "--json", "--project", self.root).stdout)
        self.assertGreater(stats["corrupt_dropped"], 0)

    def test_verify_finds_it_too(self):
        self.source("walk.bvh", bvh(200))
        self.cook()
        self.assertEqual(run("cache", "verify", "--project", self.root).returncode, 0)
        self.flip_blob("walk.bvh.clip")
        self.assertEqual(run("cache", "verify", "--project", self.root).returncode, 5)
        self.assertEqual(run("cache", "verify", "--project", self.root).returncode, 0)

    def test_state_or_cache_that_is_no_database(self):
        self.source("walk.bvh", bvh(40))
        self.cook()
        good = self.outputs()
        for name in ("state.db", "cache.db"):
            for end in ("", "-wal", "-shm"):
                path = pathlib.Path(f"{self.root}/.simmer/{name}{end}")
                if path.exists():
                    path.write_bytes(b"no database" * 1000)
            report = self.cook()
            self.assertEqual(report["totals"]["failed"], 0)
            self.assertEqual(self.outputs(), good)

    def test_cache_may_be_deleted(self):
        self.source("walk.bvh", bvh(40))
        self.cook()
        good = self.outputs()
        (self.root / ".simmer/cache.db").unlink()
        self.assertNoPluginRan(self.cook())
        (self.cooked / "walk.bvh.clip").unlink()
        self.assertEqual(self.cook()["totals"]["plugin_runs"]["cook"], 1)
        self.assertEqual(self.outputs(), good)

    def test_gc_keeps_what_the_project_uses(self):
        self.settings(self.TOML + '[cache]\nlimit = "1 MB"\n[[rule]]\nmatch = "*.bin"\nplugin = "deflate"\n')
        for version in range(4):
            for name in ("a.bin", "b.bin", "c.bin"):
                self.source(name, random.Random(f"{name} {version}").randbytes(400_000))
            self.cook()
        good = self.outputs()
        self.assertGreater(sum(map(len, good.values())), 1_000_000)
        self.assertEqual(run("cache", "gc", "--project", self.root).returncode, 0)
        stats = json.loads(run("cache", "stats", "--json", "--project", self.root).stdout)
        self.assertEqual(stats["records"], 3)
        shutil.rmtree(self.cooked)
        self.assertNoPluginRan(self.cook())
        self.assertEqual(self.outputs(), good)


class Deterministic(ProjectTest):
    def cooked_again(self, *arguments, env=None):
        shutil.rmtree(self.cooked, ignore_errors=True)
        shutil.rmtree(self.root / ".simmer", ignore_errors=True)
        self.cook(*arguments, env=env)
        return self.outputs()

    def test_threads_and_fused_operations_do_not_show(self):
        for i in range(6):
            self.source(f"walk{i}.bvh", bvh(60, i, [((i * 7 + f * 13) % 97) * 1.7 for f in range(60)]))
        self.source("box.gltf", gltf(["Up", "Down"]))
        one = self.cooked_again("--jobs", "1")
        self.assertEqual(self.cooked_again("--jobs", "4"), one)
        self.assertEqual(self.cooked_again("--jobs", "1"), one)
        without = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2_Usable,-AVX2"}
        self.assertEqual(self.cooked_again(env=without), one)


if __name__ == "__main__":
    unittest.main()
