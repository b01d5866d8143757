"""The gluond program as scripts see it: exit codes, formats, hostile input. Run by ctest; argv[1] is the program."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

GLUOND = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin/gluond")
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
os.environ["GLUOND_CACHE_DIR"] = "off"  # the tests of the cache have one of their own

KERNEL = """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def k(p, N: gl.constexpr):
    gl.store(p, N)


x = torch.empty(64, device="cuda")
k[(1,)](x, 3)
k[(1,)](x, 4)
"""
RECORD = {"id": "r", "file": "a.py", "kernel": "k", "target": "cuda:90", "options": {"num_warps": 4},
          "args": [{"name": "p", "type": "*fp32"}, {"name": "N", "type": "constexpr", "value": 3}]}


def run(*arguments, **options):
    result = subprocess.run([GLUOND, *map(str, arguments)], capture_output=True, timeout=60, **options)
    result.stdout.decode("utf-8")  # always valid
    result.stderr.decode("utf-8")
    return result


class Cli(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def test_version_and_help(self):
        self.assertRegex(run("--version").stdout.decode(), r"gluond \d+\.\d+\.\d+")
        self.assertEqual(run("--help").returncode, 0)
        self.assertEqual(run("doctor").returncode, 0)

    def test_wrong_use_is_2(self):
        for arguments in [(), ("nonsense",), ("check", "x", "--format", "xml"), ("check", self.path / "none.py"),
                          ("emit", self.path / "none.jsonl", "--stage", "source", "-o", self.path),
                          ("emit", SAMPLES / "copy_1d.py", "--stage", "source"),
                          ("emit", SAMPLES / "copy_1d.py", "--kernel", "none", "--stage", "source"),
                          ("launches", self.path), ("layout",), ("lsp", "--listen", "tcp")]:
            self.assertEqual(run(*arguments).returncode, 2, arguments)

    def test_check_formats(self):
        file = self.write("a.py", KERNEL.replace("gl.store", "gl.stoer"))
        text = run("check", file)
        self.assertEqual(text.returncode, 1)
        self.assertIn(b"error", text.stdout)
        found = json.loads(run("check", file, "--format", "json").stdout)
        self.assertEqual(len(found), 1)  # once, though two launches have it
        self.assertEqual(set(found[0]), {"file", "range", "severity", "code", "message", "related", "fixes", "kernel", "launch"})
        self.assertEqual(found[0]["file"], str(file))
        self.assertEqual(found[0]["kernel"], "k")
        self.assertEqual(found[0]["range"]["start"]["line"], 7)
        sarif = json.loads(run("check", file, "--format", "sarif").stdout)
        self.assertEqual(sarif["version"], "2.1.0")
        self.assertEqual(len(sarif["runs"][0]["results"]), 1)

    def test_check_folders(self):
        self.write("good/a.py", KERNEL)
        self.write("good/.hidden/b.py", "x = (")
        self.assertEqual(run("check", self.path / "good").returncode, 0)
        self.write("good/deep/c.py", KERNEL + "x = (")
        found = json.loads(run("check", "good", "--format", "json", cwd=self.path).stdout)
        self.assertEqual([each["file"] for each in found], ["good/deep/c.py"])

    def test_samples_are_clean(self):
        result = run("check", SAMPLES)
        self.assertEqual(result.returncode, 0, result.stdout.decode())

    def test_hostile_files(self):
        for text in [b"", b"\xff\xfe\x00", b"x = (" * 5000, b"while True: pass\n", b"def f(): f()\nf()\n", b"import a\n",
                     b"\r\r\n\t\n", KERNEL.encode()[:150]]:
            self.assertIn(run("check", self.write("a.py", text)).returncode, (0, 1), text[:40])
            self.assertEqual(json.loads(run("check", self.path / "a.py", "--format", "json").stdout).__class__, list)

    def test_hostile_kernels(self):
        head = KERNEL.split("    gl.store")[0].replace("import torch\n", "").replace(
            "@gluon.jit", '# gluond: launch(p="*fp32", N="i32")\n@gluon.jit').replace(": gl.constexpr", "")
        layout = "gl.BlockedLayout([1], [32], [4], [0])"
        for body, said in [
                ("".join(f"    a{i} = N + {i}\n" for i in range(20000)), b"too many names"),
                ("    x = " + "(" * 10000 + "N" + ")" * 10000 + "\n", b"too many nested parentheses"),
                ("    x = N" + " + N" * 20000 + "\n", b"levels deep"),
                ("    x = N" + ".x" * 20000 + "\n", b"levels deep"),
                ("    x = " + "-" * 20000 + "N\n", b"levels deep"),
                ("".join("    " + " " * i + f"if N > {i}:\n" for i in range(300)) + " " * 304 + "pass\n", b"indentation"),
                (f"    x = gl.arange(0, 1 << 40, layout={layout})\n", b"int32"),
                ("    x = N + 10**40\n", b"does not fit"),
                (f"    x = gl.arange(0, 128, layout={layout.replace('[1]', '[1 << 40]')})\n", b"size_per_thread"),
                ("    x = gl.arange(0, 128, layout=gl.BlockedLayout('a', 'b', 'c', 'd'))\n", b"must be a list")]:
            result = run("check", self.write("a.py", head + body))
            self.assertIn(result.returncode, (0, 1), body[:60])
            self.assertIn(said, result.stdout, body[:60])

    def test_hostile_records(self):
        file = self.write("a.py", KERNEL)
        deep = json.dumps({**RECORD, "args": 0}).replace(": 0", ": " + "[" * 100000 + "]" * 100000)
        for record, said in [
                (deep, b"nested too deeply"), ("[1, 2]", b"not an object"), ("\x00", b"not JSON"),
                ({**RECORD, "kernel": "nobody"}, b"nobody"), ({**RECORD, "options": {"num_warps": 3}}, b"num_warps"),
                ({**RECORD, "options": {"num_warps": 1 << 70}}, b"num_warps"), ({**RECORD, "args": {}}, b"'args' is not a list"),
                ({**RECORD, "args": [{"name": "p", "type": 7}, {"name": "N", "type": None}]}, b"no type"),
                ({**RECORD, "args": [{"name": 7, "type": "*fp32"}, {"name": "N", "type": "i32"}]}, b"no name"),
                ({**RECORD, "args": [RECORD["args"][0], {"name": "N", "type": "constexpr", "value": {"$layout": "None"}}]},
                 b"not a layout class"),
                ({**RECORD, "args": [RECORD["args"][0], {"name": "N", "type": "constexpr", "value": {"$layout": "SliceLayout"}}]},
                 b"has no field"),
                ({**RECORD, "args": [RECORD["args"][0], {"name": "N", "type": "tensordesc", "dtype": 3, "block": "x"}]}, b"malformed")]:
            records = self.write("b.launches.jsonl", record if isinstance(record, str) else json.dumps(record))
            result = run("check", file, "--launches", records)
            self.assertEqual(result.returncode, 1, record)
            self.assertIn(said, result.stdout, record)
            result = run("emit", records, "--stage", "source", "-o", self.path / "out")
            self.assertEqual(result.returncode, 1, record)
            self.assertIn(said, result.stderr, record)

    def test_five_megabytes(self):
        file = self.write("a.py", "x = [1, 2, 3]  # comment\n" * 200_000)
        start = time.monotonic()
        self.assertIn(run("check", file).returncode, (0, 1))
        self.assertLess(time.monotonic() - start, 30)

    def test_broken_pipe(self):
        self.write("a.py", "x = (\n" * 3000)
        process = subprocess.Popen([GLUOND, "check", str(self.path / "a.py"), "--format", "json"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        self.assertIn(process.wait(timeout=60), (0, 1))
        process.stderr.close()

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("/dev/full is missing")
        with open("/dev/full", "wb") as full:
            result = subprocess.run([GLUOND, "check", self.write("a.py", "x = ("), "--format", "json"], stdout=full,
                                    stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"No space", result.stderr)

    def test_emit_records(self):
        self.write("a.py", KERNEL)
        records = self.write("a.launches.jsonl", "\n".join([json.dumps(RECORD), "garbage", json.dumps({**RECORD, "id": "m", "kernel": "none"}),
                                                             json.dumps({**RECORD, "id": "n", "target": "tpu"}),
                                                             json.dumps({**RECORD, "id": "o", "args": []})]))
        result = run("emit", records, "--stage", "ttgir", "-o", self.path / "out", "--timings")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(sorted(os.listdir(self.path / "out")), ["r.ttgir"])
        self.assertIn("tt.func public @k", (self.path / "out/r.ttgir").read_text())
        for part in [b"line 2", b"none", b"tpu", b"o:"]:
            self.assertIn(part, result.stderr)
        timings = json.loads(result.stdout)
        self.assertEqual(timings["files"][0]["file"], "a.py")
        self.assertEqual(list(timings["cases"][0]["ms"]), ["source", "ttgir"])
        self.assertEqual(run("emit", records, "--id", "r", "--stage", "source", "-o", self.path / "out").returncode, 1)
        self.assertEqual(sorted(os.listdir(self.path / "out")), ["r.source", "r.ttgir"])
        unknown = run("emit", records, "--id", "q", "--stage", "source", "-o", self.path / "out")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn(b"no record has the id 'q'; choose one of r, m", unknown.stderr)

    def test_emit_rejected(self):
        self.write("a.py", KERNEL.replace("gl.store(p, N)", "gl.store(p, undefined)"))
        records = self.write("a.launches.jsonl", json.dumps(RECORD))
        self.assertEqual(run("emit", records, "--stage", "source", "-o", self.path / "out").returncode, 1)
        self.assertEqual(os.listdir(self.path / "out"), ["r.error"])
        found = json.loads((self.path / "out/r.error").read_text())
        self.assertEqual((found[0]["code"], found[0]["file"], found[0]["launch"]), ("undefined-name", "a.py", "r"))

    def test_emit_kernel(self):
        file = self.write("a.py", KERNEL)
        result = run("emit", file, "--kernel", "k", "--stage", "source")
        self.assertEqual(result.returncode, 0)
        self.assertTrue(result.stdout.startswith(b"module") or b"tt.func" in result.stdout)
        result = run("emit", file, "--kernel", "k", "--stage", "amdgcn")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"there is no stage 'amdgcn' for cuda:90; its stages are source, ttgir, llir, ptx, cubin", result.stderr)
        # A mistake of the file itself, which leaves nothing to say of the kernel.
        result = run("emit", self.write("broken.py", KERNEL.replace("gl.store(p, N)", "gl.store(p, N N)")), "--kernel", "k", "--stage", "source")
        self.assertEqual((result.returncode, result.stdout), (1, b""))
        self.assertIn(b"error: ", result.stderr)

    def test_launch_options_reach_the_code(self):
        kernel = KERNEL[:KERNEL.index("x = ")].replace("gl.store(p, N)", "gl.store(p, gl.load(p) * N + gl.load(p + 1))")
        self.write("l.py", kernel + """x = torch.zeros(16, device="cuda")
k[(1, )](x, 3)
k[(1, )](x, 3, enable_fp_fusion=False)
k[(1, )](x, 3, enable_fp_fusion="maybe")
""")
        codes = [run("emit", self.path / "l.py", "--kernel", "k", "--launch", f"k.cuda90.{i}", "--stage", "ptx").stdout for i in range(2)]
        self.assertIn(b"fma.rn.f32", codes[0])
        self.assertNotIn(b"fma.rn.f32", codes[1])
        self.assertIn(b"add.rn.f32", codes[1])
        self.assertIn(b"has a value of enable_fp_fusion that is not True or False", run("check", self.path / "l.py").stdout)
        run("emit", self.path / "l.py", "--kernel", "k", "--launch", "k.cuda90.0", "--stage", "ttgir", "-o", self.path)
        ir = next(self.path.glob("*.ttgir"))
        self.assertNotIn(b"fma.rn", run("emit", ir, "--stage", "ptx", "--launch-option", "enable_fp_fusion=false").stdout)
        for wrong, said in (("waves_per_eu=2", b"'waves_per_eu' is not one of enable_fp_fusion"), ("enable_fp_fusion=1", b"takes True or False, not '1'")):
            result = run("emit", ir, "--stage", "ptx", "--launch-option", wrong)
            self.assertEqual(result.returncode, 2)
            self.assertIn(said, result.stderr)

    # ---- Compiled code kept on disk.

    def records_of(self, count):
        self.write("a.py", KERNEL)
        lines = [{**RECORD, "id": f"r{i}", "args": [RECORD["args"][0], {"name": "N", "type": "constexpr", "value": i}]}
                 for i in range(2, 2 + count)]
        return self.write("a.launches.jsonl", "\n".join(map(json.dumps, lines)))

    def ptx(self, records, cache, *prefix, out="out"):
        """{id: PTX} with the cache in `cache`; nothing may be said about it."""
        command = [*prefix, GLUOND, "emit", records, "--stage", "ptx", "-o", self.path / out]
        result = subprocess.run([str(part) for part in command], capture_output=True, timeout=120,
                                env={**os.environ, "GLUOND_CACHE_DIR": str(cache)})
        self.assertEqual((result.returncode, result.stderr, result.stdout), (0, b"", b""))
        return {file.stem: file.read_text() for file in (self.path / out).glob("*.ptx")}

    def entries(self, cache):
        return [file for file in cache.rglob("*") if file.is_file() and file.name != "key"]

    def test_cache(self):
        records, cache = self.records_of(4), self.path / "cache"
        right = self.ptx(records, "off")
        self.assertEqual(len(right), 4)
        self.assertFalse(cache.exists())
        self.assertEqual(self.ptx(records, cache), right)
        self.assertEqual(len(self.entries(cache)), 4)
        self.assertEqual(self.ptx(records, cache), right)
        environment = {**os.environ, "GLUOND_CACHE_DIR": str(cache)}
        said = run("doctor", env=environment).stdout.decode()
        self.assertIn(f"{cache}/results: 4 results", said)
        # What stands in it is what is used: another process's lie under the right checksum would be seen.
        times = [file.stat().st_mtime_ns for file in self.entries(cache)]
        self.assertEqual(self.ptx(records, cache), right)
        self.assertEqual([file.stat().st_mtime_ns for file in self.entries(cache)], times, "made again")
        # Another line of the file: the line tables differ, so must the key.
        self.write("a.py", "# moved\n" + KERNEL)
        moved = self.ptx(records, cache)
        self.assertEqual(moved, self.ptx(records, "off"))
        self.assertNotEqual(moved, right)
        self.assertIn("removed 8 results", run("doctor", "--clear-cache", env=environment).stdout.decode())
        self.assertEqual(self.entries(cache), [])

    def test_cache_setting(self):
        records = self.records_of(1)
        self.write("pyproject.toml", '[tool.gluond.cache]\ndirectory = "mine"\n')  # not a project's to say
        environment = {name: value for name, value in os.environ.items() if name != "GLUOND_CACHE_DIR"}
        environment["XDG_CACHE_HOME"] = str(self.path / "xdg")
        emit = ("emit", records, "--stage", "ptx", "-o", self.path / "out")
        run(*emit, env=environment)
        self.assertFalse((self.path / "mine").exists())
        self.assertEqual(len(self.entries(self.path / "xdg/gluond")), 1)
        run(*emit, "--set", f"cache.directory={self.path}/mine", env=environment)
        self.assertEqual(len(self.entries(self.path / "mine")), 1)

    def test_settings_that_are_none(self):
        self.write("a.py", "x = 1\n")
        project = self.write("pyproject.toml", "[tool.gluond]\ntarget = 'cuda:90'\n  lint = false\n")
        result = run("check", self.path / "a.py", "--format", "json")
        self.assertEqual(result.returncode, 1)
        (told,) = json.loads(result.stdout)
        self.assertEqual((told["file"], told["code"], told["severity"]), (str(project), "project-setting", "warning"))
        self.assertEqual(told["range"], {"start": {"line": 2, "character": 2}, "end": {"line": 2, "character": 6}})
        self.assertIn("did you mean 'lints'?", told["message"])
        self.assertEqual(told["fixes"][0]["edits"][0]["newText"], "lints")
        project.write_text("[tool.gluond]\nlints = false\n")
        self.assertEqual(run("check", self.path).returncode, 0)

    def test_findings_of_the_project_are_seen_from_here(self):
        self.write("a.py", "from triton.experimental import gluon\n")
        self.write("pyproject.toml", "[tool.gluond]\nlint = false\n")
        told = run("check", ".", "--format", "github", cwd=self.path).stdout.decode()
        self.assertIn("file=pyproject.toml,", told)

    def test_lists_are_set_one_entry_at_a_time(self):
        for name in ("a.py", "gen/b.py", "more/c.py"):
            (self.path / name).parent.mkdir(exist_ok=True)
            self.write(name, "from triton.experimental import gluon\nx = (\n")
        def found(*more):
            result = run("check", ".", "--format", "json", *more, cwd=self.path)
            return sorted(os.path.normpath(each["file"]) for each in json.loads(result.stdout))
        self.assertEqual(found(), ["a.py", "gen/b.py", "more/c.py"])
        self.assertEqual(found("--set", "exclude=gen", "--set", "exclude=more"), ["a.py"])
        for name in ("exclude", "environmentVariables", "ignored"):
            refused = run("check", ".", "--set", f'{name}=["gen","more"]', cwd=self.path)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("without brackets", refused.stderr.decode())

    def test_damaged_cache(self):
        records, cache = self.records_of(4), self.path / "cache"
        right = self.ptx(records, cache)
        for size in (0, 10, 100, 400):
            for file in self.entries(cache):
                os.truncate(file, size)
            self.assertEqual(self.ptx(records, cache), right, size)
        for file in self.entries(cache):
            file.write_bytes(file.read_bytes()[:-1] + b"!")
        self.assertEqual(self.ptx(records, cache), right)

    def test_processes_share_a_cache(self):
        records, cache = self.records_of(24), self.path / "cache"
        right = self.ptx(records, "off")
        command = [GLUOND, "emit", str(records), "--stage", "ptx", "-o"]
        processes = [subprocess.Popen([*command, str(self.path / f"out{i}")], stderr=subprocess.PIPE,
                                      env={**os.environ, "GLUOND_CACHE_DIR": str(cache)}) for i in range(3)]
        for i, process in enumerate(processes):
            self.assertEqual(process.communicate(timeout=120)[1], b"")
            self.assertEqual(process.returncode, 0)
            self.assertEqual({file.stem: file.read_text() for file in (self.path / f"out{i}").glob("*.ptx")}, right)
        self.assertEqual(len(self.entries(cache)), 24)
        self.assertTrue(all(file.name.endswith(".result") for file in self.entries(cache)))

    def test_cache_that_cannot_be_written(self):
        records = self.records_of(2)
        right = self.ptx(records, "off")
        self.assertEqual(self.ptx(records, self.write("file", "x")), right)  # no folder at all
        self.assertEqual(self.ptx(records, "/proc/nothing"), right)  # nothing can be made there

    def test_cache_on_a_full_disk(self):
        records, cache = self.records_of(24), self.path / "cache"
        cache.mkdir()
        right = self.ptx(records, "off")
        mount = ["unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o size=32k none {cache} && "$@"; code=$?; ls -R {cache} >{self.path}/listing; exit $code', "sh"]
        if subprocess.run([*mount, "true"], capture_output=True).returncode != 0:
            self.skipTest("mounting a small disk takes user namespaces")
        self.assertEqual(self.ptx(records, cache, *mount), right)
        self.assertNotIn(".new", (self.path / "listing").read_text())

    def test_threads_write_the_same(self):
        records = self.records_of(12)
        one = self.ptx(records, "off", out="one")
        for threads in ("1", "3", "256"):
            run("emit", records, "--stage", "ptx", "-o", self.path / threads, "-j", threads)
            self.assertEqual({file.stem: file.read_text() for file in (self.path / threads).glob("*.ptx")}, one)
        # What fails is said in the records' order, whatever thread comes first.
        bad = "\n".join(json.dumps({**RECORD, "id": f"b{i}", "target": "cuda:88"}) for i in range(20))
        said = run("emit", self.write("bad.launches.jsonl", bad), "--stage", "ptx", "-o", self.path / "bad").stderr.decode()
        self.assertEqual([line.split(":")[1].strip() for line in said.splitlines()], [f"b{i}" for i in range(20)])

    def test_emit_after_each_pass(self):
        file = self.write("a.py", KERNEL)
        arguments = ["emit", file, "--kernel", "k", "--stage", "ttgir"]
        stage = run(*arguments).stdout.decode()
        everything = run(*arguments, "--after", "all")
        self.assertEqual(everything.returncode, 0)
        names = [line.split()[2] for line in everything.stdout.decode().splitlines() if line.startswith("// after ")]
        self.assertIn("gluon-canonicalize:2", names)
        self.assertEqual(len(set(names)), len(names))
        self.assertIn("nothing changed", everything.stdout.decode())
        last = run(*arguments, "--after", names[-1])
        self.assertEqual((last.returncode, last.stdout.decode()), (0, stage))
        for wrong in [[*arguments, "--after", "nosuch"], ["emit", file, "--kernel", "k", "--stage", "source", "--after", "all"]]:
            result = run(*wrong)
            self.assertEqual(result.returncode, 2, wrong)
        self.assertIn("gluon-canonicalize:2", run(*arguments, "--after", "nosuch").stderr.decode())

    def test_launches_are_told_apart_by_what_differs(self):
        file = self.write("a.py", """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def k(p, n, L: gl.constexpr):
    gl.store(p + gl.arange(0, 128, layout=L), n)


a = torch.empty(64, dtype=torch.float32, device="cuda")
b = torch.empty(64, dtype=torch.float16, device="cuda")
one = gl.BlockedLayout([1], [32], [4], [0])
long = gl.BlockedLayout(size_per_thread=[1], threads_per_warp=[32], warps_per_cta=[4], order=[0])
two = gl.BlockedLayout(size_per_thread=[2], threads_per_warp=[32], warps_per_cta=[4], order=[0])
k[(1,)](a, 16, one)
k[(1,)](b, 16, one)
k[(1,)](a, 17, one)
k[(1,)](a, 16, two)
""")
        rows = [line.split(None, 1)[1] for line in run("launches", file).stdout.decode().splitlines() if line.startswith("  ")]
        self.assertEqual(len(rows), 4)
        self.assertEqual(len(set(rows)), 4, "\n".join(rows))
        self.assertTrue(any("p=*fp16" in row for row in rows), "\n".join(rows))
        self.assertTrue(any("n=i32:16" in row for row in rows) and any("n=i32 " in row for row in rows), "\n".join(rows))
        self.assertTrue(any("[2]" in row for row in rows), "\n".join(rows))

    def test_launches_round_trip(self):
        file = self.write("a.py", KERNEL)
        launches = json.loads(run("launches", file, "--format", "json").stdout)
        self.assertEqual([each["args"][1]["value"] for each in launches], [3, 4])
        lines = run("launches", "a.py", "--format", "jsonl", cwd=self.path).stdout
        records = self.write("found.launches.jsonl", lines)
        result = run("emit", records, "--stage", "source", "-o", self.path / "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(os.listdir(self.path / "out")), 2)

    def test_namedtuples_as_constexprs(self):
        file = self.write("a.py", """from collections import namedtuple
from typing import NamedTuple

import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

Pair = namedtuple("Pair", ["M", "N"])
Other = namedtuple("Other", ["M", "N"])


class Tile(NamedTuple):
    M: int
    inner: tuple = Pair(32, 64)


@gluon.jit
def by_value(p, T: gl.constexpr):
    at = gl.arange(0, T.M, layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(p + at, T.inner.N)


@gluon.jit
def by_tuple(p, pair):
    gl.store(p, pair.M)


x = torch.empty(256, dtype=torch.int32, device="cuda")
by_value[(1,)](x, Tile(128))
by_tuple[(1,)](x, Pair(16, 32))
by_tuple[(1,)](x, Other(16, 32))
""")
        self.assertEqual([each["message"] for each in json.loads(run("check", file, "--format", "json").stdout) if each["severity"] == "error"], [])
        launches = json.loads(run("launches", file, "--format", "json").stdout)
        self.assertEqual([each["args"][1].get("class") for each in launches], [None, "Pair", "Other"])

    def test_records_hold_what_nested_kernels_use(self):
        file = self.write("a.py", """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


LAYOUT = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
WIDTH = gl.constexpr(64)


def make(scale):
    step = gl.constexpr(2)
    scale = gl.constexpr(scale)
    unused = object()

    @gluon.jit
    def inner(x):
        return x * scale + step

    @gluon.jit
    def kernel(p, B: gl.constexpr = WIDTH * 4, L: gl.constexpr = LAYOUT):
        at = gl.arange(0, B, L)
        scale = gl.load(p + at)
        gl.store(p + at, inner(scale))

    return kernel


def many(n):
    @gluon.jit
    def kernel(p, m):
        gl.store(p, m)
    kernel[(1,)](torch.empty(n, dtype=torch.float32, device="cuda"), int(input()))


make(4)[(1,)](torch.empty(256, dtype=torch.int32, device="cuda"))
many(8)
""")
        made, guessed = json.loads(run("launches", file, "--format", "json").stdout)
        self.assertEqual(made["closure"]["inner"]["$fn"], "make.<locals>.inner")
        self.assertEqual(made["closure"]["inner"]["closure"], {"scale": {"$constexpr": 4}, "step": {"$constexpr": 2}})
        self.assertEqual(list(made["closure"]), ["inner"])
        self.assertEqual(made["defaults"]["B"], {"$constexpr": 256})
        self.assertEqual(made["defaults"]["L"]["$constexpr"]["$layout"], "BlockedLayout")
        self.assertNotIn("assumed", made)
        self.assertEqual(guessed["assumed"], ["m"])
        said = run("launches", "a.py", "--format", "jsonl", cwd=self.path)
        self.assertEqual(len(said.stdout.splitlines()), 1)  # a record file holds no guesses
        self.assertIn(b"1 launch is left out", said.stderr)
        result = run("emit", self.write("a.launches.jsonl", said.stdout), "--stage", "source", "-o", self.path / "out")
        self.assertEqual(result.returncode, 0, result.stderr)

    def launched(self, source, argument="B"):
        """The constants that launches found in a program pass, and those made under unknown conditions."""
        file = self.write("launched.py", """import os
import pytest
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def kernel(p, B: gl.constexpr):
    at = gl.arange(0, B, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(p + at, at)


def go(B):
    kernel[(1,)](torch.empty(4096, dtype=torch.int32, device="cuda"), B)


""" + source)
        made = json.loads(run("launches", file, "--format", "json").stdout)
        values = [(next(a for a in one["args"] if a["name"] == argument)["value"], one) for one in made]
        return (sorted(v for v, one in values if "conditional" not in one),
                sorted(v for v, one in values if "conditional" in one))

    def test_launches_under_unknown_conditions_are_marked(self):
        self.assertEqual(self.launched("""
import random
go(64)
if random.random() < 2:
    go(128)
else:
    go(256)
go(512)
"""), ([64, 512], [128, 256]))

    def test_environment_variables_have_the_programs_own_default(self):
        self.assertEqual(self.launched("""
go(int(os.getenv("BLOCK_OF_MINE") or 64))
go(128 if "BLOCK_OF_MINE" not in os.environ else 1024)
go(256 if os.environ.get("BLOCK_OF_MINE") is None else 1024)
if os.getenv("BLOCK_OF_MINE") == "1" or os.getenv("MORE_OF_MINE"):
    go(2048)
os.environ["BLOCK_OF_MINE"] = "512"
go(int(os.environ["BLOCK_OF_MINE"]))
if "HOME" in os.environ:
    go(32)
"""), ([64, 128, 256, 512], [32]))

    def test_launches_of_tests(self):
        self.assertEqual(self.launched("""
def pytest_generate_tests(metafunc):
    if "B" in metafunc.fixturenames:
        metafunc.parametrize("B", [32, 64])


def test_generated(B):
    go(B)


def block():
    return int(os.environ.get("BLOCK_OF_MINE", "128"))


def test_set(monkeypatch):
    monkeypatch.setenv("BLOCK_OF_MINE", "256")
    go(block())


def test_after(monkeypatch):
    go(block())


class TestBase:
    size = 512

    def test_size(self):
        go(self.size)


class TestDerived(TestBase):
    size = 1024
"""), ([32, 64, 128, 256, 512, 1024], []))

    def test_launches_by_version_and_in_threads(self):
        self.assertEqual(self.launched("""
from concurrent.futures import ThreadPoolExecutor
from packaging import version

go(64 if version.parse(triton.__version__) >= version.parse("3.4") else 1024)
go(128 if version.Version("2.9.0+cu128") < version.parse("2.10") else 1024)
with ThreadPoolExecutor(2) as pool:
    list(pool.map(go, [256, 512]))
    pool.submit(go, 32).result()
"""), ([32, 64, 128, 256, 512], []))

    def test_nested_kernels_differ_by_what_is_around_them(self):
        file = self.write("nested.py", """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


def make(FACTOR):
    @gluon.jit
    def kernel(p):
        gl.store(p, FACTOR)

    return kernel


for factor in (2, 3, 2):
    make(gl.constexpr(factor))[(1,)](torch.empty(16, dtype=torch.int32, device="cuda"))
""")
        made = json.loads(run("launches", file, "--format", "json").stdout)
        self.assertEqual([one["closure"] for one in made], [{"FACTOR": {"$constexpr": n}} for n in (2, 3)])

    def test_defaults_of_nested_kernels_take_only_what_the_body_uses(self):
        # Triton evaluates a default again in the kernel, whose closure has the names of its body.
        file = self.write("nested.py", """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

WIDTH = gl.constexpr(32)


def make(W, L, used):
    @gluon.jit
    def good(p, B: gl.constexpr = WIDTH * 4, C: gl.constexpr = used):
        gl.store(p, B + C + used)

    @gluon.jit
    def bad(p, B: gl.constexpr = W * 4, LAYOUT: gl.constexpr = L, *, C: gl.constexpr = 1):
        at = gl.arange(0, B, LAYOUT)
        gl.store(p + at, at)

    return good, bad


good, bad = make(32, gl.BlockedLayout([1], [32], [4], [0]), gl.constexpr(2))
p = torch.empty(4096, dtype=torch.int32, device="cuda")
good[(1,)](p)
bad[(1,)](p)
""")
        made = json.loads(run("check", file, "--format", "json").stdout)
        told = [(one["code"], one["range"]["start"]["line"] + 1, one["message"]) for one in made if one["severity"] == "error"]
        self.assertEqual(sorted(told), [("undefined-name", 14, "'L' is not defined"), ("undefined-name", 14, "'W' is not defined")])

    def test_any_number_of_copies_of_triton(self):
        others = "".join(f"from other{n}.experimental import gluon as gluon{n}\n" for n in range(40))
        file = self.write("copies.py", f"""import torch
{others}from my.own.triton.experimental import gluon
from my.own.triton.experimental.gluon import language as gl


@gluon.jit
def kernel(p):
    gl.store(p, missing)


kernel[(1,)](torch.empty(16, dtype=torch.int32, device="cuda"))
""")
        made = json.loads(run("check", file, "--format", "json").stdout)
        self.assertEqual([one["code"] for one in made if one["severity"] == "error"], ["undefined-name"])

    def test_registers_that_do_not_fit(self):
        # By LLVM's other schedulers, 580 bytes of scratch for each thread.
        made = run("emit", SAMPLES.parent / "tests" / "amd" / "spilling.py", "--kernel", "backward", "--stage", "amdgcn")
        self.assertEqual(made.returncode, 0, made.stderr)
        scratch = re.search(rb"[.]private_segment_fixed_size: *(\d+)", made.stdout)
        self.assertLess(int(scratch[1]), 200)

    def test_records_of_directives_and_descriptors(self):
        file = self.write("b.py", """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor


# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32", num_warps=4, target="hip:gfx942")
@gluon.jit
def on_amd(x, out, n):
    i = gl.arange(0, 256, gl.BlockedLayout([1], [64], [4], [0]))
    gl.store(out + i, gl.load(x + i))


# gluond: launch(d=TensorDescriptor.from_tensor(torch.empty((64, 64), dtype=torch.int8), [64, 64], gl.NVMMASharedLayout(64, 8, 2)), num_warps=4)
@gluon.jit
def by_descriptor(d):
    gl.static_assert(d.block_shape[0] == 64)
""")
        lines = run("launches", file, "--format", "jsonl").stdout
        amd, nvidia = [json.loads(line)["args"] for line in lines.splitlines()]
        self.assertFalse([each for each in amd if "pointer_range" in each])  # the signatures do not say so
        self.assertEqual(nvidia[0]["dtype"], "i8")
        result = run("emit", self.write("b.launches.jsonl", lines), "--stage", "source", "-o", self.path / "out")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_layout(self):
        layout = "gl.BlockedLayout([1,2],[8,4],[4,1],[1,0])"
        result = json.loads(run("layout", layout, "--shape", "32x64", "--format", "json").stdout)
        self.assertEqual(result["dims"][:3], ["register", "lane", "warp"])
        self.assertEqual(result["bases"]["lane"], [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]])
        self.assertIn(b"<svg", run("layout", layout, "--format", "svg").stdout)
        self.assertEqual(run("layout", layout).returncode, 0)
        invalid = run("layout", "gl.BlockedLayout([3],[32],[4],[0])", "--shape", "128")
        self.assertEqual(invalid.returncode, 2)
        self.assertIn(b"size_per_thread must be powers of two, but 3 is not", invalid.stderr)
        self.assertEqual(run("layout", layout, "--shape", "many").returncode, 2)

    def test_serve_a_file(self):
        for what in (SAMPLES / "copy_1d.py", SAMPLES):
            process = subprocess.Popen([GLUOND, "serve", what], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                text = process.stdout.readline()
                if not text:
                    self.assertIn("the page is not built", process.stderr.read())
                    continue
                while "http://" not in text:
                    text = process.stdout.readline()
                self.assertEqual(text.strip().endswith("#copy_1d.py"), what.suffix == ".py", text)
            finally:
                process.kill()
                process.communicate()


unittest.main(argv=sys.argv[:1])
