"""The program `gluond` as a process of its own, whatever it does: it may be missing, crash, hang, stop reading, answer nonsense or write without end.

`run` takes it to its end. A `Connection` sends it requests, with the frames of docs/runner.md: `Content-Length`, `Binary-Length`, a message of
JSON-RPC, and raw bytes. Both wait at most as long as their caller says, and end all that the program started.
"""
import collections
import json
import os
import select
import signal
import subprocess
import tempfile
import time

MOST_SAID = 1 << 20  # bytes of messages that are kept
MOST_WRITTEN = 1 << 28  # bytes of its output and of its messages
MOST_EARLY = 1 << 24  # bytes that it may write before it has read a request
MOST_HEADER = 1 << 16
LAST_WORDS = 4096  # bytes of what a process wrote before it ended
# What reading an answer raises that is none.
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, MemoryError, RecursionError)


class Failure(Exception):
    """The program did not do what it was asked; the message says why."""


class Lost(Failure):
    """The process at the other end of a connection is of no use any more."""


class Refused(Exception):
    """The program answered a request with an error."""

    def __init__(self, error):
        told = error if isinstance(error, dict) else {}
        super().__init__(str(told.get("message", "it says no reason")))
        data = told.get("data")
        self.kind = str(data.get("kind", "")) if isinstance(data, dict) else ""


Ended = collections.namedtuple("Ended", "code output words")


def _start(command, **streams):
    try:
        # In a session of its own: Ctrl-C in the terminal is for the user's program, and all of the session can be ended.
        return subprocess.Popen(command, start_new_session=True, **streams)
    except (OSError, ValueError) as error:
        raise Failure(f"gluond does not start: {error}") from error


def _end(process):
    """Ends a process and all that it started in its session."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass  # all of it has ended
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        pass


def _text(file, most):
    file.seek(0)
    return file.read(most).decode(errors="replace")


def run(command, seconds, text="", limit="", **options):
    """The exit code, the output and the messages of the program, which reads `text`. Failure if it does not start, does not end within
    `seconds` (`limit` says where that number comes from), writes too much, or is ended by a signal."""
    # Files and no pipes: what gluond started could keep a pipe open, and a flood would fill memory.
    with tempfile.TemporaryFile() as read, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as said:
        read.write(text.encode(errors="replace"))
        read.seek(0)
        process = _start(command, stdin=read, stdout=output, stderr=said, **options)
        ends, code = time.monotonic() + seconds, None
        try:
            while code is None:
                left = ends - time.monotonic()
                if left <= 0:
                    raise Failure(f"gluond did not end within {seconds:g} s{limit}")
                if max(os.fstat(each.fileno()).st_size for each in (output, said)) > MOST_WRITTEN:
                    raise Failure(f"gluond wrote more than {MOST_WRITTEN >> 20} MB")
                try:
                    code = process.wait(min(left, 0.25))
                except subprocess.TimeoutExpired:
                    pass
        finally:
            _end(process)
        words = _text(said, MOST_SAID).strip()
        if code < 0:
            raise Failure(f"gluond was ended by signal {-code}" + (f": {words}" if words else ""))
        return Ended(code, _text(output, MOST_WRITTEN), words)


def framed(message, parts=()):
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    size = sum(memoryview(part).nbytes for part in parts)
    binary = f"Binary-Length: {size}\r\n" if size else ""
    return [f"Content-Length: {len(text)}\r\n{binary}\r\n".encode() + text, *parts]


class Connection:
    """One process, which belongs to the process that started it."""

    def __init__(self, command, name="gluond"):
        self.owner, self.name = os.getpid(), name
        self.errors = tempfile.TemporaryFile()
        try:
            self.process = _start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0)
        except Failure as error:
            self.errors.close()
            raise Lost(str(error)) from error
        for stream in (self.process.stdin, self.process.stdout):
            os.set_blocking(stream.fileno(), False)
        self.number, self.is_open = 0, True
        self.early = b""  # bytes that were read and not yet taken

    def end(self):
        if not self.is_open:
            return
        self.is_open = False
        if os.getpid() == self.owner:
            _end(self.process)
        else:  # a fork's copy: the process is its parent's
            self.process.returncode = 0
        self.process.stdin.close()
        self.process.stdout.close()
        self.errors.close()

    def lost(self, why):
        """The error to raise, now that the process is of no use."""
        if not self.is_open:
            return Lost(f"{self.name} is lost: {why}")
        try:
            code = self.process.wait(0.5)
            why = f"it was ended by signal {-code}" if code < 0 else f"it ended with {code}"
        except subprocess.TimeoutExpired:
            pass
        self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - LAST_WORDS))
        words = self.errors.read().decode(errors="replace").strip()
        self.end()
        return Lost(f"{self.name} is lost: {why}" + (f": {words}" if words else ""))

    def unreadable(self, error):
        return self.lost(f"its answer cannot be read: {type(error).__name__}: {error}")

    def wait(self, events, deadline):
        """The descriptors of the streams of `events` that are ready for what it says of them."""
        seconds = None if deadline is None else deadline - time.monotonic()
        if seconds is not None and seconds <= 0:
            raise TimeoutError
        poll = select.poll()  # select() knows no descriptor beyond 1023
        for stream, event in events.items():
            poll.register(stream, event)
        ready = poll.poll(None if seconds is None else seconds * 1000 + 1)
        if not ready:
            raise TimeoutError
        return {descriptor for descriptor, _ in ready}

    def write(self, parts, deadline):
        """Writes them, and keeps what comes meanwhile: a process that waits until its output is read does not read."""
        output = self.process.stdout
        for part in parts:
            view = memoryview(part).cast("B")
            while view:
                if output.fileno() in self.wait({output: select.POLLIN, self.process.stdin: select.POLLOUT}, deadline):
                    self.early += self.read(deadline, MOST_HEADER)
                    if len(self.early) > MOST_EARLY:
                        raise ValueError("it says too much")
                try:
                    view = view[self.process.stdin.write(view) or 0:]
                except BlockingIOError:
                    pass

    def read(self, deadline, most):
        """At least one byte, as they come."""
        while True:
            self.wait({self.process.stdout: select.POLLIN}, deadline)
            data = self.process.stdout.read(most)
            if data is not None:
                break
        if not data:
            raise EOFError
        return data

    def receive(self, count, deadline):
        """So many bytes, those first that came with a header."""
        if count < 0:
            raise ValueError("a negative length")
        got = bytearray(count)
        view = memoryview(got)
        early = self.early[:count]
        view[:len(early)] = early
        self.early, view = self.early[len(early):], view[len(early):]
        while view:
            self.wait({self.process.stdout: select.POLLIN}, deadline)
            read = self.process.stdout.readinto(view)
            if read == 0:
                raise EOFError
            view = view[read or 0:]
        return got

    def frame(self, deadline):
        while (end := self.early.find(b"\r\n\r\n")) < 0:
            if len(self.early) > MOST_HEADER:
                raise ValueError("what it says is no answer")
            self.early += self.read(deadline, MOST_HEADER)
        header, self.early = self.early[:end], self.early[end + 4:]
        lengths = {name.strip().lower(): value for name, _, value in (line.partition(b":") for line in header.split(b"\r\n"))}
        text = self.receive(int(lengths[b"content-length"]), deadline)
        message = json.loads(text)
        if not isinstance(message, dict):
            raise ValueError("what it says is no message")
        return message, self.receive(int(lengths.get(b"binary-length", 0)), deadline)

    def exchange(self, action, seconds):
        """The result of action(deadline); Lost if the process does not do its part within `seconds`."""
        try:
            return action(None if seconds is None else time.monotonic() + seconds)
        except TimeoutError:
            raise self.lost(f"it did not answer within {seconds:g} s") from None
        except (EOFError, OSError):
            raise self.lost("its connection broke") from None
        except UNREADABLE as error:
            raise self.unreadable(error) from error
        except BaseException:  # KeyboardInterrupt: nobody waits for the answer any more
            self.end()
            raise

    def notify(self, method, params, seconds):
        frame = framed({"method": method, "params": params})
        self.exchange(lambda deadline: self.write(frame, deadline), seconds)

    def ask(self, method, params, parts, seconds):
        """(result, binary). Refused: the program's own error. Lost: the process is."""
        self.number += 1
        frame = framed({"id": self.number, "method": method, "params": params}, parts)

        def answered(deadline):
            self.write(frame, deadline)
            while True:
                answer, binary = self.frame(deadline)
                if answer.get("id") == self.number and "method" not in answer:
                    return (answer if "error" in answer else answer["result"]), binary, "error" in answer

        result, binary, is_error = self.exchange(answered, seconds)
        if is_error:
            raise Refused(result["error"])
        return result, binary
