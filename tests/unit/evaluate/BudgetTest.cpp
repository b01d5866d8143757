// What a program may cost: loops that do not end are told with their values, native work is paid
// for by the size of what it reads and makes, numbers do not overflow, recursion ends.
#include "Session.h"
#include "evaluate/ModuleEvaluation.h"

namespace gluond::evaluate {
namespace {

std::string nameOf(const char* text) {
  std::string result;
  for (const char* c = text; *c && *c != '\n'; ++c)
    if (std::isalnum(static_cast<unsigned char>(*c))) result += *c;
  return result;
}

// ---------------------------------------------------------------- loops

struct Loop {
  const char* name;
  const char* source;
  const char* header; // the text of the place
  std::vector<const char*> says;
};

class LoopTest : public testing::TestWithParam<Loop> {};

TEST_P(LoopTest, IsToldWhereItIsWithItsValues) {
  Session session;
  std::string source = GetParam().source;
  const ModuleObject* module = session.run(source + "\nafter = 1\n");
  auto errors = session.interpreter.moduleErrors();
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_TRUE(errors[0].exhausted);
  ASSERT_TRUE(errors[0].place());
  text::Range range = errors[0].place()->range;
  EXPECT_EQ(source.substr(range.begin, range.end - range.begin), GetParam().header);
  for (const char* part : GetParam().says)
    EXPECT_NE(errors[0].message.find(part), std::string::npos)
        << part << "\n in " << errors[0].message;
  EXPECT_TRUE(session.global(module, "after").is(language::ValueKind::Int));
}

constexpr const char* warpsPerCta = R"(
def get_warps_per_cta(BLOCK_M, BLOCK_N, num_warps):
    warps_per_cta = [4, 1]
    m = 16
    while warps_per_cta[0] * warps_per_cta[1] != num_warps:
        if BLOCK_M > m * warps_per_cta[0]:
            warps_per_cta[0] *= 2
        else:
            warps_per_cta[1] *= 2
    return warps_per_cta
w = get_warps_per_cta(128, 128, 2)
)";

INSTANTIATE_TEST_SUITE_P(
    Programs, LoopTest,
    testing::Values(
        Loop{"Tutorial",
             warpsPerCta,
             "while warps_per_cta[0] * warps_per_cta[1] != num_warps",
             {"this loop did not end", "num_warps = 2", "warps_per_cta = [8, 2**", "m = 16"}},
        Loop{"Counter", "x = 0\nwhile x >= 0:\n    x += 1", "while x >= 0", {"x = ", "iterations"}},
        Loop{"NothingChanges", "n = 3\nwhile n != 4:\n    pass", "while n != 4", {"n = 3"}},
        Loop{"OuterOfTwo",
             "def f(n):\n  while n:\n    for k in range(40):\n      n = n + k\nf(1)",
             "while n",
             {"n = ", "k = "}},
        Loop{"InnerOfTwo",
             "for a in range(3):\n  i = 0\n  while i < 10:\n    i -= 1\n",
             "while i < 10",
             {"i = -"}},
        Loop{"For",
             "for i in range(10**15): last = i",
             "for i in range(10**15)",
             {"i = ", "last = "}},
        Loop{"WhileItGrows", "x = [1]\nfor i in x: x.append(i)", "for i in x", {"i = 1", "in all"}},
        Loop{"Method",
             "class A:\n  def f(self):\n    while self:\n      y = 'a' * 100\nA().f()",
             "while self",
             {"y = a str of 100 bytes"}},
        Loop{"LongInts",
             "x = 3\nwhile True: x = x * x",
             "while True",
             {"65536 bits", "x = about 2**"}}),
    [](const auto& info) { return info.param.name; });

TEST(BudgetTest, AGeneratorIsCutNotTold) {
  Session session;
  session.run("def g():\n  while True: yield 1\nfor i in g():\n  if i: break\n");
  EXPECT_TRUE(session.interpreter.moduleErrors().empty());
}

TEST(BudgetTest, AShortLoopIsNotToBlame) {
  Session session;
  session.run("def f(n): return f(n - 1) + f(n - 2) if n > 1 else n\nfor i in [40]:\n  f(i)\n");
  auto errors = session.interpreter.moduleErrors();
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_NE(errors[0].message.find("stopped after"), std::string::npos) << errors[0].message;
}

// ---------------------------------------------------------------- paid by size

struct Work {
  const char* name;
  const char* setup;
  const char* body; // of an endless loop
  int mostTurns;
};

class WorkTest : public testing::TestWithParam<Work> {};

TEST_P(WorkTest, IsPaidBySize) {
  Session session;
  const ModuleObject* module =
      session.run(std::string("import math\n") + GetParam().setup +
                  "\nturns = 0\nwhile True:\n  turns += 1\n  " + GetParam().body + "\n");
  EXPECT_FALSE(session.interpreter.moduleErrors().empty());
  EXPECT_LT(session.heap.bytes(), 200u << 20);
  Value turns = session.global(module, "turns");
  // The loop's variables are forgotten when it breaks off, so the message is read.
  std::string message = session.interpreter.moduleErrors().front().message;
  size_t at = message.find("; after ");
  uint64_t counted = at == std::string::npos ? 0 : std::stoull(message.substr(at + 8));
  EXPECT_LT(counted, static_cast<uint64_t>(GetParam().mostTurns)) << message;
  EXPECT_FALSE(turns.is(language::ValueKind::Int));
}

INSTANTIATE_TEST_SUITE_P(
    Programs, WorkTest,
    testing::Values(
        Work{"Find", "s = 'a' * 10**6", "s.find('b')", 400},
        Work{"FindLong", "s = 'a' * 10**6\nt = 'a' * 10**5 + 'b'", "s.find(t)", 400},
        Work{"RfindLong", "s = 'a' * 10**6\nt = 'b' + 'a' * 10**5", "s.rfind(t)", 400},
        Work{"CountAll", "s = 'ab' * 10**5", "s.count('ab')", 100},
        Work{"Replace", "s = 'ab' * 10**5", "s.replace('ab', 'cd')", 100},
        Work{"SplitLong", "s = 'ab' * 10**5", "s.rsplit('ab')", 100},
        Work{"Upper", "s = 'a' * 10**7", "s.upper()", 40},
        Work{"Strip", "s = 'a' * 10**6\nt = 'b' * 10**6 + 'a'", "s.strip(t)", 400},
        Work{"Concat", "s = 'a' * 10**6", "t = s + s", 200},
        Work{"Encode", "s = 'a' * 10**6", "s.encode()", 400},
        Work{"Center", "s = 'a'", "s.center(10**5)", 4000},
        Work{"FormatWide", "s = 1", "f'{s:060000,}'", 4000},
        Work{"PercentWide", "s = 1", "'%60000d' % s", 4000},
        Work{"FormatPrecise", "s = 1e300", "f'{s:.60000f}'", 4000},
        Work{"Product", "a = 3**20000", "a * a", 6000}, Work{"Power", "a = 3", "a ** 40000", 100},
        Work{"Division", "a = 3**40000\nb = 7**10000", "a // b", 300},
        Work{"TrueDivision", "a = 3**40000\nb = 3**39999", "a / b", 100},
        Work{"PowerModulo", "a = 3**10000\nb = 7**6000", "pow(a, 10**18, b)", 100},
        Work{"Root", "a = 3**20000", "math.isqrt(a)", 100},
        Work{"Factorial", "a = 2000", "math.factorial(a)", 2500},
        Work{"Text", "a = 3**9000", "str(a)", 3000},
        Work{"Hexadecimal", "a = 3**20000", "hex(a)", 600},
        Work{"Parse", "a = '9' * 4000", "int(a)", 4000},
        Work{"ManyKeywords", "d = {'a' + str(i): i for i in range(3000)}\ndef f(**k): pass",
             "f(**d)", 1500},
        Work{"Partials", "import functools\nf = functools.partial(print, *range(10**4))", "f()",
             8000},
        Work{"PartialChain",
             "import functools\nf = print\nfor i in range(10**4): f = functools.partial(f, i)",
             "f()", 1000},
        Work{"WideTuple", "t = (1,) * 10**5", "t + t", 200},
        // What one expression makes counts before the next one.
        Work{"ClassName", "t = type('a' * 10**7, (), {})", "t.__name__", 40},
        Work{"FieldNames",
             "import collections\nt = collections.namedtuple('t', ['a%d' % i for i in "
             "range(20000)])",
             "t._fields", 400},
        Work{"MistakesWithManyValues",
             "t = [1] * 10**5\ndef f():\n  try: math.sqrt(t)\n  except TypeError: pass", "f()",
             1000},
        Work{"PartialArguments", "import functools\nt = functools.partial(len, *range(10**5))",
             "t.args", 400}),
    [](const auto& info) { return info.param.name; });

TEST(BudgetTest, AnImportChainHasOneReserve) {
  // Each file imports the next and loops. Each may be charged, but all together have one budget.
  Interner names;
  auto sourceOf = [&](llvm::StringRef name) -> std::optional<ModuleSource> {
    unsigned number;
    if (!name.consume_front("m") || name.getAsInteger(10, number)) return std::nullopt;
    std::string text = "import m" + std::to_string(number + 1) + "\nwhile True: pass\nx = 1\n";
    auto tree = syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(text), {}, names);
    std::string module = "m" + std::to_string(number);
    return ModuleSource{tree->body(), module + ".py", module, tree};
  };
  InterpreterOptions options;
  options.importer = [&](llvm::StringRef, llvm::StringRef name, unsigned) {
    return sourceOf(name);
  };
  options.budget.files = 50;
  language::Heap heap;
  language::TypeContext types{names};
  Interpreter interpreter(heap, names, types, options);
  interpreter.runModule(*sourceOf("m0"), "m0");
  EXPECT_LE(interpreter.workspaceModules().size(), 50u);
  EXPECT_LE(interpreter.stepsSpent(), options.budget.steps * 3 / 2);
}

// The programs of a workspace, by module name.
struct Files {
  Interner names;
  std::map<std::string, std::string> texts;
  std::optional<ModuleSource> operator()(llvm::StringRef name) {
    auto file = texts.find(name.str());
    if (file == texts.end()) return std::nullopt;
    auto tree =
        syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(file->second), {}, names);
    return ModuleSource{tree->body(), file->first + ".py", file->first, tree};
  }
  InterpreterOptions options() {
    InterpreterOptions options;
    options.importer = [this](llvm::StringRef, llvm::StringRef name, unsigned) {
      return (*this)(name);
    };
    return options;
  }
};

TEST(BudgetTest, StarImportsArePaidForByTheNamesTheyBind) {
  Files files;
  files.texts = {{"main", "L = []\nwhile True:\n    from many import *\n    L.append(1)\n"}};
  for (unsigned i = 0; i < 20'000; ++i)
    files.texts["many"] += "a" + std::to_string(i) + " = 1\n";
  language::Heap heap;
  language::TypeContext types{files.names};
  InterpreterOptions options = files.options();
  Interpreter interpreter(heap, files.names, types, options);
  const ModuleObject* main = interpreter.runModule(*files("main"), "main");
  auto* turns = main->globals->get(files.names.intern("L")).as<language::ListObject>();
  ASSERT_TRUE(turns);
  EXPECT_GT(turns->items.size(), 100u);
  EXPECT_LT(turns->items.size(), 2000u);
}

TEST(BudgetTest, AnEndlessImportLeavesTheOthersTheirSteps) {
  Files files;
  files.texts = {{"main", "import a, b, c\nx = sum(range(1000))\ny = c.value\n"},
                 {"a", "import d\nvalue = d.value\n"},
                 {"b", "known = 1\nn = 0\nwhile True: n += 1\n"},
                 {"c", "import d, b\nvalue = d.value + b.known + sum(range(1000))\n"},
                 {"d", "value = 3\ntry:\n  while True: pass\nfinally: pass\n"}};
  language::Heap heap;
  language::TypeContext types{files.names};
  InterpreterOptions options = files.options();
  Interpreter interpreter(heap, files.names, types, options);
  const ModuleObject* main = interpreter.runModule(*files("main"), "main");
  auto global = [&](const char* name) { return main->globals->get(files.names.intern(name)); };
  EXPECT_EQ(global("x").asInt(), 499500);
  EXPECT_EQ(global("y").asInt(), 499504);
  EXPECT_EQ(interpreter.moduleErrors().size(), 2u);
  EXPECT_LE(interpreter.stepsSpent(), options.budget.steps);
}

TEST(BudgetTest, AFileIsLookedForOnce) {
  unsigned lookups = 0;
  InterpreterOptions options;
  options.importer = [&](llvm::StringRef, llvm::StringRef, unsigned) {
    ++lookups;
    return std::optional<ModuleSource>();
  };
  Session session(std::move(options));
  session.run("for i in range(1000):\n  import nowhere\n  from . import here\n");
  EXPECT_EQ(lookups, 3u);
}

TEST(BudgetTest, WhatDidNotRunIsNotKnown) {
  Session session;
  const ModuleObject* module = session.run(
      "while True: pass\nwhile True: pass\nwhile True: pass\nwhile True: pass\nlate = 1\n");
  EXPECT_TRUE(session.global(module, "late").isUnknown());
}

TEST(BudgetTest, NamesAreBounded) {
  Session session;
  session.run(
      "class A: pass\na = A()\ni = 0\nwhile True:\n  setattr(a, 'n' + str(i), i)\n  i += 1\n");
  auto errors = session.interpreter.moduleErrors();
  ASSERT_FALSE(errors.empty());
  EXPECT_NE(errors[0].message.find("attribute names"), std::string::npos) << errors[0].message;
}

TEST(BudgetTest, ErrorsOfAModuleAreBounded) {
  std::string wrong;
  for (int i = 0; i < 20'000; ++i)
    wrong += "x = nope;";
  Session session;
  session.run(wrong + "\nwhile True: pass\n");
  auto errors = session.interpreter.moduleErrors();
  EXPECT_GT(errors.size(), 1000u);
  EXPECT_LT(errors.size(), 10'000u);
  EXPECT_TRUE(errors.back().exhausted); // it says where evaluation stopped
}

TEST(BudgetTest, MemoryOfLongIntsIsBounded) {
  Session session;
  session.run("x = []\na = 3**30000\nwhile True:\n  a = a + 1\n  x.append(a)\n");
  ASSERT_FALSE(session.interpreter.moduleErrors().empty());
  EXPECT_LT(session.heap.bytes(), 160u << 20);
}

TEST(BudgetTest, TestsAndFixturesShareTheSteps) {
  Session session;
  std::string source = "import pytest\n@pytest.fixture(params=list(range(1000)))\n"
                       "def data(request):\n  while True: pass\n";
  for (int i = 0; i < 50; ++i)
    source += "def test_" + std::to_string(i) + "(data):\n  while True: pass\n";
  auto tree =
      syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(source), {}, session.names);
  EvaluationRequest request;
  request.source = {tree->body(), "t.py", "t", tree};
  auto evaluation = ModuleEvaluation::evaluate(session.names, std::move(request));
  EXPECT_LE(evaluation->stepsSpent(), Budget().steps * 3 / 2);
}

// ---------------------------------------------------------------- numbers

struct Number {
  const char* expression;
  const char* result;
};

class NumberTest : public testing::TestWithParam<Number> {};

TEST_P(NumberTest, IsAsPythonSays) {
  Session session;
  EXPECT_EQ(session.result(std::string("import math\nout = ") + GetParam().expression + "\n"),
            GetParam().result);
}

constexpr const char* tooManyDigits =
    "ValueError: Exceeds the limit (4300 digits) for integer string conversion; use "
    "sys.set_int_max_str_digits() to increase the limit";

INSTANTIATE_TEST_SUITE_P(
    Programs, NumberTest,
    testing::Values(
        Number{"-2**63 // -1", "9223372036854775808"}, Number{"-2**63 % -1", "0"},
        Number{"(-2**63) * (-1)", "9223372036854775808"},
        Number{"-(-2**63)", "9223372036854775808"}, Number{"abs(-2**63)", "9223372036854775808"},
        Number{"len(str(10**4299))", "4300"}, Number{"str(10**4300)", tooManyDigits},
        Number{"'%d' % 10**4300", tooManyDigits}, Number{"f'{10**4300}'", tooManyDigits},
        Number{"len(hex(10**4300))", "3574"},
        Number{"int('9' * 4301)",
               "ValueError: Exceeds the limit (4300 digits) for integer string conversion: value "
               "has 4301 digits; use sys.set_int_max_str_digits() to increase the limit"},
        Number{"int('9' * 4300) == 10**4300 - 1", "True"},
        Number{"int('f' * 1000, 16) == 16**1000 - 1", "True"},
        Number{"3**200 == int(str(3**200))", "True"},
        Number{"(-3)**201 == -int(str(3**201))", "True"},
        Number{"str(-10**40)", "'-10000000000000000000000000000000000000000'"},
        Number{"(10**40 + 7) * (10**38 - 3) % 1000000007", "730610331"},
        Number{"(7**300 // 7**299, 7**300 % 7**299)", "(7, 0)"},
        Number{"(-7**100) // 3**50 * 3**50 + (-7**100) % 3**50 == -7**100", "True"},
        Number{"1 << 62 << 1", "9223372036854775808"}, Number{"1 >> 10**30", "0"},
        Number{"-1 >> 10**30", "-1"}, Number{"math.ldexp(1.0, 10**6)", "inf"},
        Number{"math.isqrt(10**100) == 10**50", "True"},
        Number{"math.gcd(-2**62, 2**61)", "2305843009213693952"},
        Number{"len(range(-2**63, 2**63 - 1, 2**62))", "4"},
        Number{"list(range(-2**63, 2**63 - 1, 2**62))",
               "[-9223372036854775808, -4611686018427387904, 0, 4611686018427387904]"},
        Number{"[i for i in range(2**63 - 1, -2**63, -2**62)]",
               "[9223372036854775807, 4611686018427387903, -1, -4611686018427387905]"},
        Number{"'abc'[-10**30:10**30]", "'abc'"}, Number{"'abc'.center(-2**63)", "'abc'"},
        Number{"'abc'.zfill(-10**30)", "'abc'"}, Number{"'abc'.ljust(-2**63, 'x')", "'abc'"},
        Number{"f'{1:010,}'", "'00,000,001'"}, Number{"f'{1234567:,}'", "'1,234,567'"},
        Number{"f'{1:012_}'", "'0_000_000_001'"}, Number{"f'{1:09,}'", "'0,000,001'"},
        Number{"'{:{}}'.format(1, 5)", "'    1'"},
        Number{"'{:{:{}}}'.format(1, 2, 3)", "ValueError: Max string recursion exceeded"},
        Number{"'a,b,,c'.rsplit(',')", "['a', 'b', '', 'c']"},
        Number{"'aaa'.rsplit('aa')", "['a', '']"}, Number{"'a b'.split(' ', -2**63)", "['a', 'b']"},
        Number{"'aa'.replace('a', 'b', -2**63)", "'bb'"}, Number{"'aaa'.split('aa')", "['', 'a']"},
        Number{"'a--b--c'.rsplit('--', 1)", "['a--b', 'c']"},
        Number{"('x' * 40).rfind('x' * 20)", "20"}, Number{"('xy' * 40).rindex('yx' * 10)", "59"},
        Number{"'abcabc'.count('bc')", "2"}, Number{"'abc'.count('')", "4"},
        Number{"'abc'.strip('ca')", "'b'"}, Number{"'a.b'.partition('.')", "('a', '.', 'b')"}),
    [](const auto& info) { return nameOf(info.param.expression) + std::to_string(info.index); });

TEST(BudgetTest, TensorsOfAnySizeAreAsked) {
  Session session;
  session.run(R"(
import torch
for n in (-2**63, -2**62, -1, 0, 1, 3, 2**31, 2**62, 2**63 - 1, 2**64):
    for m in (-2**63, -1, 0, 7, 2**62, 2**63 - 1):
        for make in (torch.empty, torch.zeros, torch.ones, torch.randn):
            x = make(n, m)
            x = make((n, m), dtype=torch.float64)
        for f in (lambda: x.numel(), lambda: x.nbytes, lambda: x.chunk(m), lambda: x.split(m),
                  lambda: x.split([n, m, n]), lambda: x.unbind(), lambda: x.view(torch.int8),
                  lambda: x.view(-1, n), lambda: x.reshape(m, -1, n), lambda: x.expand(m, n, m),
                  lambda: x.repeat(n, m), lambda: x.narrow(0, n, m), lambda: x.select(1, n),
                  lambda: x[n:m], lambda: x[m], lambda: x[..., n:], lambda: x.flatten(),
                  lambda: x.as_strided((n, m), (m, n), n), lambda: x.is_contiguous(),
                  lambda: torch.cat([x, x, x]), lambda: torch.stack([x, x]), lambda: torch.empty_like(x),
                  lambda: torch.arange(n, m), lambda: torch.arange(0, n, m), lambda: torch.eye(n, m),
                  lambda: torch.linspace(0, 1, n), lambda: torch.empty_strided((n, m), (m, n)),
                  lambda: list(x), lambda: x @ x, lambda: x.unsqueeze(n), lambda: x.to(torch.int8)):
            try:
                y = f()
                z = (y.shape, y.stride(), y.data_ptr() % 16)
            except Exception:
                pass
x = torch.empty(2)
for i in range(1000):
    x = torch.stack([x])
rank = x.dim()
torch.einsum(b'\xff\xfe->\xff', x)
)");
  EXPECT_FALSE(session.interpreter.failed());
}

// ---------------------------------------------------------------- depth

TEST(BudgetTest, RecursionEnds) {
  for (const char* source : {
           "class A: pass\nA.__call__ = A()\nA()()",
           "import functools\nf = print\nfor i in range(200000): f = functools.partial(f, 1)\nf()",
           "class A:\n  def f(self): pass\nm = A().f\nfor i in range(1000): m = m.__get__(m)\nm()",
           "class A:\n  def __getattr__(self, n): return getattr(self, n + 'x')\nA().y",
           "class A:\n  @property\n  def p(self): return self.q\n  @property\n  def q(self): "
           "return "
           "self.p\nA().p",
           "def d(f):\n  def g(): return f()\n  return g\ndef h(): return 1\nfor i in "
           "range(10**5): h = d(h)\nh()",
           "class A:\n  def __iter__(self): return iter(A())\na, b = A()",
           "class A(Exception):\n  def __str__(self): raise A()\nraise A()",
           "class A:\n  def __class_getitem__(cls, i): return cls[i]\nA[1]",
           "from triton.experimental.gluon import language as gl\nl = []\nl.append(l)\nc = "
           "gl.constexpr(l)",
           "from triton.experimental.gluon import language as gl\nx = 1\nfor i in range(50000): x "
           "= gl.constexpr([x])",
           "from triton.experimental.gluon import language as gl\nx = 1\nfor i in range(60): x = "
           "(gl.constexpr(x), gl.constexpr(x))",
           "t = (1,)\nfor i in range(60): t = (t, t)\nimport copy\nu = copy.deepcopy(t)",
           "l = []\nl.append(l)\nimport copy\nm = copy.deepcopy(l)\nassert m[0] is m",
           "import triton\nfrom triton.experimental import gluon\nfrom triton.experimental.gluon "
           "import language as gl\n"
           "@gluon.constexpr_function\ndef f(x): return 1\nt = (gl.constexpr(1),)\nfor i in "
           "range(60): t = (t, t)\nf(t)",
       }) {
    Session session;
    session.run(source);
    EXPECT_FALSE(session.interpreter.failed()) << source;
    EXPECT_LT(session.heap.bytes(), 160u << 20) << source;
  }
  // Flat in the text, nested when it runs.
  auto repeated = [](std::string begin, std::string part, int times, std::string end) {
    for (int i = 0; i < times; ++i)
      begin += part;
    return begin + end;
  };
  for (const std::string& source :
       {repeated(
            "class C:\n  def __enter__(self): pass\n  def __exit__(self, *a): pass\nc = C()\nwith ",
            "c, ", 10000, "c: x = 1\n"),
        repeated("x = [1 ", "for i in (1,) ", 10000, "]\n"), repeated("f'{1:", "{1:", 2000, "}'\n"),
        repeated("'", "{:", 60000, "'.format(1)\n"), repeated("a = 1\nb = a", ".b", 60000, "\n"),
        repeated("if 0: pass\n", "elif 0: pass\n", 60000, "")}) {
    Session session;
    session.run(source);
    EXPECT_FALSE(session.interpreter.failed());
  }
}

} // namespace
} // namespace gluond::evaluate
