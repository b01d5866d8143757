"""What the user says of a program's surroundings: values of names of modules, other names of modules, copies of Triton. Run by
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

KERNEL = """

@gluon.jit
def kernel(x, TILE: gl.constexpr):
    gl.static_assert({condition})
    gl.store(x + gl.arange(0, TILE, gl.BlockedLayout([1], [32], [4], [0])), 1.0)


kernel[(1,)](torch.empty(1024, device="cuda"), {tile})
"""
GLUON = """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
"""


class Surroundings(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def errors(self, program, *options):
        self.write("program.py", program)
        run = subprocess.run([GLUOND, "check", "program.py", "--format", "json", *options], cwd=self.root, capture_output=True, text=True,
                             timeout=60)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return [found["message"] for found in json.loads(run.stdout) if found["severity"] == "error"]

    def settled(self, program, setting):
        """Without the setting nothing is known; the true value is fine, and another one is found out."""
        self.assertEqual(self.errors(program), [], "unknown")
        self.assertEqual(self.errors(program, "--set", f"constants={setting}=64"), [])
        self.assertEqual(len(self.errors(program, "--set", f"constants={setting}=32")), 1)

    def test_constants_of_a_module_that_is_not_found(self):
        body = KERNEL.format(condition="SIZE == 64", tile=128)
        self.settled(GLUON + "from vendor.sizes import BLOCK\nSIZE = gl.constexpr(BLOCK)\n" + body, "vendor.sizes.BLOCK")
        self.settled(GLUON + "import vendor.sizes\nSIZE = gl.constexpr(vendor.sizes.BLOCK)\n" + body, "vendor.sizes.BLOCK")
        self.settled(GLUON + "from vendor.sizes import SIZE\n" + body, "vendor.sizes.SIZE")
        self.settled(GLUON + "from vendor import sizes\nSIZE = gl.constexpr(sizes.BLOCK)\n" + body, "vendor.sizes.BLOCK")

    def test_constants_of_the_project(self):
        self.write("sizes.py", "import secret\nBLOCK = secret.block()\nWIDTH = BLOCK * 2\n")
        self.settled(GLUON + "from sizes import BLOCK\nSIZE = gl.constexpr(BLOCK)\n" + KERNEL.format(condition="SIZE == 64", tile=128),
                     "sizes.BLOCK")
        self.settled(GLUON + "import sizes\nSIZE = gl.constexpr(sizes.WIDTH)\n" + KERNEL.format(condition="SIZE == 128", tile=128),
                     "sizes.BLOCK")

    def test_a_constant_that_the_program_sets_otherwise(self):
        program = GLUON + "SIZE = gl.constexpr(32)\nFLAG = False\n" + KERNEL.format(condition="SIZE == 32", tile="64 if FLAG else 100")
        self.assertEqual(len(self.errors(program)), 1, "100 is no power of two")
        self.assertEqual(self.errors(program, "--set", "constants=program.FLAG=True"), [])
        self.write("pyproject.toml", "[tool.gluond]\nconstants = ['program.FLAG=True', 'program.SIZE=16']\n")
        self.assertEqual(len(self.errors(program)), 1, "the assertion")

    def test_settings_that_are_none(self):
        self.write("program.py", GLUON)
        for setting in ("constants=BLOCK=64", "constants=a.b=c d", "moduleAliases=a", "moduleAliases=a=1b"):
            run = subprocess.run([GLUOND, "check", "program.py", "--set", setting], cwd=self.root, capture_output=True, text=True)
            self.assertEqual(run.returncode, 2, setting)
            self.assertIn("such as", run.stderr)

    def test_aliases(self):
        self.write("real/sizes.py", "BLOCK = 32\n")
        program = GLUON + "from fast.sizes import BLOCK\nSIZE = gl.constexpr(BLOCK)\n" + KERNEL.format(condition="SIZE == 64", tile=128)
        self.assertEqual(self.errors(program), [])
        self.assertEqual(len(self.errors(program, "--set", "moduleAliases=fast=real")), 1)

    def test_launches_after_an_import_that_raises(self):
        launch = ("\n\n@gluon.jit\ndef k(x):\n    pass\n\n\nx = torch.empty(64, device='cuda')\nk[(1,)](x, trace=True)\n")
        self.write("shim.py", "import triton\nif triton.__version__ != '3.2.0':\n    raise RuntimeError('shim needs Triton 3.2')\n")
        self.assertEqual(len(self.errors(GLUON + launch)), 1)
        self.assertEqual(self.errors(GLUON + "import shim\nshim.install()" + launch), [])

    def test_copies_of_triton(self):
        wrong = KERNEL.format(condition="TILE == 64", tile=128)
        direct = "import torch\nimport our_triton as triton\nfrom our_triton.experimental import gluon\nimport our_triton.experimental.gluon.language as gl\n"
        self.assertEqual(len(self.errors(direct + wrong)), 1)
        self.write("_triton.py", direct)
        self.assertEqual(len(self.errors("import torch\nfrom _triton import gluon, gl\n" + wrong)), 1)
        self.assertEqual(len(self.errors("import torch\nfrom ours.triton import gluon, gl\n" + wrong)), 0, "not known to be one")
        nested = "import torch\nimport ours.tri.experimental.gluon.language as gl\nfrom ours.tri.experimental import gluon\n"
        self.assertEqual(len(self.errors(nested + wrong)), 1)
        hidden = "import torch\nfrom ours.gluon import jit, language as gl\n"
        aliases = "moduleAliases=ours.gluon=triton.experimental.gluon"
        self.assertEqual(len(self.errors(hidden + wrong.replace("@gluon.jit", "@jit"), "--set", aliases)), 1)
        newer = direct.replace("import gluon\n", "import gluon, novelty\n") + "from our_triton.language import something_new\n"
        self.assertEqual(self.errors(newer + KERNEL.format(condition="gl.something_newer(TILE)", tile=128)), [], "names of its own")


if __name__ == "__main__":
    unittest.main()
