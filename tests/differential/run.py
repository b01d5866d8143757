#!/usr/bin/env python3
"""gluond beside Triton on random kernels: accepts or rejects, `source`, `ttgir`.

    python3 tests/differential/run.py [--seconds 60] [--seed 0] [--wrong 0.3] [--target cuda:90,hip:gfx950] [--keep]

Runs for a bounded time. Every difference is printed; with --keep it becomes a recorded case under tests/data/differential
(kernel, launch record and Triton's golden), where the ordinary tests find it. Exit code 1 when something differed,
77 where no Python has Triton 3.9.0 (scripts/peers.sh installs one)."""
import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "scripts/oracle"), str(ROOT / "tests/support"), str(HERE)]
import peers  # noqa: E402

peers.under_python_with(peers.TRITON, "Triton 3.9.0")
import generate  # noqa: E402
import record_goldens as oracle  # noqa: E402

BATCH = 25
TARGETS = ["cuda:90", "cuda:100", "hip:gfx950", "cuda:80", "hip:gfx942", "hip:gfx1250", "cuda:120", "hip:gfx1200", "cuda:75", "hip:gfx1100"]


def triton_says(record, folder):
    texts, error = oracle.isolated(record, folder, "ttgir")
    sys.modules.pop(Path(record["file"]).stem, None)
    return texts, error


def compare(record, theirs, error, out):
    """Why the two differ, or None."""
    name = record["id"]
    found = {stage: out / f"{name}.{stage}" for stage in ("source", "ttgir", "error")}
    for stage in ("source", "ttgir"):
        if stage not in theirs:
            if error and not found["error"].exists():
                return f"Triton rejects ({error['message'][:100]}), gluond does not"
            return None
        if not found[stage].exists():
            said = found["error"].read_text() if found["error"].exists() else "nothing"
            return f"Triton accepts, gluond gives no {stage}: {said[:300]}"
        ours = found[stage].read_text()
        if ours != theirs[stage]:
            pairs = zip(theirs[stage].splitlines() + [""], ours.splitlines() + [""])
            line, (a, b) = next(((i, p) for i, p in enumerate(pairs, 1) if p[0] != p[1]), (0, ("", "")))
            return f"{stage} differs at line {line}:\n    Triton: {a.strip()[:160]}\n    gluond: {b.strip()[:160]}"
    return None


def keep(record, folder):
    """Makes a difference a test: `scripts/oracle/record_goldens.py` refreshes it like all others."""
    home = ROOT / "tests/data/differential"
    home.mkdir(parents=True, exist_ok=True)
    shutil.copy(folder / record["file"], home)
    records = home / f"{record['id']}.launches.jsonl"
    records.write_text(json.dumps(record) + "\n")
    subprocess.run([sys.executable, str(ROOT / "scripts/oracle/record_goldens.py"), str(records)], check=True, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--wrong", type=float, default=0.15, help="chance of a mistake in each statement")
    parser.add_argument("--target", default=",".join(TARGETS), help="one or more, taken in turn")
    parser.add_argument("--gluond", default=str(ROOT / "build/bin/gluond"))
    parser.add_argument("--keep", action="store_true")
    arguments = parser.parse_args()
    oracle.load_triton()
    targets = arguments.target.split(",")
    end, seed, tried, rejected, differences = time.time() + arguments.seconds, arguments.seed, 0, 0, 0
    while time.time() < end:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            batch = []
            for _ in range(BATCH):
                target = targets[seed % len(targets)]
                text, record, mistake = generate.make(seed, arguments.wrong if seed % 3 == 0 else 0.0, target)
                (folder / record["file"]).write_text(text)
                batch.append((record, mistake))
                seed += 1
            records = folder / "batch.launches.jsonl"
            records.write_text("".join(json.dumps(record) + "\n" for record, _ in batch))
            for stage in ("source", "ttgir"):
                run = subprocess.run([arguments.gluond, "emit", str(records), "--stage", stage, "-o", str(folder / "ours")],
                                     capture_output=True, text=True)
                if run.returncode not in (0, 1):
                    print(f"gluond died ({run.returncode}) on seeds {seed - BATCH}..{seed - 1}: {run.stderr[-300:]}")
                    differences += 1
            for record, mistake in batch:
                theirs, error = triton_says(record, folder)
                tried += 1
                rejected += error is not None
                problem = compare(record, theirs, error, folder / "ours")
                if problem:
                    differences += 1
                    print(f"{record['id']} ({mistake or 'well-formed'}): {problem}")
                    if arguments.keep:
                        keep(record, folder)
                if time.time() > end:
                    break
    print(f"{tried} kernels ({rejected} rejected by Triton), {differences} differences, seeds {arguments.seed}..{seed - 1}")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
