"""The program `gluond simulator`, which runs launches on the CPU: starts it, asks it, and starts another when it is lost.

One process serves a program; it is started with the first launch. Frames are those of docs/runner.md: `Content-Length`, `Binary-Length`,
a message of JSON-RPC, and raw bytes: IR and the contents of tensors.
"""
import atexit
import collections
import contextlib
import functools
import hashlib
import os
import threading

from .compiler import find_gluond
from .program import UNREADABLE, Connection, Lost, Refused

MOST_MODULES = 64  # that the simulator keeps
GRACE = 30  # seconds that an answer may take beyond the launch's own time limit
START = 60  # seconds until the first answer
LOAD = 600  # seconds until it has read a kernel's IR


@functools.lru_cache(maxsize=4 * MOST_MODULES)
def digest_of(code):
    return hashlib.sha256(code).digest()


class SimulatorError(RuntimeError):
    """The simulator could not be asked: it does not start, it ended, it does not answer. The next launch starts another."""


class Simulator:
    """Asks the simulator's process, from any thread."""

    def __init__(self, program=None):
        self.program, self.process, self.lock = program or find_gluond(), None, threading.RLock()
        self.info, self.modules = {}, collections.OrderedDict()  # modules of IR, by digest; the one used last comes last
        atexit.register(self.close)

    @contextlib.contextmanager
    def lost(self):
        """Whatever goes wrong in here loses the process, and is a SimulatorError; Refused comes out as it is."""
        with self.lock:
            try:
                yield
            except Refused:
                raise
            except Lost as error:
                self.process = None
                raise SimulatorError(str(error)) from error
            except BaseException as error:
                process, self.process = self.process, None
                if process is None or not isinstance(error, UNREADABLE):  # KeyboardInterrupt: nobody waits for the answer any more
                    if process is not None:
                        process.end()
                    raise
                raise SimulatorError(str(process.unreadable(error))) from error

    def connected(self):
        if self.process is not None and (self.process.owner != os.getpid() or self.process.process.poll() is not None):
            self.process.end()
            self.process = None
        if self.process is None:
            self.process = Connection([self.program, "simulator"], "gluond's simulator")
            self.modules.clear()
            try:
                self.info, _ = self.process.ask("initialize", {}, (), START)
            except Refused as error:
                raise self.process.lost(str(error)) from None
        return self.process

    def limit(self):
        """The most bytes that the memory of one launch may take."""
        with self.lost():
            self.connected()
            return int(self.info["memoryBytes"])

    def module(self, code):
        """The number of IR of stage `ttgir` in the process."""
        process, key = self.connected(), digest_of(code)
        if key in self.modules:
            self.modules.move_to_end(key)
            return self.modules[key]
        if len(self.modules) >= MOST_MODULES:
            _, oldest = self.modules.popitem(last=False)
            process.ask("unload", {"module": oldest}, (), START)
        facts, _ = process.ask("load", {"code": {"offset": 0, "size": len(code)}}, [code], LOAD)
        self.modules[key] = facts["module"]
        return facts["module"]

    def run(self, code, params, parts, seconds, read=lambda result, binary: (result, binary)):
        """What `read` makes of the result of a launch and of its bytes: `params` are without its module, `parts` are what its slices point into."""
        with self.lost():
            module = self.module(code)
            return read(*self.process.ask("run", {**params, "module": module, "limitMs": max(1, int(seconds * 1000))}, parts, seconds + GRACE))

    def close(self):
        with self.lock:
            if self.process is not None:
                self.process.end()
                self.process = None
