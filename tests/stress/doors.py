#!/usr/bin/env python3
"""What reaches gluond beside programs, mutated: settings, records, baselines, journals, cache entries, messages of agents, debuggers and editors.

    python3 tests/stress/doors.py [--seconds 60] [--seed 0] [--doors NAME...] [--gluond build/bin/gluond] [--runner build/bin/gluond-runner --fake libfake_cuda.so]

Each door has right inputs, of which a mutant changes a few places (JSON by its structure, text by its characters). A command must end within --cpu seconds of CPU
time, with exit code 0, 1 or 2 and words if it is not 0, and write valid UTF-8, and JSON where it was asked for JSON. A server must answer each request within
--patience seconds and live on. What is written in a project never changes a personal setting. Exit code 1 if one failed; the input is kept in --keep."""
import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
from grammar import ROOT  # noqa: E402

sys.path[:0] = [str(ROOT / "tests/mcp")]
import client as mcp  # noqa: E402

sys.path.pop(0)
from mutators import JSON_LEAVES  # noqa: E402
from server import Client as Lsp  # noqa: E402

PROGRAM = """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def copy_x(x, y, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    value = gl.load(x + i, mask=i < n)
    unused = gl.load(y + i)
    gl.store(y + i, value, mask=i < n)


copy_x[(4, )](torch.ones(1000, device="cuda"), torch.zeros(1000, device="cuda"), 1000, 256)
"""
PROJECT = """[project]
name = "it"
[tool.gluond]
target = "cuda:90"
select = ["all"]
ignore = ["uncoalesced-access"]
exclude = ["build", "**/x*"]
plainPython = true
[tool.gluond.severities]
unused-result = "error"
[tool.gluond.analysis]
seconds = 1
"""
RECORD = {"file": "kernel.py", "kernel": "copy_x", "id": "a", "target": "cuda:90", "signature": {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"},
          "constexprs": {"BLOCK": 256}, "attrs": {"x": 16}, "options": {"num_warps": 4}, "args": []}
ODD = ["(", "[", "{", '"', "'", "\\", "\n", "\r", "\x00", "=", ",", "#", "é", "\U0001f600", "\ud800", "\u2028", "\x1b[31m", "9" * 400, "-", ".", "e9999", "true", "[[", '"""', "[" * 5000, "a." * 5000, "{a=" * 3000,
       "x" * 100000, "../" * 50, "/dev/stdin", "/etc/passwd", "%s%n", "nan", "0x", "1979-05-27", "\ufeff"]

MOST_REPEATED = 1 << 19  # characters


def changed(r, value):
    """Another value in the place of one in it."""
    places = []

    def walk(each):
        for key in list(each) if isinstance(each, dict) else range(len(each)):
            places.append((each, key))
            if isinstance(each[key], (dict, list)):
                walk(each[key])

    value = json.loads(json.dumps(value))
    whole, repeated = [value], False
    walk(whole)
    for container, key in r.sample(places, min(len(places), r.choice([1, 1, 1, 2, 4]))):
        kind = r.random()
        try:
            if kind < 0.45:
                container[key] = r.choice(JSON_LEAVES)
            elif kind < 0.6:
                other, its = r.choice(places)
                container[key] = json.loads(json.dumps(other[its]))
            elif kind < 0.7 and container is not whole:
                del container[key]
            elif kind < 0.8 and not repeated:
                repeated = True
                size = len(json.dumps(container[key])) + 1
                # A copy: what is changed next stands there once.
                container[key] = [json.loads(json.dumps(container[key]))] * min(r.choice([2, 100, 20000]), MOST_REPEATED // size + 1)
            elif kind < 0.87:
                for _ in range(r.choice([3, 200, 900])):
                    container[key] = [container[key]] if r.random() < 0.5 else {"a": container[key]}
            elif kind < 0.95:
                container[key] = r.choice(ODD).encode("utf-8", "replace").decode()
            elif isinstance(container, dict):
                container[r.choice(ODD[:20]).encode("utf-8", "replace").decode()] = container[key]
        except (KeyError, IndexError, ValueError, RecursionError):
            pass  # a change before took it away
    return whole[0]


def mutated(r, text):
    """Text with some of its characters changed, as bytes."""
    for _ in range(r.choice([1, 1, 2, 5])):
        at = r.randrange(len(text) + 1)
        end = min(len(text), at + r.choice([0, 0, 1, 3, 20]))
        kind = r.random()
        if kind < 0.5:
            text = text[:at] + r.choice(ODD) + text[end:]
        elif kind < 0.7:
            text = text[:at] + text[end:]
        elif kind < 0.85:
            text = text[:at] + text[at:at + 40] * r.choice([2, 1000]) + text[at + 40:]
        else:
            lines = text.split("\n")
            r.shuffle(lines)
            text = "\n".join(lines)
    data = text.encode("utf-8", "surrogatepass" if r.random() < 0.5 else "replace")
    if r.random() < 0.1:
        at = r.randrange(len(data) + 1)
        data = data[:at] + r.choice([b"\xff", b"\xed\xa0\x80", b"\x00", b"\xf8\x88\x80", b"\xef\xbb\xbf"]) + data[at:]
    return data


def json_mutant(r, value):
    if r.random() < 0.75:
        try:
            return json.dumps(changed(r, value)).encode()
        except RecursionError:
            pass  # deeper than Python writes
    return mutated(r, json.dumps(value))


def lines_mutant(r, values):
    lines = [json.dumps(each).encode() for each in values]
    at = r.randrange(len(lines))
    lines[at] = json_mutant(r, values[at])
    if r.random() < 0.1:
        lines *= r.choice([2, 3000])
    return b"\n".join(lines) + r.choice([b"\n", b"", b"\n\n", b"\r\n"])


def personal_settings():
    """The settings that a project may not choose, from gluond's own table."""
    table = (ROOT / "compiler/driver/settings/Configuration.cpp").read_text()
    rows = re.findall(r'\{"([\w.]+)", &Settings::\w+,(.*?)\},\n', table, re.S)
    return [name for name, rest in rows if re.search(r"SettingKind::(Place|Budget|Command)", rest)]


class Doors:
    def __init__(self, arguments):
        self.arguments = arguments
        self.right = {}  # right inputs, made once

    # ---- commands
    def command(self, folder, words, is_json=False, env=None):
        """The output; AssertionError if it does not behave."""
        arguments = self.arguments

        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (int(arguments.cpu) + 1, int(arguments.cpu) + 2))

        done = subprocess.run([arguments.gluond, *words], cwd=folder, capture_output=True, timeout=arguments.cpu * 6, preexec_fn=limits,
                              env={**os.environ, "GLUOND_CACHE_DIR": "off", **(env or {})})
        assert done.returncode in (0, 1, 2), f"{' '.join(words)}: exit code {done.returncode}: {done.stderr[-2000:].decode('utf-8', 'replace')}"
        text, said = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        assert not done.returncode or text.strip() or said.strip(), f"{' '.join(words)}: exit code {done.returncode} without a word"
        if is_json and done.returncode < 2:
            json.loads(text)
        assert "\x1b" not in text + said, f"{' '.join(words)}: an escape character"
        return done.returncode, text, said

    def settings(self, r, folder):
        """A pyproject.toml."""
        (folder / "pyproject.toml").write_bytes(mutated(r, PROJECT))
        self.command(folder, ["check", ".", "--format", "json"], True)

    def personal(self, r, folder):
        """A pyproject.toml that names places and lifts budgets."""
        where = folder / "made"
        places = r.sample(personal_settings(), 4)
        (folder / "pyproject.toml").write_text("[tool.gluond]\n" + "".join(f"{name} = {r.choice([999999, json.dumps(str(where)), 'true'])}\n" for name in places))
        (folder / "kernel.py").write_text(PROGRAM + "while True:\n    pass\n")
        begun = resource.getrusage(resource.RUSAGE_CHILDREN)
        _, told, said = self.command(folder, ["check", ".", "--format", "json"], True, {"GLUOND_CACHE_DIR": str(folder / "cache")})
        assert all(name in told + said for name in places), "a project's settings that are not taken are not told"
        self.command(folder, ["emit", "kernel.py", "--kernel", "copy_x", "--stage", "ttgir"], False, {"GLUOND_CACHE_DIR": str(folder / "cache")})
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert not where.exists(), "a project's settings name a place that is written"
        assert spent.ru_utime - begun.ru_utime < self.arguments.cpu, "a project's settings lift a budget"

    def records(self, r, folder):
        """Launch records beside the program, and named on the command line."""
        (folder / "kernel.launches.jsonl").write_bytes(lines_mutant(r, [RECORD, {**RECORD, "id": "b"}]))
        if r.random() < 0.5:
            self.command(folder, ["check", ".", "--format", "json"], True)
        else:
            words = r.choice([["check", "kernel.py", "--launches", "kernel.launches.jsonl", "--format", "json"], ["launches", "kernel.py", "--format", "json"]])
            self.command(folder, words, True)
            self.command(folder, ["emit", "kernel.launches.jsonl", "--stage", r.choice(["source", "ttgir", "ptx"]), "-o", "out"])

    def baseline(self, r, folder):
        if "baseline" not in self.right:
            self.command(folder, ["check", ".", "--baseline", "b.json", "--update-baseline"])
            self.right["baseline"] = json.loads((folder / "b.json").read_text())
        (folder / "b.json").write_bytes(json_mutant(r, self.right["baseline"]))
        self.command(folder, ["check", ".", "--baseline", "b.json", "--format", r.choice(["json", "sarif"])], True)
        self.command(folder, ["check", ".", "--baseline", "b.json", "--update-baseline"])

    def runner(self):
        if not self.arguments.fake:
            return None
        return f"exec env GLUOND_CUDA_LIBRARY={self.arguments.fake} GLUOND_HIP_LIBRARY=/nowhere.so {self.arguments.runner}"

    def bench(self, folder, *more):
        return self.command(folder, ["bench", "kernel.py", "--kernel", "copy_x", "--runner", self.runner(), "--budget", "1", *more])

    def journal(self, r, folder):
        """The journal of a sweep that goes on."""
        sweep = ("--vary", "BLOCK=128,256", "--journal", "j.jsonl", "--format", "json")
        if "journal" not in self.right:
            self.bench(folder, *sweep)
            self.right["journal"] = [json.loads(line) for line in (folder / "j.jsonl").read_text().splitlines()]
        (folder / "j.jsonl").write_bytes(lines_mutant(r, self.right["journal"]))
        self.bench(folder, *sweep)

    def cache(self, r, folder):
        """Entries of the cache on disk: what is read there is what was kept, or nothing."""
        env = {"GLUOND_CACHE_DIR": str(folder / "cache")}
        words = ["emit", "kernel.py", "--kernel", "copy_x", "--stage", "ptx"]
        code, right, said = self.command(folder, words, env=env)
        assert code == 0, said
        for path in sorted(each for each in (folder / "cache").rglob("*") if each.is_file()):
            if r.random() < 0.5 or path.suffix == ".result":
                data = path.read_bytes()
                at = r.randrange(len(data) + 1)
                path.chmod(0o600)
                path.write_bytes(r.choice([data[:at], data[:at] + r.choice([b"\x00", b"\xff" * 9, data]) + data[at:], b"", data[:at] + bytes([r.randrange(256)]) + data[at + 1:], data * 50]))
        code, again, said = self.command(folder, words, env=env)
        assert (code, again) == (0, right), f"a changed entry of the cache is used: {said}"

    def layout(self, r, folder):
        layout = "gl.BlockedLayout([1,2],[8,4],[4,1],[1,0])"
        self.command(folder, ["layout", mutated(r, layout).replace(b"\x00", b"").decode("utf-8", "replace")[:100000], "--shape", mutated(r, "32x64").replace(b"\x00", b"").decode("utf-8", "replace")[:1000], "--format", r.choice(["json", "svg", "text"])])

    # ---- servers
    CALLS = [("check", {"files": ["kernel.py"]}), ("check", {"files": ["."], "severity": "hint"}), ("explain", {"name": "gl.load"}), ("search", {"query": "swizzled layout"}),
             ("layout_map", {"layout": "gl.BlockedLayout([4], [32], [4], [0])", "shape": [512]}), ("accesses", {"kernel": "copy_x"}), ("budget", {"kernel": "copy_x"}), ("type_at", {"line": 8, "expression": "x"}),
             ("ir", {"kernel": "copy_x", "stage": "ttgir"}), ("simulate", {"kernel": "copy_x", "seconds": 2}), ("launches", {}), ("apply_fix", {"preview": True})]

    def mcp(self, r, folder):
        """An agent's session."""
        client = mcp.Client(self.arguments.gluond, folder, env={**os.environ, "GLUOND_CACHE_DIR": "off"})
        sent = []
        try:
            if "mcp" not in self.right:
                self.right["mcp"] = client.request("tools/list")["tools"]
            for _ in range(r.randrange(1, 12)):
                tool = r.choice(self.right["mcp"])
                known = [arguments for name, arguments in self.CALLS if name == tool["name"]]
                arguments = r.choice(known) if known else {name: self.sample(r, rule) for name, rule in tool["inputSchema"].get("properties", {}).items() if r.random() < 0.6}
                if "file" in tool["inputSchema"].get("properties", {}):
                    arguments = {"file": "kernel.py", **arguments}
                message = {"jsonrpc": "2.0", "id": len(sent) + 100, "method": r.choice(["tools/call"] * 9 + ["resources/read", "prompts/get", "ping", "tools/list"]),
                           "params": {"name": tool["name"], "arguments": arguments, "_meta": mcp.META}}
                if r.random() < 0.1:  # what the program in front of the worker reads itself
                    message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": len(sent) + 99}}
                data = json_mutant(r, message) if r.random() < 0.8 else json.dumps(message).encode()
                sent.append(data.replace(b"\n", b" "))
                client.send_raw(sent[-1] + b"\n")
            client.last = 10 ** 6
            client.reply(client.send("tools/list"), self.arguments.patience)
            assert client.process.poll() is None
            code = client.close()
            assert code == 0, f"it ends with {code}"
        except Exception as error:
            (folder / "sent").write_bytes(b"\n".join(sent))
            raise AssertionError(f"mcp: {type(error).__name__}: {error}") from error
        finally:
            client.process.kill()

    def sample(self, r, rule):
        if "enum" in rule:
            return r.choice(rule["enum"])
        return {"string": r.choice(["copy_x", "cuda:90", "ttgir", "x", "BLOCK"]), "integer": r.choice([0, 1, 7, 1 << 40, -1]), "number": 0.5, "boolean": True, "array": [], "object": {}}.get(rule.get("type"), "x")

    DAP = [("setBreakpoints", {"source": {"path": "kernel.py"}, "breakpoints": [{"line": 11, "condition": "n > 3", "hitCondition": "2", "logMessage": "{n} {value}"}]}), ("setFunctionBreakpoints", {"breakpoints": [{"name": "copy_x"}]}),
           ("next", {"threadId": 1}), ("stepIn", {"threadId": 1}), ("stepBack", {"threadId": 1}), ("stackTrace", {"threadId": 1, "startFrame": 0, "levels": 20}), ("scopes", {"frameId": 1}), ("variables", {"variablesReference": 1, "filter": "indexed", "start": 0, "count": 10}),
           ("evaluate", {"expression": "value + n", "frameId": 1, "context": "watch"}), ("readMemory", {"memoryReference": "1:0", "offset": 0, "count": 64}), ("dataBreakpointInfo", {"name": "x[3]", "variablesReference": 1}),
           ("setDataBreakpoints", {"breakpoints": [{"dataId": "1"}]}), ("gotoTargets", {"source": {"path": "kernel.py"}, "line": 10}), ("goto", {"threadId": 1, "targetId": 1}), ("reverseContinue", {"threadId": 1}), ("continue", {"threadId": 1}), ("pause", {"threadId": 1}),
           ("threads", {}), ("breakpointLocations", {"source": {"path": "kernel.py"}, "line": 1, "endLine": 20}), ("completions", {"frameId": 1, "text": "val", "column": 4}), ("setExceptionBreakpoints", {"filters": ["race"]}), ("source", {"sourceReference": 1}),
           ("gluond/seek", {"moment": 3}), ("exceptionInfo", {"threadId": 1}), ("setExpression", {"expression": "n", "value": "3"}), ("setVariable", {"variablesReference": 1, "name": "n", "value": "3"})]

    def dap(self, r, folder):
        """A debugger's session."""
        process = subprocess.Popen([self.arguments.gluond, "dap"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        sent = []

        def send(command, arguments, is_changed):
            message = {"seq": len(sent) + 1, "type": "request", "command": command, "arguments": arguments}
            data = json_mutant(r, message) if is_changed else json.dumps(message).encode()
            sent.append(data)
            process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            process.stdin.flush()

        timer = None
        try:
            import threading
            timer = threading.Timer(self.arguments.patience, process.kill)
            timer.start()
            drained = []
            threading.Thread(target=lambda: drained.append(process.stdout.read()), daemon=True).start()
            send("initialize", {"adapterID": "gluond"}, False)
            send("launch", {"program": str(folder / "kernel.py"), "kernel": "copy_x", "stopOnEntry": True, "historyMemory": 64}, r.random() < 0.2)
            send("configurationDone", {}, False)
            for _ in range(r.randrange(3, 40)):
                send(*r.choice(self.DAP), r.random() < 0.6)
                if r.random() < 0.1:
                    time.sleep(0.02)
            send("disconnect", {}, False)
            code = process.wait(self.arguments.patience + 5)
            assert code in (0, 1), f"it ends with {code}"
        except Exception as error:
            (folder / "sent").write_bytes(b"\n".join(sent))
            raise AssertionError(f"dap: {type(error).__name__}: {error} ({process.poll()})") from error
        finally:
            timer.cancel()
            process.kill()
            process.wait()

    OPTIONS = {"target": "cuda:90", "select": ["all"], "ignore": ["x"], "plainPython": True, "analysis": {"seconds": 2, "megabytes": 512}, "severities": {"unused-result": "error"}, "runner": {"command": "false", "startLimit": 5}, "inlayHints": {"layouts": True}, "cache": {"directory": "off"},
               "python": {"interpreter": "/usr/bin/python3", "paths": ["a"]}, "evaluation": {"steps": 100000}}
    EDITOR = {"processId": None, "rootUri": "file:///gluond-stress", "capabilities": {"general": {"positionEncodings": ["utf-8", "utf-16"]}, "workspace": {"configuration": True, "workspaceFolders": True, "didChangeWatchedFiles": {"dynamicRegistration": True}},
                                                                                  "textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}, "window": {"workDoneProgress": True}},
              "workspaceFolders": [{"uri": "file:///gluond-stress", "name": "it"}], "trace": "off"}

    def editor(self, r, folder):
        """The beginning of an editor's session, its settings, its notebooks."""
        client = Lsp(self.arguments, folder)
        first = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {**self.EDITOR, "initializationOptions": self.OPTIONS}}
        cells = [{"kind": 2, "document": f"vscode-notebook-cell:/n.ipynb#{i}"} for i in range(3)]
        messages = [{"method": "workspace/didChangeConfiguration", "params": {"settings": {"gluond": self.OPTIONS}}},
                    {"method": "notebookDocument/didOpen", "params": {"notebookDocument": {"uri": "file:///n.ipynb", "notebookType": "jupyter-notebook", "version": 1, "cells": cells},
                                                                      "cellTextDocuments": [{"uri": cell["document"], "languageId": "python", "version": 1, "text": PROGRAM} for cell in cells]}},
                    {"method": "notebookDocument/didChange", "params": {"notebookDocument": {"uri": "file:///n.ipynb", "version": 2}, "change": {"cells": {"structure": {"array": {"start": 1, "deleteCount": 1, "cells": [cells[0]]}, "didOpen": [], "didClose": []},
                                                                        "textContent": [{"document": {"uri": cells[0]["document"], "version": 2}, "changes": [{"range": {"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 1}}, "text": "x"}]}]}}}},
                    {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file:///gluond-stress/k.py", "languageId": "python", "version": 1, "text": PROGRAM}}},
                    {"method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///gluond-stress/k.py", "version": 2}, "contentChanges": [{"range": {"start": {"line": 8, "character": 4}, "end": {"line": 9, "character": 0}}, "text": "é"}]}},
                    {"method": "workspace/didChangeWatchedFiles", "params": {"changes": [{"uri": "file:///gluond-stress/pyproject.toml", "type": 2}]}},
                    {"id": 7, "method": "workspace/executeCommand", "params": {"command": "gluond.x", "arguments": [1]}},
                    {"id": 8, "method": "textDocument/codeAction", "params": {"textDocument": {"uri": "file:///gluond-stress/k.py"}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 20, "character": 0}}, "context": {"diagnostics": [], "only": ["quickfix"]}}}]
        sent = [json_mutant(r, first) if r.random() < 0.3 else json.dumps(first).encode(), b'{"jsonrpc":"2.0","method":"initialized","params":{}}']
        sent += [json_mutant(r, {"jsonrpc": "2.0", **each}) if r.random() < 0.6 else json.dumps({"jsonrpc": "2.0", **each}).encode() for each in r.choices(messages, k=r.randrange(1, 15))]
        sent.append(b'{"jsonrpc":"2.0","id":"last","method":"shutdown"}')
        try:
            for data in sent:
                client.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            client.process.stdin.flush()
            ends = time.monotonic() + self.arguments.patience
            while True:
                identity, _, _ = client.answered.get(timeout=max(0.01, ends - time.monotonic()))
                if identity == "last":
                    break
            client.notify("exit", None)
            code = client.process.wait(5)
            assert code in (0, 1), f"it ends with {code}"
        except Exception as error:
            (folder / "sent").write_bytes(b"\n".join(sent))
            raise AssertionError(f"editor: {type(error).__name__}: {error}: {client.errors[-2000:].decode('utf-8', 'replace')}") from error
        finally:
            client.process.kill()
            client.process.wait()

    COMMANDS = ["settings", "personal", "records", "baseline", "cache", "layout", "journal", "mcp", "dap", "editor"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gluond", default=str(ROOT / "build/bin/gluond"), type=os.path.abspath)
    parser.add_argument("--runner", default=str(ROOT / "build/bin/gluond-runner"), type=os.path.abspath)
    parser.add_argument("--fake", type=os.path.abspath, help="the fake driver of the tests, for journals")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1 << 40)
    parser.add_argument("--doors", nargs="+", choices=Doors.COMMANDS, default=Doors.COMMANDS)
    parser.add_argument("--cpu", type=float, default=10)
    parser.add_argument("--patience", type=float, default=60)
    parser.add_argument("--keep", default=str(ROOT / "build/stress"))
    arguments = parser.parse_args()
    doors, begun, done, failed = Doors(arguments), time.monotonic(), {}, 0
    names = [name for name in arguments.doors if arguments.fake or name != "journal"]
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        if time.monotonic() - begun > arguments.seconds:
            break
        name, r = names[seed % len(names)], random.Random(seed)
        folder = Path(tempfile.mkdtemp(prefix="gluond-doors-"))
        (folder / "kernel.py").write_text(PROGRAM)
        try:
            getattr(doors, name)(r, folder)
        except (AssertionError, UnicodeError, ValueError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{seed} {name}: {type(error).__name__}: {str(error)[:3000]}", flush=True)
            kept = Path(arguments.keep) / f"door-{name}-{seed}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept, symlinks=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        done[name] = done.get(name, 0) + 1
    print(f"{sum(done.values())} inputs in {time.monotonic() - begun:.0f} s ({', '.join(f'{name} {count}' for name, count in done.items())}), {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    sys.exit(main())
