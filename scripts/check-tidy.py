#!/usr/bin/env python3
"""Runs clang-tidy over the sources and fails on what it reports.

    scripts/check-tidy.py [--since REVISION] [--seconds N] [FILE.cpp ...]

Needs an up-to-date build in build/, whose compile commands and precompiled headers it uses. A file that passed is not checked again
until it, a header that it includes, its command or .clang-tidy changes (.cache/tidy). Those that changed last come first, so that --seconds
leaves out the ones that have been as they are for long. Exits with 77 where clang-tidy-22 or the build is missing.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
STAMPS = ROOT / ".cache" / "tidy"
ROOMS = ("compiler/", "lsp/", "dap/", "mcp/", "runner/")
TIDY = "clang-tidy-22"


def text_of(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def headers_by_object():
    """The project's headers that each object was made from, as ninja recorded them."""
    headers, current = {}, None
    for line in text_of("ninja", "-C", str(BUILD), "-t", "deps").splitlines():
        if line.startswith("    "):
            path = line.strip()
            if path.startswith(str(ROOT)) and not path.endswith((".pch", ".cpp")):
                headers[current].append(path)
        elif ":" in line:
            current = line.split(":")[0]
            headers[current] = []
    return headers


class Stamps:
    def __init__(self):
        self.common = text_of(TIDY, "--version").encode() + (ROOT / ".clang-tidy").read_bytes()
        self.headers = headers_by_object()
        self.digests = {}

    def digest(self, path):
        if path not in self.digests:
            self.digests[path] = hashlib.sha256(pathlib.Path(path).read_bytes()).digest() if os.path.exists(path) else b""
        return self.digests[path]

    def of(self, entry):
        key = hashlib.sha256(self.common + entry["command"].encode() + self.digest(entry["file"]))
        for header in self.headers.get(re.search(r" -o (\S+)", entry["command"]).group(1), []):
            key.update(self.digest(header))
        return STAMPS / key.hexdigest()


def changed_last():
    """The files that commits changed, from the last commit to the first, and before them those that differ from it."""
    listed = text_of("git", "diff", "--name-only", "HEAD") + text_of("git", "log", "--name-only", "--format=")
    return {str(ROOT / path): place for place, path in reversed(list(enumerate(listed.split())))}


def check(path):
    run = subprocess.run([TIDY, "--experimental-custom-checks", "-p", str(BUILD), "--quiet", path], cwd=ROOT, capture_output=True, text=True)
    return run.returncode == 0, run.stdout


def check_own_rules():
    """Whether the checks of our own (custom-* in .clang-tidy) refuse the marked lines of tests/data/tidy, and no others: one that cannot be read is silent."""
    holds = True
    for path in sorted((ROOT / "tests/data/tidy").glob("*.cpp")):
        run = subprocess.run([TIDY, "--experimental-custom-checks", "--quiet", "--checks=-*,custom-*", str(path), "--", "-std=c++20"],
                             cwd=ROOT, capture_output=True, text=True)
        told = {int(line) for line in re.findall(rf"^{re.escape(str(path))}:(\d+):.*\[custom-", run.stdout, re.M)}
        marked = {number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("// refused")}
        if told != marked:
            print(f"{path}: lines {sorted(marked)} are to be refused, and {sorted(told)} are\n{run.stdout}{run.stderr}", file=sys.stderr)
            holds = False
    return holds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--since", metavar="REVISION", help="only files that changed since a commit")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no more files after this time")
    parser.add_argument("files", nargs="*", metavar="FILE.cpp")
    options = parser.parse_args()
    if not shutil.which(TIDY):
        print(f"{TIDY} is not installed", file=sys.stderr)
        return 77
    if not (BUILD / "compile_commands.json").exists():
        print(f"{BUILD} has no build", file=sys.stderr)
        return 77
    listed = text_of("git", "diff", "--name-only", "--diff-filter=d", options.since) if options.since else text_of("git", "ls-files")
    if not check_own_rules():
        return 1
    wanted = {str(ROOT / each) for each in options.files or listed.split() if each.startswith(ROOMS) and each.endswith(".cpp")}
    entries = [each for each in json.loads((BUILD / "compile_commands.json").read_text()) if each["file"] in wanted]
    stamps = Stamps()
    STAMPS.mkdir(parents=True, exist_ok=True)
    todo = {each["file"]: stamp for each in entries if not (stamp := stamps.of(each)).exists()}
    order = changed_last()
    paths = sorted(todo, key=lambda path: order.get(path, len(order)))
    end = time.monotonic() + options.seconds
    checked, failed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, result in zip(paths, pool.map(lambda path: check(path) if time.monotonic() < end else None, paths)):
            if result is None:
                continue
            passed, said = result
            checked += 1
            if passed:
                todo[path].touch()
            else:
                failed += 1
                print(said, end="", flush=True)
    print(f"{len(entries)} files: {len(entries) - len(todo)} passed before, {checked} checked, {failed} with findings, {len(todo) - checked} left")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
