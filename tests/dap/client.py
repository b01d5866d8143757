"""A client of the Debug Adapter Protocol, on Python's standard library alone."""
import json
import queue
import subprocess
import threading


class Refused(Exception):
    """A request that was answered with an error; its text is the message."""


class Client:

    def __init__(self, gluond, cwd=None):
        self.process = subprocess.Popen([gluond, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd)
        self.events, self.replies = [], {}
        self.incoming = queue.Queue()
        self.sequence = 0
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        stream = self.process.stdout
        while True:
            length = 0
            while (line := stream.readline().strip()):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                self.incoming.put(None)
                return
            self.incoming.put(json.loads(stream.read(length)))

    def send_raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, command, **arguments):
        self.sequence += 1
        body = json.dumps({"seq": self.sequence, "type": "request", "command": command, "arguments": arguments}).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        return self.sequence

    def _next(self, timeout):
        message = self.incoming.get(timeout=timeout)
        if message is None:
            raise EOFError("the adapter is gone")
        if message["type"] == "response":
            self.replies[message["request_seq"]] = message
        else:
            self.events.append(message)

    def reply(self, sequence, timeout=60):
        while sequence not in self.replies:
            self._next(timeout)
        message = self.replies.pop(sequence)
        if not message["success"]:
            raise Refused(message["message"])
        return message.get("body", {})

    def ask(self, command, **arguments):
        return self.reply(self.send(command, **arguments))

    def wait(self, *names, timeout=60):
        """The next event with one of these names; those before it are dropped, but for the output."""
        while True:
            for i, event in enumerate(self.events):
                if event["event"] in names:
                    self.events = [e for e in self.events[:i] if e["event"] == "output"] + self.events[i + 1:]
                    return event
            self._next(timeout)

    # ------------------------------------------------------------ what a user does
    def launch(self, program, breakpoints=(), configure=None, **arguments):
        """Up to the first stop, which it returns. `breakpoints`: lines, or dictionaries."""
        self.capabilities = self.ask("initialize", adapterID="gluond", linesStartAt1=True, columnsStartAt1=True)
        launched = self.send("launch", program=str(program), **arguments)
        self.reply(launched)
        self.wait("initialized")
        self.program = str(program)
        self.verified = self.set_breakpoints(breakpoints)
        if configure:
            configure(self)
        self.ask("configurationDone")
        return self.stopped()

    def set_breakpoints(self, breakpoints):
        wanted = [b if isinstance(b, dict) else {"line": b} for b in breakpoints]
        return self.ask("setBreakpoints", source={"path": self.program}, breakpoints=wanted)["breakpoints"]

    def stopped(self):
        event = self.wait("stopped", "terminated")
        self.stop = event.get("body", {}) if event["event"] == "stopped" else None
        return self.stop

    def move(self, command, thread=None):
        self.ask(command, threadId=thread or self.stop["threadId"])
        return self.stopped()

    def stack(self, thread=None):
        return self.ask("stackTrace", threadId=thread or self.stop["threadId"])["stackFrames"]

    def line(self, thread=None):
        return self.stack(thread)[0]["line"]

    def frame(self, number=0, thread=None):
        return self.stack(thread)[number]["id"]

    def scope(self, name, number=0):
        for scope in self.ask("scopes", frameId=self.frame(number))["scopes"]:
            if scope["name"] == name:
                return self.variables(scope["variablesReference"])
        return {}

    def variables(self, reference, **paging):
        return {v["name"]: v for v in self.ask("variables", variablesReference=reference, **paging)["variables"]}

    def locals(self, number=0):
        return {name: v["value"] for name, v in self.scope("Locals", number).items()}

    def evaluate(self, expression, number=0):
        return self.ask("evaluate", expression=expression, frameId=self.frame(number), context="watch")["result"]

    def output(self):
        return "".join(e["body"]["output"] for e in self.events if e["event"] == "output")

    def close(self):
        """The exit code of the adapter."""
        try:
            self.ask("disconnect")
        except (EOFError, OSError):
            pass
        self.process.stdin.close()
        code = self.process.wait(timeout=60)
        self.reader.join()
        self.process.stdout.close()
        return code
