#!/usr/bin/env python3
"""AMD records beside Triton: how many become a code object, and instructions by family.

    python3 bench/amd_records.py REC.launches.jsonl ... [--gluond build/bin/gluond] [--objdump llvm-objdump-22]
            [--triton FOLDER] [--oracle PYTHON ORACLE.PY] [--verbose]

Compiles every record for an AMD chip to a hsaco and disassembles it. What fails is listed by reason, the most frequent
first. With --triton (a folder of <id>.amdgcn) or --oracle (which makes them) it counts the instructions of both
compilers' assembly by family, registers and scratch. A loop that one compiler unrolls or peels counts more than once, so
the numbers are hints. Exits with 1 where a record that Triton compiles gives no code object. Needs no GPU."""
import argparse
import collections
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FAMILIES = {
    "matrix": r"v_(mfma|smfmac|wmma|swmmac)", "global load": r"(global|flat|buffer)_load", "global store": r"(global|flat|buffer)_store",
    "atomic": r"(global|flat|buffer)_atomic", "LDS load": r"ds_(read|load)", "LDS store": r"ds_(write|store)",
    "cross-lane": r"ds_(b?permute|swizzle)|v_(permlane|readlane|readfirstlane|writelane)|v_mov_b32_dpp", "conversion": r"v_cvt",
    "barrier": r"s_barrier", "wait": r"s_wait", "scratch": r"scratch_", "tensor": r"tensor_(load|store)", "branch": r"s_c?branch",
}


class Assembly:
    def __init__(self, text):
        self.counts = collections.Counter()
        for line in text.splitlines():
            line = line.strip()
            if line.startswith(".section"):
                break
            found = re.match(r"([a-z][a-z0-9_]+)(\s|$)", line)
            if not found or not re.match(r"(s|v|ds|global|flat|buffer|scratch|tensor|cluster)_", found[1]):
                continue
            self.counts["all"] += 1
            for family, pattern in FAMILIES.items():
                if re.match(pattern, found[1]) or (family == "cross-lane" and "row_" in line):
                    self.counts[family] += 1
        self.vgprs = int((re.findall(r"\.vgpr_count:\s*(\d+)", text) or [0])[-1])
        self.scratch = int((re.findall(r"\.private_segment_fixed_size:\s*(\d+)", text) or [0])[-1])


def emit(gluond, file, stage, folder):
    return subprocess.run([gluond, "emit", file, "--stage", stage, "-o", folder], capture_output=True, text=True).stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+")
    parser.add_argument("--gluond", default="build/bin/gluond")
    parser.add_argument("--objdump", default="llvm-objdump-22")
    parser.add_argument("--triton", help="a folder of Triton's assembly")
    parser.add_argument("--oracle", nargs=2, metavar=("PYTHON", "ORACLE.PY"), help="makes Triton's assembly")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    total, made, reasons, problems = collections.Counter(), collections.Counter(), collections.defaultdict(list), []
    sums, ratios, above, scratch = collections.defaultdict(lambda: [0, 0]), [], [], []
    for file in options.records:
        records = [r for r in map(json.loads, Path(file).read_text().splitlines()) if r["target"].startswith("hip:")]
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = Path(folder) / "gluond", Path(options.triton) if options.triton else Path(folder) / "triton"
            said = emit(options.gluond, file, "hsaco", ours)
            compares = options.triton or options.oracle
            if compares:
                emit(options.gluond, file, "amdgcn", ours)
            if options.oracle:
                subprocess.run([*options.oracle, "emit", file, "--stage", "amdgcn", "-o", theirs], capture_output=True)
            for record in records:
                name, target = record["id"], record["target"]
                reference = theirs / f"{name}.amdgcn"
                if (ours / f"{name}.error").exists() or (compares and not reference.exists()):
                    continue  # rejected
                total[target] += 1
                path = ours / f"{name}.hsaco"
                if not path.exists():
                    line = next((line for line in said.splitlines() if f" {name}: " in line), f": {name}: no message")
                    reasons[re.sub(r"\d+", "N", line.split(": ", 2)[-1])].append(name)
                    continue
                shown = subprocess.run([options.objdump, "-d", path], capture_output=True, text=True)
                if shown.returncode or "s_endpgm" not in shown.stdout:
                    problems.append(name)
                    continue
                made[target] += 1
                if not compares:
                    continue
                a, b = Assembly((ours / f"{name}.amdgcn").read_text()), Assembly(reference.read_text())
                ratios.append(max(a.counts["all"], 1) / max(b.counts["all"], 1))
                for family in ["all", *FAMILIES]:
                    sums[family][0] += a.counts[family]
                    sums[family][1] += b.counts[family]
                    if a.counts[family] > 1.1 * b.counts[family] + 2:
                        above.append((a.counts[family] / max(b.counts[family], 1), family, name))
                if a.scratch > b.scratch:
                    scratch.append(name)
    for target in sorted(total):
        print(f"{target}: {made[target]} of {total[target]} records give a code object")
    for reason, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{len(names):5}  {reason}" + (f" ({', '.join(names)})" if options.verbose else f" ({names[0]})"))
    for name in problems:
        print(f"       {options.objdump} does not read {name}")
    if ratios:
        print(f"instructions beside Triton's: geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f} of {len(ratios)}")
        print(f"{'':14}{'gluond':>9}{'Triton':>9}{'ratio':>8}{'records over 1.1':>18}")
        for family, (mine, yours) in sums.items():
            if mine or yours:
                over = sum(each[1] == family for each in above)
                print(f"{family:14}{mine:9}{yours:9}{mine / max(yours, 1):8.2f}{over:18}")
        print(f"scratch where Triton has none or less: {len(scratch)} {scratch[:5]}")
        for ratio, family, name in sorted(above, reverse=True)[: len(above) if options.verbose else 10]:
            print(f"  {ratio:7.2f} {family:12} {name}")
    return 1 if reasons or problems else 0


if __name__ == "__main__":
    sys.exit(main())
