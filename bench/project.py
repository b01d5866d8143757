#!/usr/bin/env python3
"""A kernel whose launches are in other files of a project of thousands: what opening it takes, and a key in it or in a launch.

    bench/project.py [--gluond build/bin/gluond] [--files 2000] [--hosts 8] [--keys 200] [--json]

Makes a project in a temporary folder: one file with a kernel, some that launch it, and the rest, which import each other and
nothing of Gluon. Prints the time until the kernel's first diagnostics, p50 and p99 from a key in the kernel and in an open
launching file to the diagnostics of that version, and `gluond check` of the kernel's file alone."""
import argparse
import json
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
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--hosts", type=int, default=8)
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
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
    print(json.dumps(result, indent=1) if options.json else
          ", ".join(f"{name} {value:.1f}" for name, value in result.items()))


if __name__ == "__main__":
    main()
