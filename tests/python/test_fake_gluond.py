"""The Python package with programs that are no gluond: whatever they do, a kernel is compiled by Triton or the error says why, soon.

No Triton and no GPU: the hook is called as Triton calls it. Run by ctest.
"""
import json
import os
import resource
import stat
import sys
import tempfile
import time
import unittest
import warnings
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
from gluond import compiler, program, recordfile, simulator  # noqa: E402

FACTS = {"name": "k", "num_warps": 4, "shared": 0, "tmem_size": 0, "global_scratch_size": 0, "global_scratch_align": 1}
# What a program does that is started as `gluond emit kernel.ttgir --stage STAGE -o DIR`; $4 is STAGE, $6 is DIR.
WRITES = f"echo '{json.dumps(FACTS)}' > $6/kernel.json; echo ir > $6/kernel.llir; "
WORKS = WRITES + "echo '.visible .entry k' > $6/kernel.ptx"
WORKS_FOR_AMD = WRITES + "case $4 in hsaco) printf '\\177ELF code' ;; *) echo '.amdhsa_kernel k' ;; esac > $6/kernel.$4"
FAILS = {
    "fails": ("echo 'gluond: no such op' >&2; exit 1", "no such op"),
    "fails silently": ("exit 3", "ended with 3"),
    "crashes": ("kill -SEGV $$", "signal 11"),
    "is killed": ("kill -KILL $$", "signal 9"),
    "writes nothing": ("exit 0", "cannot be read"),
    "writes no JSON": (WORKS + "; echo nonsense > $6/kernel.json", "cannot be read"),
    "writes another JSON": (WORKS + "; echo '[1]' > $6/kernel.json", "cannot be read"),
    "has other facts": (WORKS + "; echo '{\"name\": \"k\"}' > $6/kernel.json", "cannot be read"),
    "has wrong numbers": (WORKS + "; echo '" + json.dumps({**FACTS, "shared": -1}) + "' > $6/kernel.json", "cannot be read"),
    "writes no text": (WORKS + "; printf '\\377\\376' > $6/kernel.ptx", "cannot be read"),
    "writes no PTX": (WORKS + "; : > $6/kernel.ptx", "cannot be read"),
    "hangs": ("exec sleep 1000", "did not end within"),
    "hangs, deaf": ("trap '' TERM INT HUP; while :; do sleep 1; done", "did not end within"),
    "floods": ("exec yes", "wrote more than"),
    "is no program": (None, "does not start"),
}


class Fake(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        os.environ["GLUOND_TIMEOUT"] = "1"
        self.addCleanup(setattr, program, "MOST_WRITTEN", program.MOST_WRITTEN)
        program.MOST_WRITTEN = 1 << 20
        self.addCleanup(os.environ.pop, "GLUOND_TIMEOUT", None)

    def program(self, script):
        path = self.path / "gluond"
        path.write_text("\x7fELF no" if script is None else "#!/bin/sh\n" + script + "\n")
        path.chmod(0o755)
        return str(path)

    def compiled(self, program, fallback):
        """(who made the LLVM IR, who the PTX, warnings)"""
        text, last, said, metadata = self.stages(program, fallback, ("llir", "ptx"))
        return text, last["ptx"], said, metadata

    def stages(self, program, fallback, names, **options):
        """(the LLVM IR, the results of later stages by name, warnings, metadata)"""
        hook = compiler._hook(program, fallback, None)
        hook()  # Triton asks for the cache's key
        stages = {name: lambda before, metadata, name=name: f"Triton's {name}" for name in names}
        hook(object(), stages, SimpleNamespace(instrumentation_mode="", **options), SimpleNamespace(name="GLUON"), 90)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            for _ in range(2):
                metadata = {}
                text = stages["llir"]("module {}", metadata)
                later = {name: stages[name](text, metadata) for name in names[1:]}
        return text, later, [str(each.message) for each in said], metadata

    def test_one_that_works(self):
        text, ptx, said, metadata = self.compiled(self.program(WORKS), False)
        self.assertEqual((text, ptx, said), ("ir\n", ".visible .entry k\n", []))
        self.assertEqual(metadata["num_warps"], 4)

    AMD = ("llir", "amdgcn", "hsaco")

    def test_one_that_works_for_amd(self):
        text, later, said, metadata = self.stages(self.program(WORKS_FOR_AMD), False, self.AMD, allow_flush_denorm=False, wgp_cu_mode="wgp")
        self.assertEqual((text, later, said), ("ir\n", {"amdgcn": ".amdhsa_kernel k\n", "hsaco": b"\x7fELF code"}, []))
        self.assertEqual((metadata["name"], metadata["num_warps"]), ("k", 4))

    def test_failures_for_amd_leave_the_kernel_to_triton(self):
        for script, reason in (("echo 'gluond: no such op' >&2; exit 1", "no such op"), (WORKS, "cannot be read"),
                               (WORKS_FOR_AMD + "; if [ $4 = hsaco ]; then : > $6/kernel.hsaco; fi", "no hsaco")):
            text, later, said, metadata = self.stages(self.program(script), True, self.AMD)
            self.assertEqual((text, later), ("Triton's llir", {"amdgcn": "Triton's amdgcn", "hsaco": "Triton's hsaco"}))
            self.assertEqual((len(said), metadata), (1, {}))
            self.assertIn(reason, said[0])

    def test_options_that_the_ir_does_not_tell_of_are_passed_on(self):
        # The program repeats what it was told as the LLVM IR.
        program = self.program(WORKS_FOR_AMD + '; echo "$@" > $6/kernel.llir')
        options = {"enable_fp_fusion": False, "allow_flush_denorm": True, "waves_per_eu": 2, "wgp_cu_mode": "cu",
                   "llvm_fn_attrs": (("noinline", ""), ("amdgpu-sched-strategy", "iterative-ilp"))}
        text, _, said, _ = self.stages(program, False, self.AMD, **options)
        self.assertEqual(said, [])
        for told in ("enable_fp_fusion=false", "allow_flush_denorm=true", "waves_per_eu=2", "wgp_cu_mode=cu",
                     "llvm_fn_attrs=noinline,amdgpu-sched-strategy=iterative-ilp"):
            self.assertIn(f"--launch-option {told}", text)
        defaults = {"enable_fp_fusion": True, "allow_flush_denorm": False, "waves_per_eu": 0, "wgp_cu_mode": "wgp", "llvm_fn_attrs": ()}
        self.assertNotIn("--launch-option", self.stages(program, False, self.AMD, **defaults)[0])

    def test_targets_of_another_kind_are_left_alone(self):
        text, later, _, _ = self.stages(self.program("exit 1"), False, ("llir", "spirv"))
        self.assertEqual((text, later), ("Triton's llir", {"spirv": "Triton's spirv"}))

    def test_what_a_child_keeps_open_is_not_waited_for(self):
        began = time.monotonic()
        self.compiled(self.program("sleep 1000 & " + WORKS), False)
        self.assertLess(time.monotonic() - began, 30)

    def test_every_failure_leaves_the_kernel_to_triton_with_one_warning(self):
        for name, (script, reason) in FAILS.items():
            with self.subTest(name):
                program = self.program(script)
                text, ptx, said, metadata = self.compiled(program, True)
                self.assertEqual((text, ptx), ("Triton's llir", "Triton's ptx"))
                self.assertEqual(len(said), 1, said)
                self.assertIn(reason, said[0])
                self.assertEqual(metadata, {})  # nothing half-done is left

    def test_every_failure_is_one_kind_of_error(self):
        for name, (script, reason) in FAILS.items():
            with self.subTest(name), self.assertRaises(compiler.CompilationError) as raised:
                self.compiled(self.program(script), False)
            self.assertIn(reason, str(raised.exception))

    def test_none_at_all(self):
        for program in (None, str(self.path / "none"), str(self.path)):
            text, ptx, said, _ = self.compiled(program, True)
            self.assertEqual((text, ptx, len(said)), ("Triton's llir", "Triton's ptx", 1))

    def test_it_is_not_taken_from_relative_folders(self):
        self.program(WORKS)
        before = dict(os.environ), os.getcwd()
        try:
            os.chdir(self.path)
            os.environ.pop("GLUOND", None)
            os.environ["PATH"] = ".::bin"
            try:
                self.assertNotIn(str(self.path), compiler.find_gluond())
            except FileNotFoundError:
                pass  # and there is no other
        finally:
            os.chdir(before[1])
            os.environ.clear()
            os.environ.update(before[0])


def frames(*messages):
    """Shell that answers so."""
    return "".join(f"printf 'Content-Length: {len(text)}\\r\\n\\r\\n%s' '{text}'; " for text in map(json.dumps, messages))


GREETING = {"jsonrpc": "2.0", "id": 1, "result": {"protocol": 1, "version": "0", "memoryBytes": 1000}}
LOADED = {"jsonrpc": "2.0", "id": 2, "result": {"module": 7}}
ANSWER = {"jsonrpc": "2.0", "id": 3, "result": {"changes": [], "findings": [], "printed": "", "end": "finished"}}
# Programs started as `gluond simulator` that are none.
LOST = {
    "ends": ("exit 3", "it ended with 3"),
    "says why": ("echo 'no such command' >&2; exit 2", "no such command"),
    "is killed": ("kill -KILL $$", "signal 9"),
    "crashes in a launch": (frames(GREETING, LOADED) + "kill -SEGV $$", "signal 11"),
    "talks": ("echo hello; exec sleep 1000", "did not answer within"),
    "floods": ("exec yes", "its answer cannot be read"),
    "floods while it does not read": ("trap '' PIPE; yes | head -c 100000000", "cannot be read"),
    "does not read": (frames(GREETING) + "exec sleep 1000", "did not answer within"),
    "promises more than there is": ("printf 'Content-Length: 999999999999999999\\r\\n\\r\\n'; exec sleep 1000", "cannot be read"),
    "has negative lengths": ("printf 'Content-Length: -5\\r\\n\\r\\n'; exec sleep 1000", "cannot be read"),
    "answers a list": (frames([1, 2]) + "exec sleep 1000", "cannot be read"),
    "answers without a result": (frames({"id": 1}) + "exec sleep 1000", "cannot be read"),
    "answers something else": (frames({"id": 1, "result": 3}) + "exec sleep 1000", "cannot be read"),
    "knows no module": (frames(GREETING, {"id": 2, "result": {}}) + "exec sleep 1000", "cannot be read"),
    "nests": ("printf 'Content-Length: 200000\\r\\n\\r\\n'; yes '[' | tr -d '\\n' | head -c 200000; exec sleep 1000", "cannot be read"),
    "answers nonsense": ("printf 'Content-Length: 3\\r\\n\\r\\n???'; exec sleep 1000", "cannot be read"),
    "hangs": (frames(GREETING, LOADED) + "exec sleep 1000", "did not answer within"),
    "is no program": (None, "does not start"),
}


class Simulators(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "gluond"
        for name, seconds in (("GRACE", 1), ("START", 2), ("LOAD", 2)):
            self.addCleanup(setattr, simulator, name, getattr(simulator, name))
            setattr(simulator, name, seconds)

    def program(self, script):
        self.path.write_text("\x7fELF no" if script is None else "#!/bin/sh\n" + script + "\n")
        self.path.chmod(0o755)
        return str(self.path)

    def run_it(self, client):
        client.limit()
        return client.run(b"module {}", {}, [bytes(1 << 20)], 0.5)

    def test_one_that_works(self):
        client = simulator.Simulator(self.program(frames(GREETING, LOADED, ANSWER) + "cat > /dev/null"))
        self.assertEqual(self.run_it(client)[0]["end"], "finished")
        client.close()

    def test_every_loss_is_one_error_and_the_next_launch_starts_another(self):
        for name, (script, reason) in LOST.items():
            with self.subTest(name):
                client = simulator.Simulator(self.program(script))
                began = time.monotonic()
                with self.assertRaises(simulator.SimulatorError) as raised:
                    self.run_it(client)
                self.assertIn(reason, str(raised.exception))
                self.assertLess(time.monotonic() - began, 30)
                client.program = self.program(frames(GREETING, LOADED, ANSWER) + "cat > /dev/null")
                self.assertEqual(self.run_it(client)[0]["end"], "finished")
                client.close()

    def test_a_program_with_a_thousand_open_files(self):
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        if before[1] != resource.RLIM_INFINITY and before[1] < 2048:
            self.skipTest("no process may have so many files")
        resource.setrlimit(resource.RLIMIT_NOFILE, (2048, before[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        files = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
        self.addCleanup(lambda: [os.close(each) for each in files])
        client = simulator.Simulator(self.program(frames(GREETING, LOADED, ANSWER) + "cat > /dev/null"))
        self.assertEqual(self.run_it(client)[0]["end"], "finished")
        client.close()

    def test_a_fork_has_its_own(self):
        client = simulator.Simulator(self.program(frames(GREETING, LOADED, ANSWER) + "cat > /dev/null"))
        self.run_it(client)
        child = os.fork()
        if child == 0:
            ends = self.run_it(client)[0]["end"]
            client.close()
            os._exit(0 if ends == "finished" else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertIsNone(client.process.process.poll())
        client.close()


class Records(unittest.TestCase):
    RECORD = {"file": "a.py", "kernel": "k", "line": 1, "target": "cuda:90", "args": []}

    def setUp(self):
        folders = [tempfile.TemporaryDirectory() for _ in range(2)]
        for folder in folders:
            self.addCleanup(folder.cleanup)
        self.project, self.home = (Path(folder.name) for folder in folders)
        self.profile = self.home / "profile"
        self.profile.write_text("# mine\n")

    def test_what_is_written(self):
        path = self.project / ".gluond" / "a.launches.jsonl"
        self.assertTrue(recordfile.add(path, dict(self.RECORD)))
        self.assertFalse(recordfile.add(path, dict(self.RECORD)))
        self.assertTrue(recordfile.add(path, dict(self.RECORD, options={"num_warps": 8})))
        recordfile.add(path, dict(self.RECORD, line=7))
        self.assertEqual([json.loads(line)["line"] for line in path.read_text().splitlines()], [7, 7])
        self.assertEqual([each.name for each in path.parent.iterdir()], [path.name])

    def test_links_out_of_the_project_are_not_written(self):
        path = self.project / ".gluond" / "profile"
        (self.project / ".gluond").symlink_to(self.home)
        with self.assertRaises(OSError):
            recordfile.add(path, dict(self.RECORD))
        (self.project / ".gluond").unlink()
        (self.project / ".gluond").mkdir()
        path.symlink_to(self.profile)
        with self.assertRaises(OSError):
            recordfile.add(path, dict(self.RECORD))
        self.assertEqual(self.profile.read_text(), "# mine\n")
        self.assertEqual([each.name for each in self.home.iterdir()], ["profile"])

    def test_a_pipe_is_not_waited_for(self):
        path = self.project / "a.launches.jsonl"
        os.mkfifo(path)
        with self.assertRaises(OSError):
            recordfile.add(path, dict(self.RECORD))
        self.assertTrue(stat.S_ISFIFO(os.stat(path).st_mode))


if __name__ == "__main__":
    unittest.main(verbosity=2)
