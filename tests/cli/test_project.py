"""Projects of several files: kernels launched and called from other files, found whichever files are checked, in whatever
order and on however many threads. Run by ctest; argv[1] is the program, GLUOND_PERMUTATIONS says how many orders to try."""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GLUOND = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin/gluond")
PERMUTATIONS = int(os.environ.get("GLUOND_PERMUTATIONS", "8"))
os.environ["GLUOND_CACHE_DIR"] = "off"

HEAD = """from triton.experimental import gluon
from triton.experimental.gluon import language as gl
"""
KERNEL = HEAD + """

@gluon.jit
def add(x, y, out, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    gl.store(out + at, gl.load(x + at, at < n) + gl.load(y + at, at < n), at < n)
"""
PROJECT = {
    "pyproject.toml": "[project]\nname = 'demo'\n",
    "src/demo/__init__.py": "from .ops import total\n",
    "src/demo/kern.py": KERNEL,
    "src/demo/ops.py": """import torch
import triton

from . import kern


def total(x, y, block=128):
    out = torch.empty_like(x)
    kern.add[(triton.cdiv(x.numel(), block),)](x, y, out, x.numel(), BLOCK=block)
    return out
""",
    "tests/test_total.py": """import pytest
import torch

from demo import total


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_total(dtype):
    x = torch.randn(1000, device="cuda", dtype=dtype)
    total(x, x)
""",
    # A helper that a kernel of another file calls, with a mistake that shows for these layouts only.
    "src/demo/helpers.py": HEAD + """

@gluon.jit
def both(a, b):
    return a + b


@gluon.jit
def once(a):
    return a * 2
""",
    "src/demo/mixed.py": HEAD + """
from .helpers import both, once


@gluon.jit
def mixed(out):
    one: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    two: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    x = both(gl.arange(0, 256, layout=one), gl.arange(0, 256, layout=two))
    gl.store(out + gl.arange(0, 256, layout=one), once(gl.arange(0, 256, layout=one)))
""",
    "benchmarks/bench.py": """import torch
from demo.kern import add
from demo import mixed


def main():
    x = torch.empty(1 << 20, device="cuda")
    add[(1024,)](x, x, x, x.numel(), BLOCK=96)
    mixed.mixed[(1,)](torch.empty(256, device="cuda", dtype=torch.int32))


if __name__ == "__main__":
    main()
""",
    # Nobody launches these; the second one's file has nothing to do with the others.
    "src/demo/lonely.py": HEAD + """

@gluon.jit
def first(p, n):
    gl.store(p, gl.cdiv(n, 4))


@gluon.jit
def second(p, q):
    gl.store(p, first(q, 3))
""",
    "src/demo/barriers.py": HEAD + """from triton.experimental.gluon.language.nvidia.hopper import mbarrier


@gluon.jit
def waits(p):
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.invalidate(bar)
    gl.store(p, 1)
""",
}


def run(*arguments, cwd, threads=None):
    command = [GLUOND, *map(str, arguments)]
    if threads:
        command = ["taskset", "-c", ",".join(str(n) for n in threads), *command]
    return subprocess.run(command, capture_output=True, timeout=120, cwd=cwd)


class Project(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name).resolve()
        self.addCleanup(self.folder.cleanup)

    def write(self, files):
        for name, text in files.items():
            file = self.path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def test_what_a_guessed_target_decides_is_not_certain(self):
        """A file may run on GPUs that nothing in it names; what it raises on one that gluond only takes is not told."""
        asks = {
            "'gfx942' in triton.runtime.driver.active.get_current_target().arch": False,
            "assert triton.runtime.driver.active.get_current_target().backend == 'hip'": False,
            "assert torch.cuda.get_device_capability()[0] == 10": False,
            "{8: 64, 12: 32}[torch.cuda.get_device_properties(0).major]": False,
            "assert torch.version.hip": False,
            "from triton._internal_testing import is_hip_cdna4\nassert is_hip_cdna4()": False,
            "x = 1 // 0 if torch.version.hip else 1 // 0": False,  # which of the two is not known
            "torch.version.hip\nx = 1 // 0": True,
            "y = 1 if torch.version.hip else 2\nx = y // 0": False,
            "if torch.version.hip:\n    pass\nnosuch": True,
        }
        for number, (text, isTold) in enumerate(asks.items()):
            file = f"case{number}.py"
            self.write({file: HEAD + "import torch\nimport triton\n\n\n@gluon.jit\ndef k(p):\n    gl.store(p, 1)\n\n\n" + text + "\n"})
            for options, expected in ((), isTold), (("--target", "cuda:90"), True):
                told = json.loads(run("check", file, *options, "--format", "json", cwd=self.path).stdout)
                codes = [each["code"] for each in told]
                self.assertEqual("module-exception" in codes, expected, (text, options, told))

    def check(self, *files, **options):
        """What check finds: a dict from (file, line) to (code, message, where it was launched)."""
        options.setdefault("cwd", self.path)
        result = run("check", *files, "--format", "json", **options)
        self.assertIn(result.returncode, (0, 1), result.stderr.decode())
        found = {}
        for each in json.loads(result.stdout):
            name = os.path.relpath(os.path.join(options["cwd"], each["file"]), self.path)
            related = [(os.path.relpath(os.path.join(options["cwd"], r["file"]), self.path), r["range"]["start"]["line"] + 1,
                        r["message"]) for r in each["related"]]
            key = (name, each["range"]["start"]["line"] + 1, each["code"])
            self.assertNotIn(key, found, "told twice")
            found[key] = (each["message"], each["kernel"], each["launch"], tuple(related))
        return found

    def launches(self, file, *more):
        result = run("launches", file, *more, cwd=self.path)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout.decode()

    def test_a_kernel_alone_is_checked_as_other_files_launch_it(self):
        self.write(PROJECT)
        found = self.check("src/demo/kern.py")
        key = ("src/demo/kern.py", 8, "not-power-of-two")
        self.assertIn(key, found, found)
        _, kernel, launch, related = found[key]
        self.assertEqual((kernel, launch.split("@")[1]), ("add", "benchmarks.bench"))
        self.assertIn(("benchmarks/bench.py", 8, "launched here"), related)
        self.assertNotIn("typed-defaults", {code for _, _, code in found})

    def test_launches_says_where(self):
        self.write(PROJECT)
        text = self.launches("src/demo/kern.py")
        self.assertIn("add (line 6)", text)
        self.assertIn("benchmarks/bench.py, line 8", text)
        self.assertIn("src/demo/ops.py, line 9", text)  # called by the test, with two dtypes
        self.assertEqual(text.count("@tests.test_total"), 2)
        text = self.launches("benchmarks/bench.py")
        self.assertIn("add (src/demo/kern.py, line 6)", text)
        self.assertIn("mixed (src/demo/mixed.py, line 8)", text)
        records = json.loads(self.launches("src/demo/kern.py", "--format", "json"))
        self.assertEqual({r["args"][0]["type"] for r in records}, {"*fp32", "*fp16", "*bf16"})
        self.assertEqual({r["file"] for r in records}, {"src/demo/kern.py"})

    def test_emit_takes_types_from_other_files(self):
        self.write(PROJECT)
        result = run("emit", "src/demo/mixed.py", "--kernel", "mixed", "--stage", "source", cwd=self.path)
        self.assertEqual(result.returncode, 1, result.stdout)  # it has a mistake
        self.assertIn(b"tt.ptr<bf16>", run("emit", "src/demo/kern.py", "--kernel", "add", "--launch",
                                           "add.cuda90.1@tests.test_total", "--stage", "source", cwd=self.path).stdout)
        self.assertIn(b"tt.ptr<f16>", run("emit", "tests/test_total.py", "--kernel", "add", "--stage", "source",
                                          cwd=self.path).stdout)

    def test_a_launch_is_at_fault_in_its_own_file(self):
        self.write(PROJECT)
        self.write({"bad.py": "import torch\nfrom demo.kern import add\nx = torch.empty(8)\nadd[(1,)](x, x)\n"})
        found = self.check("bad.py")
        self.assertEqual([(line, code) for _, line, code in found], [(4, "launch-argument")])

    def test_a_helper_is_seen_through_its_callers(self):
        self.write(PROJECT)
        found = self.check("src/demo/helpers.py")
        codes = {(line, code) for _, line, code in found}
        self.assertIn((7, "layout-mismatch"), codes)
        self.assertNotIn("typed-defaults", {code for _, code in codes})

    def test_a_mistake_in_a_compile_time_helper_is_told_once_in_its_file(self):
        kernel = "\n\n@gluon.jit\ndef {0}(p, num_warps: gl.constexpr):\n    layout: gl.constexpr = rows(num_warps)\n" \
                 "    gl.store(p + gl.arange(0, 64, layout=layout), 1.0)\n\n\n{0}[(1,)](torch.empty(64, device='cuda'), 4)\n"
        self.write({"pyproject.toml": "[project]\nname = 'demo'\n",
                    "layouts.py": HEAD + "\n\n@gluon.constexpr_function\ndef rows(num_warps):\n"
                                         "    return gl.BlockedLayout([1], [32], [num_warp], [0])\n",
                    "a.py": HEAD + "import torch\nfrom layouts import rows\n" + kernel.format("first") + kernel.format("second"),
                    "b.py": HEAD + "import torch\nfrom layouts import rows\n" + kernel.format("third")})
        for files in (["layouts.py"], ["."], ["b.py", "a.py", "layouts.py"]):
            found = self.check(*files)
            self.assertEqual(list(found), [("layouts.py", 7, "undefined-name")], files)
            calls = {(name, line) for name, line, message in found["layouts.py", 7, "undefined-name"][3] if message == "called from here"}
            self.assertEqual(calls, {("a.py", 9), ("a.py", 18), ("b.py", 9)}, files)
        run("check", "layouts.py", "--fix", "--unsafe-fixes", cwd=self.path)
        self.assertEqual(self.check("."), {})

    def test_a_module_that_takes_too_long_is_told_once_at_its_loop(self):
        user = HEAD + "import torch\nimport words\n" + KERNEL[len(HEAD):] + "\nadd[(1,)](*[torch.empty(64, device='cuda')] * 3, 64, 64)\n"
        self.write({"a.py": user, "b.py": user, "words.py": "found = {}\nfor i in range(10**9):\n    found[i % 7] = i\n"})
        for files in (["."], ["b.py", "a.py"], ["a.py"]):
            (key, (_, _, _, related)), = self.check(*files).items()
            self.assertEqual(key, ("words.py", 2, "budget-exhausted"), files)
            self.assertIn("called from here", [message for _, _, message in related])

    def test_one_missing_import_names_a_place_in_each_kernel(self):
        kernel = "\n\n@gluon.jit\ndef k{0}(p):\n    fence_async_shared()\n    gl.store(p, 1.0)\n\n\nk{0}[(1,)](torch.empty(64, device='cuda'))\n"
        self.write({"a.py": HEAD + "import torch\n" + "".join(kernel.format(i) for i in range(12))})
        (place, (_, _, _, related)), = self.check("a.py").items()
        self.assertEqual(place[2], "undefined-name")
        self.assertEqual(len({line for _, line, _ in related}), 11)

    def test_imports_without_the_dot_of_their_package(self):
        files = {"pyproject.toml": "[project]\nname = 'demo'\n", "src/demo/__init__.py": "",
                 "src/demo/tiles.py": "TILE = 64\n", "src/demo/layouts.py": "WARPS = 4\n",
                 "src/demo/kern.py": HEAD + "from tiles import TILE\nfrom .layouts import WARPS\n" + KERNEL[len(HEAD):]}
        self.write(files)
        found = self.check("src/demo/kern.py")
        self.assertIn("did you mean '.tiles'?", found["src/demo/kern.py", 3, "missing-import"][0])
        run("check", "src/demo/kern.py", "--fix", "--unsafe-fixes", cwd=self.path)
        self.assertIn("from .tiles import TILE\n", (self.path / "src/demo/kern.py").read_text())
        # A script, a folder on the path, and a module of the path with this name.
        for name, text in (("src/demo/kern.py", files["src/demo/kern.py"].replace("from .layouts import WARPS\n", "")),
                           ("conftest.py", "import sys\nsys.path.append('src/demo')\n"), ("src/tiles.py", "TILE = 32\n")):
            with self.subTest(name):
                self.write(files | {name: text})
                self.assertNotIn("missing-import", {code for _, _, code in self.check("src/demo/kern.py")})
                (self.path / name).unlink()

    def test_a_library_with_the_name_of_a_module_beside(self):
        kern = HEAD + "import triton\nimport pieces\nimport tensor_parts\nfrom .layouts import WARPS\n" + KERNEL[len(HEAD):]
        self.write({"pyproject.toml": "[project]\nname = 'demo'\ndependencies = ['tensor_parts>=2']\n", "src/demo/__init__.py": "",
                    "src/demo/triton/__init__.py": "", "src/demo/tensor_parts.py": "", "src/demo/pieces.py": "",
                    "src/demo/layouts.py": "WARPS = 4\n", "src/demo/kern.py": kern})
        told = [(line, code) for _, line, code in self.check("src/demo/kern.py") if code == "missing-import"]
        self.assertEqual(told, [(4, "missing-import")])  # pieces, which nothing says to be a library

    def test_findings_do_not_depend_on_what_else_is_checked(self):
        self.write(PROJECT)
        files = sorted(name for name in PROJECT if name.endswith(".py"))
        alone = {}
        for name in files:
            for key, finding in self.check(name).items():
                if key[0] == name:
                    alone[key] = finding
        self.assertTrue(alone)
        whole = self.check(".")
        self.assertEqual(whole, alone)
        self.assertEqual(self.check(".", threads=[0]), alone)
        self.assertEqual(self.check(self.path, cwd="/"), alone)
        chance = random.Random(14)
        for _ in range(PERMUTATIONS):
            order = files[:]
            chance.shuffle(order)
            self.assertEqual(self.check(*order), alone, order)
            some = order[: chance.randrange(1, len(order))]
            found = self.check(*some)
            for name in some:
                self.assertEqual({k: v for k, v in found.items() if k[0] == name},
                                 {k: v for k, v in alone.items() if k[0] == name}, some)

    # Layouts of projects, each with a launch whose block size is no power of two.
    def layout(self, files, kernel, launch):
        self.write(files)
        found = self.check(kernel)
        places = {r[:2] for finding in found.values() for r in finding[3] if r[2] == "launched here"}
        self.assertTrue(any(code == "not-power-of-two" for _, _, code in found), found)
        self.assertIn(launch, places)

    def test_beside(self):
        self.layout({"kern.py": KERNEL, "host.py": "import torch, kern\nx = torch.empty(64)\nkern.add[(1,)](x, x, x, 64, BLOCK=48)\n"},
                    "kern.py", ("host.py", 3))

    def test_namespace_packages(self):
        self.layout({"ns/inner/kern.py": KERNEL,
                     "host.py": "import torch\nimport ns.inner.kern\nx = torch.empty(64)\n"
                                "ns.inner.kern.add[(1,)](x, x, x, 64, BLOCK=48)\n"}, "ns/inner/kern.py", ("host.py", 4))

    def test_import_as_and_packages(self):
        self.layout({"pkg/__init__.py": "", "pkg/kern.py": KERNEL,
                     "host.py": "import torch\nimport pkg.kern as k\nx = torch.empty(64)\nk.add[(1,)](x, x, x, 64, BLOCK=48)\n"},
                    "pkg/kern.py", ("host.py", 4))

    def test_star_and_relative(self):
        self.layout({"pkg/__init__.py": "", "pkg/kern.py": KERNEL,
                     "pkg/host.py": "import torch\nfrom .kern import *\nx = torch.empty(64)\nadd[(1,)](x, x, x, 64, BLOCK=48)\n"},
                    "pkg/kern.py", ("pkg/host.py", 4))

    def test_dictionary_of_kernels(self):
        self.layout({"kern.py": KERNEL + "\n\nKERNELS = {'add': add}\n",
                     "host.py": "import torch\nfrom kern import KERNELS\nx = torch.empty(64)\n"
                                "KERNELS['add'][(1,)](x, x, x, 64, BLOCK=48)\n"}, "kern.py", ("host.py", 4))

    def test_class_and_registry(self):
        self.layout({"kern.py": KERNEL, "registry.py": "OPS = {}\n\n\ndef register(name):\n    def keep(op):\n        OPS[name] = op\n"
                                                       "        return op\n    return keep\n",
                     "ops.py": "from kern import add\nfrom registry import register\n\n\n@register('add')\nclass Add:\n"
                               "    def __init__(self, block):\n        self.block = block\n\n    def __call__(self, x):\n"
                               "        add[(1,)](x, x, x, 64, BLOCK=self.block)\n",
                     "host.py": "import torch\nfrom ops import Add\n\nop = Add(48)\nop(torch.empty(64))\n"}, "kern.py", ("ops.py", 11))

    def test_helper_in_a_third_file(self):
        self.layout({"kern.py": KERNEL, "launcher.py": "def launch(kernel, grid, *args, **more):\n    kernel[grid](*args, **more)\n",
                     "host.py": "import torch\nfrom kern import add\nfrom launcher import launch\nx = torch.empty(64)\n"
                                "launch(add, (1,), x, x, x, 64, BLOCK=48)\n"}, "kern.py", ("launcher.py", 2))

    def test_sys_path(self):
        self.layout({"pyproject.toml": "", "lib/kern.py": KERNEL,
                     "scripts/run.py": "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'lib'))\n"
                                       "import torch\nimport kern\nx = torch.empty(64)\nkern.add[(1,)](x, x, x, 64, BLOCK=48)\n"},
                    "lib/kern.py", ("scripts/run.py", 6))

    def test_fixes_of_launches_do_not_depend_on_where_the_kernel_is(self):
        launches = ["add[(1,)](x, x, x, 64, BLOCK=64, num_warp=4)", "add[(1,)](x, x, x, 64, BLOK=64)", "add[(1,)](x, x, x, n, block=64)",
                    "add[(1,)](x, x, x, 64, BLOCK=64, num_threads=128)", "add((1,), x, x, x, 64, BLOCK=64)", "add(x, x, x, 64, BLOCK=64)",
                    "add[(1,)](x, x, x, BLOCK=64)", "add[lambda m: (64 // m['BLOK'],)](x, x, x, 64, BLOCK=64)",
                    "add[(1,)](x=x, y=x, out=x, count=n, BLOCK=64)"]

        def fixes_of(name):
            found = json.loads(run("check", name, "--format", "json", cwd=self.path).stdout)
            return [(fix["applicability"], fix["title"]) for each in found for fix in each["fixes"] if each["code"] == "launch-argument"]

        for launch in launches:
            with self.subTest(launch=launch):
                host = "import torch\n{}x = torch.empty(64, device='cuda')\nn = 64\n"
                self.write({"pyproject.toml": "", "one.py": KERNEL + host.format("") + launch + "\n", "kern.py": KERNEL,
                            "two.py": host.format("from kern import add\n") + launch + "\n",
                            "three.py": host.format("import kern\n") + "kern." + launch + "\n"})
                alone = fixes_of("one.py")
                self.assertTrue(alone)
                self.assertEqual(fixes_of("two.py"), alone)
                self.assertTrue(fixes_of("three.py"))

    def test_options_of_a_launch_are_told_at_the_launch(self):
        self.write({"pyproject.toml": "", "kern.py": KERNEL,
                    "host.py": "import torch\nfrom kern import add\nx = torch.empty(64, device='cuda')\nadd[(1,)](x, x, x, 64, BLOCK=64, num_warps=3)\n"})
        for files in ([], ["host.py"], ["kern.py"]):
            self.assertEqual(list(self.check(*files)), [("host.py", 4, "launch-argument")], files)

    def test_numbers_of_stages_that_triton_takes(self):
        for number, found in ((0, 0), (-1, 0), (3, 0), ("'3'", 1)):
            self.write({"pyproject.toml": "", "kern.py": KERNEL + "\n\nimport torch\nx = torch.empty(64, device='cuda')\n"
                                                         f"add[(1,)](x, x, x, 64, BLOCK=64, num_stages={number})\n"})
            self.assertEqual(len([key for key in self.check("kern.py") if key[2] == "launch-argument"]), found, number)

    def test_a_file_that_launches_alone(self):
        """Checked by a hook that names the changed file only: errors and warnings of what it launches, and the kernels count."""
        kernel = KERNEL.replace("    gl.store", "    large = gl.allocate_shared_memory(gl.float32, [1 << 17], gl.SwizzledSharedLayout(1, 1, 1, [0]))\n"
                                               "    large.store(gl.zeros([1 << 17], gl.float32, layout))\n    gl.store")
        self.write({"pyproject.toml": "", "kern.py": kernel,
                    "host.py": "import torch\nfrom kern import add\nx = torch.empty(64, device='cuda')\nadd[(1,)](x, x, x, 64, BLOCK=64)\n"})
        self.assertIn("shared-memory-exceeded", {code for _, _, code in self.check("host.py")})
        self.assertEqual(self.check("host.py"), {key: found for key, found in self.check(".").items() if key[2] == "shared-memory-exceeded"})
        for files in (["host.py"], ["host.py", "kern.py"], ["."]):
            self.assertIn("1 kernel in 1 specialization", run("check", *files, cwd=self.path).stdout.decode(), files)

    def test_findings_of_a_fixed_file_are_those_of_its_new_text(self):
        # host.py is checked first, and finds what is wrong in kern.py before its safe fix moves the rest of the line.
        self.write({"pyproject.toml": "",
                    "kern.py": "from triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n"
                               "from triton.experimental.gluon.language.nvidia.ampere import async_copy\n\n\n@gluon.jit\ndef k(p, B: gl.constexpr):\n"
                               "    L: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])\n"
                               "    S: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])\n"
                               "    s = gl.allocate_shared_memory(gl.float32, [128], S)\n    at = gl.arange(0, 128, L)\n"
                               "    async_copy.async_copy_global_to_shared(s, p + at); gl.arange(0, B, L)\n",
                    "host.py": "import torch\nfrom kern import k\nk[(1,)](torch.empty(128, device='cuda'), 48)\n"})
        fixed = run("check", "--fix", "--format", "json", "host.py", "kern.py", cwd=self.path)
        self.assertIn("async_copy.async_load(s", (self.path / "kern.py").read_text())
        again = run("check", "--format", "json", "host.py", "kern.py", cwd=self.path)
        self.assertEqual(json.loads(fixed.stdout), json.loads(again.stdout))
        self.assertTrue(json.loads(again.stdout))

    def test_conftest_fixture(self):
        self.layout({"pyproject.toml": "", "src/demo/kern.py": KERNEL,
                     "tests/conftest.py": "import pytest\nimport torch\nfrom demo.kern import add\n\n\n@pytest.fixture\n"
                                          "def launch():\n    def run(x, block):\n        add[(1,)](x, x, x, 64, BLOCK=block)\n"
                                          "    return run\n\n\n@pytest.fixture\ndef x():\n    return torch.empty(64)\n",
                     "tests/unit/test_it.py": "def test_it(launch, x):\n    launch(x, 48)\n"},
                    "src/demo/kern.py", ("tests/conftest.py", 9))

    def test_what_conftest_adds_to_the_path(self):
        self.layout({"pyproject.toml": "", "src/demo/kern.py": KERNEL, "tests/__init__.py": "", "tests/blocks.py": "BLOCK = 48\n",
                     "tests/conftest.py": "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).resolve().parent))\n",
                     "tests/unit/__init__.py": "",
                     "tests/unit/test_it.py": "import torch\nfrom blocks import BLOCK\nfrom demo.kern import add\n\n\ndef test_it():\n    x = torch.empty(64)\n"
                                              "    add[(1,)](x, x, x, 64, BLOCK=BLOCK)\n"},
                    "src/demo/kern.py", ("tests/unit/test_it.py", 8))

    def test_a_package_of_another_distribution(self):
        self.layout({".git/HEAD": "", "core/pyproject.toml": "", "amd/pyproject.toml": "", "amd/python/kern_amd/__init__.py": "",
                     "amd/python/kern_amd/ops.py": KERNEL, "core/test/unit/test_it.py": "import torch\nfrom kern_amd import ops\n\n\n"
                     "def test_it():\n    x = torch.empty(64)\n    ops.add[(1,)](x, x, x, 64, BLOCK=48)\n"},
                    "amd/python/kern_amd/ops.py", ("core/test/unit/test_it.py", 7))

    def test_test_classes_and_unittest(self):
        self.layout({"kern.py": KERNEL,
                     "tests/test_it.py": "import torch\nfrom kern import add\n\n\nclass TestAdd:\n    def setup_method(self):\n"
                                         "        self.x = torch.empty(64)\n\n    def test_it(self):\n"
                                         "        add[(1,)](self.x, self.x, self.x, 64, BLOCK=48)\n"}, "kern.py", ("tests/test_it.py", 10))

    def test_a_wrong_launch_in_a_wrapper_is_one_mistake(self):
        call = "import torch\nfrom ops import wrapper\n\n\ndef test_it():\n    wrapper(torch.empty(64, device='cuda'))\n"
        self.write({"kern.py": KERNEL, "ops.py": "from kern import add\n\n\ndef wrapper(x):\n    add[(1,)](x, x, x, BLOCK=64)\n",
                    "tests/test_a.py": call, "tests/test_b.py": call})
        wrong = [each for each in self.check(".") if each[2] == "launch-argument"]
        self.assertEqual([(os.path.basename(file), line) for file, line, _ in wrong], [("ops.py", 5)])
        # A tensor on the CPU is the caller's mistake.
        self.write({"ops.py": "from kern import add\n\n\ndef wrapper(x):\n    add[(1,)](x, x, x, 64, BLOCK=64)\n", "tests/test_b.py": "",
                    "tests/test_a.py": call.replace(", device='cuda'", "")})
        made = [each for each in self.check(".") if each[2] == "cpu-tensor"]
        self.assertEqual([(os.path.basename(file), line) for file, line, _ in made], [("test_a.py", 6)])
        self.write({"ops.py": "from kern import add\n\n\ndef wrapper(x):\n    add[(1,)](x, x, x, BLOCK=64)\n", "tests/test_b.py": call})
        # So it is said whichever file is checked.
        alone = [each for each in self.check("tests/test_b.py") if each[2] == "launch-argument"]
        self.assertEqual([(os.path.basename(file), line) for file, line, _ in alone], [("ops.py", 5)])

    # What tests, benchmarks and scripts raise in the functions that they call.

    CONFIG = {"kern.py": KERNEL, "config.py": """from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    block: int
    warps: int = 4


def choose(n):
    return Config(64) if n <= 512 else Config(128)
"""}
    WRAPPER = """from config import choose
from kern import add


def wrapper(x):
    cfg = choose(x.numel())
    add[(1,)](x, x, x, x.numel(), BLOCK=cfg.block, num_warps=cfg.%s)
"""
    CALL = "import pytest\nimport torch\nfrom ops import wrapper\n\n\n"

    def exceptions(self, *paths):
        """From (file, line) to the findings of exceptions."""
        result = run("check", *paths, "--format", "json", cwd=self.path)
        return {(os.path.normpath(each["file"]), each["range"]["start"]["line"] + 1): each for each in json.loads(result.stdout)
                if each["code"] == "module-exception"}

    def test_an_exception_in_a_wrapper_is_told_there(self):
        test = "def test_it():\n    wrapper(torch.empty(64, device='cuda'))\n"
        self.write({**self.CONFIG, "ops.py": self.WRAPPER % "warp", "tests/test_a.py": self.CALL + test,
                    "tests/test_b.py": self.CALL + test, "main.py": "import torch\nfrom ops import wrapper\n\n"
                    "if __name__ == '__main__':\n    wrapper(torch.empty(64, device='cuda'))\n"})
        for paths in [["."], ["tests/test_a.py"], ["main.py"]]:
            told = self.exceptions(*paths)
            self.assertEqual(list(told), [("ops.py", 7)], paths)
            finding = told["ops.py", 7]
            self.assertEqual(finding["severity"], "warning")
            self.assertIn("would raise AttributeError: 'Config' object has no attribute 'warp'", finding["message"])
            self.assertIn("'warps'", str(finding["fixes"]))
            self.assertIn("called from here", str(finding["related"]))
        # The kernel is not blamed: its launch is where the evaluation ended.
        ended = [finding for key, finding in self.check("kern.py").items() if key[2] in ("not-analyzed", "typed-defaults")]
        self.assertTrue(ended and all(any(each[:2] == ("ops.py", 7) for each in finding[3]) for finding in ended), ended)

    def test_what_a_wrapper_refuses_is_told_there(self):
        refusals = {  # what it says before it launches, and whether the test certainly meets it
            "if x.numel() % 128:\n        raise ValueError('size')": True,
            "assert x.numel() % 128 == 0, 'size'": True,
            "if os.environ.get('STRICT') and x.numel() % 128:\n        raise ValueError('size')": False,
            "if x.sum() > 1:\n        raise ValueError('size')": False,
            "if not fits(x):\n        raise ValueError('size')": False,
            "if torch.cuda.get_device_capability()[0] != 10:\n        raise ValueError('size')": False,
            "try:\n        raise ValueError('size')\n    except ValueError:\n        pass": False,
        }
        test = "def test_it():\n    wrapper(torch.empty(64, device='cuda'))\n"
        for refusal, isTold in refusals.items():
            with self.subTest(refusal):
                text = (self.WRAPPER % "warps").replace("(x):\n", f"(x):\n    {refusal}\n")
                self.write({**self.CONFIG, "ops.py": "import os\nimport torch\nfrom elsewhere import fits\n" + text, "tests/test_a.py": self.CALL + test})
                told = self.exceptions("tests/test_a.py")
                self.assertEqual([file for file, _ in told], ["ops.py"] * isTold, told)
                self.assertEqual("called from here" in str(told), isTold)
        # What the test itself raises is its result.
        self.write({"tests/test_a.py": self.CALL + "def test_it():\n    raise ValueError('size')\n"})
        self.assertEqual(self.exceptions("tests/test_a.py"), {})

    def test_fixes_of_other_files_are_shown_and_not_applied(self):
        self.write({**self.CONFIG, "ops.py": self.WRAPPER % "warp", "tests/test_a.py": self.CALL +
                    "def test_it():\n    wrapper(torch.empty(64, device='cuda'))\n"})
        before = {file: file.read_text() for file in self.path.rglob("*.py")}
        for options in [["--fix"], ["--fix", "--unsafe-fixes"]]:
            said = run("check", "tests/test_a.py", *options, cwd=self.path).stdout.decode()
            self.assertIn("suggestion: ", said)
            self.assertNotIn("fixable", said)
            self.assertEqual({file: file.read_text() for file in before}, before)

    def test_exceptions_that_are_expected_or_not_certain_are_no_mistakes(self):
        wrong = "wrapper(torch.empty(64, device='cuda'))"
        quiet = {
            "raises": f"def test_it():\n    with pytest.raises(AttributeError):\n        {wrong}\n",
            "raises_of": f"def test_it():\n    pytest.raises(AttributeError, wrapper, torch.empty(64, device='cuda'))\n",
            "handler": f"def test_it():\n    try:\n        {wrong}\n    except AttributeError:\n        pass\n",
            "skip": f"@pytest.mark.skip\ndef test_it():\n    {wrong}\n",
            "skipif": f"@pytest.mark.skipif(not torch.cuda.get_device_name().endswith('X'), reason='')\ndef test_it():\n    {wrong}\n",
            "xfail": f"@pytest.mark.xfail\ndef test_it():\n    {wrong}\n",
            "xfail_param": f"@pytest.mark.parametrize('n', [pytest.param(64, marks=pytest.mark.xfail)])\ndef test_it(n):\n    {wrong}\n",
            "skips": f"def test_it():\n    if torch.cuda.device_count() < 2:\n        pytest.skip()\n    {wrong}\n",
            "fixture": f"@pytest.fixture\ndef gpus():\n    if torch.cuda.device_count() < 2:\n        pytest.skip()\n    return 2\n\n"
                       f"def test_it(gpus):\n    {wrong}\n",
            "returns": f"def test_it():\n    if torch.cuda.device_count() < 2:\n        return\n    {wrong}\n",
            "unknown": f"import elsewhere\n\ndef test_it():\n    with elsewhere.expected():\n        {wrong}\n",
            "suppress": f"import contextlib\n\ndef test_it():\n    with contextlib.suppress(AttributeError):\n        {wrong}\n",
            "unittest": f"import unittest\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        with self.assertRaises(AttributeError):\n"
                        f"            {wrong}\n",
            "patched": f"def test_it(monkeypatch):\n    monkeypatch.setattr('ops.choose', lambda n: type('C', (), dict(block=64, warp=4))())\n"
                       f"    {wrong}\n",
        }
        for name, text in quiet.items():
            with self.subTest(name):
                self.write({**self.CONFIG, "ops.py": self.WRAPPER % "warp", "tests/test_a.py": self.CALL + text})
                self.assertEqual(self.exceptions("."), {})
                refuses = (self.WRAPPER % "warps").replace("(x):\n", "(x):\n    if x.numel() % 128:\n        raise ValueError('size')\n")
                refused = text.replace("AttributeError", "ValueError")
                self.write({"ops.py": refuses, "tests/test_a.py": self.CALL + refused})
                self.assertEqual(self.exceptions(".") if name != "patched" else {}, {}, refuses)

    def test_names_in_decorators_that_the_function_lacks(self):
        bench = """import torch
import triton
from kern import add


@triton.testing.perf_report(
    triton.testing.Benchmark(x_names=["size"], x_vals=[64, 128], line_arg="provider", line_vals=["a"], line_names=["A"],
                             plot_name="p", args={"block": 64}))
def bench(siz, provider, block):
    x = torch.empty(siz, device="cuda")
    add[(1,)](x, x, x, siz, BLOCK=block)


if __name__ == "__main__":
    bench.run(print_data=True)
"""
        test = """import pytest
import torch
from kern import add


@pytest.mark.parametrize("size, blok", [(64, 64), (128, 64)])
def test_it(size, block):
    x = torch.empty(size, device="cuda")
    add[(1,)](x, x, x, size, BLOCK=block)


@pytest.mark.parametrize("size, block", [(64, 64), (128, 64, 2)])
def test_rows(size, block):
    pass
"""
        self.write({"kern.py": KERNEL, "bench.py": bench, "tests/test_it.py": test})
        told = self.exceptions("bench.py", "tests/test_it.py")
        self.assertEqual(list(told), [("bench.py", 7), ("tests/test_it.py", 6), ("tests/test_it.py", 12)])
        self.assertIn("'siz'", str(told["bench.py", 7]["fixes"]))
        self.assertIn("'block'", str(told["tests/test_it.py", 6]["fixes"]))
        right = bench.replace('["size"]', '["siz"]'), test.replace("blok", "block").replace(", 2)", ")")
        self.write({"bench.py": right[0], "tests/test_it.py": right[1]})
        self.assertEqual(self.exceptions("bench.py", "tests/test_it.py"), {})

    def test_circular_imports(self):
        files = {"pkg/__init__.py": "from .ops import wrapper\n", "pkg/kern.py": KERNEL,
                 "pkg/ops.py": "from .kern import add\nfrom .config import BLOCK\n\n\ndef wrapper(x):\n    add[(1,)](x, x, x, 64, BLOCK=BLOCK)\n",
                 "pkg/config.py": "from .ops import wrapper\nBLOCK = 64\n",
                 "tests/test_it.py": "import torch\nfrom pkg import wrapper\n\n\ndef test_it():\n    wrapper(torch.empty(64, device='cuda'))\n"}
        self.write(files)
        for paths in [["."], ["pkg/config.py"], ["tests/test_it.py"]]:
            told = self.exceptions(*paths)
            self.assertEqual(list(told), [("pkg/config.py", 1)], paths)
            self.assertIn("cannot import name 'wrapper' from partially initialized module 'pkg.ops'", str(told))
        # These work: the name is bound before, is looked for later, or the module is imported as a whole.
        for config in ["from . import ops\nBLOCK = 64\n", "BLOCK = 64\ndef f():\n    from .ops import wrapper\n",
                       "from .kern import add\nBLOCK = 64\n", "import typing\nif typing.TYPE_CHECKING:\n    from .ops import wrapper\nBLOCK = 64\n",
                       "try:\n    from .ops import wrapper\nexcept ImportError:\n    wrapper = None\nBLOCK = 64\n"]:
            self.write({"pkg/config.py": config})
            self.assertEqual(self.exceptions("."), {}, config)

    def test_submodules_of_packages_with_names_on_demand(self):
        """Python looks for a submodule where the package's own __getattr__ raises AttributeError."""
        self.write({"pkg/__init__.py": "def __getattr__(name):\n    if name == 'late':\n        return 4\n    raise AttributeError(name)\n",
                    "pkg/sizes.py": "BLOCK = 64\n", "pkg/kern.py": KERNEL,
                    "host.py": "import torch\nfrom pkg import sizes, late, kern\nx = torch.empty(64, device='cuda')\n"
                               "kern.add[(late,)](x, x, x, 64, BLOCK=sizes.BLOCK)\n"})
        self.assertEqual(self.exceptions("."), {})
        self.assertNotIn("not-analyzed", {code for _, _, code in self.check(".")})
        self.write({"host.py": "import torch\nfrom pkg import kern, later\nx = torch.empty(64, device='cuda')\nkern.add[(1,)](x, x, x, 64, BLOCK=64)\n"})
        self.assertIn("missing-import", {code for _, _, code in self.check("host.py")})

    def test_what_is_not_the_projects_is_not_looked_at(self):
        launch = "import torch\nfrom kern import add\nx = torch.empty(64)\nadd[(1,)](x, x, x, 64, BLOCK=48)\n"
        self.write({"kern.py": KERNEL, "node_modules/host.py": launch, "__pycache__/host.py": launch, ".hidden/host.py": launch,
                    "venv/pyvenv.cfg": "", "venv/lib/host.py": launch.replace("from kern", "from kern")})
        codes = {code for _, _, code in self.check("kern.py")}
        self.assertEqual(codes, {"typed-defaults"})


if __name__ == "__main__":
    unittest.main()
