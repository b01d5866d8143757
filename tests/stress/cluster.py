#!/usr/bin/env python3
"""A sweep of many configurations over a cluster whose GPU processes are killed at random: it must end complete, with each configuration measured
once, and equal to one that nothing disturbed. Over the fake driver, so that no GPU is needed, or over the GPUs of this machine (--gpus).

    tests/stress/cluster.py --gluond build/bin/gluond --runner build/bin/gluond-runner --fake build/tests/unit/runner/libfake_cuda.so \\
        --count 2000 --each 6 --kills 60 --interruptions 3 --start 'srun -u -n1 -Q {}'
    ... --gpus 2 --each 2          (without --fake)
    ... --start 'python3 -m gluond.rayrunner --gpus 1 --command {}'          (PYTHONPATH=python, a running Ray cluster)

`{}` is the command of the runner, quoted.
"""
import argparse
import json
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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


def processes_of(program):
    for each in Path("/proc").iterdir():
        try:
            if each.name.isdigit() and os.readlink(each / "exe") == program:
                yield int(each.name)
        except OSError:
            pass  # it has ended meanwhile


def stable(rows):
    """What does not depend on the clock."""
    keys = ("launch", "label", "target", "state", "grid", "warps", "registers", "sharedBytes", "bytes", "notes")
    return sorted(json.dumps([row.get(key) for key in keys]) for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gluond", "runner"):
        parser.add_argument("--" + name, required=True, type=os.path.realpath)
    driver = parser.add_mutually_exclusive_group(required=True)
    driver.add_argument("--fake", type=os.path.realpath)
    driver.add_argument("--gpus", type=int)
    parser.add_argument("--start", default="{}")
    for name, value in (("count", 2000), ("each", 4), ("kills", 40), ("interruptions", 2), ("seed", 1)):
        parser.add_argument("--" + name, type=int, default=value)
    options = parser.parse_args()
    drivers = [f"CUDA_VISIBLE_DEVICES={gpu}" for gpu in range(options.gpus)] if options.gpus else [f"GLUOND_CUDA_LIBRARY={options.fake}"]
    commands = [f"exec env {driver} GLUOND_HIP_LIBRARY=/nowhere.so {options.runner}" for driver in drivers]
    runners = []
    for command in commands:
        quoted = shlex.quote(command) if "rayrunner" in options.start else "/bin/sh -c " + shlex.quote(command)
        runners += ["--runner", options.start.replace("{}", quoted)]
    generator = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "k.py").write_text(KERNEL)
        steps = ",".join(map(str, range(options.count // 2)))

        def start(*more, out):
            return subprocess.Popen([options.gluond, "bench", "k.py", "--kernel", "copy_x", "--vary", "BLOCK=128,256", "--vary", "STEP=" + steps, "--budget", "1",
                                     "--format", "json", *more], cwd=folder, stdout=open(out, "w"), stderr=subprocess.PIPE, text=True)

        def rows(process, out):
            errors = process.communicate()[1]
            try:
                return json.loads(Path(out).read_text())["rows"]
            except ValueError:
                sys.exit(f"gluond ended with {process.returncode}: {errors[-2000:]}")

        begun = time.time()
        plain = start("--runner", commands[0], out=f"{folder}/plain.json")
        undisturbed = stable(rows(plain, f"{folder}/plain.json"))
        print(f"undisturbed, one local runner: {len(undisturbed)} configurations in {time.time() - begun:.0f} s", flush=True)
        begun, killed, interrupted = time.time(), 0, 0
        disturbed = ("--journal", "journal.jsonl", *runners, "--runners-each", str(options.each), "--start-limit", "300")
        process, journal = start(*disturbed, out=f"{folder}/out.json"), Path(folder) / "journal.jsonl"
        while process.poll() is None:
            time.sleep(generator.uniform(0.1, 0.6))
            done = len(journal.read_text().splitlines()) - 1 if journal.exists() else 0
            if killed < options.kills and done > 0:
                victims = list(processes_of(options.runner))
                if victims:
                    os.kill(generator.choice(victims), signal.SIGKILL)
                    killed += 1
            if interrupted < options.interruptions and done > options.count * (interrupted + 1) // (options.interruptions + 2):
                process.kill()
                process.communicate()
                interrupted += 1
                process = start(*disturbed, out=f"{folder}/out.json")
        found = stable(rows(process, f"{folder}/out.json"))
        ids = [json.loads(line)["id"] for line in journal.read_text().splitlines()[1:]]
        print(f"{len(commands)} x {options.start}: {len(found)} configurations in {time.time() - begun:.0f} s; {killed} runners and {interrupted} times gluond killed; "
              f"{len(ids)} measurements of {len(set(ids))} configurations", flush=True)
        assert found == undisturbed, "the results differ"
        assert len(ids) == len(set(ids)) == options.count, "not each was measured once"
        print("complete, each measured once, equal to the undisturbed sweep")


main()
