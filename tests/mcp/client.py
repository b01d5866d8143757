"""A client of the Model Context Protocol, on Python's standard library alone."""
import json
import queue
import subprocess
import threading

REVISION = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": REVISION, "io.modelcontextprotocol/clientCapabilities": {}}


class Refused(Exception):
    """A request that was answered with an error of the protocol."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code, self.data = error["code"], error.get("data")


class ToolError(Exception):
    """A call that a tool answered with an error; its text is the message."""


class Client:
    """`isModern`: each request says its revision; otherwise the session begins with `initialize`."""

    def __init__(self, gluond, folder, *arguments, isModern=True, env=None):
        self.isModern = isModern
        self.process = subprocess.Popen([gluond, "mcp", str(folder), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self.messages, self.replies, self.notifications = queue.Queue(), {}, []
        self.last = 0
        threading.Thread(target=self._read, daemon=True).start()
        if not isModern:
            self.greeting = self.request("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "test", "version": "1"})
            self.notify("notifications/initialized")

    def _read(self):
        for line in self.process.stdout:
            self.messages.put(json.loads(line))
        self.messages.put(None)

    def send_raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, method, _meta=None, **params):
        self.last += 1
        meta = {**(META if self.isModern else {}), **(_meta or {})}
        if meta:
            params["_meta"] = meta
        self.send_raw(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}).encode() + b"\n")
        return self.last

    def notify(self, method, **params):
        self.send_raw(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode() + b"\n")

    def next(self, timeout=120):
        message = self.messages.get(timeout=timeout)
        if message is None:
            raise EOFError("the server is gone")
        if "method" in message:
            self.notifications.append(message)
        else:
            self.replies[message["id"]] = message
        return message

    def reply(self, number, timeout=120):
        while number not in self.replies:
            self.next(timeout)
        message = self.replies.pop(number)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def request(self, method, **params):
        return self.reply(self.send(method, **params))

    def call(self, name, /, **arguments):
        """The structured result of a tool."""
        result = self.request("tools/call", name=name, arguments=arguments)
        text = result["content"][0]["text"]
        if result["isError"]:
            raise ToolError(text)
        assert json.loads(text) == result["structuredContent"]
        return result["structuredContent"]

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(timeout=20)
        self.process.stdout.close()
        return code
