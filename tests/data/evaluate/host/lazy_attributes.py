class Lazy:
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        value = name.upper(); setattr(self, name, value); return value
    def __dir__(self): return ["a", "b"]
    def __setattr__(self, k, v): self.__dict__[k] = v
    def __delattr__(self, k): self.__dict__.pop(k, None)
l = Lazy(); assert l.foo == "FOO" and "foo" in vars(l) and getattr(l, "bar") == "BAR" and hasattr(l, "zap") and dir(l) == ["a", "b"]
del l.foo; assert "foo" not in l.__dict__
class Proxy:
    def __init__(self, t): object.__setattr__(self, "_t", t)
    def __getattribute__(self, n): return getattr(object.__getattribute__(self, "_t"), n)
    def __setattr__(self, n, v): setattr(object.__getattribute__(self, "_t"), n, v)
class T: x = 1
p = Proxy(T()); p.y = 5; assert p.x == 1 and p.y == 5
class Single:
    _i = None
    def __new__(cls, *a, **k):
        if cls._i is None: cls._i = super().__new__(cls)
        return cls._i
assert Single() is Single()
class B:
    @classmethod
    def make(cls, **kw): o = cls.__new__(cls); o.__dict__.update(kw); return o
assert B.make(q=1).q == 1
class N:
    class Inner: Z = 4
    y = Inner.Z * 2
    z = [i for i in range(Inner.Z)]
assert N.y == 8 and N.Inner.__qualname__ == "N.Inner" and N.__mro__[-1] is object and type(N()).__name__ == "N"
T2 = type("T2", (T,), {"f": lambda self: self.x}); assert T2().f() == 1 and issubclass(T2, T)
