"""Notebooks on the command line: places in cells, fixes that leave the rest of the file alone, all formats, bad files.
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

IMPORTS = """%load_ext gluond
!pip list
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
import torch"""
KERNEL = """%%gluon --check
@gluon.jit
def copy(x, y, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    gl.store(y + i, gl.load(x + i, mask=i < n), maks=i < n)"""
LAUNCH = """x = torch.empty(1000, device="cuda")
copy[(4,)](x, x, 1000, 256, num_warp=4)"""


def notebook(*cells, language="python"):
    def cell(kind, source):
        own = {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
        if kind == "code":
            own |= {"execution_count": None, "outputs": [{"output_type": "stream", "text": ["π = 3.140e-00\n"]}]}
        return own
    whole = {"cells": [cell(*each) for each in cells], "metadata": {"language_info": {"name": language}}, "nbformat": 4,
             "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


WRONG = notebook(("markdown", "# π"), ("code", IMPORTS), ("code", KERNEL), ("markdown", "a (\nb"), ("code", LAUNCH),
                 ("code", "%%bash\nls ("))


class NotebooksOnTheCommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)

    def write(self, name, text):
        (self.path / name).write_text(text)

    def gluond(self, *arguments, **options):
        result = subprocess.run([GLUOND, *arguments], capture_output=True, timeout=60, cwd=self.path, text=True, **options)
        self.assertNotEqual(result.returncode, 70, result.stderr)
        return result

    def test_findings_name_the_cell(self):
        self.write("a.ipynb", WRONG)
        result = self.gluond("check", "a.ipynb")
        self.assertEqual(result.returncode, 1)
        self.assertIn("a.ipynb:cell 3:6:54: error: ", result.stdout)
        self.assertIn("    6 |     gl.store(y + i, gl.load(x + i, mask=i < n), maks=i < n)", result.stdout)
        self.assertIn("a.ipynb:cell 5:2:1: error: ", result.stdout)
        self.assertIn("Checked 1 file: 1 kernel", result.stdout)

    def test_json_has_places_in_cells(self):
        self.write("a.ipynb", WRONG)
        findings = json.loads(self.gluond("check", "a.ipynb", "--format", "json").stdout)
        self.assertEqual({(each["cell"], each["range"]["start"]["line"]) for each in findings}, {(3, 2), (3, 5), (5, 1)})
        edits = [edit for each in findings for fix in each["fixes"] for edit in fix["edits"]]
        self.assertTrue(edits)
        self.assertEqual({edit["cell"] for edit in edits}, {3, 5})

    def test_what_ipython_adds_is_no_mistake(self):
        good = KERNEL.replace("maks", "mask")
        launch = LAUNCH.replace(", num_warp=4", "")
        for cell in ["files = !ls\nprint(files)", "t = %timeit -o copy[(4,)](x, x, 1000, 256)", "display(x)\nprint(_, __, _3, _i2)\nIn[0]; Out",
                     "get_ipython().run_line_magic('time', '1')", "async def f(): pass\nawait f()\nasync for q in f(): pass\nasync with f(): pass\n[await f() for _ in '12']",
                     "%run other.py\nfrom_other(3)", "%pylab\nplot([1])", "/copy x", ",copy a b", "exit"]:
            self.write("a.ipynb", notebook(("code", IMPORTS), ("code", good), ("code", launch), ("code", cell)))
            result = self.gluond("check", "a.ipynb")
            self.assertEqual(result.returncode, 0, cell + result.stdout)
        for first, later in [("%%capture out\ncopy[(4,)](x, x, 1000, 256)", "out.show()"), ("%%cython\ndef fast(): pass", "fast()"), ("%%bash --out text\nls", "print(text)")]:
            self.write("a.ipynb", notebook(("code", IMPORTS), ("code", good), ("code", launch), ("code", first), ("code", later)))
            result = self.gluond("check", "a.ipynb")
            self.assertEqual(result.returncode, 0, first + result.stdout)
        # Magics of IPython's own define nothing, and a file is no notebook.
        self.write("a.ipynb", notebook(("code", IMPORTS), ("code", good), ("code", launch), ("code", "%%bash\nls"), ("code", "%matplotlib inline\nshow_al()")))
        self.assertIn("name 'show_al' is not defined", self.gluond("check", "a.ipynb").stdout)
        self.write("a.py", IMPORTS.split("pip list\n")[1] + "\n" + good.partition("\n")[2] + "\n" + launch + "\nawait f()\nprint(_3)\n")
        self.assertIn("'await' outside function", self.gluond("check", "a.py").stdout)

    def test_older_formats_are_refused(self):
        self.write("a.ipynb", WRONG.replace('"nbformat": 4,', '"nbformat": 3,'))
        result = self.gluond("check", "a.ipynb")
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn("nbformat 3; convert it", result.stderr)

    def test_ci_services_get_lines_of_the_file(self):
        self.write("a.ipynb", WRONG)
        line = next(i for i, text in enumerate(WRONG.splitlines(), 1) if "maks=" in text)
        github = self.gluond("check", "a.ipynb", "--format", "github").stdout
        self.assertIn(f"::error file=a.ipynb,line={line},endLine={line},title=", github)
        self.assertIn("(cell 3, line 6)", github)
        sarif = json.loads(self.gluond("check", "a.ipynb", "--format", "sarif").stdout)["runs"][0]["results"]
        results = [each for each in sarif if each["level"] == "error"]
        region = results[0]["locations"][0]["physicalLocation"]["region"]
        self.assertEqual(region, {"startLine": line, "endLine": line})
        self.assertIn("(cell 3, line 6)", results[0]["message"]["text"])
        self.assertNotIn("fixes", results[0])
        gitlab = json.loads(self.gluond("check", "a.ipynb", "--format", "gitlab").stdout)
        self.assertIn({"begin": line, "end": line}, [each["location"]["lines"] for each in gitlab])
        self.assertIn(f'line="{line}"', self.gluond("check", "a.ipynb", "--format", "junit").stdout)

    def test_fixes_change_only_their_lines(self):
        self.write("a.ipynb", WRONG)
        diff = self.gluond("check", "--diff", "--unsafe-fixes", "a.ipynb")
        self.assertEqual(diff.returncode, 1)
        self.assertIn("a.ipynb:cell 3", diff.stdout)
        self.assertIn("-copy[(4,)](x, x, 1000, 256, num_warp=4)\n+copy[(4,)](x, x, 1000, 256, num_warps=4)\n", diff.stdout)
        self.assertNotIn("cell 2", diff.stdout)
        self.assertEqual((self.path / "a.ipynb").read_text(), WRONG)
        given = self.gluond("check", "--fix", "--unsafe-fixes", "-", "--stdin-filename", "a.ipynb", input=WRONG)
        self.assertEqual(self.gluond("check", "--fix", "--unsafe-fixes", "a.ipynb").returncode, 0)
        fixed = WRONG.replace("maks=", "mask=").replace("num_warp=", "num_warps=")
        self.assertEqual((self.path / "a.ipynb").read_text(), fixed)
        self.assertEqual(given.stdout, fixed)

    def test_folders_have_notebooks_with_gluon(self):
        self.write("a.ipynb", WRONG)
        self.write("plain.ipynb", notebook(("code", "print(1 +)")))
        self.write("broken.ipynb", "{gluon")
        result = self.gluond("check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("Checked 1 file: 1 kernel", result.stdout)
        self.assertIn("2 files without Gluon skipped", result.stdout)
        self.assertEqual(result.stderr, "")

    def test_cells_import_modules_beside_the_notebook(self):
        self.write("tiles.py", "SIZE = 100\n")
        self.write("a.ipynb", notebook(("code", IMPORTS + "\nfrom tiles import SIZE"), ("code", KERNEL.replace("maks", "mask")),
                                       ("code", LAUNCH.replace("num_warp=4", "").replace("256", "SIZE"))))
        result = self.gluond("check", "a.ipynb", "--format", "json")
        self.assertEqual([each["code"] for each in json.loads(result.stdout)], ["not-power-of-two"], result.stdout)

    def test_bad_files_are_told_once(self):
        for name, text, why in (("bad.ipynb", "{", "bad.ipynb' is no notebook: it is not valid JSON"),
                                ("r.ipynb", notebook(("code", "x"), language="R"),
                                 "r.ipynb' is a notebook of R, and gluond reads Python"),
                                ("old.ipynb", '{"worksheets": []}', "nbformat 3")):
            self.write(name, text)
            for command in (["check", name], ["launches", name], ["emit", name, "--stage", "ttgir"],
                            ["check", "--fix", "-", "--stdin-filename", name]):
                result = self.gluond(*command, input=text)
                self.assertEqual(result.returncode, 2, (command, result))
                self.assertEqual(result.stderr.count(why), 1, (command, result.stderr))

    def test_other_commands_read_notebooks(self):
        self.write("a.ipynb", WRONG.replace("maks=", "mask=").replace("num_warp=", "num_warps="))
        self.assertIn("copy (cell 3, line 3)\n", self.gluond("launches", "a.ipynb").stdout)
        self.assertIn("tt.func public @copy", self.gluond("emit", "a.ipynb", "--stage", "ttgir").stdout)


if __name__ == "__main__":
    unittest.main()
