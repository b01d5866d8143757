// Native loops over containers are paid for by the value: a program that goes on for ever by
// methods and operators alone stops with its budget, and what is shared is not walked again and
// again. Each of these took as good as for ever when only its statements were counted.
#include "Session.h"
#include "support/ThreadClock.h"

#include <gmock/gmock.h>

namespace gluond::evaluate {
namespace {

struct Program {
  const char* name;
  const char* source;
  const char* out; // the beginning of `out`, or of the error
};

class CostTest : public testing::TestWithParam<Program> {};

TEST_P(CostTest, EndsWithinTheBudget) {
  InterpreterOptions options;
  options.budget.steps = 400'000;
  Session session(std::move(options));
  std::string out = session.result("L = list(range(20000))\nM = list(range(20000))\nT = tuple(L)\n"
                                   "d = dict.fromkeys(L)\ne = dict(d)\ns = set(L)\nt = set(M)\n" +
                                   std::string(GetParam().source));
  EXPECT_EQ(out.substr(0, std::string_view(GetParam().out).size()), GetParam().out) << out;
}

constexpr const char* exhausted = "exhausted: "; // whatever is blamed

const Program programs[] = {
    {"Count", "while True: L.count(-1)", exhausted},
    {"Index", "while True: L.index(19999)", exhausted},
    {"In", "while True: -1 in L", exhausted},
    {"InTuple", "while True: -1 in T", exhausted},
    {"Remove", "while True:\n    L.append(-1)\n    L.remove(-1)", exhausted},
    {"Sort", "while True: L.sort()", exhausted},
    {"Sorted", "while True: sorted(L)", exhausted},
    {"Max", "while True: max(L)", exhausted},
    {"Min", "while True: min(T)", exhausted},
    {"Sum", "while True: sum(L)", exhausted},
    {"Any", "z = [0] * 20000\nwhile True: any(z)", exhausted},
    {"All", "z = [1] * 20000\nwhile True: all(z)", exhausted},
    {"Reverse", "while True: L.reverse()", exhausted},
    {"InsertInFront", "while True: L.insert(0, 1)", exhausted},
    {"PopInFront", "while True:\n    L.pop(0)\n    L.append(1)", exhausted},
    {"DeleteInFront", "while True:\n    del L[0]\n    L.append(1)", exhausted},
    {"DeleteSlice", "while True: del L[-1:-1:2]", exhausted},
    {"StoreSlice", "while True: L[0:1] = [1]", exhausted},
    {"TakeSlice", "while True: L[::2]", exhausted},
    {"Equal", "while True: L == M", exhausted},
    {"Less", "while True: L < M", exhausted},
    {"EqualDicts", "while True: d == e", exhausted},
    {"EqualSets", "while True: s == t", exhausted},
    {"Subset", "while True: s <= t", exhausted},
    {"Intersection", "while True: s & t", exhausted},
    {"Difference", "while True: s - t", exhausted},
    {"SetUpdate", "while True: s |= t", exhausted},
    {"DictUpdate", "while True: d.update(e)", exhausted},
    {"Keys", "while True: d.keys()", exhausted},
    {"Items", "while True: d.items()", exhausted},
    {"CopyList", "while True: L.copy()", exhausted},
    {"HashOfLayouts",
     "from triton.experimental.gluon import language as gl\nx = gl.BlockedLayout([1], [32], [4], "
     "[0])\nx.order.extend(range(20000))\n"
     "while True: hash(x)",
     exhausted},
    {"ReprOfLayouts",
     "from triton.experimental.gluon import language as gl\nx = gl.BlockedLayout([1], [32], [4], "
     "[0])\nx.order.extend(range(20000))\n"
     "while True: repr(x)",
     exhausted},
    {"EqualityOfLayouts",
     "from triton.experimental.gluon import language as gl\nx = gl.BlockedLayout([1], [32], [4], "
     "[0])\nx.order.extend(range(20000))\nimport copy\ny = copy.deepcopy(x)\n"
     "while True: x == y",
     exhausted},
    {"AttributesOfAttributes",
     "import operator\nclass A: pass\na = A()\na.a = a\ng = operator.attrgetter('a' + '.a' * "
     "10**6)\n"
     "while True: g(a)",
     exhausted},
    {"ManyItems", "import operator\ng = operator.itemgetter(*[0] * 10**6)\nwhile True: g(L)",
     exhausted},
    {"SkippedMembers",
     "import itertools\nlist(itertools.islice(itertools.repeat(1, 10**18), 10**15, 10**15))",
     exhausted},
    {"NamespacesInNamespaces",
     "import types\nx = 1\nfor i in range(60): x = types.SimpleNamespace(a=x, b=x)\nrepr(x)",
     exhausted},
    {"CopiedAttributes",
     "import copy\nclass A: pass\na = A()\nfor i in range(5000): setattr(a, 'a%d' % i, i)\n"
     "while True: copy.copy(a)",
     exhausted},
    {"MoveToEnd", "while True: d.move_to_end(5)", exhausted},
    {"LongKeys", "x = 'a' * 10**7\nwhile True: x in d", exhausted},
    {"StoreAnywhere", "import time\ni = time.time()\nwhile True: L[i] = 1", exhausted},
    {"PopAnywhere", "import time\ni = time.time()\nwhile True: L.append(L.pop(i))", exhausted},
    {"Fields",
     "import collections\nn = ['a%d' % i for i in range(5000)]\nP = collections.namedtuple('P', "
     "n)\n"
     "k = {x: 1 for x in n}\nwhile True: P(**k)",
     exhausted},
    {"ReplacedFields",
     "import collections\nn = ['a%d' % i for i in range(5000)]\nP = collections.namedtuple('P', "
     "n)\n"
     "k = {x: 1 for x in n}\np = P(*n)\nwhile True: p._replace(**k)",
     exhausted},
    {"JoinedPath", "import os\nout = len(os.path.join(*['abcdefghi'] * 100000))", "999999"},
    {"CopyDict", "while True: d.copy()", exhausted},
    {"CopySet", "while True: s.copy()", exhausted},
    {"Hash", "while True: hash(T)", exhausted},
    {"Repr", "while True: repr(L)", exhausted},
    {"Enumerate", "while True: enumerate(L)", exhausted},
    {"Zip", "while True: zip(L, M)", exhausted},
    {"Reversed", "while True: reversed(L)", exhausted},
    {"Unpack", "while True: a, *b = L", exhausted},
    {"Star", "def f(*a): pass\nwhile True: f(*L)", exhausted},
    {"Accumulate", "import itertools\nwhile True: itertools.accumulate(L)", exhausted},
    {"Pairwise", "import itertools\nwhile True: itertools.pairwise(L)", exhausted},
    {"ZipLongest", "import itertools\nwhile True: itertools.zip_longest(L, M)", exhausted},
    {"GroupBy", "import itertools\nwhile True: itertools.groupby(L)", exhausted},
    {"Tee", "import itertools\nwhile True: itertools.tee(L, 64)", exhausted},
    {"Islice", "import itertools\nwhile True: itertools.islice(L, 15000)", exhausted},
    {"CombinationsWithoutResult",
     "import itertools\nout = list(itertools.combinations(range(40), 41))", "[]"},
    {"CombinationsOfNearlyAll",
     "import itertools\nout = len(list(itertools.combinations(range(60), 59)))", "60"},
    {"PermutationsOfNone", "import itertools\nout = list(itertools.permutations(range(9), 10))",
     "[]"},
    {"AttributeNames",
     "class A: pass\na = A()\ni = 0\nwhile True:\n    setattr(a, 'x' * 10000 + "
     "str(i), 1)\n    i += 1",
     exhausted},
    {"HasAttributeNames", "i = 0\nwhile True:\n    hasattr(L, 'x' * 10000 + str(i))\n    i += 1",
     exhausted},
    {"EqualTexts", "x = 'a' * 1000000 + 'b'\ny = 'a' * 1000000 + 'c'\nwhile True: x == y",
     exhausted},
    {"OrderOfTexts", "x = 'a' * 1000000 + 'b'\ny = 'a' * 1000000 + 'c'\nwhile True: x < y",
     exhausted},
    {"IsInstance", "t = (str,) * 20000\nwhile True: isinstance(1, t)", exhausted},
    {"EnumByValue",
     "import enum\nclass E(enum.Enum):\n    A = 'a'\n    B = "
     "list(L)\nwhile True: E(L)",
     exhausted},
    // A queue at either end is no walk.
    {"PopItems", "n = 0\nwhile d:\n    d.popitem()\n    n += 1\nout = n", "20000"},
    {"PopMembers", "n = 0\nwhile s:\n    s.pop()\n    n += 1\nout = n", "20000"},
    {"DeleteKeys", "for i in L: del d[i]\nout = len(d)", "0"},

    // Loops that may have been left where nothing is known of the condition
    {"MayBreak",
     "import elsewhere\nn = 0\nwhile True:\n    n += 1\n    if elsewhere.f(n): break\nout = "
     "'after'",
     "'after'"},
    {"MayReturn",
     "import elsewhere\ndef f():\n    while True:\n        for i in range(3):\n            if "
     "elsewhere.f(): return 1\n    raise ValueError\nf()\nout = 'after'",
     "'after'"},
    {"MayBreakInHandler",
     "import elsewhere\nwhile True:\n    try:\n        elsewhere.f()\n    except EOFError:\n       "
     " "
     "break\nout = 'after'",
     "'after'"},
    {"MayBreakAmongEndlessMembers",
     "import elsewhere, itertools\nfor i in itertools.count():\n    if elsewhere.f(): break\nout = "
     "'after'",
     "'after'"},
    {"BreaksAfterTen",
     "import elsewhere\nn = 0\nwhile True:\n    n += 1\n    if elsewhere.f(n): break\n    if n == "
     "10: break\nout = 'after'",
     "'after'"},
    {"BreaksOfInnerLoops",
     "import elsewhere\nwhile True:\n    for i in range(3):\n        if i == 1: break", exhausted},
    {"ImplicitClassMethods",
     "class A:\n    def __init_subclass__(cls): cls.n = 1\n    def __class_getitem__(cls, k): "
     "return "
     "k\nA.__init_subclass__()\nclass B(A): pass\nout = (A.n, B.n, A[2], A.__class_getitem__(3))",
     "(1, 1, 2, 3)"},

    // Shared structure
    {"SharedHash", "a = ()\nfor i in range(60): a = (a, a)\nhash(a)", exhausted},
    {"SharedEqual", "a = b = 1\nfor i in range(60):\n    a = (a, a)\n    b = (b, b)\na == b",
     exhausted},
    {"SharedLists", "a = b = 1\nfor i in range(60):\n    a = [a, a]\n    b = [b, b]\na == b",
     exhausted},
    {"SharedLess", "a = b = 1\nfor i in range(60):\n    a = (a, a)\n    b = (b, b)\na < b",
     exhausted},
    {"SharedRepr", "a = ()\nfor i in range(60): a = (a, a)\nrepr(a)", exhausted},
    {"SharedStr", "a = {}\nfor i in range(60): a = {1: a, 2: a}\nstr(a)", exhausted},
    {"SharedIsInstance", "a = str\nfor i in range(60): a = (a, a)\nisinstance(1, a)", exhausted},
    {"SharedIsSubclass", "a = str\nfor i in range(60): a = (a, a)\nissubclass(int, a)", exhausted},
    {"SharedAsDict",
     "import dataclasses\n@dataclasses.dataclass\nclass C:\n    x: object\na = 1\nfor i in "
     "range(60): a = [a, a]\ndataclasses.asdict(C(a))",
     exhausted},
    {"SharedDeepCopy",
     "import copy\na = []\nfor i in range(60): a = [a, a]\nb = copy.deepcopy(a)\nout = b[0] is "
     "b[1] and b is not a",
     "True"},
    {"DeepCopyOfItself", "import copy\na = [1]\na.append(a)\nb = copy.deepcopy(a)\nout = b[1] is b",
     "True"},
    {"DeepCopyTooDeep", "import copy\na = []\nfor i in range(5000): a = [a]\ncopy.deepcopy(a)",
     "RecursionError"},
    {"AsDictTooDeep",
     "import dataclasses\n@dataclasses.dataclass\nclass C:\n    x: object\na = 1\nfor i in "
     "range(5000): a = [a]\ndataclasses.asdict(C(a))",
     "RecursionError"},
    {"MapsOfMaps", "x = iter([1])\nfor i in range(40000): x = map(abs, x)\nnext(x)",
     "RecursionError"},
    {"IteratorsOfIterators",
     "import itertools\nx = iter([1])\nfor i in range(20000): x = filter(None, "
     "itertools.chain(zip(x)))\nlist(x)",
     "RecursionError"},
    {"FiveHundredMaps", "x = iter([1])\nfor i in range(500): x = map(abs, x)\nout = list(x)",
     "[1]"},
    {"ReprTooDeep", "a = []\nfor i in range(5000): a = [a]\nrepr(a)", "RecursionError"},
    {"DescriptorsTooDeep",
     "f = len\nfor i in range(5000): f = classmethod(f)\ngetattr(f, 'missing', 1)",
     "RecursionError"},
    {"StacksOfStacks",
     "import contextlib\nall = [contextlib.ExitStack() for i in range(5000)]\n"
     "for a, b in zip(all, all[1:]): a.enter_context(b)\nall[0].close()",
     "RecursionError"},
    {"ClosingOfStacks",
     "import contextlib\nall = [contextlib.ExitStack() for i in range(5000)]\n"
     "for a, b in zip(all, all[1:]): a.callback(b.close)\nall[0].close()",
     "RecursionError"},
    {"ClassThatInitializesItself", "class A: pass\nA.__init__ = A\nA()", "RecursionError"},
};

INSTANTIATE_TEST_SUITE_P(Programs, CostTest, testing::ValuesIn(programs),
                         [](const testing::TestParamInfo<Program>& info) {
                           return std::string(info.param.name);
                         });

// The keys of a mapping pattern are looked up in what is left for `**rest`.
TEST(Cost, OfMappingPatternsIsLinear) {
  auto nanoseconds = [](int count) {
    std::string keys;
    for (int i = 0; i < count; ++i)
      keys += std::to_string(i) + ": _, ";
    int64_t began = threadNanoseconds();
    Session session;
    EXPECT_EQ(session.result("match {i: i for i in range(40000)}:\n    case {" + keys +
                             "**rest}:\n        out = len(rest)\n"),
              std::to_string(40'000 - count));
    return threadNanoseconds() - began;
  };
  EXPECT_LT(nanoseconds(32'000), 10 * nanoseconds(8'000)); // quadratic work takes 16 times as long
}

// A project's settings are looked through for each statement and each import.
TEST(Cost, OfManySettingsIsCharged) {
  InterpreterOptions options;
  options.budget.steps = 400'000;
  for (unsigned i = 0; i < 100'000; ++i) {
    options.environment.constants.push_back("program.name" + std::to_string(i) + "=1");
    options.environment.aliases.push_back("name" + std::to_string(i) + "=other");
  }
  for (const char* program : {"while True: import nowhere", "x = 1\ny = 2\n"}) {
    Session session(options);
    std::string source;
    for (unsigned i = 0; i < 1000; ++i)
      source += program + std::string("\n");
    EXPECT_THAT(session.result(source), testing::StartsWith("exhausted")) << program;
  }
}

// The states that objects may have at returns that may have happened are kept until the function
// ends, and names for ever.
TEST(Cost, OfWhatIsKeptIsCharged) {
  auto ends = [](const std::string& source) {
    InterpreterOptions options;
    options.budget.memoryBytes = 8 << 20;
    options.budget.nameBytes = 1 << 20;
    Session session(std::move(options));
    return session.result(source);
  };
  auto repeated = [](const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
      all += text;
    return all;
  };
  EXPECT_THAT(ends("import nowhere\n"
                   "L = [0] * 250\n"
                   "D = {i: i for i in range(250)}\n"
                   "def f():\n" +
                   repeated("    if nowhere.x:\n"
                            "        L.append(1)\n"
                            "        D[0] = L\n"
                            "        return 1\n"
                            "    L[0] = 2\n",
                            1000) +
                   "f()\n"),
              testing::HasSubstr("MB of values"));
  EXPECT_THAT(ends("from triton.experimental.gluon import language as gl\n"
                   "i = 0\n"
                   "while True:\n"
                   "    gl.tuple_type([gl.int32], ['field%d' % i])\n"
                   "    i += 1\n"),
              testing::HasSubstr("MB of attribute names"));
}

} // namespace
} // namespace gluond::evaluate
