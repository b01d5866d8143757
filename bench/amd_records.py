#!/usr/bin/env python3
"""AMD records beside Triton: how many become a code object, and instructions by family.

    python3 bench/amd_records.py REC.launches.jsonl ... [--gluond build/bin/gluond] [--objdump llvm-objdump-22]
            [--triton FOLDER] [--oracle PYTHON ORACLE.PY] [--verbose]

Compiles every record for an AMD chip to a hsaco and disassembles it. What fails is listed by reason, the most frequent
first. With --triton (a folder of <id>.amdgcn) or --oracle (which makes them) it counts the instructions of both
compilers' assembly by family, registers and scratch. A loop that one compiler unrolls or peels counts more than once, so
the numbers are hints. Where a record has more than 1.1 of Triton's instructions of a family, the reason is printed if it is one of
docs/compiling.md's (REASONS below says when it is). Exits with 1 where a record that Triton compiles gives no code object, and where one compiler
alone rejects a record. Needs no GPU."""
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



def wait_kind(name, operands):
    """Which counts of Assembly.kinds a wait belongs to."""
    if name in ("s_wait_alu", "s_waitcnt_depctr"):
        return "hazard"
    if name == "s_wait_xcnt":
        return "address"
    numbers = [int(number, 0) for number in re.findall(r"\b(?:0x[0-9a-f]+|\d+)\b", re.split(r"//|;", operands)[0])]
    return "partial" if any(numbers) else "whole"


class Assembly:
    def __init__(self, text):
        self.counts, self.kinds = collections.Counter(), collections.Counter()
        for line in text.splitlines():
            line = line.strip()
            if line.startswith(".section"):
                break
            found = re.match(r"([a-z][a-z0-9_]+)(\s|$)", line)
            if not found or not re.match(r"(s|v|ds|global|flat|buffer|scratch|tensor|cluster)_", found[1]):
                continue
            self.counts["all"] += 1
            if found[1].startswith("s_wait"):
                self.kinds[wait_kind(found[1], line[len(found[1]):])] += 1
            self.kinds["through LDS"] += bool(re.match(r"ds_(b?permute|swizzle|read|load|write|store)", found[1]))
            self.kinds["mixed precision"] += bool(re.match(r"v_(fma|mad)_mix|v_perm_b32|v_cvt", found[1]))
            self.kinds["half"] += "_d16" in found[1]
            for family, pattern in FAMILIES.items():
                if re.match(pattern, found[1]) or (family == "cross-lane" and "row_" in line):
                    self.counts[family] += 1
        self.vgprs = int((re.findall(r"\.vgpr_count:\s*(\d+)", text) or [0])[-1])
        self.scratch = int((re.findall(r"\.private_segment_fixed_size:\s*(\d+)", text) or [0])[-1])


def exceeds(mine, yours):
    return mine > 1.1 * yours + 2


def less(a, b, *families):
    return sum(a.counts[f] for f in families) < sum(b.counts[f] for f in families)


# (families, when, why): docs/compiling.md has the same reasons in more words.
REASONS = [
    ({"wait"}, lambda a, b: not exceeds(a.kinds["whole"], b.kinds["whole"]) or not exceeds(a.kinds["whole"], a.kinds["partial"]) and
     a.counts["all"] <= b.counts["all"], "a use waits for the loads that it needs and leaves later ones in flight"),
    ({"wait"}, lambda a, b: not exceeds(a.kinds["whole"] + a.kinds["partial"], b.kinds["whole"] + b.kinds["partial"]),
     "LLVM 22 waits for registers that instructions still read or write (hazards, addresses)"),
    ({"wait"}, lambda a, b: a.kinds["half"] > a.kinds["whole"] / 2, "the second half of a register is loaded after the first"),
    ({"wait"}, lambda a, b: a.vgprs < b.vgprs, "operands are loaded when they are used, for fewer registers"),
    ({"LDS load", "LDS store"}, lambda a, b: less(a, b, "barrier", "cross-lane"), "fewer barriers and exchanges of lanes"),
    ({"LDS load", "LDS store"}, lambda a, b: a.kinds["through LDS"] <= b.kinds["through LDS"],
     "Triton moves values by ds_bpermute and ds_swizzle, which LDS executes, too"),
    ({"LDS load", "LDS store"}, lambda a, b: less(a, b, "LDS load") or a.counts["all"] <= 1.02 * b.counts["all"],
     "elements are stored one by one, so that loads are whole words"),
    ({"conversion"}, lambda a, b: not exceeds(a.kinds["mixed precision"], b.kinds["mixed precision"]) or a.counts["all"] <= b.counts["all"] or a.vgprs < b.vgprs,
     "the chip's conversions, where Triton mixes precisions or computes with integers"),
]


def reason(family, mine, yours):
    return next((why for families, holds, why in REASONS if family in families and holds(mine, yours)), "")


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
    alone, registers = collections.defaultdict(list), []
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
                rejects, without = (ours / f"{name}.error").exists(), compares and not reference.exists()
                if rejects or without:
                    if compares and rejects != without:
                        alone["gluond rejects it" if rejects else "Triton rejects it" if (theirs / f"{name}.error").exists() else "Triton says nothing of it"].append(name)
                    continue
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
                    if exceeds(a.counts[family], b.counts[family]):
                        above.append((a.counts[family] / max(b.counts[family], 1), family, name, reason(family, a, b)))
                if a.scratch > b.scratch:
                    scratch.append(name)
                if a.vgprs > b.vgprs:
                    registers.append(f"{name} {a.vgprs}:{b.vgprs}")
    for target in sorted(total):
        print(f"{target}: {made[target]} of {total[target]} records give a code object")
    for line, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{len(names):5}  {line}" + (f" ({', '.join(names)})" if options.verbose else f" ({names[0]})"))
    for name in problems:
        print(f"       {options.objdump} does not read {name}")
    for what, names in sorted(alone.items()):
        print(f"only one compiler takes it, {what}: {len(names)} ({', '.join(names if options.verbose else names[:3])})")
    if ratios:
        print(f"instructions beside Triton's: geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f} of {len(ratios)}")
        print(f"{'':14}{'gluond':>9}{'Triton':>9}{'ratio':>8}{'records over 1.1':>18}")
        for family, (mine, yours) in sums.items():
            if mine or yours:
                over = sum(each[1] == family for each in above)
                print(f"{family:14}{mine:9}{yours:9}{mine / max(yours, 1):8.2f}{over:18}")
        print(f"more vector registers than Triton: {len(registers)} of {len(ratios)} {registers if options.verbose else registers[:3]}")
        print(f"scratch where Triton has none or less: {len(scratch)} {scratch[:5]}")
        for (family, why), count in collections.Counter((each[1], each[3]) for each in above).most_common():
            print(f"  {count:4} over 1.1, {family}: {why or 'no reason known'}")
        for ratio, family, name, why in sorted(above, reverse=True)[: len(above) if options.verbose else 10]:
            print(f"  {ratio:7.2f} {family:12} {name}: {why or 'no reason known'}")
    return 1 if reasons or problems or alone["gluond rejects it"] or alone["Triton rejects it"] else 0


if __name__ == "__main__":
    sys.exit(main())
