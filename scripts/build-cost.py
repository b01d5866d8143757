#!/usr/bin/env python3
"""Estimates what a clean build costs, in CPU seconds, from a share of its compilations.

    scripts/build-cost.py [--share 0.2] [--slowest 20] [TARGET ...]

Compiles a share of each library's files again, without ccache and into a temporary folder, and counts the processor's time, which
other work on the machine hardly changes. Needs an up-to-date build in build/, whose commands, generated files and precompiled headers it uses.
The targets are those of scripts/demo.sh if none is named.
"""

import argparse
import os
import pathlib
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"


def commands(targets):
    """The compilations of targets: the library, the object, and the arguments of the compiler itself."""
    listed = subprocess.run(["ninja", "-C", str(BUILD), "-t", "commands", *targets], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        words = shlex.split(line)
        if "-c" not in words or "-o" not in words:
            continue
        compiler = next(i for i, word in enumerate(words) if re.fullmatch(r"(.*/)?clang(\+\+)?(-\d+)?", word))
        arguments = words[compiler:]
        made = arguments[arguments.index("-o") + 1]
        library = "precompiled headers" if made.endswith(".pch") else re.sub(r"\.dir/.*", "", made).rsplit("/", 1)[-1]
        yield library, made, arguments


def cost(arguments, folder):
    """The CPU seconds of one compilation."""
    arguments = list(arguments)
    arguments[arguments.index("-o") + 1] = os.path.join(folder, "made")
    if "-MF" in arguments:
        arguments[arguments.index("-MF") + 1] = os.path.join(folder, "made.d")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, cwd=BUILD, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--share", type=float, default=0.2, help="of the files of a library; three are always compiled")
    parser.add_argument("--slowest", type=int, default=20, help="how many of the slowest files to list")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    options = parser.parse_args()
    if not (BUILD / "build.ninja").exists():
        print(f"{BUILD} has no build", file=sys.stderr)
        return 1
    libraries = {}
    for library, made, arguments in commands(options.targets or ["gluond", "gluond-runner"]):
        libraries.setdefault(library, []).append((made, arguments))
    random.seed(1)
    total, costs = 0.0, []
    with tempfile.TemporaryDirectory() as folder:
        for library, files in libraries.items():
            whole = library == "precompiled headers"
            chosen = random.sample(files, len(files) if whole else min(len(files), max(3, round(len(files) * options.share))))
            measured = [(cost(arguments, folder), made) for made, arguments in chosen]
            costs += measured
            mean = sum(seconds for seconds, _ in measured) / len(measured)
            total += mean * len(files)
            print(f"{library:28} {len(files):4} files, {len(chosen):3} compiled, {mean:5.2f} s each, about {mean * len(files):6.1f} s", flush=True)
    for seconds, made in sorted(costs, reverse=True)[: options.slowest]:
        print(f"{seconds:6.2f} s  {made}")
    print(f"all: about {total:.0f} s of one core; links, TableGen and the panels' script come on top of it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
