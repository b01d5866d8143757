#!/usr/bin/env python3
"""gluond's PTX and machine code beside Triton's, by family of instructions, registers and spills; needs no GPU.

    .cache/oracle/bin/python bench/families.py REC.launches.jsonl ... [--gluond build/bin/gluond] [--triton FOLDER]
            [--oracle ../shared/oracle/oracle.py] [--ptxas ptxas] [--nvdisasm nvdisasm] [--above 1.1] [--no-machine-code]

Compiles every record for cuda:80, cuda:90 and cuda:100 with gluond and with Triton (FOLDER keeps Triton's PTX between runs), counts each
family in the text and within its loops, and assembles both with the same ptxas. Prints the families in which a record has more than
--above times Triton's count (and two instructions more), then a table of all records by family.

Counts are of the text: a loop that only one of the compilers unrolls counts differently."""
import argparse
import collections
import concurrent.futures
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The patterns of each family's instructions. An access counts all of its instructions, so that narrower ones show as more.
PTX = {
    "barrier": r"bar\.|barrier\.(sync|cta|cluster)", "warp barrier": r"bar\.warp", "mbarrier": r"mbarrier\.", "fence": r"fence\.|membar",
    "global load": r"ld\.(global|volatile|relaxed|acquire)", "global store": r"st\.(global|relaxed|release)",
    "async copy": r"cp\.async", "atomic": r"(atom|red)\.", "shared load": r"ld\.shared|ldmatrix", "shared store": r"st\.shared|stmatrix",
    "shuffle": r"shfl|redux", "matrix": r"(wg)?mma\.", "float conversion": r"cvt\.\S*\.?(f|bf|e4m3|e5m2)\d*", "special": r"(ex2|lg2|rcp|rsqrt|sqrt|sin|cos|tanh|div)\.",
    "float": r"(add|sub|mul|fma|min|max|neg|abs)\.\S*f(16|32|64)", "integer 64": r"(add|sub|mul|mad|shl|shr|and|or|xor)\.\S*[subh]64|(mul|mad)\.wide|cvt\.[su]64",
    "integer": r"(add|sub|mul|mad|shl|shr|and|or|xor|lop3|bfe|bfi|prmt)\.\S*[sub](16|32)\b", "predicate": r"setp\.|selp\.|(and|or|xor|not)\.pred", "branch": r"bra\b",
}
SASS = {
    "barrier": r"BAR\.", "global load": r"LDG", "global store": r"STG", "async copy": r"LDGSTS", "atomic": r"ATOM|RED\.", "shared load": r"LDS|LDSM", "shared store": r"STS|STSM",
    "shuffle": r"SHFL|REDUX", "matrix": r"(H|I|Q|D)(G)?MMA", "float conversion": r"F2F|F2FP|HADD2\.F32", "special": r"MUFU", "float": r"F(ADD|MUL|FMA|SETP|MNMX|SEL)|H(ADD|MUL|FMA)2",
    "integer": r"(U?I(ADD|MAD|LEA|MNMX|SETP)|U?LOP3|U?LEA|U?SHF|U?PRMT|U?SEL|U?IADD3)", "move": r"U?MOV|R2UR|S2R", "local": r"LDL|STL", "branch": r"BRA|BSSY|BSYNC", "all": r"(?!NOP|BRA `)",
}
INSTRUCTION = re.compile(r"^\s*(?:@!?%p\d+\s+)?([a-z][a-zA-Z0-9_.:]*)[\s;]")
MACHINE = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)([^;]*);")


def count(names, families):
    counts = collections.Counter()
    for name in names:
        for family, pattern in families.items():
            if re.match(pattern, name):
                counts[family] += 1
    return counts


def ptx_families(text):
    """Counts of the whole text, and of what lies between a label and a later branch back to it."""
    rows, labels, loops = [], {}, []
    for line in text.splitlines():
        line = line.split("//")[0]
        label = re.match(r"\s*(\$\w+):", line)
        if label:
            labels[label[1]] = len(rows)
        for part in re.split(r"(?<=;)", line):
            found = INSTRUCTION.match(part.replace("{", " "))
            if not found or found[1].startswith("."):
                continue
            back = re.search(r"bra(?:\.uni)?\s+(\$\w+)", part)
            if back and back[1] in labels:
                loops.append((labels[back[1]], len(rows)))
            rows.append(found[1])
    inside = [name for i, name in enumerate(rows) if any(a <= i <= b for a, b in loops)]
    return count(rows, PTX), count(inside, PTX)


def machine(ptx, options, folder):
    """Registers, spilled bytes, and the families of the whole machine code and of its loops."""
    text = ptx.read_text()
    chip = re.search(r"\.target (\w+)", text)[1]
    text = re.sub(r"\.version 9\.\d", ".version 9.0", text)
    source, cubin = Path(folder) / f"{ptx.stem}.{ptx.parent.name}.ptx", Path(folder) / f"{ptx.stem}.{ptx.parent.name}.cubin"
    source.write_text(text)
    done = subprocess.run([options.ptxas, "-v", f"-arch={chip}", "-o", cubin, source], capture_output=True, text=True)
    if done.returncode:
        return {"error": done.stderr.splitlines()[0]}
    registers = max(map(int, re.findall(r"Used (\d+) registers", done.stderr)), default=0)
    spills = sum(map(int, re.findall(r"(\d+) bytes spill", done.stderr)))
    loops = []
    listing = subprocess.run([options.nvdisasm, "-c", cubin], capture_output=True, text=True).stdout
    labels, here = {}, []
    for line in listing.splitlines():
        label = re.match(r"(\.L\w+):", line)
        if label:
            labels[label[1]] = len(here)
        found = MACHINE.search(line)
        if found:
            back = re.search(r"`\((\.L\w+)\)", line)
            if back and found[2].startswith("BRA") and back[1] in labels and labels[back[1]] < len(here):
                loops.append((labels[back[1]], len(here)))
            here.append(found[2])
    return {"registers": registers, "spills": spills, "serialized": "wgmma" in done.stderr and "serialized" in done.stderr, "whole": count(here, SASS),
            "loops": count([n for i, n in enumerate(here) if any(a <= i <= b for a, b in loops)], SASS)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--gluond", default="build/bin/gluond")
    parser.add_argument("--triton", type=Path, help="where Triton's PTX is kept")
    parser.add_argument("--oracle", default="../shared/oracle/oracle.py")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--nvdisasm", default="nvdisasm")
    parser.add_argument("--above", type=float, default=1.1)
    parser.add_argument("--only", default="")
    parser.add_argument("--no-machine-code", action="store_true")
    options = parser.parse_args()
    over, totals, ratios, registers, spills, serialized, records = [], collections.defaultdict(lambda: [0, 0]), collections.defaultdict(list), [], [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        for file in options.records:
            ours, theirs = Path(folder) / "gluond" / file.stem, options.triton or Path(folder) / "triton"
            subprocess.run([options.gluond, "emit", file, "--stage", "ptx", "-o", ours], capture_output=True)
            ids = [r["id"] for r in map(json.loads, file.read_text().splitlines()) if r["target"] in ("cuda:80", "cuda:90", "cuda:100")]
            missing = [i for i in ids if not (theirs / f"{i}.ptx").exists() and not (theirs / f"{i}.error").exists()]
            if missing:
                subprocess.run([sys.executable, options.oracle, "emit", file, "--stage", "ptx", "-o", theirs], capture_output=True)
            pairs = [(i, ours / f"{i}.ptx", theirs / f"{i}.ptx") for i in ids if options.only in i and (theirs / f"{i}.ptx").exists()]
            for name, own, _ in pairs:
                if not own.exists():
                    print(f"{name}: gluond makes no PTX")
            pairs = [pair for pair in pairs if pair[1].exists()]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                codes = {} if options.no_machine_code else dict(zip(
                    [path for pair in pairs for path in pair[1:]], pool.map(lambda path: machine(path, options, folder), [path for pair in pairs for path in pair[1:]])))
            for name, own, other in pairs:
                records += 1
                parts = dict(zip(("ptx", "ptx loops"), zip(ptx_families(own.read_text()), ptx_families(other.read_text()))))
                if codes:
                    a, b = codes[own], codes[other]
                    if "error" in a or "error" in b:
                        print(f"{name}: {a.get('error', '')} {b.get('error', '')}")
                        continue
                    parts.update({"sass": (a["whole"], b["whole"]), "sass loops": (a["loops"], b["loops"])})
                    registers.append((a["registers"], b["registers"], name))
                    if a["spills"] or b["spills"]:
                        spills.append((a["spills"], b["spills"], name))
                    if a["serialized"] and not b["serialized"]:
                        serialized.append(name)
                for part, (mine, yours) in parts.items():
                    for family in {**PTX, **SASS}:
                        x, y = mine[family], yours[family]
                        if not x and not y:
                            continue
                        totals[part, family][0] += x
                        totals[part, family][1] += y
                        ratios[part, family].append((x + 1) / (y + 1))
                        if x > options.above * y and x > y + 1:
                            over.append((part, family, x, y, name))
    for part, family, x, y, name in sorted(over, key=lambda row: (row[0], row[1], -(row[2] + 1) / (row[3] + 1))):
        print(f"{part:10} {family:16} {x:6} {y:6} {name}")
    print(f"\n{records} records" + f"{'':21}gluond  Triton   geomean  records above")
    for (part, family), (x, y) in sorted(totals.items()):
        many = sum(row[:2] == (part, family) for row in over)
        mean = math.exp(sum(map(math.log, ratios[part, family])) / len(ratios[part, family]))
        print(f"{part:10} {family:16} {x:8} {y:8} {mean:8.3f} {many:8}")
    if registers:
        more = [row for row in registers if row[0] > row[1] * 1.05]
        print(f"registers: {sum(r[0] for r in registers)} and {sum(r[1] for r in registers)} in all, more in {len(more)}: "
              + ", ".join(f"{name} {a}/{b}" for a, b, name in sorted(more, key=lambda r: r[1] / r[0])[:12]))
        print("spilled bytes: " + (", ".join(f"{name} {a}/{b}" for a, b, name in spills) or "none"))
        print("products that ptxas serializes in gluond's code alone: " + (", ".join(serialized) or "none"))


if __name__ == "__main__":
    main()
