#!/usr/bin/env python3
"""Opens kernel.py in real editors without a screen and asks them what a user would.

    tests/editors/try.py [--gluond build/bin/gluond] [neovim] [emacs-eglot] [helix]

Each editor starts `gluond lsp` by itself, with the setup of docs/editors.md. The exit status is 77 (ctest: skipped)
when the one editor asked for is not installed, 1 when what came is not what should."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXPECTED = {
    "diagnostic": "17 ",  # the line of gl.stor
    "hover": "float32[128]",
    "definition": "8",  # def double
    "completion": "store",
}
EDITORS = {
    "neovim": ("nvim", ["nvim", "--headless", "-u", "NONE", "-c", f"luafile {HERE}/neovim.lua"]),
    "emacs-eglot": ("emacs", ["emacs", "-q", "--batch", "-l", "package", "-f", "package-initialize",
                              "-l", str(HERE / "emacs-eglot.el")]),
    "helix": ("hx", [sys.executable, str(HERE / "helix.py")]),
}


def attempt(name, gluond):
    program, command = EDITORS[name]
    if not shutil.which(program):
        print(f"{name}: skipped, {program} is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        kernel = Path(folder) / "kernel.py"
        shutil.copy(HERE / "kernel.py", kernel)
        environment = {**os.environ, "GLUOND": os.path.abspath(gluond), "KERNEL": str(kernel), "HOME": folder}
        result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=90)
    if "eglot" in result.stderr and ("Cannot open load file" in result.stderr or "cannot open" in result.stderr.lower()):
        print(f"{name}: skipped, this Emacs has no Eglot")
        return 77
    said = {}
    for line in result.stdout.replace("\r", "").splitlines():
        what, _, value = line.partition(": ")
        said.setdefault(what, value)
    wrong = [f"{what}: expected '{value}' in '{said.get(what, 'nothing')}'"
             for what, value in EXPECTED.items() if value not in said.get(what, "")]
    print(f"{name}: " + ("fine" if not wrong else "; ".join(wrong)))
    if wrong:
        print(result.stdout[-2000:], result.stderr[-2000:], sep="\n")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("editors", nargs="*", choices=[*EDITORS, []])
    parser.add_argument("--gluond", default=HERE.parents[1] / "build/bin/gluond")
    options = parser.parse_args()
    codes = [attempt(name, options.gluond) for name in options.editors or EDITORS]
    return max(code for code in codes if code != 77) if any(c != 77 for c in codes) else 77


if __name__ == "__main__":
    sys.exit(main())
