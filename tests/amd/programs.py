#!/usr/bin/env python3
"""What gluond's code and Triton's do to the same memory, for the kernels of bench/amd: played, without a GPU (player.py).

    programs.py GLUOND [FILE ...] [--arch gfx942,gfx1250] [--kernel NAME,...] [--seconds 600]

Needs a Python with Triton 3.9 and numpy (scripts/peers.sh makes one), and llvm-objdump. Grids are cut to two programs an axis: what is
compared is the memory, not what a kernel is for. Sums of floats may differ by rounding. Exit code 1 where memory differs, or where
one compiler takes a kernel and the other does not."""
import argparse
import collections
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "tests/support")]
import peers  # noqa: E402

peers.under_python_with(peers.TRITON, "Triton 3.9.0")
sys.path[:0] = [str(HERE / "standin"), str(ROOT / "bench/amd")]
import beside  # noqa: E402
import numpy as np  # noqa: E402

ARCHITECTURES = ["gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250"]
WORDS = {"i8": np.int8, "u8": np.uint8, "i32": np.int32, "i64": np.int64}


class Catching:
    """In place of a kernel: keeps its launches."""

    def __init__(self, kernel):
        self.arg_names, self.launches = kernel.arg_names, []

    def __getitem__(self, grid):
        return lambda *arguments, **options: self.launches.append((grid, arguments))


def launches_of(file, arch):
    """By the kernel's name: (grid, arguments) of each launch, in order."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kernels = {name: Catching(each) for name, each in vars(module).items() if hasattr(each, "arg_names")}
    vars(module).update(kernels)
    module.cases(arch)
    return {name: each.launches for name, each in kernels.items()}


def records_of(file, arch, folder):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "python", HERE / "standin")))}
    out = folder / f"{file.stem}.launches.jsonl"
    done = subprocess.run([sys.executable, "-m", "gluond.record", "--target", f"hip:{arch}", "-o", out, file], env=environment, capture_output=True, text=True)
    if not out.exists():
        return [] if done.returncode == 0 else sys.exit(done.stderr)  # a file that launches nothing for the chip
    return [json.loads(line) for line in out.read_text().splitlines()]


def numbers(kernel, name, kind, count):
    """What a pointer's memory holds: what kernels take for places is in range, what they count with begins at 0."""
    rng = np.random.default_rng(3)
    if kind.startswith("fp8"):
        return (rng.integers(20, 90, count) | rng.integers(0, 2, count) << 7).astype(np.uint8)
    if kind == "bf16":
        return (rng.standard_normal(count).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if kind.startswith("fp"):
        real = rng.standard_normal(count)
        real = 1 + 0.1 * real if kind == "fp64" else np.abs(real) if name in ("s", "v", "rstd", "boxes", "var") else real
        return real.astype({"fp16": np.float16, "fp32": np.float32, "fp64": np.float64}[kind])
    words = WORDS[kind]
    if kind in ("i8", "u8"):
        return rng.integers(120, 132, count).astype(words) if name in ("s", "sa", "sb", "scales") else rng.integers(-90, 90, count).astype(np.int8).view(words)
    if name in ("locks", "lock") or (name, kernel) == ("flags", "lock_and_add"):
        return np.zeros(count, words)
    if name == "flags":
        return (rng.random(count) < 0.05).astype(words)
    if name in ("starts", "offs", "slots"):
        return (np.arange(count) * (5 if name != "slots" else 1)).astype(words)
    if name == "lens":
        return np.full(count, 100, words)
    if name == "tokens" or kernel == "tdm_rows":
        return (np.arange(count) // 64 * 64 + rng.permutation(64)[np.arange(count) % 64]).astype(words)
    return rng.integers(0, {"table": 8, "experts": 4}.get(name, 64), count).astype(words)


def fits(kind, a, b):
    """Whether the two are equal but for rounding."""
    if kind == "bf16":
        a, b = ((each.astype(np.uint32) << 16).view(np.float32) for each in (a, b))
    elif not kind.startswith("fp") or kind.startswith("fp8"):
        return np.array_equal(a, b)
    return np.allclose(a.astype(np.float64), b.astype(np.float64), rtol=1e-2, atol=1e-3, equal_nan=True)


def played(record, launch, codes):
    """What there is to say of one record."""
    grid, values = launch
    record = {**record, "grid": tuple(min(each, 2) for each in (*grid, 1, 1)[:3])}
    arrays, kinds, scalars = [], [], []
    for argument, value in zip(record["args"], values):
        kind = argument["type"]
        if kind.startswith("*"):
            kinds.append(kind[1:])
            arrays.append(numbers(record["kernel"], argument["name"], kinds[-1], value.numel()))
        elif kind != "constexpr":
            scalars.append(value)
    if (codes[0] is None) != (codes[1] is None):
        return f"wrong: only {'Triton' if codes[0] is None else 'gluond'} takes it"
    if codes[0] is None:
        return "refused by both"
    results = []
    for who, code in zip(("gluond's", "Triton's"), codes):
        try:
            results.append(beside.Launch(arrays).play(code, record, beside.threads_of(code), scalars)[0])
        except Exception as error:
            return f"not played ({who}): {type(error).__name__}: {error}"
    if all(np.array_equal(a.view(np.uint8), b.view(np.uint8)) for a, b in zip(*results)):
        return "equal"
    return "rounded" if all(fits(kind, a, b) for kind, a, b in zip(kinds, *results)) else "wrong: memory differs"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gluond")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--arch", default=",".join(ARCHITECTURES))
    parser.add_argument("--kernel")
    parser.add_argument("--seconds", type=float, default=1e9)
    options = parser.parse_intermixed_args()
    files = [each.resolve() for each in options.files] or sorted(each for each in (ROOT / "bench/amd").glob("*.py") if each.stem != "shared")
    chosen = options.kernel.split(",") if options.kernel else None
    end, totals = time.time() + options.seconds, collections.Counter()
    for arch in options.arch.split(","):
        for file in files:
            with tempfile.TemporaryDirectory() as temporary:
                folder = Path(temporary)
                records = [each for each in records_of(file, arch, folder) if not chosen or each["kernel"] in chosen]
                launches, seen = launches_of(file, arch), collections.Counter()
                for each in records:
                    each["file"] = str(file)
                ours, _ = beside.gluonds(os.path.abspath(options.gluond), folder, records)
                theirs, _ = beside.tritons(folder, records)
                for record in records:
                    if time.time() > end:
                        break
                    kernel = record["kernel"]
                    said = played(record, launches[kernel][int(record["id"].rsplit(".", 1)[-1])], [made.get(record["id"]) for made in (ours, theirs)])
                    totals[said.split(":")[0].split(" (")[0]] += 1
                    if said not in ("equal", "rounded"):
                        print(f"{record['id']}: {said}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in totals.most_common()))
    return 1 if totals["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
