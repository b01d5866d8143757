import functools
from functools import partial, reduce, lru_cache, cache, wraps, cached_property, total_ordering, singledispatch, singledispatchmethod, partialmethod, cmp_to_key
import operator
p = partial(int, base=2)
assert p('101') == 5
assert p.func is int
assert p.keywords == {'base': 2}
assert reduce(operator.mul, [1, 2, 3], 1) == 6
assert reduce(lambda a, b: a | b, [1, 2, 4]) == 7

@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
assert fib(20) == 6765
fib.cache_clear()
fib.cache_info()

@cache
def sq(x):
    return x * x

def deco(fn=None, *, k=1):
    if fn is None:
        return partial(deco, k=k)

    @wraps(fn)
    def inner(*a, **kw):
        return fn(*a, **kw) * k
    return inner

@deco(k=3)
def one():
    """doc"""
    return 1
assert one() == 3
assert one.__name__ == 'one'
assert one.__wrapped__() == 1

@total_ordering
class O:

    def __init__(self, v):
        self.v = v

    def __eq__(self, o):
        return self.v == o.v

    def __lt__(self, o):
        return self.v < o.v
assert O(2) >= O(1)
assert O(1) <= O(1)
assert max(O(1), O(3)).v == 3

class CP:

    @cached_property
    def big(self):
        return 42

    @singledispatchmethod
    def go(self, a):
        return 'o'

    @go.register
    def _(self, a: int):
        return 'i'

    def base(self, a, b):
        return a + b
    inc = partialmethod(base, 1)
cp = CP()
assert cp.big == 42
assert cp.go(1) == 'i'
assert cp.go('') == 'o'
assert cp.inc(4) == 5

@singledispatch
def sd(x):
    return 'obj'

@sd.register(int)
def _(x):
    return 'int'

@sd.register
def _(x: list):
    return 'list'
assert sd(1) == 'int'
assert sd([]) == 'list'
assert sd('') == 'obj'
assert sd.dispatch(bool)(True) == 'int'
assert sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)) == [3, 2, 1]

@cache
def squared(x):
    return x * x

@wraps(squared)
def wrapped_cache(*args):
    return squared(*args)
assert wrapped_cache(3) == 9
assert wrapped_cache.__wrapped__(4) == 16

class WithCache:

    @lru_cache
    def m(self, x):
        return x
assert WithCache().m(2) == 2
WithCache.m.cache_clear()
WithCache().m.cache_info()
