"""`gluond bench --vary --journal`: sweeps that go on whatever happens, over gluond-runner and a fake CUDA driver; the first of them over a
fake HIP, too. Run by ctest; argv: gluond, gluond-runner, the fake drivers of CUDA and HIP."""
import fcntl
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

GLUOND, RUNNER_PROGRAM, FAKE, FAKE_HIP = (os.path.abspath(sys.argv.pop(1)) for _ in range(4))

KERNEL = """import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def copy_x(x, y, n, BLOCK: gl.constexpr, STEP: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [gl.num_warps()], [0]))
    gl.store(y + i, gl.load(x + i, mask=i < n) + STEP, mask=i < n)


x = torch.zeros(65536, device="cuda")
copy_x[(triton.cdiv(65536, 256), )](x, x, 65536, 256, 1)
"""


def runner(cuda=FAKE, hip="/nowhere.so", **settings):
    text = " ".join(f"{name}='{value}'" for name, value in settings.items())
    return f"exec env GLUOND_CUDA_LIBRARY={cuda} GLUOND_HIP_LIBRARY={hip} {text} {RUNNER_PROGRAM}"


def runners_of(process):
    """The GPU processes that a gluond started."""
    found = []
    for each in Path("/proc").iterdir():
        try:
            if each.name.isdigit() and int((each / "stat").read_text().rsplit(")", 1)[1].split()[1]) == process.pid:
                if os.readlink(each / "exe") == os.path.realpath(RUNNER_PROGRAM):
                    found.append(int(each.name))
        except OSError:
            pass  # it has ended meanwhile
    return found


class SweepOfAFake(unittest.TestCase):
    """How sweeps are run here."""
    kernel, libraries = KERNEL, {}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        (self.path / "k.py").write_text(self.kernel)

    def runner(self, **settings):
        return runner(**self.libraries, **settings)

    def command(self, blocks, steps, *more, journal="journal.jsonl", command=None, budget=1):
        vary = ["--vary", "BLOCK=" + ",".join(map(str, blocks)), "--vary", "STEP=" + ",".join(map(str, steps))]
        return [GLUOND, "bench", "k.py", "--kernel", "copy_x", *vary, "--budget", str(budget), "--format", "json", "--runner", command or self.runner(),
                *(["--journal", journal] if journal else []), *more]

    def start(self, *arguments, **named):
        return subprocess.Popen(self.command(*arguments, **named), cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finish(self, process, code=0, timeout=240):
        out, err = process.communicate(timeout=timeout)
        self.assertEqual(process.returncode, code, out[-2000:] + err)
        answer = json.loads(out) if out else {}
        return answer.get("rows", answer.get("problem", err))

    def sweep(self, *arguments, code=0, **named):
        return self.finish(self.start(*arguments, **named), code)

    def journal(self, name="journal.jsonl"):
        return [json.loads(line) for line in (self.path / name).read_text().splitlines()]

    def states(self, rows):
        """What does not depend on the clock."""
        keys = ("launch", "label", "target", "state", "grid", "warps", "registers", "sharedBytes", "bytes", "notes")
        return sorted(json.dumps([row.get(key) for key in keys]) for row in rows)


class SweepOnNvidia(SweepOfAFake):

    def test_every_combination_is_timed(self):
        rows = self.sweep([64, 128, 256], [1, 2], journal=None)
        self.assertEqual({row["state"] for row in rows}, {"done"})
        self.assertEqual(sorted(row["label"] for row in rows), [f"BLOCK={b} STEP={s}" for b in (128, 256, 64) for s in (1, 2)])
        self.assertEqual({row["grid"][0] for row in rows}, {1024, 512, 256})

    def test_what_hangs_or_dies_costs_only_itself(self):
        for setting, kind in (("GLUOND_FAKE_HANGS_AT", "hang"), ("GLUOND_FAKE_DIES_AT", "lost")):
            rows = self.sweep([64, 128, 256], [1], "--time-limit", "5", "--runners-each", "2", journal=f"{kind}.jsonl", code=1, command=self.runner(**{setting: 512}))
            failed, = (row for row in rows if row["state"] != "done")
            self.assertEqual((failed["label"], failed["problem"]["kind"]), ("BLOCK=128 STEP=1", kind))
            self.assertEqual(sum(row["state"] == "done" for row in rows), 2)
            # It is not tried again when the sweep goes on.
            before = self.journal(f"{kind}.jsonl")
            again = self.sweep([64, 128, 256], [1], "--time-limit", "5", journal=f"{kind}.jsonl", code=1, command=self.runner(**{setting: 512}))
            self.assertEqual([row["label"] for row in again], [row["label"] for row in rows])
            self.assertEqual(self.journal(f"{kind}.jsonl"), before)


class SweepOnAmd(SweepOnNvidia):
    kernel, libraries = KERNEL.replace("[32]", "[64]"), {"cuda": "/nowhere.so", "hip": FAKE_HIP}


class Sweep(SweepOfAFake):

    def test_killed_runners_and_a_killed_gluond(self):
        blocks, steps = (64, 128, 256), range(20)
        whole = self.states(self.sweep(blocks, steps, journal=None))
        self.assertEqual(len(whole), 60)
        generator = random.Random(7)
        killed = interrupted = 0
        process = self.start(blocks, steps, "--runners-each", "3")
        deadline = time.time() + 200
        while process.poll() is None and time.time() < deadline:
            time.sleep(0.15)
            victims = runners_of(process)
            # The last launches are left in peace: one that loses runner after runner while nothing else is left is to blame.
            isNearTheEnd = (self.path / "journal.jsonl").exists() and (self.path / "journal.jsonl").read_text().count("\n") > 45
            if victims and killed < 12 and not isNearTheEnd:
                os.kill(generator.choice(victims), signal.SIGKILL)
                killed += 1
            if killed in (4, 8) and interrupted < killed // 4:
                process.kill()
                process.communicate()
                interrupted += 1
                process = self.start(blocks, steps, "--runners-each", "3")
        rows = self.finish(process)
        self.assertGreater(killed, 0)
        self.assertEqual(self.states(rows), whole, "as without any disturbance")
        ids = [line["id"] for line in self.journal()[1:]]
        self.assertEqual((len(ids), len(set(ids))), (60, 60), "each is measured once")

    def test_a_runner_that_is_killed_while_it_starts_starts_again(self):
        command = f"n=$(cat started 2>/dev/null || echo 0); echo $((n + 1)) >started; if [ $n -lt 4 ]; then kill -9 $$; fi; {runner()}"
        rows = self.sweep([64, 128], [1], journal=None, command=command)
        self.assertEqual({row["state"] for row in rows}, {"done"})
        (self.path / "started").write_text("-100")
        problem = self.sweep([64], [1], journal=None, command=command, code=1)
        self.assertEqual(problem["kind"], "start", problem)
        self.assertLess(int((self.path / "started").read_text()), -80, "it is not started for ever")

    def test_runners_that_die_whatever_they_run_fail_no_launch(self):
        """A launch is blamed only if it loses runners again when the others are done."""
        dying = runner(GLUOND_FAKE_DIES_AT=1024)  # every launch of this sweep has that grid
        command = f"n=$(cat died 2>/dev/null || echo 0); echo $((n + 1)) >died; if [ $n -lt 3 ]; then {dying}; fi; {runner()}"
        rows = self.sweep([64], range(6), journal=None, command=command)
        self.assertGreaterEqual(int((self.path / "died").read_text()), 4, "three runners have died")
        self.assertEqual({row["state"] for row in rows}, {"done"}, rows)

    def test_runners_that_die_while_they_are_idle_fail_no_launch(self):
        """That they are dead shows only when they are given a launch, which others have lost before."""
        command = f"if [ -e calm ]; then {runner()}; else {runner(GLUOND_FAKE_HANGS_AT=512)}; fi"
        process = self.start([64, 128, 256, 512], [1], "--runners-each", "4", "--time-limit", "200", command=command)
        deadline = time.time() + 200
        while time.time() < deadline and not ((self.path / "journal.jsonl").exists() and len(self.journal()) == 4):
            time.sleep(0.05)
        (self.path / "calm").touch()
        for victim in runners_of(process):  # one is busy
            os.kill(victim, signal.SIGKILL)
        rows = self.finish(process)
        self.assertEqual([row["state"] for row in rows], ["done"] * 4, rows)

    def test_one_runner_of_two_does_not_start(self):
        rows = self.sweep([64, 128], [1, 2], "--runner", "exit 3", journal=None)
        self.assertEqual({row["state"] for row in rows}, {"done"})
        rows = self.sweep([64, 128], [1, 2], "--runner", runner(), journal=None, command="exit 3")
        self.assertEqual({row["state"] for row in rows}, {"done"})

    def test_journals(self):
        first = self.sweep([64, 128], [1])
        self.assertEqual(len(self.journal()), 3)
        # A crash cut off the last line: only that launch is measured again.
        path = self.path / "journal.jsonl"
        text = path.read_text()
        path.write_text(text[:-20])
        again = self.sweep([64, 128], [1])
        self.assertEqual(self.states(again), self.states(first))
        self.assertEqual(len(self.journal()), 3)
        # More values: what is there is kept.
        before = {row["launch"]: row["microseconds"] for row in again}
        more = self.sweep([64, 128, 256], [1])
        self.assertEqual(len(more), 3)
        self.assertTrue(all(before.get(row["launch"], row["microseconds"]) == row["microseconds"] for row in more))
        # Another kernel, other arguments, something else.
        self.assertIn("is the journal of another sweep", self.sweep([64], [1], "--arg", "x=ones", code=2))
        self.assertIn("is the journal of another sweep", self.sweep([64], [1], budget=2, code=2))
        (self.path / "k.py").write_text(KERNEL.replace("+ STEP", "- STEP"))
        self.assertIn("is the journal of another sweep", self.sweep([64], [1], code=2))
        (self.path / "k.py").write_text(KERNEL)
        (self.path / "no.jsonl").write_text("something\n")
        self.assertIn("is no journal of a sweep", self.sweep([64], [1], journal="no.jsonl", code=2))
        # Not a byte of another file is lost, nor of one that a link leads to.
        (self.path / "notes").write_text("first\nlast without an end")
        (self.path / "link.jsonl").symlink_to("notes")
        self.assertIn("is no journal of a sweep", self.sweep([64], [1], journal="notes", code=2))
        self.assertIn("a link or a file is in the way", self.sweep([64], [1], journal="link.jsonl", code=2))
        self.assertEqual((self.path / "notes").read_text(), "first\nlast without an end")
        self.assertEqual((self.path / "no.jsonl").read_text(), "something\n")
        (self.path / "folder").mkdir()
        self.assertIn("folder", self.sweep([64], [1], journal="folder", code=2))

    def test_two_sweeps_do_not_write_one_journal(self):
        self.sweep([64], [1])
        with open(self.path / "journal.jsonl", "r+") as file:
            fcntl.lockf(file, fcntl.LOCK_EX)  # as the other one does
            self.assertIn("another sweep is writing", self.sweep([64], [1, 2], code=2))
        self.assertEqual(len(self.sweep([64], [1, 2])), 2)

    def test_what_cannot_be_varied(self):
        for vary, words in (("BLOCK", "takes NAME=VALUE,VALUE"), ("SPEED=1", "is not a constexpr of copy_x; it has BLOCK"), ("BLOCK=fast", "is not a number")):
            result = subprocess.run([GLUOND, "bench", "k.py", "--kernel", "copy_x", "--vary", vary, "--runner", runner()], cwd=self.path, capture_output=True, text=True)
            self.assertEqual(result.returncode, 2)
            self.assertIn(words, result.stderr)
        layouts = self.path / "layouts.py"
        layouts.write_text(KERNEL.replace("STEP: gl.constexpr", "L: gl.constexpr").replace("gl.BlockedLayout([1], [32], [gl.num_warps()], [0])", "L").replace(" + STEP", "")
                           .replace("256, 1)", "256, gl.BlockedLayout([1], [32], [4], [0]))"))
        result = subprocess.run([GLUOND, "bench", layouts, "--kernel", "copy_x", "--vary", "L=gl.BlockedLayout([1], [32], [4], [0]),gl.BlockedLayout([2], [32], [4], [0])",
                                 "--budget", "1", "--format", "json", "--runner", runner()], capture_output=True, text=True)
        self.assertEqual(len(json.loads(result.stdout)["rows"]), 2, result.stderr)


if __name__ == "__main__":
    unittest.main()
