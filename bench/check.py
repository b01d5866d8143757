#!/usr/bin/env python3
"""`gluond check` of a cold file with all its launches, process start included, beside a Triton process doing the same.

    .cache/oracle/bin/python bench/check.py FILE.py REC.launches.jsonl [--gluond build/bin/gluond] [--repeat 10]

Triton's side imports Triton, evaluates the file and runs `make_ir` and the `ttgir` pipeline for every record: what it
takes to learn of every mistake in it. Medians of whole processes, interleaved."""
import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

TRITON = """
import sys, json
from pathlib import Path
sys.path.insert(0, {scripts!r})
import record_goldens as oracle
oracle.load_triton()
file = Path({records!r})
for line in file.read_text().splitlines():
    if line.strip():
        oracle.stages_of(json.loads(line), file.parent, "ttgir")
"""


def timed(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("records", type=Path)
    parser.add_argument("--gluond", default="build/bin/gluond")
    parser.add_argument("--repeat", type=int, default=10)
    arguments = parser.parse_args()
    scripts = str(Path(__file__).resolve().parent.parent / "scripts/oracle")
    theirs = [sys.executable, "-c", TRITON.format(scripts=scripts, records=str(arguments.records))]
    target = json.loads(arguments.records.read_text().splitlines()[0])["target"]
    ours = [arguments.gluond, "check", str(arguments.file), "--target", target, "--launches", str(arguments.records)]
    times = {"gluond": [], "Triton": []}
    for _ in range(arguments.repeat):
        times["gluond"].append(timed(ours))
        times["Triton"].append(timed(theirs))
    mine, other = (statistics.median(times[name]) for name in ("gluond", "Triton"))
    print(f"{arguments.file.name}: gluond {mine:.1f} ms, Triton {other:.0f} ms, {other / mine:.0f}x")


if __name__ == "__main__":
    main()
