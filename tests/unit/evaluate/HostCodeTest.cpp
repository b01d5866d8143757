// What is said of host code: nothing of programs that run in CPython (tests/data/evaluate/host,
// where torch and Triton are installed), and the exception of those that raise one there
// (raising.txt, each line a class, a tab and a program).
#include "Session.h"
#include "evaluate/ModuleEvaluation.h"

#include <llvm/ADT/StringExtras.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace gluond::evaluate {
namespace {

const std::string data = GLUOND_SOURCE_DIR "/tests/data/evaluate/";

std::vector<std::string> errorsOf(const std::string& source) {
  Interner names;
  auto tree = syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(source), {}, names);
  EvaluationRequest request;
  request.source = {tree->body(), "/programs/program.py", "program", tree};
  auto evaluation = ModuleEvaluation::evaluate(names, std::move(request));
  std::vector<std::string> said;
  for (const PythonError& error : evaluation->errors()) {
    const Place* place = error.place();
    unsigned line = place ? tree->source().lineOf(place->range.begin) + 1 : 0;
    said.push_back((error.exhausted ? "exhausted" : error.exceptionClass) + ": " + error.message +
                   " at line " + std::to_string(line));
  }
  return said;
}

TEST(HostCodeTest, ValidProgramsRaiseNothing) {
  unsigned programs = 0;
  for (auto& entry : std::filesystem::directory_iterator(data + "host")) {
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    ++programs;
    for (const std::string& said : errorsOf(text.str()))
      ADD_FAILURE() << entry.path().filename().string() << ": " << said;
  }
  EXPECT_GE(programs, 40u);
}

TEST(HostCodeTest, WhatCertainlyRaisesIsTold) {
  std::ifstream in(data + "raising.txt");
  unsigned programs = 0;
  for (std::string line; std::getline(in, line); ++programs) {
    auto [cls, program] = llvm::StringRef(line).split('\t');
    std::string source = program.str() + "\n";
    for (size_t at; (at = source.find("\\n")) != std::string::npos;)
      source.replace(at, 2, "\n");
    auto said = errorsOf(source);
    bool isTold = llvm::any_of(said, [&](const std::string& each) {
      return llvm::StringRef(each).starts_with(cls.str() + ": ");
    });
    EXPECT_TRUE(isTold) << source << "said: " << llvm::join(said, "; ");
  }
  EXPECT_GE(programs, 93u);
}

// What is not known is nobody's mistake.
TEST(HostCodeTest, UnknownImportsDecoratorsAndBasesAreSilent) {
  for (const char* source : {
           "from nowhere import thing\nx = thing.a.b(1)[2] + 3\nfor y in thing: y()\n",
           "import nowhere as n\n@n.deco(1)\ndef f(a): return a.b\nf()\nf.more\nf + 1\n",
           "from nowhere import Base\nclass A(Base): pass\na = A(1, 2)\na.x\na + "
           "1\na[0]\nlen(a)\nA.y\nA[3]\nfor x in a: pass\n",
           "from nowhere import deco\n@deco\nclass A: pass\nA(1).x\nA.y\n",
           "from nowhere import *\nx = anything + 1\n",
           "from nowhere import expecting\nwith expecting():\n    x = 1 // 0\n",
           "import sys\nif len(sys.argv) < 2: raise ValueError('usage')\n",
           "import argparse\np = argparse.ArgumentParser()\np.add_argument('--n', type=int)\na = "
           "p.parse_args()\nb = a.n + 1\n",
           "import argparse\np = argparse.ArgumentParser()\np.add_argument('--n', type=int, "
           "default=3)\nif p.parse_args().n % 2: raise ValueError('odd')\n",
           "import argparse\np = argparse.ArgumentParser()\np.add_argument('file')\n"
           "p.add_argument('--n', default=3)\nf = p.parse_args().n\nf.name\n",
           "import os\nif os.environ.get('HOME') is None: raise RuntimeError\nn = "
           "int(os.environ['N'])\n",
       })
    EXPECT_TRUE(errorsOf(source).empty()) << source << errorsOf(source).front();
}

// import statements that Python would refuse.
TEST(HostCodeTest, MissingImports) {
  auto missing = [](const std::string& source) {
    Interner names;
    auto tree = syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(source), {}, names);
    EvaluationRequest request;
    request.source = {tree->body(), "/programs/program.py", "program", tree};
    auto evaluation = ModuleEvaluation::evaluate(names, std::move(request));
    std::string said;
    for (auto& each : evaluation->missingImports()) {
      using Kind = MissingImport::Kind;
      said += each.kind == Kind::Name ? "name " : each.kind == Kind::Module ? "module " : "found ";
      said += each.module.str() + (each.name ? " " + names.text(each.name).str() : "") +
              (each.isCertain ? "!" : "") + ";";
    }
    return said;
  };
  EXPECT_EQ(missing("import triton.experimental.gluonn\n"), "module triton.experimental.gluonn!;");
  EXPECT_EQ(missing("from triton.experimental.gluon.language.nvidia.hoper import tma\n"),
            "module triton.experimental.gluon.language.nvidia.hoper!;");
  EXPECT_EQ(missing("from triton.experimental import gluonn\n"),
            "name triton.experimental gluonn!;");
  EXPECT_EQ(missing("from triton.experimental.gluon.language import loadd\n"),
            "name triton.experimental.gluon.language loadd!;");
  EXPECT_EQ(missing("from nowhere import x\n"), "found nowhere!;");
  EXPECT_EQ(missing("try:\n  from triton.experimental import gluonn\nexcept ImportError: pass\n"),
            "")
      << "it raises, and is caught";
  EXPECT_EQ(missing("try:\n  from triton.experimental import gluonn\nexcept KeyError: pass\n"),
            "name triton.experimental gluonn;");
  EXPECT_EQ(
      missing(
          "import triton.language as tl, triton.testing, triton.runtime.jit, triton._C.libtriton\n"
          "from triton.experimental import gluon\n"
          "from triton.experimental.gluon.amd.cdna5 import dataclass\n"
          "from triton.runtime.autotuner import Autotuner\n"),
      "");
}

// A folder without an __init__.py is a package, too.
TEST(HostCodeTest, ImportsFromFolders) {
  auto valueOf = [](const std::string& source) {
    Interner names;
    auto parse = [&](const std::string& text) {
      return syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(text), {}, names);
    };
    auto tree = parse(source), inner = parse("x = 64\n");
    EvaluationRequest request;
    request.source = {tree->body(), "/programs/program.py", "program", tree};
    request.importer = [&](llvm::StringRef, llvm::StringRef name,
                           unsigned level) -> std::optional<ModuleSource> {
      if (name != (level ? "folder.tiles" : "pack.folder.tiles")) return std::nullopt;
      return ModuleSource{inner->body(), "/programs/pack/folder/tiles.py", "tiles", inner};
    };
    auto evaluation = ModuleEvaluation::evaluate(names, std::move(request));
    std::string said;
    for (auto& each : evaluation->missingImports())
      said += " " + each.module.str();
    language::Value value = evaluation->module()->globals->get(names.intern("value"));
    return (value.is(language::ValueKind::Int) ? std::to_string(value.asInt()) : "unknown") + said;
  };
  EXPECT_EQ(valueOf("from pack.folder import tiles\nvalue = tiles.x\n"), "64");
  EXPECT_EQ(valueOf("from .folder import tiles as t\nvalue = t.x\n"), "64");
  EXPECT_EQ(valueOf("from pack.folder import tiles, gone\nvalue = tiles.x\n"),
            "64 pack.folder.gone");
  EXPECT_EQ(valueOf("from pack.other import tiles\nvalue = tiles.x\n"), "unknown pack.other");
  EXPECT_EQ(valueOf("try:\n  from pack.folder import tiles\nexcept ImportError:\n  tiles = None\n"
                    "value = tiles.x\n"),
            "64");
}

// Importing a module binds it in its package, and so for the code of the package's file. What every
// module has is not made by its __getattr__.
TEST(HostCodeTest, PackagesHaveTheModulesThatWereImported) {
  auto valueOf = [](const std::string& source) {
    Interner names;
    auto parse = [&](const std::string& text) {
      return syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(text), {}, names);
    };
    auto tree = parse(source), ops = parse("x = 64\n"), user = parse("from .ops import x\n");
    EvaluationRequest request;
    request.source = {tree->body(), "/programs/pack/__init__.py", "pack", tree};
    request.importer = [&](llvm::StringRef, llvm::StringRef name,
                           unsigned) -> std::optional<ModuleSource> {
      if (name == "ops") return ModuleSource{ops->body(), "/programs/pack/ops.py", "ops", ops};
      if (name == "user") return ModuleSource{user->body(), "/programs/pack/user.py", "user", user};
      return std::nullopt;
    };
    auto evaluation = ModuleEvaluation::evaluate(names, std::move(request));
    if (!evaluation->errors().empty()) return evaluation->errors()[0].message;
    language::Value value = evaluation->module()->globals->get(names.intern("value"));
    return value.is(language::ValueKind::Int) ? std::to_string(value.asInt()) : "unknown";
  };
  EXPECT_EQ(valueOf("from .ops import *\nvalue = ops.x\n"), "64");
  EXPECT_EQ(valueOf("from . import ops as _ops\nvalue = ops.x\n"), "64");
  EXPECT_EQ(valueOf("from .user import x as y\nvalue = ops.x + user.x - y\n"), "64");
  EXPECT_EQ(valueOf("from .ops import x as ops\nvalue = ops\n"), "64");
  EXPECT_EQ(valueOf("value = ops.x\nfrom .ops import *\n"), "name 'ops' is not defined");
  EXPECT_EQ(valueOf("import sys\ndef __getattr__(name): raise AttributeError(name)\n"
                    "sys.modules[__name__].__class__\nvalue = 1\n"),
            "1");
}

} // namespace
} // namespace gluond::evaluate
