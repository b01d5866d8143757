// Programs that do not end, or want everything: budgets end them, in bounded time and memory, and
// the module goes on.
#include "Session.h"
#include "evaluate/ModuleEvaluation.h"

#include <chrono>
#include <gmock/gmock.h>
#include <random>

namespace gluond::evaluate {
namespace {

struct Hostile {
  const char* name;
  const char* source;
};

class HostileTest : public testing::TestWithParam<Hostile> {};

TEST_P(HostileTest, EndsAndTheRestIsStillSeen) {
  Session session;
  const ModuleObject* module = session.run(std::string(GetParam().source) + "\nafter = 1\n");
  EXPECT_LT(session.heap.bytes(), 400u << 20);
  EXPECT_FALSE(session.interpreter.failed());
  EXPECT_TRUE(session.global(module, "after").is(language::ValueKind::Int))
      << "the statement behind did not run";
}

INSTANTIATE_TEST_SUITE_P(
    Programs, HostileTest,
    testing::Values(
        Hostile{"EndlessLoop", "while True: pass"},
        Hostile{"EndlessLoopWithWork", "x = 0\nwhile True:\n    x += 1"},
        Hostile{"EndlessRecursion", "def f(n): return f(n + 1)\nf(0)"},
        Hostile{"MutualRecursion", "def a(): return b()\ndef b(): return a()\na()"},
        Hostile{"RecursionThroughLambda", "f = lambda: f()\nf()"},
        Hostile{"RecursionInRepr",
                "class A:\n    def __repr__(self): return repr(self)\nrepr(A())"},
        Hostile{"RecursionInEq", "class A:\n    def __eq__(self, o): return self == o\nA() == A()"},
        Hostile{"RecursionInGetattr",
                "class A:\n    def __getattr__(self, n): return getattr(self, n)\nA().x"},
        Hostile{"RecursionInHash", "class A:\n    def __hash__(self): return hash(self)\n{A(): 1}"},
        Hostile{"RecursionInBool",
                "class A:\n    def __bool__(self): return bool(self)\nbool(A())"},
        Hostile{"RecursionInLen",
                "class A:\n    def __len__(self): return len(self)\nif A(): pass"},
        Hostile{"RecursionInIter", "class A:\n    def __iter__(self): return iter(A())\nlist(A())"},
        Hostile{"RecursionInAdd", "class A:\n    def __add__(self, o): return self + o\nA() + A()"},
        Hostile{"RecursionInSetattr",
                "class A:\n    def __setattr__(self, n, v): self.x = v\nA().y = 1"},
        Hostile{"RecursionInProperty",
                "class A:\n    @property\n    def p(self): return self.p\nA().p"},
        Hostile{"ChainMapsInChainMaps",
                "import collections\nv = {}\nw = {}\nfor _ in range(60000):\n"
                "    v = collections.ChainMap({}, v)\n    w = collections.ChainMap({}, w)\n"
                "for f in (lambda: v == w, lambda: v.get(1), lambda: len(v), lambda: list(v),\n"
                "          lambda: 1 in v, lambda: bool(v), lambda: v[1], lambda: dict(v),\n"
                "          lambda: v | w, lambda: {**v}, lambda: v in [w], lambda: v.keys()):\n"
                "    try: f()\n    except RecursionError: pass"},
        Hostile{"FirstMapsOfChainMaps",
                "import collections\nv = {}\nfor _ in range(60000): v = collections.ChainMap(v)\n"
                "def put(): v[1] = 2\ndef drop(): del v[1]\n"
                "for f in (put, drop, lambda: v.update({1: 2}), lambda: v.pop(1), v.clear):\n"
                "    try: f()\n    except RecursionError: pass"},
        Hostile{"AChainMapOfItself",
                "import collections\nv = collections.ChainMap({1: 1})\nv.maps.append(v)\n"
                "for f in (lambda: v.get(5), lambda: v == v, lambda: list(v), lambda: len(v)):\n"
                "    try: f()\n    except RecursionError: pass"},
        Hostile{"NativeWithoutItsArgument", "import functools\nfunctools.wraps()()"},
        Hostile{"GetterOfANativeProperty",
                "import torch\ntorch.nn.Module.__call__.fget()\ntorch.nn.Module.to.fget()()"},
        Hostile{"InstancesOfBuiltins",
                "for cls in (int, str, list, dict, tuple, set, float, bytes):\n"
                "    x = object.__new__(cls)\n"
                "    for f in (int.bit_length, str.upper, list.sort, dict.items, tuple.count,\n"
                "              set.clear, float.is_integer, bytes.hex):\n"
                "        try: f(x)\n"
                "        except TypeError: pass"},
        Hostile{"InstancesThatBecomeBuiltins",
                "class A: pass\n"
                "for cls in (int, str, list, dict, tuple, set, float, bytes):\n"
                "    x = A()\n"
                "    try: x.__class__ = cls\n"
                "    except TypeError: pass\n"
                "    for f in (int.bit_length, str.upper, list.sort, dict.items, tuple.count,\n"
                "              set.clear, float.is_integer, bytes.hex):\n"
                "        try: f(x)\n"
                "        except TypeError: pass"},
        Hostile{"FieldsOfANamedTupleChange",
                "import collections, dataclasses\n"
                "P = collections.namedtuple('P', 'a a')\np = P(1, 2)\n"
                "dataclasses.dataclass(P)\np._asdict()\np._replace(a=3)\nrepr(p)"},
        Hostile{"HugeString", "x = 'a' * 10**12"},
        Hostile{"HugeStringTwice", "x = 'a' * 10**9 * 10**9"},
        Hostile{"HugeList", "x = [0] * 10**12"}, Hostile{"HugeInt", "x = 10 ** 10 ** 10"},
        Hostile{"HugeShift", "x = 1 << 10 ** 12"},
        Hostile{"HugeFactorial", "import math\nx = math.factorial(10**9)"},
        Hostile{"HugeRange", "x = list(range(10**18))"},
        Hostile{"HugeRangeLoop", "for i in range(10**18): pass"},
        Hostile{"HugeWidth", "x = f'{1:1000000000000}'"},
        Hostile{"HugePrecision", "x = '%.1000000000f' % 1.0"},
        Hostile{"HugeJust", "x = 'a'.ljust(10**12)"},
        Hostile{"HugeTabs", "x = ('\\t' * 1000).expandtabs(10**9)"},
        Hostile{"HugeZfill", "x = '1'.zfill(10**13)"},
        Hostile{"GrowingList", "x = [1]\nwhile True: x += x"},
        Hostile{"GrowingString", "x = 'a'\nwhile True: x += x"},
        Hostile{"GrowingWhileIterated", "x = [1]\nfor i in x: x.append(i)"},
        Hostile{"GrowingDict", "d = {}\ni = 0\nwhile True:\n    d[i] = i\n    i += 1"},
        Hostile{"GrowingNesting", "x = []\nwhile True: x = [x]"},
        Hostile{"SelfContainingList",
                "x = []\nx.append(x)\ny = repr(x)\nz = x == x\nw = [x] == [[x]]"},
        Hostile{"SelfContainingDict", "d = {}\nd['d'] = d\ny = str(d)\nz = d == {'d': d}"},
        Hostile{"DeepEquality",
                "a = []\nb = []\nfor i in range(100000):\n    a = [a]\n    b = [b]\nc = a == b"},
        Hostile{"DeepTupleHash", "a = ()\nfor i in range(100000): a = (a,)\nh = hash(a)"},
        Hostile{"DeepRepr", "a = ()\nfor i in range(100000): a = (a,)\nh = repr(a)"},
        Hostile{"DeepCopy",
                "import copy\na = []\nfor i in range(100000): a = [a]\nb = copy.deepcopy(a)"},
        Hostile{"EndlessGenerator", "def g():\n    while True: yield 1\nnext(g())"},
        Hostile{"EndlessGeneratorNoYield",
                "def g():\n    while True: pass\n    yield 1\nnext(g())"},
        Hostile{"EndlessCount", "import itertools\nfor i in itertools.count(): pass"},
        Hostile{"EndlessCycle", "import itertools\nx = list(itertools.cycle([1]))"},
        Hostile{"HugeProduct",
                "import itertools\nx = list(itertools.product(range(1000), repeat=10))"},
        Hostile{"HugePermutations",
                "import itertools\nx = list(itertools.permutations(range(30)))"},
        Hostile{"HugeCombinations",
                "import itertools\nx = list(itertools.combinations(range(100), 50))"},
        Hostile{"NestedComprehension",
                "x = [a for a in range(10**5) for b in range(10**5) for c in range(10**5)]"},
        Hostile{"EndlessNext", "class A:\n    def __iter__(self): return self\n    def "
                               "__next__(self): return 1\nx = list(A())"},
        Hostile{"EndlessGetitem",
                "class A:\n    def __getitem__(self, i): return i\nx = list(A())"},
        Hostile{"EndlessExceptions", "def f():\n    try: f()\n    finally: f()\nf()"},
        Hostile{"CatchAndRepeat", "while True:\n    try:\n        raise ValueError\n    except "
                                  "ValueError:\n        pass"},
        Hostile{"DecoratorsForever", "def d(f): return d(f)\n@d\ndef g(): pass"},
        Hostile{"ClassOfItself", "class A(A): pass"},
        Hostile{"ManyBases", "class A: pass\nfor i in range(10**6):\n    class A(A): pass"},
        Hostile{"FormatForever", "x = '{:{}}'.format(1, '9' * 10**6)"},
        Hostile{"ReplaceForever", "x = ('a' * 10**6).replace('a', 'b' * 10**6)"},
        Hostile{"JoinForever", "x = ('a' * 10**6).join(['b'] * 10**6)"},
        Hostile{"IntOfText", "x = int('9' * 10**6)"},
        Hostile{"PowForever", "x = 3\nwhile True: x = x ** 3"},
        Hostile{"PowMod", "x = pow(3, 2**62, 7)"},
        Hostile{"SortForever", "x = sorted(range(10**7), key=lambda i: -i)"},
        Hostile{"UnknownLoops", "import nothing\nwhile nothing.x:\n    for i in nothing.y:\n       "
                                " while nothing.z: pass"},
        Hostile{"UnknownBranches",
                "import nothing\ndef f(n):\n    if nothing.x: f(n + 1)\n    else: f(n + 2)\nf(0)"},
        Hostile{"TorchHuge", "import torch\nx = torch.empty(2**62, 2**62)\ny = x.numel()\nz = "
                             "x[0:10].stride()\nfor row in torch.empty(10**12): pass"},
        Hostile{"TorchNegative",
                "import torch\nx = torch.empty(-1, 0)\ny = x.view(-1, 0)\nz = x.split(0)\nw = "
                "x.chunk(0)\nv = x[..., None, 5:1:-1]\nu = x.expand(3)"},
        Hostile{"TorchEllipses",
                "import torch\nt = torch.empty(2, 3)\nv = t[..., ...].shape\nw = t[..., 0, ...]\nx "
                "= t[(...,) * 50].stride()"},
        Hostile{"ShadowedBuiltins",
                "len = 5\nlist = None\ntry:\n    len([])\nexcept TypeError: pass"},
        Hostile{"DeletedNames", "x = 1\ndel x\ntry:\n    x\nexcept NameError: pass"}),
    [](const testing::TestParamInfo<Hostile>& info) { return info.param.name; });

TEST(HostileTest, DeeplyNestedExpressions) {
  for (const char* unit : {"(", "[", "not ", "-", "lambda: ", "f(", "x[", "{1: "}) {
    std::string source = "y = ";
    for (int i = 0; i < 20000; ++i)
      source += unit;
    Session session;
    session.run(source + "1\nafter = 1\n");
    EXPECT_FALSE(session.interpreter.failed());
  }
  std::string source = "y = 1";
  for (int i = 0; i < 50000; ++i)
    source += " + 1";
  Session session;
  session.run(source + "\nafter = 1\n");
  EXPECT_FALSE(session.interpreter.failed());
}

// Where objects lie has no say in what a program computes.
TEST(HostileTest, HashesAreEqualFromRunToRun) {
  const std::string source =
      "import enum\nclass A: pass\nclass E(enum.Enum):\n    X = 'x'\ndef f(): pass\na = A()\n"
      "out = (hash(a), hash(A), hash(f), hash(E.X), hash((a, int)), hash(len), hash('x'),\n"
      "       hash(a) == hash(a), hash(a) == hash(A()))\n";
  Session one, other;
  std::string hashes = one.result(source);
  EXPECT_EQ(other.result("junk = [[i] for i in range(1000)]\n" + source), hashes);
  EXPECT_THAT(hashes, testing::EndsWith("True, False)"));
}

TEST(HostileTest, WhatNestsTooDeeplyForABuiltinIsSaid) {
  auto nested = [](int levels) {
    return Session().result("from triton.experimental.gluon import language as gl\nt = (1,)\n"
                            "for i in range(" +
                            std::to_string(levels) + "):\n    t = gl.constexpr((t,))\nout = 1\n");
  };
  EXPECT_THAT(nested(100), testing::HasSubstr("a value that nests deeper than 64 levels is given"));
  EXPECT_EQ(nested(60), "1");
}

TEST(HostileTest, ImportCyclesSurvive) {
  Interner names;
  auto sourceOf = [&](llvm::StringRef name) -> std::optional<ModuleSource> {
    std::string text = name == "a"   ? "import b\nfrom b import y\nx = 1\nz = b.y\n"
                       : name == "b" ? "import a\nfrom a import x\ny = 2\n"
                                     : "";
    if (text.empty()) return std::nullopt;
    auto tree = syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(text), {}, names);
    return ModuleSource{tree->body(), name.str() + ".py", name.str(), tree};
  };
  EvaluationRequest request;
  request.source = *sourceOf("a");
  request.importer = [&](llvm::StringRef, llvm::StringRef module, unsigned) {
    return sourceOf(module);
  };
  auto evaluation = ModuleEvaluation::evaluate(names, std::move(request));
  Value z = evaluation->module()->globals->get(names.intern("z"));
  ASSERT_TRUE(z.is(language::ValueKind::Int));
  EXPECT_EQ(z.asInt(), 2);
  EXPECT_EQ(evaluation->imports().size(), 1u);
}

// Which names a module has when another one asks depends on which a program imports first.
TEST(HostileTest, NamesOfModulesThatStillRun) {
  Interner names;
  auto sourceOf = [&](llvm::StringRef name) -> std::optional<ModuleSource> {
    std::string text = name == "a"     ? "import b\nlate = 1\n"
                       : name == "b"   ? "import a\nx = a.late\nimport all\ny = all.late\n"
                       : name == "all" ? "from a import *\n"
                                       : "";
    if (text.empty()) return std::nullopt;
    auto tree = syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(text), {}, names);
    return ModuleSource{tree->body(), name.str() + ".py", name.str(), tree};
  };
  EvaluationRequest request;
  request.source = *sourceOf("a");
  request.importer = [&](llvm::StringRef, llvm::StringRef module, unsigned) {
    return sourceOf(module);
  };
  auto evaluation = ModuleEvaluation::evaluate(names, std::move(request));
  EXPECT_TRUE(evaluation->errors().empty());
}

TEST(HostileTest, ModuleImportsItself) {
  Interner names;
  auto tree = syntax::SyntaxTree::parse(
      std::make_shared<text::SourceText>("import a\nx = a.missing\n"), {}, names);
  EvaluationRequest request;
  request.source = {tree->body(), "a.py", "a", tree};
  request.importer = [&](llvm::StringRef, llvm::StringRef, unsigned) {
    return std::optional(ModuleSource{tree->body(), "a.py", "a", tree});
  };
  auto evaluation = ModuleEvaluation::evaluate(names, std::move(request));
  EXPECT_EQ(evaluation->errors().size(), 1u);
}

TEST(HostileTest, EndlessTestFunctionsShareABudget) {
  Interner names;
  std::string source = "import pytest\n";
  for (int i = 0; i < 50; ++i)
    source += "@pytest.mark.parametrize('n', range(1000))\ndef test_" + std::to_string(i) +
              "(n):\n    while True: pass\n";
  auto tree = syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(source), {}, names);
  EvaluationRequest request;
  request.source = {tree->body(), "a.py", "a", tree};
  auto begin = std::chrono::steady_clock::now();
  ModuleEvaluation::evaluate(names, std::move(request));
  EXPECT_LT(std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                  begin)
                .count(),
            3000);
}

// A name of `indirect` that is none of the mark's names has no value in its rows.
TEST(HostileTest, IndirectNamesThatAreNotParametrized) {
  Interner names;
  auto tree = syntax::SyntaxTree::parse(
      std::make_shared<text::SourceText>(
          "import pytest\n@pytest.fixture\ndef f(request): return request.param\n"
          "@pytest.mark.parametrize('x, y, z', [(1, 2, 3)], indirect=['f', 'g'])\n"
          "def test(x, y, z, f, g): assert f\n"),
      {}, names);
  EvaluationRequest request;
  request.source = {tree->body(), "a.py", "a", tree};
  EXPECT_TRUE(ModuleEvaluation::evaluate(names, std::move(request)));
}

// What monkeypatch has to take back is not the program's to change.
TEST(HostileTest, ChangesOfMonkeypatch) {
  Interner names;
  for (const char* body :
       {"monkeypatch.changes.append((1, 2, 3, 4))", "monkeypatch.changes.append(())",
        "monkeypatch.changes = [(1,), 5]", "monkeypatch.setattr(monkeypatch, 'changes', [(1, 2)])",
        "monkeypatch.setitem(vars(monkeypatch), 'changes', [(1, 2)])"}) {
    auto tree = syntax::SyntaxTree::parse(
        std::make_shared<text::SourceText>("def test(monkeypatch):\n    " + std::string(body) +
                                           "\n    monkeypatch.setenv('A', 'b')\n"),
        {}, names);
    EvaluationRequest request;
    request.source = {tree->body(), "a.py", "a", tree};
    EXPECT_TRUE(ModuleEvaluation::evaluate(names, std::move(request))) << body;
  }
}

TEST(HostileTest, Cancellation) {
  CancellationSource source;
  source.cancel();
  InterpreterOptions options;
  options.cancellation = source.token();
  Session session(std::move(options));
  const ModuleObject* module = session.run("x = 1\n");
  EXPECT_TRUE(session.global(module, "x").isAbsent());
}

// Random programs made of pieces of valid ones: nothing may crash or hang. Seeds that once did are
// kept in `seeds`.
class Mutator {
public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string program() {
    std::string result;
    for (int i = pick(12) + 3; i-- > 0;)
      statement(result, 0);
    return result;
  }

private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string name() { return std::string(1, static_cast<char>('a' + pick(6))); }

  std::string expression(int depth = 0) {
    static const char* atoms[] = {"0",
                                  "1",
                                  "-1",
                                  "2**70",
                                  "1.5",
                                  "'x'",
                                  "''",
                                  "None",
                                  "True",
                                  "[]",
                                  "{}",
                                  "()",
                                  "range(3)",
                                  "torch.empty(4, 8)",
                                  "len",
                                  "int",
                                  "str",
                                  "unknown.x",
                                  "set()",
                                  "gl.BlockedLayout([1], [32], [4], [0])",
                                  "gl.float16",
                                  "f'{1}'",
                                  "math.pi",
                                  "lambda q: q",
                                  "b'z'",
                                  "...",
                                  "gl.constexpr(4)",
                                  "float('nan')",
                                  "slice(1, 2)"};
    if (depth > 3 || pick(3) == 0) return pick(2) ? name() : atoms[pick(std::size(atoms))];
    auto sub = [&] { return expression(depth + 1); };
    static const char* binary[] = {"+", "-", "*",  "/", "//", "%",  "**",  "<<", ">>",     "&", "|",
                                   "^", "@", "==", "<", "in", "is", "and", "or", "not in", "!="};
    switch (pick(14)) {
    case 0:
      return "(" + sub() + " " + binary[pick(std::size(binary))] + " " + sub() + ")";
    case 1:
      return sub() + "[" + sub() + "]";
    case 2:
      return sub() + "[" + sub() + ":" + sub() + "]";
    case 3:
      return name() + "(" + sub() + ")";
    case 4:
      return "[" + sub() + " for " + name() + " in " + sub() + "]";
    case 5:
      return "{" + sub() + ": " + sub() + "}";
    case 6:
      return "(" + sub() + ", *" + sub() + ")";
    case 7: {
      static const char* attributes[] = {
          "append", "x",    "__class__", "items",  "value", "shape", "T",        "format", "split",
          "name",   "real", "update",    "stride", "dtype", "join",  "__name__", "pop",    "numel"};
      return sub() + "." + attributes[pick(std::size(attributes))] + (pick(2) ? "()" : "");
    }
    case 8:
      return "f'{" + name() + "!r:>" + std::to_string(pick(30)) + "}'";
    case 9:
      return "(" + sub() + " if " + sub() + " else " + sub() + ")";
    case 10: {
      static const char* functions[] = {
          "len",  "sum",  "sorted", "max",  "list", "tuple", "dict", "set",       "str",
          "repr", "int",  "float",  "bool", "abs",  "round", "zip",  "enumerate", "isinstance",
          "type", "hash", "next",   "iter", "map",  "min",   "any",  "reversed",  "range"};
      return std::string(functions[pick(std::size(functions))]) + "(" + sub() +
             (pick(3) ? "" : ", " + sub()) + ")";
    }
    case 11:
      return "(" + name() + " := " + sub() + ")";
    case 12:
      return "(-" + sub() + ")";
    default:
      return "name(*" + sub() + ", **" + sub() + ")";
    }
  }

  void statement(std::string& out, int indent) {
    std::string pad(static_cast<size_t>(indent) * 2, ' ');
    auto block = [&] {
      for (int i = pick(3) + 1; i-- > 0;)
        statement(out, indent + 1);
    };
    switch (indent > 3 ? 0 : pick(16)) {
    case 1:
      out += pad + "for " + name() + " in " + expression() + ":\n";
      block();
      return;
    case 2:
      out += pad + "if " + expression() + ":\n";
      block();
      if (pick(2)) {
        out += pad + "else:\n";
        block();
      }
      return;
    case 3:
      out += pad + "def " + name() + "(" + (pick(2) ? "q=1, *a, **b" : "q") + "):\n";
      block();
      out += pad + "  return " + expression() + "\n";
      return;
    case 4:
      out += pad + "class " + std::string(1, static_cast<char>('a' + pick(6))) +
             (pick(3) ? "" : "(" + name() + ")") + ":\n";
      block();
      return;
    case 5:
      out += pad + "try:\n";
      block();
      out += pad + "except " + (pick(2) ? "Exception" : expression()) + " as " + name() + ":\n";
      block();
      if (pick(2)) {
        out += pad + "finally:\n";
        block();
      }
      return;
    case 6:
      out += pad + "while " + expression() + ":\n";
      block();
      if (pick(2)) out += pad + "  break\n";
      return;
    case 7:
      out += pad + name() + " += " + expression() + "\n";
      return;
    case 8:
      out += pad + name() + ", *" + name() + " = " + expression() + "\n";
      return;
    case 9:
      out += pad + "raise " + expression() + "\n";
      return;
    case 10:
      out += pad + "with " + expression() + " as " + name() + ":\n";
      block();
      return;
    case 11:
      out += pad + "del " + name() + "\n";
      return;
    case 12:
      out += pad + "assert " + expression() + ", " + expression() + "\n";
      return;
    case 13:
      out += pad + expression() + "[" + expression() + "] = " + expression() + "\n";
      return;
    case 14:
      out += pad + "@" + (pick(2) ? "gluon.jit" : "gluon.aggregate") + "\n" + pad +
             (pick(2) ? "class" : "def") + " " + name() + "(q=1):\n";
      block();
      return;
    case 15:
      out += pad + name() + "[(" + expression() + ",)](" + expression() +
             ", num_warps=" + expression() + ")\n";
      return;
    default:
      out += pad + name() + " = " + expression() + "\n";
      return;
    }
  }

  std::minstd_rand random_;
};

TEST(HostileTest, RandomPrograms) {
  static constexpr unsigned seeds[] = {1, 7, 42};
  auto runSeed = [](unsigned seed) {
    Interner names;
    std::string source = "import math, torch, pytest, unknown, triton\nfrom triton.experimental "
                         "import gluon\nfrom triton.experimental.gluon import language as gl\n" +
                         Mutator(seed).program();
    auto tree = syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(source), {}, names);
    EvaluationRequest request;
    request.source = {tree->body(), "fuzz.py", "fuzz", tree};
    request.budget.steps = 50'000;
    request.budget.memoryBytes = 8u << 20;
    SCOPED_TRACE("seed " + std::to_string(seed));
    ModuleEvaluation::evaluate(names, std::move(request));
  };
  for (unsigned seed : seeds)
    runSeed(seed);
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  unsigned seed = 1000;
  if (const char* given = std::getenv("GLUOND_FUZZ_SEED"))
    seed = static_cast<unsigned>(std::atoi(given));
  unsigned first = seed;
  while (seed - first < 100 || std::chrono::steady_clock::now() < end) {
    if (std::getenv("GLUOND_FUZZ_TRACE")) std::cerr << "seed " << seed << std::endl;
    runSeed(seed++);
  }
  RecordProperty("programs", static_cast<int>(seed - first));
}

} // namespace
} // namespace gluond::evaluate
