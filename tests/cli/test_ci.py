"""`gluond check` in CI: the forms that services read, baselines, exit codes. Run by ctest; argv[1] is the program."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GLUOND = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin/gluond")
os.environ["GLUOND_CACHE_DIR"] = "off"

HEADER = """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


"""


def kernel(name, statement):
    return f"""@gluon.jit
def {name}(p):
    {statement}
    gl.store(p, 1.0)


{name}[(1, )](torch.empty(64, device="cuda"))


"""


CLEAN = HEADER + kernel("k", "pass")
MISSPELT = HEADER + kernel("k", "x = gl.laod(p)")  # in line 8
ANOTHER = kernel("other", "x = gl.laod(p)")  # 9 lines later
# Accepted by Triton, with something to say about it.
SUSPICIOUS = HEADER + """@gluon.jit
def k(p, n, N: gl.constexpr):
    i = gl.arange(0, N, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(p + i * 7, i, mask=i < n)


k[(1, )](torch.empty(4096, device="cuda", dtype=torch.int32), 500, 512)
"""


class Ci(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)

    def write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def check(self, *arguments, code=None, cwd=None):
        done = subprocess.run([GLUOND, "check", *map(str, arguments)], capture_output=True, timeout=60, cwd=cwd or self.path, text=True)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def findings(self, *arguments):
        return json.loads(self.check(*arguments, "--format", "json").stdout)

    # ------------------------------------------------------------ forms

    def test_github(self):
        self.write("a%,b/k.py", MISSPELT)
        out = self.check("./a%,b", "--format", "github", code=1).stdout.splitlines()
        self.assertEqual(len(out), 1)
        self.assertRegex(out[0], r"^::error file=a%25%2Cb/k\.py,line=8,endLine=8,col=\d+,endColumn=\d+,title=[a-z-]+::.*laod")
        at = self.findings("./a%,b")[0]["range"]["start"]
        self.assertIn(f"col={at['character'] + 1},", out[0])

    def test_github_has_one_line_for_each_finding(self):
        self.write("k.py", SUSPICIOUS + ANOTHER)
        found = self.findings(".")
        out = self.check(".", "--format", "github").stdout.splitlines()
        self.assertEqual(len(out), len(found))
        kinds = {"error": "error", "warning": "warning"}
        self.assertEqual([line.split()[0] for line in out], [f"::{kinds.get(each['severity'], 'notice')}" for each in found])

    def test_gitlab(self):
        self.write("k.py", MISSPELT + ANOTHER)
        report = json.loads(self.check(".", "--format", "gitlab", code=1).stdout)
        self.assertEqual([each["location"] for each in report], [{"path": "k.py", "lines": {"begin": 8, "end": 8}}, {"path": "k.py", "lines": {"begin": 17, "end": 17}}])
        self.assertEqual({each["severity"] for each in report}, {"critical"})
        self.assertIn("laod", report[0]["description"])
        prints = [each["fingerprint"] for each in report]
        self.assertEqual(len(set(prints)), 2, "equal lines are two findings")
        # They stay when the lines move.
        self.write("k.py", "# one more line\n" + MISSPELT + ANOTHER)
        self.assertEqual([each["fingerprint"] for each in json.loads(self.check(".", "--format", "gitlab").stdout)], prints)

    def test_junit(self):
        self.write("bad & <worse>.py", MISSPELT)
        self.write("clean.py", CLEAN)
        root = ElementTree.fromstring(self.check(".", "--format", "junit", code=1).stdout)
        self.assertEqual((root.tag, root.get("tests"), root.get("failures")), ("testsuites", "2", "1"))
        bad, clean = root
        self.assertTrue(bad.get("name").endswith("bad & <worse>.py"))
        failure = bad[0][0]
        self.assertEqual((failure.tag, failure.get("type"), bad[0].get("line")), ("failure", "error", "8"))
        self.assertIn("laod", failure.get("message"))
        self.assertEqual((clean.get("failures"), [len(case) for case in clean]), ("0", [0]))

    def test_junit_names_each_case_once(self):
        """Services keep one of several cases with the same name, class and file, and link files by paths of the repository."""
        self.write("a/k.py", MISSPELT + ANOTHER + ANOTHER.replace("other", "third"))
        self.write("clean.py", CLEAN)
        for path in (".", "./", "././a", "a"):
            cases = [(case.get("name"), case.get("classname"), case.get("file")) for case in ElementTree.fromstring(self.check(path, "--format", "junit").stdout).iter("testcase")]
            self.assertEqual(cases[:3], [(name, "a/k.py", "a/k.py") for name in ("unknown-attribute", "unknown-attribute (2)", "unknown-attribute (3)")], path)
            self.assertEqual(len(set(cases)), len(cases))

    def test_hints_do_not_fail_junit(self):
        self.write("k.py", SUSPICIOUS)
        found = self.findings(".")
        root = ElementTree.fromstring(self.check(".", "--format", "junit").stdout)
        worse = [each for each in found if each["severity"] in ("error", "warning")]
        self.assertEqual(int(root.get("failures")), len(worse))
        self.assertEqual(int(root.get("tests")), max(len(found), 1))

    def test_sarif_as_code_hosts_want_it(self):
        self.write("my kernels/k#1.py", MISSPELT)
        run = json.loads(self.check(".", "--format", "sarif", code=1).stdout)["runs"][0]
        result = run["results"][0]
        self.assertTrue(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("my%20kernels/k%231.py"))
        self.assertRegex(result["partialFingerprints"]["gluondFinding/v1"], "^[0-9a-f]{16}$")
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        self.assertEqual(rule["id"], result["ruleId"])
        self.assertEqual(rule["defaultConfiguration"], {"level": "error"})
        self.assertRegex(rule["shortDescription"]["text"], "^[A-Z][a-z ]+$")
        absolute = json.loads(self.check(self.path / "my kernels" / "k#1.py", "--format", "sarif").stdout)
        uri = absolute["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertTrue(uri.startswith("file:///") and uri.endswith("/my%20kernels/k%231.py"), uri)

    def test_nothing_found_is_valid_too(self):
        self.write("clean.py", CLEAN)
        self.assertEqual(self.check(".", "--format", "github", code=0).stdout, "")
        self.assertEqual(json.loads(self.check(".", "--format", "gitlab", code=0).stdout), [])
        self.assertEqual(ElementTree.fromstring(self.check(".", "--format", "junit", code=0).stdout).get("failures"), "0")

    # ------------------------------------------------------------ baselines

    def test_only_what_is_new_is_reported(self):
        self.write("k.py", MISSPELT)
        done = self.check(".", "--baseline", "known.json", "--update-baseline", code=0)
        self.assertIn("1 finding is in the baseline", done.stdout)
        entries = json.loads((self.path / "known.json").read_text())
        self.assertEqual((entries["version"], [(each["file"], each["line"]) for each in entries["findings"]]), (1, [("k.py", "x = gl.laod(p)")]))
        self.assertIn("1 finding is in the baseline", self.check(".", "--baseline", "known.json", code=0).stdout)
        # It stays known when its line moves, and a second one like it is new.
        self.write("k.py", "# moved\n" + MISSPELT + ANOTHER)
        done = self.check(".", "--baseline", "known.json", code=1)
        self.assertEqual(done.stdout.count("k.py:"), 1, done.stdout)
        self.assertIn("k.py:18:", done.stdout)
        # The same from elsewhere, for the file by its absolute path, and in every form.
        done = self.check(self.path / "k.py", "--baseline", self.path / "known.json", "--format", "json", code=1, cwd="/")
        self.assertEqual([each["range"]["start"]["line"] for each in json.loads(done.stdout)], [17])

    def test_lines_that_two_branches_add_can_both_be_kept(self):
        sides = []
        for name in ("a.py", "z.py", "zz.py"):
            self.write(name, MISSPELT)
            self.check(".", "--baseline", "known.json", "--update-baseline", code=0)
            sides.append((self.path / "known.json").read_text().splitlines())
            if name != "a.py":
                (self.path / name).unlink()
        self.write("z.py", MISSPELT)
        self.write("zz.py", MISSPELT)
        (head, *_, end), (_, *ours, _), (_, *theirs, _) = sides
        # The line that was the last one got a comma on both sides, so that it stands in both.
        self.assertEqual((len(ours), len(theirs)), (2, 2))
        self.write("known.json", "\n".join([head, *ours, *theirs, end]) + "\n")
        self.assertIn("3 findings are in the baseline", self.check(".", "--baseline", "known.json", code=0).stdout)
        self.write("a.py", MISSPELT + ANOTHER)  # which is not known, whatever was merged
        self.assertIn("3 findings are in the baseline", self.check(".", "--baseline", "known.json", code=1).stdout)

    def test_findings_that_are_gone_are_counted_and_removed(self):
        self.write("a/k.py", MISSPELT)
        self.write("b/k.py", MISSPELT)
        self.check(".", "--baseline", "known.json", "--update-baseline", code=0)
        self.write("a/k.py", CLEAN)
        self.assertIn("1 finding of the baseline is no longer there", self.check(".", "--baseline", "known.json", code=0).stdout)
        self.assertNotIn("no longer there", self.check("b", "--baseline", "known.json", code=0).stdout)  # of a file that was not checked
        # What is known of other files stays.
        self.check("a", "--baseline", "known.json", "--update-baseline", code=0)
        self.assertEqual([each["file"] for each in json.loads((self.path / "known.json").read_text())["findings"]], ["b/k.py"])
        self.check(".", "--baseline", "known.json", code=0)

    def test_a_renamed_file_keeps_its_findings(self):
        self.write("a/k.py", MISSPELT + ANOTHER)
        self.write("b/stays.py", MISSPELT)
        self.check(".", "--baseline", "known.json", "--update-baseline", code=0)
        (self.path / "a/k.py").rename(self.path / "renamed.py")
        self.assertIn("3 findings are in the baseline", self.check(".", "--baseline", "known.json", code=0).stdout)
        self.check("renamed.py", "--baseline", "known.json", code=0)
        # One more of the same kind is new, and so is a copy of a file that is still there.
        self.write("renamed.py", MISSPELT + ANOTHER + ANOTHER.replace("other", "third"))
        self.assertEqual(len(json.loads(self.check(".", "--baseline", "known.json", "--format", "json", code=1).stdout)), 1)
        self.write("renamed.py", MISSPELT + ANOTHER)
        self.write("b/copy.py", MISSPELT)
        self.check("b", "--baseline", "known.json", code=0)  # of the file that is no more
        self.check(".", "--baseline", "known.json", code=1)
        (self.path / "b/copy.py").unlink()
        # The next update forgets the old name, whatever was checked.
        self.check("renamed.py", "--baseline", "known.json", "--update-baseline", code=0)
        self.assertEqual([each["file"] for each in json.loads((self.path / "known.json").read_text())["findings"]], ["b/stays.py", "renamed.py"])

    def test_a_deleted_file_is_forgotten(self):
        self.write("a.py", MISSPELT)
        self.write("b.py", CLEAN)
        self.check(".", "--baseline", "known.json", "--update-baseline", code=0)
        (self.path / "a.py").unlink()
        self.assertIn("1 finding of the baseline is no longer there", self.check("b.py", "--baseline", "known.json", code=0).stdout)
        self.check("b.py", "--baseline", "known.json", "--update-baseline", code=0)
        self.assertEqual(json.loads((self.path / "known.json").read_text())["findings"], [])

    def test_files_that_are_named_and_excluded(self):
        """pre-commit names each file, whatever the project excludes."""
        for name in ("third_party/k.py", "gen_pb2.py", "k.py"):
            self.write(name, MISSPELT)
        self.write("pyproject.toml", '[tool.gluond]\nexclude = ["third_party"]\n')
        names = ("third_party/k.py", "gen_pb2.py", "k.py")
        found = lambda *more: sorted({os.path.relpath(self.path / each["file"], self.path) for each in self.findings(*more)})
        self.assertEqual(found(*names), sorted(names))
        self.assertEqual(found(*names, "--force-exclude"), ["gen_pb2.py", "k.py"])
        self.assertEqual(found(*names, "--force-exclude", "--exclude", "*_pb2.py"), ["k.py"])
        self.assertEqual(found(self.path / "third_party/k.py", "--force-exclude"), [])
        self.check("third_party/k.py", "--force-exclude", code=0)
        # A folder of which nothing is left is no mistake; an empty one is.
        self.assertIn("no *.py or *.ipynb in 'third_party' is left by --exclude", self.check("third_party", "--exclude", "k.py", code=0).stderr)
        self.check("third_party", code=0)
        (self.path / "empty").mkdir()
        self.assertIn("no *.py or *.ipynb in 'empty'", self.check("empty", code=2).stderr)
        self.assertIn("--force-exclude", (ROOT / ".pre-commit-hooks.yaml").read_text())

    def test_a_baseline_is_the_same_wherever_it_is_written_from(self):
        self.write("a/k.py", MISSPELT + ANOTHER)
        self.check(".", "--baseline", "known.json", "--update-baseline", code=0)
        first = (self.path / "known.json").read_text()
        self.assertEqual(json.loads(first)["findings"][0]["count"], 2)
        self.check("k.py", "--baseline", "../known.json", "--update-baseline", code=0, cwd=self.path / "a")
        self.assertEqual((self.path / "known.json").read_text(), first)

    def test_a_baseline_knows_lines_that_are_no_utf8(self):
        (self.path / "latin.py").write_bytes(b"# caf\xe9\nfrom triton.experimental import gluon\n")
        self.write("long.py", "from triton.experimental import gluon\nx = (  # " + "é" * 300 + "\n")
        self.check(".", code=1)
        self.check(".", "--baseline", "known.json", "--update-baseline", code=0)
        self.check(".", "--baseline", "known.json", code=0)

    def test_a_baseline_that_is_none(self):
        self.write("k.py", MISSPELT)
        done = self.check(".", "--baseline", "none.json", code=2)
        self.assertRegex(done.stderr, r"cannot read '.*none\.json': No such file or directory; --update-baseline writes it")
        for text in ("", "[]", "{}", '{"version": 2, "findings": []}', '{"version": 1}', '{"version": 1, "findings": [3]}',
                     '{"version": 1, "findings": [{"file": "k.py", "code": "x"}]}',
                     '{"version": 1, "findings": [{"file": "k.py", "code": "x", "line": "", "count": -1}]}', "[" * 100000):
            (self.path / "wrong.json").write_text(text)
            for more in ((), ("--update-baseline", )):
                done = self.check(".", "--baseline", "wrong.json", *more, code=2)
                self.assertIn("is not a baseline: ", done.stderr, text[:80])
            self.assertEqual((self.path / "wrong.json").read_text(), text)
            self.assertRegex(done.stderr, "--update-baseline writes one where there is no file")
        self.assertEqual(self.check(".", "--update-baseline").returncode, 2)

    def test_a_baseline_is_not_written_through_a_link(self):
        self.write("k.py", MISSPELT)
        (self.path / "link.json").symlink_to("elsewhere.json")
        done = self.check("k.py", "--baseline", "link.json", "--update-baseline", code=1)
        self.assertRegex(done.stderr, r"cannot write '.*link\.json': it is a link; name the file that it leads to")
        self.assertFalse((self.path / "elsewhere.json").exists())

    # ------------------------------------------------------------ exit codes

    def test_fail_on(self):
        self.write("k.py", SUSPICIOUS)
        order = ["error", "warning", "information", "hint"]
        worst = min((order.index(each["severity"]) for each in self.findings(".")), default=None)
        self.assertIsNotNone(worst, "the kernel has a finding")
        self.assertGreater(worst, 0, "which is no error")
        for i, least in enumerate(order):
            self.check(".", "--fail-on", least, code=1 if worst <= i else 0)
        self.check(".", "--fail-on", "hint", "--exit-zero", code=0)
        self.check(".", "--fail-on", "all", code=2)

    # ------------------------------------------------------------ what CI services are given

    def test_the_hook_and_the_templates_call_what_there_is(self):
        help_ = subprocess.run([GLUOND, "check", "--help"], capture_output=True, text=True, check=True).stdout
        texts = {name: (ROOT / name).read_text() for name in (".pre-commit-hooks.yaml", "action.yml", "scripts/ci/gluond.gitlab-ci.yml")}
        for name, text in texts.items():
            self.assertIn("gluond check", text, name)
            for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) - {"--quiet"}:
                if f"pip install {option}" not in text and option not in ("--upgrade", "--no-cache-dir"):
                    self.assertIn(option, help_, f"{option} in {name}")

    @unittest.skipUnless(shutil.which("bash"), "there is no bash")
    def test_the_action_checks(self):
        script = textwrap.dedent((ROOT / "action.yml").read_text().rpartition("run: |\n")[2])
        self.write("a/k.py", MISSPELT)
        self.write("b c/k.py", MISSPELT)  # not among the paths

        def act(**inputs):
            environment = {**os.environ, "PATH": os.path.dirname(GLUOND) + os.pathsep + os.environ["PATH"],
                           **{name: "" for name in ("BASELINE", "ARGUMENTS", "SARIF")}, "PATHS": "a", "FAIL_ON": "warning", **inputs}
            return subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=self.path, env=environment, capture_output=True, text=True, timeout=60)

        done = act(SARIF="out.sarif", ARGUMENTS="--target hip:gfx942 --select unknown-attribute")
        self.assertEqual((done.returncode, done.stdout.count("::error file=a/k.py,line=8")), (1, 1), done.stdout + done.stderr)
        self.assertEqual(len(json.loads((self.path / "out.sarif").read_text())["runs"][0]["results"]), 1)
        self.check("a", "--baseline", "known.json", "--update-baseline", code=0)
        done = act(BASELINE="known.json")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.write("d/k.py", MISSPELT)
        done = act(PATHS="a\nd\n", ARGUMENTS="--select\nunknown-attribute")
        self.assertEqual([f"file={folder}/k.py" in done.stdout for folder in ("a", "b c", "d")], [True, False, True], done.stdout + done.stderr)
        done = act(PATHS="a 'b c'", ARGUMENTS="--select 'unknown-attribute, not-an-integer'")
        self.assertEqual([f"file={folder}/k.py" in done.stdout for folder in ("a", "b c", "d")], [True, True, False], done.stdout + done.stderr)
        self.assertNotEqual(act(PATHS="a 'b").returncode, 0)  # a quote without its end
        self.assertEqual(act(PATHS="a $(touch made)").returncode, 2)  # words, no commands
        self.assertFalse((self.path / "made").exists())

    def test_the_gitlab_template_checks(self):
        text = (ROOT / "scripts/ci/gluond.gitlab-ci.yml").read_text()
        script = textwrap.dedent(text.partition("- |\n")[2].partition("  artifacts:")[0])
        self.write("a/k.py", MISSPELT)
        self.write("b c/k.py", MISSPELT)

        def act(paths, arguments=""):
            environment = {**os.environ, "PATH": os.path.dirname(GLUOND) + os.pathsep + os.environ["PATH"],
                           "GLUOND_PATHS": paths, "GLUOND_ARGUMENTS": arguments}
            return subprocess.run(["sh", "-e", "-c", script], cwd=self.path, env=environment, capture_output=True, text=True, timeout=60)

        def reported():
            return sorted({each["location"]["path"] for each in json.loads((self.path / "gl-code-quality-report.json").read_text())})

        for paths, files in (("a", ["a/k.py"]), ("'b c' a", ["a/k.py", "b c/k.py"]), ("b\\ c", ["b c/k.py"]), ("a\n\"b c\"\n", ["a/k.py", "b c/k.py"])):
            with self.subTest(paths):
                done = act(paths, "--select 'unknown-attribute, not-an-integer'")
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(reported(), files)
                self.assertIn("failure", (self.path / "gluond-junit.xml").read_text())
        self.check("a", "--baseline", "known findings.json", "--update-baseline", code=0)
        self.assertEqual(act("a", "--baseline 'known findings.json'").returncode, 0)
        self.assertEqual(act("a 'b").returncode, 2)  # a quote without its end
        self.assertEqual(act("a $(touch made)").returncode, 2)  # words, no commands
        self.assertFalse((self.path / "made").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
