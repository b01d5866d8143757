#!/usr/bin/env python3
"""What an editor asks, in files of 3,000 lines: gluond lsp over its standard streams.

    bench/features.py [--gluond build/bin/gluond] [--lines 3000] [--rounds 60] [--only WORD] [--corpus DIR] [--slow MS]
                      [--check] [--json] [FILE.py ...]

For each file (those of long_files.py, with the tutorials of ../shared/corpus where that is; or the ones given) it opens
the file and asks for a hover at once ("cold"); then, with nothing going on, asks for everything that editors ask for, at
random places of every kind ("at rest"); then types lines in kernels, in code of the host and between functions, asking
for one thing after each key before anything else is done ("after a key": it waits for the analysis of the edit).
Each time is from writing a request to having read its answer. Prints p50, p99 and maximum in milliseconds over all files,
the worst file's p99, and for each file opening and resident memory. --slow prints each request slower than that.
With --check the exit status is 1 when a p99 over all files is above 10 ms for hover, completion or hints. `chrt -f 10`
before the command keeps what else runs off its cores. Needs Python only; nothing of Triton."""
import argparse
import gc
import json
import random
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from keystroke import ROOT, Client, places  # noqa: E402
import long_files  # noqa: E402
import memory  # noqa: E402

BUDGET_MS = {"hover": 10, "completion": 10, "member completion": 10, "hints (view)": 10, "hints (file)": 10}

# Where a request is made, by what stands there.
KINDS = {"name": r"\b[a-zA-Z_]\w*", "member": r"(?<=\.)[a-z]\w+", "argument": r"(?<=[(,] )\w+|(?<=\()\w+",
         "layout": r"\b\w+Layout\b", "string": r"\"[^\"\n]*\"", "comment": r"#.*", "number": r"\b\d+\b", "anything": r"\S"}


def at_point(session, line, column):
    return {"position": {"line": line, "character": column}}


def view(session, line, column):
    first, last = max(0, line - 25), min(session.count, line + 25)
    return {"range": {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}}


def whole(session, line, column):
    return {"range": {"start": {"line": 0, "character": 0}, "end": {"line": session.count, "character": 0}}}


def line_of(session, line, column):
    spot = {"line": line, "character": column}
    return {"range": {"start": spot, "end": spot}, "context": {"diagnostics": []}}


def nothing(session, line, column):
    return {}


def delta(session, line, column):
    return {"previousResultId": session.tokens}


REQUESTS = {
    "hover": ("hover", at_point),
    "completion": ("completion", at_point),
    "hints (view)": ("inlayHint", view),
    "hints (file)": ("inlayHint", whole),
    "signature help": ("signatureHelp", at_point),
    "definition": ("definition", at_point),
    "type definition": ("typeDefinition", at_point),
    "references": ("references", lambda *at: {**at_point(*at), "context": {"includeDeclaration": True}}),
    "highlight": ("documentHighlight", at_point),
    "prepare rename": ("prepareRename", at_point),
    "rename": ("rename", lambda *at: {**at_point(*at), "newName": "renamed_by_bench"}),
    "code action": ("codeAction", line_of),
    "code lens": ("codeLens", nothing),
    "symbols": ("documentSymbol", nothing),
    "folding": ("foldingRange", nothing),
    "tokens (view)": ("semanticTokens/range", view),
    "tokens (file)": ("semanticTokens/full", nothing),
    "tokens (delta)": ("semanticTokens/full/delta", delta),
    "selection range": ("selectionRange", lambda s, line, column: {"positions": [{"line": line, "character": column}]}),
}
AFTER_A_KEY = [each for each in REQUESTS if each not in ("rename", "references")] + ["member completion"]


class Session:
    def __init__(self, program, path):
        self.client = Client(program)
        self.uri = path.resolve().as_uri()
        self.lines = path.read_text().split("\n")
        self.version, self.published, self.tokens = 1, 0, ""
        self.times, self.slow = {}, []
        self.call("initialize", {"processId": None, "capabilities": {}, "rootUri": None})
        self.client.send("initialized", {})
        begin = time.perf_counter()
        self.client.send("textDocument/didOpen", {"textDocument": {"uri": self.uri, "languageId": "python", "version": 1,
                                                                   "text": "\n".join(self.lines)}})
        line, indent = places("\n".join(self.lines))[-1]
        self.ask("hover", "cold", line, len(indent) + 1)
        self.settle()
        self.opened = (self.published_at - begin) * 1e3

    count = property(lambda self: len(self.lines))

    def message(self):
        """The next message as text, and when it was there."""
        stream, length = self.client.process.stdout, 0
        while (line := stream.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            sys.exit("the server ended")
        body = stream.read(length)
        arrived = time.perf_counter()
        if b'"textDocument/publishDiagnostics"' in body[:200] + body[-200:]:
            self.published = int((re.findall(rb'"version":(\d+)', body) or [0])[-1])
            self.published_at = arrived
        return body, arrived

    def call(self, method, params):
        number = self.client.send(method, params, request=True)
        mark = b'"id":%d,' % number
        while True:  # what comes between is not taken apart: that would be this program's time
            body, arrived = self.message()
            if mark in body[:60] + body[-60:]:
                return json.loads(body), arrived

    def settle(self):
        """Waits until the diagnostics of this version are there and nothing has come for a while."""
        while self.published < self.version:
            self.message()
        time.sleep(0.15)  # the full look follows after a pause
        self.call("textDocument/foldingRange", {"textDocument": {"uri": self.uri}})

    def edit(self, line, start, end_line, end, new):
        self.version += 1
        self.client.send("textDocument/didChange", {
            "textDocument": {"uri": self.uri, "version": self.version},
            "contentChanges": [{"range": {"start": {"line": line, "character": start},
                                          "end": {"line": end_line, "character": end}}, "text": new}]})
        text = self.lines[line][:start] + new + self.lines[end_line][end:]
        self.lines[line:end_line + 1] = text.split("\n")

    def ask(self, what, when, line, column):
        method, params = REQUESTS[what if what in REQUESTS else "completion"]
        params = params(self, line, column)
        begin = time.perf_counter()
        answer, arrived = self.call("textDocument/" + method, {"textDocument": {"uri": self.uri}, **params})
        spent = (arrived - begin) * 1e3
        self.times.setdefault((what, when), []).append(spent)
        self.slow.append((spent, what, when, line, column))
        if "error" in answer:
            if what != "rename" and "prepare" not in what:  # which refuse what has no name of the file's own
                sys.exit(f"{method}: {answer['error']}")
        elif what.startswith("tokens (") and answer["result"] and "resultId" in answer["result"]:
            self.tokens = answer["result"]["resultId"]

    def memory_mb(self):
        return memory.status(self.client.process, "VmRSS")

    def end(self):
        self.call("shutdown", None)
        self.client.send("exit", None)
        if code := self.client.process.wait(timeout=10):
            sys.exit(f"the server ended with {code}")


def positions(lines):
    """Endless random places, every kind as often as the others."""
    found = {kind: [] for kind in KINDS}
    for number, line in enumerate(lines):
        for kind, pattern in KINDS.items():
            found[kind] += [(number, m.start() + (m.end() > m.start() + 1)) for m in re.finditer(pattern, line)]
    kinds = [each for each in found.values() if each]
    while True:
        for each in kinds:
            yield random.choice(each)


def where_to_type(session):
    """Lines before which one types, with what: in kernels, in functions of the host, between functions."""
    text = "\n".join(session.lines)
    kernels = [(line, indent + "extra = gl.num_warps() + 1") for line, indent in places(text)]
    starts = {line for line, _ in kernels}
    host = [(n + 1, "    extra = [1, 2] + [3]") for n, line in enumerate(session.lines)
            if re.match(r"def .*:$", line) and n + 1 not in starts]
    between = [(n, "extra = 1 + 2") for n, line in enumerate(session.lines) if re.match(r"@\S*jit\b", line)]
    return [each for each in (kernels, kernels, kernels, host, between) if each]


def measure(program, path, rounds):
    random.seed(7)
    session = Session(program, path)
    anywhere = positions(session.lines)
    session.ask("tokens (file)", "at rest", 0, 0)
    for what in REQUESTS:
        for _ in range(rounds if REQUESTS[what][1] is not nothing else min(rounds, 20)):
            session.ask(what, "at rest", *next(anywhere))
    typing, turn, asked = where_to_type(session), 0, 0
    while asked < rounds * len(AFTER_A_KEY):
        line, typed = random.choice(typing[turn % len(typing)])
        turn += 1
        session.edit(line, 0, line, 0, "\n")
        near = [(n, m.start() + 1) for n in range(max(0, line - 10), min(line + 30, session.count))
                for m in re.finditer(r"\b[a-z_]\w+", session.lines[n]) if n != line]
        for column, key in enumerate(typed):
            session.edit(line, column, line, column, key)
            if key == " " and not typed[:column].strip():
                continue  # an editor indents at once
            what = AFTER_A_KEY[asked % len(AFTER_A_KEY)]
            asked += 1
            if key == "." or what.endswith("completion"):
                what = "member completion" if re.search(r"\.\w*$", typed[:column + 1]) else "completion"
                session.ask(what, "after a key", line, column + 1)
            elif what == "signature help":
                session.ask(what, "after a key", line, column + 1)
            elif near:
                session.ask(what, "after a key", *random.choice(near))
            sent = time.perf_counter()
            while session.published < session.version:
                session.message()
            session.times.setdefault(("diagnostics", "after a key"), []).append(
                max(0.0, session.published_at - sent) * 1e3)
        session.edit(line, 0, line + 1, 0, "")
        session.settle()
    session.memory = session.memory_mb()
    session.end()
    return session


def quantile(times, share):
    times = sorted(times)
    return times[min(len(times) - 1, int(len(times) * share))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--gluond", default=ROOT / "build/bin/gluond")
    parser.add_argument("--lines", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--only", default="", help="files with this in their names")
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared/corpus")
    parser.add_argument("--slow", type=float, default=float("inf"))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    gc.disable()
    all_times, rows, opened = {}, [], []
    with tempfile.TemporaryDirectory() as folder:
        files = [(path.stem, path) for path in options.files] or long_files.files(folder, options.lines, options.corpus)
        for name, path in files:
            if options.only not in name:
                continue
            session = measure(options.gluond, path, options.rounds)
            gc.collect()
            opened.append({"file": name, "lines": path.read_text().count("\n"), "open_ms": session.opened,
                           "memory_mb": session.memory})
            if not options.json:
                print("{file:30} {lines} lines, opened in {open_ms:5.0f} ms, {memory_mb:4.0f} MB; after a key p99 ".format(
                    **opened[-1]) + ", ".join(f"{what} {quantile(session.times[what, 'after a key'], 0.99):.1f}"
                                              for what in BUDGET_MS), flush=True)
            for key, times in session.times.items():
                all_times.setdefault(key, {})[name] = times
            for spent, what, when, line, column in sorted(session.slow, reverse=True):
                if spent > options.slow:
                    print(f"  {spent:6.1f} ms {what} {when}, {line + 1}:{column + 1}")
    failed = False
    for (what, when), files in sorted(all_times.items(), key=lambda each: (each[0][1], each[0][0])):
        times = [each for of_file in files.values() for each in of_file]
        worst = max(files, key=lambda name: quantile(files[name], 0.99))
        row = {"request": what, "when": when, "times": len(times), "p50_ms": quantile(times, 0.5),
               "p99_ms": quantile(times, 0.99), "max_ms": max(times), "worst_p99_ms": quantile(files[worst], 0.99),
               "worst_file": worst}
        failed |= when != "cold" and row["p99_ms"] > BUDGET_MS.get(what, float("inf"))
        rows.append(row)
    if options.json:
        print(json.dumps({"files": opened, "requests": rows}, indent=1))
    else:
        for row in rows:
            print("{when:12} {request:18} p50 {p50_ms:6.2f}  p99 {p99_ms:6.2f}  max {max_ms:7.2f} ms  "
                  "(worst p99 {worst_p99_ms:6.2f}: {worst_file})".format(**row))
    return 1 if failed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
