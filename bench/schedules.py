"""Runs the launches of programs in the simulator under many schedules, and tells what is found: a kernel without mistakes has no findings under any of them.

    python3 bench/schedules.py GLUOND FILE.py... [--schedules 100] [--size 256] [--seconds 600] [--kernel NAME]

Tensors are made small: no dimension keeps more than SIZE elements unless a constexpr says how many it has, arguments that are the same number change
with it, and the grid shrinks as the largest tensor does. After SECONDS no further launch begins; those that are left are counted. Exits with 1 if anything is found.
"""
import argparse
import json
import math
import subprocess
import sys
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("gluond")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--schedules", type=int, default=100)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--kernel")
    return parser.parse_args()


def gluond(options, *command):
    return subprocess.run([options.gluond, *map(str, command)], capture_output=True, text=True)


def small(launch, size):
    """Options that make a launch small."""
    values = launch["run"]["values"]
    tensors = {name: value for name, value in values.items() if isinstance(value, dict) and value.get("shape")}
    fixed = {argument["value"] for argument in launch["args"] if argument["type"] == "constexpr" and isinstance(argument.get("value"), int)}
    cut = {extent for value in tensors.values() for extent in value["shape"] if extent > size} - fixed
    options, ratio, largest = [], 1.0, 0
    for name, value in tensors.items():
        shape = [size if extent in cut else extent for extent in value["shape"]]
        if shape != value["shape"]:
            options += ["--arg", f"{name}=:[{','.join(map(str, shape))}]"]
        if (elements := math.prod(value["shape"])) > largest:
            largest, ratio = elements, math.prod(shape) / elements
    # A stride that follows from an extent changes with it.
    options += [option for name, value in values.items() if isinstance(value, int) and value in cut for option in ("--arg", f"{name}={size}")]
    grid = launch["run"].get("grid")
    if grid and ratio < 1:
        axes = sum(extent > 1 for extent in grid) or 1
        options += ["--grid", ",".join(str(max(1, math.ceil(extent * ratio**(1 / axes)))) if extent > 1 else "1" for extent in grid)]
    return options


def main():
    options = arguments()
    until = time.monotonic() + options.seconds
    counts = {"clean": 0, "found": 0, "failed": 0, "left": 0}
    runs = 0
    for file in options.files:
        listed = gluond(options, "launches", file, "--format", "json")
        if listed.returncode:
            sys.exit(listed.stderr)
        for launch in json.loads(listed.stdout):
            if "run" not in launch or options.kernel not in (None, launch["kernel"]):
                continue
            if time.monotonic() > until:
                counts["left"] += 1
                continue
            start = time.monotonic()
            done = gluond(options, "run", file, "--kernel", launch["kernel"], "--launch", launch["id"], "--device", "cpu", "--format", "json", "--schedule",
                          f"explore:{options.schedules}", "--time-limit", max(1, math.ceil(until - start)), *small(launch, options.size))
            try:
                report = json.loads(done.stdout)
            except json.JSONDecodeError:
                report = {"problem": {"message": done.stderr.strip() or f"exit code {done.returncode}"}}
            findings, problem = report.get("findings", []), report.get("problem")
            if problem is None and not findings and report.get("schedules", 0) < options.schedules and time.monotonic() > until:
                counts["left"] += 1
                continue
            kind = "failed" if problem else "found" if findings else "clean"
            counts[kind] += 1
            runs += report.get("schedules", 0)
            print(f"{kind:6} {time.monotonic() - start:6.1f} s  {launch['id']}", flush=True)
            if problem:
                print(f"         {problem['message']}")
            for finding in findings:
                print(f"         {finding['file']}:{finding['range']['start']['line'] + 1}: {finding['message']} [{finding['code']}]")
    print(f"{runs} runs of {sum(counts.values()) - counts['left']} launches: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    sys.exit(1 if counts["found"] or counts["failed"] else 0)


if __name__ == "__main__":
    main()
