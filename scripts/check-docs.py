#!/usr/bin/env python3
"""Fails when a page of docs/contributing/ names a path, a file or an identifier of the project that does not exist.

What stands between backquotes is looked at. A path begins at the top or in compiler/, may leave out the ending of a source, and may hold
one list in braces. Placeholders (`<vendor>`, `NAME`, `*`) stand for any name. An identifier, also one with `()` or `::`, must occur in
some source. What a build or a test run makes is left alone, and so are Triton's own files (`triton/...`)."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MADE = ("build", ".cache", "dist", "node_modules", "triton", "..", "~", "/")  # what paths that are not the project's begin with
SOURCE = r"(?:cpp|h|def|td|inc|py|ts|mjs|json|jsonl|sh|txt|cmake|toml|yaml|md|source|ttgir)"
# Words that the pages quote and that are no names of the project.
FOREIGN = {"UpperCamel", "lowerCamel", "trailing_", "binfmt_misc"}


def tracked():
    try:
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
        return [each for each in listed.stdout.split("\n") if each]
    except (OSError, subprocess.CalledProcessError):
        left_out = {"node_modules", ".git", "build", ".cache", "dist"}
        return [str(each.relative_to(ROOT)) for each in ROOT.rglob("*") if each.is_file() and not left_out & set(each.relative_to(ROOT).parts)]


files = tracked()
places = set(files) | {str(folder) for each in files for folder in Path(each).parents}
# Every path also by its ends (`tools/Ir.cpp` is below mcp/), with and without the ending of a source.
ends = set()
for place in places:
    for whole in {place, re.sub(rf"\.{SOURCE}$", "", place)}:
        parts = whole.split("/")
        ends |= {"/".join(parts[i:]) for i in range(len(parts))}
words = set()
for each in files:
    if each.startswith("docs/") or each.startswith("tests/data/") and not each.endswith(".py") or each.endswith(".md"):
        continue
    path = ROOT / each
    if path.is_file() and path.stat().st_size < 3_000_000:
        words |= set(re.findall(r"\w+", path.read_text(errors="replace")))


def exists(path):
    pattern = re.sub(r"<[^>]*>|\*+|\b[A-Z]{4,}\b|\bX\b", "\0", path).rstrip("/")
    if "\0" not in pattern:
        return pattern in ends
    wanted = re.compile("[^/]*".join(re.escape(part) for part in pattern.split("\0")))
    return any(wanted.fullmatch(end) for end in ends)


def alternatives(path):
    before, brace, rest = path.partition("{")
    inside, _, after = rest.partition("}")
    return [before + each + after for each in inside.split(",")] if brace else [path]


problems, seen = [], 0
for page in sorted((ROOT / "docs/contributing").glob("*.md")):
    for number, line in enumerate(page.read_text().split("\n"), 1):
        for quoted in re.findall(r"`([^`]+)`", line):
            missing = []
            if re.fullmatch(r"[\w.{}<>,*+-]+(?:/[\w.{}<>,*+-]*)+", quoted) or re.fullmatch(rf"[\w-]+\.{SOURCE}", quoted):
                if not quoted.startswith(MADE):
                    seen += 1
                    missing = [each for each in alternatives(quoted) if not exists(each)]
            elif re.fullmatch(r"[A-Za-z_][\w:]*(?:\(\))?", quoted):
                seen += 1
                missing = [each for each in re.findall(r"\w+", quoted) if each not in words | FOREIGN and each.removesuffix("_test") not in words]
            problems += [f"{page.relative_to(ROOT)}:{number}: `{each}` does not exist" for each in missing]

print("\n".join(problems) if problems else f"{seen} names, all of them exist")
sys.exit(1 if problems or not seen else 0)
