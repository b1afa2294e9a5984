"""The runtime as an engine takes it: built and installed without the rest of Simmer, found by CMake and by pkg-config, or
as two files that any compiler takes. Every way has to give the same bits."""
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from simmer_project import ProjectTest, SIMMER, bvh

SOURCE = pathlib.Path(os.environ["SIMMER_SOURCE_DIR"])
RUNTIME = SOURCE / "plugins/animation/runtime"
CORPUS = SOURCE / "tests/fuzz/corpus"
POSE_BITS = SOURCE / "tests/e2e/pose_bits.c"
# In the build folder, always the same, so that ccache knows what it compiled before.
WORK = pathlib.Path(os.environ["SIMMER_WORK_DIR"])
COPY = WORK / "copy/plugins/animation/runtime"
CC, CXX = os.environ["CC"], os.environ["CXX"]
CCACHE = [shutil.which("ccache")] if shutil.which("ccache") else []
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]

CONSUMER = """cmake_minimum_required(VERSION 3.21)
project(game LANGUAGES C)
find_package(simmer_runtime 0.1 REQUIRED)
foreach(program {programs})
  get_filename_component(name ${{program}} NAME_WE)
  add_executable(${{name}} ${{program}})
  target_link_libraries(${{name}} PRIVATE simmer::runtime)
endforeach()
"""


def run(*command, env=None):
    """Runs a program, which has to succeed and to have no complaints, and gives what it prints."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=400,
                          env={**os.environ, **(env or {})})
    if done.returncode or "warning" in done.stderr.lower():
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(name, source, *options):
    """Configures, builds and installs one project with CMake."""
    launcher = [f"-DCMAKE_{language}_COMPILER_LAUNCHER={CCACHE[0]}" for language in ("C", "CXX") if CCACHE]
    run("cmake", "-G", "Ninja", "-S", source, "-B", WORK / name, f"-DCMAKE_INSTALL_PREFIX={WORK / name / 'installed'}",
        *launcher, *options)
    run("cmake", "--build", WORK / name, "-j", "2")
    return WORK / name


def build_package(name, *options):
    """The runtime alone. Gives the folder of programs that a C project built with the package that CMake found."""
    folder = build(name, COPY, *options)
    run("cmake", "--install", folder, "--prefix", folder / "installed")
    game = WORK / (name + "-game-source")
    game.mkdir()
    (game / "CMakeLists.txt").write_text(CONSUMER.format(programs=f"{COPY / 'example/joint_path.c'} {POSE_BITS}"))
    return build(name + "-game", game, f"-DCMAKE_PREFIX_PATH={folder / 'installed'}")


def build_with_pkg_config(package):
    """As build_package(), by one command with what pkg-config says."""
    folder = WORK / (package + "-pkg-config")
    folder.mkdir()
    (found,) = (WORK / package / "installed").rglob("simmer_runtime.pc")
    flags = run("pkg-config", "--cflags", "--libs", "simmer_runtime", env={"PKG_CONFIG_PATH": found.parent}).split()
    for program in (COPY / "example/joint_path.c", POSE_BITS):
        run(CC, "-std=c99", *STRICT, program, "-o", folder / program.stem, *flags)
    return folder


def build_two_files(name, cc, cxx, *options):
    """As build_package(), from the two files that amalgamate.py makes and nothing else."""
    folder = WORK / name
    folder.mkdir()
    run(sys.executable, "-B", COPY / "amalgamate.py", folder)
    library = folder / "simmer_runtime.o"
    run(*CCACHE, cxx, "-std=c++17", *STRICT, *options, "-c", folder / "simmer_runtime.cpp", "-o", library)
    for program in (COPY / "example/joint_path.c", POSE_BITS):
        run(cc, "-std=c99", *STRICT, "-I", folder, program, library, "-lm", "-o", folder / program.stem)
    return folder


def build_static():
    folder = build_package("static", f"-DCMAKE_C_COMPILER={CC}",
                           f"-DCMAKE_CXX_COMPILER={CXX}")
    assert "CMAKE_BUILD_TYPE:STRING=Release\n" in (WORK / "static/CMakeCache.txt").read_text()
    return {"static": folder, "pkg-config": build_with_pkg_config("static"), "alone": WORK / "static"}


def build_shared():
    folder = build_package("shared", "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_BUILD_TYPE=Release",
                           "-DCMAKE_CXX_FLAGS_RELEASE=-O1", f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}")
    return {"shared": folder}


def build_all():
    """The folders of programs, by the way that they were built."""
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.copytree(RUNTIME, COPY)
    jobs = [build_static, build_shared]
    # With the flags of the machine there is a fused multiply-add to be had; without them AVX2 is chosen at run time.
    jobs.append(lambda: {"two files": build_two_files("two-files", CC, CXX, "-O1")})
    if {"avx2", "fma", "bmi2"} <= set(re.split(r"\s+", pathlib.Path("/proc/cpuinfo").read_text())):
        jobs.append(lambda: {"haswell": build_two_files("haswell", CC, CXX, "-O2", "-march=haswell")})
    if shutil.which("clang++"):
        jobs.append(lambda: {"clang": build_two_files("clang", "clang", "clang++", "-O1", "-march=native")})
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        built = [pool.submit(job) for job in jobs]
        return {way: folder for job in built for way, folder in job.result().items()}


class RuntimePackage(ProjectTest):
    @classmethod
    def setUpClass(cls):
        cls.ways = build_all()

    def cooked_walk(self, settings):
        """A walk along X, half a centimetre a frame, 90 cm above the ground."""
        self.settings(self.TOML + settings)
        self.source("walk.bvh", bvh(40))
        self.cook()
        return self.cooked / "walk.bvh.clip"

    def assert_all_agree(self, program, *arguments):
        """Every way prints the same; gives what that is."""
        texts = {way: run(folder / program, *arguments) for way, folder in self.ways.items()
                 if (folder / program).exists()}
        self.assertGreaterEqual(len(texts), 4)
        for way, text in texts.items():
            self.assertEqual(text, texts["static"], f"{way} differs from static")
        return texts["static"]

    def test_a_joint_goes_where_its_source_goes(self):
        for codec in ("spline", "article"):
            clip = self.cooked_walk(f'[plugin.animation]\ncodec = "{codec}"\n')
            text = self.assert_all_agree("joint_path", clip, clip.with_suffix(".skeleton"), "Hips", 40)
            rows = [[float(number) for number in line.split()] for line in text.splitlines()]
            self.assertEqual(len(rows), 40)
            for frame, (seconds, x, y, z) in enumerate(rows):
                self.assertAlmostEqual(seconds, frame * 0.0333333, delta=1e-5)
                self.assertAlmostEqual(x, 0.005 * frame, delta=0.0017)
                self.assertAlmostEqual(y, 0.9, delta=0.0017)
                self.assertAlmostEqual(z, 0, delta=0.0017)

    def test_every_way_gives_the_same_bits(self):
        loaded = collections.Counter()
        for clip in sorted((CORPUS / "clip").glob("*.clip")):  # some are damaged, which every way has to see
            text = self.assert_all_agree("pose_bits", clip)
            loaded[clip.name.split("_")[0]] += text.startswith("status 0")
        for codec in ("raw", "article", "spline"):
            self.assertGreaterEqual(loaded[codec], 4, codec)

    def test_cooked_clips_give_the_same_bits(self):
        self.use(self.folder / "demo")
        run(SIMMER, "demo", self.root)
        self.cook()
        clips = sorted(self.cooked.rglob("*.clip"))
        self.assertGreaterEqual(len(clips), 8)
        for clip in clips:
            (skeleton,) = (path for path in clip.parent.glob("*.skeleton") if clip.name.startswith(path.stem + "."))
            self.assertTrue(self.assert_all_agree("pose_bits", clip, skeleton).startswith("status 0"), clip)

    def test_the_example_says_what_is_wrong(self):
        clip = self.cooked_walk("")
        program, skeleton = self.ways["static"] / "joint_path", clip.with_suffix(".skeleton")
        for arguments, message in (((clip, skeleton, "Nose"), "the skeleton has no such joint"),
                                   ((skeleton, skeleton, "Hips"), "neither a clip nor a skeleton"),
                                   ((clip.parent / "no.clip", skeleton, "Hips"), "cannot be read")):
            done = subprocess.run([program, *arguments], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)

    def test_a_shared_library_shows_the_interface_alone(self):
        (library,) = (path for path in (WORK / "shared/installed").rglob("libsimmer_runtime.so*")
                      if not path.is_symlink())
        shown = {line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()}
        declared = set(re.findall(r"^[a-z].*?\b(simmer_\w+)\(", (RUNTIME / "simmer_runtime.h").read_text(), re.MULTILINE))
        self.assertEqual(shown, declared)

    def test_the_example_is_short(self):
        self.assertLessEqual(len((RUNTIME / "example/joint_path.c").read_text().splitlines()), 100)

    def test_two_files_are_all_there_is(self):
        self.assertEqual({path.suffix for path in (WORK / "two-files").iterdir()}, {".h", ".cpp", ".o", ""})
        text = (WORK / "two-files/simmer_runtime.cpp").read_text()
        self.assertEqual(re.findall(r'#include "(.*)"', text), ["simmer_runtime.h"])


if __name__ == "__main__":
    unittest.main()
