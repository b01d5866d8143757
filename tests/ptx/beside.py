"""Plays the PTX of two compilers of the same launch records on the same memory, and says where they differ.

    beside.py PLAYER RECORDS.launches.jsonl OURS THEIRS [--late] [--size N] [--id PART] [--rounded]

OURS and THEIRS are folders with <id>.ptx, as `gluond emit --stage ptx -o FOLDER` writes them."""
import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from launches import Launch  # noqa: E402


def play(player, launch, modules, timeout=120):
    """The player's answer, or what it says against the modules."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "launch.json"
        file.write_text(json.dumps(launch))
        try:
            done = subprocess.run([player, str(file), *map(str, modules)], capture_output=True, text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return f"takes more than {timeout} s"
    if done.returncode in (0, 1):
        return json.loads(done.stdout)
    lines = done.stderr.strip().splitlines()
    return f"{done.returncode}: " + " | ".join(lines[-6:])


def verdict(answer):
    if isinstance(answer, str):
        return "not played", answer
    other = answer["played"][1]
    if other["memory"]:
        worst = max((float(each["largest"]) if each["largest"] not in ("nan", "-nan") else float("inf")) for each in other["memory"])
        return ("rounded otherwise" if worst < 1e-2 else "memory differs"), json.dumps(other["memory"])
    if other["tensorCores"]:
        return "products differ", other["tensorCores"]
    if not other["writtenPages"]:
        return "nothing written", ""
    return "same", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player")
    parser.add_argument("records")
    parser.add_argument("ours")
    parser.add_argument("theirs")
    parser.add_argument("--late", action="store_true")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--odd", type=int, default=77)
    parser.add_argument("--id", default="")
    parser.add_argument("--rounded", action="store_true", help="numbers of which sums are rounded: shows products that are fused otherwise")
    options = parser.parse_args()
    counts = collections.Counter()
    for line in Path(options.records).read_text().splitlines():
        record = json.loads(line)
        modules = [Path(folder) / f"{record['id']}.ptx" for folder in (options.theirs, options.ours)]
        if options.id not in record["id"]:
            continue
        if not all(module.exists() for module in modules):
            counts["no code"] += 1
            print(f"{record['id']}: no code of {' or '.join(str(module.parent) for module in modules if not module.exists())}")
            continue
        try:
            launch = Launch(record, options.size, options.odd, late=options.late).json()
        except NotImplementedError as error:
            counts["not played"] += 1
            print(f"{record['id']}: {error}")
            continue
        for region in launch["regions"]:
            region["rounded"] = options.rounded
        word, detail = verdict(play(options.player, launch, modules))
        counts[word] += 1
        if word != "same":
            print(f"{record['id']}: {word}: {detail[:700]}")
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    return 1 if set(counts) - {"same", "rounded otherwise"} else 0


if __name__ == "__main__":
    sys.exit(main())
