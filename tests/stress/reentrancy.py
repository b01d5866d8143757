#!/usr/bin/env python3
"""Programs in which code that is called back changes what native code is just walking: every use of every container, with every change.

    python3 tests/stress/reentrancy.py FOLDER
    build-fuzz/bin/fuzz --target=evaluate FOLDER/*.py          # under the sanitizers

Each program has one change and one class whose special methods all make it, at the first, second, ... or at every call, and then answer as the method should.
Every use below runs with it, each on fresh containers."""
import sys
from pathlib import Path

SETUP = '''import bisect, collections, copy, dataclasses, enum, functools, heapq, itertools, json, math, operator, os, re, types
import triton, torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

left = 0


def act():
    global left
    left -= 1
    if left {when}:
        {change}


class E:
    kept = 1

    def __init__(self, n=3):
        object.__setattr__(self, "n", n)

    def __eq__(self, other):
        act()
        return {truth}

    def __ne__(self, other):
        act()
        return {truth}

    def __lt__(self, other):
        act()
        return {truth}

    __gt__ = __le__ = __ge__ = __lt__

    def __hash__(self):
        act()
        return {number}

    def __index__(self):
        act()
        return {number}

    __int__ = __len__ = __length_hint__ = __round__ = __index__

    def __float__(self):
        act()
        return 1.5

    def __bool__(self):
        act()
        return {truth}

    def __contains__(self, x):
        act()
        return {truth}

    def __iter__(self):
        act()
        return iter(L)

    def __next__(self):
        act()
        if left < -200:
            raise StopIteration
        return self

    def __reversed__(self):
        act()
        return reversed(L)

    def __getitem__(self, i):
        act()
        return L[i]

    def __setitem__(self, i, x):
        act()

    def __delitem__(self, i):
        act()

    def keys(self):
        act()
        return D.keys()

    def items(self):
        act()
        return D.items()

    def __repr__(self):
        act()
        return "E"

    __str__ = __repr__

    def __format__(self, spec):
        act()
        return "E"

    def __add__(self, other):
        act()
        return self

    __radd__ = __iadd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __or__ = __ror__ = __and__ = __xor__ = __matmul__ = __floordiv__ = __add__

    def __neg__(self):
        act()
        return self

    __abs__ = __pos__ = __invert__ = __copy__ = __enter__ = __neg__

    def __exit__(self, *a):
        act()
        return {truth}

    def __deepcopy__(self, memo):
        act()
        return self

    def __call__(self, *a, **k):
        act()
        return self

    def __getattr__(self, name):
        act()
        if name[:2] == "__":
            raise AttributeError(name)
        return self

    def __setattr__(self, name, value):
        act()
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        act()

    def __get__(self, instance, owner):
        act()
        return 5

    def __set__(self, instance, value):
        act()

    def __set_name__(self, owner, name):
        act()

    def __missing__(self, key):
        act()
        return self


class Meta(type):
    def __instancecheck__(cls, x):
        act()
        return {truth}

    def __getattr__(cls, name):
        act()
        raise AttributeError(name)

    def __call__(cls, *a):
        act()
        return type.__call__(cls)


class M(metaclass=Meta):
    x = 1


class Missing(dict):
    def __missing__(self, key):
        act()
        return key


def gen():
    try:
        for x in L:
            act()
            got = yield x
    finally:
        act()


def reset():
    global L, D, S, Q, DD, C, O, G, I, T, P, NS, F, A
    L = [E(), 1, E(), 2, E(), 3, E(5), "a", E(), None]
    D = {{E(): E(), 1: E(), "a": 2, 7: E(), E(7): 1}}
    S = {{E(), 1, 2, E(8), "a"}}
    Q = collections.deque(L, 12)
    DD = collections.defaultdict(E, D)
    C = collections.Counter([1, 1, E(), 2])
    O = collections.OrderedDict(D)
    G = gen()
    I = map(E(), L)
    T = itertools.tee(G)
    P = functools.partial(E(), *L)
    NS = types.SimpleNamespace(a=E(), b=1)
    F = E()
    A = [L, D, S, Q]


def kernel_like(x, y=E()):
    return x


@gluon.jit
def kernel(x, n: gl.constexpr, y=1):
    gl.store(x, n)


'''

# What a call back changes.
CHANGES = ["L.clear()", "L.append(E())", "L.extend([E()] * 100)", "L[:] = []", "L[:] = [E()] * 300", "del L[::2]", "L.pop() if L else None", "L.insert(0, E())", "L.reverse()", "L *= 3", "L += L", "L.sort(key=id)", "L.remove(L[0]) if L else None", "L.sort()", "L[0:0] = L",
           "D.clear()", "D.update({i: E() for i in range(100)})", "D.pop(1, 0)", "D.popitem() if D else None", "D.setdefault(E(), E())", "D[len(D) + 100] = 1", "D.update(D)", "D |= {8: 9, 10: 11}", "del D['a']",
           "S.clear()", "S.update(range(100))", "S.pop() if S else None", "S.add(E())", "S.discard(1)", "S -= {1, 2}",
           "Q.clear()", "Q.extend(L)", "Q.popleft() if Q else None", "Q.rotate(3)", "Q.appendleft(E())", "Q.insert(1, E())",
           "DD.clear()", "DD[len(DD)]", "C.clear()", "C.update([9, 8, 7, E()])", "C.subtract(C)", "O.clear()", "O.move_to_end(1)", "O[len(O) + 50] = 1",
           "next(G)", "G.close()", "G.throw(ValueError)", "G.send(1)", "next(I)", "list(I)", "next(T[0])", "list(T[1])",
           "setattr(E, 'x%d' % -left, 1)", "delattr(E, 'kept')", "E.__eq__ = None", "[setattr(F, 'y%d' % i, i) for i in range(50)]", "vars(F).clear()", "vars(NS).clear()", "[setattr(NS, 'y%d' % i, i) for i in range(50)]", "setattr(M, 'z%d' % -left, 1)",
           "globals().update({'v%d' % i: i for i in range(100)})", "globals().pop('A', 0)", "exec('x = 1')", "reset()", "os.environ.clear()", "[c.clear() for c in A]", "list(map(type(L).clear, [L, L]))", "L.append(L)", "D.update({1: D})", "E.__init__(L[0])", "type('X', (E, ), {'a': E()})",
           "raise_error()", "left_over = [x for x in G]", "kernel[(1, )](E(), L)", "sorted(L)", "repr(A)", "copy.deepcopy(L)", "functools.reduce(E(), L)"]

# What native code walks.
USES = """L.remove(5)
L.index(5)
L.index(5, E(), E())
L.count(5)
L == [5] * 20
L != [E()] * 3
L < [E()] * 20
L >= [E(), 1, 7]
sorted(L)
sorted(L, key=E())
sorted(L, key=lambda x: act() or 1, reverse=E())
L.sort()
L.sort(key=E())
L.sort(key=lambda x: act() or 1)
repr(L)
str(L)
5 in L
E() in L
del L[E()]
del L[E():E()]
L[E():] = [1, 2]
L[E():E():E()] = E()
L[::2] = E()
L[E()] = L
L[E()]
L[E():E()]
L.insert(E(), E())
L.pop(E())
L.extend(E())
L.extend(G)
L.extend(I)
L += E()
L *= E()
L + L
L * E()
L.copy()
L.reverse()
max(L)
min(L)
max(L, key=E())
min(*L, default=E())
sum(L, E())
sum(E(), E())
any(L)
all(L)
any(E())
all(G)
tuple(L)
tuple(E())
tuple(G)
list(E())
list(I)
list(map(E(), L, L))
list(filter(E(), L))
list(zip(L, E(), G))
list(enumerate(L, E()))
list(reversed(L))
list(reversed(E()))
set(L)
frozenset(L)
dict.fromkeys(L, 1)
dict(zip(L, L))
dict(E())
dict([(x, x) for x in L])
[x for x in L if x]
{x: x for x in L}
{x for x in L}
list(x for x in L if act() or True)
[(x, y) for x in L for y in L]
[a, *b] = L
a, *b, c = E()
(a, b), c = E(), L
print(*L)
print(*E(), sep='')
kernel_like(*E())
kernel_like(**E())
kernel_like(*G)
f'{L} {E()!r} {E():>3} {D}'
'%s %r %d' % (E(), E(), E())
'%s' % L
'{} {:3} {!r} {0[0]}'.format(L, E(), D)
','.join(E())
','.join(G)
'a'.join(map(str, L))
D == {5: 5, E(): 1}
D != dict(D)
E() in D
D[E()]
D[E()] = E()
del D[E()]
D.get(E())
D.get(E(7), E())
D.setdefault(E(), E())
D.pop(E(), 1)
D.popitem()
D.update(E())
D.update(L)
D.update([(E(), E())] * 3)
D.update(**{'a': E()})
D | D
D |= E()
D |= {E(): E()}
repr(D)
str(D.items())
list(D)
[k for k in D if act() or k]
[k for k, v in D.items() if v]
max(D)
sorted(D)
sorted(D.items())
D.keys() & L
D.keys() == S
D.items() | S
E() in D.values()
(1, E()) in D.items()
dict(D, **{'b': E()})
{**D, **E()}
copy.copy(D)
copy.deepcopy(D)
json.dumps(D)
json.dumps(L)
S == {5, E()}
S | L
S | {E()}
S & {E(), 1}
S - {E(), 2}
S ^ {E(), 2}
S <= {E(), 1}
S < {E()}
S |= {E()}
S &= {E()}
S -= {E()}
S ^= {E()}
S.add(E())
S.discard(E())
S.remove(E())
S.pop()
S.update(L, D, E())
S.union(L, E())
S.intersection(L, G)
S.difference(E())
S.symmetric_difference(L)
S.issubset(L)
S.issuperset(E())
S.isdisjoint(L)
S.difference_update(L)
S.intersection_update(L)
S.symmetric_difference_update(L)
E() in S
hash(frozenset(S))
sorted(S)
repr(S)
[x for x in S if act() or x]
hash(tuple(L))
tuple(L) == tuple(reversed(L))
tuple(L) < (E(), 1, E())
tuple(L).index(5)
tuple(L).count(5)
tuple(L) + (E(), )
E() in tuple(L)
Q.remove(5)
Q.index(5)
Q.count(5)
Q == collections.deque(L)
Q < collections.deque([E()])
Q.extend(E())
Q.extendleft(E())
Q.rotate(E())
Q.insert(E(), E())
del Q[E()]
Q[E()] = E()
E() in Q
repr(Q)
list(Q)
[x for x in Q if act() or x]
Q += E()
Q * E()
collections.deque(E(), E())
copy.copy(Q)
DD[E()]
DD[99]
DD[E()] += 1
DD.setdefault(E(), 1)
DD | D
repr(DD)
Missing(D)[E()]
Missing()[E()]
C[E()]
C[E()] += 1
C.update(L)
C.update(E())
C.subtract(D)
C + C
C - C
C & C
C | C
C.most_common(E())
C.most_common()
list(C.elements())
C.total()
C == collections.Counter(L)
repr(C)
collections.Counter(E())
O == collections.OrderedDict(D)
O.move_to_end(E())
O.popitem(E())
list(reversed(O))
O.update(D)
collections.ChainMap(D, O)[E()]
collections.namedtuple('N', 'a b')(E(), E()) == (E(), E())
collections.namedtuple('N', ['a', 'b'])(*E())
next(G)
G.send(None)
list(G)
G.close()
G.throw(ValueError)
[x for x in G]
sum(G)
dict.fromkeys(G)
sorted(G)
max(G)
list(zip(G, G))
list(itertools.chain(L, G, E()))
list(itertools.chain.from_iterable([L, E(), D]))
list(itertools.product(L, E()))
list(itertools.product(L, repeat=E()))
list(itertools.permutations(L[:3], E()))
list(itertools.combinations(L, E()))
list(itertools.islice(G, E()))
list(itertools.islice(L, E(), E(), E()))
list(itertools.accumulate(L))
list(itertools.accumulate(L, E()))
list(itertools.takewhile(E(), L))
list(itertools.dropwhile(E(), G))
list(itertools.starmap(E(), [L, L]))
list(itertools.zip_longest(L, G, fillvalue=E()))
list(itertools.groupby(L))
list(itertools.groupby(L, E()))
list(itertools.pairwise(G))
list(itertools.compress(L, E()))
list(itertools.filterfalse(E(), L))
list(itertools.repeat(E(), E()))
list(T[0]), list(T[1])
next(itertools.cycle(G))
list(itertools.islice(itertools.cycle(L), 30))
list(itertools.islice(itertools.count(E(), E()), 9))
list(iter(E(), 5))
list(iter(lambda: act() or 1, E()))
functools.reduce(E(), L)
functools.reduce(E(), G, E())
functools.reduce(lambda a, b: act() or a, L)
P(E())
P()
functools.partial(P, *L)(**{'a': 1})
repr(P)
functools.lru_cache(E())
functools.lru_cache(kernel_like)(E())
functools.cmp_to_key(E())(E()) < functools.cmp_to_key(E())(E())
sorted(L, key=functools.cmp_to_key(lambda a, b: act() or 0))
functools.wraps(E())(kernel_like)
functools.total_ordering(E)
bisect.bisect(L, E())
bisect.insort(L, E())
bisect.bisect_left(L, 3, E(), E())
heapq.heapify(L)
heapq.heappush(L, E())
heapq.heappop(L)
heapq.nsmallest(3, L)
heapq.merge(L, L)
operator.itemgetter(E(), 1)(L)
operator.attrgetter('a.b')(E())
operator.methodcaller('f', E())(E())
operator.concat(L, E())
operator.index(E())
math.prod(L)
math.gcd(E(), E())
math.fsum(E())
math.floor(E())
range(E())
list(range(E(), E(), E()))
range(10)[E()]
E() in range(10)
range(10).index(E())
slice(E(), E()).indices(E())
int(E())
float(E())
str(E())
bytes(E())
bytes(L)
bytearray(E())
bool(E())
complex(E())
round(E(), E())
abs(E())
divmod(E(), E())
pow(E(), E(), E())
hash(E())
len(E())
chr(E())
bin(E())
'abc'[E()]
'abc'[E():E()]
'abc' * E()
'abc'.center(E())
'abc'.find('a', E(), E())
'abc'.startswith(E())
'abc'.split(E())
'a b'.split(None, E())
'abc'.replace('a', 'b', E())
'abc'.translate(D)
'abc'.translate(E())
'abc'.encode(E())
isinstance(E(), M)
isinstance(1, (M, E))
issubclass(E, M)
getattr(E(), 'x')
getattr(E(), 'x', E())
hasattr(E(), 'x')
setattr(F, 'x', E())
delattr(F, 'x')
F.x.y.z
F.x += E()
F[E()] += E()
vars(F)
dir(F)
[k for k in vars(F)]
[v for v in vars(E).values()]
vars(NS).update(L)
NS == types.SimpleNamespace(a=E())
repr(NS)
type('X', (E, ), {'a': E(), 'b': E()})
type('X', (), D)
type('X', tuple(L), {})
Meta('X', (), {'a': E()})
M()
M.y
[x for x in globals()]
[x for x in list(globals().values())]
globals().update(D)
[k for k in os.environ]
os.environ.get('HOME', E())
os.environ.update(E())
enum.Enum('X', L)
enum.Enum('X', {'a': E(), 'b': E()})
[x for x in enum.Enum('X', ['a', 'b'])]
dataclasses.make_dataclass('X', L)
dataclasses.dataclass(type('X', (), {'__annotations__': D, 'a': E()}))
dataclasses.asdict(dataclasses.dataclass(type('X', (), {'__annotations__': {'a': int}, 'a': 1}))(L))
dataclasses.replace(F, x=E())
copy.copy(F)
copy.deepcopy(A)
copy.deepcopy(F)
exec('y = E()')
eval('E() + L')
with_statement(E())
unpack_in_loop()
pattern(L)
pattern(D)
pattern(E())
decorated(E())
class_with(E())
comparison_chain()
augmented()
deleting()
raise_error()
catching()
re.sub('a', E(), 'aaa')
re.match(E(), 'a')
re.split('a', 'bab', E())
json.loads(E())
json.dumps(E(), default=E())
gl.BlockedLayout(L, L, L, L)
gl.BlockedLayout(E(), E(), E(), E())
gl.BlockedLayout([E()], [E()], [4], [E()])
gl.SliceLayout(E(), gl.BlockedLayout([1], [32], [4], [0]))
gl.SwizzledSharedLayout(E(), E(), E(), E())
gl.BlockedLayout([1], [32], [4], [0]) == E()
hash(gl.SliceLayout(0, E()))
repr(gl.SliceLayout(E(), L))
gl.constexpr(E()) + gl.constexpr(L)
gl.constexpr(L) == gl.constexpr(E())
triton.cdiv(E(), E())
triton.next_power_of_2(E())
triton.Config(D, num_warps=E())
triton.autotune(L, key=E())(kernel)
triton.autotune([triton.Config({'n': E()})], key=L)(kernel)[(1, )](1)
triton.heuristics({'n': E()})(kernel)[(1, )](1)
kernel[(1, )](E(), E())
kernel[(E(), )](1, L)
kernel[E()](1, D)
kernel[lambda meta: (meta['n'], act() or 1)](1, 2)
kernel[(1, )](*L)
kernel[(1, )](*E(), **E())
kernel[(1, )](torch.zeros(9, device='cuda'), tuple(L))
kernel[(1, )](torch.zeros(9, device='cuda'), n=D, num_warps=E())
kernel.warmup(E(), L, grid=E())
torch.zeros(E())
torch.zeros(L)
torch.zeros(*E())
torch.tensor(L)
torch.empty(3, 4).view(E(), -1)
torch.empty(3, 4)[E()]
torch.empty(3, 4)[E():E(), ...]
torch.empty(3, 4).permute(*E())
torch.cat(L)
torch.cat(E(), dim=E())
torch.empty(3, 4).reshape(L)
torch.stack([torch.empty(3)] * 2, E())
torch.zeros(3, dtype=E(), device=E())""".split("\n")

HELPERS = '''

def raise_error():
    raise ValueError(E(), L)


def with_statement(x):
    with x as y, x as (a, *b), E():
        act()


def unpack_in_loop():
    for a, *b in [E(), L, D]:
        act()
    else:
        act()
    for F.x, L[0] in [(1, 2), E()]:
        act()
    while E():
        if left < -50:
            break


def pattern(x):
    match x:
        case [E(n=1), *rest]:
            return rest
        case {"a": 2, 1: y, **rest}:
            return rest
        case E(n=5) | [1, 2, 5]:
            return 1
        case 5 | "a" | None:
            return 2
        case [a, b, *_, c] if E():
            return c
        case _ if act():
            return 3


def decorated(x):
    @x
    @x.y
    def f(a=x, *b, c: x = E(), **d) -> x:
        return a
    return f(*L, **D)


def class_with(x):
    class X(E, metaclass=type, key=x):
        a = x
        b: x = E()

        def __init_subclass__(cls, **k):
            act()

        @property
        def p(self):
            return act()

        @staticmethod
        def s():
            return act()

    class Y(X):
        c = x
    return Y().p, Y.s(), Y() == X()


def comparison_chain():
    return 1 < E() < L[0] == E() != D in [E()] not in E()


def augmented():
    L[0] += E()
    D[E()] = L[1] = F.x = a, b, *c = L
    L[E()] *= E()
    D["a"] -= E()
    del L[0], D["a"], F.x


def deleting():
    del L[E()], L[E():], D[E()], F.y


def catching():
    try:
        raise E() from E()
    except (E, *L):
        act()
    except E():
        act()
    finally:
        act()

'''


USES_EACH = 60  # so that no program reaches the budget of steps


def program(uses, change, when, truth, number):
    text = SETUP.format(change=change, when=when, truth=truth, number=number) + HELPERS
    for use in uses:
        text += f"left = 4\nreset()\ntry:\n    {use}\nexcept BaseException as e:\n    pass\n"
    return text


def programs():
    """(name, text) of each."""
    for i, change in enumerate(CHANGES):
        for j, (when, truth, number) in enumerate([("== 3", False, 1), ("== 2", True, 0), ("== 1", "left % 2", 2), ("> -60", False, "left % 3"), ("> -60", True, -1)]):
            for k in range(0, len(USES), USES_EACH):
                yield f"{i}-{j}-{k // USES_EACH}.py", program(USES[k:k + USES_EACH], change, when, truth, number)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in programs():
        (folder / name).write_text(text)
    print(f"{len(CHANGES)} changes, {len(USES)} uses")


if __name__ == "__main__":
    main()
