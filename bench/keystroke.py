#!/usr/bin/env python3
"""Keystroke to published diagnostics, as an editor sees it: gluond lsp over its standard streams.

    bench/keystroke.py [--gluond build/bin/gluond] [--keys 400] [--json] [FILE.py ...]

Opens each file (the largest of ../shared/corpus unless given; the largest sample where there is no corpus), then types
and deletes a line in every jit function in turn, key by key, each key after the answer to the one before. Prints p50,
p99 and maximum in milliseconds, from writing didChange to having read the diagnostics of that version. Needs Python
only; nothing of Triton."""
import argparse
import json
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Client:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ids = 0

    def send(self, method, params, request=False):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request:
            self.ids += 1
            message["id"] = self.ids
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        return self.ids

    def read(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            sys.exit("the server ended")
        return json.loads(self.process.stdout.read(length))

    def until(self, wanted):
        while not wanted(message := self.read()):
            pass
        return message

    def request(self, method, params):
        number = self.send(method, params, request=True)
        return self.until(lambda m: m.get("id") == number)


def places(text):
    """Lines (0-based) after the header of each jit function, with the indentation of its body."""
    lines = text.splitlines()
    found = []
    for at, line in enumerate(lines):
        if not re.match(r"\s*@\S*jit\b", line):
            continue
        depth = 0
        for number in range(at, len(lines)):
            depth += lines[number].count("(") - lines[number].count(")")
            if depth == 0 and lines[number].rstrip().endswith(":"):
                body = lines[number + 1] if number + 1 < len(lines) else ""
                found.append((number + 1, body[:len(body) - len(body.lstrip())]))
                break
    return found or [(0, "")]


def measure(program, path, keys):
    client = Client(program)
    text = path.read_text()
    uri = path.resolve().as_uri()
    client.request("initialize", {"processId": None, "capabilities": {}, "rootUri": None})
    client.send("initialized", {})
    published = lambda version: lambda m: (m.get("method") == "textDocument/publishDiagnostics"
                                           and m["params"].get("version") == version)
    start = time.perf_counter()
    client.send("textDocument/didOpen",
                {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})
    client.until(published(1))
    opened = time.perf_counter() - start
    version, times = 1, []

    def edit(line, start, end, new):
        nonlocal version
        version += 1
        change = {"range": {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}, "text": new}
        begin = time.perf_counter()
        client.send("textDocument/didChange",
                    {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
        client.until(published(version))
        times.append((time.perf_counter() - begin) * 1e3)

    where = places(text)
    at = 0
    while len(times) < keys:
        line, indent = where[at % len(where)]
        at += 1
        typed = indent + "extra = 1 + 2"
        edit(line, 0, 0, "\n")
        for column, key in enumerate(typed):
            edit(line, column, column, key)
        for column in reversed(range(len(typed))):
            edit(line, column, column + 1, "")
        change = {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}
        version += 1
        client.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                               "contentChanges": [{"range": change, "text": ""}]})
        client.until(published(version))
    client.request("shutdown", None)
    client.send("exit", None)
    code = client.process.wait(timeout=10)
    if code:
        sys.exit(f"the server ended with {code}")
    times.sort()
    pick = lambda share: times[min(len(times) - 1, int(len(times) * share))]
    return {"file": path.name, "lines": text.count("\n"), "keys": len(times), "open_ms": opened * 1e3,
            "p50_ms": pick(0.50), "p99_ms": pick(0.99), "max_ms": times[-1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--gluond", default=ROOT / "build/bin/gluond")
    parser.add_argument("--keys", type=int, default=400)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.files:
        corpus = list((ROOT.parent / "shared/corpus").glob("*.py")) or list((ROOT / "samples").glob("*.py"))
        options.files = [max(corpus, key=lambda path: path.stat().st_size)]
    results = [measure(options.gluond, path, options.keys) for path in options.files]
    if options.json:
        print(json.dumps(results, indent=1))
    for result in [] if options.json else results:
        print("{file}: {lines} lines, opened in {open_ms:.1f} ms; {keys} keys: p50 {p50_ms:.2f} ms, p99 {p99_ms:.2f} ms, "
              "max {max_ms:.2f} ms".format(**result))


if __name__ == "__main__":
    main()
