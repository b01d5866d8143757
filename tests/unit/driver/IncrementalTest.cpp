// After any edits a workspace says what a new one would say of the same text: diagnostics, kernels
// with their launches, what evaluation knows of the module. (Most edits are made of what was there
// before: trees, evaluations, results of kernels.)
//
//   GLUOND_EDITS=5000 build/bin/driver_test --gtest_filter='Incremental.*'
//
// makes more edits than the suite does; GLUOND_EDIT_SEED=N begins elsewhere.
#include "diagnostics/Table.h"
#include "driver/analysis/Analysis.h"
#include "driver/analysis/Check.h"
#include "driver/launches/Kernels.h"
#include "driver/launches/RecordWriter.h"
#include "language/types/Text.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <gtest/gtest.h>
#include <random>

namespace gluond::driver {
namespace {

unsigned fromEnvironment(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  unsigned value = otherwise;
  return text && llvm::StringRef(text).getAsInteger(10, value) ? otherwise : value;
}

// Kernels and host code of every kind that an evaluation may keep something of.
const std::string helperText = R"py(
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

REGISTRY = []
BY_NAME = {}


def register(function):
    REGISTRY.append(function)
    BY_NAME[function.__name__] = function
    return function


@gluon.jit
def twice(x):
    y = x + x
    return y


@gluon.constexpr_function
def half(n):
    m = n // 2
    return m


class Tile:
    def __init__(self, size):
        self.size = size

    def shape(self):
        scaled = self.size * 2
        return [scaled]
)py";

const std::string programText = R"py(
import enum
import functools
from collections import namedtuple
from dataclasses import dataclass

import pytest
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

import helper
from helper import Tile, half, register, twice

WIDTH: gl.constexpr = 4


class Mode(enum.Enum):
    COPY = 0
    SCALE = 1


@dataclass
class Options:
    block: int = 128
    warps: int = 4

    def grid(self, n):
        blocks = triton.cdiv(n, self.block)
        return (blocks,)


Pair = namedtuple("Pair", ["first", "second"])


@gluon.aggregate
class Config:
    layout: gl.constexpr
    block: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, block):
        size = half(block)
        self.block = gl.constexpr(block)
        self.layout = gl.constexpr(gl.BlockedLayout([size // 64], [32], [4], [0]))

    @gluon.jit
    def offsets(self):
        first = gl.arange(0, self.block, layout=self.layout)
        return first


@gluon.jit
def load(ptr, config, offsets):
    """What a kernel reads."""
    value = gl.load(ptr + offsets)
    return twice(value)


@register
@gluon.jit
def copy(src, dst, n, BLOCK: gl.constexpr):
    config = Config(BLOCK)
    offsets = config.offsets()
    value = load(src, config, offsets)
    gl.store(dst + offsets, value, mask=offsets < n)


@gluon.jit
def scale(src, dst, factor, BLOCK: gl.constexpr, OP: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    offsets = gl.arange(0, BLOCK, layout=layout)
    value = gl.load(src + offsets) * factor
    if OP is not None:
        value = OP(value)
    gl.store(dst + offsets, value)


@triton.autotune(configs=[triton.Config({"BLOCK": b}, num_warps=4) for b in (128, 256)], key=["n"])
@gluon.jit
def tuned(dst, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([WIDTH], [32], [4], [0])
    offsets = gl.arange(0, BLOCK, layout=layout)
    gl.store(dst + offsets, offsets, mask=offsets < n)


@gluon.jit
def lonely(p):
    gl.store(p, 1)


def body_of(kernel):
    plain = kernel.fn
    return plain


@gluon.jit
def plainly(x):
    return 3


COUNT = body_of(plainly)(1) + 1
TEXT = scale.__doc__ or load.__doc__
PARTIAL = functools.partial(Options, warps=8)
BOUND = Options(block=64).grid
PAIR = Pair(copy, scale)
NESTED = {"kernels": [copy, (scale, {"deep": lonely})], Mode.COPY: Config}
squares = [i * i for i in range(COUNT)]


@functools.lru_cache
def blocks(kind):
    return {Mode.COPY: 128, Mode.SCALE: 256}[kind]


def run(kernel, n):
    options = PARTIAL(block=blocks(Mode.COPY))
    x = torch.empty(n, device="cuda")
    y = torch.empty_like(x)
    kernel[options.grid(n)](x, y, n, options.block, num_warps=options.warps)


@pytest.mark.parametrize("n", [1000, 1024])
@pytest.mark.parametrize("op", [None, twice])
def test_all(n, op):
    @gluon.jit
    def inner(dst, BLOCK: gl.constexpr):
        layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
        offsets = gl.arange(0, BLOCK, layout=layout)
        gl.store(dst + offsets, 1.0)

    run(PAIR.first, n)
    x = torch.empty(Tile(n).shape()[0], device="cuda")
    scale[(1,)](x, x, 2.0, 128, op)
    tuned[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, n)
    inner[(1,)](x, 64 * COUNT)
    for registered in helper.REGISTRY:
        run(registered, 77)


if __name__ == "__main__":
    run(helper.BY_NAME["copy"], 4096)
    undefined_name
)py";

class Writer {
public:
  explicit Writer(const Snapshot& snapshot) : snapshot_(snapshot), out_(text_) {}
  std::string take() { return std::move(text_); }

  void findings(const CheckResult& result) {
    for (const Finding& finding : result.findings) {
      const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
      out_ << diagnostics::slug(diagnostic.id) << ' ' << static_cast<int>(diagnostic.severity)
           << ' ' << finding.kernel << ' ' << finding.launch << ' ';
      place(diagnostic.location);
      out_ << diagnostic.message << '\n';
      for (const auto& related : diagnostic.related) {
        out_ << "  " << related.message << ' ';
        place(related.location);
        out_ << '\n';
      }
      for (const auto& fix : diagnostic.fixes) {
        out_ << "  fix " << fix.title.text;
        for (const text::Edit& edit : fix.edits) {
          out_ << ' ';
          range(edit.range);
          out_ << '"' << edit.text << '"';
        }
        out_ << '\n';
      }
    }
  }

  void kernels(const KernelList& list) {
    for (const Kernel& kernel : list.kernels) {
      out_ << kernel.qualname << ' ';
      range(kernel.name);
      out_ << " selected " << kernel.selected << '\n';
      for (const Variant& variant : kernel.variants) {
        out_ << "  " << variant.id << ' ' << originName(variant.origin) << ' ' << variant.label
             << ' ';
        if (variant.source) place(*variant.source);
        out_ << '\n' << recordOf(variant, "a.py", snapshot_.names()).dump() << '\n';
      }
    }
    for (const auto& program : list.programs)
      evaluation(*program);
  }

private:
  void range(text::Range range) { out_ << range.begin << '-' << range.end << ' '; }
  void place(const diagnostics::Location& location) {
    out_ << snapshot_.path(location.file) << ':';
    range(location.range);
  }
  void place(const evaluate::Place& place) {
    out_ << (place.module ? place.module->path : "") << ':' << place.function << ':';
    range(place.range);
  }

  void evaluation(const EvaluatedFile& program) {
    const evaluate::ModuleEvaluation& evaluation = program.evaluation();
    seen_.clear();
    module(*evaluation.module());
    if (evaluation.mainModule()) module(*evaluation.mainModule());
    for (auto functions : {evaluation.functions(), evaluation.mainFunctions()})
      for (const language::FunctionObject* each : functions)
        function(*each);
    for (auto launches : {evaluation.launches(), evaluation.defaultLaunches()})
      for (const evaluate::Launch& launch : launches) {
        out_ << launch.id << ' ' << launch.kernel->qualname << ' ';
        range(launch.kernel->def->range);
        for (const evaluate::Place& each : launch.places)
          place(each);
        out_ << '\n';
      }
    for (const evaluate::PythonError& error : evaluation.errors()) {
      out_ << error.exceptionClass << error.message;
      for (const evaluate::Place& each : error.frames)
        place(each);
    }
  }
  void module(const language::ModuleObject& module) {
    if (!seen_.insert(&module).second || !module.globals) return;
    out_ << "module " << module.name << ' ' << module.path << '\n';
    for (auto [name, value] : *module.globals) {
      out_ << "  " << snapshot_.names().text(name) << " = ";
      this->value(value);
      out_ << '\n';
    }
  }
  void function(const language::FunctionObject& function) {
    out_ << "function " << function.qualname << ' ' << static_cast<int>(function.function) << ' ';
    if (function.def) range(function.def->range), range(function.def->header);
    if (function.lambda) range(function.lambda->range);
    for (language::Value value : function.defaults)
      this->value(value);
    out_ << '\n';
  }
  void value(language::Value value, unsigned depth = 0) {
    using namespace language;
    if (depth > 6) return;
    auto all = [&](Items values) {
      out_ << '[';
      for (Value each : values)
        this->value(each, depth + 1), out_ << ", ";
      out_ << ']';
    };
    if (auto* each = value.as<FunctionObject>()) return function(*each);
    if (auto* each = value.as<BoundMethodObject>())
      return all(Values({each->self, each->function}));
    if (auto* each = value.as<TupleObject>()) return all(each->items);
    if (auto* each = value.as<ListObject>()) return all(each->items);
    if (auto* each = value.as<DictObject>()) {
      for (auto [key, item] : each->items)
        all(Values({key, item}));
      return;
    }
    if (auto* each = value.as<InstanceObject>()) {
      out_ << "instance of " << each->cls->qualname;
      for (auto [name, attribute] : *each->attributes)
        this->value(attribute, depth + 1);
      return;
    }
    if (auto* each = value.as<ClassObject>()) {
      out_ << "class " << each->qualname << ' ';
      if (each->def) range(each->def->range);
      if (each->members && seen_.insert(each).second)
        for (auto [name, member] : *each->members)
          this->value(member, depth + 1);
      return;
    }
    if (auto* each = value.as<ModuleObject>()) return module(*each);
    if (value.is(ValueKind::Host)) {
      out_ << "host";
      return;
    }
    out_ << repr(value, snapshot_.names());
  }

  const Snapshot& snapshot_;
  std::string text_;
  llvm::raw_string_ostream out_;
  llvm::SmallPtrSet<const void*, 32> seen_;
};

// All that a workspace says of the file.
std::string said(const Workspace& workspace, const std::string& path, Worker& worker,
                 bool* isRebound = nullptr) {
  auto snapshot = workspace.snapshot();
  auto file = snapshot->file(path);
  auto result = check(*snapshot, file, worker, {});
  auto kernels = kernelsOf(*snapshot, file, {});
  if (!result || !kernels) return "cancelled";
  if (isRebound) *isRebound = kernels->programs.front()->evaluated() != kernels->programs.front();
  Writer writer(*snapshot);
  writer.findings(*result);
  writer.kernels(*kernels);
  return writer.take();
}

struct Texts {
  std::string program, helper;
};
constexpr const char* programPath = "/w/program.py";
constexpr const char* helperPath = "/w/helper.py";

Settings settings() {
  Settings settings;
  settings.roots = {"/w"};
  return settings;
}

// What a new workspace says.
std::string saidAnew(const Texts& texts) {
  Workspace workspace(settings());
  workspace.open(helperPath, 1, texts.helper);
  workspace.open(programPath, 1, texts.program);
  Worker worker;
  return said(workspace, programPath, worker);
}

class Typist {
public:
  explicit Typist(unsigned seed) : random_(seed) {}
  size_t below(size_t count) { return count ? random_() % count : 0; }

  std::string edited(const std::string& text) {
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(text).split(lines, '\n');
    size_t at = below(lines.size());
    std::string indent = lines[at].take_while([](char c) { return c == ' '; }).str();
    static constexpr const char* statements[] = {"extra = 1 + 2",
                                                 "# a comment",
                                                 "",
                                                 "pass",
                                                 "offsets = offsets + 1",
                                                 "value = nowhere",
                                                 "return",
                                                 "x = (1,",
                                                 "\"\"\"",
                                                 "if True:",
                                                 "gl.static_assert",
                                                 "y = lambda z: z",
                                                 "for i in range(3):",
                                                 "def late(a): return a",
                                                 "raise ValueError",
                                                 "gl.store(dst, dst)"};
    std::string line;
    switch (below(9)) {
    case 0:
    case 1:
    case 2:
      line = indent + statements[below(std::size(statements))];
      lines.insert(lines.begin() + static_cast<ptrdiff_t>(at), line);
      break;
    case 3:
      lines.erase(lines.begin() + static_cast<ptrdiff_t>(at));
      break;
    case 4:
      lines.insert(lines.begin() + static_cast<ptrdiff_t>(at), lines[at]);
      break;
    case 5: // a key
      line = lines[at].str();
      line.insert(below(line.size() + 1), 1, "x1 (.:,\"=\t"[below(10)]);
      lines[at] = line;
      break;
    case 6:
      line = lines[at].str();
      if (!line.empty()) line.erase(below(line.size()), 1);
      lines[at] = line;
      break;
    case 7: { // a word by another one of the file
      llvm::StringRef other = lines[below(lines.size())].trim().split(' ').first;
      line = indent + other.str() +
             lines[at].drop_front(indent.size()).drop_until([](char c) { return c == ' '; }).str();
      lines[at] = line;
      break;
    }
    default: // another number
      line = lines[at].str();
      if (size_t digit = line.find_first_of("0123456789"); digit != std::string::npos)
        line[digit] = static_cast<char>('0' + below(10));
      lines[at] = line;
    }
    return llvm::join(lines, "\n");
  }

private:
  std::mt19937 random_;
};

// Edits, some of them undone after a while, each checked against a new workspace.
void type(const Texts& original, unsigned seed, unsigned edits) {
  Typist typist(seed);
  Texts texts = original;
  Workspace workspace(settings());
  workspace.open(helperPath, 1, texts.helper);
  workspace.open(programPath, 1, texts.program);
  Worker worker;
  said(workspace, programPath, worker);
  unsigned rebound = 0;
  std::vector<Texts> history;
  for (unsigned edit = 0; edit < edits; ++edit) {
    history.push_back(texts);
    // One edit at a time is what people do; some are taken back, and at times everything is.
    if (typist.below(3) == 0)
      texts = history[history.size() - std::min<size_t>(history.size(), 1 + typist.below(3))];
    else if (history.size() > 12)
      texts = original, history.clear();
    else if (typist.below(6) == 0)
      texts.helper = typist.edited(texts.helper);
    else
      texts.program = typist.edited(texts.program);
    int version = static_cast<int>(edit) + 2;
    workspace.change(helperPath, version, text::SourceText(texts.helper));
    workspace.change(programPath, version, text::SourceText(texts.program));
    bool isRebound = false;
    std::string now = said(workspace, programPath, worker, &isRebound);
    rebound += isRebound;
    ASSERT_EQ(now, saidAnew(texts)) << "seed " << seed << ", edit " << edit << "\n"
                                    << texts.program;
  }
  EXPECT_GE(rebound, edits / 20) << "seed " << seed; // it is what this is about
}

std::string sample(const char* name) {
  auto buffer = llvm::MemoryBuffer::getFile(GLUOND_SOURCE_DIR "/samples/" + llvm::Twine(name));
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

TEST(Incremental, equalsFromScratch) {
  unsigned edits = fromEnvironment("GLUOND_EDITS", 120);
  unsigned seed = fromEnvironment("GLUOND_EDIT_SEED", 1);
  type({programText, helperText}, seed, edits);
}

TEST(Incremental, equalsFromScratchInTheSamples) {
  unsigned edits = fromEnvironment("GLUOND_EDITS", 120);
  unsigned seed = fromEnvironment("GLUOND_EDIT_SEED", 1);
  for (const char* name : {"copy_2d.py", "async_add.py", "strided_copy.py"}) {
    ASSERT_FALSE(sample(name).empty());
    type({sample(name), helperText}, seed, edits / 4);
  }
}

class Rebinding : public testing::Test {
protected:
  // Whether the evaluation of the program survives when `from` becomes `to` in it.
  bool survives(llvm::StringRef from, const std::string& to,
                const std::string& text = programText) {
    Texts texts{text, helperText};
    Workspace workspace(settings());
    workspace.open(helperPath, 1, texts.helper);
    workspace.open(programPath, 1, texts.program);
    Worker worker;
    said(workspace, programPath, worker);
    size_t at = texts.program.find(from);
    EXPECT_NE(at, std::string::npos) << from.str();
    texts.program.replace(at, from.size(), to);
    workspace.change(programPath, 2, text::SourceText(texts.program));
    bool isRebound = false;
    EXPECT_EQ(said(workspace, programPath, worker, &isRebound), saidAnew(texts));
    return isRebound;
  }
};

TEST_F(Rebinding, bodiesThatDidNotRun) {
  EXPECT_TRUE(survives("    gl.store(dst + offsets, value)\n", "    gl.store(dst, value)\n\n"));
  EXPECT_TRUE(survives("        return first", "        x = 1\n        return x")); // a method's
  EXPECT_TRUE(
      survives("        first = gl.ara", "        gl.\n        first = gl.ara")); // half-typed
  EXPECT_TRUE(survives("offsets, 1.0)", "offsets, 2.0)"));               // of a kernel in a test
  EXPECT_TRUE(survives("size = half(block)", "size = half(2 * block)")); // runs in kernels only
}

// Whether `p` is assumed to be a pointer follows from the bodies.
TEST_F(Rebinding, assumedTypes) {
  const std::string text = programText + "\n@gluon.jit\ndef never(p, q):\n    r = p\n    r + q\n";
  EXPECT_TRUE(survives("    r + q\n", "    gl.store(r + q, 1)\n", text));
}

TEST_F(Rebinding, whatEvaluationLookedAt) {
  EXPECT_FALSE(survives("    return 3", "    return 4"));             // through kernel.fn
  EXPECT_FALSE(survives("What a kernel reads", "What kernels read")); // a docstring
  EXPECT_FALSE(survives("blocks = triton.cdiv", "blocks = max"));
  EXPECT_FALSE(survives("def lonely(p)", "def lonely(p, q)"));
  EXPECT_FALSE(survives("def lonely(p)", "def lonely(q)"));
  EXPECT_FALSE(survives("(128, 256)", "(128, 512)"));
  EXPECT_FALSE(survives("@gluon.jit\ndef lonely", "def lonely"));
  EXPECT_FALSE(survives("COUNT = ", "COUNT = 1 + "));
}

TEST_F(Rebinding, notWithKeysThatHashByAddress) {
  EXPECT_TRUE(survives("    gl.store(p, 1)", "    gl.store(p, 2)"));
  EXPECT_FALSE(
      survives("    gl.store(p, 1)", "    gl.store(p, 2)", programText + "\nKEYED = {copy: 1}\n"));
}

} // namespace
} // namespace gluond::driver
