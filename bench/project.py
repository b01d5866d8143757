#!/usr/bin/env python3
"""A kernel whose launches are in other files of a project of thousands: what opening it takes, and a key in it or in a launch.

    bench/project.py [--gluond build/bin/gluond] [--files 2000] [--hosts 8] [--keys 200] [--json]
    bench/project.py --whole package|ring|aside [--gluond ...] [--against earlier-gluond] [--files 400] [--kernels 60] [--json]

Makes a project in a temporary folder: one file with a kernel, some that launch it, and the rest, which import each other and
nothing of Gluon. Prints the time until the kernel's first diagnostics, p50 and p99 from a key in the kernel and in an open
launching file to the diagnostics of that version, and `gluond check` of the kernel's file alone.

With --whole it checks a whole project instead, and prints the time until the first finding, CPU time and peak memory: a package
whose kernels, helpers and tests import each other (package), files that import each other in a ring (ring), or a folder without
Gluon inside of a project of many kernels (aside). With --against, also those of another gluond, and whether findings agree."""
import argparse
import json
import os
import random
import subprocess
import tempfile
import time
from pathlib import Path

from keystroke import ROOT, Client

KERNEL = """from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def scale(src, dst, n, FACTOR: gl.constexpr, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    x = gl.load(src + at, mask=at < n)
    gl.store(dst + at, x * FACTOR, mask=at < n)
"""
HOST = """import pytest
import torch

from package.kern import scale


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
@pytest.mark.parametrize("n", [1000, 1024])
def test_scale(dtype, n):
    x = torch.randn(n, device="cuda", dtype=dtype)
    scale[(1,)](x, torch.empty_like(x), n, FACTOR={number}, BLOCK=1024)
"""


def make(folder, files, hosts):
    def write(name, text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    write("pyproject.toml", "[project]\nname = 'package'\n")
    write("package/__init__.py", "")
    chance = random.Random(1)
    for number in range(files):
        imports = "".join(f"from package.part{chance.randrange(40)}.module{chance.randrange(files)} import function as f{i}\n"
                          for i in range(6))
        body = "".join(f"\n\ndef function{i}(x, y={i}):\n    '''Adds what it gets, {i} times.'''\n    total = [x + y for _ in range({i})]\n"
                       f"    return sum(total)\n" for i in range(60))
        write(f"package/part{number % 40}/module{number}.py", "import os\nimport torch\n" + imports + body)
    return (write("package/kern.py", KERNEL),
            [write(f"tests/test_scale{number}.py", HOST.replace("{number}", str(number + 2))) for number in range(hosts)])


def write_all(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def helper_module(chance, earlier):
    """Functions, classes and a table, and imports of what was made before."""
    imports = "".join(f"from package.{chance.choice(earlier)} import function{chance.randrange(20)} as g{i}\n" for i in range(6 if earlier else 0))
    functions = "".join(f"\n\ndef function{i}(x, y={i}):\n    total = [x + y for _ in range({i})]\n    return sum(total)\n" for i in range(20))
    classes = "".join(f"\n\nclass Class{i}:\n    size = {i}\n\n    def __init__(self, a, b=2):\n        self.a = a\n        self.b = b\n" for i in range(4))
    return f"import os\nimport torch\nfrom package.config import Config\n{imports}{functions}{classes}\n\nTABLE = {{i: i * 2 for i in range(50)}}\n"


CONFIG = """import os
from dataclasses import dataclass, field


@dataclass
class Config:
    size: int = 1
    name: str = os.environ.get("PACKAGE_NAME", "x")
    names: list = field(default_factory=list)
"""
LAUNCHER = """import torch
{imports}

{kernel}

def run{number}(x):
    y = torch.empty_like(x)
    scale[(-(-x.numel() // 1024),)](x, y, x.numel(), FACTOR={factor}, BLOCK=1024)
    return y
"""
TEST = """import pytest
import torch
from package.ops import run{number}


@pytest.mark.parametrize("n", [1000, 1024])
def test_run(n):
    run{number}(torch.randn(n, device="cuda"))
"""


def make_package(folder, files, kernels):
    chance, modules = random.Random(1), []
    all_files = {"pyproject.toml": "[project]\nname = 'package'\n", "package/__init__.py": "from .config import Config\nfrom . import ops\n",
                 "package/config.py": CONFIG}
    for number in range(files - kernels):
        all_files[f"package/part{number % 20}/module{number}.py"] = helper_module(chance, modules)
        modules.append(f"part{number % 20}.module{number}")
    for number in range(kernels):
        imports = "".join(f"from package.{chance.choice(modules)} import function{i} as g{i}\n" for i in range(6))
        all_files[f"package/ops/kern{number}.py"] = LAUNCHER.format(imports=imports, kernel=KERNEL, number=number, factor=number % 4 + 1)
        all_files[f"tests/test_kern{number}.py"] = TEST.format(number=number)
    all_files["package/ops/__init__.py"] = "".join(f"from .kern{number} import run{number}\n" for number in range(kernels))
    write_all(folder, all_files)
    return "."


def make_ring(folder, files, _kernels):
    write_all(folder, {f"m{i}.py": f"from m{(i + 1) % files} import *\nimport triton  # and gluon\nX{i} = {i}\n\n\ndef f{i}(x):\n    return x + X{i}\n"
                       for i in range(files)})
    return "."


def make_aside(folder, files, kernels):
    """Kernels that a package exports and hundreds of files use; the checked folder uses none."""
    make_package(folder, files, 1)
    write_all(folder, {f"lib/kern{i}.py": LAUNCHER.format(imports="", kernel=KERNEL.replace("scale", f"scale{i}"), number=i, factor=2).replace(
        "    scale[", f"    scale{i}[") for i in range(kernels)})
    write_all(folder, {"lib/__init__.py": "".join(f"from .kern{i} import run{i}, scale{i}\n" for i in range(kernels))})
    write_all(folder, {f"use/user{i}.py": f"import lib\nfrom lib import run{i % kernels}\nfrom use.user{(i * 7 + 1) % files} import go as other\n\n\n"
                       f"def go(x):\n    run{i % kernels}(x)\n    lib.run{i * 3 % kernels}(x)\n    other(x)\n" for i in range(files)})
    write_all(folder, {f"tools/tool{i}.py": f"import json\nfrom tools.tool{(i + 1) % 40} import helper as h\n\n\ndef helper(x):\n    return json.dumps(x)\n"
                       for i in range(40)})
    return "tools"


def check_whole(program, folder, checked):
    """The time until the first line and in all, the CPU time, the peak of memory, and the output."""
    start = time.perf_counter()
    child = subprocess.Popen([program, "check", checked], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    first = child.stdout.readline()
    first_s = time.perf_counter() - start
    output = first + child.stdout.read()
    _, _, usage = os.wait4(child.pid, 0)
    return {"first_s": first_s, "wall_s": time.perf_counter() - start, "cpu_s": usage.ru_utime + usage.ru_stime, "peak_mb": usage.ru_maxrss / 1024}, output


def whole(options):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        checked = {"package": make_package, "ring": make_ring, "aside": make_aside}[options.whole](folder, options.files, options.kernels)
        result, output = check_whole(options.gluond, folder, checked)
        if options.against:
            before, old_output = check_whole(options.against, folder, checked)
            result.update({f"{name}_before": value for name, value in before.items()}, findings_agree=output == old_output)
        return result


class Editor:
    def __init__(self, program, folder):
        self.client = Client(program)
        self.client.request("initialize", {"processId": None, "capabilities": {}, "rootUri": folder.as_uri()})
        self.client.send("initialized", {})
        self.versions = {}

    def published(self, uri):
        version = self.versions[uri]
        self.client.until(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri
                          and m["params"].get("version") == version)

    def open(self, path):
        uri = path.as_uri()
        self.versions[uri] = 1
        start = time.perf_counter()
        self.client.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1,
                                                                   "text": path.read_text()}})
        self.published(uri)
        return (time.perf_counter() - start) * 1e3

    def type(self, path, line, keys):
        """Types and deletes a comment at the end of a line; the time of each key."""
        uri, times = path.as_uri(), []
        end = len(path.read_text().splitlines()[line])
        word = "  # x"
        while len(times) < keys:
            for column in list(range(len(word))) + list(reversed(range(len(word)))):
                new = len(times) % (2 * len(word)) < len(word)
                at = {"line": line, "character": end + column}
                change = {"range": {"start": at, "end": at if new else {"line": line, "character": end + column + 1}},
                          "text": word[column] if new else ""}
                self.versions[uri] += 1
                start = time.perf_counter()
                self.client.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.versions[uri]},
                                                            "contentChanges": [change]})
                self.published(uri)
                times.append((time.perf_counter() - start) * 1e3)
        return sorted(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gluond", default=ROOT / "build/bin/gluond")
    parser.add_argument("--files", type=int)
    parser.add_argument("--whole", choices=["package", "ring", "aside"])
    parser.add_argument("--against", help="another gluond, to compare with")
    parser.add_argument("--kernels", type=int, default=60)
    parser.add_argument("--hosts", type=int, default=8)
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.gluond = Path(options.gluond).resolve()
    if options.against:
        options.against = Path(options.against).resolve()
    if options.files is None:
        options.files = 400 if options.whole else 2000
    show(whole(options) if options.whole else in_editor(options), options)


def in_editor(options):
    with tempfile.TemporaryDirectory() as folder:
        kernel, hosts = make(Path(folder).resolve(), options.files, options.hosts)
        editor = Editor(options.gluond, Path(folder).resolve())
        result = {"open_ms": editor.open(kernel)}
        if hosts:
            result["open_host_ms"] = editor.open(hosts[0])
        for name, path, line in [("kernel", kernel, 8)] + ([("host", hosts[0], 10)] if hosts else []):
            times = editor.type(path, line, options.keys)
            result[f"{name}_p50_ms"] = times[len(times) // 2]
            result[f"{name}_p99_ms"] = times[int(len(times) * 0.99)]
        start = time.perf_counter()
        subprocess.run([options.gluond, "check", kernel], capture_output=True, cwd=folder)
        result["check_ms"] = (time.perf_counter() - start) * 1e3
    return result


def show(result, options):
    print(json.dumps(result, indent=1) if options.json else
          ", ".join(f"{name} {value:.1f}" if isinstance(value, float) else f"{name} {value}" for name, value in result.items()))


if __name__ == "__main__":
    main()
