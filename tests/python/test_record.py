"""python -m gluond.record and gluond.record(), under Triton 3.9.0 and without a GPU. Run by ctest:

    test_record.py GLUOND [PYTHON WITH TRITON]

Without a Python that has Triton 3.9 nothing is tried, and the exit code is 77.
"""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/support")]
import peers  # noqa: E402
from gluond import recordfile  # noqa: E402

PROGRAMS = Path(__file__).resolve().parent / "programs"
ORACLE = ROOT.parent / "shared" / "oracle" / "oracle.py"
GLUOND = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/bin/gluond")


PYTHON = peers.python_with(peers.TRITON, *sys.argv[1:2])


def records(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def content(path):
    return {recordfile.content(record) for record in records(path)}


class Record(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "project" / "kernels"
        shutil.copytree(PROGRAMS, self.path)
        (self.path.parent / "pyproject.toml").write_text("")
        self.found = self.path.parent / ".gluond" / "recorded.launches.jsonl"

    def python(self, *arguments, code=0, **options):
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "TRITON_CACHE_DIR": str(self.path / "cache"),
                       "TRITON_DEFAULT_FP_FUSION": "1"}
        done = subprocess.run([PYTHON, *map(str, arguments)], cwd=self.path, env=environment, capture_output=True, text=True, timeout=300, **options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def record(self, *arguments, **options):
        return self.python("-m", "gluond.record", "--target", "cuda:90", *arguments, **options)

    def gluond(self, *arguments, code=0):
        done = subprocess.run([GLUOND, *map(str, arguments)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def test_a_program_and_its_exit_code(self):
        done = self.record("recorded.py", "3", code=3)
        self.assertIn("11 launches, 8 new specializations, 0 known before", done.stderr)
        found = {record["id"]: record for record in records(self.found)}
        self.assertEqual(list(found), [f"recorded.{name}.cuda90.{i}" for name, i in [
            ("scale", 0), ("scale", 1), ("scale", 2), ("fill", 0), ("fill", 1), ("through_shared", 0), ("nested.inner", 0), ("scale", 3)]])
        scale = found["recorded.scale.cuda90.2"]
        self.assertEqual((scale["file"], scale["kernel"], scale["target"], scale["options"]),
                         ("../kernels/recorded.py", "scale", "cuda:90", {"num_warps": 8}))
        self.assertEqual([(a["name"], a["type"], a.get("divisible_by"), a.get("value")) for a in scale["args"][:4]],
                         [("src", "*fp16", 16, None), ("dst", "*fp32", None, None), ("count", "constexpr", None, 1), ("factor", "fp32", None, None)])
        self.assertEqual(scale["run"], {"grid": [4, 1, 1], "values": {  # a factor that is infinite is none
            "src": {"shape": [1000], "strides": [1]}, "dst": {"shape": [1000], "strides": [1], "offset": 2}}})
        self.assertEqual(found["recorded.scale.cuda90.0"]["run"]["values"]["count"], 1000)
        self.assertEqual(scale["args"][6]["value"], {"$fn": "doubled", "file": "../kernels/tiles.py"})
        self.assertEqual(found["recorded.through_shared.cuda90.0"]["run"]["values"], {
            "desc": {"shape": [256, 512], "strides": [512, 1]}, "pair.0": 7, "pair.1": {"shape": [1000], "strides": [1]}})
        self.assertEqual(found["recorded.nested.inner.cuda90.0"]["closure"], {"step": {"$constexpr": 5}})
        self.assertNotIn("run", found["recorded.scale.cuda90.3"])  # only compiled

    def test_gluond_reads_them(self):
        self.record("recorded.py")
        program = self.path / "recorded.py"
        for record in records(self.found):  # by their ids, beside the program that nobody was told about
            self.gluond("emit", program, "--kernel", record["kernel"], "--launch", record["id"], "--stage", "source")
        self.gluond("check", program)
        out = self.path / "out"
        self.gluond("emit", self.found, "--stage", "ttgir", "-o", out)
        self.assertEqual(len(list(out.glob("*.ttgir"))), 8)

    def test_known_specializations_are_written_once(self):
        self.record("recorded.py")
        before = self.found.read_bytes()
        self.assertIn("0 new specializations, 8 known before", self.record("recorded.py").stderr)
        self.assertIn("0 new specializations, 8 known before", self.record("-m", "pytest", "-q", "recorded.py").stderr)
        self.assertEqual(self.found.read_bytes(), before)

    def test_what_changed_is_brought_up_to_date(self):
        self.record("recorded.py")
        text = self.found.read_text()
        self.found.write_text(text.replace('"name": "count"', '"name": "number"') + "a line of somebody else")
        program = self.path / "recorded.py"
        program.write_text(program.read_text().replace("@gluon.jit\ndef through_shared", "# moved\n@gluon.jit\ndef through_shared"))
        self.record("recorded.py")
        lines = self.found.read_text().splitlines()
        self.assertIn("a line of somebody else", lines)
        self.assertNotIn('"name": "number"', self.found.read_text())
        moved = [json.loads(line) for line in lines if '"through_shared"' in line]
        self.assertEqual([record["line"] for record in moved], [42])

    def test_several_processes_and_one_file(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: self.record("recorded.py"), range(4)))
        found = records(self.found)
        self.assertEqual((len(found), len({record["id"] for record in found}), len(content(self.found))), (8, 8, 8))

    def test_a_program_that_fails_is_recorded_up_to_there(self):
        (self.path / "fails.py").write_text("import recorded\nrecorded.main()\nraise ValueError('no')\n")
        self.assertIn("ValueError: no", self.record("fails.py", code=1).stderr)
        self.assertEqual(len(records(self.found)), 8)

    def test_wrong_use(self):
        self.record(code=2)
        self.record("-o", "records.json", "recorded.py", code=2)
        self.python("-m", "gluond.record", "--target", "cpu", "recorded.py", code=2)

    def test_launches_run_as_always(self):
        output = self.path / "all.launches.jsonl"
        self.assertEqual(self.python("on_a_fake_gpu.py", output).stdout.split(), ["11", "8"])
        self.record("recorded.py", "0", "-o", "x")  # arguments after the program are the program's
        strip = lambda path, name: {line.replace("../kernels/", "") for line in content(path)}
        self.assertEqual(strip(output, "all"), strip(self.found, "recorded"))

    def test_launches_on_amd(self):
        for arch, wave in (("gfx942:sramecc+:xnack-", 64), ("gfx1201", 32)):
            output = self.path / f"{wave}.launches.jsonl"
            self.assertEqual(self.python("on_a_fake_amd_gpu.py", output, arch).stdout.split(), ["6", "4"])
            found = records(output)
            self.assertEqual({record["target"] for record in found}, {"hip:" + arch.split(":")[0]})  # as Triton names it
            self.assertEqual([(record["kernel"], record["options"]) for record in found],
                             [("scale", {"num_warps": 4}), ("scale", {"num_warps": 8}),
                              ("tuned", {"num_warps": 4, "waves_per_eu": 1, "num_stages": 3}),
                              ("tuned", {"num_warps": 4, "waves_per_eu": 2, "num_stages": 3})])
            self.assertEqual(found[0]["globals"], {"on_a_fake_amd_gpu:WAVE": wave})
            self.assertEqual(found[0]["run"], {"grid": [2, 1, 1], "values": {
                "src": {"shape": [1000], "strides": [1]}, "dst": {"shape": [1000], "strides": [1]}, "count": 1000}})
            out = self.path / f"out{wave}"
            self.gluond("emit", output, "--stage", "ttgir", "-o", out)
            texts = [file.read_text() for file in sorted(out.glob("*.ttgir"))]
            self.assertEqual([f'"ttg.threads-per-warp" = {wave}' in text for text in texts], [True] * 4)

    @unittest.skipUnless(ORACLE.exists(), "there is no oracle beside this checkout")
    def test_as_the_oracle_records_them(self):
        self.record("-o", "ours.launches.jsonl", "-m", "pytest", "-q", "recorded.py")
        self.python(ORACLE, "record", "recorded.py", "-o", self.path / "theirs", "--name", "recorded", "--target", "cuda:90")
        self.assertEqual(content(self.path / "ours.launches.jsonl"), content(self.path / "theirs" / "recorded.launches.jsonl"))


if __name__ == "__main__":
    if PYTHON is None:
        print("skipped: no Python with Triton 3.9 (name one in GLUOND_TRITON_PYTHON)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
