import functools
REG = {}
def register(name=None, **opts):
    def deco(fn):
        REG[name or fn.__name__] = fn; fn.opts = opts
        return fn
    return deco
@register("x", a=1)
def f(): return 1
@register()
class C: pass
assert REG["x"]() == 1 and f.opts["a"] == 1 and REG["C"] is C and C.opts == {}
class Counter:
    def __init__(self, fn): functools.update_wrapper(self, fn); self.fn = fn; self.n = 0
    def __call__(self, *a): self.n += 1; return self.fn(*a)
    def __get__(self, o, t): return functools.partial(self, o)
@Counter
def g(x): "doc"; return x
assert g(2) == 2 and g.n == 1 and g.__name__ == "g"
class K:
    @Counter
    def m(self, x): return x
    @staticmethod
    def s(a): return a
    @classmethod
    def c(cls, a): return cls, a
    @property
    def p(self): return self._p
    @p.setter
    def p(self, v): self._p = v
    @p.deleter
    def p(self): del self._p
    alias = c
k = K(); assert k.m(3) == 3 and K.s(1) == 1 and k.c(2)[0] is K; k.p = 4; assert k.p == 4; k.p += 1; assert k.p == 5; del k.p; assert not hasattr(k, "p") and isinstance(K.p, property) and K.__dict__["s"].__func__(1) == 1 and K.p.fget
def stack(*ds):
    def d(f):
        for x in reversed(ds): f = x(f)
        return f
    return d
@stack(register("y"), functools.lru_cache)
def h(x): return x
assert REG["y"](5) == 5
@(lambda f: f)
def i(): return 2
assert i() == 2
buttons = [register]
@buttons[0]("z")
def j(): return 3
assert j() == 3
