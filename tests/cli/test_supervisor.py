"""The two processes of `gluond lsp`: the worker that evaluates may die, the server goes on. Run by ctest; argv[1] is the program."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from workers import end_worker_of, stop_process, wait_for_input, worker_of  # noqa: E402

GLUOND = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin/gluond")
URI = "file:///w/a.py"
KERNEL = """from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def k(p):
    gl.store(p, missing)


k[(1,)](None)
"""


class Client:
    def __init__(self, *arguments):
        self.process = subprocess.Popen([GLUOND, "lsp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ids = 0
        self.seen = []

    def send(self, method, params, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            raise EOFError
        message = json.loads(self.process.stdout.read(length))
        self.seen.append(message)
        return message

    def until(self, wanted):
        while not wanted(message := self.read()):
            pass
        return message

    def request(self, method, params):
        self.ids += 1
        self.send(method, params, self.ids)
        return self.until(lambda m, number=self.ids: m.get("id") == number and "method" not in m)

    def begin(self):
        answer = self.request("initialize", {"processId": None, "capabilities": {}, "rootUri": None})
        self.send("initialized", {})
        return answer

    def open(self, text, version=1):
        self.send("textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "python", "version": version, "text": text}})

    def diagnostics(self):
        return self.until(lambda m: m.get("method") == "textDocument/publishDiagnostics")["params"]

    def worker(self):
        return worker_of(self.process.pid)

    def end_worker(self, how):
        end_worker_of(self.process.pid, how)

    def rest(self):
        """Until the worker has nothing to do: what is under way when it is killed is suspect."""
        ticks, before = 0, -1
        while ticks != before:
            time.sleep(0.3)
            before, ticks = ticks, sum(map(int, Path(f"/proc/{self.worker()}/stat").read_text().rsplit(")", 1)[1].split()[11:13]))

    def leave(self):
        self.request("shutdown", None)
        self.send("exit", None)
        return self.process.wait(timeout=10)


class Supervisor(unittest.TestCase):
    def client(self):
        client = Client()
        self.addCleanup(client.process.stdout.close)
        self.addCleanup(client.process.stdin.close)
        self.addCleanup(client.process.wait)
        self.addCleanup(client.process.kill)
        return client

    def test_a_session_as_ever(self):
        client = self.client()
        self.assertIn("capabilities", client.begin()["result"])
        client.open(KERNEL)
        self.assertEqual([d["code"] for d in client.diagnostics()["diagnostics"]], ["undefined-name"])
        self.assertEqual(client.leave(), 0)

    def test_documents_survive_the_worker(self):
        for how in (signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT):
            client = self.client()
            client.begin()
            client.open("x = 1\n" + KERNEL)
            client.diagnostics()
            client.send("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [
                {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}, "text": ""}]})
            client.diagnostics()
            client.rest()
            client.end_worker(how)
            again = client.diagnostics()
            self.assertEqual(again["version"], 2)
            self.assertEqual([d["code"] for d in again["diagnostics"]], ["undefined-name"])
            self.assertEqual(again["diagnostics"][0]["range"]["start"]["line"], 6)
            symbols = client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
            self.assertEqual([s["name"] for s in symbols["result"]], ["k"])
            self.assertEqual(client.leave(), 0)

    def test_open_requests_are_answered(self):
        client = self.client()
        client.begin()
        client.open(KERNEL)
        client.diagnostics()
        stop_process(client.worker())
        client.send("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 5, "character": 5}}, "h")
        sent = wait_for_input(client.worker())
        client.send("workspace/symbol", {"query": "k"}, "s")
        wait_for_input(client.worker(), beyond=sent)
        client.end_worker(signal.SIGKILL)
        answers = {}
        while len(answers) < 2:
            message = client.read()
            if "id" in message and "method" not in message:
                answers[message["id"]] = message["error"]["code"]
        self.assertEqual(answers, {"h": -32801, "s": -32603})
        self.assertEqual(client.leave(), 0)

    def test_workers_that_end_again_and_again(self):
        client = self.client()
        client.begin()
        client.open(KERNEL)
        client.diagnostics()
        for _ in range(4):
            client.end_worker(signal.SIGKILL)
        while not any("ended gluond" in d["message"] for d in client.diagnostics()["diagnostics"]):
            pass  # syntax only
        for _ in range(3):
            client.end_worker(signal.SIGKILL)
        os.kill(client.worker(), signal.SIGKILL)
        self.assertEqual(client.process.wait(timeout=10), 70)

    def test_leaving_takes_no_time(self):
        for stop in (False, True):  # a worker that runs, one that is stuck
            client = self.client()
            client.begin()
            client.open("while True:\n    x = [i ** 99 for i in range(10 ** 6)]\n" + KERNEL)
            client.request("shutdown", None)
            worker = client.worker()
            if stop:
                stop_process(worker)
            client.send("exit", None)
            self.assertEqual(client.process.wait(timeout=10), 0)
            self.assertFalse(Path(f"/proc/{worker}").exists())

    def test_leaving_is_not_delayed_by_what_the_client_does_not_read(self):
        client = self.client()
        client.begin()
        client.open(KERNEL + "".join(f"@gluon.jit\ndef k{i}(): pass\n" for i in range(3000)))
        for number in range(20):  # more than the pipes hold
            client.send("textDocument/documentSymbol", {"textDocument": {"uri": URI}}, 100 + number)
        client.until(lambda m: m.get("id", 0) >= 100)
        client.send("exit", None)
        self.assertEqual(client.process.wait(timeout=10), 1)

    def change(self, client, version, text, first=None, last=None):
        content = {"text": text}
        if first is not None:
            content["range"] = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
        client.send("textDocument/didChange", {"textDocument": {"uri": URI, "version": version}, "contentChanges": [content]})

    def test_a_worker_that_reads_nothing_does_not_stop_the_supervisor(self):
        client = self.client()
        client.begin()
        client.open(KERNEL)
        client.diagnostics()
        stop_process(client.worker())
        for version in range(2, 402):  # more than the pipe holds
            self.change(client, version, "# " + "x" * 10_000 + "\n", 0, 0)
        for message in (b"nonsense", b"[" * 1000):
            client.process.stdin.write(b"Content-Length: x\r\n\r\n" + message)
        client.send("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}, 500)
        client.send("$/cancelRequest", {"id": 500})
        self.assertEqual(client.until(lambda m: m.get("id") == 500)["error"]["code"], -32800)
        for version in range(402, 602):  # 200 MB, of which the last one counts
            self.change(client, version, "# " + "x" * 1_000_000 + "\n" + KERNEL)
        memory = Path(f"/proc/{client.process.pid}/status").read_text()
        self.assertLess(int(memory.split("VmRSS:")[1].split()[0]), 200_000)
        os.kill(client.worker(), signal.SIGCONT)
        client.until(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["version"] == 601)
        stop_process(client.worker())
        for version in range(602, 702):
            self.change(client, version, "# " + "x" * 50_000 + "\n", 0, 1)
        client.send("exit", None)
        self.assertEqual(client.process.wait(timeout=10), 1)

    def test_more_messages_than_a_worker_ever_reads(self):
        client = self.client()
        client.begin()
        client.open("#\n" + KERNEL)
        client.diagnostics()
        client.rest()
        stop_process(client.worker())
        client.send("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}, 500)
        for version in range(2, 90):  # a part of the text each: none of them is without effect
            self.change(client, version, "# " + "x" * 1_000_000 + "\n", 0, 1)
        self.assertEqual(client.until(lambda m: m.get("id") == 500)["error"]["code"], -32801)
        found = client.until(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["version"] == 89)
        self.assertEqual([d["code"] for d in found["params"]["diagnostics"]], ["undefined-name"])
        self.assertEqual(client.leave(), 0)

    def test_more_requests_than_anybody_has(self):
        client = self.client()
        client.begin()
        stop_process(client.worker())
        for number in range(10_100):
            client.send("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}, 1000 + number)
        self.assertIn("busy", client.until(lambda m: m.get("id", 0) >= 1000)["error"]["message"])
        client.send("exit", None)
        self.assertEqual(client.process.wait(timeout=10), 1)

    def test_a_client_that_is_gone(self):
        client = self.client()
        client.begin()
        worker = client.worker()
        client.process.stdin.close()
        self.assertEqual(client.process.wait(timeout=10), 1)
        self.assertFalse(Path(f"/proc/{worker}").exists())

    def test_a_supervisor_that_is_killed_takes_its_worker_along(self):
        client = self.client()
        client.begin()
        worker = client.worker()
        client.process.kill()
        client.process.wait()
        while Path(f"/proc/{worker}").exists() and "State:\tZ" not in Path(f"/proc/{worker}/status").read_text():
            time.sleep(0.01)


SLOW = """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def slow(p, N: gl.constexpr):
    for i in gl.static_range(30000):
        gl.store(p + i, N)


for n in range(20):
    slow[(1,)](torch.empty(64, device="cuda"), n)
"""


class Check(unittest.TestCase):
    def test_it_gives_up_writing_where_the_kernel_lets_it(self):
        said = subprocess.run([GLUOND, "doctor"], capture_output=True, timeout=60).stdout.decode()
        with tempfile.TemporaryDirectory() as folder:
            slow = Path(folder, "a.py")
            slow.write_text(SLOW)
            process = subprocess.Popen([GLUOND, "check", slow], stdout=subprocess.DEVNULL)
            status = ""
            while "Threads:\t1\n" in status or not status:  # those that work have begun
                status = Path(f"/proc/{process.pid}/status").read_text()
                self.assertNotIn("State:\tZ", status)
            process.kill()
            process.wait()
        self.assertEqual("NoNewPrivs:\t1" in status, "Landlock" in said or "seccomp" in said)
        self.assertEqual("Seccomp:\t2" in status, "seccomp" in said)

    def test_a_file_that_ends_check_leaves_the_others_their_results(self):
        # A crash is gluond's own failure; a file at its limit is not.
        for how, code, why in ((signal.SIGSEGV, 70, "it crashed"), (signal.SIGXCPU, 1, "s of CPU time and could not be stopped")):
            with self.subTest(how), tempfile.TemporaryDirectory() as folder:
                slow, good = Path(folder, "a.py"), Path(folder, "b.py")
                slow.write_text(SLOW)
                good.write_text(KERNEL)
                process = subprocess.Popen([GLUOND, "check", slow, good, "--format", "json"], stdout=subprocess.PIPE)
                ticks = 0
                while ticks < 5:  # of a hundredth of a second: it is at the first file
                    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
                    self.assertNotEqual(fields[0], "Z")
                    ticks = int(fields[11])
                process.send_signal(how)
                out = json.loads(process.communicate(timeout=60)[0])
                self.assertEqual(process.returncode, code)
                said = {(Path(d["file"]).name, d["code"]) for d in out}
                self.assertEqual(said, {("a.py", "budget-exhausted"), ("b.py", "undefined-name")})
                self.assertTrue(any(why in d["message"] for d in out), out)


class Emit(unittest.TestCase):
    def test_a_step_at_its_limit_ends_in_words(self):
        with tempfile.TemporaryDirectory() as folder:
            slow = Path(folder, "a.py")
            slow.write_text(SLOW)
            process = subprocess.Popen([GLUOND, "emit", slow, "--kernel", "slow", "--stage", "ttgir"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            ticks = 0
            while ticks < 30:  # of a hundredth of a second: it compiles
                fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
                self.assertNotEqual(fields[0], "Z")
                ticks = int(fields[11])
            limits = Path(f"/proc/{process.pid}/limits").read_text()
            process.send_signal(signal.SIGXCPU)
            said = process.communicate(timeout=60)[1].decode()
            self.assertEqual(process.returncode, 70)
            self.assertIn("could not be interrupted", said)
            for limit in ("Max cpu time", "Max data size"):
                self.assertRegex(limits, limit + r" +\d+")


if __name__ == "__main__":
    unittest.main()
