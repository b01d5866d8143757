"""The program `gluond simulator`, which runs launches on the CPU: starts it, asks it, and starts another when it is lost.

One process serves a program; it is started with the first launch. Frames are those of docs/runner.md: `Content-Length`, `Binary-Length`,
a message of JSON-RPC, and raw bytes: IR and the contents of tensors.
"""
import atexit
import collections
import functools
import hashlib
import json
import os
import select
import subprocess
import tempfile
import threading
import time

from .compiler import find_gluond

MOST_MODULES = 64  # that the simulator keeps
MOST_HEADER = 1 << 16
GRACE = 30  # seconds that an answer may take beyond the launch's own time limit
START = 60  # seconds until the first answer
LAST_WORDS = 4096  # bytes of what a process wrote before it ended


@functools.lru_cache(maxsize=4 * MOST_MODULES)
def digest_of(code):
    return hashlib.sha256(code).digest()


class SimulatorError(RuntimeError):
    """The simulator could not be asked: it does not start, it ended, it does not answer. The next launch starts another."""


class Refused(Exception):
    """The simulator answered, with an error of this kind (docs/runner.md)."""

    def __init__(self, error):
        super().__init__(error.get("message", "it says no reason"))
        self.kind = (error.get("data") or {}).get("kind", "")


class Process:
    """One process, which belongs to the process that started it."""

    def __init__(self, program):
        self.owner = os.getpid()
        self.errors = tempfile.TemporaryFile()
        try:
            # In a session of its own: Ctrl-C in the terminal is for the program, which then takes its request back.
            self.process = subprocess.Popen([program, "simulator"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0,
                                            start_new_session=True)
        except OSError as error:
            self.errors.close()
            raise SimulatorError(f"gluond does not start: {error}") from error
        self.modules = collections.OrderedDict()  # of IR, by digest; the one used last comes last
        self.number = 0
        self.early = b""  # bytes that were read and not yet taken

    def end(self):
        if os.getpid() == self.owner:
            self.process.kill()
            self.process.wait()
        else:  # a fork's copy: the process is its parent's
            self.process.returncode = 0
        self.process.stdin.close()
        self.process.stdout.close()
        self.errors.close()

    def lost(self, why):
        """The error to raise, now that the process is of no use."""
        try:
            code = self.process.wait(0.5)
            why = f"it was ended by signal {-code}" if code < 0 else f"it ended with {code}"
        except subprocess.TimeoutExpired:
            pass
        self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - LAST_WORDS))
        words = self.errors.read().decode(errors="replace").strip()
        self.end()
        return SimulatorError(f"gluond's simulator is lost: {why}" + (f": {words}" if words else ""))

    def write(self, parts):
        for part in parts:
            view = memoryview(part).cast("B")
            while view:
                view = view[self.process.stdin.write(view):]

    def read(self, view, deadline):
        """At least one byte, as they come; how many."""
        if deadline is not None:
            seconds = deadline - time.monotonic()
            if seconds <= 0 or not select.select([self.process.stdout], [], [], seconds)[0]:
                raise TimeoutError
        count = self.process.stdout.readinto(view)
        if not count:
            raise EOFError
        return count

    def receive(self, count, deadline):
        """So many bytes, those first that came with a header."""
        got = bytearray(count)
        view = memoryview(got)
        early = self.early[:count]
        view[:len(early)] = early
        self.early, view = self.early[len(early):], view[len(early):]
        while view:
            view = view[self.read(view, deadline):]
        return got

    def frame(self, deadline):
        chunk = bytearray(MOST_HEADER)
        while (end := self.early.find(b"\r\n\r\n")) < 0:
            if len(self.early) > MOST_HEADER:
                raise ValueError("what it says is no answer")
            self.early += chunk[:self.read(chunk, deadline)]
        header, self.early = self.early[:end], self.early[end + 4:]
        lengths = {name.strip().lower(): int(value) for name, _, value in (line.partition(b":") for line in header.split(b"\r\n"))}
        text = self.receive(lengths[b"content-length"], deadline)
        return json.loads(text), self.receive(lengths.get(b"binary-length", 0), deadline)

    def send(self, message, parts=()):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        size = sum(memoryview(part).nbytes for part in parts)
        binary = f"Binary-Length: {size}\r\n" if size else ""
        self.write([f"Content-Length: {len(text)}\r\n{binary}\r\n".encode() + text, *parts])

    def ask(self, method, params, parts, seconds):
        """(result, binary). Refused: the simulator's own error. SimulatorError: it is lost."""
        self.number += 1
        deadline = None if seconds is None else time.monotonic() + seconds
        try:
            self.send({"id": self.number, "method": method, "params": params}, parts)
            while True:
                answer, binary = self.frame(deadline)
                if answer.get("id") == self.number:
                    break
        except TimeoutError:
            raise self.lost(f"it did not answer within {seconds:g} s") from None
        except (EOFError, OSError):
            raise self.lost("its connection broke") from None
        except (ValueError, KeyError) as error:
            raise self.lost(f"its answer cannot be read: {error}") from error
        except BaseException:  # KeyboardInterrupt: nobody waits for the answer any more
            self.end()
            raise
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"], binary


class Simulator:
    """Asks the simulator's process, from any thread."""

    def __init__(self, program=None):
        self.program, self.process, self.lock = program or find_gluond(), None, threading.RLock()
        atexit.register(self.close)

    def connected(self):
        if self.process is not None and (self.process.owner != os.getpid() or self.process.process.poll() is not None):
            self.process.end()
            self.process = None
        if self.process is None:
            self.process = Process(self.program)
            try:
                self.process.info, _ = self.process.ask("initialize", {}, (), START)
            except Refused as error:
                raise self.process.lost(str(error)) from None
        return self.process

    def limit(self):
        """The most bytes that the memory of one launch may take."""
        with self.lock:
            return self.connected().info["memoryBytes"]

    def module(self, code):
        """The number of IR of stage `ttgir` in the process."""
        process, key = self.connected(), digest_of(code)
        if key in process.modules:
            process.modules.move_to_end(key)
            return process.modules[key]
        if len(process.modules) >= MOST_MODULES:
            _, oldest = process.modules.popitem(last=False)
            process.ask("unload", {"module": oldest}, (), 60)
        facts, _ = process.ask("load", {"code": {"offset": 0, "size": len(code)}}, [code], 600)
        process.modules[key] = facts["module"]
        return facts["module"]

    def run(self, code, params, parts, seconds):
        """(result, binary) of a launch: `params` without its module, `parts` what its slices point into."""
        with self.lock:
            try:
                module = self.module(code)
                return self.process.ask("run", {**params, "module": module, "limitMs": max(1, int(seconds * 1000))}, parts, seconds + GRACE)
            except SimulatorError:
                self.process = None
                raise

    def close(self):
        with self.lock:
            if self.process is not None:
                self.process.end()
                self.process = None
