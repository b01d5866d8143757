#!/usr/bin/env python3
"""Hostile files in an editor: what `gluond lsp` spends on each, and whether the rest of the workspace notices.

    python3 tests/stress/hostile.py [--seed 0] [--count 200] [--classes NAME...] [--gluond build/bin/gluond]

A session opens a file that is ordinary and, one after another, hostile ones (hostile_files.py), with the requests that an editor sends for an open file. Must hold for each:
  - it costs at most --cpu seconds of CPU time in all processes of the server, and --megabytes more than before;
  - the ordinary file's hovers are answered meanwhile before the server has spent --latency seconds of CPU time (on an idle machine: within that time), and all
    other requests within --patience;
  - every second one is replaced by a line while gluond works on it: after --settle seconds it takes no more than a fifth of a second of CPU time;
  - the worker is not replaced, and now and then, in the middle of a file, `exit` ends the server within --leave seconds.
Exit code 1 if one failed; the file is kept in --keep, the slowest are listed."""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
import hostile_files  # noqa: E402
from grammar import ROOT  # noqa: E402
from server import Client  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")


def processes_below(pid):
    found = [pid]
    for each in found:
        try:
            for task in os.listdir(f"/proc/{each}/task"):
                found += map(int, Path(f"/proc/{each}/task/{task}/children").read_text().split())
        except OSError:
            pass  # it has ended meanwhile
    return found


def cpu_of(client):
    """Seconds of CPU time of all processes of the server so far."""
    total = 0
    for pid in processes_below(client.process.pid):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += sum(map(int, fields[11:15]))
        except (OSError, IndexError):
            pass
    return total / TICKS


class Session:
    def __init__(self, arguments):
        self.arguments = arguments
        # What else the machine does delays answers, and is none of the server's business.
        self.client = Client(arguments, "/", cpu_of)
        self.client.request("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {}})
        self.client.notify("initialized", {})
        self.version = 0
        self.pings, self.latencies, self.problems = {}, [], []
        calm = (ROOT / "samples/copy_2d.py").read_text()
        self.where = next(i for i, line in enumerate(calm.split("\n")) if "gl.load" in line)
        self.open("file:///gluond-stress/ordinary.py", calm)
        self.hover()
        self.quiet(20)
        self.collect()
        self.latencies.clear()
        self.worker = processes_below(self.client.process.pid)[1:2]

    def open(self, uri, text):
        self.version += 1
        self.client.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": self.version, "text": text}})

    def hover(self):
        self.pings[self.client.request("textDocument/hover", {"textDocument": {"uri": "file:///gluond-stress/ordinary.py"}, "position": {"line": self.where, "character": 12}})] = True

    def collect(self):
        for identity, method, seconds, _ in self.client.collect():
            if self.pings.pop(identity, None):
                self.latencies.append(seconds)

    def cpu(self):
        return cpu_of(self.client)

    def megabytes(self, field="VmRSS"):
        total = 0
        for pid in processes_below(self.client.process.pid):
            try:
                total += int(re.search(field + r":\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) / 1024
            except (OSError, TypeError):
                pass
        return total

    def quiet(self, most, ping=False):
        """Waits until the server neither works nor owes an answer. Returns whether it came to that."""
        begun, since, before, next_ping = time.monotonic(), time.monotonic(), self.cpu(), 0
        while time.monotonic() < begun + most:
            time.sleep(0.05)
            self.collect()
            now, spent = time.monotonic(), self.cpu()
            if self.client.process.poll() is not None:
                return False
            if spent - before > 0.03 or any(each not in self.pings for each in self.client.waiting):
                since, before = now, spent
            elif now - since > 0.4 and not self.pings:
                return True
            if ping and now > next_ping and len(self.pings) < 3 and now - since < 0.3:
                next_ping = now + 0.15
                self.hover()
        return False


def run_file(session, uri, text, r, arguments):
    """(seconds of CPU, megabytes, latency, problems)"""
    client, problems = session.client, []
    replaced = r.random() < 0.4
    # Memory that the last file took goes back with its text.
    for pid in processes_below(client.process.pid):
        Path(f"/proc/{pid}/clear_refs").write_text("5")
    memory, cpu = session.megabytes(), session.cpu()
    session.latencies.clear()
    session.open(uri, text)
    lines = text.count("\n")
    document = {"textDocument": {"uri": uri}}
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": lines, "character": 0}}
    for method in ("documentSymbol", "foldingRange", "codeLens", "semanticTokens/full", "documentLink"):
        client.request("textDocument/" + method, document)
    client.request("textDocument/inlayHint", {**document, "range": everything})
    place = {"line": r.randrange(lines + 1), "character": r.randrange(12)}
    client.request("textDocument/codeAction", {**document, "range": {"start": place, "end": place}, "context": {"diagnostics": []}})
    for method in ("hover", "completion", "signatureHelp", "documentHighlight", "definition"):
        client.request("textDocument/" + method, {**document, "position": place})
    if replaced:
        ends = time.monotonic() + r.choice([0.05, 0.3, 1.0])
        while time.monotonic() < ends:
            session.hover()
            time.sleep(0.1)
            session.collect()
        session.version += 1
        client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": session.version}, "contentChanges": [{"text": "x = 1\n"}]})
        time.sleep(arguments.settle)
        before = session.cpu()
        time.sleep(1)
        burnt = session.cpu() - before
        if burnt > 0.2:
            problems.append(f"burns {burnt:.2f} s of CPU after it was replaced")
    if not session.quiet(arguments.patience, ping=not replaced):
        waiting = sorted({method for method, _ in client.waiting.values()})
        problems.append(f"the server died: {client.process.returncode}\n{client.errors.decode('utf-8', 'replace')[-3000:]}" if client.process.poll() is not None else f"not at rest after {arguments.patience} s: {', '.join(waiting) or 'it works'}")
    spent, grown = session.cpu() - cpu, session.megabytes("VmHWM") - memory
    if client.process.poll() is None and processes_below(client.process.pid)[1:2] != session.worker:
        problems.append("the worker was replaced")
        session.worker = processes_below(client.process.pid)[1:2]
    client.notify("textDocument/didClose", document)
    session.quiet(5)
    late = max(session.latencies, default=0)
    if spent > arguments.cpu:
        problems.append(f"costs {spent:.1f} s of CPU")
    if grown > arguments.megabytes:
        problems.append(f"takes {grown:.0f} MB")
    if late > arguments.latency:
        problems.append(f"the ordinary file waits {late:.2f} s")
    return spent, grown, late, session.latencies[:], problems


def leave(session, uri, text, r, arguments):
    """The server's last second, in the middle of a file."""
    session.open(uri, text)
    time.sleep(r.choice([0, 0.1, 0.5]))
    session.client.request("shutdown", None)
    session.client.notify("exit", None)
    begun = time.monotonic()
    try:
        session.client.process.wait(20)
    except subprocess.TimeoutExpired:
        session.client.process.kill()
    took = time.monotonic() - begun
    problems = [f"exit takes {took:.1f} s"] if took > arguments.leave else []
    if session.client.process.returncode:
        problems.append(f"the server ends with {session.client.process.returncode}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gluond", default=str(ROOT / "build/bin/gluond"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seconds", type=float, help="at most so long")
    parser.add_argument("--classes", nargs="+", choices=hostile_files.FILES, help="only these")
    parser.add_argument("--each", type=int, default=40, help="files a session")
    for name, value in (("cpu", 2.0), ("megabytes", 512), ("latency", 0.3), ("patience", 120), ("settle", 0.3), ("leave", 1.0)):
        parser.add_argument("--" + name, type=float, default=value)
    parser.add_argument("--keep", default=str(ROOT / "build/stress"))
    arguments = parser.parse_args()

    begun, session, rows, latencies, failed = time.monotonic(), None, [], [], 0
    seeds = (seed for seed in range(arguments.seed, 1 << 40) if not arguments.classes or hostile_files.class_of(seed) in arguments.classes)
    for number, seed in zip(range(arguments.count), seeds):
        if arguments.seconds and time.monotonic() - begun > arguments.seconds:
            break
        session = session or Session(arguments)
        name, text = hostile_files.case(seed)
        r, uri = random.Random(seed), f"file:///gluond-stress/h{seed}.py"
        spent, grown, late, all, problems = run_file(session, uri, text, r, arguments)
        latencies += all
        if session.client.process.poll() is None and number % arguments.each == arguments.each - 1:
            problems += leave(session, uri, text, r, arguments)
        if session.client.process.poll() is not None:
            session = None
        rows.append((spent, grown, name, seed))
        if problems:
            failed += 1
            Path(arguments.keep).mkdir(parents=True, exist_ok=True)
            Path(arguments.keep, f"hostile-{seed}.py").write_text(text, "utf-8")
            print(f"{seed} {name} ({len(text)} characters; {spent:.1f} s, {grown:.0f} MB, {late:.2f} s): {'; '.join(problems)}", flush=True)
    if session:
        session.client.process.kill()
    latencies.sort()
    print(f"{len(rows)} files in {time.monotonic() - begun:.0f} s, {failed} failed; hover elsewhere {latencies[len(latencies) // 2] * 1000:.0f} ms, "
          f"{latencies[int(len(latencies) * 0.99)] * 1000:.0f} ms (99%), {latencies[-1] * 1000:.0f} ms (most)")
    for spent, grown, name, seed in sorted(rows, reverse=True)[:8]:
        print(f"  {spent:.1f} s, {grown:.0f} MB: {name}, seed {seed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
