#!/usr/bin/env python3
"""The frontend beside Triton's, per specialization, on the same records in one run.

    .cache/oracle/bin/python bench/frontend.py REC.launches.jsonl ... [--gluond build/bin/gluond] [--repeat 5]

For every record: the time Triton 3.9.0's `make_ir` takes (in this process, warm, best of --repeat) against what
`gluond emit --timings` says the same specialization cost (best of --repeat fresh processes); then the geometric mean of
the ratios. Parsing and module evaluation are per file in both and are shown apart. The last lines compare gluond's
`total_ms`, and the sum of its parts, with the wall time of the process as this program sees it. Needs `pip install triton==3.9.0` (scripts/oracle/record_goldens.py)."""
import argparse
import contextlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts/oracle"))
import record_goldens as oracle  # noqa: E402


@contextlib.contextmanager
def quiet():
    """Without what MLIR prints of the records that Triton rejects."""
    sys.stderr.flush()
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def triton_ms(record, folder, repeat):
    """Best time of make_ir alone: contexts, options and signatures are made outside the clock."""
    target = oracle.gpu_target(record["target"])
    oracle.driver.set_active(oracle.NoDriver(target))
    try:
        module = oracle.load_file(folder / record["file"], record.get("module"))
    except Exception as error:  # made for another chip, for instance
        print(f"  {record['id']}: Triton cannot load the file: {error}")
        return None
    values = oracle.Values(folder, module)
    fn = oracle.kernel_of(record, module)
    signature, constants, attrs = oracle.signature_of(record, fn, values)
    backend = oracle.make_backend(target)
    options = backend.parse_options({name: values(value) for name, value in record["options"].items()})
    best = math.inf
    for _ in range(repeat):
        context = oracle.ir.context()
        oracle.ir.load_dialects(context)
        backend.load_dialects(context)
        functions, modules = backend.get_codegen_implementation(options), backend.get_module_map()
        source = oracle.GluonASTSource(fn, signature, constants, attrs)
        start = time.perf_counter()
        try:
            source.make_ir(target, options, functions, modules, context)
        except Exception:
            return None  # rejected: its time is that of an error message
        best = min(best, (time.perf_counter() - start) * 1e3)
    return best


def gluond_ms(gluond, file, repeat):
    cases, files, walls = {}, {}, []
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as out:
            start = time.perf_counter()
            run = subprocess.run([gluond, "emit", str(file), "--stage", "source", "-o", out, "--timings"],
                                 capture_output=True, text=True)
            wall = (time.perf_counter() - start) * 1e3
        said = json.loads(run.stdout)
        parts = sum(said["other_ms"].values()) + sum(sum(x["ms"].values()) for x in said["files"] + said["cases"])
        walls.append((wall, said["total_ms"], parts))
        for case in said["cases"]:
            ms = case["ms"].get("source")
            if ms is not None:
                cases[case["id"]] = min(ms, cases.get(case["id"], math.inf))
        for entry in said["files"]:
            for step, ms in entry["ms"].items():
                key = (entry["file"], step)
                files[key] = min(ms, files.get(key, math.inf))
    return cases, files, min(walls)


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--gluond", default="build/bin/gluond")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--verbose", action="store_true", help="a line for every record")
    arguments = parser.parse_args()
    oracle.load_triton()
    ratios, ours_all, theirs_all, parse, walls = [], [], [], {}, []
    for file in arguments.records:
        ours, files, wall = gluond_ms(arguments.gluond, file, arguments.repeat)
        walls.append((file.name, *wall))
        parse.update(files)
        here = []
        for line in file.read_text().splitlines():
            record = json.loads(line) if line.strip() else None
            if record is None or record["id"] not in ours:
                continue
            with quiet():
                theirs = triton_ms(record, file.parent, arguments.repeat)
            if theirs is None:
                continue
            ratio = theirs / max(ours[record["id"]], 1e-4)
            here.append(ratio)
            ours_all.append(ours[record["id"]])
            theirs_all.append(theirs)
            if arguments.verbose:
                print(f"  {record['id']:70} {theirs:9.3f} ms {ours[record['id']]:9.4f} ms {ratio:7.0f}x")
        if here:
            print(f"{file.name:48} {len(here):4} records {geomean(here):7.0f}x (worst {min(here):.0f}x)")
        ratios += here
    print(f"{'all':48} {len(ratios):4} records {geomean(ratios):7.0f}x (worst {min(ratios):.0f}x)")
    print(f"Triton {sum(theirs_all):.1f} ms, gluond {sum(ours_all):.2f} ms in all")
    for (name, step), ms in sorted(parse.items()):
        print(f"per file: {name} {step} {ms:.2f} ms")
    for name, wall, total, parts in walls:
        print(f"process: {name} wall {wall:.1f} ms, total_ms {total:.1f} ({total / wall:.0%}), its parts {parts:.1f} ({parts / wall:.0%})")


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    oracle.os._exit(0)  # Triton's bindings report leaks at an ordinary exit
