#!/usr/bin/env python3
"""What a release weighs and how fast it starts: the figures of docs/contributing/releases.md.

    scripts/release-figures.py [dist]

Prints the size of each file of a release; of the wheel's programs the size, unpacked and packed; and for the installed programs the CPU time, the wall time and the memory of
`gluond --version` (the best of 20) and of `gluond check` of the samples. Needs Linux, Python 3.9 and nothing else.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
TURNS = 20


def run(*command):
    """CPU and wall time in ms, and the largest memory in MB, of a process."""
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "GLUOND_CACHE_DIR": "off"})
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begin
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        raise SystemExit(f"{command[0]} ended with {child.returncode}")
    return 1e3 * (used.ru_utime + used.ru_stime), 1e3 * wall, used.ru_maxrss / 1024


def line(what, *command, turns=TURNS):
    runs = [run(*command) for _ in range(turns)]
    cpu, wall, memory = (min(each[i] for each in runs) for i in range(3))
    print(f"{what:<28} {cpu:8.1f} ms of CPU {wall:8.1f} ms {memory:8.1f} MB")


def main():
    dist = Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / "dist"
    files = sorted(each for each in dist.iterdir() if each.is_file()) if dist.is_dir() else []
    wheel = next((each for each in files if each.name.endswith(f"_{os.uname().machine}.whl")), None)
    if not wheel:
        raise SystemExit(f"{dist} has no wheel for this machine: scripts/release.sh or scripts/wheel.py makes one")
    for each in files:
        print(f"{each.stat().st_size / 1e6:8.1f} MB  {each.name}")
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as archive:
        for each in archive.infolist():
            if "/scripts/" in each.filename:
                print(f"{each.file_size / 1e6:8.1f} MB  {each.compress_size / 1e6:.1f} MB packed: {each.filename.rpartition('/')[2]}")
                program = Path(folder) / each.filename.rpartition("/")[2]
                # In parts: a child's memory is counted from the fork on, and must not be this process's.
                with archive.open(each) as packed, program.open("wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked)
                program.chmod(0o755)
        gluond = str(Path(folder) / "gluond")
        line("gluond --version", gluond, "--version")
        line("gluond check samples", gluond, "check", str(TOP / "samples"), turns=3)


if __name__ == "__main__":
    main()
