#!/usr/bin/env python3
"""Fails when a room includes from a room to its right, when folders include each other in a circle (C++, TableGen, TypeScript and
JavaScript), when a folder of sources has grown past 25 files of its own or a C++ source past 600 lines, a header past 625 (split it by concept), and when docs/contributing/folders.md does not say what a folder
holds or names one that is not there, and when docs/contributing/architecture.md has no row for a room. Folders of test data are exempt.

The order is the arrow of docs/contributing/architecture.md. `layout` sits beside `text`: neither sees the other.
Also: only lsp/, dap/, mcp/, compiler/cli/, the launch-record reader of driver/, the protocol of runner/ with its client remote/ and
the codec in support/ may include a JSON library, only the rooms from ir/ on (and the layouts' bridge in it) may include
MLIR, and runner/ includes no LLVM and is seen by others through runner/protocol/ and runner/data/ alone. Only chips/ tells chips apart by their
names or capabilities; the others ask for features. What a host object does is called by callHost() alone (evaluate/interpreter/Costs.h), and what Interpreter::writable() gives is asked whether it is null before it is used."""
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

ORDER = ["support", "chips", "releases", "files", "runner", "remote", "text", "layout", "diagnostics", "syntax", "language", "evaluate", "ir", "codegen", "passes", "simulate", "debug", "lints",
         "lowering", "backend", "gluond-amdgpu", "driver", "cli", "lsp", "dap", "mcp"]
BESIDE = {("files", "chips"), ("files", "releases"), ("runner", "releases"), ("remote", "releases"), ("text", "releases"), ("releases", "chips"), ("runner", "chips"), ("remote", "chips"), ("text", "chips"), ("chips", "support"), ("text", "layout"), ("layout", "text"), ("evaluate", "ir"), ("ir", "language"), ("ir", "evaluate"),
          ("text", "remote"), ("text", "files"), ("layout", "files"), ("runner", "files"), ("remote", "files"), ("layout", "remote"), ("ir", "syntax"), ("ir", "diagnostics"), ("layout", "diagnostics"), ("passes", "codegen")}
# The faces know each other: lsp may use cli's renderers, cli starts the servers, dap and mcp have lsp's transport, cli calls
# mcp's tools.
FACES = {"cli", "lsp", "dap", "mcp"}
JSON_ROOMS = {"support", "runner", "remote", "cli", "lsp", "dap", "mcp", "driver"}
# Python's module json, which programs call, is a library like any other.
JSON_FILES = {"compiler/evaluate/stdlib/JsonModule.cpp"}
# The headers about chips that runner/ may include: they include nothing but the standard library.
PLAIN_HEADERS = {"chips/TdmDescriptorBits.h"}
# Comparisons of a chip's name or number, which belong into chips/.
CHIP_BY_NAME = re.compile(r"""(?:[=!]=|\b(?:starts_with|ends_with|contains|consume_front|StartsWith|startsWith|startswith)\()\s*["'](?:hip:|cuda:|)(?:gfx\d|sm_\d|cuda:\d)|\b(?:starts_with|consume_front)\(\s*"(?:cuda|hip):?\"""")
CHIP_BY_NUMBER = re.compile(r"\bcapability\w*(?:\([^()]*\))?\s*(?:[<>]=?|[=!]=)\s*[1-9]\d")
# Calls of a host object's functions, of which only callHost() looks at the stack that is left.
HOST_CALL = re.compile(r"->cls->(?:attribute|call|item|repr|str|unpack|setAttribute|binary|length|setItem|deleteItem|equal|contains)\(")
# What Interpreter::writable() gives, which is null for an object of a finished module: used at once, or kept in a variable.
WRITABLE_USED = re.compile(r"\bwritable\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*->")
WRITABLE_KEPT = re.compile(r"(?<!if \()(?:\b[A-Z]\w*|\bauto) ?\*\s?(\w+) =[^;{]*?\bwritable\([^;]*;")
# Triton's own functions, such as is_hip_cdna3(), are defined by names.
TELLS_CHIPS_APART = {"compiler/evaluate/triton/TargetQueries.cpp"}
FIRST_WITH_MLIR = ORDER.index("ir")
MOST_FILES = 25
MOST_LINES = {".cpp": 600, ".h": 625}

ROOMS = ("compiler", "lsp", "dap", "mcp", "runner")
CPP = (".h", ".cpp", ".def", ".inc", ".td")
OTHER_CPP = (".c", ".cc", ".cxx", ".hh", ".hpp", ".hxx", ".ipp", ".tpp", ".inl")
# Where other languages are, and tests.
MORE = ("visualizer", "vscode-extension", "python", "tests", "bench", "scripts")
DATA = ("tests/data", "bench/data", "docs")

root = Path(__file__).resolve().parent.parent
include = re.compile(r'^\s*(?:#\s*)?include\s*[<"]([^>"]+)[>"]', re.M)
hidden = re.compile(r'^\s*#\s*include\s*(?:\w|"\.)', re.M)  # by a macro, or relative to the file
imported = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]""")


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


def tracked():
    """The project's files: what git knows, or all where there is no git."""
    try:
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=True).stdout.split("\n")
        paths = [root / each for each in listed if each]
    except (OSError, subprocess.CalledProcessError):
        paths = [each for each in root.rglob("*") if not {"node_modules", ".git", "build", ".cache", "dist"} & set(each.relative_to(root).parts)]
    return sorted(each for each in paths if each.is_file())


problems, seen = [], 0
files = Counter()           # of each folder, those that are no sources included
sources = set()             # folders that the page about folders tells of
edges = defaultdict(set)    # folder -> folders that it includes
why = {}                    # (folder, folder) -> the include that says so


def connect(own, other, place):
    folder_of = str(other.resolve().parent.relative_to(root))
    if folder_of != own:
        edges[own].add(folder_of)
        why.setdefault((own, folder_of), place)


def check_cpp(path, own, text):
    """One source of a room."""
    room = room_of(path)
    name = str(path.relative_to(root))
    if room not in ORDER:
        problems.append(f"{name}: {room} is no room; name it in scripts/check-rooms.py")
        return
    if hidden.search(text):
        problems.append(f"{name}: an include names its file from compiler/ or from the top, as text")
    if room != "chips" and name not in TELLS_CHIPS_APART:
        for number, line in enumerate(text.split("\n"), 1):
            code = line.split("//")[0]
            if CHIP_BY_NAME.search(code) or CHIP_BY_NUMBER.search(code):
                problems.append(f"{name}:{number}: tells chips apart by name or number; ask chips/ for a feature")
    for number, line in enumerate(text.split("\n"), 1):
        if HOST_CALL.search(line.split("//")[0]):
            problems.append(f"{name}:{number}: calls a function of a host object, which may be nested as deep as a program likes; use callHost()")
    if "_json_pointer" in text:
        problems.append(f"{name}: a JSON pointer throws where a list is on its way; use find() on objects")
    for match in WRITABLE_USED.finditer(text):
        problems.append(f"{name}:{text.count(chr(10), 0, match.start()) + 1}: uses what writable() gives without asking whether it is null")
    for match in WRITABLE_KEPT.finditer(text):
        variable = match[1]
        used = re.search(rf"\b{variable}->|\*{variable}\b", text[match.end():])
        before = text[match.end():match.end() + used.start()] if used else ""
        if used and not re.search(rf"!{variable}\b|\b{variable} (?:\?|&&)|(?:if \(|&& ){variable}\b", before):
            problems.append(f"{name}:{text.count(chr(10), 0, match.start()) + 1}: uses '{variable}' without asking whether writable() gave null")
    for match in include.finditer(text):
        included = match[1]
        place = f"{name}: includes {included}"
        found = [base / included for base in (root / "compiler", root, path.parent) if (base / included).is_file()]
        if found and name.removeprefix("compiler/") in PLAIN_HEADERS:
            problems.append(f"{place}: runner/ includes this header, which may include the standard library alone")
        if included.startswith("nlohmann/") and room not in JSON_ROOMS and name not in JSON_FILES:
            problems.append(f"{place}: this room knows no JSON")
        if included.startswith("mlir/") and ORDER.index(room) < FIRST_WITH_MLIR:
            problems.append(f"{place}: MLIR begins at ir/")
        if room == "runner" and included.startswith(("llvm/", "mlir/")):
            problems.append(f"{place}: the runner knows no LLVM")
        if room != "runner" and included.startswith("runner/") and not included.startswith(("runner/protocol/", "runner/data/")):
            problems.append(f"{place}: others see runner/protocol/ and runner/data/ only")
        if included.startswith(("tests/", "bench/", "visualizer/", "vscode-extension/")):
            problems.append(f"{place}: no room knows its tests or what shows its results")
        if found:
            connect(own, found[0], place)
        other = included.split("/")[0]
        if other not in ORDER or other == room or FACES >= {room, other} or (room == "runner" and included in PLAIN_HEADERS):
            continue
        if ORDER.index(other) > ORDER.index(room) or (room, other) in BESIDE:
            problems.append(f"{place}: {other}/ is not to the left of {room}/")


for path in tracked():
    parts = path.relative_to(root).parts
    own = "/".join(parts[:-1])
    if parts[0] not in ROOMS + MORE or own.startswith(DATA):
        continue
    if path.suffix != ".md":
        files[own] += 1
    if path.suffix in MOST_LINES and (lines := path.read_bytes().count(b"\n")) > (most := MOST_LINES[path.suffix]):
        problems.append(f"{path.relative_to(root)}: {lines} lines are too many for one source; {most} are the most: give a part that is a concept a file of its own")
    if parts[0] in ROOMS and path.suffix in OTHER_CPP:
        problems.append(f"{path.relative_to(root)}: sources end in .cpp and headers in .h")
    if parts[0] in ROOMS and path.suffix in CPP:
        seen += 1
        sources.add(own)
        edges[own]
        check_cpp(path, own, path.read_text(errors="replace"))
    elif path.suffix in (".h", ".cpp"):  # of tests and benches
        edges[own]
        for match in include.finditer(path.read_text(errors="replace")):
            for base in (path.parent, root / "compiler", root):
                if (base / match[1]).is_file():
                    connect(own, base / match[1], f"{path.relative_to(root)}: includes {match[1]}")
                    break
    elif path.suffix in (".ts", ".mjs", ".js"):
        edges[own]
        if parts[:2] in (("visualizer", "src"), ("vscode-extension", "src")):
            sources.add(own)
        for match in imported.finditer(path.read_text(errors="replace")):
            if (path.parent / match[1]).is_file():
                connect(own, path.parent / match[1], f"{path.relative_to(root)}: imports {match[1]}")

for folder, count in files.items():
    if count > MOST_FILES:
        problems.append(f"{folder}: {count} files are too many for one folder; {MOST_FILES} are the most")
rows = re.findall(r"^\| (`[^|]*) \|", (root / "docs/contributing/architecture.md").read_text(), re.M)
rooms_told = {Path(room).name for row in rows for room in re.findall(r"`([^`]+)/`", row)}
for room in sorted({room_of(root / folder / "x") for folder in sources if folder.startswith(ROOMS)} - rooms_told):
    problems.append(f"{room}/: docs/contributing/architecture.md has no row for this room")
for row in (root / "docs/contributing/folders.md").read_text().splitlines():
    if row.startswith("|") and row.count("|") != 3:
        problems.append(f"docs/contributing/folders.md: a row of two cells has {row.count('|') - 1}: {row}")
    for path in re.findall(r"`((?:compiler|lsp|dap|mcp|runner|visualizer|tests|bench|docs)/[^`<]*)`", row):
        within, braces, rest = path.partition("{")
        for each in rest.partition("}")[0].split(","):
            if not (root / (within + each)).exists():
                problems.append(f"docs/contributing/folders.md names {within + each}, which does not exist")
told = re.findall(r"^\| `([^`]+)/` \| \S", (root / "docs/contributing/folders.md").read_text(), re.M)
for folder in sorted(sources - set(told)):
    problems.append(f"{folder}: docs/contributing/folders.md does not say what it holds")
for folder in sorted(set(told) - sources):
    problems.append(f"docs/contributing/folders.md names {folder}/, which holds no sources")
for circle in circles(edges):
    problems.append(f"these folders include each other in a circle: {', '.join(circle)}")
    problems += [f"    {why[a, b]}" for a in circle for b in circle if (a, b) in why]

print("\n".join(problems) if problems else f"{seen} files, every include points left, no folders in a circle")
sys.exit(1 if problems or not seen else 0)
