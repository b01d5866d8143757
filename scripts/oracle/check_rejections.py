#!/usr/bin/env python3
"""Asks Triton about the kernels of tests/data/diagnostics: whatever carries `# error:` must be refused, and nothing else.

    scripts/oracle/check_rejections.py [FILE.py ...] [--gluond build/bin/gluond]

Needs Triton 3.9.0 and its oracle (../shared/oracle); says so and succeeds where they are missing. A kernel counts as refused
when Triton refuses it at stage source or ttgir, for any of its mistakes: Triton stops at the first one.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ORACLE = ROOT.parent / "shared/oracle/oracle.py"
PYTHON = Path("/opt/oracle/bin/python")


def annotated(text: str) -> set[int]:
    """The 1-based lines that carry an error."""
    return {i for i, line in enumerate(text.splitlines(), 1) if "# error: [" in line}


def functions(text: str) -> list[tuple[str, int, int]]:
    """Top-level functions: name, first and last line."""
    lines = text.splitlines()
    starts = [(m.group(1), i) for i, line in enumerate(lines, 1) if (m := re.match(r"def (\w+)\(", line))]
    ends = [line for _, line in starts[1:]] + [len(lines) + 1]
    return [(name, first, last - 1) for (name, first), last in zip(starts, ends)]


def check(path: Path, gluond: str, folder: Path) -> list[str]:
    text = path.read_text()
    records = subprocess.run([gluond, "launches", path, "--format", "jsonl"], capture_output=True, text=True, check=True).stdout
    (folder / path.name).write_text(text)
    lines = [json.dumps({**json.loads(line), "file": path.name}) for line in records.splitlines() if line.strip()]
    (folder / "r.launches.jsonl").write_text("\n".join(lines) + "\n")
    out = folder / "out"
    subprocess.run([PYTHON, ORACLE, "emit", folder / "r.launches.jsonl", "--stage", "ttgir", "-o", out], capture_output=True)
    errors = annotated(text)
    calls = {name: set(re.findall(r"(\w+)\(", "\n".join(text.splitlines()[first - 1:last])))
             for name, first, last in functions(text)}
    places = {name: (first, last) for name, first, last in functions(text)}

    def expects(name: str, seen: frozenset = frozenset()) -> bool:
        first, last = places[name]
        return any(first <= line <= last for line in errors) or any(
            expects(callee, seen | {name}) for callee in calls[name] if callee in places and callee not in seen | {name})

    problems = []
    for line in lines:
        record = json.loads(line)
        refused = (out / (record["id"] + ".error")).exists()
        if refused != expects(record["kernel"]):
            problems.append(f"{path.name}: Triton {'refuses' if refused else 'accepts'} {record['kernel']}")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--gluond", default=str(ROOT / "build/bin/gluond"))
    options = parser.parse_args()
    if not ORACLE.exists() or not PYTHON.exists():
        print(f"skipped: {ORACLE} or {PYTHON} is missing")
        return 0
    problems = []
    for path in options.files or sorted((ROOT / "tests/data/diagnostics").glob("*.py")):
        with tempfile.TemporaryDirectory() as folder:
            problems += check(path, options.gluond, Path(folder))
    print("\n".join(problems) or "Triton agrees")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
