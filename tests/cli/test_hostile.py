"""A workspace that means harm, and programs in gluond's place of a runner or a tool: nothing outside is read or written, nothing is run,
nothing waits for ever. Run by ctest; argv[1] is the program."""
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

GLUOND = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin/gluond")
KERNEL = """from triton.experimental import gluon
from triton.experimental.gluon import language as gl


# gluond: launch(p="*fp32")
@gluon.jit
def k(p):
    gl.store(p, 1.0)
"""
SECRET = "hunter2"
RECORD = {"id": "r", "file": "a.py", "kernel": "k", "target": "cuda:90", "options": {"num_warps": 4}, "args": [{"name": "p", "type": "*fp32"}]}


def environment(**more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GLUOND_") and name not in ("VIRTUAL_ENV", "CUDA_HOME", "CUDA_PATH")}
    return {**kept, "GLUOND_CACHE_DIR": "off", **more}


def patience(seconds):
    """How long the clock takes for so many seconds of work now, beside whatever else this machine does."""
    began, used, sample = time.monotonic(), time.process_time(), 0.05
    while time.process_time() < used + sample:
        pass
    return seconds * max(1.0, (time.monotonic() - began) / sample)


def used():
    """Seconds of CPU time of the programs that have ended."""
    all_of_them = resource.getrusage(resource.RUSAGE_CHILDREN)
    return all_of_them.ru_utime + all_of_them.ru_stime


def members(group):
    """The status of each process of a group."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:  # it has ended
            continue
        if int(text.rsplit(")", 1)[1].split()[2]) == group:
            found.append(text)
    return found


class Workspace(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name) / "home"  # what is not the project's
        self.path = Path(folder.name) / "project"
        for each in (self.home, self.path):
            each.mkdir()
        (self.home / "secret.py").write_text(f"{SECRET} = = {SECRET}\n")
        (self.home / ".env").write_text(f"KEY={SECRET}\n")
        (self.home / "profile").write_text("# mine\n")
        self.before = self.outside()
        self.write("a.py", KERNEL)

    def tearDown(self):
        self.assertEqual(self.outside(), self.before, "something outside the project was touched")

    def outside(self):
        return {str(each.relative_to(self.home)): each.read_bytes() for each in sorted(self.home.rglob("*")) if each.is_file()}

    def write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def run_it(self, *arguments, code=None, env=None, **options):
        before = used()
        done = subprocess.run([GLUOND, *map(str, arguments)], capture_output=True, timeout=patience(100), cwd=self.path, env=env or environment(),
                              stdin=options.pop("stdin", subprocess.DEVNULL), **options)
        self.assertLess(used() - before, 60)
        self.assertGreaterEqual(done.returncode, 0, done.stderr)
        self.assertIn(done.returncode, (0, 1, 2))
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for stream in (done.stdout, done.stderr):
            stream.decode("utf-8")
            self.assertNotIn(SECRET.encode(), stream)
        return done

    def traps(self):
        """In the places of files that gluond looks for by itself."""
        os.mkfifo(self.path / "pipe.py")
        os.mkfifo(self.path / "pyproject.toml")
        for name, target in {"out.py": self.home / "secret.py", "zero.py": "/dev/zero", "stdin.py": "/dev/stdin", "tty.py": "/dev/tty",
                             "environ.py": "/proc/self/environ", "loop.py": "loop.py", "gone.py": "gone", "near.py": "a.py"}.items():
            (self.path / name).symlink_to(target)
        with open(self.write("sparse.py", ""), "r+b") as sparse:
            try:
                sparse.truncate(10 << 40)
            except OSError:
                sparse.truncate(1 << 40)
        (self.path / "folder").symlink_to(self.home)
        (self.path / "round").mkdir()
        (self.path / "round" / "again").symlink_to("..")
        (self.path / ".gluond").mkdir()
        os.mkfifo(self.path / ".gluond" / "p.launches.jsonl")
        (self.path / ".gluond" / "out.launches.jsonl").symlink_to(self.home / ".env")
        (self.path / "a.launches.jsonl").symlink_to("/dev/zero")
        self.write("imports.py", "import out, pipe, zero, stdin, sparse, environ, folder.secret, round.again.out, loop\nfrom folder import secret\n" + KERNEL)
        deep = self.path
        for _ in range(120):
            deep /= "d"
        deep.mkdir(parents=True)
        self.write("latin\udcff.py".encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape"), KERNEL)

    def test_check_of_a_folder_of_traps(self):
        self.traps()
        self.run_it("check", ".")
        found = self.run_it("check", ".", "--format", "json")
        json.loads(found.stdout)
        self.assertIn(b"out.py", found.stderr)  # it is said that it was passed over
        json.loads(self.run_it("check", ".", "--format", "sarif").stdout)
        for name in ("pipe.py", "zero.py", "sparse.py", "tty.py", "loop.py"):
            self.run_it("check", name, code=2)

    def test_files_after_too_many_that_end_the_process(self):
        folder = self.path / "many"
        folder.mkdir()
        for i in range(20):
            (folder / f"f{i:02}.py").write_text(KERNEL.replace("1.0", "missing"))
        ended = [f"--ended=11:{folder / f'f{i:02}.py'}" for i in range(1, 18)]  # as it restarts after a crash
        run = subprocess.run([GLUOND, "check", ".", "--format", "json", *ended], cwd=folder, capture_output=True, text=True, env=environment())
        self.assertEqual(run.returncode, 70, run.stderr)
        self.assertIn("f18.py' and the files after it are not checked", run.stderr)
        found = {(finding["file"], finding["code"]) for finding in json.loads(run.stdout)}
        self.assertIn(("./f00.py", "undefined-name"), found)
        self.assertEqual(len(found), 18)

    def test_commands_that_look_for_records(self):
        self.traps()
        for arguments in (("launches", "a.py"), ("emit", "a.py", "--kernel", "k", "--stage", "source"), ("check", "imports.py"), ("doctor",)):
            self.run_it(*arguments)

    def test_records_name_programs_of_the_project_only(self):
        for file in (str(self.home / "secret.py"), "../home/secret.py", "out.py", "/dev/zero", "pipe.py"):
            self.traps() if not (self.path / "pipe.py").exists() else None
            records = self.write("r.launches.jsonl", json.dumps({**RECORD, "file": file}) + "\n")
            done = self.run_it("emit", records, "--stage", "source", "-o", "out", code=1)
            self.assertIn(b"cannot read", done.stderr)

    def test_personal_settings_of_a_project(self):
        self.write("pyproject.toml", "[tool.gluond]\ncache.directory = 'cache'\ncache.megabytes = 5\nevaluation.steps = 1000000000\n"
                   "evaluation.memory = 10000\nrunner.timeLimit = 80000\nrunner.command = ['touch ran']\n")
        found = json.loads(self.run_it("check", "a.py", "--format", "json", code=1).stdout)
        told = [each["range"]["start"]["line"] for each in found if "personal setting" in each["message"]]
        self.assertEqual(told, [1, 2, 3, 4, 5, 6])
        self.run_it("emit", "a.py", "--kernel", "k", "--stage", "ptx", env={**environment(), "GLUOND_CACHE_DIR": "", "HOME": str(self.path / "h")})
        self.run_it("doctor")
        self.assertFalse((self.path / "cache").exists())
        self.assertFalse((self.path / "ran").exists())
        self.run_it("check", "a.py", "--set", "evaluation.steps=5000", code=1)
        for wrong in ("evaluation.steps=-1", "evaluation.steps=x", "runner.timeLimit=99999999999999999999", "nonsense=1", "lints=maybe", "lints"):
            self.run_it("check", "a.py", "--set", wrong, code=2)

    def test_settings_of_endless_keys(self):
        """A table within a table for each part of a key."""
        for text in ("[tool.gluond" + ".a" * 100_000 + "]\n", "[tool.gluond]\n" + "a." * 100_000 + "b = 1\n", "[tool.gluond]\nx = " + "{a.b=" * 50_000):
            self.write("pyproject.toml", text)
            found = json.loads(self.run_it("check", "a.py", "--format", "json").stdout)
            self.assertTrue(any("parts" in each["message"] or "TOML" in each["message"] for each in found), found)
        self.write("pyproject.toml", f"# {'.' * 1000}\n[project]\ndescription = '{'.' * 1000}'\nname = \"a\\\"{'.' * 1000}\"\n"
                   f"x = \"\"\"\n{'.' * 1000}\"\n\"\"\"\n[tool.gluond]\nnonsense = 1\n")
        found = json.loads(self.run_it("check", "a.py", "--format", "json").stdout)
        self.assertEqual([each["range"]["start"]["line"] for each in found if "nonsense" in each["message"]], [8], found)

    def test_long_files_beside_a_program(self):
        self.write("a.launches.jsonl", "\n" * 5_000_000)
        self.run_it("check", "a.py", "--format", "json", code=0)
        self.write("a.launches.jsonl", "x\n" * 1_000_000)
        found = json.loads(self.run_it("check", "a.py", "--format", "json").stdout)
        self.assertLess(len(found), 5)
        (self.path / "a.launches.jsonl").unlink()
        keys = json.dumps({f"k{i}": i for i in range(200_000)})
        self.write("keys.json", keys)
        before = used()
        self.assertIn(b"its version is not 1", self.run_it("check", "a.py", "--baseline", "keys.json", code=2).stderr)
        self.assertLess(used() - before, 10)  # half a minute where each key is looked up among all

    def test_a_file_that_is_too_large_beside_a_program(self):
        with open(self.write("helper.py", ""), "r+b") as sparse:
            sparse.truncate(1 << 40)
        self.assertIn(b"it is larger than 16 MiB", self.run_it("check", ".", "--format", "json", code=0).stderr)  # nobody named it
        self.run_it("check", "helper.py", code=2)

    def test_names_that_assembly_does_not_have(self):
        self.write("a.py", KERNEL.replace("def k(", "def \u044f("))
        self.assertIn("there is no code for the name '\u044f'", self.run_it("emit", "a.py", "--kernel", "\u044f", "--stage", "ptx", code=1).stderr.decode())
        self.run_it("emit", "a.py", "--kernel", "\u044f", "--stage", "amdgcn", "--target", "hip:gfx942", code=0)

    def test_tools_of_the_project_are_not_run(self):
        trap = f"#!/bin/sh\ntouch '{self.path}/ran'\nexit 1\n"
        for place in ("bin", ".venv/bin", ".venv/lib/python3.12/site-packages/triton/backends/nvidia/bin"):
            for tool in ("ptxas", "nvdisasm", "gluond-runner", "python3"):
                self.write(f"{place}/{tool}", trap).chmod(0o755)
        (self.path.parent / "linked").symlink_to(self.path)  # the same folder by another name
        folders = f"{self.path}/bin:{self.path.parent}/linked/.venv/bin"
        for path in (f"{folders}:/usr/bin:/bin", f"bin:.:.venv/bin:{folders}:/usr/bin:/bin"):
            for variables in ({"VIRTUAL_ENV": str(self.path / ".venv")}, {"CUDA_HOME": str(self.path)}, {"CUDA_PATH": "."}, {"CUDA_HOME": "bin/.."}):
                env = {**environment(), "PATH": path, **variables}
                self.run_it("emit", "a.py", "--kernel", "k", "--stage", "sass", env=env)
                self.assertFalse((self.path / "ran").exists(), (path, variables))

    def test_history_and_emitted_files_stay_inside(self):
        for record_id in ("../../home/profile", "/etc/x", "..", "a/b", "x\0y", "\x1b[31m", "n" * 5000, ".bashrc", "a\\b"):
            records = self.write("r.launches.jsonl", json.dumps({**RECORD, "id": record_id}) + "\n")
            self.run_it("emit", records, "--stage", "source", "-o", "out")
            for each in (self.path / "out").iterdir():
                self.assertTrue(each.name.endswith((".source", ".error")), each)
        (self.path / "out" / "r.source").symlink_to(self.home / "profile")
        records = self.write("r.launches.jsonl", json.dumps(RECORD) + "\n")
        self.run_it("emit", records, "--stage", "source", "-o", "out", code=1)

    def test_files_that_the_user_names_lead_through_no_link_of_the_project(self):
        """A repository may have `out -> ~/.config/fish/conf.d`; what is written contains the project's own strings."""
        for name, target in {"link.json": "profile", "link.npy": "profile", "gone.json": "new", "folder": "."}.items():
            (self.path / name).symlink_to(self.home / target)
        (self.path / "sub").mkdir()
        (self.path / "sub" / "link").symlink_to(self.home)
        simulated = ("run", "a.py", "--kernel", "k", "--device", "cpu")
        for trace in ("link.json", "gone.json", "folder/new", "sub/link/new", self.path / "link.json", "a.py/x"):
            self.assertIn(b"cannot write", self.run_it(*simulated, "--trace", trace, code=1).stderr)
        self.run_it(*simulated, "--out", "p=link.npy", code=1)
        for folder in ("folder", "sub/link", "sub/link/deeper", self.path / "folder"):
            self.run_it("emit", "a.py", "--kernel", "k", "--stage", "source", "-o", folder, code=2)
        self.run_it("check", ".", "--baseline", "folder/new.json", "--update-baseline", code=1)
        for trace in ("sub/new.json", self.path / "absolute.json", "/dev/null"):
            self.run_it(*simulated, "--trace", trace, code=0)
        self.assertEqual({each.name for each in self.home.iterdir()}, {"profile", "secret.py", ".env"})

    def test_emit_of_a_kernel_into_a_folder(self):
        printed = self.run_it("emit", "a.py", "--kernel", "k", "--stage", "source", code=0).stdout
        done = self.run_it("emit", "a.py", "--kernel", "k", "--stage", "source", "-o", "made/here", code=0)
        self.assertEqual(done.stdout, b"")
        files = list((self.path / "made/here").iterdir())
        self.assertEqual([each.suffix for each in files], [".source"])
        self.assertEqual(files[0].read_bytes(), printed)
        self.write("b.py", KERNEL.replace("gl.store(p", "gl.stoer(p"))
        self.run_it("emit", "b.py", "--kernel", "k", "--stage", "source", "-o", "bad", code=1)
        self.assertEqual([each.suffix for each in (self.path / "bad").iterdir()], [".error"])
        self.run_it("emit", "a.py", "--kernel", "k", "--stage", "source", "-o", "a.py", code=2)

    def test_numbers_on_the_command_line(self):
        record = self.write("r.launches.jsonl", json.dumps(RECORD) + "\n")
        wrong = {("lsp", "--threads"): ("0", "-1", "257", "1000000", "1e3", "x", "99999999999999999999", ""),
                 ("serve", "--threads"): ("1000000", "-1"), ("serve", "--port"): ("-1", "65536", "99999999", "x"),
                 ("emit", record, "--stage", "source", "-o", "out", "-j"): ("0", "-5", "1000000", "x"),
                 ("run", "a.py", "--kernel", "k", "--device"): ("-1", "99999999999"), ("run", "a.py", "--kernel", "k", "--time-limit"): ("0", "-3", "nan"),
                 ("run", "a.py", "--kernel", "k", "--relative"): ("nan", "-1", "inf"), ("bench", "a.py", "--kernel", "k", "--budget"): ("nan", "0", "inf"),
                 ("bench", "a.py", "--kernel", "k", "--bytes"): ("nan", "-1", "1e400"), ("lsp", "--listen"): ("ws:99999999", "ws:-1", "ws:x", "tcp")}
        for command, values in wrong.items():
            for value in values:
                with self.subTest(command=command, value=value):
                    done = self.run_it(*command[:-1], f"{command[-1]}={value}" if command[-1].startswith("--") else f"{command[-1]}{value}", code=2)
                    self.assertTrue(done.stderr or done.stdout)
        said = self.run_it("lsp", "--threads", "1000000", code=2)
        self.assertIn(b"from 1 to 256", said.stderr + said.stdout)

    def test_records_of_deep_values(self):
        self.write("a.py", KERNEL.replace("# gluond", "#").replace("(p)", "(p, A: gl.constexpr)"))
        for tag in ("[{}]", '{{"$tuple":[{}]}}', '{{"$constexpr":{}}}', '{{"$dict":[[1,{}]]}}', '{{"$slice":[{},1,1]}}'):
            for levels in (15, 60, 100_000):
                begin, end = tag.format("@").split("@")
                deep = begin * levels + "1" + end * levels
                record = json.dumps({**RECORD, "args": [RECORD["args"][0], {"name": "A", "type": "constexpr", "value": "@"}]}).replace('"@"', deep)
                self.write("a.launches.jsonl", record + "\n")
                json.loads(self.run_it("check", "a.py", "--format", "json").stdout)

    def test_numbers_in_kernels(self):
        head = "import torch\nimport triton.language as tl\nfrom triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n\n"
        tail = "\n\ndef main():\n    k[(1, )](torch.empty(16, device='cuda'), 100{})\n\n\nmain()\n"
        body = "\n@gluon.jit\ndef part(p):\n    gl.store(p, 1.0)\n\n\n@gluon.jit\ndef k(p, n):\n"
        unrolled = "    for i in tl.range(0, n, loop_unroll_factor={0}):\n        for j in tl.range(0, n, loop_unroll_factor={0}):\n            gl.store(p + i + j, 1.0)\n"
        workers = "    gl.warp_specialize([(part, (p, )), (part, (p, )), (part, (p, ))], [{}, 2], [24, 24])\n"
        for text, launch, target, said in ((unrolled.format(1_000_000), "", "hip:gfx942", b"unrolling this loop"), (unrolled.format(2_000), "", "hip:gfx942", b"unrolling this loop"),
                                           (unrolled.format(2_000_000_000), "", "hip:gfx942", b"unrolling this loop"), (unrolled.format(4), "", "hip:gfx942", b""),
                                           (unrolled.format(1_000_000), "", "cuda:90", b""), (workers.format(64), "", "cuda:90", b"at most 32 warps"),
                                           (workers.format(16), "", "cuda:90", b""), (workers.format(16), ", num_warps=16", "cuda:90", b"at most 32 warps"),
                                           (workers.format(4), ", maxnreg=-1", "cuda:90", b"maxnreg")):
            self.write("n.py", head + body + text + tail.format(launch))
            done = self.run_it("check", "n.py", "--target", target)
            self.assertIn(said, done.stdout)
            self.assertEqual(bool(said), b" error: " in done.stdout or b" information: " in done.stdout, done.stdout)

    def test_thousands_of_broken_lines(self):
        """Fixes are not tried again and again on what takes long to read."""
        for name, text in (("elif", "elif x\n" * 8_000), ("except", "except\n" * 8_000),
                           ("body", KERNEL + "    if p\n        x =\n" * 4_000)):
            file = self.write(name + ".py", text)
            before = used()
            done = self.run_it("check", file)
            self.assertEqual(done.returncode, 1)
            self.assertLess(used() - before, 4, name)

    def test_dense_texts(self):
        """What would take gigabytes as a tree is not read, but the text after it is."""
        size = 5_000_000
        for name, text, kept in (("semicolons", "x = 1; " * (size // 7), True), ("items", "x = [" + "1," * (size // 2) + "]", True),
                                 ("braces", "x = f'" + "{{" * (size // 2) + "'", True), ("statements", "f(x)\n" * (size // 5), False),
                                 ("strings", '"a"\n' * (size // 4), False), ("path", "def f" + "[0]" * 20_000, True)):
            file = self.write(name + ".py", text + "\n" + KERNEL.replace("# gluond", "#") + "    gl.store(p, not_defined)\n")
            output = self.path / "said.json"
            with open(output, "wb") as stream:
                process = subprocess.Popen([GLUOND, "check", file, "--format", "json"], stdout=stream, stderr=subprocess.DEVNULL, env=environment())
                _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertIn(process.returncode, (0, 1), name)
            self.assertLess(used.ru_maxrss / 1024, 700, name)
            slugs = {each["code"] for each in json.loads(output.read_bytes())}
            self.assertIn("invalid-syntax" if name == "path" else "reading-stopped", slugs, name)
            self.assertEqual("undefined-name" in slugs, kept, name)  # the mistake in the kernel after it
        self.write("directive.py", KERNEL.replace('p="*fp32"', "p=1," * 20_000))
        self.assertIn(b"longer than the 64 KB", self.run_it("check", "directive.py", code=1).stdout)

    def test_fixes_of_large_texts(self):
        """Each fix is tried on a text of its own, and these are not kept."""
        file = self.write("long.py", "x = " + "a + " * 1_500_000 + "? " * 100 + "\n" + KERNEL)
        process = subprocess.Popen([GLUOND, "check", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 1)
        self.assertLess(used.ru_maxrss / 1024, 300)

    def test_long_names(self):
        """Each name that is not found is compared with all others, which are nearly the same."""
        known = "".join(f"{'ab' * 200}{i} = {i}\n" for i in range(3000))
        file = self.write("names.py", known + "".join(f"print({'ba' * 200}{i})\n" for i in range(1500)))
        before = used()
        self.run_it("check", file, "--format", "json")
        self.assertLess(used() - before, 4)

    def test_long_kernels(self):
        """What is said of each line, or asked of each access, takes no time that grows with all the others."""
        head = "import torch\nfrom triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n\n\n@gluon.jit\ndef k(p):\n"
        launch = "\n\nk[(1, )](torch.zeros(1024, device='cuda', dtype=torch.int32))\n"
        chain = "    a = gl.arange(0, 1024, layout=gl.CoalescedLayout())\n    for i in gl.static_range({}):\n        a = gl.load(p + a)\n    gl.store(p + a, a)\n"
        many = "    x = gl.arange(0, 1024, layout=gl.CoalescedLayout())\n    for i in gl.static_range(8000):\n        gl.store(p + x, gl.load(p + x + i))\n"
        there, back = (f"gl.BlockedLayout([{n}], [32], [4], [0])" for n in (2, 1))  # with memory for each conversion
        conversions = f"    x = gl.arange(0, 1024, layout={back})\n    for i in gl.static_range(60_000):\n        x = gl.convert_layout(gl.convert_layout(x, {there}), {back})\n    gl.store(p + x, x)\n"
        ifs = "    x = gl.arange(0, 128, gl.BlockedLayout([1], [32], [4], [0])).to(gl.float32)\n    n = gl.load(p)\n" + "    if n > 3:\n        x = x + 1\n" * 7000 + "    gl.store(p, gl.sum(x, 0))\n"
        for name, text, seconds in (("many", many, 6), ("conversions", conversions, 6), ("unused", "    x = gl.load(p)\n" * 20_000, 5), ("coalesced", chain.format(300), 4), ("ifs", ifs, 12), ("deep", chain.format(60_000), 10)):
            with self.subTest(name):
                file = self.write(name + ".py", head + text + launch)
                output = self.path / "said.json"
                with open(output, "wb") as stream:
                    process = subprocess.Popen([GLUOND, "check", file, "--format", "json"], stdout=stream, env=environment())
                    _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                self.assertIn(process.returncode, (0, 1))
                self.assertLess(used.ru_utime + used.ru_stime, seconds)
                if name not in ("deep", "conversions", "ifs"):  # they may also be done within the limit
                    self.assertNotIn("budget-exhausted", {each["code"] for each in json.loads(output.read_bytes())})

    def test_many_accesses_with_one_mistake(self):
        """A mistake is explained once, and not for each access that follows from it."""
        text = """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import tma, mbarrier
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor


@gluon.jit
def k(d, p, n):
    s = gl.allocate_shared_memory(gl.float32, [32, 32], d.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    for i in range(n):
        mbarrier.expect(bar, 8192)
        for j in gl.static_range(100):
            tma.async_load(d, [0, j], bar, s)
        mbarrier.wait(bar, i & 1)
        gl.store(p + i, gl.sum(gl.sum(s.load(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])), 0), 0))


x = torch.zeros(1024, 1024, device="cuda")
k[(1, )](TensorDescriptor.from_tensor(x, [32, 32], gl.NVMMASharedLayout(128, 32, 2)), x, 1000)
"""
        file, before = self.write("copies.py", text), used()
        result = subprocess.run([GLUOND, "check", file, "--format", "json"], stdout=subprocess.PIPE, env=environment(), check=False)
        self.assertIn("wrong-expected-bytes", {each["code"] for each in json.loads(result.stdout)})
        self.assertLess(used() - before, 4)

    def test_kernels_of_thousands_of_alike_statements(self):
        """Four times as many take four times as long, and not sixteen times."""
        head = "import torch\nimport triton.language as tl\nfrom triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n\n\n@gluon.jit\ndef k(p, n):\n"
        call = "\n\nk[(1, )](torch.empty(1024, device='cuda'), 1000)\n"
        line = head + "    L: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])\n    i = gl.arange(0, 128, L)\n"
        square = head + "    L: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 0])\n    a = gl.full([32, 32], 1.0, gl.float32, gl.DotOperandLayout(0, L, 0))\n" + \
            "    b = gl.full([32, 32], 1.0, gl.float32, gl.DotOperandLayout(1, L, 0))\n    c = gl.full([32, 32], 1.0, gl.float32, L)\n"
        for name, few, begin, each in (("masked stores", 750, line, "    gl.store(p + i + {0}, i, mask=(i + {0} < n) & (i < n))\n"),
                                       ("products", 2000, square, "    d{0} = tl.dot(a, b, c)\n")):
            with self.subTest(name):
                times = []
                for count in (few, 4 * few):
                    file, before = self.write("k.py", begin + "".join(each.format(i) for i in range(count)) + call), used()
                    self.run_it("check", file)
                    times.append(used() - before)
                self.assertLess(times[1], 9 * times[0])

    def test_accesses_that_differ_in_their_strides(self):
        """Each was compared with each other one, without a look at the time."""
        text = """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def k(p, q):
    L: gl.constexpr = gl.BlockedLayout([4, 1], [4, 8], [1, 4], [0, 1])
    r = gl.arange(0, 64, gl.SliceLayout(1, L))[:, None]
    c = gl.arange(0, 64, gl.SliceLayout(0, L))[None, :]
""" + "".join(f"    gl.store(q + r * {64 + i} + c, gl.load(p + r * {128 + i} + c))\n" for i in range(200)) + """

k[(1, )](torch.empty(65536, device="cuda"), torch.empty(65536, device="cuda"))
"""
        found = json.loads(self.run_it("check", self.write("strides.py", text), "--format", "json").stdout)
        self.assertEqual([each["code"] for each in found].count("uncoalesced"), 400)

    def test_the_terminal_gets_no_escapes(self):
        bad = "\x1b]0;pwned\x07\x9b31m\u202e\u2066\u200b\ufeff\r\x08"
        name = "n\x1b[31m\u202e\nfake.py:1:1: error: nothing.py"
        self.write(name, KERNEL.replace("1.0)", f"'{bad}')  # {bad}"))
        self.write("b.py", f"def {'k'}(:  # {bad}\n" + KERNEL)
        self.write("pyproject.toml", f"[tool.gluond]\n\"{bad}\" = 1\n")
        self.write("r.launches.jsonl", json.dumps({**RECORD, "id": bad, "kernel": bad, "file": bad}) + "\n" + bad + "\n")
        for arguments in (("check", "."), ("check", ".", "--format", "github"), ("check", ".", "--format", "gitlab"), ("check", ".", "--format", "junit"), ("check", name), ("launches", name), ("check", bad), ("emit", "r.launches.jsonl", "--stage", "source", "-o", "out"),
                          ("emit", name, "--kernel", bad, "--stage", "source"), ("layout", bad), ("run", name, "--kernel", bad), ("launches", bad)):
            done = self.run_it(*arguments, env={**environment(), "GLUOND_RUNNER": f"printf '{bad}'; printf '{bad}' >&2"})
            for stream in (done.stdout, done.stderr):
                text = stream.decode()
                for character in bad:
                    if not " " <= character <= "~":
                        self.assertNotIn(character, text, arguments)
                self.assertFalse(any(line.startswith("fake.py") for line in text.splitlines()), text)
        self.write("c.py", KERNEL.replace("# gluond", "#").replace("(p)", "(p, A: gl.constexpr)") + f"\na = ['{bad[:-2]}']\nfor i in range(20):\n    a = [a, a]\nk[(1,)](0, a)\n")
        said = [self.run_it("check", ".", "--format", form) for form in ("json", "sarif")]
        said += [self.run_it("launches", "c.py", "--format", form) for form in ("json", "jsonl")]
        for done in said:
            json.loads(done.stdout)
            for character in bad.replace("\n", ""):
                if not " " <= character <= "~":
                    self.assertNotIn(character.encode(), done.stdout)
            self.assertLess(len(done.stdout), 2_000_000)  # of parts that are shared a million times
        self.assertIn(b"\\u009b31m", said[-1].stdout)

    def test_hostile_runners(self):
        for command in ("exec yes", "yes >&2 & exec yes", "printf 'Content-Length: 3000000000\\r\\n\\r\\n'; sleep 100", "kill -9 $$", "exit 0",
                        "printf '\\033]0;x\\007' >&2; exit 1"):
            done = self.run_it("run", "a.py", "--kernel", "k", "--runner", command, code=1)
            self.assertLess(len(done.stderr), 20_000)
            self.assertNotIn(b"\x1b", done.stderr)

    def test_a_runner_that_says_too_much(self):
        frames = {"keys": {"result": {f"k{i}": i for i in range(200_000)}}, "message": {"error": {"kind": "launch", "message": "m" * 3_000_000}}}
        for name, answer in frames.items():
            body = json.dumps({"jsonrpc": "2.0", "id": 1, **answer}).encode()
            self.write("frame", b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            began, before = time.monotonic(), used()
            done = self.run_it("run", "a.py", "--kernel", "k", "--runner", "cat frame; exec sleep 1000", code=1)
            self.assertLess(time.monotonic() - began, patience(20), name)
            self.assertLess(used() - before, 10, name)
            self.assertLess(len(done.stderr), 20_000, name)

    def test_a_runner_does_not_outlive_gluond(self):
        for how in (signal.SIGTERM, signal.SIGKILL):
            for ending in ("exec sleep 1000", "trap '' TERM HUP INT; sleep 1000 & sleep 1000"):
                (self.path / "group").unlink(missing_ok=True)
                process = subprocess.Popen([GLUOND, "run", "a.py", "--kernel", "k", "--target", "cuda:90", "--runner", f"echo $$ > group; {ending}"],
                                           cwd=self.path, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                until = time.monotonic() + patience(60)
                while not ((self.path / "group").exists() and (self.path / "group").read_text().strip()) and time.monotonic() < until:
                    time.sleep(0.05)
                group = int((self.path / "group").read_text())
                process.send_signal(how)
                process.wait()
                until = time.monotonic() + patience(10)
                while time.monotonic() < until:
                    try:
                        os.killpg(group, 0)
                    except ProcessLookupError:
                        break
                    if all(status.split(")")[-1].split()[0] == "Z" for status in members(group)):  # ended, and nobody buries them
                        break
                    time.sleep(0.05)
                else:
                    self.fail((how, ending))

    def test_closed_and_full_streams(self):
        for arguments in (("check", "a.py"), ("launches", "a.py"), ("doctor",)):
            for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "| :"):
                done = subprocess.run(["sh", "-c", f"'{GLUOND}' {' '.join(arguments)} {closed}"], cwd=self.path, env=environment(), timeout=patience(100), capture_output=True)
                self.assertIn(done.returncode, (0, 1, 2), (arguments, closed))
        self.assertEqual((self.path / "a.py").read_text(), KERNEL)

    # ---- the language server

    def talk(self, messages, arguments=(), seconds=60, wait=()):
        """What the server answers to raw bytes, and how it ended. The last two messages, which end it, are sent when the requests of `wait` are answered."""
        server = subprocess.Popen([GLUOND, "lsp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.path, env=environment())
        out = bytearray()
        reader = threading.Thread(target=lambda: [out.extend(part) for part in iter(lambda: server.stdout.read1(1 << 16), b"")])
        reader.start()
        seconds = patience(seconds)
        end = time.monotonic() + seconds
        try:
            server.stdin.write(b"".join(messages[:-2]))
            server.stdin.flush()
            while not all(b'"id":%d,' % number in out or b'"id":%d}' % number in out for number in wait) and time.monotonic() < end:
                time.sleep(0.02)
            server.stdin.write(b"".join(messages[-2:]))
            server.stdin.close()
        except BrokenPipeError:  # it said goodbye first
            pass
        try:
            server.wait(timeout=patience(seconds))
        finally:
            server.kill()
            reader.join()
            server.stdout.close()
        self.assertGreaterEqual(server.returncode, 0)
        out = bytes(out)
        self.assertNotIn(SECRET.encode(), out)
        answers, rest = [], out
        while rest:
            header, _, rest = rest.partition(b"\r\n\r\n")
            size = int(header.split(b":")[1])
            answers.append(json.loads(rest[:size].decode("utf-8")))
            rest = rest[size:]
        return answers

    def frame(self, message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    def request(self, number, method, params=None, **more):
        return self.frame({"jsonrpc": "2.0", "id": number, "method": method, **({} if params is None else {"params": params}), **more})

    def hello(self):
        return [self.request(1, "initialize", {"rootUri": self.path.as_uri(), "capabilities": {}}), self.frame({"jsonrpc": "2.0", "method": "initialized", "params": {}})]

    def goodbye(self):
        return [self.request("bye", "shutdown"), self.frame({"jsonrpc": "2.0", "method": "exit"})]

    def test_symbols_of_a_folder_of_traps(self):
        self.traps()
        answers = self.talk([*self.hello(), self.request(2, "workspace/symbol", {"query": ""}), self.request(3, "workspace/symbol", {"query": "k"}),
                             *(self.request(100 + i, "textDocument/documentSymbol", {"textDocument": {"uri": (self.path / name).as_uri()}})
                               for i, name in enumerate(("pipe.py", "out.py", "zero.py", "sparse.py", "stdin.py", "folder/secret.py", "environ.py", "loop.py"))),
                             self.request(5, "textDocument/documentSymbol", {"textDocument": {"uri": (self.home / ".env").as_uri()}}), *self.goodbye()],
                            wait=(1, 2, 3, 5, *range(100, 108)))
        ids = {answer.get("id") for answer in answers}
        self.assertLessEqual({1, 2, 3, 5, *range(100, 108), "bye"}, ids)
        names = [each["name"] for answer in answers if answer.get("id") == 3 for each in answer["result"]]
        self.assertIn("k", names)

    def test_thousands_of_documents_at_once(self):
        """Looking at them in the background holds up no request, and keeps no list of all of them for each."""
        def opened(number):
            return {"uri": (self.path / f"f{number}.py").as_uri(), "languageId": "python", "version": 1, "text": KERNEL}
        count = 3000
        many = b"".join(self.frame({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": opened(i)}}) for i in range(count))
        asked = [self.request(100 + i, "textDocument/hover", {"textDocument": {"uri": opened(i)["uri"]}, "position": {"line": 6, "character": 5}})
                 for i in (0, count // 2, count - 1)]
        before = used()
        answers = self.talk([*self.hello(), many, *asked, *self.goodbye()], wait=[100 + i for i in (0, count // 2, count - 1)])
        self.assertLess(used() - before, 60)
        for i in (0, count // 2, count - 1):
            self.assertIn("def k(p)", json.dumps([answer for answer in answers if answer.get("id") == 100 + i]))

    def test_thousands_of_changes_in_one_message(self):
        lines = 20_000
        text = "x = 1\n" * lines
        uri = (self.path / "a.py").as_uri()
        changes = [{"range": {"start": {"line": line, "character": 4}, "end": {"line": line, "character": 5}}, "text": "2"} for line in range(lines)]
        answers = self.talk([*self.hello(),
                             self.frame({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": "python",
                                                                                                                       "version": 1, "text": text}}}),
                             self.frame({"jsonrpc": "2.0", "method": "textDocument/didChange",
                                         "params": {"textDocument": {"uri": uri, "version": 2},
                                                    "contentChanges": [*changes, {"range": changes[0]["range"], "text": "k"}]}}),
                             self.request(2, "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 9, "character": 0}}),
                             self.request(3, "textDocument/documentSymbol", {"textDocument": {"uri": uri}}), *self.goodbye()], wait=(2, 3), seconds=20)
        self.assertTrue([answer for answer in answers if answer.get("id") == 3 and answer.get("result") is not None])

    def test_messages_that_are_none(self):
        bodies = [b"", b"{", b"[]", b"[1,2]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000, b'{"jsonrpc":"2.0","id":[],"method":"initialize"}',
                  b'{"jsonrpc":"2.0","id":{},"method":5}', b'{"jsonrpc":"2.0","id":1e400,"method":"hover"}', b'{"id":true,"method":"shutdown","params":7}',
                  b'{"jsonrpc":"2.0","id":-99999999999999999999,"method":"x"}', b'{"jsonrpc":"2.0","id":9,"result":1}', b'{"jsonrpc":"2.0","method":"' + b"m" * 100_000 + b'"}']
        uri = (self.path / "a.py").as_uri()
        document = {"textDocument": {"uri": uri}}
        places = [{"line": 2**31 - 1, "character": 2**31 - 1}, {"line": -1, "character": -1}, {"line": 1e300, "character": 0.5}, {"line": "0"}, {}, None, {"line": 2**64, "character": 2**64}]
        requests = [self.request(i, method, {**document, "position": place}) for i, (method, place) in
                    enumerate(((m, p) for m in ("textDocument/hover", "textDocument/definition", "textDocument/completion", "textDocument/signatureHelp") for p in places), 1000)]
        opened = self.frame({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": KERNEL}}})
        edits = [{"range": {"start": a, "end": b}, "text": "x"} for a in ({"line": 9, "character": 99}, {"line": 0, "character": 3}, {"line": 2**31 - 1, "character": 0})
                 for b in ({"line": 0, "character": 0}, {"line": 2**31 - 1, "character": 2**31 - 1})]
        changes = [self.frame({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": uri, "version": 2 + i}, "contentChanges": change}})
                   for i, change in enumerate(([edit] for edit in edits))]
        changes.append(self.frame({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": uri}, "contentChanges": "no"}}))
        odd = ["", "x", "http://a/b.py", "file:", "file://", "file:///%", "file:///%00a.py", "untitled:1", "file://host/a.py", "file:///" + "a/" * 5000, "data:text/plain,x"]
        opens = [self.frame({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": each, "languageId": "python", "version": 1, "text": KERNEL}}}) for each in odd]
        early = [self.request(50, "textDocument/hover", document), *map(self.frame, bodies)]
        answers = self.talk([*early, *self.hello(), *map(self.frame, bodies), opened, *requests, *changes, *opens, *requests,
                             *(self.request(2000 + i, "textDocument/documentSymbol", {"textDocument": {"uri": each}}) for i, each in enumerate(odd)),
                             self.request(7, "textDocument/documentSymbol", document), *self.goodbye()], wait=(7,))
        self.assertIn("bye", [answer.get("id") for answer in answers if isinstance(answer.get("id"), str)])
        self.assertTrue([answer for answer in answers if answer.get("id") == 7])

    def test_headers_that_are_none(self):
        for header in (b"Content-Length: 99999999999\r\n\r\n", b"Content-Length: -1\r\n\r\n", b"Content-Length: 99999999999999999999999\r\n\r\n", b"Content-Length:\r\n\r\n",
                       b"Content-Type: x\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"\0" * 10_000, b"Content-Length: 0\r\n\r\n", b"\r\n\r\n",
                       b"Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-16\r\n\r\n{}", b"x" * 1_000_000):
            with self.subTest(header[:40]):
                answers = self.talk([*self.hello(), header, self.request(2, "workspace/symbol", {"query": "k"}), *self.goodbye()])
                self.assertIn("bye", [answer.get("id") for answer in answers])

    # ---- serve

    def served(self):
        server = subprocess.Popen(["sh", "-c", f"ulimit -n 64; exec '{GLUOND}' serve ."], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=self.path, env=environment())
        self.addCleanup(lambda: (server.kill(), server.wait(), server.stdout.close(), server.stderr.close()))
        for line in server.stdout:
            if b"http://" in line:
                port, token = line.decode().strip().removeprefix("http://127.0.0.1:").split("/")[:2]
                return int(port), token, server
        self.skipTest("the page is not built")

    def get(self, port, path, host=None):
        with socket.create_connection(("127.0.0.1", port), timeout=patience(20)) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{port}'}\r\n\r\n".encode("latin-1"))
            data = b""
            while piece := connection.recv(65536):
                data += piece
        return data

    def test_serve(self):
        self.traps()
        self.write(".env", f"KEY={SECRET}")
        port, token, server = self.served()
        self.assertIn(b"200 OK", self.get(port, f"/{token}/"))
        for path in ("/", f"/{token[:-1]}/", f"/{token}x/", "/../", "//"):
            self.assertIn(b" 403 ", self.get(port, path))
        for name in (".env", "a.py", "../.env", "%2e%2e/.env", "..%2f.env", "/etc/passwd", "index.html%00", "..\\.env", "folder/secret.py"):
            self.assertIn(b" 404 ", self.get(port, f"/{token}/{name}"), name)
        self.assertIn(b" 403 ", self.get(port, f"/{token}/", host="evil.example"))

    def test_clients_of_serve_that_are_slow(self):
        """More of them than the server has descriptors: it answers the others meanwhile."""
        port, token, server = self.served()
        host = f"Host: 127.0.0.1:{port}\r\n"
        upgrade = (f"GET /{token}/lsp HTTP/1.1\r\n{host}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                   "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
        attacks = {"silent": "", "half a request": "GET /x HTTP/1.1\r\nHo", "long headers": "GET /x HTTP/1.1\r\n" + "a: b\r\n" * 1000,
                   "a body": f"POST /{token}/ HTTP/1.1\r\n{host}Content-Length: 1000000\r\n\r\nx", "an answer that is not read": f"GET /{token}/page.js HTTP/1.1\r\n{host}\r\n",
                   "a silent socket": upgrade, "half of a frame": upgrade + "\x01\x7e"}
        for name, said in attacks.items():
            clients, seconds = [], patience(5)
            for _ in range(200):
                client = socket.socket()
                clients.append(client)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.settimeout(seconds)
                try:
                    client.connect(("127.0.0.1", port))
                    client.sendall(said.encode("latin-1"))
                except OSError:  # it was sent away
                    pass
            began = time.monotonic()
            for _ in range(3):
                self.assertIn(b"200 OK", self.get(port, f"/{token}/"), name)
            self.assertLess(time.monotonic() - began, patience(4), name)
            for client in clients:
                client.close()
        self.assertIsNone(server.poll())


if __name__ == "__main__":
    unittest.main(verbosity=1)
