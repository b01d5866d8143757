// Launches and calls in other files: which files are looked at, what is found there, and that it
// follows edits.
#include "driver/launches/LaunchesElsewhere.h"

#include "diagnostics/Table.h"
#include "driver/analysis/Check.h"
#include "driver/launches/Kernels.h"
#include "driver/users/Importers.h"
#include "driver/users/NameScan.h"
#include "driver/workspace/ProjectFolder.h"
#include "support/Allowance.h"
#include "support/TempFolder.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <filesystem>
#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

const std::string kernelText = R"py(from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def copy(src, dst, BLOCK: gl.constexpr):
    at = gl.arange(0, BLOCK, layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(dst + at, gl.load(src + at))
)py";

std::string launchText(const std::string& import, const std::string& kernel, int block) {
  return "import torch\n" + import +
         "\nx = torch.empty(256, dtype=torch.float16, device=\"cuda\")\n" + kernel +
         "[(1,)](x, x, BLOCK=" + std::to_string(block) + ")\n";
}

std::string joined(const std::vector<llvm::StringRef>& names) {
  return llvm::join(names, " ");
}

class Elsewhere : public testing::Test {
protected:
  TempFolder folder;
  Workspace workspace{settings()};
  Worker worker;

  Settings settings() {
    Settings result;
    result.roots = {folder.path("")};
    return result;
  }
  std::shared_ptr<const File> file(const std::string& name) {
    return workspace.snapshot()->file(folder.path(name));
  }
  // "id label", one a line, of all kernels of a file.
  std::string variants(const std::string& name, Depth depth = Depth::Full) {
    auto list = kernelsOf(*workspace.snapshot(), file(name), {}, depth);
    std::string text;
    for (const Kernel& kernel : list->kernels)
      for (const Variant& variant : kernel.variants)
        text += variant.id + " " + variant.label + "\n";
    return text;
  }
  std::string users(const std::string& name) {
    auto found = importersOf(*workspace.snapshot(), file(name), {});
    std::vector<std::string> names;
    for (const auto& user : found->files)
      names.push_back(user.file->path().substr(folder.path("").size()));
    return llvm::join(names, " ");
  }
  // "line code (launched in)" of a file.
  std::string findings(const std::string& name) {
    auto result = driver::check(*workspace.snapshot(), file(name), worker, {});
    std::string text;
    for (const Finding& finding : result->findings) {
      const auto& at = finding.diagnostic.location;
      std::string path = workspace.snapshot()->path(at.file);
      auto in = workspace.snapshot()->found(path);
      text += path.substr(folder.path("").size()) + ":" +
              std::to_string(in->text().lineOf(at.range.begin) + 1) + " " +
              diagnostics::slug(finding.diagnostic.id).str();
      for (const auto& related : finding.diagnostic.related)
        if (related.message == "launched here")
          text += " <- " +
                  workspace.snapshot()->path(related.location.file).substr(folder.path("").size());
      text += "\n";
    }
    return text;
  }
};

TEST(NameScan, imports) {
  ScannedImports scanned = *scanImports(R"py("""Says import.
"""
import a, b.c as d
from .. import (one as two,  # a comment
                three)
def f():
    if True: from .pkg.kern import *
x = 1; import last
from .far \
    import away
importer = 1
text = "from not_this import either"
)py");
  std::vector<std::string> told;
  for (const ScannedImport& each : scanned.imports) {
    std::string text = std::to_string(each.level) + each.module + "/" + each.alias;
    for (const auto& [name, bound] : each.names)
      text += " " + name + "=" + bound;
    told.push_back(text + (each.isStar ? " *" : ""));
  }
  EXPECT_EQ(told, (std::vector<std::string>{"0a/", "0b.c/d", "2/ one=two three=three",
                                            "1pkg.kern/ *", "0last/", "1far/ away=away"}));
  EXPECT_FALSE(scanned.isDynamic);
  EXPECT_TRUE(
      scanImports("import importlib\nm = importlib.import_module('pkg.kern')\n")->isDynamic);
}

TEST(NameScan, statements) {
  const char* text = R"py(import torch
@gluon.jit
def kernel(x):
    """Not
at the margin: a string."""
    return x

class Op(Base):
    def __call__(self): kernel[(1,)](1)
KERNELS = {"a": kernel}
KERNELS["b"] = Op
a, b = (1,
2)
register(kernel)
if x:
    y = kernel
    if y <= z != 2: KERNELS["c"], Op.kept = kernel, f(a=1)
else:
    z = 1
if __name__ == "__main__":
    w = kernel
name: int = 3
)py";
  std::vector<std::string> told;
  auto scan = NameScan::of(text, nullptr);
  for (const auto& piece : scan->pieces()) {
    const ScannedStatement& each = piece->statement;
    told.push_back((each.isImport ? "import" : joined(each.binds)) +
                   (each.hasMention("kernel") ? " <- kernel" : ""));
  }
  EXPECT_EQ(told, (std::vector<std::string>{"import", "kernel", "Op <- kernel", "KERNELS <- kernel",
                                            "KERNELS", "a b", "register <- kernel",
                                            "y if y z KERNELS Op kept z <- kernel", " <- kernel",
                                            "name"}));
}

// Everything that a scan says.
std::string told(const NameScan& scan) {
  std::string text;
  for (const auto& piece : scan.pieces())
    text += "[" + piece->text + "] " + std::to_string(piece->statement.isImport) +
            joined(piece->statement.binds) + " <- " + joined(piece->statement.mentions) + "\n";
  for (const ScannedImport& import : scan.imports()->imports)
    text += import.module + std::to_string(import.names.size()) + " ";
  for (const std::string& word : scan.imports()->words)
    text += word + " ";
  return text + std::to_string(scan.imports()->isDynamic);
}

// Whatever is put in or taken out wherever, a scan from the one before is the one from nothing.
TEST(NameScan, ofAnEditedTextIsThatOfTheText) {
  const std::string text = "# First\nimport sys\nfrom a import (b,\n c)\n\n\n@gluon.jit\n# so\n"
                           "def kernel(x):\n    \"\"\"Doc\nx = 1\n\"\"\"\n    return [x,\n1]\n"
                           "if b:\n    y = 'kernel'\nelse:\n    y = sys.path\nz = kernel\n";
  auto before = NameScan::of(text, nullptr);
  for (llvm::StringRef put : {"", "(", ")", "\"\"\"", "'", "\n", "\\\n", "else:\n", "@a\n",
                              "x = 2\n", "import importlib\n", "#", " "})
    for (size_t at = 0; at <= text.size(); ++at)
      for (size_t taken : {size_t{0}, size_t{1}, size_t{5}, text.size() - at}) {
        std::string edited = text;
        edited.replace(at, taken, put.str());
        auto scan = NameScan::of(edited, before.get());
        ASSERT_EQ(told(*scan), told(*NameScan::of(edited, nullptr))) << edited;
        std::string whole;
        for (const auto& piece : scan->pieces())
          whole += piece->text;
        ASSERT_EQ(whole, edited);
        ASSERT_EQ(told(*NameScan::of(text, scan.get())), told(*before)) << edited;
        ASSERT_EQ(scanImports(edited)->imports.size(), scan->imports()->imports.size()) << edited;
      }
}

// No text breaks the scanner, and it sees the end of each.
TEST(NameScan, anyText) {
  for (const char* text : {"",
                           "\n",
                           "'",
                           "\"\"\"",
                           "(",
                           ")",
                           "@",
                           "from",
                           "import",
                           "from .",
                           "from . import (",
                           "import a.",
                           "import a as",
                           "\\",
                           "f'{x",
                           "a\\\n",
                           "x = '\\",
                           "@a\n",
                           "\xff\xfe",
                           "def",
                           "class\n@"})
    for (size_t length = 0; length <= llvm::StringRef(text).size(); ++length) {
      scanImports(llvm::StringRef(text).take_front(length));
      NameScan::of(llvm::StringRef(text).take_front(length), nullptr);
    }
}

// A project may be as large as its author likes: reading it has limits, and small files come first.
TEST_F(Elsewhere, ProjectsOfEndlessFilesAreReadInPart) {
  folder.write("k.py", kernelText);
  folder.write("zz_launch.py", launchText("from k import copy", "copy", 64));
  std::string imports = "import k\n";
  for (int i = 0; i < 20'000; ++i)
    imports += "import missing_" + std::to_string(i) + "\n";
  folder.write("large0.py", imports);
  for (int i = 1; i < 600; ++i)
    std::filesystem::create_hard_link(folder.path("large0.py"),
                                      folder.path("large" + std::to_string(i) + ".py"));
  auto found = importersOf(*workspace.snapshot(), file("k.py"), {});
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->isWhole);
  EXPECT_TRUE(llvm::any_of(found->files, [](const Importers::User& user) {
    return llvm::StringRef(user.file->path()).ends_with("zz_launch.py");
  }));
}

TEST_F(Elsewhere, usersAreSearchedForAsFarAsTheyMatter) {
  folder.write("kern.py", kernelText);
  folder.write("first.py", "from kern import copy\ndef run(x): copy[(1,)](x, x, BLOCK=32)\n");
  folder.write("second.py", "from first import run\ndef go(x): run(x)\ngo(1)\n");
  folder.write("third.py", "from second import go\ngo(2)\n");
  auto within = [&](unsigned farthest) {
    auto found =
        importersOf(*workspace.snapshot(), file("kern.py"), {}, Names::OfKernels, farthest);
    std::string text;
    for (const Importers::User& user : found->files)
      text += (text.empty() ? "" : " ") + std::filesystem::path(user.file->path()).stem().string() +
              std::to_string(user.distance);
    return text;
  };
  EXPECT_EQ(within(Importers::User::near), "first1 second2");
  EXPECT_EQ(within(farthestUser), "first1 second2 third3");
  EXPECT_EQ(within(Importers::User::near), "first1 second2");
}

TEST_F(Elsewhere, onlyFilesThatUseTheKernelAreLookedAt) {
  folder.write("pkg/__init__.py", "from .kern import copy\nfrom .other import number\n");
  folder.write("pkg/kern.py", kernelText);
  folder.write("pkg/other.py", "number = 3\n");
  folder.write("uses.py", launchText("from pkg import copy as c", "c", 64));
  folder.write("module.py", launchText("import pkg.kern as k", "k.copy", 64));
  folder.write("passes.py", "from pkg import number\nprint(number)\n");
  folder.write("imports.py", "import pkg.kern\n");
  folder.write("wraps.py", "from pkg.kern import copy\ndef run(x): copy[(1,)](x, x, BLOCK=32)\n"
                           "def sum(x): return x\n");
  folder.write("indirect.py", "import wraps, torch\nwraps.run(torch.empty(8))\n");
  folder.write("unrelated.py", "import wraps\nwraps.sum(8)\n");
  folder.write("elsewhere/kern.py", "x = 1\n");
  folder.write("elsewhere/host.py", "import kern\nkern.copy()\n"); // another kern
  EXPECT_EQ(users("pkg/kern.py"), "module.py uses.py wraps.py indirect.py");
}

// try: KERNELS["fast"] = kernel
// A fork of Triton: its programs have gluond's model of Triton, and its files have what they have.
TEST_F(Elsewhere, filesOfTritonHaveNoUsers) {
  const std::string gluonFolder = "python/triton/experimental/gluon/language/";
  folder.write("pyproject.toml", "");
  folder.write(gluonFolder + "_standard.py",
               "from triton.language.core import name_of_the_fork\n" + kernelText);
  folder.write("python/mine/triton/language/own.py",
               "from triton.language.core import name_of_the_fork\n" + kernelText);
  folder.write("use.py", launchText("from triton.experimental.gluon.language._standard import copy",
                                    "copy", 128));
  folder.write("own.py",
               launchText("from python.mine.triton.language.own import copy", "copy", 128));
  EXPECT_EQ(users(gluonFolder + "_standard.py"), "");
  EXPECT_EQ(findings(gluonFolder + "_standard.py"),
            gluonFolder + "_standard.py:7 typed-defaults\n");
  EXPECT_EQ(users("python/mine/triton/language/own.py"), "own.py");
  EXPECT_NE(findings("python/mine/triton/language/own.py").find("unknown-attribute"),
            std::string::npos);
}

TEST_F(Elsewhere, tablesThatBranchesFill) {
  folder.write("kern.py", kernelText);
  folder.write("launcher.py", "from kern import copy\ndef run(x): copy[(1,)](x, x, BLOCK=32)\n");
  folder.write("bench.py", "KERNELS = {}\ntry:\n    from launcher import run\n\n"
                           "    KERNELS['fast'] = run\nexcept ImportError:\n    pass\n\n\n"
                           "def main():\n    for each in KERNELS.values():\n        each(1)\n\n\n"
                           "if __name__ == '__main__':\n    main()\n");
  EXPECT_EQ(users("kern.py"), "launcher.py bench.py");
}

// A class of tests may have any name.
TEST_F(Elsewhere, testsOfClassesWithAnyName) {
  folder.write("kern.py", kernelText);
  folder.write("ops.py", "from kern import copy\ndef run(x): copy[(1,)](x, x, BLOCK=32)\n");
  folder.write("test_ops.py", "import unittest, ops\nclass OpsCase(unittest.TestCase):\n"
                              "    def test_it(self):\n        ops.run(1)\n");
  EXPECT_EQ(users("kern.py"), "ops.py test_ops.py");
}

// Who uses a table that a decorator or a call fills uses the kernels in it, but not who fills it,
// too, nor who uses other functions around it.
TEST_F(Elsewhere, tablesOfOtherFiles) {
  folder.write("table.py", "KERNELS = {}\nLIMIT = 3\ndef register(name):\n"
                           "    def put(kernel):\n        KERNELS[name] = kernel\n"
                           "        return kernel\n    return put\n"
                           "def kernel_of(name): return KERNELS[name]\n"
                           "def limit(): return LIMIT\n");
  folder.write("all.py", "from table import register, kernel_of, limit, KERNELS\n");
  folder.write(
      "kern.py",
      "from all import register\n" +
          std::string(kernelText).replace(kernelText.find("@gluon.jit"), 0, "@register('copy')\n"));
  folder.write("other.py",
               "from table import register\n" +
                   std::string(kernelText)
                       .replace(kernelText.find("@gluon.jit"), 0, "@register('other')\n"));
  folder.write("test_get.py", "import all\ndef test_it(): all.kernel_of('copy')[(1,)](1, 1, 32)\n");
  folder.write("test_limit.py", "import all\ndef test_it(): all.limit()\n");
  folder.write("test_put.py", "from table import KERNELS\nimport kern\n"
                              "def test_it(): KERNELS['copy'][(1,)](1, 1, 32)\n");
  EXPECT_EQ(users("kern.py"), "test_put.py test_get.py");
  folder.write("late.py", "from kern import copy\nimport table\ntable.KERNELS['late'] = copy\n");
  workspace.diskChanged();
  EXPECT_EQ(users("kern.py"), "test_put.py late.py test_get.py");
}

// What a decorator, or the function that registers a kernel, only reads keeps no kernel, and
// neither do the class of a table and what else is put into it: else every file that asks for the
// device would use the kernel.
TEST_F(Elsewhere, onlyWhatIsGivenAKernelIsATable) {
  folder.write("settings.py",
               "DEVICE = find_device()\nOPTIONS = dict(a=1)\nlogger = logging.getLogger('x')\n"
               "CACHE = {}\nNAMES = set()\n"
               "def tuned(configs, **options):\n    def wrap(kernel):\n"
               "        logger.info('%s on %s', kernel, DEVICE.type)\n"
               "        if CACHE.get(kernel) == DEVICE: NAMES.copy()\n"
               "        return kernel\n    return wrap\n"
               "class Registry:\n    def add(self, name, kernel): self.kernels[name] = kernel\n");
  folder.write("tables.py", "from settings import Registry\nfrom others import Other\n"
                            "OPS = Registry()\nOPS.add('other', Other())\n");
  folder.write("others.py", "class Other: pass\n");
  folder.write("kern.py", "from settings import tuned, OPTIONS\nfrom tables import OPS\n" +
                              std::string(kernelText)
                                  .replace(kernelText.find("@gluon.jit"), 0,
                                           "@tuned(configs=[OPTIONS], **OPTIONS)\n") +
                              "\nOPS.add('copy', copy)\n");
  for (const char* name : {"DEVICE", "OPTIONS", "logger", "CACHE", "NAMES", "Registry"})
    folder.write("test_" + std::string(name) + ".py",
                 "import settings\ndef test(): settings." + std::string(name) + "()\n");
  folder.write("test_other.py", "import others\ndef test(): others.Other()\n");
  folder.write("test_ops.py",
               "import kern, tables\ndef test(): tables.OPS.kernels['copy'][(1,)](1)\n");
  EXPECT_EQ(users("kern.py"), "tables.py test_ops.py");
}

// A program that does something comes before one that only defines functions, and files that define
// more and more are passed through.
TEST_F(Elsewhere, onlyProgramsThatDoSomethingAreFarAway) {
  folder.write("kern.py", kernelText);
  folder.write("launcher.py", "from kern import copy\ndef run(x): copy[(1,)](x, x, BLOCK=32)\n");
  folder.write("layer.py", "import launcher\nclass Layer:\n"
                           "    def forward(self, x): launcher.run(x)\n");
  folder.write("model.py", "from layer import Layer\nclass Model:\n    layer = Layer()\n");
  folder.write("names.py", "from model import Model\n");
  folder.write("serve.py", "from names import Model\ndef main(): Model()\n"
                           "if __name__ == '__main__':\n    main()\n");
  folder.write("test_layer.py", "from layer import Layer\ndef test_it(): Layer().forward(1)\n");
  EXPECT_EQ(users("kern.py"), "launcher.py test_layer.py");
}

TEST_F(Elsewhere, configurationsInJsonFilesAreRead) {
  folder.write("kern.py", kernelText);
  folder.write(
      "configs/tiles.json",
      R"({"sm90": {"BLOCK": 64, "num_warps": 8, "scale": -1.5, "note": null}, "used": [true]})");
  folder.write("host.py", R"(import json, os, torch
from pathlib import Path
from kern import copy
HERE = Path(__file__).resolve().parent
def load(name):
    path = f"{os.path.dirname(os.path.abspath(__file__))}/other/../configs/{name}.json"
    if not os.path.exists(path):
        return None
    with open(path, "r", encoding="utf-8") as file:
        return json.load(file)
x = torch.empty(8)
table = load("tiles")
if table["used"][0] and table["sm90"]["note"] is None and table["sm90"]["scale"] < 0:
    copy[(1,)](x, x, BLOCK=table["sm90"]["BLOCK"], num_warps=table["sm90"]["num_warps"])
table["sm90"]["BLOCK"] = 16
again = json.loads((HERE / "configs" / "tiles.json").read_text())
copy[(1,)](x, x, BLOCK=again["sm90"]["BLOCK"] * 2)
)");
  EXPECT_EQ(variants("kern.py"), "copy.cuda90.0@host BLOCK=64 num_warps=8 (cuda:90)\n"
                                 "copy.cuda90.1@host BLOCK=128 num_warps=4 (cuda:90)\n");
  // What is no JSON for Python, or read otherwise than Python's literals, is unknown.
  for (const char* text :
       {"{'a': 1}", R"({"sm90": "\/"})", R"({"a": (1, 2)})", "{} {}", "{1: 2}", "{"}) {
    folder.write("configs/tiles.json", text);
    workspace.diskChanged();
    EXPECT_EQ(variants("kern.py").find("BLOCK=64"), std::string::npos) << text;
  }
  folder.write(
      "configs/tiles.json",
      R"({"sm90": {"BLOCK": 32, "num_warps": 2, "scale": -1, "note": null}, "used": [true]})");
  workspace.diskChanged();
  EXPECT_EQ(variants("kern.py"), "copy.cuda90.0@host BLOCK=32 num_warps=2 (cuda:90)\n"
                                 "copy.cuda90.1@host BLOCK=64 num_warps=4 (cuda:90)\n");
}

TEST_F(Elsewhere, launchesAreVariants) {
  folder.write("kern.py", kernelText);
  EXPECT_EQ(variants("kern.py"), " num_warps=4 (cuda:90)\n");
  folder.write("b.py", launchText("from kern import copy", "copy", 64));
  folder.write("a.py", launchText("import kern", "kern.copy", 128));
  folder.write("c.py", launchText("import kern", "kern.copy", 64)); // the same as b's
  workspace.diskChanged();
  EXPECT_EQ(variants("kern.py"), "copy.cuda90.0@a BLOCK=128 num_warps=4 (cuda:90)\n"
                                 "copy.cuda90.0@b BLOCK=64 num_warps=4 (cuda:90)\n");
  // One is enough to know the selected variant.
  auto quick = kernelsOf(*workspace.snapshot(), file("kern.py"), {});
  workspace.diskChanged();
  EXPECT_EQ(variants("kern.py", Depth::Quick), "copy.cuda90.0@a BLOCK=128 num_warps=4 (cuda:90)\n");
  workspace.select(folder.path("kern.py"), "copy", "copy.cuda90.0@b");
  auto list = kernelsOf(*workspace.snapshot(), file("kern.py"), {}, Depth::Quick);
  ASSERT_EQ(list->kernels.size(), 1u);
  EXPECT_EQ(list->kernels[0].variants[list->kernels[0].selected].id, "copy.cuda90.0@b");
}

// Open documents count, files come and go.
TEST_F(Elsewhere, followsEdits) {
  folder.write("kern.py", kernelText);
  std::string host = folder.write("host.py", launchText("import kern", "kern.copy", 64));
  EXPECT_EQ(findings("kern.py"), "");
  workspace.open(host, 1, launchText("import kern", "kern.copy", 48));
  EXPECT_EQ(findings("kern.py"), "kern.py:7 not-power-of-two <- host.py\n");
  // In the launching file, too, the error is told, where it is.
  EXPECT_EQ(findings("host.py"), "kern.py:7 not-power-of-two <- host.py\n");
  workspace.open(folder.path("kern.py"), 1, "\n\n" + kernelText);
  EXPECT_EQ(findings("kern.py"), "kern.py:9 not-power-of-two <- host.py\n");
  workspace.change(host, 2, text::SourceText(launchText("import kern", "kern.copy", 64)));
  EXPECT_EQ(findings("kern.py"), "");
  workspace.change(host, 3, text::SourceText("x = 1\n"));
  EXPECT_EQ(findings("kern.py"), "kern.py:8 typed-defaults\n");
  workspace.close(host);
  EXPECT_EQ(findings("kern.py"), "");
  std::filesystem::remove(host);
  workspace.diskChanged();
  EXPECT_EQ(findings("kern.py"), "kern.py:8 typed-defaults\n");
  workspace.open(folder.path("new.py"), 1, launchText("import kern", "kern.copy", 48));
  EXPECT_EQ(findings("kern.py"), "kern.py:9 not-power-of-two <- new.py\n");
}

TEST_F(Elsewhere, helpersAreSeenThroughCallers) {
  folder.write("helpers.py", R"py(from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def both(a, b):
    return a + b
)py");
  std::string caller = R"py(from triton.experimental import gluon
from triton.experimental.gluon import language as gl
import helpers


@gluon.jit
def kernel(p):
    one: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    two: gl.constexpr = gl.BlockedLayout([SIZE], [32], [4], [0])
    gl.store(p, gl.max(helpers.both(gl.arange(0, 256, layout=one), gl.arange(0, 256, layout=two)), 0))
)py";
  auto with = [&](const char* size) {
    std::string text = caller;
    return text.replace(text.find("SIZE"), 4, size);
  };
  folder.write("kernels.py", with("2"));
  EXPECT_EQ(findings("helpers.py"), "helpers.py:7 layout-mismatch\n");
  auto list = kernelsOf(*workspace.snapshot(), file("helpers.py"), {});
  EXPECT_TRUE(list->kernels.empty()); // it is called: there are no typed defaults
  ASSERT_EQ(list->callers.size(), 1u);
  folder.write("kernels.py", with("1"));
  workspace.diskChanged();
  EXPECT_EQ(findings("helpers.py"), "");
}

// A launch with arguments that are not known gives way to one that is.
TEST_F(Elsewhere, blindLaunchesComeLast) {
  folder.write("kern.py", kernelText + "\n\ndef run(x, block=32):\n"
                                       "    copy[(1,)](x, x, BLOCK=block)\n");
  EXPECT_NE(variants("kern.py").find("BLOCK=32"), std::string::npos);
  folder.write("test_kern.py", "import torch\nfrom kern import run\n\n\ndef test_run():\n"
                               "    run(torch.empty(8), 16)\n");
  workspace.diskChanged();
  EXPECT_EQ(variants("kern.py"), "copy.cuda90.0@test_kern BLOCK=16 num_warps=4 (cuda:90)\n");
}

TEST_F(Elsewhere, whatIsLeftOutIsSaid) {
  folder.write("kern.py", kernelText);
  for (int i = 0; i < 70; ++i)
    folder.write("host" + std::to_string(i) + ".py",
                 launchText("import kern", "kern.copy", 1 << (i % 8)));
  auto list = kernelsOf(*workspace.snapshot(), file("kern.py"), {});
  ASSERT_EQ(list->problems.size(), 1u);
  EXPECT_EQ(list->problems[0].id, diagnostics::Id::BudgetExhausted);
  EXPECT_NE(list->problems[0].message.find("6 of the 70 files"), std::string::npos)
      << list->problems[0].message;
}

// However many others there are, and whatever they do, the file itself is analysed, and theirs is
// what it always was.
TEST_F(Elsewhere, filesThatUseAFileTakeHalfOfItsTimeTogether) {
  folder.write("kern.py", kernelText + "\n\n@gluon.jit\ndef wrong(x):\n    gl.store(x, nothing)\n");
  std::string slow;
  for (int i = 0; i < 20'000; ++i)
    slow += "x" + std::to_string(i) + " = unknown + missing\n";
  for (int i = 0; i < 12; ++i)
    folder.write("u" + std::to_string(i) + ".py",
                 launchText("from kern import copy", "copy", 64) + slow);
  std::string alone;
  {
    Workspace other(settings());
    Worker itsWorker;
    auto result = driver::check(*other.snapshot(), other.snapshot()->file(folder.path("u0.py")),
                                itsWorker, {});
    alone = std::to_string(result->findings.size());
  }
  Allowance allowance({std::chrono::milliseconds(600), size_t{1} << 30});
  {
    Spending spending(&allowance);
    std::string told = findings("kern.py");
    EXPECT_FALSE(allowance.isSpent()) << allowance.cpu().count();
    EXPECT_TRUE(llvm::StringRef(told).contains("undefined-name")) << told;
    EXPECT_TRUE(llvm::StringRef(told).contains("budget-exhausted")) << told;
  }
  auto result = driver::check(*workspace.snapshot(), file("u0.py"), worker, {});
  EXPECT_EQ(std::to_string(result->findings.size()), alone);
}

TEST_F(Elsewhere, theProjectIsSearched) {
  std::string kern = folder.write("repo/pkg/kern.py", kernelText);
  std::vector<std::string> roots = {folder.path("")}, folders = roots;
  EXPECT_EQ(searchedFolderOf(kern, roots, folders).path, folder.path(""));
  folder.write("repo/pyproject.toml", "");
  EXPECT_EQ(searchedFolderOf(kern, roots, folders).path, folder.path("repo"));
  folder.write("repo/.git/HEAD", "");
  EXPECT_EQ(searchedFolderOf(kern, {folder.path("repo/pkg")}, folders).path, folder.path("repo"));
  // Outside of what may be read.
  EXPECT_EQ(searchedFolderOf(kern, {folder.path("repo/pkg")}, {folder.path("repo/pkg")}).path,
            folder.path("repo/pkg"));
}

TEST_F(Elsewhere, aFolderOfWhateverThereIsIsNotSearchedBelow) {
  EXPECT_TRUE(searchedFolderOf(folder.path("repo/kern.py"), {}, {folder.path("repo")}).isDeep);
  for (std::string place : {"/", "/tmp"}) {
    std::string file = (llvm::StringRef(place).rtrim('/') + "/kern.py").str();
    for (const std::vector<std::string>& roots : {std::vector<std::string>{}, {place}}) {
      SearchedFolder searched = searchedFolderOf(file, roots, {place});
      EXPECT_EQ(searched.path, place);
      EXPECT_FALSE(searched.isDeep) << place;
    }
  }
}

} // namespace
} // namespace gluond::driver
