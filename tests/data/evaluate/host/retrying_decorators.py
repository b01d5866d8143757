from functools import wraps
import time
def timed(fn):
    @wraps(fn)
    def inner(*a, **k):
        t0 = time.perf_counter()
        try: return fn(*a, **k)
        finally: inner.total += time.perf_counter() - t0
    inner.total = 0.0
    return inner
def retry(times, exceptions=(Exception,)):
    def deco(fn):
        @wraps(fn)
        def inner(*a, **k):
            last = None
            for i in range(times):
                try: return fn(*a, **k)
                except exceptions as e: last = e
            raise last
        return inner
    return deco
state = {"n": 0}
@timed
@retry(3, (ValueError,))
def flaky():
    state["n"] += 1
    if state["n"] < 3: raise ValueError(state["n"])
    return "ok"
assert flaky() == "ok" and state["n"] == 3 and flaky.total >= 0
class memo:
    def __init__(self, fn): self.fn, self.cache = fn, {}
    def __call__(self, *a):
        if a not in self.cache: self.cache[a] = self.fn(*a)
        return self.cache[a]
    def __get__(self, obj, cls=None):
        import functools
        return functools.partial(self.__call__, obj)
class Q:
    @memo
    def sq(self, x): return x * x
assert Q().sq(3) == 9
@memo
def fact(n): return 1 if n == 0 else n * fact(n - 1)
assert fact(10) == 3628800 and len(fact.cache) == 11
