#!/usr/bin/env python3
"""Resident memory of gluond lsp with many kernels open.

    bench/memory.py [--gluond build/bin/gluond] [--kernels 50] [--edits 1000] [FILE.py ...]

Opens files (the samples, copied under new names until they hold that many jit functions, unless some are given), waits
for the diagnostics of each, asks for its code lenses (every kernel's selected specialization down to ttgir) and for a
hover in each function, then types keys in all of them. Prints the resident memory after each step in MB, and the most
there was. Needs Python only; nothing of Triton."""
import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from keystroke import ROOT, Client, places  # noqa: E402


def status(process, key):
    """Of the server: the process that the client speaks to, and the one that works for it."""
    pids = [process.pid]
    for task in Path(f"/proc/{process.pid}/task").iterdir():
        pids += (task / "children").read_text().split()
    total = 0
    for pid in pids:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(key + ":"):
                total += int(line.split()[1]) / 1024
    return total


def copies(folder, kernels):
    """The samples, again and again, until there are that many jit functions."""
    samples, files, count = sorted((ROOT / "samples").glob("*.py")), [], 0
    while count < kernels:
        sample = samples[len(files) % len(samples)]
        files.append(Path(folder) / f"{sample.stem}_{len(files)}.py")
        files[-1].write_text(sample.read_text())
        count += len(places(sample.read_text()))
    return files


def measure(program, files, edits):
    client = Client(program)
    steps = []
    client.request("initialize", {"processId": None, "capabilities": {}, "rootUri": None})
    client.send("initialized", {})
    steps.append(("started", status(client.process, "VmRSS")))
    documents = []
    for path in files:
        text = path.read_text()
        uri = path.resolve().as_uri()
        documents.append((uri, text.splitlines(), [each for each in places(text) if each[1]]))
        client.send("textDocument/didOpen",
                    {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})
        client.until(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri)
    kernels = sum(len(where) for _, _, where in documents)
    steps.append((f"{len(files)} files with {kernels} jit functions open", status(client.process, "VmRSS")))
    for uri, lines, where in documents:
        client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        for line, indent in where:
            client.request("textDocument/hover", {"textDocument": {"uri": uri},
                                                  "position": {"line": line, "character": len(indent) + 1}})
    steps.append(("code lenses and a hover in each", status(client.process, "VmRSS")))
    versions = {uri: 1 for uri, _, _ in documents}
    for edit in range(edits):
        uri, _, where = documents[edit % len(documents)]
        line, indent = where[edit // len(documents) // 2 % len(where)]
        versions[uri] += 1
        isTyped = edit // len(documents) % 2 == 0
        end = {"line": line, "character": 0} if isTyped else {"line": line + 1, "character": 0}
        change = {"range": {"start": {"line": line, "character": 0}, "end": end},
                  "text": f"{indent}extra = {edit}\n" if isTyped else ""}
        client.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": versions[uri]},
                                               "contentChanges": [change]})
        client.until(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri
                     and m["params"].get("version") == versions[uri])
    steps.append((f"after {edits} edits", status(client.process, "VmRSS")))
    steps.append(("the most", status(client.process, "VmHWM")))
    client.request("shutdown", None)
    client.send("exit", None)
    if code := client.process.wait(timeout=10):
        sys.exit(f"the server ended with {code}")
    return steps


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--gluond", default=ROOT / "build/bin/gluond")
    parser.add_argument("--kernels", type=int, default=50)
    parser.add_argument("--edits", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for what, megabytes in measure(options.gluond, options.files or copies(folder, options.kernels), options.edits):
            print(f"{megabytes:6.0f} MB  {what}")


if __name__ == "__main__":
    main()
