"""scripts/check-rooms.py finds what it is there for, however an include is written."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check-rooms.py"


class CheckRooms(unittest.TestCase):
    def said(self, files, told=("compiler/text", "compiler/syntax"), rooms=("text", "syntax", "attic", "visualizer")):
        """What the check says of a project with these files."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "scripts").mkdir()
            shutil.copy(CHECK, root / "scripts")
            files = {"compiler/text/Text.h": "", "compiler/syntax/Tree.h": '#include "text/Text.h"\n', **files,
                     "docs/contributing/folders.md": "".join(f"| `{each}/` | files |\n" for each in told),
                     "docs/contributing/architecture.md": "".join(f"| `{each}/` | what it gives |\n" for each in rooms)}
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            done = subprocess.run([sys.executable, root / "scripts/check-rooms.py"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0 if "every include points left" in done.stdout else 1, done.stderr)
            return done.stdout

    def test_a_sound_project(self):
        self.assertIn("2 files, every include points left", self.said({}))

    def test_rooms(self):
        for include in ('#include "syntax/Tree.h"', "#include <syntax/Tree.h>", '#  include "syntax/Tree.h"'):
            self.assertIn("syntax/ is not to the left of text/", self.said({"compiler/text/Wrong.cpp": include + "\n"}))
        self.assertIn("no room", self.said({"compiler/attic/Old.cpp": ""}, ("compiler/text", "compiler/syntax", "compiler/attic")))
        self.assertIn("no room knows its tests", self.said({"compiler/text/Wrong.cpp": '#include "tests/support/Help.h"\n', "tests/support/Help.h": ""}))

    def test_hidden_includes(self):
        for include in ("#include WHERE", '#include "../syntax/Tree.h"', '#include "./Text.h"'):
            self.assertIn("an include names its file", self.said({"compiler/text/Wrong.cpp": include + "\n"}))
        self.assertIn("sources end in .cpp", self.said({"compiler/text/Wrong.hpp": ""}))

    def test_null_of_writable(self):
        for wrong in ("in.writable(f(a, g(b)))->x = 1;", "T* x = in.writable(a);\nx->y = 1;", "auto* x = writable(hostAs<T>(a, b));\nuse(*x);"):
            self.assertIn("writable() g", self.said({"compiler/text/Wrong.cpp": wrong + "\n"}), wrong)
        for right in ("if (T* x = in.writable(a)) x->y = 1;", "T* x = in.writable(a);\nif (!x) return;\nx->y = 1;", "T* x = in.writable(a);\nif (x && y) x->y = 1;", "T* x = in.writable(a);\nif (x) x->y = 1;"):
            self.assertIn("every include points left", self.said({"compiler/text/Right.cpp": right + "\n"}), right)

    def test_json_pointers(self):
        self.assertIn("a JSON pointer throws", self.said({"compiler/text/Wrong.cpp": 'json.value("/a"_json_pointer, 1);\n'}))

    def test_circles(self):
        told = ("compiler/text", "compiler/syntax", "compiler/syntax/a", "compiler/syntax/b", "compiler/syntax/c")
        for write in ('#include "{}"\n', "#include <{}>\n", 'include "{}"\n'):
            said = self.said({f"compiler/syntax/{a}/X.td": write.format(f"syntax/{b}/X.td") for a, b in ("ab", "bc", "ca")}, told)
            self.assertIn("circle: compiler/syntax/a, compiler/syntax/b, compiler/syntax/c", said)
        for write in ("import {{ x }} from '../{}/x.ts';\n", "export * from \"../{}/x.ts\";\n", "await import('../{}/x.ts');\n"):
            said = self.said({f"visualizer/src/{a}/x.ts": write.format(b) for a, b in ("ab", "ba")})
            self.assertIn("circle: visualizer/src/a, visualizer/src/b", said)

    def test_full_folders(self):
        for folder, suffix in (("compiler/text", "h"), ("visualizer/src/panels", "ts"), ("tests/cli", "py"), ("scripts", "sh")):
            self.assertIn(f"{folder}: 2", self.said({f"{folder}/F{i}.{suffix}": "" for i in range(26)}))

    def test_the_page_about_folders(self):
        self.assertIn("does not say what it holds", self.said({}, ("compiler/text",)))
        self.assertIn("names compiler/gone/, which holds no sources", self.said({}, ("compiler/text", "compiler/syntax", "compiler/gone")))

    def test_the_table_of_rooms(self):
        self.assertIn("syntax/: docs/contributing/architecture.md has no row for this room", self.said({}, rooms=("text",)))


if __name__ == "__main__":
    unittest.main()
