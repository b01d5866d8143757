#!/usr/bin/env python3
"""Instructions of gluond's PTX beside Triton's, record by record, and whether ptxas takes it.

    python3 bench/instructions.py REC.launches.jsonl ... [--target cuda:100] [--gluond build/bin/gluond]
            [--triton FOLDER] [--oracle PYTHON ORACLE.PY] [--ptxas PROGRAM] [--verbose]

Compiles every record for the target with gluond and tells how many made PTX, and of these how many the assembler takes for
the chip. With --triton (a folder of <id>.ptx) or --oracle (which makes them) it compares with Triton's: for matrix
instructions of tcgen05 the names, the instruction words and the constant parts of the descriptors; for the other
families the number of instructions in the text. A loop that one compiler unrolls or peels counts more than once,
so these numbers are hints. Exits with 1 where PTX is missing or refused. Needs no GPU."""
import argparse
import collections
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FAMILIES = {
    "tensor memory": r"tcgen05\.(ld|st|cp)\b", "commit": r"tcgen05\.commit", "barrier": r"bar\.|barrier\.(sync|cta)",
    "cluster barrier": r"barrier\.cluster", "mbarrier": r"mbarrier\.", "bulk copy": r"cp\.(reduce\.)?async\.bulk", "fence": r"fence\.",
    "shared load": r"ld\.shared|ldmatrix", "shared store": r"st\.shared|stmatrix", "global load": r"ld\.global",
    "global store": r"st\.global", "shuffle": r"shfl", "conversion": r"cvt\.r", "packed": r"(add|sub|mul|fma|min|max)\S*x2\b",
    "launch control": r"clusterlaunchcontrol",
}
INSTRUCTION = re.compile(r"\s*(?:@!?%p\d+\s+)?([a-z][a-zA-Z0-9_.:]*)\s*([^;]*);")


class Ptx:
    """The instructions of a text, and the constants that its registers hold."""

    def __init__(self, text):
        self.instructions, self.made_by = [], {}
        for line in text.splitlines():
            found = INSTRUCTION.match(line)
            if not found:
                continue
            name, operands = found[1], found[2]
            self.instructions.append((name, operands))
            result = re.match(r"(%[a-z]+\d+)(?:\|%p\d+)?, (.*)", operands)
            if result:
                self.made_by[result[1]] = name, re.findall(r"%[a-z]+\d+|-?\d+", result[2])

    def constant(self, operand, depth=40):
        """What is added to or combined with an unknown value, and whether there is one."""
        if not operand.startswith("%"):
            return int(operand), False
        name, operands = self.made_by.get(operand, ("", []))
        if depth and re.match(r"mov\.", name) and len(operands) == 1:
            return self.constant(operands[0], depth - 1)
        if depth and re.match(r"(add|or)\.", name):
            parts = [self.constant(each, depth - 1) for each in operands]
            if sum(unknown for _, unknown in parts) < 2:
                return sum(value for value, _ in parts), any(unknown for _, unknown in parts)
        return 0, True

    def matrix_instructions(self):
        """Name, cells, instruction word and descriptors: their upper words, and the strides of the lower ones."""
        for name, operands in self.instructions:
            if not name.startswith("tcgen05.mma"):
                continue
            row = [name]
            for number, operand in enumerate(re.findall(r"\[[^\]]*\]|%[a-z]+\d+", operands)):
                if operand.startswith("["):
                    offset = re.search(r"\+\s*(-?\d+)", operand)
                    row.append(f"[{offset[1] if offset else 0}]" if number < 2 else "[scale]")
                elif operand.startswith("%rd"):
                    _, words = self.made_by.get(operand, ("", []))
                    row.append("/".join(f"{self.constant(word)[0] & 0xffffffff >> shift << shift:x}"
                                        for word, shift in zip(words, (16, 0))))
                elif operand.startswith("%r"):
                    row.append(f"{self.constant(operand)[0] & 0xffffffff:x}")
            yield " ".join(row)

    def families(self):
        counts = collections.Counter()
        for name, _ in self.instructions:
            for family, pattern in FAMILIES.items():
                if re.match(pattern, name):
                    counts[family] += 1
        return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+")
    parser.add_argument("--target", default="cuda:100")
    parser.add_argument("--gluond", default="build/bin/gluond")
    parser.add_argument("--triton", help="a folder of Triton's PTX")
    parser.add_argument("--oracle", nargs=2, metavar=("PYTHON", "ORACLE.PY"), help="makes Triton's PTX")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    missing, refused, same, other = [], [], 0, []
    total = assembled = 0
    families = collections.defaultdict(lambda: [0, 0, 0, 0])  # ours, Triton's, records with more, with fewer
    for file in options.records:
        wanted = [r["id"] for r in map(json.loads, Path(file).read_text().splitlines()) if r["target"] == options.target]
        if not wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            ours = Path(folder) / "gluond"
            said = subprocess.run([options.gluond, "emit", file, "--stage", "ptx", "-o", ours], capture_output=True, text=True).stderr
            theirs = Path(options.triton) if options.triton else Path(folder) / "triton"
            if options.oracle:
                subprocess.run([*options.oracle, "emit", file, "--stage", "ptx", "-o", theirs], capture_output=True)
            for name in wanted:
                reference = theirs / f"{name}.ptx"
                if (options.triton or options.oracle) and not reference.exists():
                    continue  # Triton rejects it
                total += 1
                path = ours / f"{name}.ptx"
                if not path.exists():
                    missing.append(next((line for line in said.splitlines() if f" {name}: " in line), name))
                    continue
                text = path.read_text()
                chip = re.search(r"\.target (\w+)", text)[1]
                done = subprocess.run([options.ptxas, f"-arch={chip}", "-o", "/dev/null", path], capture_output=True, text=True)
                assembled += done.returncode == 0
                if done.returncode:
                    refused.append(f"{name}: {done.stderr.splitlines()[0]}")
                if not reference.exists():
                    continue
                a, b = Ptx(text), Ptx(reference.read_text())
                if set(a.matrix_instructions()) == set(b.matrix_instructions()):
                    same += 1
                else:
                    other.append(name)
                mine, yours = a.families(), b.families()
                for family in FAMILIES:
                    row = families[family]
                    row[0] += mine[family]
                    row[1] += yours[family]
                    row[2] += mine[family] > yours[family]
                    row[3] += mine[family] < yours[family]
    print(f"{total} records for {options.target}: {total - len(missing)} made PTX, ptxas takes {assembled}")
    for line in missing + refused:
        print("  " + line)
    if families:
        print(f"the same matrix instructions, words and descriptors: {same}; others: {len(other)}")
        for name in other if options.verbose else other[:10]:
            print("  " + name)
        print(f"{'':16}{'gluond':>9}{'Triton':>9}{'more in':>9}{'fewer in':>9}")
        for family, row in families.items():
            if any(row):
                print(f"{family:16}" + "".join(f"{number:9}" for number in row))
    return 1 if missing or refused else 0


if __name__ == "__main__":
    sys.exit(main())
