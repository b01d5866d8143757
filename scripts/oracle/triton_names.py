#!/usr/bin/env python3
"""Prints compiler/evaluate/triton/TritonNames.def: Triton's modules, and the names in each that are known.

Run with the Python of the oracle, which has Triton 3.9.0 (and no torch):

    .cache/oracle/bin/python scripts/oracle/triton_names.py > compiler/evaluate/triton/TritonNames.def

A module that cannot be imported without a GPU or torch gets a row without names: anything may be in it.
"""
import importlib
import io
import contextlib
import os
import pathlib
import sys
import types

import triton

ROOT = pathlib.Path(triton.__file__).parent


def modules():
    yield "triton"
    for path in sorted(ROOT.rglob("*.py")):
        parts = ["triton", *path.relative_to(ROOT).with_suffix("").parts]
        if parts[-1] == "__init__":
            parts.pop()
        if "__main__" not in parts and parts != ["triton"]:
            yield ".".join(parts)


def main():
    known = sorted(set(modules()))
    # A folder is a module as well.
    for name in list(known):
        while "." in name:
            name = name.rpartition(".")[0]
            if name not in known:
                known.append(name)
    print("// The modules of Triton 3.9.0, and the names in each (empty if they are not known). Made by scripts/oracle/triton_names.py.")
    for name in sorted(known):
        names = set()
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                module = importlib.import_module(name)
            if not hasattr(module, "__getattr__"):
                names = {each for each in dir(module) if not each.startswith("__")}
        except BaseException:
            pass
        if names:
            names |= {inner.rpartition(".")[2] for inner in known if inner.rpartition(".")[0] == name}
        line, rows = "", []
        for each in sorted(names):
            if len(line) + len(each) > 110:
                rows.append(line)
                line = ""
            line += each + " "
        rows.append(line.rstrip())
        text = "\n             ".join(f'"{row}"' for row in rows)
        print(f'TRITON_MODULE("{name}",\n             {text})')


main()
