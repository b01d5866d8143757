#!/usr/bin/env python3
"""Fails when a room includes from a room to its right.

The order is the arrow of docs/contributing/architecture.md. `layout` sits beside `text`: neither sees the other.
Also: only lsp/, compiler/cli/, the launch-record reader of driver/, the protocol of runner/ with its client remote/ and
the codec in support/ may include a JSON library, only the rooms from ir/ on (and the layouts' bridge in it) may include
MLIR, and runner/ includes no LLVM and is seen by others through runner/protocol/ alone."""
import re
import sys
from pathlib import Path

ORDER = ["support", "files", "runner", "remote", "text", "layout", "diagnostics", "syntax", "language", "evaluate", "ir", "codegen", "passes", "lints",
         "lowering", "target", "driver", "cli", "lsp"]
BESIDE = {("text", "layout"), ("layout", "text"), ("evaluate", "ir"), ("ir", "language"), ("ir", "evaluate"),
          ("text", "remote"), ("text", "files"), ("layout", "files"), ("runner", "files"), ("remote", "files"), ("layout", "remote"), ("ir", "syntax"), ("ir", "diagnostics"), ("layout", "diagnostics"), ("passes", "codegen")}
# The order of the faces: lsp may use cli's renderers, cli starts lsp's server.
FACES = {"cli", "lsp"}
JSON_ROOMS = {"support", "runner", "remote", "cli", "lsp", "driver"}
FIRST_WITH_MLIR = ORDER.index("ir")

root = Path(__file__).resolve().parent.parent
include = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def room_of(path):
    parts = path.relative_to(root).parts
    return parts[1] if parts[0] == "compiler" else parts[0]


problems, seen = [], 0
for folder in ("compiler", "lsp", "runner"):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in (".h", ".cpp", ".def", ".inc", ".td"):
            continue
        room = room_of(path)
        if room not in ORDER:
            problems.append(f"{path.relative_to(root)}: {room} is no room; name it in scripts/check-rooms.py")
            continue
        seen += 1
        for match in include.finditer(path.read_text(errors="replace")):
            included = match[1]
            place = f"{path.relative_to(root)}: includes {included}"
            if included.startswith("nlohmann/") and room not in JSON_ROOMS:
                problems.append(f"{place}: this room knows no JSON")
            if included.startswith("mlir/") and ORDER.index(room) < FIRST_WITH_MLIR:
                problems.append(f"{place}: MLIR begins at ir/")
            if room == "runner" and included.startswith(("llvm/", "mlir/")):
                problems.append(f"{place}: the runner knows no LLVM")
            if room != "runner" and included.startswith("runner/") and not included.startswith("runner/protocol/"):
                problems.append(f"{place}: others see runner/protocol/ only")
            other = included.split("/")[0]
            if other not in ORDER or other == room or FACES >= {room, other}:
                continue
            if ORDER.index(other) > ORDER.index(room) or (room, other) in BESIDE:
                problems.append(f"{place}: {other}/ is not to the left of {room}/")

print("\n".join(problems) if problems else f"{seen} files, every include points left")
sys.exit(1 if problems or not seen else 0)
