"""Random Python from tests/fuzz/grammar/python.txt, which the fuzzers' mutator reads as well (tests/fuzz/Grammar.h)."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TABLES = ROOT / "compiler/language/builtins"


def gluon_words():
    """What gluond's tables call <builtin>, <layout> and <intrinsic>."""
    builtins, intrinsics = [], set()
    for table in sorted(TABLES.glob("*.def")):
        for name, where in re.findall(r'^BUILTIN\(\w+, "([^"]+)", "([^"]*)"', table.read_text(), re.M):
            intrinsics.add(name)
            if where:
                builtins.append(f"{where.split()[0]}.{name}")
    layouts = re.findall(r'^LAYOUT_CLASS\(\w+, \w+, "([^"]+)"', (TABLES.parent / "types" / "Layouts.def").read_text(), re.M)
    return {"builtin": builtins, "intrinsic": sorted(intrinsics), "layout": layouts}


class Grammar:
    MOST_DEPTH = 14  # past it the shortest alternatives are taken
    MOST_PARTS = 400

    def __init__(self, path=ROOT / "tests/fuzz/grammar/python.txt"):
        self.rules = {}
        kind, name, block = "", "", []

        def close():
            if block:
                self.rules[name].append("\n".join(block))
                block.clear()

        for line in path.read_text().splitlines():
            if line.startswith(("%lines ", "%blocks ")):
                close()
                kind, name = line[1:].split()
                self.rules[name] = []
            elif kind == "lines" and line:
                self.rules[name].append(line)
            elif kind == "blocks" and line:
                block.append(line)
            elif kind == "blocks":
                close()
        close()
        self.rules["setup"] = ["\n".join(self.rules["setup"])]
        self.rules.update(gluon_words())
        # For the end of a recursion: alternatives that lead nowhere, or all.
        self.leaves = {rule: [a for a in all if not re.search(r"<\w+>", a)] or all for rule, all in self.rules.items()}

    def expand(self, random, rule, depth=0, budget=None):
        budget = budget or [self.MOST_PARTS]
        budget[0] -= 1
        ends = depth > self.MOST_DEPTH or budget[0] < 0
        text = random.choice((self.leaves if ends else self.rules)[rule])
        if depth > 2 * self.MOST_DEPTH:
            return "0" if "<" in text else text
        out = []
        for line in text.split("\n"):
            indent = line[: len(line) - len(line.lstrip(" "))]
            parts = re.split(r"<(\w+)>", line)
            for i in range(1, len(parts), 2):
                if parts[i] in self.rules:
                    parts[i] = self.expand(random, parts[i], depth + 1, budget).replace("\n", "\n" + indent)
                else:
                    parts[i] = f"<{parts[i]}>"
            out.append("".join(parts))
        return "\n".join(out)
