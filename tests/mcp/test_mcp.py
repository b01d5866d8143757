"""`gluond mcp` and `gluond call`: the protocol, every tool with right and wrong arguments, hostile files. Run by ctest: test_mcp.py GLUOND
GLUOND-RUNNER FAKE-CUDA."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from client import META, Client, Refused, ToolError  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from workers import end_worker_of, stop_process, wait_for_input, worker_of  # noqa: E402

GLUOND, RUNNER_PROGRAM, FAKE = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
ROOT = Path(__file__).resolve().parents[2]
RUNNER = f"exec env GLUOND_CUDA_LIBRARY={FAKE} GLUOND_NVML_LIBRARY={FAKE} GLUOND_HIP_LIBRARY=/nowhere.so {RUNNER_PROGRAM}"
NO_GPU = f"exec env GLUOND_CUDA_LIBRARY=/nowhere.so GLUOND_HIP_LIBRARY=/nowhere.so {RUNNER_PROGRAM}"

IMPORTS = """import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
"""
KERNEL = """

@gluon.jit
def {name}(x, y, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout={layout})
    value = gl.load(x + i, mask=i < n)
    gl.store(y + i, value, mask=i < n)


{name}[(2, )](torch.arange(1000, device="cuda").to(torch.float32), torch.zeros(1000, device="cuda"), 1000, 512)
"""
# A strided matrix in shared memory: bank conflicts; and a deadlock in the simulator.
TRANSPOSE = """

@gluon.jit
def transpose(x, y, N: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    columns: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [1, 4], [0, 1])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    i = gl.arange(0, N, layout=gl.SliceLayout(1, rows))[:, None] * N + gl.arange(0, N, layout=gl.SliceLayout(0, rows))[None, :]
    buffer = gl.allocate_shared_memory(gl.float32, [N, N], shared)
    buffer.store(gl.load(x + i))
    j = gl.arange(0, N, layout=gl.SliceLayout(1, columns))[:, None] + gl.arange(0, N, layout=gl.SliceLayout(0, columns))[None, :] * N
    gl.store(y + j, buffer.load(columns))


transpose[(1, )](torch.ones(32, 32, device="cuda"), torch.zeros(32, 32, device="cuda"), 32)
"""
# Two kernels whose threads walk down the columns of a row-major matrix.
UNCOALESCED = IMPORTS + "".join(f"""

@gluon.jit
def {name}(x, y, cols, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [gl.num_warps(), 1], [0, 1])
    r = gl.program_id(0) * N + gl.arange(0, N, gl.SliceLayout(1, layout))
    at = r[:, None] * cols + gl.arange(0, N, gl.SliceLayout(0, layout))[None, :]
    gl.store(y + at, gl.load(x + at))


{name}[(16, )](torch.ones(1024, 1024, device="cuda"), torch.zeros(1024, 1024, device="cuda"), 1024, 64)
""" for name in ("one", "two"))


def kernel(name="copy_x", layout="layout"):
    return KERNEL.format(name=name, layout=layout)


class Case(unittest.TestCase):
    runner, isModern = RUNNER, True

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name).resolve()
        self.write("good.py", IMPORTS + kernel())
        self.write("wrong.py", IMPORTS + kernel(layout="layot"))
        self.client = Client(GLUOND, self.path, "--runner", self.runner, isModern=self.isModern, env={**os.environ, "GLUOND_CACHE_DIR": "off"})
        self.addCleanup(self.client.close)
        self.call = self.client.call

    def write(self, name, text):
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_text(text)
        return self.path / name

    def refused(self, tool, /, **arguments):
        with self.assertRaises(ToolError) as caught:
            self.call(tool, **arguments)
        return str(caught.exception)


class Protocol(Case):

    def test_discovery(self):
        found = self.client.request("server/discover")
        self.assertIn("2026-07-28", found["supportedVersions"])
        self.assertIn("2025-11-25", found["supportedVersions"])
        self.assertEqual((found["resultType"], found["cacheScope"]), ("complete", "public"))
        self.assertEqual(found["serverInfo"]["name"], "gluond")
        self.assertIn("tools", found["capabilities"])

    def test_revisions_that_are_not_served(self):
        for meta, code in (({**META, "io.modelcontextprotocol/protocolVersion": "2031-01-01"}, -32022),
                           ({"io.modelcontextprotocol/protocolVersion": "2026-07-28"}, -32602)):
            self.client.isModern = False
            with self.assertRaises(Refused) as caught:
                self.client.request("tools/list", _meta=meta)
            self.assertEqual(caught.exception.code, code)
            if code == -32022:
                self.assertIn("2026-07-28", caught.exception.data["supported"])

    def test_sessions_of_earlier_revisions(self):
        client = Client(GLUOND, self.path, isModern=False)
        self.assertEqual(client.greeting["protocolVersion"], "2025-11-25")
        self.assertNotIn("resultType", client.greeting)
        self.assertEqual(client.request("ping"), {})
        self.assertNotIn("ttlMs", client.request("tools/list"))
        self.assertTrue(client.call("check", files=["good.py"])["ok"])
        self.assertEqual(client.request("initialize", protocolVersion="1999", capabilities={})["protocolVersion"], "2025-11-25")
        self.assertEqual(client.request("initialize", protocolVersion="2024-11-05", capabilities={})["protocolVersion"], "2024-11-05")
        self.assertEqual(client.close(), 0)

    def test_tools_are_described(self):
        tools = self.client.request("tools/list")["tools"]
        names = [tool["name"] for tool in tools]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual(len(names), 16, "few tools are used, many confuse")
        page = (ROOT / "docs/mcp.md").read_text()
        for tool in tools:
            self.assertRegex(tool["name"], r"^[a-z_]+$")
            self.assertIn(f"`{tool['name']}`", page)
            self.assertEqual(tool["annotations"]["readOnlyHint"], tool["name"] != "apply_fix")
            for schema in (tool["inputSchema"], tool["outputSchema"]):
                self.assertEqual(schema["type"], "object")
                self.assertFalse(schema["additionalProperties"])
            for name, about in tool["inputSchema"]["properties"].items():
                self.assertTrue(about.get("description"), f"{tool['name']}: {name}")

    def test_what_is_no_message(self):
        for line, code in ((b"nonsense\n", -32700), (b"[1, 2]\n", -32600), (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}\n', -32600),
                           (b'{"jsonrpc": "2.0", "id": 7, "method": 3}\n', -32600), (b"x" * (5 << 20) + b"\n", -32700),
                           (b"[" * 100000 + b"\n", -32700)):
            self.client.send_raw(line)
            message = self.client.next()
            self.assertEqual(message["error"]["code"], code, line[:60])
        self.client.send_raw(b"\n  \r\n")
        self.assertTrue(self.client.request("tools/list"))

    def test_requests_that_are_too_long(self):
        """They are answered by their id, wherever it stands: a client would wait forever for an answer without one."""
        long = "x" * (5 << 20)
        call = '"method": "tools/call", "params": {"id": 8, "name": "check", "arguments": {"files": ["\\"id\\": 9,%s", {"id": 9}]}}' % long
        for line, answered in ((f'{{"jsonrpc": "2.0", "id": 51, {call}}}', 51), (f'{{{call}, "jsonrpc": "2.0", "id" : "a:\\"b,"}}', 'a:"b,'),
                               (f'{{{call}, "id": 52 }}', 52), (f'{{{call}}}', None), (f'{{"id": 53, "result": "{long}"}}', None),
                               (f'{{{call}, "id": [54]}}', None), (f'{{{call}, "id": "{"y" * 1000}"}}', None)):
            self.client.send_raw(line.encode() + b"\n")
            message = self.client.next()
            self.assertEqual(message["id"], answered)
            self.assertEqual(message["error"]["code"], -32700 if answered is None else -32600)
            self.assertIn("longer than 4 MiB", message["error"]["message"])
        self.assertTrue(self.client.request("tools/list"))

    def test_unknown_requests_and_tools(self):
        for method, params, code in (("tools/fly", {}, -32601), ("tools/call", {"name": "fly"}, -32602), ("tools/call", {}, -32602),
                                     ("tools/call", {"name": 3}, -32602), ("resources/read", {}, -32602), ("prompts/list", {}, -32601)):
            with self.assertRaises(Refused) as caught:
                self.client.request(method, **params)
            self.assertEqual(caught.exception.code, code)

    def test_answers_to_long_names_are_short(self):
        """Whatever an argument is, an answer quotes no more of it than a reader wants: a few KB, in whole characters."""
        long = "\u00e9\U0001f600x" * 100_000
        for tool, arguments in (("check", {"files": [long]}), ("launches", {"file": long}), ("ir", {"file": "good.py", "stage": long}),
                                ("budget", {"file": "good.py", "kernel": long}), ("accesses", {"file": "good.py", "launch": long}), ("explain", {"name": long}),
                                ("check", {"target": long}), ("check", {long: 1}), ("layout_map", {"layout": long}), ("simulate", {"file": "good.py", "grid": long}),
                                ("type_at", {"file": "good.py", "line": 11, "expression": long}), ("apply_fix", {"file": "good.py", "title": long}),
                                ("simulate", {"file": "good.py", "arguments": [long]}), ("run", {"file": "good.py", "arguments": ["x=" + long]})):
            said = self.refused(tool, **arguments)
            self.assertLess(len(said.encode()), 20_000, tool)
            self.assertNotIn("\ufffd", said)
        self.assertIn("bytes left out", self.refused("launches", file="x" * 100_000))
        began = time.monotonic()
        self.refused("explain", name="gl.SliceLayout(0," * 20_000)  # thousands of words, to be compared with all that there are
        self.assertLess(time.monotonic() - began, 20)
        for method, params in (("tools/call", {"name": long}), ("resources/read", {"uri": long}), (long, {})):
            with self.assertRaises(Refused) as caught:
                self.client.request(method, **params)
            self.assertLess(len(str(caught.exception) + json.dumps(caught.exception.data)), 100_000)

    def test_resources(self):
        listed = {entry["uri"] for entry in self.client.request("resources/list")["resources"]}
        self.assertIn("gluond://skill", listed)
        for uri in listed | {"gluond://diagnostics/layout-mismatch", "gluond://builtins/gl.load"}:
            content, = self.client.request("resources/read", uri=uri)["contents"]
            self.assertEqual((content["uri"], content["mimeType"]), (uri, "text/markdown"))
            self.assertGreater(len(content["text"]), 100)
        templates = self.client.request("resources/templates/list")["resourceTemplates"]
        self.assertEqual({each["uriTemplate"] for each in templates}, {"gluond://diagnostics/{code}", "gluond://builtins/{name}"})
        for uri in ("gluond://docs/../../etc/passwd", "file:///etc/passwd", "gluond://diagnostics/none", "", "gluond://docs/mcp.md"):
            with self.assertRaises(Refused):
                self.client.request("resources/read", uri=uri)

    def test_progress_and_cancelling(self):
        # A kernel that a fake GPU never ends.
        self.write("hang.py", IMPORTS + "\n\n@gluon.jit\ndef hang(dst):\n    gl.store(dst, 1.0)\n\n\nhang[(1, )](torch.zeros(8, device='cuda'))\n")
        number = self.client.send("tools/call", name="run", arguments={"file": "hang.py", "seconds": 60})
        time.sleep(1)
        start = time.time()
        self.assertTrue(self.call("check", files=["good.py"])["ok"], "another call is answered meanwhile")
        self.client.notify("notifications/cancelled", requestId=number)
        axes = [{"name": "num_warps", "values": ["1", "2", "4"]}]
        result = self.client.request("tools/call", name="benchmark", arguments={"file": "good.py", "axes": axes, "budgetMs": 20}, _meta={"progressToken": "p"})
        self.assertFalse(result["isError"], result)
        self.assertLess(time.time() - start, 30, "the GPU is free again")
        told = [each["params"] for each in self.client.notifications if each["params"].get("progressToken") == "p"]
        self.assertEqual([each["progress"] for each in told], [1, 2, 3])
        self.assertEqual({each["total"] for each in told}, {3})
        self.assertNotIn(number, self.client.replies, "a cancelled call is not answered")

    def test_what_was_asked_before_the_end_of_input_is_answered(self):
        asked = [("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "pipe", "version": "1"}}),
                 ("tools/call", {"name": "check", "arguments": {"files": ["wrong.py"]}})]
        text = "".join(json.dumps({"jsonrpc": "2.0", "id": i, "method": method, "params": params}) + "\n" for i, (method, params) in enumerate(asked))
        done = subprocess.run([GLUOND, "mcp", str(self.path)], input=text, stdout=subprocess.PIPE, encoding="utf-8", timeout=60)
        replies = {each["id"]: each for each in map(json.loads, done.stdout.splitlines()) if "id" in each}
        self.assertEqual(replies[1]["result"]["structuredContent"]["errors"], 1)
        self.assertEqual(done.returncode, 0)

    def test_leaving_in_the_middle(self):
        self.client.send("tools/call", name="check", arguments={})
        self.assertEqual(self.client.close(), 0)


# Its analysis takes seconds.
SLOW = """

@gluon.jit
def slow(x, N: gl.constexpr):
    for i in gl.static_range(N):
        gl.store(x + i, gl.load(x + i + 1) + i)


for n in range(200):
    slow[(1, )](torch.zeros(4096, device="cuda"), 300 + n)
"""


class Supervised(Case):
    """The process that evaluates files is another one, which may end."""

    def worker(self):
        return worker_of(self.client.process.pid)

    def end_worker(self, how):
        end_worker_of(self.client.process.pid, how)

    def test_the_session_continues(self):
        before = self.call("check", files=["wrong.py"])
        self.end_worker(signal.SIGSEGV)
        self.assertEqual(self.call("check", files=["wrong.py"]), before)
        self.assertEqual(self.client.close(), 0)

    def test_open_calls_are_answered(self):
        self.call("check", files=["good.py"])
        stop_process(self.worker())
        number = self.client.send("tools/call", name="check", arguments={})
        wait_for_input(self.worker())
        cancelled = self.client.send("tools/call", name="check", arguments={})
        self.client.notify("notifications/cancelled", requestId=cancelled)
        self.end_worker(signal.SIGKILL)
        with self.assertRaises(Refused) as caught:
            self.client.reply(number)
        self.assertIn("worker process ended: it crashed", str(caught.exception))
        self.assertEqual(self.call("check", files=["good.py"])["files"], 1)
        self.assertNotIn(cancelled, self.client.replies)

    def test_the_file_that_ended_it_is_not_evaluated_again(self):
        slow = self.write("slow.py", IMPORTS + SLOW)
        self.call("check", files=["good.py"])  # it is there
        number = self.client.send("tools/call", name="check", arguments={"files": ["slow.py"]})
        stat, begin = Path(f"/proc/{self.worker()}/stat"), time.monotonic()
        while sum(map(int, stat.read_text().rsplit(")", 1)[1].split()[11:13])) < 60:  # hundredths of a second
            self.assertLess(time.monotonic(), begin + 60)
            time.sleep(0.01)
        self.end_worker(signal.SIGSEGV)
        with self.assertRaises(Refused):
            self.client.reply(number)
        said = self.call("check", files=["slow.py"])
        self.assertTrue(any(f["code"] == "budget-exhausted" and "it crashed" in f["message"] for f in said["findings"]), said)
        self.assertEqual(self.call("check", files=["wrong.py"])["errors"], 1)
        slow.write_text(IMPORTS + kernel("other"))  # another text is
        self.assertEqual(self.call("check", files=["slow.py"])["kernels"], 1)

    def test_answers_that_nobody_will_read_are_not_waited_for(self):
        self.write("slow.py", IMPORTS + SLOW)
        with subprocess.Popen([GLUOND, "mcp", str(self.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
            self.addCleanup(server.kill)
            asked = {"name": "check", "arguments": {"files": ["slow.py"]}, "_meta": META}
            server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}).encode() + b"\n")
            server.stdin.flush()
            begin = time.monotonic()
            while not worker_of(server.pid):  # it starts
                self.assertLess(time.monotonic(), begin + 60)
                time.sleep(0.01)
            stat = Path(f"/proc/{worker_of(server.pid)}/stat")
            while sum(map(int, stat.read_text().rsplit(")", 1)[1].split()[11:13])) < 60:  # it is at work
                self.assertLess(time.monotonic(), begin + 60)
                time.sleep(0.01)
            stop_process(worker_of(server.pid))  # and will not answer
            server.stdout.close()
            server.stdin.close()
            self.assertEqual(server.wait(timeout=20), 0)  # of the 30 s that a script is given

    def test_leaving_takes_no_time(self):
        self.call("check", files=["good.py"])
        stop_process(self.worker())
        begin = time.monotonic()
        self.assertEqual(self.client.close(), 0)
        self.assertLess(time.monotonic() - begin, 10)  # not as long as the stopped process would take


class Files(Case):

    def test_nothing_outside_of_the_folder(self):
        secret = tempfile.NamedTemporaryFile(suffix=".py", mode="w")
        self.addCleanup(secret.close)
        secret.write(IMPORTS + kernel("secret_kernel"))
        secret.flush()
        os.symlink(secret.name, self.path / "link.py")
        os.symlink(os.path.dirname(secret.name), self.path / "there")
        relative = os.path.relpath(secret.name, self.path)
        for name in (secret.name, relative, "link.py", "there/" + os.path.basename(secret.name), "/etc/passwd", "../", "", ".", "a\0b.py", "missing.py"):
            for tool, arguments in (("check", {"files": [name]}), ("apply_fix", {"file": name}), ("launches", {"file": name}), ("ir", {"file": name, "stage": "source"}),
                                    ("type_at", {"file": name, "line": 1, "column": 1}), ("accesses", {"file": name}), ("budget", {"file": name}),
                                    ("layout_map", {"file": name, "line": 1}), ("run", {"file": name}), ("simulate", {"file": name}), ("benchmark", {"file": name}),
                                    ("compare", {"before": {"file": name}, "after": {"file": "good.py"}})):
                self.assertNotIn("secret_kernel", self.refused(tool, **arguments))
        self.assertIn("nothing outside of it is read", self.refused("check", files=[secret.name]))
        self.write("imports.py", f"import sys\nsys.path.insert(0, {os.path.dirname(secret.name)!r})\nfrom {Path(secret.name).stem} import secret_kernel\n" + IMPORTS + kernel())
        self.assertNotIn("secret_kernel", json.dumps(self.call("launches", file="imports.py")))
        # Tensors from files, likewise.
        for tool in ("run", "simulate"):
            for name in ("/etc/passwd", "/etc/passwd.npy", "../x.npy"):
                self.refused(tool, file="good.py", arguments=[f"x={name}"])
                self.refused(tool, file="good.py", references=[{"name": "y", "file": name}])

    def test_no_code_is_run(self):
        marker = self.path / "ran"
        evil = f"import os\nos.system('touch {marker}')\nopen({str(marker)!r}, 'w')\n__import__('os').system('touch {marker}')\n"
        self.write("evil.py", evil + IMPORTS + kernel())
        self.write("sitecustomize.py", evil)
        self.write("pyproject.toml", f"[tool.gluond]\nrunner = {{ command = 'touch {marker}' }}\n\"runner.command\" = 'touch {marker}'\n")
        self.call("check")
        for tool in ("launches", "accesses", "budget", "simulate", "run"):
            self.call(tool, file="evil.py")
        self.assertFalse(marker.exists())

    def test_files_that_are_no_programs(self):
        self.write("large.py", "x = 1\n" * (3 << 20))
        self.write("deep.py", IMPORTS + "x = " + "(" * 50000 + ")" * 50000 + "\n")
        (self.path / "binary.py").write_bytes(bytes(range(256)) * 100)
        (self.path / "folder.py").mkdir()
        os.mkfifo(self.path / "pipe.py")
        self.write("notes.txt", "x")
        self.refused("check", files=["large.py"])
        self.refused("check", files=["folder.py"])
        self.refused("check", files=["pipe.py"])
        self.refused("check", files=["notes.txt"])
        self.call("check", files=["deep.py"])
        self.call("check", files=["binary.py"])
        self.assertTrue(self.call("check", files=["good.py"])["ok"])

    def test_edits_are_seen(self):
        self.assertTrue(self.call("check", files=["good.py"])["ok"])
        self.write("good.py", IMPORTS + kernel(layout="layot"))
        self.assertFalse(self.call("check", files=["good.py"])["ok"])
        self.write("good.py", IMPORTS + kernel())
        self.assertTrue(self.call("check", files=["good.py"])["ok"])


class Tools(Case):

    def test_wrong_arguments(self):
        for tool, arguments, words in (
            ("check", {"files": "good.py"}, "files: expected an array"), ("check", {"file": "good.py"}, "there is no such argument"),
            ("check", {"limit": -1}, "limit: expected an unsigned integer"), ("check", {"severity": "bad"}, "is not one of"),
            ("check", {"target": "cuda"}, "there is no target 'cuda'"),
            ("layout_map", {"layout": "gl.BlockedLayout([1],[32],[4],[0])", "target": "cuda:91"}, "did you mean 'cuda:90'?"), ("apply_fix", {}, "file: missing"), ("explain", {"name": 3}, "name: expected a string"),
            ("compare", {"before": {"file": "good.py", "x": 1}, "after": {"file": "good.py"}}, "before.x: there is no such argument"),
            ("benchmark", {"file": "good.py", "axes": [{"name": "num_warps", "values": 4}]}, "axes[0].values: expected an array"),
            ("type_at", {"file": "good.py", "line": 99, "column": 1}, "the file has the lines"), ("type_at", {"file": "good.py", "line": 8}, "is missing"),
            ("type_at", {"file": "good.py", "line": 8, "expression": "nowhere"}, "is not on line 8"), ("layout_map", {}, "give either"),
            ("layout_map", {"layout": "gl.Nothing()"}, "Nothing"), ("ir", {"file": "good.py", "stage": "soup"}, "choose one of"),
            ("ir", {"file": "good.py", "stage": "ttgir", "pass": "soup"}, "choose one of"), ("ir", {"file": "good.py", "kernel": "none", "stage": "ptx"}, "choose one of copy_x"),
            ("budget", {"file": "good.py", "launch": "none"}, "has no launch 'none'"), ("simulate", {"file": "good.py", "schedule": "soup"}, "schedule"),
            ("simulate", {"file": "good.py", "references": [{"name": "y", "file": "y.npy", "absolute": 1}]}, "'references[0]' takes name, file; 'absolute' is an argument of the tool itself"),
            ("simulate", {"file": "good.py", "array": "y.npy", "grid": "1"}, "array: there is no such argument; the tool takes"),
            ("simulate", {"file": "good.py", "references": ["y=y.npy"]}, "references[0]: expected an object with name, file"),
            ("layout_map", {"layout": "gl.BlockedLayout([1], [32], [4], [0])", "shape": ["32x64"]}, "shape[0]: expected an integer"),
            ("compare", {"before": "good.py", "after": {"file": "good.py"}}, "before: expected an object with file"),
            ("benchmark", {"file": "good.py", "values": ["4"]}, "'values' is a member of 'axes[]'"),
            ("simulate", {"file": "good.py", "program": "x"}, "program"), ("simulate", {"file": "good.py", "arguments": ["z=3"]}, "unknown argument 'z'"),
            ("run", {"file": "good.py", "grid": "zero"}, "is not a grid"), ("search", {}, "query: missing"), ("launches", {"file": 5}, "file: expected a string")):
            self.assertIn(words, self.refused(tool, **arguments), (tool, arguments))

    def test_check_and_apply_fix(self):
        result = self.call("check")
        self.assertFalse(result["ok"])
        finding = next(each for each in result["findings"] if each["file"] == "wrong.py" and each["severity"] == "error")
        self.assertEqual((finding["line"], finding["code"]), (10, "undefined-name"), finding)
        preview = self.call("apply_fix", file="wrong.py", line=10, suggested=True, preview=True)
        self.assertFalse(preview["written"])
        self.assertIn("+    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)", preview["diff"])
        self.assertEqual((self.path / "wrong.py").read_text(), IMPORTS + kernel(layout="layot"))
        fixed = self.call("apply_fix", file="wrong.py", title=finding["fixes"][0]["title"])
        self.assertTrue(fixed["written"])
        self.assertEqual(fixed["left"]["errors"], 0)
        self.assertEqual((self.path / "wrong.py").read_text(), IMPORTS + kernel())
        self.assertTrue(self.call("check")["ok"])
        self.assertIn("no finding that matches", self.refused("apply_fix", file="wrong.py"))

    def test_apply_fix_beside_other_findings(self):
        """Findings that nobody asked for stay as they are, and do not make a fix look harmful."""
        self.write("slow.py", UNCOALESCED)
        findings = [each for each in self.call("check", files=["slow.py"])["findings"] if each["fixes"]]
        self.assertGreaterEqual(len({each["kernel"] for each in findings}), 2, findings)
        one = findings[0]
        title = one["fixes"][0]["title"]
        self.assertIn("no fix that matches has this title", self.refused("apply_fix", file="slow.py", line=one["line"], title="Something else"))
        self.assertIn("no fix that matches is safe", self.refused("apply_fix", file="slow.py", line=one["line"], code=one["code"]))
        applied = self.call("apply_fix", file="slow.py", line=one["line"], code=one["code"], title=title)
        self.assertEqual(applied["applied"], [title])
        left = [each for each in self.call("check", files=["slow.py"])["findings"] if each["fixes"]]
        self.assertTrue(left)
        self.assertNotIn(one["kernel"], {each["kernel"] for each in left})

    def test_fixes_of_slow_accesses_of_small_elements(self):
        """A layout that is suggested is fast by all rules: lanes side by side, and no access narrower than it must be."""
        for target, lanes in (("cuda:90", 32), ("hip:gfx942", 64)):
            for dtype in ("float16", "int8", "float32"):
                self.write("small.py", UNCOALESCED.replace("[32, 1], [gl.num_warps(), 1]", f"[{lanes}, 1], [1, gl.num_warps()]").replace("device=", f"dtype=torch.{dtype}, device="))
                finding = next(each for each in self.call("check", files=["small.py"], target=target)["findings"] if each["code"] == "uncoalesced")
                self.assertTrue(finding["fixes"], (target, dtype, finding["message"]))
                for _ in range(2):
                    self.call("apply_fix", file="small.py", code="uncoalesced", suggested=True, target=target)
                    left = self.call("check", files=["small.py"], target=target)
                    if left["ok"]:
                        break
                self.assertTrue(left["ok"], (target, dtype, left["findings"]))

    def test_operations_of_an_unrolled_loop_are_one_entry(self):
        self.write("unrolled.py", IMPORTS + """

@gluon.jit
def unrolled(x, y, n, BLOCK: gl.constexpr):
    i = gl.arange(0, BLOCK, layout=gl.BlockedLayout([4], [32], [4], [0]))
    for s in gl.static_range(60):
        gl.store(y + i + s * BLOCK, gl.load(x + i + s * BLOCK) + 1)


unrolled[(1, )](torch.ones(60 * 512, device="cuda"), torch.zeros(60 * 512, device="cuda"), 5, 512)
""")
        result = self.call("accesses", file="unrolled.py")
        self.assertEqual([(each["op"], each["times"]) for each in result["accesses"]], [("tt.load", 60), ("tt.store", 60)])
        self.assertEqual(result["omitted"], 0)
        self.assertEqual({each["times"] for each in self.call("accesses", file="good.py")["accesses"]}, {1})

    def test_check_is_bounded(self):
        self.write("many.py", IMPORTS + "".join(kernel(f"k{i}", "layot") for i in range(30)))
        result = self.call("check", files=["many.py"], limit=5, severity="error")
        self.assertEqual((len(result["findings"]), result["omitted"]), (5, 25))
        self.assertEqual(result["errors"], 30)

    def test_reference(self):
        entry, = self.call("explain", name="layout-mismatch")["entries"]
        self.assertEqual((entry["kind"], entry["severity"]), ("diagnostic", "error"))
        names = [each["name"] for each in self.call("explain", name="gl.load")["entries"]]
        self.assertEqual(names, ["gl.load"])
        self.assertIn("BlockedLayout", self.call("explain", name="BlockedLayout")["entries"][0]["signature"])
        self.assertIn("similar", self.refused("explain", name="load memori global") + " similar")
        found = [each["name"] for each in self.call("search", query="bulk copy global shared")["entries"]]
        self.assertTrue(found)
        self.assertEqual({each["kind"] for each in self.call("search", query="shared", kind="layout")["entries"]}, {"layout"})
        self.assertEqual(self.call("search", query="qqqqqq")["entries"], [])
        # Whole words and functions first: not softmax, nor a class of that module.
        first = [each["name"] for each in self.call("search", query="tma")["entries"][:5]]
        self.assertTrue(all(re.search(r"\btma\b.*\.[a-z0-9_]+(?<!_type)$", name) for name in first), first)
        self.assertRegex(self.call("search", query="mma")["entries"][0]["name"], r"\.[a-z0-9_]*mma[a-z0-9_]*$")
        # Other forms of the words, and what other libraries call these things.
        for query, wanted in {"matrix multiply": "gl.nvidia.ampere.mma_v2", "matmul": "gl.nvidia.hopper.warpgroup_mma", "gemm": "gl.amd.cdna3.mfma",
                              "tensor cores": "gl.nvidia.blackwell.tcgen05_mma", "prefix sums": "gl.associative_scan", "reciprocal": "gl.fdiv",
                              "how do I wait for a barrier": "gl.nvidia.ampere.mbarrier.wait", "prefetching": "gl.nvidia.ampere.async_copy.async_load"}.items():
            found = [each["name"] for each in self.call("search", query=query, limit=20)["entries"]]
            self.assertIn(wanted, found, query)
            self.assertTrue(found[0].startswith("gl."), found)
        self.assertEqual(self.call("search", query="mma", limit=0)["entries"], [])

    def test_summaries_say_something(self):
        """Also of a diagnostic whose message is another one for each finding."""
        listed = subprocess.run([GLUOND, "explain"], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertGreater(len(listed), 200)
        self.assertEqual([line for line in listed if re.search(r"\): \{\w+\}$", line)], [])
        for name in ("invalid-operation", "bad-argument", "project-setting"):
            entry, = self.call("explain", name=name)["entries"]
            self.assertRegex(entry["summary"], r"^[A-Z`][^{}]+\.$")
            self.assertNotIn("{", subprocess.run([GLUOND, "explain", name], capture_output=True, text=True, check=True).stdout.split("Fix:")[0])
        self.assertIn("gets <arrivals>", self.call("explain", name="arrival-count")["entries"][0]["summary"])

    def test_kernels_that_do_not_compile(self):
        """Each tool says why, in a sentence."""
        self.write("lost.py", IMPORTS + "import mystery\n" + kernel().replace("n, mask", "n").replace("value, mask", "mystery.change(value), mask"))
        for tool in ("accesses", "simulate"):
            self.assertIn("the value of 'mystery' is unknown", self.refused(tool, file="lost.py"), tool)
        self.assertIn("the value of 'mystery' is unknown", self.refused("ir", file="lost.py", stage="ptx"))
        self.assertIn("the value of 'mystery' is unknown", self.refused("budget", file="lost.py"))
        for tool in ("accesses", "budget"):
            self.assertIn("wrong.py:", self.refused(tool, file="wrong.py"), tool)

    def test_types_that_are_not_known(self):
        """They are assumed, which is said where the kernel does not compile so; arguments give them."""
        self.write("take.py", IMPORTS + """from somewhere import inputs

@gluon.jit
def take(x, index, y, n, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    j = gl.load(index + i, mask=i < n, other=0)
    gl.store(y + i, gl.load(x + j, mask=i < n), mask=i < n)

def run(x, index, y):
    take[(1, )](x, index, y, x.numel(), BLOCK=128)

run(*inputs())
""")
        for tool, more in (("simulate", {}), ("budget", {}), ("accesses", {})):
            why = self.refused(tool, file="take.py", **more)
            self.assertIn("types that gluond assumes for unknown ones (*fp32 for x, index and y, i32 for n)", why, tool)
            self.assertIn("index", why)
        self.assertEqual(self.call("check", files=["take.py"])["findings"], [])
        self.assertTrue(self.call("simulate", file="take.py", arguments=["index=zeros:i64[128]", "n=100"])["ok"])
        self.assertGreater(self.call("budget", file="take.py", arguments=["index=i64"])["registers"], 0)
        self.assertTrue(self.call("accesses", file="take.py", arguments=["index=i64"])["accesses"])
        self.assertIn("i64", self.call("ir", file="take.py", stage="ttgir", arguments=["index=i64"])["text"])
        self.assertIn("unknown argument 'indices'", self.refused("budget", file="take.py", arguments=["indices=i64"]))

    def test_a_budget_of_a_recorded_launch(self):
        record = json.dumps({"id": "recorded", "file": "good.py", "kernel": "copy_x", "target": "cuda:90", "options": {"num_warps": 4},
                             "args": [{"name": name, "type": "*fp32"} for name in ("x", "y")] + [{"name": "n", "type": "i32"}, {"name": "BLOCK", "type": "constexpr", "value": 512}],
                             "run": {"grid": [3]}})
        self.write("good.py.launches.jsonl", record + "\n")
        self.assertEqual(self.call("budget", file="good.py")["launched"], 3)

    def test_a_branch_that_another_launch_takes(self):
        self.write("branch.py", """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def branches(p, CAUSAL: gl.constexpr):
    at = gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0]))
    if CAUSAL:
        masked = gl.load(p + at)
        gl.store(p + at, masked)


for causal in (False, True):
    branches[(1,)](torch.empty(128, device="cuda"), causal)
""")
        first, second = (launch["id"] for launch in self.call("launches", file="branch.py")["kernels"][0]["launches"])
        found = self.call("type_at", file="branch.py", line=10, column=9, kernel="branches")
        self.assertEqual((found["expression"], found["launch"]), ("masked", second))
        self.assertIn("'" + second + "' does", self.refused("type_at", file="branch.py", line=10, column=9, launch=first))

    def test_launches_and_types(self):
        entry, = self.call("launches", file="good.py")["kernels"]
        self.assertEqual((entry["name"], entry["launches"][0]["origin"], entry["launches"][0]["target"]), ("copy_x", "launch", "cuda:90"))
        self.assertEqual(entry["launches"][0]["place"]["file"], "good.py")
        launch = self.call("launches", file="good.py", kernel="copy_x")["kernels"][0]["launches"][0]
        self.assertEqual((launch["grid"], launch["options"]), ([2, 1, 1], {"num_warps": 4}))
        given = {each["name"]: each for each in launch["arguments"]}
        self.assertEqual((given["x"]["type"], given["x"]["divisibleBy"], given["x"]["shape"]), ("*fp32", 16, [1000]))
        self.assertEqual((given["n"]["type"], given["n"]["value"], given["BLOCK"]["value"]), ("i32", 1000, 512))
        self.write("host.py", IMPORTS + "from good import copy_x\nv = torch.zeros(512, device='cuda')\ncopy_x[(1, )](v, v, 512, 512)\n")
        other, = self.call("launches", file="host.py")["kernels"]
        self.assertEqual((other["name"], other["file"], other["launches"][0]["grid"]), ("copy_x", "good.py", [1, 1, 1]))
        self.assertIn("no kernel 'none'", self.refused("launches", file="good.py", kernel="none"))
        self.assertEqual(self.call("launches", file="good.py", target="hip:gfx942")["kernels"][0]["launches"][0]["target"], "hip:gfx942")
        value = self.call("type_at", file="good.py", line=11, expression="value")
        self.assertEqual((value["kind"], value["dtype"], value["shape"]), ("tensor", "float32", [512]))
        self.assertEqual(value["layout"], "gl.BlockedLayout([4], [32], [4], [0])")
        whole = self.call("type_at", file="good.py", line=11, expression="i < n")
        self.assertEqual(whole["expression"], "i < n")
        constant = self.call("type_at", file="good.py", line=10, expression="BLOCK")
        self.assertEqual((constant["kind"], constant["value"]), ("constant", "512"))

    def test_layouts(self):
        layout = self.call("layout_map", layout="gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])", shape=[64, 64], dtype="float16", drawing=True,
                           other="gl.SwizzledSharedLayout(8, 1, 8, [1, 0])")
        self.assertEqual((layout["kind"], layout["global"]["bytesPerLane"]), ("registers", 16))
        self.assertEqual(layout["shared"]["wavefronts"], layout["shared"]["leastWavefronts"])
        self.assertIn("T0:0", layout["drawing"])
        there = self.call("layout_map", file="good.py", line=11)
        self.assertEqual(there["shape"], [512])
        converted = self.call("layout_map", layout="gl.BlockedLayout([1], [32], [4], [0])", shape=[512], dtype="float32", other="gl.BlockedLayout([4], [32], [4], [0])")
        self.assertTrue(converted["conversion"])

    def test_cost(self):
        self.write("transpose.py", IMPORTS + TRANSPOSE)
        found = self.call("accesses", file="transpose.py")["accesses"]
        worst = max((each for each in found if each["kind"] == "shared"), key=lambda each: each.get("excess", 0))
        self.assertEqual((worst["excess"], worst["place"]["line"]), (32.0, 16), worst)
        self.assertTrue(all(each["excess"] == 1 for each in found if each["kind"] == "global"))
        only = self.call("accesses", file="transpose.py", line=16)["accesses"]
        self.assertTrue(only and all(each["place"]["line"] == 16 for each in only))
        budget = self.call("budget", file="transpose.py")
        self.assertEqual((budget["sharedBytes"], budget["warps"]), (4096, 4))
        self.assertGreater(budget["programs"], 1)

    def test_what_is_slow_beside_layouts(self):
        """Each of these has the best layout; what it loses elsewhere is said where an agent looks for it."""
        self.write("slow.py", IMPORTS + """

@gluon.jit
def total(x, y, out, n, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=gl.BlockedLayout([1], [32], [4], [0]))
    v = gl.load(x + i, mask=i < n)
    gl.atomic_add(out + i * 0, v)
    gl.atomic_add(y + i, v)
    one = 0.0
    for k in range(n):
        one += gl.load(x + k)
    gl.store(out, one)


total[(2, )](torch.ones(64, device="cuda"), torch.ones(512, device="cuda"), torch.zeros(1, device="cuda"), 64, 256)
""")
        result = self.call("accesses", file="slow.py")
        load, contended, spread = result["accesses"]
        self.assertEqual((load["active"], load["excess"]), (0.25, 1), load)
        self.assertEqual((contended["sameAddress"], contended["excess"]), (32, 32), contended)
        self.assertNotIn("sameAddress", spread)
        self.assertEqual((spread["excess"], spread.get("active")), (1, None))
        self.assertEqual([note.split(":")[0] for note in result["notes"]], ["line 15"], result["notes"])
        self.assertEqual(self.call("accesses", file="slow.py", line=8)["notes"], [])
        budget = self.call("budget", file="slow.py")
        self.assertEqual(budget["launched"], 2)
        self.assertIn("130 do nothing", budget["notes"][0])

    def test_copies_that_overlap_with_nothing(self):
        self.write("copies.py", IMPORTS + """from triton.experimental.gluon.language.nvidia.ampere import async_copy


@gluon.jit
def in_turn(x, y, n, BLOCK: gl.constexpr, SLOTS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, BLOCK, layout=layout)
    buffers = gl.allocate_shared_memory(gl.float32, [SLOTS, BLOCK], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    total = gl.zeros([BLOCK], gl.float32, layout)
    for k in range(n):
        slot = buffers.index(k % SLOTS)
        async_copy.async_load(slot, x + k * BLOCK + i)
        async_copy.commit_group()
        async_copy.wait_group(0)
        total += slot.load(layout)
    gl.store(y + i, total)


in_turn[(1, )](torch.ones(4096, device="cuda"), torch.ones(512, device="cuda"), 8, 512, SLOTS)
""")
        text = (self.path / "copies.py").read_text()
        line = 1 + text.split("\n").index("        async_copy.wait_group(0)")
        for slots in (1, 2):  # more slots alone help nothing
            self.write("copies.py", text.replace("512, SLOTS)", f"512, {slots})"))
            notes = self.call("accesses", file="copies.py")["notes"]
            self.assertEqual([note.split(":")[0] for note in notes], [f"line {line}"], notes)
            self.assertIn("has just issued", notes[0])

    def test_nothing_to_check_is_no_success(self):
        self.assertIn("the list is empty", self.refused("check", files=[]))

    def test_types_of_another_launch(self):
        self.write("two.py", IMPORTS + kernel("k", "layout") + """
k[(1, )](torch.empty(512, device="cuda"), torch.empty(512, device="cuda"), 512, 128)
k[(1, )](torch.empty(512, device="cuda"), torch.empty(512, device="cuda"), 512, 256)
""")
        launches = [each["id"] for each in self.call("launches", file="two.py")["kernels"][0]["launches"]]
        text = (self.path / "two.py").read_text().split("\n")
        line, = [i for i, each in enumerate(text, 1) if "gl.arange" in each]
        shapes = [self.call("type_at", file="two.py", line=line, expression="gl.arange", launch=each)["launch"] for each in launches]
        self.assertEqual(shapes, launches)
        self.assertIn("no launch 'other'", self.refused("type_at", file="two.py", line=line, expression="gl.arange", launch="other"))

    def test_ir(self):
        whole = self.call("ir", file="good.py", stage="ttgir")
        self.assertIn(f"has the lines 1 to {whole['lines']}", self.refused("ir", **{"file": "good.py", "stage": "ttgir", "from": whole["lines"] + 1}))
        self.assertIn("tt.load", whole["text"])
        self.assertEqual(whole["lines"], len(whole["text"].splitlines()))
        line = self.call("ir", file="good.py", stage="ttgir", line=11)
        self.assertIn("tt.load", line["text"])
        self.assertNotIn("tt.store", line["text"])
        part = self.call("ir", file="good.py", stage="llir", limit=3)
        self.assertEqual((len(part["text"].splitlines()), part["omitted"]), (3, part["lines"] - 3))
        rest = self.call("ir", file="good.py", stage="llir", **{"from": 4, "limit": 2})
        self.assertEqual(rest["from"], 4)
        wrong = self.call("ir", file="wrong.py", stage="ttgir")
        self.assertEqual((wrong["text"], wrong["findings"][0]["code"]), ("", "undefined-name"))

    def test_simulate(self):
        result = self.call("simulate", file="good.py", arguments=["x=iota"])
        self.assertTrue(result["ok"], result)
        self.assertEqual([each["first"] for each in result["tensors"]], [[0, 1, 2, 3, 4, 5, 6, 7]] * 2)
        self.write("beyond.py", (IMPORTS + kernel()).replace("gl.store(y + i, value, mask=i < n)", "gl.store(y + i + 600, value)"))
        result = self.call("simulate", file="beyond.py")
        self.assertFalse(result["ok"])
        self.assertEqual(result["findings"][0]["line"], 12)

    def test_run_and_benchmark(self):
        result = self.call("run", file="good.py", arguments=["x=iota"])
        self.assertTrue(result["ok"])
        self.assertEqual((result["device"], result["tensors"][1]["first"][:3]), ("NVIDIA H200", [0, 1, 2]))
        result = self.call("benchmark", file="good.py", budgetMs=20)
        self.assertTrue(result["rows"][0]["ok"])
        self.assertAlmostEqual(result["rows"][0]["median"], 100, delta=1)
        rows = self.call("benchmark", file="good.py", axes=[{"name": "num_warps", "values": ["2", "4"]}], budgetMs=20)["rows"]
        self.assertEqual(len(rows), 2)
        self.assertIn("axes", self.refused("benchmark", file="good.py", axes=[{"name": "speed", "values": ["2"]}]))

    def test_compare(self):
        self.write("versions.py", IMPORTS + kernel("copy_in_100") + kernel("copy_in_80") + kernel("copy_wrong") + kernel("noisy_copy") + kernel("copy_same"))

        def compare(before, after, **more):
            return self.call("compare", before={"file": "versions.py", "kernel": before}, after={"file": "versions.py", "kernel": after}, budgetMs=100, **more)

        result = compare("copy_in_100", "copy_in_80")
        self.assertEqual(result["verdict"], "faster", result)
        self.assertAlmostEqual(result["speedup"], 1.25, delta=0.02)
        self.assertTrue(result["low"] <= result["speedup"] <= result["high"])
        self.assertGreater(result["confidence"], 0.95)
        self.assertEqual([each["name"] for each in result["results"]], ["y"])
        self.assertEqual(result["conditions"]["slowedBy"], ["power", "heat"])
        self.assertEqual((result["conditions"]["clockMHz"], result["conditions"]["mostClockMHz"], result["conditions"]["temperature"]), (1755, 1980, 61))
        self.assertEqual(compare("copy_in_80", "copy_in_100")["verdict"], "slower")
        self.assertEqual(compare("copy_in_100", "copy_same")["verdict"], "same")
        wrong = compare("copy_in_100", "copy_wrong", arguments=["x=iota"])
        self.assertEqual(wrong["verdict"], "different results")
        self.assertNotIn("speedup", wrong)
        self.assertEqual((wrong["results"][0]["differing"], wrong["results"][0]["firstAt"]), (1, [1]))
        self.assertIn("neither version changes", self.refused("compare", before={"file": "versions.py", "kernel": "noisy_copy"},
                                                              after={"file": "versions.py", "kernel": "noisy_copy"}))
        self.write("other.py", IMPORTS + kernel("copy_in_80").replace("1000", "2000"))
        self.assertIn("x is fp32[1000] before and fp32[2000] after", self.refused("compare", before={"file": "good.py"}, after={"file": "other.py"}))


def notebook(*cells):
    def cell(kind, source):
        own = {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
        return own | ({"execution_count": None, "outputs": []} if kind == "code" else {})
    return json.dumps({"cells": [cell(*each) for each in cells], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4,
                       "nbformat_minor": 5}, indent=1) + "\n"


class Notebooks(Case):
    """Lines of notebooks count in their cells, in arguments and in results."""

    def setUp(self):
        super().setUp()
        definition, launch = kernel().strip().split("\n\n\n")
        self.cells = [("markdown", "# Copies"), ("code", IMPORTS), ("code", definition), ("code", launch)]
        self.write("good.ipynb", notebook(*self.cells))
        self.wrong = notebook(*self.cells[:2], ("code", definition.replace("mask=i < n)", "maks=i < n)", 1)), ("code", launch))
        self.write("wrong.ipynb", self.wrong)

    def test_check_and_apply_fix(self):
        checked = self.call("check")
        self.assertEqual({(each["file"], each.get("cell"), each["line"]) for each in checked["findings"] if each["severity"] == "error"},
                         {("wrong.py", None, 10), ("wrong.ipynb", 3, 5)})
        edits = [edit for each in checked["findings"] if each["file"] == "wrong.ipynb" for fix in each["fixes"] for edit in fix["edits"]]
        self.assertEqual({(edit["cell"], edit["line"], edit["text"]) for edit in edits}, {(3, 5, "mask")})
        self.assertIn("cell is missing", self.refused("apply_fix", file="wrong.ipynb", line=5))
        self.assertIn("no Python cell 1; its Python cells are 2, 3, 4", self.refused("apply_fix", file="wrong.ipynb", cell=1, line=1))
        self.assertIn("no finding that matches", self.refused("apply_fix", file="wrong.ipynb", cell=4, line=1))
        fixed = self.call("apply_fix", file="wrong.ipynb", cell=3, line=5, suggested=True)
        self.assertIn("--- wrong.ipynb:cell 3", fixed["diff"])
        self.assertEqual((fixed["written"], fixed["left"]["errors"]), (True, 0))
        self.assertEqual((self.path / "wrong.ipynb").read_text(), self.wrong.replace("maks=", "mask="))

    def test_places(self):
        [info] = self.call("launches", file="good.ipynb")["kernels"]
        self.assertEqual((info["cell"], info["line"]), (3, 2))
        self.assertEqual((info["launches"][0]["place"]["cell"], info["launches"][0]["place"]["line"]), (4, 1))
        self.assertEqual(self.call("type_at", file="good.ipynb", cell=3, line=5, expression="value")["shape"], [512])
        self.assertIn("line: the cell has the lines 1 to 6", self.refused("type_at", file="good.ipynb", cell=3, line=7, expression="value"))
        self.assertEqual(self.call("layout_map", file="good.ipynb", cell=3, line=5)["kind"], "registers")
        accesses = self.call("accesses", file="good.ipynb", cell=3, line=6)["accesses"]
        self.assertEqual([(each["op"], each["place"]["cell"], each["place"]["line"]) for each in accesses], [("tt.store", 3, 6)])
        self.assertIn("tt.store", self.call("ir", file="good.ipynb", stage="ttgir", cell=3, line=6)["text"])
        self.assertIn("cell: the file is no notebook", self.refused("accesses", file="good.py", cell=3, line=6))
        self.assertTrue(self.call("simulate", file="good.ipynb")["ok"])
        self.assertTrue(self.call("compare", before={"file": "good.py"}, after={"file": "good.ipynb"})["verdict"])

    def test_what_is_no_notebook(self):
        self.write("bad.ipynb", "{gluon")
        self.assertIn("'bad.ipynb' is no notebook", self.refused("launches", file="bad.ipynb"))
        self.assertEqual(self.call("check", files=["good.ipynb"])["files"], 1)
        self.assertEqual({each["file"] for each in self.call("check")["findings"]} - {"wrong.py", "wrong.ipynb"}, set())


class WithoutGpu(Case):
    runner = NO_GPU

    def test_it_is_said(self):
        self.assertIn("the tool simulate runs the kernel on the CPU", self.refused("run", file="good.py"))
        self.refused("benchmark", file="good.py")
        self.refused("compare", before={"file": "good.py"}, after={"file": "good.py"})
        self.assertTrue(self.call("simulate", file="good.py")["ok"])


class Call(unittest.TestCase):
    """The same tools on the command line."""

    def run_it(self, *arguments, code=0, cwd=None):
        result = subprocess.run([GLUOND, "call", *arguments], capture_output=True, text=True, cwd=cwd, timeout=120)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return json.loads(result.stdout) if result.stdout else result.stderr

    def test_calls(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "good.py").write_text(IMPORTS + kernel())
            (Path(folder) / "wrong.py").write_text(IMPORTS + kernel(layout="layot"))
            described = self.run_it()
            self.assertEqual(described["schemaVersion"], 1)
            self.assertIn("compare", [tool["name"] for tool in described["tools"]])
            good = self.run_it("check", "files=good.py", "limit=3", cwd=folder)
            self.assertEqual((good["schemaVersion"], good["tool"], good["result"]["ok"]), (1, "check", True))
            self.run_it("check", '{"files": ["wrong.py"]}', "--folder", folder, code=1)
            self.run_it("check", "files=good.py", "files=wrong.py", cwd=folder, code=1)
            self.assertIn("error", self.run_it("check", "files=none.py", cwd=folder, code=1))
            value = self.run_it("type_at", "file=good.py", "line=11", "expression=value", cwd=folder)
            self.assertEqual(value["result"]["shape"], [512])
            self.assertIn("there is no tool", self.run_it("fly", code=2))
            self.assertIn("neither JSON nor NAME=VALUE", self.run_it("check", "good.py", code=2))
            self.assertIn("is not JSON", self.run_it("check", "{", code=2))


if __name__ == "__main__":
    unittest.main()
