// Programs whose code runs in the middle of a native loop and changes what the loop walks over: the
// answer is Python's, and nothing that is gone is read (run under the address sanitizer).
#include "Session.h"

namespace gluond::evaluate {
namespace {

struct Program {
  const char* name;
  const char* source;
  const char* out; // what CPython prints of `out`, or the exception it raises
};

// Objects that run `act` whenever they are compared, hashed, shown, counted or used as an index.
constexpr const char* prelude = R"(
class Eq:
    def __init__(self, act, result=False): self.act = act; self.result = result
    def __eq__(self, other):
        self.act()
        return self.result
    __hash__ = None
class Lt:
    def __init__(self, act): self.act = act
    def __lt__(self, other):
        self.act()
        return True
class Index:
    def __init__(self, act, value): self.act = act; self.value = value
    def __index__(self):
        self.act()
        return self.value
class Shown:
    def __init__(self, act): self.act = act
    def __repr__(self):
        self.act()
        return 'S'
class Key:
    def __init__(self, act, h=1000, same=False): self.act = act; self.h = h; self.same = same
    def __hash__(self): return self.h
    def __eq__(self, other):
        self.act()
        return self.same
def nothing(): pass
)";

class ReentrancyTest : public testing::TestWithParam<Program> {};

TEST_P(ReentrancyTest, AsPython) {
  Session session;
  EXPECT_EQ(session.result(std::string(prelude) + GetParam().source), GetParam().out);
}

const Program programs[] = {
    // ------------------------------------------------------------ lists
    {"RemoveClears", R"(
L = []
L.extend([Eq(lambda: L.clear()), 1, 2])
try:
    L.remove(5)
except ValueError as e:
    out = (L, str(e))
)",
     "([], 'list.remove(x): x not in list')"},
    {"RemoveShrinksAndFinds", R"(
L = []
def act():
    if len(L) > 2: del L[2:]
L.extend([1, Eq(act, True), 3, 4] + list(range(100)))
L.remove(5)
out = L
)",
     "[1]"},
    {"IndexGrows", R"(
L = []
L.extend([Eq(lambda: L.extend([7] * 1000)), 1])
out = L.index(7)
)",
     "2"},
    {"IndexClears", R"(
L = []
L.extend([Eq(lambda: L.clear())] + [0] * 50)
out = (L.count(3), L)
)",
     "(0, [])"},
    {"InClears", R"(
L = []
L.extend([Eq(lambda: L.clear())] + [0] * 50)
out = (3 in L, L)
)",
     "(False, [])"},
    {"EqualClears", R"(
L = []
L.extend([Eq(lambda: L.clear(), True)] + [0] * 50)
out = (L == [1] + [0] * 50, L)
)",
     "(False, [])"},
    {"EqualClearsTheOther", R"(
M = [0] * 51
L = [Eq(lambda: M.clear(), True)] + [0] * 50
out = (L == M, len(L), M)
)",
     "(False, 51, [])"},
    {"LessClears", R"(
L = []
L.extend([Eq(lambda: L.clear(), True)] + [0] * 50)
out = (L < [1] + [5] * 50, L)
)",
     "(True, [])"},
    {"ReprClears", R"(
L = []
L.extend([Shown(lambda: L.clear())] + [0] * 50)
out = (repr(L), L)
)",
     "('[S]', [])"},
    {"ReprGrows", R"(
L = []
def act():
    if len(L) < 40: L.extend([1] * 40)
L.extend([Shown(act)])
out = len(repr(L))
)",
     "123"},
    {"DeleteAtIndexThatClears", R"(
L = list(range(50))
try:
    del L[Index(lambda: L.clear(), 3)]
except IndexError as e:
    out = str(e)
)",
     "'list assignment index out of range'"},
    {"StoreAtIndexThatClears", R"(
L = list(range(50))
try:
    L[Index(lambda: L.clear(), 3)] = 1
except IndexError as e:
    out = str(e)
)",
     "'list assignment index out of range'"},
    {"ReadAtIndexThatClears", R"(
L = list(range(50))
try:
    out = L[Index(lambda: L.clear(), 3)]
except IndexError as e:
    out = str(e)
)",
     "'list index out of range'"},
    {"SliceFromIndexThatClears", R"(
L = list(range(50))
out = L[Index(lambda: L.clear(), 3):]
)",
     "[]"},
    {"StoreSliceFromIndexThatClears", R"(
L = list(range(50))
L[Index(lambda: L.clear(), 3):] = [1, 2]
out = L
)",
     "[1, 2]"},
    {"StoreSliceOfIterableThatClears", R"(
L = list(range(50))
class It:
    def __iter__(self):
        L.clear()
        return iter([1, 2])
L[10:20] = It()
out = L
)",
     "[1, 2]"},
    {"DeleteSliceFromIndexThatClears", R"(
L = list(range(50))
del L[Index(lambda: L.clear(), 3)::2]
out = L
)",
     "[]"},
    {"SortChanges", R"(
L = list(range(50))
try:
    L.sort(key=lambda x: L.append(x) or -x)
except ValueError as e:
    out = (str(e), L[0], len(L))
)",
     "('list modified during sort', 49, 50)"},
    {"SortClears", R"(
L = []
L.extend([Lt(lambda: L.clear()) for i in range(20)])
L.sort()
out = len(L)
)",
     "20"},
    {"SortSeesAnEmptyList", R"(
L = [3, 1, 2]
seen = []
L.sort(key=lambda x: seen.append(len(L)) or x)
out = (seen, L)
)",
     "([0, 0, 0], [1, 2, 3])"},
    {"SortKeepsItsItemsWhenAKeyRaises", R"(
L = [3, 1, 2]
try:
    L.sort(key=lambda x: 1 // (x - 1))
except ZeroDivisionError:
    out = sorted(L)
)",
     "[1, 2, 3]"},
    {"ExtendByItself", "out = [1, 2]\nout.extend(out)\nout += out", "[1, 2, 1, 2, 1, 2, 1, 2]"},
    {"StoreItselfIntoASlice", "out = [1, 2, 3]\nout[1:2] = out", "[1, 1, 2, 3, 3]"},
    {"LoopSeesWhatIsAppended", R"(
L = [1]
out = []
for x in L:
    out.append(x)
    if len(L) < 100: L.append(x + 1)
out = len(out)
)",
     "100"},
    {"LoopOverClearedList", R"(
L = list(range(50))
out = []
for x in L:
    out.append(x)
    L.clear()
)",
     "[0]"},
    {"MaxClears", R"(
L = list(range(50))
out = (max(list(L), key=lambda x: L.clear() or x), L)
)",
     "(49, [])"},
    {"MapAppends", R"(
L = [1, 2]
out = (list(map(lambda x: L.append(x) if len(L) < 5 else None, list(L))), L)
)",
     "([None, None], [1, 2, 1, 2])"},
    {"ReduceClears", R"(
import functools
L = [1, 2, 3]
out = functools.reduce(lambda a, b: L.clear() or a + b, list(L))
)",
     "6"},
    {"CallWithItemsOfAListThatShrinks", R"(
L = list(range(50))
def f(*args):
    L.clear()
    return sum(args)
out = f(*L)
)",
     "1225"},
    // ------------------------------------------------------------ dicts and sets
    {"LookUpClears", R"(
d = {}
for i in range(30): d[i] = i
d[Key(lambda: d.clear())] = 0
out = (d.get(Key(nothing)), len(d))
)",
     "(None, 0)"},
    {"LookUpGrows", R"(
d = {}
def act():
    if len(d) < 500:
        for i in range(100, 600): d[i] = i
d[Key(act)] = 0
out = (d.get(Key(nothing)), len(d))
)",
     "(None, 501)"},
    {"StoreGrows", R"(
d = {}
def act():
    if len(d) < 500:
        for i in range(100, 600): d[i] = i
d[Key(act)] = 0
d[Key(nothing)] = 1
out = len(d)
)",
     "502"},
    {"EraseClears", R"(
d = {}
d[Key(lambda: d.clear(), same=True)] = 0
for i in range(30): d[i] = i
try:
    del d[Key(nothing)]
except KeyError:
    out = len(d)
)",
     "0"},
    {"LookUpThatErasesIsMadeAgain", R"(
d = {}
count = []
def act():
    count.append(1)
    if len(count) == 1: d[99] = 1
d[Key(act, same=True)] = 'found'
out = (d[Key(nothing)], len(count))
)",
     "('found', 1)"},
    {"DictEqualClears", R"(
d = {}
d['a'] = Eq(lambda: d.clear(), True)
for i in range(30): d[i] = i
e = {'a': 1}
for i in range(30): e[i] = i
out = (d == e, len(d))
)",
     "(True, 0)"},
    {"DictReprClears", R"(
d = {}
d['a'] = Shown(lambda: d.clear())
for i in range(30): d[i] = i
out = (repr(d), d)
)",
     "(\"{'a': S}\", {})"},
    {"SetOperatorsClear", R"(
s = set()
for i in range(10): s.add(Key(lambda: len(s) == 10 and s.clear(), h=i % 3))
t = {Key(nothing, h=i % 3) for i in range(10)}
out = (len(t - s), s)
)",
     "(10, set())"},
    {"UpdateFromItself", R"(
d = {i: i for i in range(20)}
d.update(d)
out = len(d)
)",
     "20"},
    {"SetUpdateFromItself", R"(
s = {1, 2, 3}
s |= s
s.update(s)
s -= s
out = s
)",
     "set()"},
    {"PopItemAsksNoKey", R"(
d = {Key(lambda: d.clear()): 1}
out = (d.popitem()[1], len(d))
)",
     "(1, 0)"},
    {"HashChanges", R"(
class H:
    def __hash__(self):
        d.clear()
        return 1
d = {i: i for i in range(30)}
out = (H() in d, d.pop(H(), 5), d)
)",
     "(False, 5, {})"},
    {"DefaultFactoryChanges", R"(
import collections
d = collections.defaultdict(lambda: len([d[i] for i in range(0)]))
out = (d['a'], len(d))
)",
     "(0, 1)"},
    // ------------------------------------------------------------ attributes and classes
    {"SetNameAddsMembers", R"(
class D:
    def __set_name__(self, owner, name):
        for i in range(100): setattr(owner, name + str(i), i)
class C:
    a = D()
    b = D()
    c = D()
out = (C.a99, C.b50, C.c0)
)",
     "(99, 50, 0)"},
    {"EnumInitAddsMembers", R"(
import enum
class E(enum.Enum):
    A = 1
    B = 2
    def __init__(self, value):
        for i in range(50): setattr(type(self), 'x' + str(i), i)
out = (E.A.value, E.B.x49)
)",
     "(1, 49)"},
    {"FactoryDecoratesTheClassAgain", R"(
import dataclasses
def factory():
    C.__annotations__
    class Base: pass
    dataclasses.dataclass(C)
    return []
@dataclasses.dataclass
class C:
    a: list = dataclasses.field(default_factory=factory)
    b: int = 2
out = C().b
)",
     "2"},
    {"ReprAddsAttributes", R"(
import dataclasses
@dataclasses.dataclass
class C:
    a: object
    b: int = 2
def act():
    for i in range(100): setattr(c, 'x' + str(i), i)
c = C(Shown(act))
out = repr(c)
)",
     "'C(a=S, b=2)'"},
    {"NamespaceReprAddsAttributes", R"(
import types
n = types.SimpleNamespace()
def act():
    if not hasattr(n, 'x0'):
        for i in range(100): setattr(n, 'x' + str(i), i)
n.a = Shown(act)
n.b = 1
out = repr(n)[:18]
)",
     "'namespace(a=S, b=1'"},
    {"EqualAddsAttributes", R"(
import dataclasses
@dataclasses.dataclass
class C:
    a: object
    b: int = 2
def act():
    for i in range(100): setattr(c, 'x' + str(i), i)
c = C(Eq(act, True))
out = (c == C(1), c == C(1, 3))
)",
     "(True, False)"},
    // ------------------------------------------------------------ what contains itself
    {"ReprOfItself", R"(
L = [1]
L.append(L)
d = {}
d['d'] = d
t = ([],)
t[0].append(t)
out = repr((L, d, t))
)",
     "\"([1, [...]], {'d': {...}}, ([(...)],))\""},
    {"EqualOfItself", R"(
a = []
a.append(a)
b = []
b.append(b)
try:
    out = a == b
except RecursionError:
    out = 'RecursionError'
)",
     "'RecursionError'"},
    {"StrOfAnExceptionOfItself", R"(
e = ValueError()
e.args = (e,)
try:
    out = len(str(e))
except RecursionError:
    out = 'RecursionError'
)",
     "'RecursionError'"},
};

INSTANTIATE_TEST_SUITE_P(Programs, ReentrancyTest, testing::ValuesIn(programs),
                         [](const testing::TestParamInfo<Program>& info) {
                           return std::string(info.param.name);
                         });

} // namespace
} // namespace gluond::evaluate
