#!/usr/bin/env python3
"""Opens kernel.py in real editors without a screen and asks them what a user would.

    tests/editors/try.py [--gluond build/bin/gluond] [neovim] [emacs-eglot] [emacs-lsp-mode] [helix]

Each editor starts `gluond lsp` by itself: what its page in docs/editors.md says to write is its configuration, word for
word, and a `gluond` is on the PATH, in an otherwise empty home. The exit status is 77 (ctest: skipped)
when the one editor asked for is not installed, 1 when what came is not what should."""
import argparse
import os
import re
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
EMACS = ["emacs", "-q", "--batch", "-l", "package", "-f", "package-initialize", "-l"]
# The program, what is run, and the block of the page that is the configuration: heading, language, a word it holds.
EDITORS = {
    "neovim": ("nvim", ["nvim", "--headless", "-u", "{setup}", "{kernel}", "-c", f"luafile {HERE}/neovim.lua"],
               ("Neovim", "lua", "start_client")),
    "neovim-0.11": ("nvim", ["nvim", "--headless", "-u", "{setup}", "{kernel}", "-c", f"luafile {HERE}/neovim.lua"],
                    ("Neovim", "lua", "vim.lsp.config")),
    "emacs-eglot": ("emacs", [*EMACS, str(HERE / "emacs-eglot.el")], ("Emacs", "elisp", "eglot")),
    "emacs-lsp-mode": ("emacs", [*EMACS, str(HERE / "emacs-lsp-mode.el")], ("Emacs", "elisp", "lsp-mode")),
    "helix": ("hx", [sys.executable, str(HERE / "helix.py")], ("Helix", "toml", "language-server.gluond")),
}
ENDINGS = {"lua": "lua", "elisp": "el", "toml": "toml"}


def block(heading, language, word):
    """What the page says to write: the block in that language below that heading that holds the word."""
    page = (HERE.parents[1] / "docs/editors.md").read_text()
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", page, re.M | re.S)[1]
    blocks = re.findall(rf"^```{language}\n(.*?)^```", section, re.M | re.S)
    return next(each for each in blocks if word in each)


def isNewEnough(name):
    if name != "neovim-0.11":
        return True
    version = subprocess.run(["nvim", "--version"], capture_output=True, text=True).stdout
    return tuple(map(int, re.search(r"v(\d+)\.(\d+)", version).groups())) >= (0, 11)


def attempt(name, gluond):
    program, command, where = EDITORS[name]
    if not shutil.which(program) or not isNewEnough(name):
        print(f"{name}: skipped, {program} is not installed" + (" in that version" if shutil.which(program) else ""))
        return 77
    with tempfile.TemporaryDirectory() as folder:
        kernel, setup = Path(folder) / "kernel.py", Path(folder) / f"setup.{ENDINGS[where[1]]}"
        shutil.copy(HERE / "kernel.py", kernel)
        setup.write_text(block(*where))
        (Path(folder) / "bin").mkdir()
        (Path(folder) / "bin/gluond").symlink_to(os.path.abspath(gluond))
        environment = {**os.environ, "KERNEL": str(kernel), "SETUP": str(setup), "HOME": folder,
                       "XDG_CONFIG_HOME": f"{folder}/config", "PATH": f"{folder}/bin:{os.environ['PATH']}"}
        command = [each.format(setup=setup, kernel=kernel) for each in command]
        result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=90)
    if re.search(r"cannot open load file", result.stderr, re.I):
        print(f"{name}: skipped, this Emacs has no {name.partition('-')[2]}")
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
