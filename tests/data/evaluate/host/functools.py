import functools
from functools import singledispatch, cached_property, lru_cache, cache, partial, reduce, total_ordering, wraps, partialmethod, cmp_to_key, singledispatchmethod, update_wrapper
@singledispatch
def show(x): return "obj"
@show.register
def _(x: int): return "int"
@show.register(str)
def _(x): return "str"
show.register(list, lambda x: "list")
assert show(3) == "int" and show("a") == "str" and show([]) == "list" and show.dispatch(int) and show.registry
@total_ordering
class V:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __lt__(self, o): return self.n < o.n
assert V(1) <= V(2) and V(3) > V(2) and V(1) >= V(1) and max(V(1), V(5)).n == 5 and sorted([V(2), V(1)])[0].n == 1
class C:
    @cached_property
    def big(self): return 41
    @lru_cache(maxsize=None)
    def m(self, x): return x * 2
    add = partialmethod(lambda self, a, b: a + b, 3)
    @singledispatchmethod
    def sd(self, x): return "o"
    @sd.register
    def _(self, x: int): return "i"
c = C(); c.big += 1; assert c.big == 42 and c.m(2) == 4 and c.add(4) == 7 and c.sd(1) == "i"
@lru_cache(None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
assert fib(20) == 6765
fib.cache_clear(); info = fib.cache_info(); fib.__wrapped__(1)
@cache
def k(): return 1
# A partial of a partial is one partial: no chain of calls is too long.
q = partial(partial(print, 1, sep="a", end="b"), 2, end="c", flush=True)
assert q.func is print and q.args == (1, 2) and list(q.keywords.items()) == [("sep", "a"), ("end", "c"), ("flush", True)]
q = lambda *a, **k: (len(a), a[-2:], k)
for i in range(5000): q = partial(q, i, last=i)
assert q("x") == (5001, (4999, "x"), {"last": 4999})
p = partial(int, base=2); assert p("101") == 5 and p.func is int and p.keywords == {"base": 2}
assert reduce(lambda a, b: a * b, [1, 2, 3], 1) == 6
def timed(fn):
    @wraps(fn)
    def inner(*a, **k):
        inner.calls += 1
        return fn(*a, **k)
    inner.calls = 0
    return inner
@timed
def f(a, b=1): "doc"; return a + b
assert f(1) == 2 and f.calls == 1 and f.__name__ == "f" and f.__doc__ == "doc" and f.__wrapped__(3) == 4
assert sorted([3, 1], key=cmp_to_key(lambda a, b: a - b)) == [1, 3]
