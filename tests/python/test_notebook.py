"""The cell magic %%gluon, in IPython's own shell. Run by ctest: test_notebook.py GLUOND [GLUOND-RUNNER FAKE-DRIVER]. Without IPython: 77."""
import base64
import os
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/support")]
import peers  # noqa: E402

peers.under_python_with("import IPython", "IPython")
GLUOND = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/bin/gluond")
os.environ["GLUOND"] = GLUOND
profile = tempfile.TemporaryDirectory()
os.environ["IPYTHONDIR"] = profile.name  # not the user's own
if len(sys.argv) > 2:
    runner, fake = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
    os.environ["GLUOND_RUNNER"] = f"exec env GLUOND_CUDA_LIBRARY={fake} {runner}"
else:
    os.environ.pop("GLUOND_RUNNER", None)

from IPython.core.interactiveshell import InteractiveShell  # noqa: E402
from IPython.utils.capture import capture_output  # noqa: E402

IMPORTS = "from triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n"
KERNEL = """@gluon.jit
def copy(x, y, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    value = gl.load(x + i, mask=i < n)
    gl.store(y + i, value, mask=i < n)
"""
WRONG = KERNEL.replace("layout=layout", "layout=layot")
LAUNCH = "import torch\ncopy[(4,)](torch.empty(1000, device='cuda'), torch.empty(1000, device='cuda'), 1000, 256)\n"


class Magic(unittest.TestCase):
    def setUp(self):
        # A shell of its own, whose history is that of one notebook and is kept nowhere.
        InteractiveShell.clear_instance()
        self.shell = InteractiveShell.instance()
        self.shell.history_manager.enabled = False
        self.shell.history_manager.input_hist_raw[:] = [""]
        self.cell("%load_ext gluond.notebook")

    def cell(self, text):
        """Runs a cell: whether it succeeded, what it wrote, and what it displayed."""
        with capture_output() as caught:
            result = self.shell.run_cell(text, store_history=True)
        return result.success, caught.stdout + caught.stderr, [output.data for output in caught.outputs]

    def checked(self, text, *before):
        for each in before:
            self.cell(each)
        return self.cell(f"%%gluon --check\n{text}")

    def test_a_mistake_is_shown_and_the_cell_does_not_run(self):
        self.cell(IMPORTS.replace("from triton", "# from triton"))
        success, said, (shown, ) = self.cell(f"%%gluon\n{IMPORTS}{WRONG}reached = True\n")
        self.assertFalse(success)
        self.assertIn("1 error and was not run", said)
        self.assertIn("line 6: error: 'layot' is not defined [undefined-name]", shown["text/plain"])
        self.assertIn("fix: Replace 'layot' with 'layout'", shown["text/plain"])
        self.assertIn(">layot</span>", shown["text/html"])
        self.assertNotIn("reached", self.shell.user_ns)

    def test_the_package_is_the_extension_too(self):
        InteractiveShell.clear_instance()
        self.shell = InteractiveShell.instance()
        self.shell.history_manager.enabled = False
        self.assertEqual(self.cell("%load_ext gluond")[:2], (True, ""))
        _, _, (shown, ) = self.checked(IMPORTS + WRONG)
        self.assertIn("'layot' is not defined", shown["text/plain"])

    def test_earlier_cells_are_known(self):
        self.assertEqual(self.checked(KERNEL, IMPORTS), (True, "", []))
        _, _, (shown, ) = self.checked(WRONG)
        self.assertIn("line 4: error", shown["text/plain"])

    def test_the_last_version_of_a_cell_counts(self):
        helper = "%%gluon --check\n@gluon.jit\ndef twice(x):\n    return x * {}\n"
        _, _, shown = self.checked(KERNEL.replace("value, mask", "twice(value), mask"), IMPORTS, helper.format("unknown"), helper.format("2"), LAUNCH)
        self.assertEqual(shown, [])

    def test_a_launch_that_ran_since_counts_for_the_changed_kernel(self):
        self.checked(KERNEL, IMPORTS)
        self.cell(LAUNCH)
        _, _, shown = self.cell("%%gluon --check --layout value\n" + KERNEL)
        self.assertIn("on 256", shown[-1]["text/plain"])

    def test_names_that_no_cell_defines_are_the_sessions(self):
        self.shell.user_ns.update(SIZE=128, secret=object(), path=os.path)
        self.assertEqual(self.checked("a = secret.thing\nb = SIZE + 1\nc = path.join('x')\n"), (True, "", []))
        _, _, (shown, ) = self.checked("a = nowhere\n")
        self.assertIn("nowhere", shown["text/plain"])

    def test_cells_with_magics_and_mistakes_disturb_nothing(self):
        before = [IMPORTS, "%%capture out\nx = 1", "def broken(:", "raise ValueError()", "!true", "%time y = 2", "from __future__ import annotations\nz = 3\n"]
        self.assertEqual(self.checked(KERNEL, *before), (True, "", []))
        self.assertEqual(self.checked("from __future__ import annotations\nw = 3\n"), (True, "", []))

    def test_what_only_ipython_understands_is_no_mistake(self):
        """Shell commands, line magics, help and their results, in the cell itself and in others that are checked."""
        text = ("\n\n!true\nlines = !echo one\n%time timed = 3\n%timeit -n1 -r1 timed\n%config InlineBackend\nif lines:\n    !true\n    %time inner = 4\nprint?\n"
                "!echo a \\\n  b\nused = (lines, timed)\n")
        self.assertEqual(self.checked(text), (True, "", []))
        _, _, (shown, ) = self.checked(text + "nowhere\n" + IMPORTS + WRONG)
        self.assertIn("line 15: warning: running this module would raise NameError: name 'nowhere' is not defined", shown["text/plain"])
        self.assertIn("line 21: error: 'layot' is not defined", shown["text/plain"])
        self.assertIn("  nowhere\n  ~~~~~~~", shown["text/plain"])
        success, said, _ = self.cell("%%gluon\n%time first = 3\n!echo from the shell\nsecond = first + 1\n")
        self.assertTrue(success, said)
        self.assertEqual(self.shell.user_ns["second"], 4)
        # An earlier cell with the magic and a command still has its kernel.
        self.cell(f"%%gluon --check\n!true\n{IMPORTS}{KERNEL}")
        _, _, shown = self.cell(f"%%gluon --check --layout second_value\n{KERNEL.replace('copy', 'other').replace('value', 'second_value')}"
                                f"{LAUNCH.replace('copy', 'other')}{LAUNCH}")
        self.assertIn("on 256", shown[-1]["text/plain"])

    def test_await_outside_of_functions(self):
        self.assertEqual(self.checked("import asyncio\nawait asyncio.sleep(0)\nasync with asyncio.Lock():\n    pass\n"), (True, "", []))
        success, said, _ = self.cell("%%gluon\nimport asyncio\nawait asyncio.sleep(0)\n")
        self.assertFalse(success)
        self.assertIn("run it without the magic", said)
        self.assertIn("return", self.checked("return 3\n")[2][0]["text/plain"])

    def test_arrays_are_arguments_while_kernels_are_simulated(self):
        from gluond import notebook
        text = f"import numpy as np\n{IMPORTS}{KERNEL}copy[(4,)](np.zeros(1000), np.zeros(1000), 1000, 256)\n"
        _, _, (shown, ) = self.checked(text)
        self.assertIn("a numpy array cannot be passed", shown["text/plain"])
        active, notebook.is_simulating = notebook.is_simulating, lambda: True
        self.addCleanup(setattr, notebook, "is_simulating", active)
        self.assertEqual(self.checked(text), (True, "", []))
        _, _, (shown, ) = self.checked(text.replace("layout=layout", "layout=layot"))
        self.assertIn("error: 'layot' is not defined", shown["text/plain"])

    def test_it_runs_as_a_cell_does(self):
        success, said, _ = self.cell("%%gluon\nvalue = 6 * 7\nvalue")
        self.assertTrue(success)
        self.assertIn("42", said)
        self.assertEqual(self.shell.user_ns["value"], 42)
        self.assertNotIn("42", self.cell("%%gluon\nvalue;")[1])
        success, said, _ = self.cell("%%gluon\ndef f():\n    import inspect\n    return inspect.getsource(f)\nprint(f())\n1 / 0\n")
        self.assertFalse(success)
        self.assertIn("return inspect.getsource(f)", said)
        self.assertIn("ZeroDivisionError", said)
        self.assertFalse(self.cell(f"%%gluon --run\nreached = 1\n{WRONG}")[0])  # without Triton, gluon is not defined

    def test_layouts_are_drawn(self):
        success, _, (shown, ) = self.cell("%%gluon --check --layout gl.BlockedLayout([1,2],[8,4],[4,1],[1,0]) --shape 16x16\npass")
        self.assertTrue(success)
        self.assertIn("4 warps x 32 lanes", shown["text/plain"])
        picture = shown["text/html"].split("base64,")[1].split('"')[0]
        self.assertIn(b"<svg", base64.b64decode(picture))
        _, _, shown = self.cell(f"%%gluon --check --layout layout --layout value\n{IMPORTS}{KERNEL}{LAUNCH}")
        self.assertEqual(len(shown), 2)
        self.assertIn("on 256", shown[1]["text/plain"])

    def test_layouts_that_cannot_be_drawn(self):
        for line, why in (("--layout nothing", "the cell assigns no such name"), ("--layout number", "no layout"), ("--layout gl.Blocked(", "")):
            success, said, _ = self.cell(f"%%gluon --check {line}\nnumber = 3")
            self.assertFalse(success, line)
            self.assertIn("UsageError", said)
            self.assertIn(why, said)

    def test_a_program_that_fails_leaves_the_cell_unchecked(self):
        from gluond import notebook
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "gluond"
        self.addCleanup(os.environ.__setitem__, "GLUOND", GLUOND)
        self.addCleanup(setattr, notebook, "CHECK_SECONDS", notebook.CHECK_SECONDS)
        os.environ["GLUOND"], notebook.CHECK_SECONDS = str(path), 1
        for script, reason in (("exec sleep 1000", "did not end within 1 s"), ("sleep 1000 & sleep 1000", "did not end within 1 s"), ("kill -SEGV $$", "signal 11"),
                               ("echo oh no >&2; exit 70", "oh no"), ("exit 0", "cannot be read"), ("echo 7", "cannot be read"), ("echo '[{}]'", "cannot be read"),
                               ("printf '\\377['", "cannot be read"), ("exec yes", ""), (None, "does not start")):
            path.write_text("\x7fELF no" if script is None else f"#!/bin/sh\n{script}\n")
            path.chmod(0o755)
            with self.subTest(script):
                success, said, shown = self.cell("%%gluon\nreached = 5\nreached")
                self.assertTrue(success, said)
                self.assertIn("the cell was not checked: ", shown[0]["text/plain"])
                self.assertIn(reason, shown[0]["text/plain"])
                self.assertIn("5", said)
                success, said, _ = self.cell("%%gluon --check --layout l\nl = 5")
                self.assertFalse(success)
                self.assertIn("UsageError", said)
                self.assertNotIn("Traceback", said)

    def test_options_without_what_they_belong_to(self):
        for line, of in (("--shape 16x16", "--layout"), ("--dtype f16", "--layout"), ("--grid 1", "--bench"), ("--arg n=4", "--bench")):
            success, said, _ = self.cell(f"%%gluon {line}\nreached = 1")
            self.assertFalse(success, line)
            self.assertIn(f"{line.split()[0]} is an option of {of}, which is not given", said)
        self.assertNotIn("reached", self.shell.user_ns)

    def test_hostile_text_is_text(self):
        _, _, (shown, ) = self.cell("%%gluon --check\nx = '<script>alert(1)</script>' + nowhere\n")
        self.assertNotIn("<script>", shown["text/html"])
        self.assertIn("&lt;script&gt;", shown["text/html"])

    def test_places_after_characters_of_two_units(self):
        _, _, (shown, ) = self.cell("%%gluon --check\nx = '\U0001f600' + nowhere\n")
        self.assertIn(">nowhere</span>", shown["text/html"])

    @unittest.skipUnless("GLUOND_RUNNER" in os.environ, "no fake driver")
    def test_benchmarks_are_tables(self):
        success, said, (shown, ) = self.cell(f"%%gluon --check --bench copy\n{IMPORTS}{KERNEL}{LAUNCH}")
        self.assertTrue(success, said)
        self.assertIn("copy on NVIDIA H200", shown["text/plain"])
        self.assertIn("<th>median</th>", shown["text/html"])
        self.assertIn("µs", shown["text/plain"])

    def test_a_benchmark_without_a_gpu_says_what_helps_in_a_notebook(self):
        with unittest.mock.patch.dict(os.environ, {"GLUOND_RUNNER": "exec env GLUOND_FAKE_DEVICES=0 " + os.environ.get("GLUOND_RUNNER", "false").removeprefix("exec env ")}):
            success, said, _ = self.cell(f"%%gluon --check --bench copy\n{IMPORTS}{KERNEL}{LAUNCH}")
        self.assertFalse(success)
        self.assertIn("cannot run kernels: ", said)
        self.assertIn("set GLUOND_RUNNER to the command", said)
        self.assertNotIn("gluond emit", said)

    @unittest.skipUnless("GLUOND_RUNNER" in os.environ, "no fake driver")
    def test_a_benchmark_of_nothing_says_why(self):
        success, said, _ = self.cell("%%gluon --check --bench nothing\npass")
        self.assertFalse(success)
        self.assertIn("UsageError", said)


if __name__ == "__main__":
    unittest.main()
