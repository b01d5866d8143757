#!/usr/bin/env python3
"""What an editor asks while one types, in a long file: gluond lsp over its standard streams.

    bench/features.py [--gluond build/bin/gluond] [--lines 3000] [--rounds 150] [--check] [--json] [FILE.py]

Opens the file (the samples, copied under new names until there are that many lines, unless one is given), then goes
from kernel to kernel: types a key there, and asks at that place for what editors ask after a key. Each time is from
writing a request to having read its answer; the first request after a key waits for the analysis of the edit.
Prints p50, p99 and maximum for each in milliseconds, and the server's resident memory. With --check the exit status is
1 when a p99 is above its budget: 10 ms for hover, completion and hints. Needs Python only; nothing of Triton."""
import argparse
import json
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from keystroke import ROOT, Client, places  # noqa: E402

BUDGET_MS = {"hover": 10, "completion": 10, "member completion": 10, "hints": 10}


def long_file(lines):
    """The samples again and again, every definition under a name of its own."""
    samples = sorted((ROOT / "samples").glob("*.py"))
    parts, count, number = [], 0, 0
    while count < lines:
        text = samples[number % len(samples)].read_text()
        for name in set(re.findall(r"^(?:def|class)\s+(\w+)", text, re.M)):
            text = re.sub(rf"\b{name}\b", f"{name}_{number}", text)
        parts.append(text)
        count += text.count("\n")
        number += 1
    return "".join(parts)


def memory_mb(process):
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


class Session:
    def __init__(self, program, path, text):
        self.client = Client(program)
        self.uri = path.resolve().as_uri()
        self.version = 1
        self.times = {}
        self.client.request("initialize", {"processId": None, "capabilities": {}, "rootUri": None})
        self.client.send("initialized", {})
        start = time.perf_counter()
        self.client.send("textDocument/didOpen", {"textDocument": {"uri": self.uri, "languageId": "python",
                                                                   "version": 1, "text": text}})
        self.diagnostics()
        self.opened = (time.perf_counter() - start) * 1e3

    def diagnostics(self):
        self.client.until(lambda m: m.get("method") == "textDocument/publishDiagnostics"
                          and m["params"].get("version") == self.version)

    def edit(self, line, start, end, new):
        self.version += 1
        change = {"range": {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}},
                  "text": new}
        self.client.send("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": self.version},
                                                    "contentChanges": [change]})

    def ask(self, what, method, **params):
        begin = time.perf_counter()
        answer = self.client.request(method, {"textDocument": {"uri": self.uri}, **params})
        self.times.setdefault(what, []).append((time.perf_counter() - begin) * 1e3)
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']}")
        return answer["result"]


def body_of(lines, line):
    """The lines of the function that goes on at `line`."""
    end = line
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith((" ", "\t"))):
        end += 1
    return range(line, end)


def measure(program, path, text, rounds):
    session = Session(program, path, text)
    lines = text.splitlines()
    kernels = [(line, indent) for line, indent in places(text) if indent]
    answered = 0
    for turn in range(rounds):
        line, indent = kernels[turn % len(kernels)]
        body = body_of(lines, line)
        names = [(n, m.start()) for n in body for m in re.finditer(r"\b[a-z_]\w+", lines[n])]
        at, column = names[(turn * 7) % len(names)]
        whole = {"start": {"line": max(0, line - 10), "character": 0}, "end": {"line": line + 50, "character": 0}}
        typed = indent + "extra = 1 + 2 + 3"
        # A new line, typed key by key as far as this round gets.
        session.edit(line, 0, 0, typed[:len(indent) + 8 + turn % 9] + "\n")
        below = at + 1 if at >= line else at
        position = {"line": below, "character": column + 1}
        order = ["hover", "hints", "tokens"]
        order = order[turn % 3:] + order[:turn % 3]  # each is the first after a key in its turn
        for what in order:
            if what == "hover":
                answered += session.ask("hover", "textDocument/hover", position=position) is not None
            elif what == "hints":
                session.ask("hints", "textDocument/inlayHint", range=whole)
            else:
                session.ask("semantic tokens (range)", "textDocument/semanticTokens/range", range=whole)
        session.ask("definition", "textDocument/definition", position=position)
        session.ask("highlight", "textDocument/documentHighlight", position=position)
        session.ask("signature help", "textDocument/signatureHelp", position=position)
        session.ask("code lens", "textDocument/codeLens")
        session.edit(line, len(indent), 99, "ex")
        session.ask("completion", "textDocument/completion", position={"line": line, "character": len(indent) + 2})
        session.edit(line, len(indent), 99, "gl.")
        session.ask("member completion", "textDocument/completion",
                    position={"line": line, "character": len(indent) + 3})
        session.edit(line, 0, 99, "")
        session.edit(line, 0, 0, "")
        session.version += 1
        session.client.send("textDocument/didChange",
                            {"textDocument": {"uri": session.uri, "version": session.version},
                             "contentChanges": [{"range": {"start": {"line": line, "character": 0},
                                                           "end": {"line": line + 1, "character": 0}}, "text": ""}]})
        begin = time.perf_counter()
        session.diagnostics()
        session.times.setdefault("diagnostics", []).append((time.perf_counter() - begin) * 1e3)
    memory = memory_mb(session.client.process)
    session.client.request("shutdown", None)
    session.client.send("exit", None)
    if code := session.client.process.wait(timeout=10):
        sys.exit(f"the server ended with {code}")
    if not answered:
        sys.exit("no hover was answered: nothing was measured")
    return session, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--gluond", default=ROOT / "build/bin/gluond")
    parser.add_argument("--lines", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or Path(folder) / "long_file.py"
        text = path.read_text() if options.file else long_file(options.lines)
        if not options.file:
            path.write_text(text)
        session, memory = measure(options.gluond, path, text, options.rounds)
    rows, failed = [], False
    for what, times in session.times.items():
        times.sort()
        pick = lambda share: times[min(len(times) - 1, int(len(times) * share))]
        row = {"request": what, "times": len(times), "p50_ms": pick(0.5), "p99_ms": pick(0.99), "max_ms": times[-1]}
        failed |= row["p99_ms"] > BUDGET_MS.get(what, float("inf"))
        rows.append(row)
    if options.json:
        print(json.dumps({"file": path.name, "lines": text.count("\n"), "open_ms": session.opened, "memory_mb": memory,
                          "requests": rows}, indent=1))
    else:
        print(f"{path.name}: {text.count(chr(10))} lines, opened in {session.opened:.1f} ms, {memory:.0f} MB resident")
        for row in rows:
            budget = BUDGET_MS.get(row["request"])
            print("{request:24} p50 {p50_ms:6.2f}  p99 {p99_ms:6.2f}  max {max_ms:6.2f} ms".format(**row)
                  + (f"  (budget {budget})" if budget else ""))
    return 1 if failed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
