"""Programs for earlier releases of Triton: --triton, the setting, the Python environment and the project's requirements. Run by
ctest; argv[1] is the program."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GLUOND = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin/gluond")
os.environ["GLUOND_CACHE_DIR"] = "off"
for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
    os.environ.pop(name, None)

HEAD = """import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import mbarrier
"""
RUN = """

def run():
    x = torch.empty(1024, device="cuda")
    kernel[(8,)](x, torch.empty_like(x), BLOCK=128)


run()
"""


def kernel(body):
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return HEAD + f"""

@gluon.jit
def kernel(x, y, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    smem = gl.allocate_shared_memory(gl.float32, [BLOCK], gl.SwizzledSharedLayout(1, 1, 1, [0]))
{lines}""" + RUN


# Only 3.7 and later have gl.barrier; 3.6 calls it thread_barrier.
NEW = kernel("smem.store(gl.load(x + at))\ngl.barrier()\ngl.store(y + at, smem.load(layout))")
OLD = NEW.replace("gl.barrier", "gl.thread_barrier")
COPY = kernel("async_copy.async_copy_global_to_shared(smem, x + at)\nasync_copy.commit_group()\nasync_copy.wait_group(0)\n"
              "gl.store(y + at, smem.load(layout))")
EXPECT = kernel("bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())\nmbarrier.init(bar, count=1)\n"
                "mbarrier.expect(bar, bytes_per_cta=512)\ngl.store(y + at, gl.load(x + at))")


class Releases(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        (self.root / ".git").mkdir()

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_gluond(self, *arguments, **environment):
        done = subprocess.run([GLUOND, *arguments], cwd=self.root, capture_output=True, text=True, timeout=60, env={**os.environ, **environment})
        self.assertNotIn(done.returncode, (2, 70), done.stderr)
        return done

    def errors(self, text, *arguments, **environment):
        self.write("program.py", text)
        done = self.run_gluond("check", "program.py", "--format", "json", *arguments, **environment)
        found = json.loads(done.stdout)
        found = found["diagnostics"] if isinstance(found, dict) else found
        return [each["message"] for each in found if each["severity"] == "error"]

    def test_names_of_a_release(self):
        self.assertEqual(self.errors(NEW), [])
        self.assertEqual(self.errors(NEW, "--triton", "3.7"), [])
        [message] = self.errors(NEW, "--triton", "3.6")
        self.assertIn("Triton 3.6 has no 'barrier': it exists since Triton 3.7; use 'thread_barrier'", message)
        self.assertEqual(self.errors(OLD, "--triton", "3.6"), [])
        for release in ("3.7", "3.9"):
            [message] = self.errors(OLD, "--triton", release)
            self.assertIn("thread_barrier", message)

    def test_an_old_name_compiles_as_its_successor(self):
        for release in ("3.6", "3.7", "3.8"):
            self.assertEqual(self.errors(COPY, "--triton", release), [])
        self.write("program.py", COPY)
        old = self.run_gluond("emit", "program.py", "--kernel", "kernel", "--stage", "source", "--triton", "3.8").stdout
        self.write("program.py", COPY.replace("async_copy_global_to_shared", "async_load"))
        emit = ("emit", "program.py", "--kernel", "kernel", "--stage", "source")
        self.assertIn("async_copy_global_to_local", old)
        self.assertEqual(old, self.run_gluond(*emit, "--triton", "3.8").stdout)
        self.assertNotEqual(old, self.run_gluond(*emit).stdout)  # 3.9 makes other constants

    def test_a_name_for_both_releases(self):
        # What one release calls gl.barrier and another gl.thread_barrier gets a name after the imports, and so does the copy.
        shims = ("barrier = gl.barrier if hasattr(gl, \"barrier\") else gl.thread_barrier\n",
                 "async_load = async_copy.async_load if hasattr(async_copy, \"async_load\") else async_copy.async_copy_global_to_shared\n")
        old = COPY.replace("    gl.store(y", "    gl.thread_barrier()\n    gl.store(y")
        for text in (old, old.replace("thread_barrier", "barrier").replace("async_copy_global_to_shared", "async_load")):
            self.assertEqual(self.errors(text, "--triton", "3.6,3.9", "--fix", "--unsafe-fixes"), [])
            fixed = (self.root / "program.py").read_text()
            for shim in shims:
                self.assertIn(shim, fixed)
            self.assertEqual(fixed.count("    async_load(smem, x + at)\n    async_copy.commit_group()"), 1)
            for release in ("3.6", "3.7", "3.8", "3.9"):
                self.assertEqual(self.errors(fixed, "--triton", release), [])
        # A name that the program uses is not taken.
        taken = NEW.replace("BLOCK: gl.constexpr):", "BLOCK: gl.constexpr):\n    barrier = 1")
        self.assertEqual(self.errors(taken, "--triton", "3.6,3.9", "--fix", "--unsafe-fixes"), [])
        self.assertIn("gl_barrier = gl.barrier if hasattr(gl, \"barrier\") else gl.thread_barrier\n", (self.root / "program.py").read_text())

    def test_migration_of_a_kernel_that_is_known_in_part(self):
        # The new name is right although an argument of the launch is unknown.
        program = OLD.replace("import torch\n", "import torch\nfrom elsewhere import scale\n", 1)
        program = program.replace("BLOCK=128)", "BLOCK=scale)")
        self.assertEqual(self.errors(program, "--triton", "3.9", "--fix"), [])
        self.assertIn("gl.barrier()", (self.root / "program.py").read_text())

    def test_what_a_program_adds_to_the_language(self):
        added = NEW.replace("\n\n@gluon.jit", """

if not hasattr(gl, "barrier"):
    setattr(gl, "barrier", gl.thread_barrier)


@gluon.jit
def twice(value):
    return value + value


gl.twice = twice


@gluon.jit""", 1).replace("gl.store(y + at, smem", "gl.store(y + at, gl.twice(smem").replace("load(layout))", "load(layout)))")
        for release in ("3.6", "3.9"):
            self.assertEqual(self.errors(added, "--triton", release), [])
        [message] = self.errors(added.replace("gl.twice = twice", "gl.thrice = twice"))
        self.assertIn("has no attribute 'twice'", message)

    def test_options_of_launches(self):
        program = NEW.replace("BLOCK=128)", "BLOCK=128, clc=False)")
        self.assertEqual(self.errors(program), [])
        [message] = self.errors(program, "--triton", "3.8")
        self.assertIn("clc", message)

    def test_statements_of_a_release(self):
        chained = NEW.replace("    smem.store", "    if 0 < gl.program_id(0) < 4:\n        gl.store(x, 1.0)\n    smem.store")
        self.assertEqual(self.errors(chained), [])
        [message] = self.errors(chained, "--triton", "3.8")
        self.assertIn("simultaneous multiple comparison", message)

    def test_tuples_of_a_release(self):
        pair = kernel("pair: gl.constexpr = (1, 2)\ngl.store(y + at, gl.load(x + at) * pair.value[1])")
        self.assertEqual(self.errors(pair, "--triton", "3.7"), [])
        for release in ("3.8", "3.9"):
            [message] = self.errors(pair, "--triton", release)
            self.assertIn("tuple has no attribute 'value'", message)

    def test_parameters_of_a_release(self):
        self.assertEqual(self.errors(EXPECT), [])
        self.assertEqual(self.errors(EXPECT, "--triton", "3.7"), [])
        [message] = self.errors(EXPECT, "--triton", "3.6")
        self.assertIn("mbarrier.expect of Triton 3.6 got an unexpected keyword argument 'bytes_per_cta'", message)
        self.assertEqual(self.errors(EXPECT.replace("bytes_per_cta", "bytes"), "--triton", "3.6"), [])
        self.assertEqual(len(self.errors(EXPECT.replace("bytes_per_cta", "bytes"))), 1)

    def test_sizes_of_buffers(self):
        def buffer(shape, order):
            return kernel(f"ring = gl.allocate_shared_memory(gl.float32, {shape}, gl.SwizzledSharedLayout(1, 1, 1, {order}))")

        for release in ("3.6", "3.8"):  # the first size may be any number
            for shape, order in (("[48]", "[0]"), ("[48, 64]", "[1, 0]"), ("[3, 64, 64]", "[2, 1, 0]"), ("[3, 64]", "[0]")):
                self.assertEqual(self.errors(buffer(shape, order), "--triton", release), [])
            for shape, order in (("[64, 48]", "[1, 0]"), ("[3, 48, 64]", "[1, 0]")):
                [message] = self.errors(buffer(shape, order), "--triton", release)
                self.assertIn("powers of two", message)
        self.assertEqual(len(self.errors(buffer("[48]", "[0]"))), 1)
        for releases in ("3.6,3.9", "3.9,3.6"):  # what one release takes for valid, another may not
            [message] = self.errors(buffer("[48]", "[0]"), "--triton", releases)
            self.assertTrue(message.endswith("(Triton 3.9 only)"), message)

    def test_parameters_of_names_that_moved(self):
        tdm = HEAD + """from triton.experimental.gluon.language.amd.gfx1250 import tdm, AMDWMMALayout


@gluon.jit
def kernel(x, rows: gl.constexpr):
    layout: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    desc = tdm.make_tensor_descriptor(x, [64, 64], [64, 1], [32, 32], layout)
    smem = gl.allocate_shared_memory(gl.float16, [32, 32], layout)
    %s
"""
        target = ("--target", "hip:gfx1250")
        load = tdm % 'tdm.async_load(desc, [0, 0], smem, cache_modifier="")'
        self.assertEqual(self.errors(load, "--triton", "3.8", *target), [])
        for release in ("3.6", "3.7"):
            [message] = self.errors(load, "--triton", release, *target)
            self.assertIn("unexpected keyword argument 'cache_modifier'", message)
        load_now = load.replace("tdm, AMDWMMALayout", "tdm").replace(', cache_modifier=""', "")
        self.assertEqual(self.errors(load_now, *target), [], "gfx1250.tdm is cdna5.tdm")
        column = tdm % "tdm.async_gather(desc, rows, src_col_offset=0, dst=smem)"
        self.assertEqual(self.errors(column, "--triton", "3.7", *target), [])
        self.assertIn("unexpected keyword argument 'src_col_offset'", self.errors(column, "--triton", "3.8", *target)[0])
        wmma = tdm % "wmma: gl.constexpr = AMDWMMALayout(version=3, transposed=True, warps_per_cta=[2, 2], instr_shape=[16, 16, 32])"
        self.assertEqual(self.errors(wmma, "--triton", "3.6", *target), [])
        self.assertIn("'warps_per_cta'", self.errors(wmma, "--triton", "3.8", *target)[0])
        self.assertIn("it exists up to Triton 3.8", self.errors(wmma, *target)[0])
        copy = HEAD + """from triton.experimental.gluon.language.nvidia.hopper import tma


@gluon.jit
def kernel(desc, bar, smem):
    tma.async_copy_global_to_shared(desc, [0, 0], bar, smem, multicast=True)
"""
        self.assertIn("unexpected keyword argument 'multicast'", self.errors(copy, "--triton", "3.6")[0])
        self.assertFalse(any("keyword" in message for message in self.errors(copy, "--triton", "3.7")))

    def test_version_shims_take_the_way_of_the_release(self):
        shim = HEAD + """
if tuple(int(part) for part in triton.__version__.split(".")[:2]) >= (3, 7):
    sync = gl.barrier
else:
    sync = gl.thread_barrier
try:
    from triton.experimental.gluon import aggregate
except ImportError:
    from triton.language.core import _aggregate as aggregate
has_clc = hasattr(gl.nvidia.blackwell, "clc")
expected: gl.constexpr = gl.constexpr(has_clc)


@aggregate
class Pair:
    a: gl.tensor
    b: gl.tensor

    def __init__(self, a, b):
        self.a = a
        self.b = b
""" + NEW[len(HEAD):].replace("gl.barrier()", "gl.static_assert(expected)\nsync()".replace("\n", "\n    ")).replace(
            "smem.load(layout))", "Pair(at, smem.load(layout)).b)")
        for release in ("3.8", "3.9"):
            self.assertEqual(self.errors(shim, "--triton", release), [], release)
        for release in ("3.6", "3.7"):  # the assertion alone
            messages = self.errors(shim, "--triton", release)
            self.assertEqual(len(messages), 1, messages)
            self.assertIn("static assertion failed", messages[0])

    def test_imports_that_a_release_lacks(self):
        program = HEAD + "from triton.experimental.gluon.language.nvidia.blackwell import clc\n"
        self.assertEqual(self.errors(program), [])
        [message] = self.errors(program, "--triton", "3.7")
        self.assertIn("of Triton 3.7 does not define it: it exists since Triton 3.8", message)
        guarded = HEAD + "try:\n    from triton.experimental.gluon.language.nvidia.blackwell import clc\nexcept ImportError:\n    clc = None\n"
        self.assertEqual(self.errors(guarded, "--triton", "3.7"), [])
        dropped = HEAD + "from triton.experimental.gluon.language.nvidia.blackwell.float2 import pack\n"
        self.assertEqual(self.errors(dropped, "--triton", "3.7"), [])
        [message] = self.errors(dropped, "--triton", "3.8")
        self.assertIn("it exists up to Triton 3.7", message)
        # Python names the line in which the statement begins.
        lines = HEAD + "from triton.experimental.gluon.language.nvidia.blackwell import (\n    tma,\n    clc,\n)\n"
        self.write("lines.py", lines)
        [found] = [each for each in json.loads(self.run_gluond("check", "lines.py", "--triton", "3.6", "--format", "json").stdout)
                   if each["severity"] == "error"]
        self.assertEqual([found["range"]["start"]["line"], found["related"][0]["range"]["start"]["line"]],
                         [HEAD.count("\n") + 2, HEAD.count("\n")])

    def test_names_that_the_code_of_a_module_lacks(self):
        program = HEAD + """

@gluon.aggregate
class Config:
    size: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, size):
        self.size = gl.constexpr(size)


@gluon.jit
def kernel(x, y, BLOCK: gl.constexpr):
    config = Config(BLOCK)
    at = gl.arange(0, config.size, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(y + at, gl.load(x + at))
""" + RUN
        self.assertEqual(self.errors(program), [])
        for release in ("3.6", "3.7"):
            [message] = self.errors(program, "--triton", release)
            self.assertIn("has no attribute 'aggregate': it exists since Triton 3.8", message)
        script = program.replace("@gluon.aggregate", "import sys\nprofiles = len(sys.argv) > 1\n\n\n@gluon.aggregate")
        self.assertEqual(len(self.errors(script, "--triton", "3.6")), 1)
        guarded = program.replace("@gluon.aggregate", "@(gluon.aggregate if hasattr(gluon, 'aggregate') else triton.language.core._aggregate)")
        self.assertEqual(self.errors(guarded, "--triton", "3.6"), [])

    def test_several_releases(self):
        messages = self.errors(NEW, "--triton", "3.6,3.9")
        self.assertEqual(len(messages), 1, messages)
        self.assertTrue(messages[0].endswith("(Triton 3.6 only)"), messages[0])
        messages = self.errors(OLD, "--triton", "3.6,3.7,3.9")
        self.assertTrue(messages and all("3.6" not in message.rpartition("(")[2] for message in messages), messages)

    def test_fixes_for_several_releases(self):
        for program in (NEW, OLD):
            self.write("prog.py", program)
            self.run_gluond("check", "--triton", "3.6,3.9", "--fix", "prog.py")
            self.assertEqual((self.root / "prog.py").read_text(), program, "what is right for one release is wrong for another")

    def test_the_setting(self):
        self.write("pyproject.toml", "[tool.gluond]\ntriton = \"3.6\"\n")
        self.assertEqual(len(self.errors(NEW)), 1)
        self.assertEqual(self.errors(NEW, "--triton", "3.7"), [], "the command line decides")
        self.write("pyproject.toml", "[tool.gluond]\ntriton = \"2.1\"\n")
        done = self.run_gluond("check", ".")
        self.assertIn("gluond does not know Triton '2.1'; it knows 3.6, 3.7, 3.8, 3.9", done.stdout)

    def test_the_environment(self):
        packages = self.root / "env/lib/python3.12/site-packages"
        (packages / "triton-3.6.0.dist-info").mkdir(parents=True)
        (packages / "triton_extras-1.0.dist-info").mkdir()
        self.assertEqual(len(self.errors(NEW, VIRTUAL_ENV=str(self.root / "env"))), 1)
        self.assertEqual(len(self.errors(NEW, "--set", f"python.environment={self.root}/env")), 1)
        self.assertEqual(self.errors(NEW, "--triton", "3.9", VIRTUAL_ENV=str(self.root / "env")), [])

    def test_the_requirements(self):
        self.write("requirements.txt", "# needed\ntorch>=2.9\ntriton==3.6.*\n")
        self.assertEqual(len(self.errors(NEW)), 1)
        self.write("pyproject.toml", "[project]\nname = 'x'\ndependencies = ['triton>=3.6,<3.8']\n")
        self.assertEqual(self.errors(NEW), [], "the newest that is allowed, 3.7")
        self.assertEqual(len(self.errors(OLD)), 1)

    def test_requirements_in_several_files(self):
        self.write("requirements.txt", "-r requirements/build.txt\n-r  ci/gpu.txt  # for the GPU\n")
        (self.root / "requirements").mkdir()
        (self.root / "ci").mkdir()
        self.write("requirements/cuda.txt", "torch\ntriton<=3.7.1,>=3.0.0; sys_platform == 'linux'\n")
        self.write("requirements/other.txt", "triton>=2.1.0\n")
        self.assertEqual(len(self.errors(NEW, "--triton", "3.6")), 1)
        self.assertEqual(self.errors(NEW), [])
        self.assertEqual(len(self.errors(OLD)), 1, "3.7, which both allow")
        self.write("ci/gpu.txt", "triton==3.6.0\n")
        self.assertEqual(len(self.errors(NEW)), 1)

    def test_migration(self):
        for program in (OLD, COPY, EXPECT.replace("bytes_per_cta", "bytes")):
            self.write("program.py", program)
            self.run_gluond("check", "program.py", "--fix")
            self.assertEqual(self.errors((self.root / "program.py").read_text()), [])

    def test_migration_of_layouts(self):
        before = "gl.amd.AMDWMMALayout(version=2, transposed=True, warps_per_cta=[2, 2])"
        now = "gl.amd.AMDWMMALayout(version=2, transposed=True, warp_bases=[[0, 1], [1, 0]])"
        program = HEAD + "LAYOUT = %s\n" + kernel("wmma: gl.constexpr = %s").removeprefix(HEAD)
        self.write("program.py", program % (before, before))
        self.run_gluond("check", "program.py", "--fix", "--target", "hip:gfx1200")
        self.assertEqual((self.root / "program.py").read_text(), program % (now, now))
        for kept in ("warps_per_cta=[2, WARPS]", "warps_per_cta=[2, 2], tiles_per_warp=[1, 2]", "warps_per_cta=[3, 1]"):
            text = HEAD + "WARPS = 2\nLAYOUT = " + before.replace("warps_per_cta=[2, 2]", kept) + "\n"
            self.write("program.py", text)
            self.run_gluond("check", "program.py", "--fix", "--target", "hip:gfx1200")
            self.assertEqual((self.root / "program.py").read_text(), text)

    def test_migration_of_arguments(self):
        calls = (("gl.store(y, gl.load(x, None, None, (), \"\", '.ca'))", "gl.store(y, gl.load(x, None, None, cache_modifier='.ca'))"),
                 ("gl.store(y, 1.0, boundary_check=(), cache_modifier='.wb')", "gl.store(y, 1.0, cache_modifier='.wb')"),
                 ("gl.store(y, gl.load(x, padding_option='', boundary_check=()))", "gl.store(y, gl.load(x))"),
                 ("gl.store(y, gl.load(x, None, None, (0, )))", "gl.store(y, gl.load(x, None, None, (0, )))"),
                 ("gl.store(y, gl.load(x, None, None, (), 3))", "gl.store(y, gl.load(x, None, None, (), 3))"))
        for before, now in calls:
            self.write("program.py", kernel(before))
            self.run_gluond("check", "program.py", "--fix")
            self.assertEqual((self.root / "program.py").read_text(), kernel(now))

    def test_migration_of_functions_that_became_methods(self):
        head = HEAD + """from triton.experimental.gluon.language.nvidia.blackwell import (TensorMemoryLayout, get_tmem_reg_layout, allocate_tensor_memory)

TMEM = gl.constexpr(TensorMemoryLayout([128, 64], col_stride=1))


@gluon.jit
def kernel(y):
    sums = allocate_tensor_memory(gl.float32, [128, 64], layout=TMEM)
"""
        tail = """
    at = gl.arange(0, 128, layout=gl.SliceLayout(1, regs))[:, None] * 64 + gl.arange(0, 64, layout=gl.SliceLayout(0, regs))[None, :]
    gl.store(y + at, x)


kernel[(1,)](torch.empty(128, 64, device="cuda"))
"""
        call = "get_tmem_reg_layout(gl.float32, (128, 64), TMEM, %s)"
        cases = (
            ("regs: gl.constexpr = " + call % "gl.num_warps()" + "\n    x = sums.load(regs)", "regs: gl.constexpr = sums.get_reg_layout()"),
            ("regs: gl.constexpr = " + call % "num_warps=4, instr_variant='32x32b'" + "\n    x = gl.zeros([128, 64], gl.float32, layout=regs)",
             "regs: gl.constexpr = sums.get_reg_layout(num_warps=4, instr_variant='32x32b')"),
            ("x = sums.load(layout=" + call % "4" + ")\n    regs: gl.constexpr = x.type.layout", "x = sums.load(layout=sums.get_reg_layout(num_warps=4))"),
        )
        for body, line in cases:
            for release in ("3.8", "3.9"):
                program = head + "    " + body + tail
                self.assertEqual(self.errors(program, "--target", "cuda:100", "--triton", "3.6"), [])
                self.errors(program, "--target", "cuda:100", "--triton", release, "--fix", "--unsafe-fixes")
                text = (self.root / "program.py").read_text()
                self.assertIn(line, text)
                self.assertIn("import (TensorMemoryLayout, allocate_tensor_memory)", text)
                self.assertEqual(self.errors(text, "--target", "cuda:100", "--triton", release), [])
        # The value is not known: the import is told, and nothing is changed.
        program = head.replace("sums =", "others =") + "    regs: gl.constexpr = " + call % "4" + "\n    x = gl.zeros([128, 64], gl.float32, layout=regs)" + tail
        program = program.replace("(128, 64)", "(64 * 2, 64)")
        self.assertEqual(len(self.errors(program, "--target", "cuda:100", "--triton", "3.9", "--fix", "--unsafe-fixes")), 1)
        self.assertEqual((self.root / "program.py").read_text(), program)

    def test_a_migration_leaves_no_import_that_it_made_unused(self):
        program = HEAD + """from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, get_tmem_reg_layout, allocate_tensor_memory
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma


@gluon.jit
def kernel(y, tmem: gl.constexpr):
    sums = allocate_tensor_memory(gl.float32, [128, 64], layout=tmem)
    x = sums.load(get_tmem_reg_layout(gl.float32, (128, 64), TensorMemoryLayout([128, 64], col_stride=1), 4))
    regs: gl.constexpr = x.type.layout
    at = gl.arange(0, 128, layout=gl.SliceLayout(1, regs))[:, None] * 64 + gl.arange(0, 64, layout=gl.SliceLayout(0, regs))[None, :]
    gl.store(y + at, x)
"""
        imports = "from triton.experimental.gluon.language.nvidia.blackwell import "
        for more, left in (("", "allocate_tensor_memory\n"),
                           ("\n\n__all__ = ['TensorMemoryLayout', 'kernel']\n", "TensorMemoryLayout, allocate_tensor_memory\n")):
            self.errors(program + more, "--target", "cuda:100", "--triton", "3.9", "--fix", "--unsafe-fixes")
            text = (self.root / "program.py").read_text()
            self.assertIn("sums.load(sums.get_reg_layout(num_warps=4))", text)
            self.assertIn(imports + left, text)
            self.assertIn("import mbarrier, tma\n", text)  # nothing used them before
        # Another file may import the name from this one.
        self.write("other.py", HEAD + "from program import TensorMemoryLayout\n")
        self.errors(program, "--target", "cuda:100", "--triton", "3.9", "--fix", "--unsafe-fixes")
        self.assertIn(imports + "TensorMemoryLayout, allocate_tensor_memory\n", (self.root / "program.py").read_text())

    def test_kernels_of_files_that_cannot_be_imported(self):
        record = {"id": "one", "file": "program.py", "kernel": "kernel", "target": "cuda:90", "options": {"num_warps": 4},
                  "args": [{"name": "x", "type": "*fp32"}, {"name": "y", "type": "*fp32"},
                           {"name": "BLOCK", "type": "constexpr", "value": 128}]}
        fpsan = "from triton.experimental.gluon.language import fpsan\n"
        cases = ((fpsan, "3.9", True), (fpsan, "3.6", False), ("if True:\n    " + fpsan, "3.6", False),
                 ("try:\n    " + fpsan + "except ImportError:\n    fpsan = None\n", "3.6", True),
                 ("if __name__ == '__main__':\n    " + fpsan, "3.6", True),
                 ("def later():\n    " + fpsan, "3.6", True))
        for number, (text, release, is_fine) in enumerate(cases):
            program = text + kernel("gl.store(x, 1.0)")
            self.write("program.py", program)
            line = program[:program.index("def kernel")].count("\n") + 1
            self.write("program.launches.jsonl", json.dumps(record | {"line": line}) + "\n")
            self.run_gluond("emit", "program.launches.jsonl", "--triton", release, "--stage", "source", "-o", f"out{number}")
            made = sorted(path.name for path in (self.root / f"out{number}").iterdir())
            self.assertEqual(made, ["one.source" if is_fine else "one.error"], text)

    def test_the_environment_of_programs(self):
        program = HEAD + "import os\nBLOCK = gl.constexpr(int(os.environ[\"BLOCK\"]))\n" + NEW[len(HEAD):].replace(
            "gl.barrier()", "gl.static_assert(BLOCK == 64)").replace("BLOCK: gl.constexpr", "TILE: gl.constexpr").replace(
                "* BLOCK", "* TILE").replace("(0, BLOCK", "(0, TILE").replace("[BLOCK]", "[TILE]").replace("BLOCK=128", "TILE=128")
        self.assertEqual(self.errors(program), [], "unknown")
        self.assertEqual(self.errors(program, "--set", "environmentVariables=BLOCK=64"), [])
        self.assertEqual(len(self.errors(program, "--set", "environmentVariables=BLOCK=32")), 1)


if __name__ == "__main__":
    unittest.main()
