#!/usr/bin/env python3
"""A session of edits in hostile and ordinary files: `gluond lsp` stays alive, answers, and does not grow.

    python3 tests/stress/server.py [--seconds 60] [--seed 0] [--gluond build/bin/gluond]

One file is edited at random, with requests in between; its texts are mutants as in mutate.py. Another, ordinary one is asked for a hover all along. Must hold:
every request is answered, the ordinary file within --latency seconds, in at most --megabytes; after `shutdown` and `exit` the process ends within --leave
seconds, whatever it was doing. Exit code 1 when something failed; what was sent is kept as build/stress/session-SEED.jsonl."""
import argparse
import json
import os
import queue
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
from grammar import ROOT  # noqa: E402
from mutate import programs  # noqa: E402
from mutators import Mutator  # noqa: E402

AT_PLACES = ["hover", "completion", "definition", "references", "signatureHelp", "documentHighlight", "typeDefinition", "prepareRename", "prepareCallHierarchy"]
OF_FILES = ["documentSymbol", "foldingRange", "codeLens", "semanticTokens/full", "diagnostic"]


class Client:
    def __init__(self, arguments, folder, clock=lambda client: time.monotonic()):
        self.clock = clock
        self.process = subprocess.Popen([arguments.gluond, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
                                        env={**os.environ, "GLUOND_CACHE_DIR": "off"})
        self.sent, self.next, self.waiting, self.answered = [], 1, {}, queue.Queue()
        self.errors = b""
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stderr:
            self.errors = (self.errors + line)[-20000:]

    def read(self):
        while header := self.process.stdout.readline():
            if not header.lower().startswith(b"content-length:"):
                continue
            size = int(header.split(b":")[1])
            while self.process.stdout.readline().strip():
                pass
            message = json.loads(self.process.stdout.read(size).decode("utf-8"))
            if "method" not in message:
                self.answered.put((message.get("id"), self.clock(self), message))

    def send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.sent.append(data)
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def request(self, method, params):
        identity, self.next = self.next, self.next + 1
        self.waiting[identity] = (method, self.clock(self))
        self.send({"id": identity, "method": method, "params": params})
        return identity

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def collect(self):
        """What was answered since: (request, method, seconds)."""
        done = []
        while not self.answered.empty():
            identity, when, message = self.answered.get()
            if identity in self.waiting:
                method, since = self.waiting.pop(identity)
                done.append((identity, method, when - since, message))
        return done

    def megabytes(self):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        return 0


def edit(r, text):
    """A change as LSP has it, and the text after it, as a person or a paste makes it."""
    lines = text.split("\n")
    line = r.randrange(len(lines))
    begin = r.randrange(len(lines[line]) + 1)
    last = min(len(lines) - 1, line + r.choice([0, 0, 0, 1, 5]))
    end = r.randrange(begin, len(lines[line]) + 1) if last == line else r.randrange(len(lines[last]) + 1)
    put = r.choice(["x", "(", ")", "\n", "    ", "gl.", "1", "", '"', "#", ":", lines[r.randrange(len(lines))]])

    def units(piece):
        return len(piece.encode("utf-16-le", "surrogatepass")) // 2
    change = {"range": {"start": {"line": line, "character": units(lines[line][:begin])}, "end": {"line": last, "character": units(lines[last][:end])}}, "text": put}
    return change, "\n".join(lines[:line] + [lines[line][:begin] + put + lines[last][end:]] + lines[last + 1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gluond", default=str(ROOT / "build/bin/gluond"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--latency", type=float, default=1.0, help="of the ordinary file, in seconds")
    parser.add_argument("--patience", type=float, default=20, help="until any request must be answered")
    parser.add_argument("--leave", type=float, default=1.0)
    parser.add_argument("--megabytes", type=float, default=2048)
    arguments = parser.parse_args()
    r = random.Random(arguments.seed)
    mutator = Mutator(programs([p for p in [ROOT / "tests/data", ROOT / "samples", ROOT.parent / "shared/corpus"] if p.exists()]))

    client = Client(arguments, ROOT)
    client.request("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {}})
    client.notify("initialized", {})
    ordinary, edited = "file:///gluond-stress/ordinary.py", "file:///gluond-stress/edited.py"

    def open_file(uri, text, version):
        client.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": version, "text": text}})
    calm = (ROOT / "samples/copy_2d.py").read_text()
    where = next(i for i, line in enumerate(calm.split("\n")) if "gl.load" in line)
    open_file(ordinary, calm, 1)

    problems, latencies, pings, version, text, most = [], [], set(), 1, "x = 1\n", 0.0
    open_file(edited, text, version)
    start, next_ping, requests, texts = time.monotonic(), 0.0, 0, 0
    # The first look at the ordinary file counts as starting.
    first = client.request("textDocument/hover", {"textDocument": {"uri": ordinary}, "position": {"line": where, "character": 12}})
    while first in client.waiting and time.monotonic() < start + arguments.patience:
        client.collect()
        time.sleep(0.01)

    def look():
        nonlocal most
        for identity, method, seconds, _ in client.collect():
            if identity in pings:
                pings.discard(identity)
                latencies.append(seconds)
        now = time.monotonic()
        for identity, (method, since) in client.waiting.items():
            if now - since > (arguments.latency * 5 if identity in pings else arguments.patience):
                problems.append(f"{method} was not answered within {now - since:.1f} s")
        if client.process.poll() is not None:
            problems.append(f"the server died: {client.process.returncode}\n{client.errors.decode('utf-8', 'replace')}")
        else:
            most = max(most, client.megabytes())
        if most > arguments.megabytes:
            problems.append(f"the server takes {most:.0f} MB")

    while time.monotonic() < start + arguments.seconds and not problems:
        version += 1
        if r.random() < 0.25:
            data, _ = mutator.mutant(r.randrange(1 << 30))
            text = data.decode("utf-8", "replace")
            texts += 1
            changes = [{"text": text}]
        else:
            change, text = edit(r, text)
            changes = [change]
        try:
            client.notify("textDocument/didChange", {"textDocument": {"uri": edited, "version": version}, "contentChanges": changes})
            lines = text.split("\n")
            for _ in range(r.randrange(4)):
                line = r.randrange(len(lines))
                document = {"textDocument": {"uri": edited}}
                if r.random() < 0.7:
                    extra = {"context": {"includeDeclaration": True}}
                    client.request("textDocument/" + r.choice(AT_PLACES), {**document, "position": {"line": line, "character": r.randrange(len(lines[line]) + 2)}, **extra})
                else:
                    client.request("textDocument/" + r.choice(OF_FILES), document)
                requests += 1
                if r.random() < 0.1:
                    client.notify("$/cancelRequest", {"id": client.next - 1})
            if time.monotonic() > next_ping:
                next_ping = time.monotonic() + 0.25
                pings.add(client.request("textDocument/hover", {"textDocument": {"uri": ordinary}, "position": {"line": where, "character": 12}}))
        except BrokenPipeError:
            client.process.wait(5)
        look()
        time.sleep(r.choice([0, 0.01, 0.05, 0.3, 1.0]))
    ends = time.monotonic() + arguments.patience
    while client.waiting and time.monotonic() < ends and not problems:
        look()
        time.sleep(0.05)
    if not problems:
        # Whatever it is doing now.
        client.notify("textDocument/didChange", {"textDocument": {"uri": edited, "version": version + 1},
                                                 "contentChanges": [{"text": "x = 3\nwhile True:\n    x = x * x % (10 ** 4000 + 7)\n"}]})
        time.sleep(0.5)
        client.request("shutdown", None)
        client.notify("exit", None)
        left = time.monotonic()
        try:
            client.process.wait(30)
        except subprocess.TimeoutExpired:
            client.process.kill()
        if time.monotonic() - left > arguments.leave:
            problems.append(f"the server took {time.monotonic() - left:.1f} s to end")
        if client.process.returncode:
            problems.append(f"the server ended with {client.process.returncode}")
    else:
        client.process.kill()
    latencies.sort()
    if latencies:
        middle, late = latencies[len(latencies) // 2], latencies[int(len(latencies) * 0.99)]
        print(f"{texts} texts, {version} versions, {requests} requests; hover elsewhere {middle * 1000:.0f} ms, {late * 1000:.0f} ms (99%); {most:.0f} MB")
        if late > arguments.latency:
            problems.append(f"the ordinary file waited {late:.1f} s")
    for problem in problems:
        print(problem)
    if problems:
        kept = ROOT / "build/stress"
        kept.mkdir(parents=True, exist_ok=True)
        (kept / f"session-{arguments.seed}.jsonl").write_bytes(b"\n".join(client.sent))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
