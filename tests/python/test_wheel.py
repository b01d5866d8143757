#!/usr/bin/env python3
"""The wheel and the sdist of what was built: installed into a fresh venv, without the network, and used.

    test_wheel.py build/bin/gluond"""
import base64
import csv
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAMS = Path(sys.argv[1] if len(sys.argv) > 1 else TOP / "build/bin/gluond").resolve().parent
VERSION = re.search(r"project\(gluond VERSION ([\d.]+)", (TOP / "CMakeLists.txt").read_text()).group(1)


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = Path(cls.folder.name).resolve()
        cls.wheel = Path(run(sys.executable, TOP / "scripts/wheel.py", "--programs", PROGRAMS, "--out", cls.out / "dist").strip())
        # This Python may be in a venv itself, which is no concern of the program's.
        cls.environment = {name: value for name, value in os.environ.items() if name not in ("GLUOND", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
        run(sys.executable, "-m", "venv", cls.out / "venv")
        cls.bin = cls.out / "venv/bin"
        run(cls.bin / "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", cls.wheel, env=cls.environment)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def in_venv(self, *command):
        return run(self.bin / command[0], *command[1:], cwd=self.out, env={**self.environment, "PATH": f"{self.bin}:/usr/bin:/bin"})

    def test_one_version(self):
        self.assertTrue(self.wheel.name.startswith(f"gluond-{VERSION}-"))
        self.assertIn(f"gluond {VERSION} ", self.in_venv("gluond", "--version"))
        self.assertIn(f"gluond-amdgpu {VERSION}", self.in_venv("gluond-amdgpu", "--version"))
        self.assertIn(f"gluond-runner {VERSION},", self.in_venv("gluond-runner", "--version"))
        self.assertEqual(self.in_venv("python", "-c", "import gluond; print(gluond.__version__)").strip(), VERSION)

    def test_the_package_finds_its_own_programs(self):
        found = self.in_venv("python", "-c", "from gluond.compiler import find_gluond; print(find_gluond())").strip()
        self.assertEqual(Path(found), self.bin / "gluond")
        said = self.in_venv("gluond", "doctor")
        self.assertIn(f"{VERSION}", said)

    def test_programs_need_triton(self):
        """The venv has none: a sentence, not a traceback."""
        (self.out / "program.py").write_text("import triton\n")
        for module in (("gluond",), ("gluond", "--device", "cpu"), ("gluond.record",)):
            done = subprocess.run([self.bin / "python", "-m", *module, self.out / "program.py"], env=self.environment, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 2, module)
            self.assertIn("Triton is not installed", done.stderr, module)

    def test_a_target_folder_has_its_own_programs(self):
        run(self.bin / "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", "--target", self.out / "target", self.wheel,
            env=self.environment)
        found = run(self.bin / "python", "-c", "from gluond.compiler import find_gluond; print(find_gluond())", cwd=self.out,
                    env={**self.environment, "PYTHONPATH": str(self.out / "target"), "PATH": "/usr/bin:/bin"}).strip()
        self.assertEqual(Path(found), self.out / "target/bin/gluond")

    def test_checks_and_shares(self):
        self.in_venv("gluond", "check", TOP / "samples/copy_1d.py")
        code = self.in_venv("gluond", "emit", TOP / "samples/copy_1d.py", "--kernel", "copy_1d_tuned", "--target", "hip:gfx1100", "--stage", "isa")
        self.assertIn("s_endpgm", code)
        self.assertTrue((self.out / "venv/share/doc/gluond/diagnostics.md").is_file())
        if (TOP / "visualizer/dist/page/index.html").is_file():
            self.assertTrue((self.out / "venv/share/gluond/page/index.html").is_file())

    def test_the_list_of_files_is_true(self):
        with zipfile.ZipFile(self.wheel) as archive:
            info = f"gluond-{VERSION}.dist-info"
            rows = list(csv.reader(archive.read(f"{info}/RECORD").decode().splitlines()))
            self.assertEqual([row[0] for row in rows], archive.namelist())
            for name, digest, size in rows[:-1]:
                content = archive.read(name)
                self.assertEqual(digest, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode(), name)
                self.assertEqual(int(size), len(content), name)
            self.assertNotIn(b"Requires-Dist", archive.read(f"{info}/METADATA"))
            # The tag is what the programs need, not what this machine has.
            self.assertIn(self.wheel.stem.split("-")[-1].split(".")[0].encode(), archive.read(f"{info}/WHEEL"))

    def test_the_same_bytes_again(self):
        again = Path(run(sys.executable, TOP / "scripts/wheel.py", "--programs", PROGRAMS, "--out", self.out / "again").strip())
        self.assertEqual(self.wheel.read_bytes(), again.read_bytes())

    def test_the_sdist_has_what_a_build_reads(self):
        sdist = Path(run(sys.executable, TOP / "scripts/wheel.py", "--sdist", "--out", self.out / "dist").strip())
        with tarfile.open(sdist) as archive:
            names = {name.split("/", 1)[1] for name in archive.getnames()}
        wanted = {"PKG-INFO", "pyproject.toml", "CMakeLists.txt", "scripts/wheel.py", "runner/main.cpp", "python/gluond/__init__.py", "LICENSE"}
        self.assertEqual(wanted - names, set())
        # An unpacked sdist with built programs gives the same wheel.
        with tarfile.open(sdist) as archive:
            archive.extractall(self.out / "unpacked")
        (source,) = (self.out / "unpacked").iterdir()
        (source / "build").mkdir()
        (source / "build/bin").symlink_to(PROGRAMS)
        out = self.out / "from-sdist"
        out.mkdir()
        name = run(sys.executable, "-c", "import sys; sys.path.insert(0, 'scripts'); import wheel; print(wheel.build_wheel(sys.argv[1]))", out, cwd=source)
        self.assertEqual((out / name.strip()).read_bytes(), self.wheel.read_bytes())

    def test_versions_come_from_one_place(self):
        self.assertEqual(json.loads((TOP / "vscode-extension/package.json").read_text())["version"], "0.0.0", "package.sh sets it")
        self.assertNotIn("version =", (TOP / "pyproject.toml").read_text().replace('dynamic = ["version"]', ""))
        self.assertIn(f"## {VERSION}\n", (TOP / "CHANGELOG.md").read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
