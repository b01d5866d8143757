# Small programs; each leaves its result in `out`. See scripts/oracle/record_python.py.
# --- functions and closures
def outer(a, b=2, *args, c, d=4, **kw):
    def inner(x):
        nonlocal a
        a += x
        return a
    return inner(1), inner(2), a, b, args, c, d, sorted(kw.items())
out = [outer(1, c=3), outer(1, 5, 6, 7, c=0, e=9)]
# --- argument errors
def f(a, b, *, k):
    return a
def g(a, b=1):
    return a
def h():
    return 0
def call(fn, *args, **kw):
    try:
        return fn(*args, **kw)
    except TypeError as e:
        return str(e)
out = [call(f), call(f, 1), call(f, 1, 2), call(f, 1, 2, 3, k=1), call(f, 1, 2, k=3, z=1), call(g, 1, 2, 3), call(h, 1), call(g, 1, a=2), call(g)]
# --- loops
out = []
for i in range(5):
    if i == 1:
        continue
    if i == 4:
        break
    out.append(i)
else:
    out.append("else")
for i in []:
    pass
else:
    out.append("empty")
n = 0
while n < 3:
    n += 1
else:
    out.append(n)
while True:
    n += 1
    if n > 6:
        break
out.append(n)
# --- unpacking
a, b = 1, 2
a, b = b, a
(c, d), e = (3, 4), 5
f, *g, h = range(5)
*i, j = "xyz"
[k, l] = [6, 7]
m = n = []
m.append(1)
out = [a, b, c, d, e, f, g, h, i, j, k, l, n]
# --- unpacking errors
def attempt(fn):
    try:
        fn()
    except Exception as e:
        return type(e).__name__ + ": " + str(e)
def one():
    a, b = 1, 2, 3
def two():
    a, b = [1]
def three():
    a, *b, c = [1]
def four():
    a, b = 5
out = [attempt(f) for f in (one, two, three, four)]
# --- classes
class Base:
    count = 0
    def __init__(self, x):
        self.x = x
        Base.count += 1
    def get(self):
        return self.x
    @property
    def double(self):
        return self.x * 2
    @double.setter
    def double(self, v):
        self.x = v // 2
    @staticmethod
    def make(x):
        return Base(x)
    @classmethod
    def create(cls, x):
        return cls(x)
    def __repr__(self):
        return f"{type(self).__name__}({self.x})"
class Child(Base):
    def __init__(self, x, y):
        super().__init__(x)
        self.y = y
    def get(self):
        return super().get() + self.y
    @classmethod
    def create(cls, x):
        return cls(x, 10)
a = Base(1)
b = Child(2, 3)
a.double = 10
out = [a, b, a.get(), b.get(), b.double, Base.make(5), Child.create(7), Base.count, isinstance(b, Base), issubclass(Child, Base), Child.__mro__[1].__name__, Child.__name__]
# --- operators of classes
class V:
    def __init__(self, x): self.x = x
    def __add__(self, o): return V(self.x + (o.x if isinstance(o, V) else o))
    def __radd__(self, o): return V(o + self.x)
    def __mul__(self, o): return NotImplemented
    def __rmul__(self, o): return V(o * self.x)
    def __neg__(self): return V(-self.x)
    def __eq__(self, o): return isinstance(o, V) and self.x == o.x
    def __lt__(self, o): return self.x < o.x
    def __hash__(self): return hash(self.x)
    def __repr__(self): return f"V({self.x})"
    def __len__(self): return self.x
    def __getitem__(self, i): return self.x * i
    def __contains__(self, i): return i == self.x
    def __call__(self, *a, **k): return (a, k)
    def __bool__(self): return self.x > 0
    def __iter__(self): return iter(range(self.x))
    def __iadd__(self, o):
        self.x += o
        return self
v = V(3)
out = [v + 1, 1 + v, v + V(2), 2 * v, -v, v == V(3), v != V(3), v == 3, sorted([V(2), V(1)]), len(v), v[4], 3 in v, v(1, a=2), bool(V(0)), list(v), V(1) in {V(1): 0}]
try:
    v * 2
except TypeError as e:
    out.append(str(e))
v += 5
out.append(v)
# --- exceptions
def f(x):
    log = []
    try:
        log.append("try")
        if x == 1:
            raise ValueError("bad", 1)
        if x == 2:
            {}["k"]
        if x == 3:
            return log
        log.append("no error")
    except (ValueError, TypeError) as e:
        log.append(("value", e.args))
    except KeyError as e:
        log.append(("key", str(e), e.args))
    else:
        log.append("else")
    finally:
        log.append("finally")
    return log
class MyError(ValueError):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code
out = [f(0), f(1), f(2), f(3)]
try:
    try:
        raise MyError(7)
    except ValueError as e:
        out.append((str(e), e.code, repr(e)))
        raise
except MyError as e:
    out.append("again")
try:
    raise RuntimeError
except Exception as e:
    out.append(repr(e))
try:
    raise 5
except TypeError as e:
    out.append(str(e))
try:
    assert 1 == 2, "no"
except AssertionError as e:
    out.append(str(e))
try:
    x = undefined
except NameError as e:
    out.append(str(e))
# --- with statements
log = []
class C:
    def __init__(self, swallow): self.swallow = swallow
    def __enter__(self):
        log.append("enter")
        return self
    def __exit__(self, t, v, tb):
        log.append(("exit", t.__name__ if t else None))
        return self.swallow
with C(False) as c:
    log.append(c.swallow)
with C(True), C(False):
    raise ValueError("x")
try:
    with C(False):
        raise KeyError("y")
except KeyError:
    log.append("caught")
out = log
# --- generators
def gen(n):
    for i in range(n):
        yield i * i
def both():
    yield from gen(3)
    yield "end"
def pairs(xs):
    for i, x in enumerate(xs):
        yield i, x
out = [list(gen(4)), list(both()), sum(gen(5)), dict(pairs("ab")), [x for x in gen(3) if x], next(gen(2)), max(gen(4))]
# --- generators by a yield inside an expression
def chained(n):
    if n and (yield n):
        return
    total = sum([(yield n + 1) or 5])
    yield total
def inner_only():
    make = lambda: [(yield)]
    return 3
out = [list(chained(1)), list(chained(0)), inner_only()]
# --- dataclasses
from dataclasses import dataclass, field, replace, asdict, fields
@dataclass
class P:
    x: int
    y: int = 2
    tags: list = field(default_factory=list)
    def total(self): return self.x + self.y
@dataclass(frozen=True)
class F:
    a: int
    b: str = "b"
    def __post_init__(self):
        if self.a < 0:
            raise ValueError("negative")
@dataclass(order=True)
class O:
    a: int
    b: int = field(default=0, repr=False)
@dataclass
class Q(P):
    z: int = 5
p = P(1)
p.tags.append(3)
out = [p, P(1, 3) == P(1, 3), P(1) == P(2), P(4).total(), P(1).tags, F(1), replace(F(1), b="c"), hash(F(1)) == hash(F(1)), O(1) < O(2), O(1, 5), Q(1, z=7), asdict(F(2)), [f.name for f in fields(P)], F(1) in {F(1)}]
for fn in (lambda: F(-1), lambda: setattr(F(1), "a", 2), lambda: P(), lambda: P(1, 2, [], 4), lambda: P(1, q=3), lambda: hash(P(1))):
    try:
        fn()
    except Exception as e:
        out.append(type(e).__name__ + ": " + str(e))
# --- namedtuples
from collections import namedtuple
from typing import NamedTuple, Optional
A = namedtuple("A", ["x", "y"])
B = namedtuple("B", "p q", defaults=[5])
class C(NamedTuple):
    a: int
    b: str = "z"
    def both(self): return (self.a, self.b)
a = A(1, 2)
x, y = a
out = [a, a.x, a[1], x + y, B(1), C(3), C(3).both(), a._replace(x=9), a._asdict(), A._fields, a == (1, 2), isinstance(a, tuple), len(a), C(b="q", a=1)]
# --- enums
from enum import Enum, IntEnum, auto
class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1
    def lower(self): return self.name.lower()
class N(IntEnum):
    A = auto()
    B = auto()
class S(str, Enum):
    X = "x"
out = [Color.RED, Color.RED.value, Color.RED.name, Color(2), Color["GREEN"], Color.CRIMSON, list(Color), Color.RED == Color.RED, Color.RED == 1, N.A + 1, N.B > N.A, N.A == 1, N(2), S.X == "x", Color.RED.lower(), len(Color), Color.RED in {Color.RED: 1}, str(Color.RED), isinstance(N.A, int), f"{Color.GREEN}", f"{N.B}", {c.name: c.value for c in Color}]
try:
    Color(9)
except ValueError as e:
    out.append(str(e))
# --- functools and itertools
import functools
import itertools
from functools import partial, reduce, lru_cache, wraps
@lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def deco(fn):
    @wraps(fn)
    def wrapper(*a, **k):
        return ("wrapped", fn(*a, **k))
    return wrapper
@deco
def add(a, b=1): return a + b
p = partial(add, 5, b=6)
out = [fib(30), add(1), add.__name__, p(), p(b=7), p.args, reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(lambda a, b: a + b, [], 5),
       list(itertools.product([1, 2], "ab")), list(itertools.product("ab", repeat=2)), list(itertools.chain([1], "b")), list(itertools.chain.from_iterable([[1], [2]])),
       list(itertools.combinations([1, 2, 3], 2)), list(itertools.permutations([1, 2, 3], 2)), list(itertools.islice(itertools.count(5), 3)), list(itertools.accumulate([1, 2, 3])),
       list(itertools.repeat(1, 2)), list(itertools.starmap(pow, [(2, 3)])), list(itertools.takewhile(lambda x: x < 3, [1, 2, 3, 1])), list(itertools.dropwhile(lambda x: x < 3, [1, 2, 3, 1])),
       list(itertools.zip_longest([1, 2], [3], fillvalue=0)), [(k, list(g)) for k, g in itertools.groupby([1, 1, 2])], list(zip(itertools.count(), "ab"))]
# --- math
import math
out = [math.sqrt(2), math.floor(-1.5), math.ceil(1.2), math.log2(8), math.log(math.e), math.log(8, 2), math.pi, math.gcd(12, 18), math.lcm(4, 6), math.prod([1, 2, 3]), math.isqrt(17), math.factorial(20),
       math.factorial(25), math.comb(5, 2), math.inf, math.isnan(math.nan), math.trunc(-1.5), math.fmod(7, 3), math.hypot(3, 4), math.exp(0), math.copysign(1, -0.0), math.isclose(0.1 + 0.2, 0.3), math.log10(1000), math.pow(2, 3), math.frexp(8.0)]
for f in (lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.sqrt("a"), lambda: math.factorial(-1)):
    try:
        f()
    except Exception as e:
        out.append(type(e).__name__)
# --- mutation
a = [1, 2, 3]
b = a
b += [4]
a[0] = 9
a[1:2] = [7, 8]
del a[-1]
a.insert(1, 5)
a.extend("x")
a.remove(3)
d = {"a": 1}
d["b"] = 2
d.update({"c": 3}, e=5)
del d["a"]
d.setdefault("f", []).append(1)
s = {1}
s.add(2)
s.discard(9)
s |= {3}
t = (1, [2])
t[1].append(3)
c = a.copy()
c.reverse()
a.sort(key=str)
out = [a, b is a, d, sorted(s), t, c, list(d.items()), d.pop("b"), d]
x = [0] * 3
x[::2] = [1, 1]
out.append(x)
# --- scopes
x = 1
def read(): return x
def shadow():
    x = 2
    return x
def change():
    global x
    x = 5
def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step
c = counter()
fs = [lambda i=i: i for i in range(3)]
gs = [lambda: i for i in range(3)]
out = [read(), shadow(), change(), read(), c(), c(), [f() for f in fs], [g() for g in gs]]
class K:
    y = 3
    z = [y for _ in range(2)] if False else y
    def m(self): return x
out.append((K.z, K().m()))
# --- recursion
def fact(n): return 1 if n <= 1 else n * fact(n - 1)
def hanoi(n, a, b, c): return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)
def flatten(x): return [z for y in x for z in (flatten(y) if isinstance(y, list) else [y])]
out = [fact(30), hanoi(6, "a", "b", "c"), flatten([1, [2, [3, [4]]]])]
# --- star arguments
def f(*a, **k): return a, k
args = [1, 2]
kw = {"x": 3}
out = [f(*args), f(0, *args, 3), f(**kw), f(*args, **kw, y=4), f(*"ab", *[1])]
try:
    f(**kw, x=1)
except TypeError as e:
    out.append("TypeError")
# --- walrus and conditional
def first(xs, p):
    for x in xs:
        if (hit := x) > p:
            return hit
    return None
out = [first([1, 5, 3], 2), first([1], 2), [y for x in range(4) if (y := x * x) > 1], (z := 3), z]
# --- string building
name, n = "kernel", 3
rows = [f"{name}_{i:02d}<{'x'.join(map(str, (i, i + 1)))}>" for i in range(n)]
out = ["\n".join(rows), "%s-%d" % (name, n), "{:>10}|{:<6}|".format(name, n), f"{name!r:>12}", f"{n:{n}d}", f"{'nested ' + f'{n}'}"]
# --- getattr protocols
class A:
    def __init__(self): self.real = 1
    def __getattr__(self, name):
        if name.startswith("dyn_"):
            return name[4:]
        raise AttributeError(name)
class S:
    def __setattr__(self, k, v): object.__setattr__(self, k, v * 2)
a = A()
s = S()
s.q = 4
setattr(a, "other", 2)
out = [a.real, a.dyn_x, hasattr(a, "nope"), getattr(a, "nope", 0), s.q, a.other, sorted(vars(a).items())]
# --- multiple inheritance
class A:
    def who(self): return ["A"]
class B(A):
    def who(self): return ["B"] + super().who()
class C(A):
    def who(self): return ["C"] + super().who()
class D(B, C):
    def who(self): return ["D"] + super().who()
out = [D().who(), [c.__name__ for c in D.__mro__]]
try:
    class E(A, B): pass
except TypeError as e:
    out.append("TypeError")
# --- class attributes and class factories
def make(n):
    class T:
        N = n
        def get(self): return self.N * n
    T.__name__ = f"T{n}"
    return T
T2, T3 = make(2), make(3)
out = [T2().get(), T3().get(), T2.__name__, T2.__qualname__, T2 is T3, type("Dyn", (T2,), {"N": 9})().get()]
# --- iterators of classes
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n
class Seq:
    def __getitem__(self, i):
        if i >= 3:
            raise IndexError
        return i * 10
out = [list(Countdown(3)), list(Seq()), [x for x in Countdown(2)], sum(Countdown(4))]
# --- defaultdict and Counter
from collections import defaultdict, Counter, OrderedDict
d = defaultdict(list)
d["a"].append(1)
d["a"].append(2)
c = Counter("abca")
out = [d["a"], len(d), "b" in d, c["a"], c["z"], OrderedDict(a=1)["a"]]
# --- copy
import copy
a = [1, [2], {"k": [3]}]
b = copy.copy(a)
c = copy.deepcopy(a)
a[1].append(9)
a[2]["k"].append(9)
out = [b, c]
# --- sorting
import operator
data = [("b", 2), ("a", 2), ("c", 1)]
out = [sorted(data), sorted(data, key=operator.itemgetter(1)), sorted(data, key=lambda p: (-p[1], p[0])), max(data, key=operator.itemgetter(1)), sorted("bca", reverse=True)]
# --- lambda defaults and late binding
acc = []
for k in ("x", "y"):
    acc.append((lambda v: lambda: (k, v))(k))
out = [f() for f in acc]
# --- uncaught exception
def inner(n):
    return 10 // n
def middle(n):
    return inner(n)
out = middle(0)
# --- global statements in nested functions
total = 0
def add(n):
    global total
    for i in range(n):
        total += i
    return total
out = [add(5), add(3), total]
# --- assertion with message
values = [1, 2, 3]
assert len(values) == 4, f"expected 4 values, got {len(values)}"
# --- init subclass and set name
log = []
class D:
    def __set_name__(self, owner, name): log.append(name)
class R:
    reg = []
    def __init_subclass__(cls, **kw):
        R.reg.append((cls.__name__, kw))
class X(R, tag=1):
    d = D()
out = [R.reg, log]
# --- bit tricks
def ilog2(n):
    assert n > 0 and n & (n - 1) == 0
    return n.bit_length() - 1
def next_pow2(n): return 1 << (n - 1).bit_length()
out = [ilog2(1024), next_pow2(100), [i ^ (i >> 1) for i in range(8)], [(x >> 4) & 0xf for x in (0xab, 0x1234)]]
# --- generators run when their members are taken
log = []
def producer():
    try:
        for i in range(3):
            log.append(("made", i))
            yield i
    finally:
        log.append("closed")
for i in producer():
    log.append(("taken", i))
for i in producer():
    break
def counter(start):
    n = start
    while True:
        got = yield n
        n = n + 1 if got is None else got
c = counter(5)
out = [log, next(c), next(c), c.send(40), next(c), c.close(), next(c, "over")]
def inner():
    got = yield 1
    return got * 2
def outer():
    result = yield from inner()
    yield ("inner returned", result)
    return "done"
o = outer()
out += [next(o), o.send(21)]
try:
    next(o)
except StopIteration as stop:
    out.append(stop.value)
def stubborn():
    try:
        yield 1
    except ValueError as e:
        yield f"caught {e}"
s = stubborn()
out += [next(s), s.throw(ValueError("x"))]
# --- generator expressions and iterators on demand
import itertools
seen = []
squares = (seen.append(i) or i * i for i in itertools.count())
out = [list(seen), next(squares), next(squares), list(seen)]
out.append(list(itertools.takewhile(lambda v: v < 30, squares)))
factor = 2
scaled = (factor * v for v in [1, 2])
factor = 10
out.append(list(scaled))
it = iter([1, 2, 3, 4, 5])
out += [list(zip(it, it)), list(it)]
lines = iter(["a", "b", "", "c"])
out += [list(iter(lambda: next(lines), "")), list(lines)]
def sieve(numbers):
    p = next(numbers)
    yield p
    yield from sieve(n for n in numbers if n % p)
out.append(list(itertools.islice(sieve(itertools.count(2)), 6)))
a, b = itertools.tee(iter("abc"))
out += [next(a), list(b), list(a), list(itertools.islice(itertools.cycle("xy"), 1, 6, 2))]
queue = [1]
def work():
    while queue:
        yield queue.pop()
done = []
for job in work():
    done.append(job)
    if job < 4:
        queue.append(job + 1)
out.append(done)
mapped = map(lambda v: 1 // v, [1, 0, 2])
out.append(next(mapped))
try:
    next(mapped)
except ZeroDivisionError:
    out.append(next(mapped))
# --- generators that fail
def fails():
    yield 1
    raise KeyError("late")
def stops():
    yield 1
    raise StopIteration
f = fails()
out = [next(f)]
for source in (f, stops(), fails()):
    try:
        out.append(list(source))
    except (KeyError, RuntimeError) as e:
        out.append((type(e).__name__, str(e)))
from contextlib import contextmanager
@contextmanager
def quiet(log):
    log.append("in")
    try:
        yield len(log)
    except KeyError:
        log.append("dropped")
    finally:
        log.append("out")
log = []
with quiet(log) as n:
    {}["x"]
with quiet(log) as m:
    pass
out += [n, m, log]
# --- match: what each pattern takes
from dataclasses import dataclass
@dataclass
class Dense:
    n: int
    block: int = 128
@dataclass
class Paged:
    pages: int
    size: int
class Plain:
    __match_args__ = ("a", "b")
    def __init__(self, a, b):
        self.a, self.b = a, b
class Color:
    RED = 1
def kind(x):
    match x:
        case Color.RED: return "red"
        case -1 | 0: return "few"
        case True: return "never"
        case int(n) if n > 100: return n
        case int() | float(): return "number"
        case "a" | "b" as letter: return letter
        case str(s): return s.upper()
        case None: return "none"
        case Dense(n=n, block=b) if b > 200: return ("wide", n, b)
        case Dense(n, b): return (n, b)
        case Paged(pages=p, size=16 | 32 as s): return p * s
        case Paged(): return "paged"
        case Plain(1, b=(first, *_)): return ("plain", first)
        case {"op": "copy", "n": int(n), **rest}: return (n, sorted(rest))
        case {"op": op}: return op
        case {}: return "mapping"
        case []: return "empty"
        case [one]: return ("one", one)
        case [("x", y), *rest]: return (y, rest)
        case first, *middle, last: return (first, middle, last)
        case _: return "other"
out = [kind(x) for x in (1, 0, -1, 5, 2.5, 500, "a", "b", "q", None, Dense(1), Dense(2, 256), Paged(3, 16), Paged(3, 8), Plain(1, [7, 8]), Plain(2, []),
                         {"op": "copy", "n": 4, "k": 1}, {"op": "copy", "n": "4"}, {"z": 1}, [], [9], [("x", 1), 2, 3], (1, 2, 3, 4), range(3), {1}, b"a", object)]
# --- match: names, failures and flow
def first_of(items):
    for item in items:
        match item:
            case (a, b) if a == b:
                continue
            case (a, 0):
                break
            case (a, _):
                return a, b
    return a, b
def none_fits(x):
    match x:
        case 1: y = 2
    return y
out = [first_of([(1, 1), (2, 3)]), first_of([(4, 4), (5, 0)])]
try:
    none_fits(3)
except NameError as e:
    out.append("unbound")
try:
    match 1:
        case x if x / 0: pass
except ZeroDivisionError as e:
    out.append(str(e))
# --- Counter
from collections import Counter
c = Counter([64, 128, 128, 256, 128, 64])
d = Counter(a=1, b=2)
d.update("aab", c=5)
d.subtract({"b": 1})
out = [c.most_common(2), c.most_common(), c[7], len(c), list(d.elements()), sorted(d.items()), d.most_common(1), c.total()]
# --- ExitStack
from contextlib import ExitStack, contextmanager, nullcontext
log = []
@contextmanager
def buffer(n):
    log.append(("in", n))
    try:
        yield n * 2
    finally:
        log.append(("out", n))
class Held:
    def __enter__(self):
        return "held"
    def __exit__(self, kind, value, trace):
        log.append(kind.__name__ if kind else None)
        return True
with ExitStack() as stack, nullcontext(5) as five:
    made = [stack.enter_context(buffer(n)) for n in (1, 2)]
    stack.callback(log.append, "called")
    log.append(stack.enter_context(Held()))
    log.append(five)
    raise KeyError("x")
kept = ExitStack()
kept.enter_context(buffer(3))
moved = kept.pop_all()
kept.close()
moved.close()
out = [made, log]
# --- dataclasses: what is compared, printed and copied
from dataclasses import InitVar, asdict, astuple, dataclass, field, fields
@dataclass
class Tile:
    m: int
    n: int = field(default=8, compare=False)
    names: list = field(default_factory=list, repr=False)
    scale: InitVar[int] = 1
    area: int = field(init=False, default=0)
    def __post_init__(self, scale): self.area = self.m * self.n * scale
@dataclass(repr=False)
class Quiet:
    x: int = 1
    def __repr__(self): return "quiet"
@dataclass(frozen=True)
class Key:
    a: int
    b: int = field(default=0, compare=False)
@dataclass(order=True)
class Rank:
    level: int
    name: str = field(default="", compare=False)
tile = Tile(4, scale=2)
out = [tile, tile == Tile(4, scale=2), tile == Tile(4, 9, scale=1), Tile(4, 8).area, [f.name for f in fields(tile)], Quiet(), Key(1, 2) == Key(1, 3),
       hash(Key(1, 2)) == hash(Key(1, 3)), len({Key(1, 2), Key(1, 3)}), Rank(1, "b") < Rank(2, "a"), Rank(1, "b") < Rank(1, "c"), max(Rank(1), Rank(3)).level]
# --- dataclasses: asdict goes into containers
from dataclasses import asdict, dataclass
from collections import namedtuple
P = namedtuple("P", "x y")
@dataclass
class In:
    v: int
@dataclass
class Out:
    one: In
    many: tuple
    named: dict
    point: P
    plain: list
value = Out(In(1), (In(2), 3), {"k": In(4)}, P(In(5), 6), [In(7), [In(8)]])
out = [asdict(value), asdict(value)["plain"] is value.plain]
# --- members of flags
from enum import Flag, IntFlag
class Access(Flag):
    R = 1
    W = 2
    X = 4
    RW = R | W
class Bits(IntFlag):
    A = 1
    B = 4
out = [[m.name for m in Access.RW], list(Access.X), [m.name for m in Access.R | Access.X], [b.value for b in Bits.A | Bits.B], len(list(Access.R & Access.W))]
# --- exceptions: handlers, else and finally
log = []
def run(body):
    try:
        value = body()
    except (KeyError, IndexError) as e:
        log.append(type(e).__name__)
        value = "lookup"
    except ZeroDivisionError:
        value = "zero"
        raise ValueError("was zero") from None
    else:
        log.append("else")
    finally:
        log.append("finally")
    return value
def outcome(body):
    try:
        return run(body)
    except Exception as e:
        return f"{type(e).__name__}: {e}"
out = [outcome(lambda: 1), outcome(lambda: {}["x"]), outcome(lambda: [][0]), outcome(lambda: 1 // 0), outcome(lambda: None.x), log]
# --- exceptions in loops
out = []
for i in range(6):
    try:
        if i == 1: continue
        if i == 4: break
        out.append(10 // (i - 2))
    except ZeroDivisionError:
        out.append("zero")
        continue
    finally:
        out.append(("finally", i))
    out.append("end")
else:
    out.append("else")
# --- signatures
import inspect
from dataclasses import dataclass
def f(a, /, b: int, *args, c=3, **more): pass
class A:
    def __init__(self, x, y=2): pass
    def method(self, z): pass
@dataclass
class D:
    p: int
    q: int = 4
    def scaled(self, by=1): pass
P = inspect.Parameter
def shown(callable):
    return [(n, str(p.default is P.empty), p.kind is P.KEYWORD_ONLY, p.annotation is int) for n, p in inspect.signature(callable).parameters.items()]
out = [shown(f), shown(A), shown(A(1).method), shown(A.method), shown(D(1).scaled), "c" in inspect.signature(f).parameters, len(inspect.signature(lambda: 0).parameters), inspect.signature(f).parameters["c"].default, list(inspect.signature(A).parameters)]
# --- single dispatch
import functools
@functools.singledispatch
def kind(x, more=0):
    return ("other", more)
@kind.register
def _(x: int, more=0):
    return ("int", more)
@kind.register(str)
def of_text(x, more=0):
    return ("str", of_text.__name__)
kind.register(list, lambda x: ("list", len(x)))
class Base: pass
class Derived(Base): pass
@kind.register(Base)
def _(x): return "base"
before = kind(Derived())
@kind.register(Derived)
def _(x): return "derived"
out = [kind(1), kind(True), kind("a"), kind([1, 2]), kind(2.5, more=3), before, kind(Derived()), kind(Base()), kind.__name__, kind.__wrapped__(1)]
# --- command lines that a program gives itself
import argparse
def parser():
    p = argparse.ArgumentParser()
    p.add_argument("files", nargs="*")
    p.add_argument("--size", "-s", type=int, default=8)
    p.add_argument("--dtype", default="fp16", choices=["fp16", "fp32"])
    p.add_argument("--warps", type=int, nargs="+", default=[4])
    g = p.add_argument_group("more")
    g.add_argument("-v", "--verbose", action="store_true")
    g.add_argument("--no-check", dest="check", action="store_false")
    g.add_argument("--scale", type=float)
    g.add_argument("--mode", nargs="?", const="fast")
    g.add_argument("--shape", nargs=2, type=int)
    return p
def read(*line):
    a = parser().parse_args(line)
    return a.files, a.size, a.dtype, a.warps, a.verbose, a.check, a.scale, a.mode, a.shape
out = [read("--size", "3"), read("-s", "4", "-s", "5", "a", "b"), read("--warps", "1", "2", "--verbose"), read("--no-check", "--scale", "-1.5", "--mode"), read("--mode", "slow", "--shape", "3", "4", "x")]
# --- modules of a program's own
import sys, types
made = types.ModuleType("made_here")
made.SIZE = 4
made.double = lambda x: x * 2
sys.modules["made_here"] = made
import made_here
from made_here import SIZE, double
out = [made_here.SIZE, double(SIZE), sys.modules["made_here"] is made, "made_here" in sys.modules, sys.modules.get("nowhere_at_all"), made.__name__]
# --- registries that a metaclass fills
REGISTRY = {}
class Registered(type):
    def __new__(mcs, name, bases, namespace, **options):
        cls = super().__new__(mcs, name, bases, dict(namespace))
        cls.options = options
        if bases:
            REGISTRY[namespace.get("key", name.lower())] = cls
        return cls
    def __init__(cls, name, bases, namespace, **options):
        super().__init__(name, bases, namespace)
        cls.methods = sorted(k for k in namespace if not k.startswith("__"))
class Kernel(metaclass=Registered):
    block = 64
    def size(self):
        return self.block
class Small(Kernel, warps=4):
    block = 32
class Large(Kernel, warps=8):
    key = "huge"
    block = 256
    def size(self):
        return super().size() * 2
out = [sorted(REGISTRY), [REGISTRY[k]().size() for k in sorted(REGISTRY)], Small.options, Large.methods,
       type(Small) is Registered, isinstance(Large, Registered), Kernel.methods, Small.__name__, Large.__qualname__]
# --- metaclasses that count, cache and refuse
class Single(type):
    _made = {}
    def __call__(cls, *args, **kwargs):
        if cls not in cls._made:
            cls._made[cls] = super().__call__(*args, **kwargs)
        return cls._made[cls]
class Config(metaclass=Single):
    def __init__(self, n=1):
        self.n = n
class Checked(type):
    def __init__(cls, name, bases, namespace):
        if bases and "block" not in namespace:
            raise TypeError(f"{name} lacks a block")
        type.__init__(cls, name, bases, namespace)
class Base(metaclass=Checked):
    pass
try:
    class Bad(Base):
        pass
    said = "nothing"
except TypeError as error:
    said = str(error)
class Good(Base):
    block = 8
out = [Config(3).n, Config(5).n, Config() is Config(7), said, Good().block, Good.block]
# --- namespaces that a metaclass prepares
class Prepared(type):
    @classmethod
    def __prepare__(mcs, name, bases, **options):
        return {"WARPS": options.get("warps", 4), "made_for": name}
    def __new__(mcs, name, bases, namespace, **options):
        namespace["order"] = [k for k in namespace if not k.startswith("_")]
        return type.__new__(mcs, name, bases, namespace)
class First(metaclass=Prepared, warps=2):
    threads = WARPS * 32
    def made(self):
        return self.made_for
class Second(First):
    threads = WARPS * 32
out = [First.threads, Second.threads, First.order, First().made(), Second().made(), First.WARPS]
# --- hooks of subclasses and of descriptors
class Plugin:
    plugins = []
    def __init_subclass__(cls, /, tag=None, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.tag = tag or cls.__name__
        Plugin.plugins.append(cls)
class Field:
    def __set_name__(self, owner, name):
        self.name = name
        owner.__dict__.get("fields", owner.fields).append(name)
    def __get__(self, instance, owner=None):
        return self if instance is None else instance.values[self.name]
class Matmul(Plugin, tag="mm"):
    fields = []
    m, n = Field(), Field()
    def __init__(self, **values):
        self.values = values
class Copy(Plugin):
    fields = []
out = [[p.tag for p in Plugin.plugins], Matmul.fields, Matmul(m=2, n=3).m, Matmul(m=2, n=3).n, Copy.fields, Matmul.m.name]
# --- abstract classes and metaclasses of them
from abc import ABC, ABCMeta, abstractmethod
class Shape(metaclass=ABCMeta):
    @abstractmethod
    def area(self): ...
class Square(Shape):
    def area(self):
        return 4
class Tracked(ABCMeta):
    seen = []
    def __new__(mcs, name, bases, namespace):
        cls = super().__new__(mcs, name, bases, namespace)
        mcs.seen.append(name)
        return cls
class Op(metaclass=Tracked):
    @abstractmethod
    def run(self): ...
class Add(Op):
    def run(self):
        return "add"
said = []
for cls in (Shape, Op):
    try:
        cls()
    except TypeError as error:
        said.append(str(error).split()[:5])
out = [said, Square().area(), Add().run(), Tracked.seen, type(Shape) is ABCMeta, type(ABC) is ABCMeta, isinstance(Add, ABCMeta)]
# --- enumerations with metaclasses, functions as metaclasses, classes made by calls
from enum import Enum, EnumMeta
class Names(EnumMeta):
    def __call__(cls, value, *rest):
        if isinstance(value, str) and value in cls.__members__:
            return cls.__members__[value]
        return super().__call__(value, *rest)
    def named(cls, name):
        return cls.__members__[name.upper()].value
class Dtype(Enum, metaclass=Names):
    F16 = 2
    F32 = 4
def upper(name, bases, namespace):
    return type(name, bases, {k if k.startswith("__") else k.upper(): v for k, v in namespace.items()})
class Shout(metaclass=upper):
    size = 3
Made = type("Made", (Shout,), {"other": 5})
class Meta(type):
    def __new__(mcs, name, bases, namespace):
        return super().__new__(mcs, name, bases, {**namespace, "made": True})
Called = Meta("Called", (), {"x": 1})
Derived = type("Derived", (Called,), {"y": 2})
out = [Dtype("F16").value, Dtype(4).name, Dtype.named("f32"), Shout.SIZE, hasattr(Shout, "size"), Made.SIZE, Made().other, Called.made, Called.x, type(Derived).__name__, Derived.made, Derived.y]
