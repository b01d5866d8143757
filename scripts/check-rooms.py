#!/usr/bin/env python3
"""Fails when a room includes from a room to its right, when folders include each other in a circle, when a folder has
grown past 25 files of its own, and when docs/contributing/folders.md does not say what a folder holds or names one that is not there.

The order is the arrow of docs/contributing/architecture.md. `layout` sits beside `text`: neither sees the other.
Also: only lsp/, dap/, mcp/, compiler/cli/, the launch-record reader of driver/, the protocol of runner/ with its client remote/ and
the codec in support/ may include a JSON library, only the rooms from ir/ on (and the layouts' bridge in it) may include
MLIR, and runner/ includes no LLVM and is seen by others through runner/protocol/ and runner/data/ alone."""
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

ORDER = ["support", "chips", "releases", "files", "runner", "remote", "text", "layout", "diagnostics", "syntax", "language", "evaluate", "ir", "codegen", "passes", "simulate", "debug", "lints",
         "lowering", "target", "gluond-amdgpu", "driver", "cli", "lsp", "dap", "mcp"]
BESIDE = {("files", "chips"), ("files", "releases"), ("runner", "releases"), ("remote", "releases"), ("text", "releases"), ("releases", "chips"), ("runner", "chips"), ("remote", "chips"), ("text", "chips"), ("chips", "support"), ("text", "layout"), ("layout", "text"), ("evaluate", "ir"), ("ir", "language"), ("ir", "evaluate"),
          ("text", "remote"), ("text", "files"), ("layout", "files"), ("runner", "files"), ("remote", "files"), ("layout", "remote"), ("ir", "syntax"), ("ir", "diagnostics"), ("layout", "diagnostics"), ("passes", "codegen")}
# The faces know each other: lsp may use cli's renderers, cli starts the servers, dap and mcp have lsp's transport, cli calls
# mcp's tools.
FACES = {"cli", "lsp", "dap", "mcp"}
JSON_ROOMS = {"support", "runner", "remote", "cli", "lsp", "dap", "mcp", "driver"}
# Python's module json, which programs call, is a library like any other.
JSON_FILES = {"compiler/evaluate/stdlib/JsonModule.cpp"}
# What runner/ knows of the chips: headers that include nothing but the standard library.
PLAIN_HEADERS = {"chips/TdmWords.h"}
FIRST_WITH_MLIR = ORDER.index("ir")
MOST_FILES = 25

root = Path(__file__).resolve().parent.parent
include = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def room_of(path):
    parts = path.relative_to(root).parts
    return parts[1] if parts[0] == "compiler" else parts[0]


def circles(edges):
    """The sets of folders that reach each other (Tarjan's strongly connected components, without recursion)."""
    index, low, stack, found = {}, {}, [], []
    for start in list(edges):
        if start in index:
            continue
        work = [(start, iter(sorted(edges[start])))]
        index[start] = low[start] = len(index)
        stack.append(start)
        while work:
            at, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    work.append((other, iter(sorted(edges[other]))))
                    break
                if other in stack:
                    low[at] = min(low[at], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == index[at]:
                    circle = stack[stack.index(at):]
                    del stack[stack.index(at):]
                    if len(circle) > 1:
                        found.append(sorted(circle))
    return found


problems, seen = [], 0
files = Counter()
edges = defaultdict(set)    # folder -> folders that it includes
why = {}                    # (folder, folder) -> the include that says so
for folder in ("compiler", "lsp", "dap", "mcp", "runner"):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in (".h", ".cpp", ".def", ".inc", ".td"):
            continue
        room = room_of(path)
        if room not in ORDER:
            problems.append(f"{path.relative_to(root)}: {room} is no room; name it in scripts/check-rooms.py")
            continue
        seen += 1
        own = str(path.parent.relative_to(root))
        files[own] += 1
        edges[own]
        for match in include.finditer(path.read_text(errors="replace")):
            included = match[1]
            place = f"{path.relative_to(root)}: includes {included}"
            if match[0].rstrip().endswith('"') and str(path.relative_to(root)).removeprefix("compiler/") in PLAIN_HEADERS:
                problems.append(f"{place}: runner/ includes this header, which may include the standard library alone")
            if included.startswith("nlohmann/") and room not in JSON_ROOMS and str(path.relative_to(root)) not in JSON_FILES:
                problems.append(f"{place}: this room knows no JSON")
            if included.startswith("mlir/") and ORDER.index(room) < FIRST_WITH_MLIR:
                problems.append(f"{place}: MLIR begins at ir/")
            if room == "runner" and included.startswith(("llvm/", "mlir/")):
                problems.append(f"{place}: the runner knows no LLVM")
            if room != "runner" and included.startswith("runner/") and not included.startswith(("runner/protocol/", "runner/data/")):
                problems.append(f"{place}: others see runner/protocol/ and runner/data/ only")
            for base in (root / "compiler", root):
                if match[0].rstrip().endswith('"') and (base / included).is_file():
                    folder_of = str((base / included).parent.relative_to(root))
                    if folder_of != own:
                        edges[own].add(folder_of)
                        why.setdefault((own, folder_of), place)
            other = included.split("/")[0]
            if other not in ORDER or other == room or FACES >= {room, other} or (room == "runner" and included in PLAIN_HEADERS):
                continue
            if ORDER.index(other) > ORDER.index(room) or (room, other) in BESIDE:
                problems.append(f"{place}: {other}/ is not to the left of {room}/")

for folder, count in files.items():
    if count > MOST_FILES:
        problems.append(f"{folder}: {count} files are too many for one folder; {MOST_FILES} are the most")
for row in (root / "docs/contributing/folders.md").read_text().splitlines():
    if row.startswith("|") and row.count("|") != 3:
        problems.append(f"docs/contributing/folders.md: a row of two cells has {row.count('|') - 1}: {row}")
    for path in re.findall(r"`((?:compiler|lsp|dap|mcp|runner|visualizer|tests|bench|docs)/[^`<]*)`", row):
        within, braces, rest = path.partition("{")
        for each in rest.partition("}")[0].split(","):
            if not (root / (within + each)).exists():
                problems.append(f"docs/contributing/folders.md names {within + each}, which does not exist")
told = re.findall(r"^\| `([^`]+)/` \| \S", (root / "docs/contributing/folders.md").read_text(), re.M)
for folder in sorted(files.keys() - set(told)):
    problems.append(f"{folder}: docs/contributing/folders.md does not say what it holds")
for folder in sorted(set(told) - files.keys()):
    problems.append(f"docs/contributing/folders.md names {folder}/, which holds no sources")
for circle in circles(edges):
    problems.append(f"these folders include each other in a circle: {', '.join(circle)}")
    problems += [f"    {why[a, b]}" for a in circle for b in circle if (a, b) in why]

print("\n".join(problems) if problems else f"{seen} files, every include points left, no folders in a circle")
sys.exit(1 if problems or not seen else 0)
