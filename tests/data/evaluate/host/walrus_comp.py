data = [1, 2, 3, 4]
if (n := len(data)) > 3: assert n == 4
sq = [y for x in data if (y := x * x) > 4]; assert sq == [9, 16] and y == 16
m = [[i * j for j in range(3)] for i in range(2)]; assert m[1][2] == 2
d = {k: {v for v in range(k)} for k in data}; assert d[2] == {0, 1}
flat = [x for row in m for x in row if x]; assert flat == [1, 2]
fs = [lambda x, i=i: x + i for i in range(3)]; assert fs[2](1) == 3
cond = [("even" if x % 2 == 0 else "odd") for x in data]; assert cond[0] == "odd"
def outer():
    total = 0
    def inc(k=1):
        nonlocal total
        total += k
        return total
    inc(); inc(2)
    return total, inc
assert outer()[0] == 3
COUNT = 0
def bump():
    global COUNT, NEW
    COUNT += 1; NEW = 5
bump(); assert COUNT == 1 and NEW == 5
a = b = c = []; a.append(1); assert c == [1]
x, y = 1, 2; x, y = y, x; assert (x, y) == (2, 1)
l = [3, 1, 2]; l.sort(key=lambda v: -v); l[0], l[-1] = l[-1], l[0]; l[1:2] = [9, 9]; del l[0]; l += (5,); l *= 2; l.insert(0, 7); l.remove(7); l.reverse(); l.extend(x for x in "ab"); assert l.pop() == "b" and l.index("a") >= 0 and l.copy() == l
s = {1, 2}; s |= {3}; s -= {1}; s ^= {9}; s &= {2, 9}; s.discard(7); s.update([4]); assert s >= {4} and s.isdisjoint({100}) and s.issubset({2, 9, 4}) and s.union([1]) and s.intersection([4]) == {4} and s.difference([4]) and s.symmetric_difference([4]) and frozenset(s) == s
dct = dict(a=1, b=2); dct.update({"c": 3}, d=4); assert list(dct.items())[0] == ("a", 1) and dct.pop("a") == 1 and dct.popitem() == ("d", 4) and dct.setdefault("z", []) == [] and dct.get("q") is None and dct.keys() & {"b"} == {"b"} and dct | {"n": 1} and list(reversed(dct)) and dict.fromkeys("ab", 0) == {"a": 0, "b": 0} and {1: 2} == {1: 2} and dct.keys() - {"b"} and dct.items() >= {("b", 2)}
assert 1 < 2 < 3 and not 1 > 2 and (1 if [] else 2) == 2 and None is None and (0 or "x") == "x" and (1 and 2) == 2 and 3 in (1, 2, 3) and "a" not in "bcd" and [1, 2] < [1, 3] and (1, "a") < (2, "b") and True + True == 2 and 1 == 1.0 and 5 // -2 == -3
def va(a, /, b, *args, c=1, **kw): return a, b, args, c, kw
assert va(1, 2, 3, c=4, d=5) == (1, 2, (3,), 4, {"d": 5}) and va(*[1, 2], **{"c": 3}) == (1, 2, (), 3, {}) and va(1, b=2)[1] == 2
def kwo(*, x, y=2): return x + y
assert kwo(x=1) == 3
def df(a, b=[], c=None): b.append(a); return b
assert df(1) == [1] and df(2) == [1, 2] and df.__defaults__[0] == [1, 2] and kwo.__kwdefaults__ == {"y": 2} and va.__code__.co_argcount == 2 and df.__name__ == "df" and df.__qualname__ == "df" and df.__module__ == __name__ and df.__dict__ == {} and callable(df)
df.tag = 1; assert df.tag == 1 and hasattr(df, "tag") and getattr(df, "nope", 3) == 3
lam = lambda *a, **k: (a, k); assert lam(1, b=2) == ((1,), {"b": 2})
def gen(n):
    got = yield n
    while got: got = yield got * 2
    return 5
g = gen(1); assert next(g) == 1 and g.send(3) == 6; g.close()
def deleg(): r = yield from gen(1); return r
assert list(deleg()) == [1]
def fibs():
    a, b = 0, 1
    while True: yield a; a, b = b, a + b
f = fibs(); assert [next(f) for _ in range(5)] == [0, 1, 1, 2, 3]
lst = list(range(10)); assert lst[2:5] == [2, 3, 4] and lst[::-2][0] == 9 and lst[-3:] == [7, 8, 9] and lst[slice(1, 3)] == [1, 2]
i = 0
while True:
    i += 1
    if i > 5: break
else: raise RuntimeError
assert i == 6 and (lambda: (yield))() is not None
print(*lst, sep=",", end="\n", file=None)
assert __name__ and __file__ and __doc__ is None and __spec__ is None or True
b = bytes(3); e = ...; assert e is Ellipsis and NotImplemented is not None and __debug__

