"""Runs kernels on a GPU through gluond and gluond-runner: samples and kernels/working.py give the right results, kernels/failing.py
gives clear reports, and after each failure the next launch works; the same through the language server, as an editor asks.

    python3 tests/gpu/suite.py [--gluond build/bin/gluond] [--runner COMMAND]

Needs nothing but the two programs and Python's standard library. Exit code 77 (skipped, by name) where there is no GPU; kernels that a
GPU is too old for are skipped by name, too.
"""
import argparse
import array
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[1] / "samples"
parser = argparse.ArgumentParser()
parser.add_argument("--gluond", default=str(HERE.parents[1] / "build" / "bin" / "gluond"))
parser.add_argument("--runner", default="")
options, rest = parser.parse_known_args()
GLUOND = os.path.abspath(options.gluond)
RUNNER = options.runner or os.path.join(os.path.dirname(GLUOND), "gluond-runner")
DEVICE = None


def gluond(*arguments, timeout=120):
    return subprocess.run([GLUOND, *map(str, arguments), "--runner", RUNNER], capture_output=True, text=True, timeout=timeout)


def execute(command, file, kernel, *arguments):
    """The JSON that `gluond run` or `gluond bench` prints, and its exit code."""
    done = gluond(command, file, "--kernel", kernel, "--format", "json", *arguments)
    try:
        return json.loads(done.stdout), done.returncode
    except json.JSONDecodeError:
        raise AssertionError(f"{command} {kernel} {arguments}: {done.returncode} {done.stdout} {done.stderr}")


def read_npy(path):
    """(shape, values) of a .npy file."""
    data = Path(path).read_bytes()
    (length, ) = struct.unpack("<H", data[8:10])
    header = data[10:10 + length].decode()
    shape = tuple(int(n) for n in re.search(r"'shape': \(([^)]*)\)", header)[1].split(",") if n.strip())
    kind = re.search(r"'descr': '[<|]([a-z]\d)'", header)[1]
    body = data[10 + length:]
    if kind == "f2":
        return shape, list(struct.unpack(f"<{len(body) // 2}e", body))
    return shape, array.array({"f4": "f", "f8": "d", "i4": "i", "i8": "q", "i1": "b", "u1": "B"}[kind], body).tolist()


def write_npy(path, shape, values, kind="f4"):
    header = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    Path(path).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + array.array({"f4": "f", "i4": "i"}[kind], values).tobytes())


class Suite(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def launches(self, file, kernel):
        done = subprocess.run([GLUOND, "launches", str(file), "--format", "json", "--target", f"cuda:{DEVICE['capability']}"],
                              capture_output=True, text=True, timeout=60)
        return [record for record in json.loads(done.stdout) if record["kernel"] == kernel]

    def run_copying(self, file, kernel, *arguments, outputs):
        """Runs a kernel and gives back its tensors, by name."""
        wanted = [part for name in outputs for part in ("--out", f"{name}={self.path / name}.npy")]
        result, code = execute("run", file, kernel, *arguments, *wanted)
        self.assertEqual(code, 0, result)
        self.assertEqual(result["overwritten"], [])
        return {name: read_npy(self.path / f"{name}.npy") for name in outputs}, result

    def needs(self, capability):
        if DEVICE["capability"] < capability:
            self.skipTest(f"{DEVICE['name']} is older than cuda:{capability}")

    # ------------------------------------------------------------ results

    def test_samples_copy(self):
        for file, kernel in (("copy_1d", "copy_1d"), ("copy_1d", "copy_1d_tuned"), ("copy_2d", "copy_2d"), ("scalar_copy", "copy_one"),
                             ("scalar_copy", "copy_range")):
            for launch in self.launches(SAMPLES / f"{file}.py", kernel):
                with self.subTest(launch["id"]):
                    tensors, _ = self.run_copying(SAMPLES / f"{file}.py", kernel, "--launch", launch["id"], outputs=("src", "dst"))
                    self.assertEqual(tensors["src"], tensors["dst"])

    def test_sample_strided_copy(self):
        for launch in self.launches(SAMPLES / "strided_copy.py", "strided_copy_kernel"):
            with self.subTest(launch["id"]):
                tensors, _ = self.run_copying(SAMPLES / "strided_copy.py", "strided_copy_kernel", "--launch", launch["id"], "--arg", "src=iota",
                                              outputs=("src", "dst"))
                self.assertEqual(tensors["src"][1], tensors["dst"][1])

    def test_sample_transpose(self):
        for launch in self.launches(SAMPLES / "transpose.py", "transpose_kernel"):
            with self.subTest(launch["id"]):
                tensors, _ = self.run_copying(SAMPLES / "transpose.py", "transpose_kernel", "--launch", launch["id"], "--arg", "src=uniform(0,100)",
                                              outputs=("src", "dst"))
                (rows, cols), source = tensors["src"]
                self.assertEqual(tensors["dst"], ((cols, rows), [source[i * cols + j] for j in range(cols) for i in range(rows)]))

    def test_sample_async_add(self):
        tensors, _ = self.run_copying(SAMPLES / "async_add.py", "add_kernel", outputs=("a", "b", "out"))
        expected = array.array("f", (x + y for x, y in zip(tensors["a"][1], tensors["b"][1]))).tolist()
        self.assertEqual(tensors["out"][1], expected)

    def test_tensor_maps(self):
        self.needs(90)
        tensors, _ = self.run_copying(HERE / "kernels" / "working.py", "add_tiles", outputs=("a", "b", "c"))
        expected = array.array("f", (x + y for x, y in zip(tensors["a"][1], tensors["b"][1]))).tolist()
        self.assertEqual(tensors["c"][1], expected)

    def test_matmul(self):
        self.needs(90)
        tensors, _ = self.run_copying(HERE / "kernels" / "working.py", "matmul", "--arg", "a=uniform(-1,1)", "--arg", "b=uniform(-1,1)", outputs=("a", "b", "c"))
        (rows, inner), a = tensors["a"]
        (_, cols), b = tensors["b"]
        expected = [0.0] * (rows * cols)
        columns = [b[j::cols] for j in range(cols)]
        for i in range(rows):
            row = a[i * inner:(i + 1) * inner]
            for j in range(cols):
                expected[i * cols + j] = math.fsum(x * y for x, y in zip(row, columns[j]))
        write_npy(self.path / "want.npy", (rows, cols), expected)
        result, code = execute("run", HERE / "kernels" / "working.py", "matmul", "--arg", "a=uniform(-1,1)", "--arg", "b=uniform(-1,1)",
                               "--reference", f"c={self.path / 'want.npy'}", "--absolute", "0.02")
        self.assertEqual(code, 0, result)
        self.assertTrue(result["comparisons"][0]["isEqual"])
        # A wrong reference is told with its index.
        expected[3 * cols + 7] += 5
        write_npy(self.path / "want.npy", (rows, cols), expected)
        result, code = execute("run", HERE / "kernels" / "working.py", "matmul", "--arg", "a=uniform(-1,1)", "--arg", "b=uniform(-1,1)",
                               "--reference", f"c={self.path / 'want.npy'}", "--absolute", "0.02")
        self.assertEqual(code, 1)
        self.assertEqual(result["comparisons"][0]["first"]["index"], [3, 7])

    def test_partitions_clusters_and_maps_of_their_own(self):
        self.needs(90)
        for kernel in ("partitioned_copy", "cluster_copy", "own_map_copy"):
            with self.subTest(kernel):
                tensors, _ = self.run_copying(HERE / "kernels" / "working.py", kernel, outputs=("src", "dst"))
                self.assertEqual(tensors["src"], tensors["dst"])

    def test_sums_of_neighbours(self):
        for launch in self.launches(HERE / "kernels" / "working.py", "take_numbers"):
            with self.subTest(launch["id"]):
                tensors, _ = self.run_copying(HERE / "kernels" / "working.py", "take_numbers", "--launch", launch["id"], "--arg", "counters=zeros",
                                              outputs=("counters", "taken"))
                self.assertEqual(set(tensors["counters"][1]), {64})
                taken = tensors["taken"][1]
                for i in range(512):
                    self.assertEqual(sorted(taken[i::512]), list(range(64)))

    def test_prints(self):
        _, result = self.run_copying(HERE / "kernels" / "working.py", "says", outputs=())
        self.assertIn("number", result["printed"])
        self.assertIn("42", result["printed"])

    def test_ptx_for_the_driver(self):
        """The same kernel through the driver's compiler, as where there is no ptxas."""
        record = self.launches(SAMPLES / "copy_2d.py", "copy_2d")[0]
        record.update(target="cuda:80", file=str(SAMPLES / "copy_2d.py"))
        (self.path / "r.jsonl").write_text(json.dumps(record) + "\n")
        wanted = ["--out", f"src={self.path}/a.npy", "--out", f"dst={self.path}/b.npy"]
        done = gluond("run", self.path / "r.jsonl", "--target", "cuda:80", *wanted)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(read_npy(self.path / "a.npy"), read_npy(self.path / "b.npy"))

    # ------------------------------------------------------------ speed

    def test_bench(self):
        large = ["--arg", "src=random:f32[16384,16384]", "--arg", "dst=f32[16384,16384]", "--arg", "rows=16384", "--arg", "cols=16384", "--arg",
                 "src_row=16384", "--arg", "dst_row=16384", "--grid", "256,128"]
        ids = [launch["id"] for launch in self.launches(SAMPLES / "copy_2d.py", "copy_2d") if {"name": "BY_ROWS", "type": "constexpr", "value": True} in launch["args"]]
        result, code = execute("bench", SAMPLES / "copy_2d.py", "copy_2d", "--launch", ids[-1], *large)
        self.assertEqual(code, 0, result)
        (row, ) = result["rows"]
        print(f"copy_2d, 2 x 1 GiB: {row['microseconds']['median']:.1f} us, {row['gigabytesPerSecond']:.0f} GB/s, {row['percentOfPeak']}% of peak,"
              f" spread {100 * row['microseconds']['spread']:.2f}%, {row['microseconds']['runs']} runs", file=sys.stderr)
        self.assertEqual(row["bytes"], 2 * 4 * 16384 * 16384)
        self.assertEqual(row["bound"], "memory")
        if row["percentOfPeak"] is not None:
            self.assertGreater(row["percentOfPeak"], 50)
            self.assertLess(row["percentOfPeak"], 105)

    def test_bench_ranks_all_launches(self):
        result, code = execute("bench", SAMPLES / "copy_1d.py", "copy_1d_tuned", "--all", "--budget", "100")
        self.assertEqual(code, 0, result)
        self.assertEqual(len(result["rows"]), 3)
        medians = [row["microseconds"]["median"] for row in result["rows"]]
        self.assertEqual(medians, sorted(medians))
        text = gluond("bench", SAMPLES / "copy_1d.py", "--kernel", "copy_1d_tuned", "--all", "--budget", "100").stdout
        print(text, file=sys.stderr)
        self.assertIn(DEVICE["name"], text)

    def test_bench_matmul_counts_operations(self):
        self.needs(90)
        size = 4096
        result, code = execute("bench", HERE / "kernels" / "working.py", "matmul", "--arg", f"a=random:f16[{size},{size}]", "--arg",
                               f"b=random:f16[{size},{size}]", "--arg", f"c=f16[{size},{size}]", "--arg", f"K={size}", "--grid", f"{size // 64},{size // 128}")
        self.assertEqual(code, 0, result)
        (row, ) = result["rows"]
        self.assertEqual(row["flops"], 2 * size**3)
        self.assertEqual(row["bound"], "compute")
        print(f"matmul {size}: {row['teraflops']:.0f} TFLOP/s, {row['percentOfPeak']}% of peak", file=sys.stderr)

    # ------------------------------------------------------------ failures

    def fails(self, kernel, kind, *words, arguments=()):
        start = time.time()
        result, code = execute("run", HERE / "kernels" / "failing.py", kernel, "--time-limit", "2", *arguments)
        self.assertEqual(code, 1, result)
        problem = result["problem"]
        print(f"{kernel}: {problem['message']}" + (f" | {problem['log'].splitlines()[0]}" if "log" in problem else ""), file=sys.stderr)
        self.assertEqual(problem["kind"], kind, problem)
        for word in words:
            self.assertIn(word, problem["message"] + problem.get("log", ""))
        self.assertLess(time.time() - start, 60)
        tensors, _ = self.run_copying(SAMPLES / "scalar_copy.py", "copy_range", outputs=("src", "dst"))
        self.assertEqual(tensors["src"], tensors["dst"], "the next launch works")

    def test_hang(self):
        self.fails("hangs", "hang", "hangs did not end within 2 s")

    def test_wait_for_ever(self):
        self.needs(90)
        self.fails("waits_for_ever", "hang", "waits_for_ever did not end within 2 s")

    def test_out_of_bounds(self):
        self.fails("reads_far", "fault", "CUDA_ERROR_ILLEGAL_ADDRESS", "reads_far")

    def test_out_of_bounds_by_one(self):
        result, code = execute("run", HERE / "kernels" / "failing.py", "writes_beside")
        if code == 0 or "problem" not in result:
            self.assertEqual(result["overwritten"], ["dst"])
            self.assertEqual(code, 1)
        else:  # the tensor ends where its page does
            self.assertEqual(result["problem"]["kind"], "fault")

    def test_misaligned(self):
        self.fails("misaligned", "fault", "CUDA_ERROR_MISALIGNED_ADDRESS")

    def test_trap(self):
        self.fails("traps", "fault", "traps failed on the GPU")

    def test_assert(self):
        self.fails("asserts", "fault", "CUDA_ERROR_ASSERT", "value in range")

    def test_too_much_shared_memory(self):
        self.fails("too_much_shared", "code", "shared memory", "524288")

    def test_failures_among_launches(self):
        """A sweep with a failing launch: its row says why, the others are timed."""
        source = (HERE / "kernels" / "failing.py").read_text()
        source += "\n\n@gluon.jit\ndef mixed(dst, far):\n    gl.store(dst + far, 1.0)\n\n\nmixed[(1, )](torch.empty(64, device='cuda'), 536870913)\nmixed[(1, )](torch.empty(64, device='cuda'), 16)\n"
        (self.path / "mixed.py").write_text(source)
        result, code = execute("bench", self.path / "mixed.py", "mixed", "--all", "--budget", "50")
        self.assertEqual(code, 1)
        self.assertEqual([row["state"] for row in result["rows"]], ["done", "failed"], result)
        self.assertEqual(result["rows"][1]["problem"]["kind"], "fault")

    def test_resources_of_foreign_code(self):
        """PTX of another origin that asks for too much, through the protocol itself."""
        registers = 120
        loads = "".join(f"ld.volatile.global.u32 %r{i}, [%rd1+{4 * i}];\n" for i in range(registers))
        adds = "".join(f"add.u32 %r{registers}, %r{registers}, %r{i};\n" for i in reversed(range(registers)))
        ptx = f""".version 7.0
.target sm_80
.address_size 64
.visible .entry greedy(.param .u64 p, .param .u64 s, .param .u64 t)
{{
.reg .b32 %r<{registers + 1}>;
.reg .b64 %rd<2>;
ld.param.u64 %rd1, [p];
mov.u32 %r{registers}, 0;
{loads}{adds}st.global.u32 [%rd1], %r{registers};
ret;
}}
"""
        client = Client()
        self.addCleanup(client.close)
        answer = client.ask("load", {"device": 0, "kernel": "greedy", "threads": 1024, "sharedBytes": 0, "cluster": 1}, ptx.encode())
        self.assertEqual(answer["error"]["data"]["kind"], "resources", answer)
        print(answer["error"]["message"], file=sys.stderr)
        answer = client.ask("load", {"device": 0, "kernel": "greedy", "threads": 128, "sharedBytes": 1 << 20, "cluster": 1}, ptx.encode())
        self.assertEqual(answer["error"]["data"]["kind"], "resources", answer)
        answer = client.ask("load", {"device": 0, "kernel": "greedy", "threads": 128, "sharedBytes": 0, "cluster": 1}, ptx.replace("ret;", "retire;").encode())
        self.assertEqual(answer["error"]["data"]["kind"], "code", answer)
        self.assertIn("retire", answer["error"]["data"]["log"])
        answer = client.ask("load", {"device": 0, "kernel": "greedy", "threads": 128, "sharedBytes": 0, "cluster": 1}, ptx.encode())
        self.assertGreater(answer["result"]["registers"], 64)


class InTheEditor(unittest.TestCase):
    """Run and Benchmark as the editor asks for them."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.client = Client([GLUOND, "lsp"])
        self.addCleanup(self.client.close)
        self.result("initialize", {"processId": None, "capabilities": {}, "rootUri": Path(self.folder.name).as_uri()})
        self.client.send({"method": "initialized", "params": {}})

    def result(self, method, params):
        answer = self.client.ask(method, params)
        self.assertIn("result", answer, answer)
        return answer["result"]

    def open(self, file):
        uri = (Path(self.folder.name) / Path(file).name).as_uri()
        self.client.send({"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": Path(file).read_text()}}})
        return {"textDocument": {"uri": uri}}

    def benchmark(self, document, **params):
        """All its rows, once it is done."""
        started = self.result("gluond/benchmark", {**document, **params})
        rows, sequence, end = {}, 0, time.time() + 90
        while True:
            answer = self.result("gluond/benchmarkRows", {"run": started["run"], "after": sequence})
            sequence = answer["sequence"]
            rows.update((row["index"], row) for row in answer["rows"])
            if answer["done"]:
                self.assertEqual(len(rows), started["rows"])
                return [rows[index] for index in sorted(rows)]
            self.assertLess(time.time(), end, rows)
            time.sleep(0.05)

    def test_all_launches_then_the_history(self):
        document = self.open(SAMPLES / "copy_1d.py")
        plan = self.result("gluond/benchmarkPlan", {**document, "kernel": "copy_1d_tuned"})
        rows = self.benchmark(document, kernel="copy_1d_tuned", what="all")
        self.assertEqual(len(rows), plan["launches"])
        for row in rows:
            self.assertEqual((row["state"], row["device"]), ("done", DEVICE["name"]), row)
            self.assertLessEqual(row["low"], row["median"])
            self.assertGreater(row["gigabytesPerSecond"], 0)
        again = self.benchmark(document, kernel="copy_1d_tuned", what="all")
        self.assertEqual([row["before"]["median"] for row in again], [row["median"] for row in rows])
        history = self.result("gluond/benchmarkPlan", {**document, "kernel": "copy_1d_tuned"})["history"]
        self.assertEqual(len(history), 2 * len(rows))

    def test_sweep_over_layouts(self):
        document = self.open(SAMPLES / "copy_2d.py")
        axes = self.result("gluond/benchmarkPlan", {**document, "kernel": "copy_2d"})["axes"]
        axis = next(axis for axis in axes if len(axis["suggestions"]) > 1)
        rows = self.benchmark(document, kernel="copy_2d", what="sweep", axes=[{"name": axis["name"], "values": axis["suggestions"]}])
        self.assertEqual(len(rows), len(axis["suggestions"]))
        self.assertTrue(any(row["state"] == "done" for row in rows), rows)

    def test_a_kernel_that_hangs_leaves_the_server_well(self):
        document = self.open(HERE / "kernels" / "failing.py")
        (row, ) = self.benchmark(document, kernel="hangs", what="run")
        self.assertEqual((row["state"], row["problem"]["kind"]), ("failed", "hang"), row)
        self.assertIn("hangs", row["problem"]["message"])
        (row, ) = self.benchmark(self.open(SAMPLES / "scalar_copy.py"), kernel="copy_range", what="run")
        self.assertEqual(row["state"], "done", row)
        self.assertTrue(any(tensor["changed"] for tensor in row["tensors"]), row)

    def test_a_benchmark_that_is_stopped(self):
        document = self.open(HERE / "kernels" / "failing.py")
        started = self.result("gluond/benchmark", {**document, "kernel": "hangs", "what": "run"})
        self.assertTrue(self.result("gluond/stopBenchmark", {"run": started["run"]})["stopped"])
        (row, ) = self.benchmark(self.open(SAMPLES / "scalar_copy.py"), kernel="copy_range", what="run")
        self.assertEqual(row["state"], "done", row)


class Client:
    """A client of the runner's protocol (docs/runner.md), or of the language server's, in a few lines."""

    def __init__(self, command=("sh", "-c", RUNNER)):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(os.environ, GLUOND_RUNNER=RUNNER))
        self.next = 0

    def send(self, message, code=b""):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        binary = f"Binary-Length: {len(code)}\r\n" if code else ""
        self.process.stdin.write(f"Content-Length: {len(body)}\r\n{binary}\r\n".encode() + body + code)
        self.process.stdin.flush()

    def ask(self, method, params, code=b""):
        self.next += 1
        if code:
            params = dict(params, code={"offset": 0, "size": len(code)})
        self.send({"id": self.next, "method": method, "params": params}, code)
        while True:
            lengths = {}
            while line := self.process.stdout.readline().strip():
                key, value = line.split(b":")
                lengths[key] = int(value)
            answer = json.loads(self.process.stdout.read(lengths[b"Content-Length"]))
            self.process.stdout.read(lengths.get(b"Binary-Length", 0))
            if "method" in answer and "id" in answer:  # a question of the server's
                self.send({"id": answer["id"], "result": None})
            elif answer.get("id") == self.next:
                return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)
        self.process.stdout.close()


if __name__ == "__main__":
    client = Client()
    answer = client.ask("initialize", {"protocol": 3})
    client.close()
    result = answer.get("result", {})
    devices = [device for device in result.get("devices", []) if device["capability"]]
    if not devices:
        why = "; ".join(driver["problem"] for driver in result.get("drivers", []) if driver["vendor"] == "NVIDIA")
        print(f"skipped: no NVIDIA GPU: {why or answer.get('error', {}).get('message', 'the driver knows of none')}")
        sys.exit(77)
    DEVICE = devices[0]
    print(f"on {DEVICE['name']}, cuda:{DEVICE['capability']}")
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
