import dataclasses, enum, functools, itertools, collections, math
@dataclasses.dataclass(order=True, frozen=True)
class P:
    x: int
    y: list = dataclasses.field(default_factory=list)
class C(enum.IntEnum):
    A = 1
    B = 2
N = collections.namedtuple("N", "a b", defaults=(1,))
def gen(n):
    while n:
        yield n
        n -= 1
out = sorted(gen(5)), P(1) < P(2), C(1), N(2)._replace(b=3), [*map(lambda x: x + 1, gen(3))]
@functools.lru_cache(None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
fib(20), math.factorial(20), "%5.2f" % 1.5, "{:>{}}".format("a", 3)
try:
    raise ValueError("x") from KeyError(1)
except (ValueError, TypeError) as e:
    str(e)
finally:
    del out
