"""`gluond check` as a gate: which files it looks at, what it says of what it could not look at, fixes, codes, wrong use.
Run by ctest; argv[1] is the program."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GLUOND = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin/gluond")
os.environ["GLUOND_CACHE_DIR"] = "off"

HEADER = """from triton.experimental import gluon
from triton.experimental.gluon import language as gl
"""
KERNEL = HEADER + """

@gluon.jit
def k(p, N: gl.constexpr):
    gl.store(p, N)


import torch
k[(1,)](torch.empty(64, device="cuda"), 3)
"""
MISSPELT = HEADER + """

@gluon.jit
def k(p):
    x = gl.laod(p)
    gl.store(p, x)
"""


class Gate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)

    def write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def run_gluond(self, *arguments, **options):
        result = subprocess.run([GLUOND, *map(str, arguments)], capture_output=True, timeout=60, cwd=self.path, text=True,
                                **options)
        self.assertNotEqual(result.returncode, 70, result.stderr)
        return result

    def codes(self, *arguments):
        result = self.run_gluond("check", *arguments, "--format", "json")
        return [each["code"] for each in json.loads(result.stdout)]

    # ------------------------------------------------------------ which files

    def test_files_without_gluon_are_passed_over_unless_named(self):
        self.write("plain.py", "x = 1 // 0\n")
        self.write("broken.py", "def f(:\n")
        self.write("kernel.py", KERNEL)
        self.assertEqual(self.codes(), [])
        self.assertEqual(self.codes("."), [])
        self.assertIn("2 files without Gluon", self.run_gluond("check").stdout)
        self.assertEqual(self.codes("plain.py"), ["module-exception"])

    def test_files_that_use_a_file_with_gluon_are_looked_at(self):
        self.write("pkg/__init__.py", "")
        self.write("pkg/kern.py", KERNEL)
        self.write("host.py", "from pkg import kern\ndef run(x): kern.k[(1,)](x)\n")
        self.write("far.py", "import host\nhost.run(1)\n")
        self.write("wrong.py", "from pkg.kern import nosuch\n")
        self.write("plain.py", "import os\n")
        self.assertIn("Checked 5 files", self.run_gluond("check").stdout)
        self.assertIn("missing-import", self.codes("."))

    def test_files_that_find_a_kernel_by_path_or_by_the_name_of_its_file(self):
        kernel = KERNEL.replace("k[(1,)]", "if False:\n    k[(1,)]").replace("gl.store(p, N)", "gl.store(p + gl.arange(0, N), 1)")
        launch = "import torch\n{}(1, )](torch.empty(64, device='cuda'), 3)\n"
        self.write("lib/kern.py", kernel)
        self.write("scripts/run.py", "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'lib'))\n"
                   "from kern import k as launched\n" + launch.format("launched["))
        self.write("01-kern.py", kernel)
        self.write("run.py", "import importlib\nmodule = importlib.import_module('01-kern')\n" + launch.format("module.k["))
        for file in ("lib/kern.py", "01-kern.py"):
            result = self.run_gluond("check", file)
            self.assertIn("not-power-of-two", result.stdout)
            self.assertNotIn("typed-defaults", result.stdout)
        self.assertEqual(sorted(self.codes(".")), ["not-power-of-two", "not-power-of-two"])

    def test_files_that_only_import_all_of_a_package_are_passed_over(self):
        self.write("pkg/__init__.py", "from . import kern, other\nfrom .kern import k\n")
        self.write("pkg/kern.py", KERNEL)
        self.write("pkg/other.py", "def f(): pass\n")
        for i in range(20):
            self.write(f"tests/test_{i}.py", "import pkg\nfrom pkg import other\ndef test(): other.f()\n")
        self.write("tests/test_k.py", "import pkg\npkg.k[(1,)](1)\n")
        self.assertIn("Checked 3 files", self.run_gluond("check").stdout)

    def test_imports_that_fail_are_said_at_their_place(self):
        # (a file, its text, the name that is told or None if nothing is wrong)
        cases = [
            ("pkg/__init__.py", "from . import missing\nfrom .kern import k\n", "missing"),
            ("pkg/__init__.py", "from . import kern, other\n", None),
            ("pkg/__init__.py", "from . import later\nfrom .kern import k\nlater = 1\n", "later"),
            ("pkg/__init__.py", "from . import _C, fast, made\nfrom .kern import k\n", None),
            ("pkg/user.py", "from . import _C, fast, made, kern\n", None),
            ("pkg/user.py", "from . import kerm\n", "kerm"),
            ("pkg/user.py", "from .kerm import k\n", "kerm"),
            ("pkg/sub/user.py", "from ..kerm import k\n", "kerm"),
            ("pkg/sub/user.py", "from ..kern import k\nfrom .. import other\n", None),
            ("host.py", "from pkg.kerm import k\n", "kerm"),
            ("host.py", "import pkg.kerm as kerm\n", "kerm"),
            ("host.py", "import pkg.kern as kerm\n", None),
            ("host.py", "from pkg import exported\n", None),
            ("host.py", "from pkg import exportd\n", "exportd"),
            ("host.py", "from pkg.stars import *\nk[(1,)](1)\n", "nothere"),
            ("host.py", "from pkg.stars import listed\n", None),
            ("lib/host.py", "from kernl import k\nk[(1,)](1)\n", "kernl"),
            ("lib/host.py", "import kernl\nkernl.k[(1,)](1)\n", "kernl"),
            ("lib/host.py", "from kernl import something_else\n", None),
            ("lib/host.py", "from kernel import k\n", None),
            ("host.py", "def run(x):\n    from pkg.kern import nosuch\n    nosuch[(1,)](x)\n", "nosuch"),
            ("host.py", "from pkg.kern import k\nif __name__ == '__main__':\n    from pkg.kern import nosuch\n", "nosuch"),
            ("host.py", "from pkg.kern import k\ntry:\n    from pkg.kern import fast\nexcept ImportError:\n    fast = k\n", None),
            ("host.py", "from typing import TYPE_CHECKING\nfrom pkg.kern import k\nif TYPE_CHECKING:\n    from pkg.kern import Shape\n", None),
        ]
        for i, (name, text, wrong) in enumerate(cases):
            folder = f"case{i}"
            files = {"pkg/__init__.py": "from .kern import k as exported\n", "pkg/kern.py": KERNEL, "pkg/other.py": "",
                     "pkg/sub/__init__.py": "", "pkg/fast.cpython-311-x86_64-linux-gnu.so": "", "pkg/made.pyx": "",
                     "pkg/stars/__init__.py": "from ..kern import k\n__all__ = ['k', 'listed']\n", "pkg/stars/listed.py": "",
                     "lib/kernel.py": KERNEL, name: text}
            if wrong == "nothere":
                files["pkg/stars/__init__.py"] = "from ..kern import k\n__all__ = ['k', 'nothere']\n"
            for file, content in files.items():
                self.write(f"{folder}/{file}", content)
            told = json.loads(self.run_gluond("check", folder, "--format", "json").stdout)
            said = [each["message"] for each in told if each["code"] in ("missing-import", "module-exception")]
            with self.subTest(file=name, text=text):
                self.assertEqual(len(said), 1 if wrong else 0, said)
                for message in said:
                    self.assertTrue(message.startswith(f"'{wrong}' cannot be imported"), message)

    def test_a_launch_of_a_name_that_a_module_lacks_fails_the_check(self):
        self.write("kern.py", KERNEL)
        self.write("host.py", "import kern\nkern.q[(1,)](1)\n")
        result = self.run_gluond("check", ".")
        self.assertEqual(result.returncode, 1)
        self.assertIn("warning: running this module would raise AttributeError", result.stdout)

    def test_a_folder_of_tests_is_checked_with_kernels_of_another_folder(self):
        self.write("pyproject.toml", "")
        self.write("pkg/__init__.py", "")
        self.write("pkg/kern.py", KERNEL)
        self.write("tests/test_k.py", "from pkg.kern import nosuch\n")
        self.assertEqual(self.codes("tests"), ["missing-import"])

    def test_a_module_that_raises_is_a_warning_where_there_are_kernels(self):
        self.write("a.py", KERNEL + "x = 1 // 0\n")
        result = self.run_gluond("check", "a.py")
        self.assertEqual(result.returncode, 1)
        self.assertIn("warning: running this module would raise ZeroDivisionError", result.stdout)
        self.write("b.py", HEADER + "x = 1 // 0\n")
        result = self.run_gluond("check", "b.py")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_environments_and_what_git_ignores_are_skipped(self):
        (self.path / ".git/info").mkdir(parents=True)
        self.write(".gitignore", "generated/\n*_gen.py\n!keep_gen.py\n/top.py\ndocs/**/old\n")
        self.write(".git/info/exclude", "private.py\n")
        self.write("sub/.gitignore", "local.py\n!/sub/x\n")
        for name in ["generated/a.py", "a_gen.py", "top.py", "private.py", "sub/local.py", "venv/lib/a.py", "x/site-packages/a.py",
                     "node_modules/a.py", "docs/a/b/old/a.py", ".venv/a.py", "__pycache__/a.py"]:
            self.write(name, MISSPELT)
        self.write("venv/pyvenv.cfg", "")
        self.assertEqual(self.codes(), [])
        for name in ["keep_gen.py", "sub/top.py", "local.py", "docs/old.py"]:
            self.write(name, MISSPELT)
        result = json.loads(self.run_gluond("check", "--format", "json").stdout)
        self.assertEqual({each["file"].removeprefix("./") for each in result if each["severity"] == "error"},
                         {"keep_gen.py", "sub/top.py", "local.py", "docs/old.py"})
        self.assertIn("unknown-attribute", self.codes("generated/a.py"))

    def test_exclude(self):
        self.write("a.py", MISSPELT)
        self.write("gen/b.py", MISSPELT)
        self.write("deep/x_pb2.py", MISSPELT)
        files = lambda *more: {each["file"].removeprefix("./") for each in
                               json.loads(self.run_gluond("check", "--format", "json", *more).stdout)}
        self.assertEqual(len(files()), 3)
        self.assertEqual(files("--exclude", "gen,*_pb2.py"), {"a.py"})
        self.write("pyproject.toml", "[tool.gluond]\nexclude = [\"gen/**\", \"*_pb2.py\"]\n")
        self.assertEqual(files(), {"a.py"})

    def test_standard_input(self):
        result = self.run_gluond("check", "-", input=MISSPELT)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)^-:7:\d+: error")
        self.write("helper.py", HEADER + "\n@gluon.jit\ndef f(x):\n    return x\n")
        text = "from helper import f\n" + MISSPELT
        result = self.run_gluond("check", "-", "--stdin-filename", "a.py", input=text)
        self.assertRegex(result.stdout, r"(?m)^a.py:8:\d+: error")
        result = self.run_gluond("check", "-", "--fix", input=MISSPELT)
        self.assertEqual(result.stdout, MISSPELT.replace("laod", "load"))
        self.assertEqual(self.run_gluond("check", "-", "a.py", input="").returncode, 2)

    # ------------------------------------------------------------ nothing is lost without a word

    def test_names_that_a_helper_lacks(self):
        self.write("helper.py", HEADER + "\n@gluon.jit\ndef load_tile(x):\n    return x\n")
        self.write("a.py", "from helper import load_tlie\n" + KERNEL.replace("gl.store(p, N)", "load_tlie(p)"))
        result = self.run_gluond("check", "a.py")
        self.assertIn("a.py:1:20: warning: 'load_tlie' cannot be imported: 'helper.py' does not define it; "
                      "did you mean 'load_tile'?", result.stdout)
        self.assertIn("'k' was not analyzed completely", result.stdout)
        self.assertEqual(result.returncode, 1)

    def test_names_of_modules_that_are_not_known(self):
        for line in ["from not_installed import *", "import not_installed\nglobals().update(not_installed.names())", "import not_installed\nfor n in not_installed.names:\n    globals()[n] = 1"]:
            self.write("a.py", line + "\n" + KERNEL.replace("gl.store(", "helper_of_it(NUMBER_OF_IT)\n    gl.store(", 1))
            result = self.run_gluond("check", "a.py")
            self.assertEqual(result.returncode, 0, line + result.stdout)
            self.assertIn("not_installed", result.stdout)

    def test_misspelt_modules(self):
        for line, meant in [("import triton.experimental.gluonn", "triton.experimental.gluon"),
                            ("from triton.experimental.gluon.language.nvidia.hoper import tma",
                             "triton.experimental.gluon.language.nvidia.hopper"),
                            ("from triton.experimental.gluon.language.hopper import tma",
                             "triton.experimental.gluon.language.nvidia.hopper"),
                            ("from triton.experimental.gluon.language.blackwell import tcgen05_mma",
                             "triton.experimental.gluon.language.nvidia.blackwell")]:
            self.write("a.py", line + "\n" + KERNEL)
            result = self.run_gluond("check", "a.py")
            self.assertIn("[missing-module]", result.stdout)
            self.assertIn("did you mean '" + meant + "'?", result.stdout)
        self.write("a.py", "from triton.experimental import gluonn\n" + KERNEL)
        self.assertIn("has no attribute 'gluonn'", self.run_gluond("check", "a.py").stdout)
        # Somebody waits for it.
        self.write("a.py", "try:\n    import triton.experimental.gluonn\nexcept ImportError:\n    pass\n" + KERNEL)
        self.assertEqual(self.run_gluond("check", "a.py").returncode, 0)

    def test_misspelt_triton(self):
        for name in ("tritn", "tritton", "tirton", "troton"):
            file = self.write("a.py", KERNEL.replace("from triton", "from " + name))
            result = self.run_gluond("check", "a.py")
            self.assertIn(f"the module '{name}.experimental' was not found; Gluon's module is 'triton.experimental'", result.stdout)
            self.assertEqual(result.returncode, 1)
            self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
            self.assertEqual(file.read_text(), KERNEL)
        # A copy of Triton in a package of another name.
        self.write("a.py", KERNEL.replace("from triton", "from triton2"))
        self.assertEqual(self.codes("a.py"), [])

    def test_a_kernel_that_needs_what_was_not_found(self):
        self.write("a.py", "from not_installed import helper\n" + KERNEL.replace("gl.store(p, N)", "helper(p)"))
        result = self.run_gluond("check", "a.py")
        self.assertEqual(result.returncode, 0)
        self.assertIn("a.py:7:5: information: 'k' was not analyzed completely: 'helper', which is imported from 'not_installed', "
                      "is unknown [not-analyzed]", result.stdout)
        self.assertIn("Not analyzed completely: 1 kernel", result.stdout)
        coverage = json.loads(self.run_gluond("check", "a.py", "--format", "sarif").stdout)["runs"][0]["properties"]["coverage"]
        self.assertEqual((coverage["files"], coverage["kernels"], coverage["notAnalyzed"][0]["kernel"]), (1, 1, "k"))
        # What no kernel needs is nobody's business.
        self.write("a.py", "import not_installed\n" + KERNEL)
        self.assertEqual(self.codes("a.py"), [])

    def test_summary(self):
        self.write("a.py", KERNEL)
        self.assertEqual(self.run_gluond("check", "a.py").stdout, "Checked 1 file: 1 kernel in 1 specialization\n")
        self.assertEqual(self.run_gluond("check", "a.py", "--quiet").stdout, "")

    def test_the_summary_names_modules_that_were_not_found(self):
        self.write("a.py", "import os, gone.away\nfrom ._built import f\ntry:\n    import perhaps\nexcept ImportError:\n    perhaps = None\n"
                   + KERNEL)
        self.assertEqual(self.run_gluond("check", "a.py").stdout.splitlines()[-1],
                         "Modules that were not found, whose values are unknown: gone.away, ._built")
        self.write("b.py", "import gone.away\n")  # it has no kernel
        self.assertNotIn("not found", self.run_gluond("check", "b.py").stdout)
        self.write("b.py", "from gone import kernel\nkernel[(1, )](3)\n")  # it would launch one
        self.assertIn("unknown: gone\n", self.run_gluond("check", "b.py").stdout)

    def test_the_summary_names_targets_that_gluond_chose(self):
        self.write("a.py", KERNEL.replace("gl.store(p, N)", "gl.store(p + gl.arange(0, 256, gl.BlockedLayout([1], [64], [4], [0])), N)"))
        self.assertIn("in 1 specialization for hip:gfx942\n", self.run_gluond("check", "a.py").stdout)

    def test_numpy_arrays_are_refused_by_a_launch(self):
        for array in ("np.zeros(64)", "np.random.rand(64).astype(np.float32)", "torch.empty(64).numpy()"):
            self.write("k.py", KERNEL.replace("import torch\n", "import numpy as np\nimport torch\n")
                       .replace('torch.empty(64, device="cuda")', array))
            self.assertIn("launch-argument", self.codes("k.py"), array)
        # Made a tensor of, an array is fine, and so is a number of it.
        self.write("k.py", KERNEL.replace("import torch\n", "import numpy as np\nimport torch\n")
                   .replace('torch.empty(64, device="cuda"), 3', 'torch.from_numpy(np.zeros(64)).cuda(), np.zeros(8).size'))
        self.assertNotIn("launch-argument", self.codes("k.py"))

    def test_a_layer_of_torch_is_called_by_its_forward(self):
        self.write("k.py", HEADER + """import torch


@gluon.jit
def k(p, N: gl.constexpr, num_warps: gl.constexpr):
    gl.store(p + gl.arange(0, N, layout=gl.BlockedLayout([1], [32], [num_warps], [0])), 1.0)


class Layer(torch.nn.Module):
    WARPS = 4

    def __init__(self, n):
        super().__init__()
        self.n = n
        self.scale = torch.nn.Parameter(torch.empty(n, device="cuda"))

    def forward(self, x):
        k[(1,)](self.scale, self.n, num_warps=self.WARPS)
        return x


Layer(100).cuda()(torch.empty(8))
""")
        self.assertEqual(self.codes("k.py"), ["not-power-of-two"])

    def test_a_grid_may_be_an_object_that_is_called(self):
        self.write("k.py", KERNEL.replace("k[(1,)]", "k[Grid()]").replace("import torch\n", """import torch


class Grid:
    def __call__(self, meta):
        return (meta["N"],)


"""))
        self.assertEqual(self.codes("k.py"), [])

    def test_functions_of_torch_in_a_kernel(self):
        self.write("k.py", KERNEL.replace("\n\n@gluon.jit", "import torch\n\n\n@gluon.jit", 1)
                   .replace("gl.store(p, N)", "gl.store(p, torch.exp(gl.load(p)))"))
        self.assertIn("host-function", self.codes("k.py"))

    def test_keywords_of_the_autotuner(self):
        self.write("k.py", "import triton\n" + KERNEL.replace(
            "@gluon.jit\ndef", '@triton.autotune(configs=[triton.Config({"N": 4})], keys=[])\n@gluon.jit\ndef'))
        self.assertIn("module-exception", self.codes("k.py"))

    def test_recordfiles_that_are_not_there(self):
        self.write("a.py", KERNEL)
        self.write("pyproject.toml", '[tool.gluond]\nrecordFiles = ["lost.launches.jsonl"]\n')
        result = self.run_gluond("check", "a.py")
        self.assertIn("lost.launches.jsonl', which the setting recordFiles names, cannot be read", result.stdout)

    def test_words_of_the_command_line(self):
        for arguments, words in [
            (["--verison"], "did you mean '--version'?"),
            (["bogus"], "there is no command 'bogus'. The commands are check,"),
            (["layout", "gl.BlockLayout([1], [32], [4], [0])"], "did you mean 'BlockedLayout'?"),
            (["layout", "gl.BlockedLayout([1], [32], [4], [0])", "--dtype", "halves"], "write one such as float16"),
        ]:
            result = self.run_gluond(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(words, result.stderr)
        result = self.run_gluond("layout", "gl.BlockedLayout([1], [64], [4], [0])", "--target", "cuda:90")
        self.assertEqual(result.returncode, 1)
        self.assertIn("the product of threads_per_warp must be 32", result.stderr)
        self.assertEqual(self.run_gluond("help", "layout").stdout, self.run_gluond("layout", "--help").stdout)

    def test_gluon_in_a_triton_kernel(self):
        text = "import triton\n" + KERNEL.replace("@gluon.jit", "@triton.jit").replace(
            "gl.store(p, N)", "gl.store(p + gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0])), N)")
        file = self.write("a.py", text)
        result = self.run_gluond("check", "a.py")
        self.assertIn("the language of @triton.jit functions has no 'gl.arange'", result.stdout)
        self.assertIn("the decorator @gluon.jit on 'k'", result.stdout)
        self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
        self.assertIn("@gluon.jit", file.read_text())
        # What Triton's own language has, a Triton kernel may take from Gluon's.
        self.write("a.py", "import triton\n" + KERNEL.replace("@gluon.jit", "@triton.jit"))
        self.assertEqual(self.codes("a.py"), [])

    # ------------------------------------------------------------ fixes and codes

    def test_fix(self):
        file = self.write("a.py", MISSPELT)
        diff = self.run_gluond("check", "--diff")
        self.assertEqual(diff.returncode, 1)
        self.assertIn("-    x = gl.laod(p)\n+    x = gl.load(p)\n", diff.stdout)
        self.assertEqual(file.read_text(), MISSPELT)
        self.assertIn("[*] 1 fixable with --fix", self.run_gluond("check").stdout)
        result = self.run_gluond("check", "--fix")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("1 finding fixed", result.stdout)
        self.assertEqual(file.read_text(), MISSPELT.replace("laod", "load"))
        self.assertEqual(self.run_gluond("check", "--diff").stdout, "")

    def test_unsafe_fixes(self):
        text = MISSPELT.replace("gl.laod(p)", "gl.lod(p)").replace("gl.store(p, x)", "gl.sttroe(p, x)")
        file = self.write("a.py", text)
        self.run_gluond("check", "--fix")
        self.assertIn("sttroe", file.read_text())
        # Alone it shows what there is, and writes nothing.
        before = file.read_text()
        result = self.run_gluond("check", "--unsafe-fixes")
        self.assertIn("suggestion: ", result.stdout)
        self.assertIn("2 fixable with --fix --unsafe-fixes", result.stdout)
        self.assertEqual((result.returncode, file.read_text()), (1, before))
        self.assertIn("sttroe", self.run_gluond("check", "-", "--unsafe-fixes", input=text).stdout)
        self.run_gluond("check", "--fix", "--unsafe-fixes")
        self.assertNotIn("sttroe", file.read_text())

    def test_words_about_launches_that_fail(self):
        self.write("a.py", KERNEL.replace('"cuda"), 3)', '"cuda"), 3, num_warp=4)'))
        self.assertIn("typed defaults: the launch of 'k' fails", self.run_gluond("launches", "a.py").stdout)
        said = self.run_gluond("run", "a.py", "--kernel", "k", "--device", "cpu").stderr
        self.assertNotIn("gluond: :", said)
        # One hint in brackets is enough.
        said = self.run_gluond("check", "a.py", "--select", "nonsense").stderr
        self.assertIn("lists all codes)", said)
        self.assertNotIn(") (", said)

    def test_a_statement_that_was_just_typed_stays(self):
        """Its use comes next; fixes that are asked for keep its comment."""
        text = MISSPELT.replace("gl.laod(p)", "gl.load(p)").replace("gl.store(p, x)", "gl.store(p, x)\n    top = gl.load(p)  # the result\n    rest = gl.load(p)")
        text = text.replace("@gluon.jit", '# gluond: launch(p="*fp32:16")\n@gluon.jit')
        file = self.write("a.py", text)
        self.run_gluond("check", "--fix")
        self.assertEqual(file.read_text(), text)
        self.run_gluond("check", "--fix", "--unsafe-fixes")
        self.assertEqual(file.read_text(), text.replace("top = gl.load(p)  # the", "# the").replace("    rest = gl.load(p)\n", ""))

    def test_options_of_the_other_vendor(self):
        """Where the target is only a guess, they may be what the launch is for."""
        for options, wrong in (("waves_per_eu=2", ["cuda:90"]), ("maxnreg=64", ["hip:gfx942"]), ("launch_pdl=True", ["hip:gfx942"]), ("llvm_fn_attrs=\"noinline\"", ["cuda:90"]),
                               ("num_stages=2, enable_fp_fusion=False", []), ("waves_per_eu=2, maxnreg=64", ["", "cuda:90", "hip:gfx942"])):
            self.write("plain.py", MISSPELT.replace("gl.laod", "gl.load") + f"\nimport torch\nk[(1, )](torch.empty(1, device=\"cuda\"), {options})\n")
            for target in ("", "cuda:90", "hip:gfx942"):
                found = self.codes("plain.py", *(["--target", target] if target else []))
                self.assertEqual(found, ["launch-argument"] if target in wrong else [], (options, target))

    def test_threads_become_warps_of_the_target(self):
        for target, warps in [("cuda:90", 8), ("hip:gfx942", 4), ("hip:gfx1100", 8)]:
            file = self.write("a.py", KERNEL.replace("3)\n", "3, num_threads=256)\n"))
            self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes", "--target", target)
            self.assertIn(f"3, num_warps={warps})", file.read_text(), target)

    def test_fixes_of_launches(self):
        """(what is wrong, the right text, the wrong one, words of the message), with its fix applied."""
        kernel = HEADER + """
import torch
import triton

{decorators}
def k(p, n, N: gl.constexpr, num_warps: gl.constexpr):
    at = gl.arange(0, N, gl.BlockedLayout([1], [32], [num_warps], [0]))
    gl.store(p + at, n, mask=at < n)


x = torch.empty(256, dtype=torch.int32, device="cuda")
{launch}
"""
        tuned = '@triton.autotune(configs=[triton.Config({"N": 256})], key=["n"])\n@gluon.jit'
        grid = 'k[lambda meta: (triton.cdiv(256, meta["N"]), )](x, 256, num_warps=4)'
        plain = "k[(1, )](x, 256, 256, num_warps=8)"
        for decorators, launch, right, wrong, words in [
            (tuned, grid, tuned, "@gluon.jit\n" + tuned.split("\n")[0], "no attribute 'arg_names'"),
            (tuned, grid, tuned, tuned.split("\n")[0], "no attribute 'arg_names'"),
            (tuned, grid, 'key=["n"]', 'key=["P"]', "key contains names"),
            (tuned, grid, 'meta["N"]', 'meta["N_SIZE"]', "its grid raises KeyError: 'N_SIZE'"),
            ("@gluon.jit", plain.replace("x, 256", "x, x.stride(0)"), "x.stride(0)", "x.stride", "passes a function to a parameter"),
            ("@gluon.jit", plain, "256, 256, num_warps=8", "256, 256, 8, num_warps=8", "it passes the argument 'num_warps' twice"),
        ]:
            text = kernel.format(decorators=decorators, launch=launch)
            file = self.write("a.py", text.replace(right, wrong))
            result = self.run_gluond("check", "a.py")
            self.assertIn(words, result.stdout)
            self.assertEqual(result.returncode, 1, result.stdout)
            self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
            # A key in lower case, not one that happens to be as near.
            self.assertEqual(file.read_text(), text.replace('["n"]', '["p"]') if '"P"' in wrong else text)

    def test_findings_are_printed_file_by_file(self):
        for number in range(40):
            self.write(f"f{number:02}.py", MISSPELT)
        whole = self.run_gluond("check").stdout
        process = subprocess.Popen([GLUOND, "check"], cwd=self.path, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        parts = list(iter(lambda: os.read(process.stdout.fileno(), 1 << 20), b""))
        process.stdout.close()
        self.assertEqual(process.wait(), 1)
        self.assertGreater(len(parts), 1)  # each file is written when it is done, not all at the end
        self.assertEqual(b"".join(parts).decode(), whole)
        self.assertEqual([line[:8] for line in whole.split("\n") if ": error: " in line], [f"./f{n:02}.py" for n in range(40)])
        # After a restart because of a crash, what was printed before is left out, and still counted.
        after = self.run_gluond("check", "--printed", "60").stdout
        self.assertEqual(after, whole[whole.index("./f30.py"):])
        self.assertEqual(len(json.loads(self.run_gluond("check", "--format", "json", "--printed", "60").stdout)), 80)

    def test_alternatives_of_a_fix_are_chosen_by_their_meaning_or_by_a_person(self):
        text = HEADER + """
import torch


@gluon.jit
def k(p, q, n):
    at = gl.arange(0, 128, gl.BlockedLayout([1], [32], [4], [0]))
    gl.atomic_add(p + at, 1.0, at < n, {0})


def f(x):
    out = torch.empty(128, {1}dtype=torch.float32)
    other = torch.empty(128, device=x.device)
    k[(1,)](out, other, 100)


f(torch.empty(128, device="cuda"))
"""
        for wrong, right in (('scope="device"', 'scope="gpu"'), ('scope="block"', 'scope="cta"'), ('sem="seq_cst"', 'sem="acq_rel"'),
                             ('"gpu"', 'scope="gpu"'), ('sem="sys"', 'scope="sys"'), ('scope="relaxed"', 'sem="relaxed"'),
                             ('scope="xyz"', 'scope="xyz"')):
            with self.subTest(wrong):
                file = self.write("a.py", text.format(wrong, "device=x.device, "))
                self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
                self.assertEqual(file.read_text(), text.format(right, "device=x.device, "))
        file = self.write("a.py", text.format('scope="gpu"', ""))
        self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
        self.assertEqual(file.read_text(), text.format('scope="gpu"', "").replace("float32)", "float32, device=x.device)"))

    def test_mistakes_of_host_code_have_their_fix(self):
        """(what is wrong, the right text, the wrong one, words of the message, title of the fix), wherever the code runs."""
        text = HEADER + """
import torch


@gluon.jit
def k(p, n, N: gl.constexpr):
    at = gl.arange(0, N, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(p + at, n, mask=at < n)


def launch(source, blocks=1, size=256):
    out = torch.empty_like(source)
    k[(blocks,)](out, source.numel(), N=size)
    return out

{begin}
    source = torch.zeros(256, device="cuda")
    launch(source, size=source.stride(0) * 256)
"""
        for begin in ["if True:", "if __name__ == '__main__':", "def test_it():"]:
            right_text = text.format(begin=begin)
            self.write("a.py", right_text)
            self.assertEqual(self.codes("a.py"), [], begin)
            for right, wrong, words, title in [
                ("torch.zeros", "torch.zros", "module 'torch' has no attribute 'zros'", "Replace 'zros' with 'zeros'"),
                ("torch.zeros", "zeros", "name 'zeros' is not defined", "Replace 'zeros' with 'torch.zeros'"),
                ("launch(source, size", "launch(sourcee, size", "name 'sourcee' is not defined", "Replace 'sourcee' with 'source'"),
                (".stride(0)", ".strid(0)", "'Tensor' object has no attribute 'strid'", "Replace 'strid' with 'stride'"),
                ("size=source", "sise=source", "launch() got an unexpected keyword argument 'sise'", "Replace 'sise' with 'size'"),
                ("device=", "devic=", "it has no keyword 'devic'", "Replace 'devic' with 'device'"),
            ]:
                file = self.write("a.py", right_text.replace(right, wrong))
                result = self.run_gluond("check", "a.py")
                self.assertIn(words, result.stdout, begin)
                self.assertIn(": " + title, result.stdout, begin)
                self.assertEqual(result.returncode, 1)
                self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
                self.assertEqual(file.read_text(), right_text)
            # The function's body uses the right name: the parameter is the one to correct.
            file = self.write("a.py", right_text.replace("blocks=1, size", "blocks=1, sise"))
            result = self.run_gluond("check", "a.py", "--fix")
            self.assertIn("launch() got an unexpected keyword argument 'size'", result.stdout)
            self.assertIn("suggestion: Replace 'sise' with 'size'", result.stdout)
            self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
            self.assertEqual(file.read_text(), right_text)

    def test_a_launch_of_a_function_that_lacks_its_decorator(self):
        kernel = KERNEL.replace("@gluon.jit\n", "").split("import torch")[0]
        for begin in ["def test_it():", "def entry():"]:
            self.write("a.py", kernel + f"import torch\n\n\n{begin}\n    k[(1,)](torch.empty(64, device='cuda'), 3)\n")
            result = self.run_gluond("check", "a.py")
            self.assertIn("'function' object is not subscriptable", result.stdout, begin)
            self.assertIn(": Decorate 'k' with @gluon.jit", result.stdout, begin)

    def test_unknown_members_of_tensors_are_no_tensors(self):
        self.write("a.py", HEADER + """
import torch


@gluon.jit
def k(p, step, N: gl.constexpr):
    at = gl.arange(0, N, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(p + at * step, step)


x = torch.empty(256, device="cuda", dtype=torch.int32)
k[(1,)](x, x.width_of_my_subclass(), N=64)
""")
        self.assertNotIn("unexpected-type", self.codes("a.py"))

    def test_titles_say_what_is_replaced(self):
        kernel = HEADER + """

@gluon.jit
def k(p, N: gl.constexpr, num_warps: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [num_warps, 1], [1, 0])
    rows = gl.arange(0, N, gl.SliceLayout(1, layout))
    columns = gl.arange(0, N, gl.SliceLayout(0, layout))
    places = rows[:, None] * N + columns[None, :]
    mask = (rows < N)[:, None] & (columns < N)[None, :]
    x = gl.load(p + places, mask=mask)
    gl.store(p + places, gl.exp(x), mask=mask)


import torch
k[(1,)](torch.empty(256, device="cuda"), 16, num_warps=4)
"""
        for right, wrong, title in [
            ("gl.exp(x)", "torch.exp(x)", "Replace 'torch.exp' with 'gl.exp'"),
            ("[None, :]\n    mask", "[:, None]\n    mask", "Replace ':, None' with 'None, :'"),
            ("[None, :]\n    mask", "[:]\n    mask", "Add the missing dimension: 'columns[None, :]'"),
            ("[None, :]\n    mask", "[np.newaxis, :]\n    mask", "Replace 'np.newaxis' with 'None'"),
            ("gl.load(p + places, mask=mask)", "p[places]", "Replace 'p[places]' with 'gl.load(p + places, mask=mask)'"),
            ("gl.load(p + places, mask=", "gl.load(p + places, pred=", "Replace 'pred' with 'mask'"),
            ("num_warps: gl.constexpr", "num_warps", "Make 'num_warps' a gl.constexpr parameter"),
        ]:
            file = self.write("a.py", kernel.replace(right, wrong))
            self.assertIn(": " + title, self.run_gluond("check", "a.py").stdout)
            self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
            self.assertEqual(file.read_text(), kernel)

    def test_a_grid_without_its_tuple(self):
        kernel = KERNEL.replace("import torch\n", "import torch, triton\n")
        for wrong, right in [("k[lambda meta: triton.cdiv(64, meta['N'])]", "k[lambda meta: (triton.cdiv(64, meta['N']), )]"),
                             ("grid = lambda meta: 4\nk[grid]", "grid = lambda meta: (4, )\nk[grid]"),
                             ("def grid(meta):\n    return meta['N']\nk[grid]", "def grid(meta):\n    return (meta['N'], )\nk[grid]"),
                             ("n = 4\nk[n]", "n = 4\nk[(n, )]"), ("k[4]", "k[(4, )]")]:
            file = self.write("a.py", kernel.replace("k[(1,)]", wrong))
            self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
            self.assertEqual(file.read_text(), kernel.replace("k[(1,)]", right))
        self.write("a.py", kernel.replace("k[(1,)]", "k[(lambda meta: 4, )]"))
        self.assertIn("its grid has a value of type 'function', but its numbers of programs must be integers", self.run_gluond("check", "a.py").stdout)

    def test_a_value_that_is_wider_than_its_pointer(self):
        self.write("a.py", HEADER + """

@gluon.jit
def k(p, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    rows = gl.arange(0, N, gl.SliceLayout(1, layout))
    gl.store(p + rows[:, None], gl.zeros([N, N], gl.float32, layout))


import torch
k[(1,)](torch.empty(256, device="cuda"), 16)
""")
        self.assertIn("[16, 16] cannot be broadcast to [16, 1], the pointer's shape: dimension 1 is 16, not 1",
                      self.run_gluond("check", "a.py").stdout)

    def test_methods_that_lack_their_instance(self):
        text = HEADER + """

@gluon.aggregate
class Tile:
    base: gl.tensor
    SIZE: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, base, SIZE):
        self.base = base
        self.SIZE = gl.constexpr(SIZE)

    @gluon.jit
    def places(self, layout: gl.constexpr):
        return self.base + gl.arange(0, self.SIZE, layout)


@gluon.jit
def k(p):
    tile = Tile(gl.program_id(0), 128)
    gl.store(p + tile.places(gl.BlockedLayout([1], [32], [4], [0])), 1)


import torch
k[(1, )](torch.empty(256, device="cuda"))
"""
        self.write("a.py", text)
        self.assertEqual(self.codes("a.py"), [])
        for right, wrong in [("places(self, layout", "places(layout"), ("0, self.SIZE", "0, SIZE")]:
            file = self.write("a.py", text.replace(right, wrong))
            self.assertEqual(self.run_gluond("check", "a.py").returncode, 1)
            self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
            self.assertEqual(file.read_text(), text)

    def test_a_wrong_import_of_the_language_is_one_mistake(self):
        text = HEADER + """

@gluon.jit
def k(p, N: gl.constexpr):
    at = gl.arange(0, N, layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(p + at, gl.load(p + at))


import torch
k[(1, )](torch.empty(256, device="cuda"), 256)
"""
        right = "from triton.experimental.gluon import language as gl"
        for wrong, fixed in [
            ("import triton.experimental.gluon as gl", "import triton.experimental.gluon.language as gl"),
            ("import triton.language as gl", "import triton.experimental.gluon.language as gl"),
            ("from triton import language as gl", right),
            ("from triton.experimental import gluon as gl", right),
        ]:
            file = self.write("a.py", text.replace(right, wrong))
            self.assertEqual(self.codes("a.py"), ["unknown-attribute"], wrong)
            self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
            self.assertEqual(file.read_text(), text.replace(right, fixed))
        # A use of the module's own says that it is meant.
        for line in ("x = gl.jit", "from triton.experimental.gluon import language", "def f(): return gl.aggregate"):
            self.write("a.py", text.replace(right, "from triton.experimental import gluon as gl\n" + line))
            self.assertGreater(len(self.codes("a.py")), 1)

    def test_constants_of_other_libraries(self):
        text = HEADER + """

@gluon.jit
def k(p, n):
    at = gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(p + at, gl.load(p + at, mask=at < n, other=-float("inf")), mask=at < n)


import torch
k[(1, )](torch.empty(128, device="cuda"), 100)
"""
        file = self.write("a.py", text.replace('float("inf")', "gl.inf"))
        self.assertEqual(self.codes("a.py"), ["unknown-attribute"])
        self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
        self.assertEqual(file.read_text(), text)

    def test_links_are_not_replaced(self):
        file = self.write("outside/a.py", MISSPELT)
        link = self.path / "link.py"
        link.symlink_to(file)
        result = self.run_gluond("check", "--fix", "link.py")
        self.assertTrue(link.is_symlink())
        self.assertEqual(file.read_text(), MISSPELT)
        self.assertIn("cannot fix 'link.py': it is a link", result.stderr)
        self.assertNotIn("fixed", result.stdout)
        self.assertIn("unknown-attribute", result.stdout)
        self.assertEqual(result.returncode, 1)

    def test_select_ignore_explain(self):
        self.write("a.py", MISSPELT + "x = 1 // 0\n")
        self.assertEqual(set(self.codes("a.py")), {"unknown-attribute", "module-exception", "typed-defaults"})
        self.assertEqual(self.codes("a.py", "--select", "module-exception"), ["module-exception"])
        self.assertEqual(self.codes("a.py", "--ignore", "module-exception,typed-defaults"), ["unknown-attribute"])
        ignored = self.run_gluond("check", "a.py", "--ignore", "unknown-attribute,module-exception").stderr
        self.assertIn("--ignore has no effect on 'unknown-attribute'", ignored)
        self.assertNotIn("module-exception", ignored)
        self.write("pyproject.toml", "[tool.gluond]\nselect = [\"typed-defaults\"]\n")
        self.assertEqual(self.codes("a.py"), ["typed-defaults"])
        self.write("pyproject.toml", "[tool.gluond]\nignore = [\"typed-defaults\"]\n")
        self.assertNotIn("typed-defaults", self.codes("a.py"))
        self.assertEqual(self.run_gluond("check", "a.py", "--exit-zero").returncode, 0)
        for arguments in [("explain", "module-exception"), ("check", "--explain", "module-exception")]:
            result = self.run_gluond(*arguments)
            self.assertEqual(result.returncode, 0)
            self.assertIn("BLOCK = 1 // 0", result.stdout)
        self.assertEqual(json.loads(self.run_gluond("explain", "--format", "json").stdout)[0].keys(),
                         {"code", "severity", "message", "meaning", "remedy", "example"})

    def test_a_method_of_a_class_that_could_not_be_made(self):
        self.write("a.py", HEADER + """
class Tile:
    @gluon.jit
    def fill(self, p):
        gl.store(p, 1)

    size = 1 // 0
""")
        result = self.run_gluond("check", "a.py")
        self.assertRegex(result.stdout, r"warning: running this module would raise ZeroDivisionError")
        self.assertIn("'Tile.fill' was not analyzed completely: the class 'Tile' is unknown", result.stdout)
        self.assertIn("a.py: Tile.fill: the class 'Tile' is unknown", result.stdout)
        self.assertEqual(result.returncode, 1)

    def test_another_module_where_gluon_is_meant(self):
        body = HEADER.split("\n", 2)
        for line, fixed in (("import gluon", "from triton.experimental import gluon"),
                            ("import gluon as gluon", "import triton.experimental.gluon as gluon"),
                            ("from tools import gluon", None)):
            self.write("a.py", line + "\nfrom triton.experimental.gluon import language as gl\n\n\n"
                       "@gluon.jit\ndef k(p, N: gl.constexpr):\n    gl.store(p, N)\n")
            result = self.run_gluond("check", "a.py")
            self.assertEqual("[unlikely-module]" in result.stdout, fixed is not None, result.stdout)
            if fixed:
                self.run_gluond("check", "a.py", "--fix", "--unsafe-fixes")
                self.assertEqual((self.path / "a.py").read_text().split("\n")[0], fixed)
                self.assertIn("1 kernel in 1 specialization", self.run_gluond("check", "a.py").stdout)
        # Other programs have modules of that name.
        self.write("a.py", "import gluon\nfrom mxnet import gluon as other\nnet = gluon.nn.Dense(1)\n")
        self.assertNotIn("unlikely-module", self.run_gluond("check", "a.py").stdout)

    def test_members_of_a_namesake_are_not_missed(self):
        """A folder of the project only has the name of the library that is meant."""
        self.write("examples/nki/__init__.py", "")
        text = HEADER + """import nki
import torch


@gluon.jit
def k(p):
    gl.store(p, 1)


def run(x):
    compiled = nki.jit(k)
    k[(1,)](x)


def test_run():
    compiled = nki.jit(k)
    k[(1,)](torch.empty(4, device="cuda"))
"""
        self.write("examples/beta/add.py", text)
        self.write("examples/beta/test_add.py", text)
        for name in ("add", "test_add"):
            self.assertNotIn("module-exception", self.codes(f"examples/beta/{name}.py"))

    # ------------------------------------------------------------ wrong use

    def test_a_pattern_that_is_none(self):
        self.write("a.py", MISSPELT)
        for pattern, words in (("[", "'[' has no ']'"), ("gen,x[ab", "'[' has no ']'"), ("", "no pattern"), (",", "no pattern")):
            result = self.run_gluond("check", "--exclude", pattern)
            self.assertEqual(result.returncode, 2, pattern)
            self.assertIn(words, result.stderr)
        for pattern in ("x[ab]", "x[]]", "\\[", "[!a]*"):
            self.assertEqual(self.run_gluond("check", "--exclude", pattern).returncode, 1, pattern)
        self.write("pyproject.toml", "[tool.gluond]\nexclude = [\"[\"]\n")
        self.assertIn("'[' has no ']'", self.run_gluond("check").stdout)

    def test_a_diff_says_what_it_does_not_show(self):
        self.write("a.py", KERNEL.replace("gl.store(p, N)", "gl.store(p, N); gl.program_id()"))
        result = self.run_gluond("check", "--diff")
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertIn("no finding has a safe fix; 1 finding has a suggested fix: --diff --unsafe-fixes shows it", result.stderr)
        self.assertIn("+", self.run_gluond("check", "--diff", "--unsafe-fixes").stdout)
        self.write("a.py", KERNEL)
        self.assertIn("no finding has a fix", self.run_gluond("check", "--diff").stderr)

    def test_wrong_use_names_the_choices(self):
        self.write("a.py", KERNEL)
        self.write("r.jsonl", "")
        for arguments, said in [
            (("chekc", "a.py"), "did you mean 'check'?"),
            (("nonsense",), "The commands are check, explain, emit"),
            ((), "give a command"),
            (("check", "a.py", "--targte", "cuda:90"), "did you mean '--target'?"),
            (("check", "a.py", "--target", "blackwell"), "did you mean 'cuda:100'?"),
            (("check", "a.py", "--target", "cuda:91"), "did you mean 'cuda:90'?"),
            (("check", "a.py", "--target", "sm_90"), "did you mean 'cuda:90'?"),
            (("check", "a.py", "--set", "target=cuda:91"), "did you mean 'cuda:90'?"),
            (("check", "a.py", "--set", "targte=cuda:90"), "did you mean 'target'?"),
            (("check", "a.py", "--launches", "nosuch.jsonl"), "cannot read 'nosuch.jsonl'"),
            (("check", "a.py", "--launches", "."), "is a folder"),
            (("check", "a.py", "--format", "jsn"), "did you mean 'json'?"),
            (("check", "a.py", "--select", "bank-conflct"), "did you mean 'bank-conflict'?"),
            (("check", "a.py", "--ignore", "nonsense-code"), "gluond explain"),
            (("check", "none.py"), "cannot read 'none.py'"),
            (("explain", "module-exceptoin"), "did you mean 'module-exception'?"),
            (("explain", "a", "b"), "takes no argument"),
            (("emit", "a.py", "--kernel", "k", "--stage", "ttir"), "did you mean 'ttgir'?"),
            (("emit", "a.py", "--kernel", "k", "--stage", "ptx", "--target", "hopper"), "did you mean 'cuda:90'?"),
            (("emit", "none.py", "--kernel", "k", "--stage", "ttgir"), "none.py"),
            (("emit", "a.py", "--kernel", "kk", "--stage", "ttgir"), "k"),
            (("launches", "none.py"), "none.py"),
            (("launches", "a.py", "--target", "cuda"), "the targets are"),
            (("layout", "gl.BlockedLayout([1],[32],[4],[0])", "--shape", "axb"), "axb"),
            (("layout", "gl.BlockedLayout([1],[32],[4],[0])", "--dtype", "f17"), "f17"),
            (("layout", "gl.BlokedLayout([1],[32],[4],[0])"), "BlokedLayout"),
            (("run", "a.py", "--device", "x"), "is neither 'cpu' nor the number of a GPU"),
            (("run", "none.py", "--kernel", "k"), "none.py"),
            (("bench", "a.py", "--kernel", "k", "--launches", "nosuch.jsonl"), "nosuch.jsonl"),
            (("bench", "a.py", "--kernel", "k", "--device", "cpu"), "'gluond run --device cpu'"),
            (("serve", "nosuch-folder"), "nosuch-folder"),
            (("doctor", "--clear-cach"), "did you mean '--clear-cache'?"),
        ]:
            result = self.run_gluond(*arguments, stdin=subprocess.DEVNULL)
            self.assertEqual(result.returncode, 2, (arguments, result.stdout, result.stderr))
            self.assertIn(said, result.stderr, arguments)

    def test_safe_fixes_go_together(self):
        # The second value of a name cannot be annotated as the first one.
        text = HEADER + """

@gluon.jit
def k(p):
    at = gl.BlockedLayout([1], [32], [4], [0])
    gl.store(p + gl.arange(0, 128, at), 1.0)
    at = gl.BlockedLayout([2], [32], [4], [0])
    gl.store(p + gl.arange(0, 256, at), 1.0)


import torch
k[(1,)](torch.empty(256, device="cuda"))
"""
        file = self.write("a.py", text)
        self.run_gluond("check", "--fix", "a.py")
        self.assertIn("    at: gl.constexpr = gl.BlockedLayout([1]", file.read_text())
        self.assertEqual(self.codes("a.py"), ["unannotated-constant"])
        self.run_gluond("check", "--fix", "--unsafe-fixes", "a.py")
        self.assertIn("    at2: gl.constexpr = gl.BlockedLayout([2]", file.read_text())
        self.assertIn("gl.arange(0, 256, at2)", file.read_text())
        self.assertEqual(self.codes("a.py"), [])

    def test_a_global_is_wrapped_only_where_its_host_code_still_runs(self):
        def fixes(host):
            self.write("a.py", HEADER + "import torch\nM = 64\n" + host + """


@gluon.jit
def k(p):
    gl.store(p + gl.arange(0, M, gl.BlockedLayout([1], [32], [4], [0])), 1.0)


k[(1,)](torch.empty(M, device="cuda"))
""")
            found = json.loads(self.run_gluond("check", "a.py", "--format", "json").stdout)
            self.assertEqual([each["code"] for each in found], ["global-not-constexpr"])
            return len(found[0].get("fixes", []))
        self.assertEqual([fixes(host) for host in ("", "print(M + 1)", "print(f'{M:4d}')", "T = {64: 1}\nprint(T[M])", "print({'m': M})")],
                         [1, 1, 0, 0, 0])

    def test_a_recording_without_launches_is_said(self):
        self.write("a.py", "x = 1\n")
        self.write("empty.jsonl", "\n")
        result = self.run_gluond("check", "a.py", "--launches", "empty.jsonl")
        self.assertIn("'empty.jsonl' contains no launches", result.stderr)

    def test_a_malformed_record_file_is_told_once_with_its_line(self):
        self.write("a.py", KERNEL)
        self.write("b.py", KERNEL)
        self.write("r.jsonl", json.dumps({"id": "r", "file": "a.py", "kernel": "k", "target": "cuda:90", "options": {"num_warps": 4},
                                          "args": [{"name": "p", "type": "*fp32"},
                                                   {"name": "N", "type": "constexpr", "value": 3}]}) + "\n{nonsense\n")
        found = [each for each in json.loads(self.run_gluond("check", "a.py", "b.py", "--launches", "r.jsonl", "--format", "json").stdout)
                 if each["code"] == "malformed-record"]
        self.assertEqual([(each["file"], each["range"]["start"]["line"]) for each in found],
                         [(found[0]["file"], 1)], found)


if __name__ == "__main__":
    unittest.main()
