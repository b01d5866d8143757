class Typed:
    def __init__(self, kind, default=None): self.kind = kind; self.default = default
    def __set_name__(self, owner, name): self.name = "_" + name; owner.names = getattr(owner, "names", []) + [name]
    def __get__(self, obj, owner=None):
        if obj is None: return self
        return getattr(obj, self.name, self.default)
    def __set__(self, obj, value):
        if not isinstance(value, self.kind): raise TypeError(value)
        setattr(obj, self.name, value)
    def __delete__(self, obj): delattr(obj, self.name)
class C:
    a = Typed(int, 5)
    b = Typed(str)
c = C(); assert c.a == 5; c.a = 7; assert c.a + 1 == 8 and C.names == ["a", "b"] and C.a.kind is int
c.a += 1; assert c.a == 8
del c.a; assert c.a == 5
class Lazy:
    def __init__(self, f): self.f = f
    def __get__(self, o, t=None): v = self.f(o); setattr(o, self.f.__name__, v); return v
class L:
    @Lazy
    def x(self): return 3
assert L().x * 2 == 6
class classproperty:
    def __init__(self, f): self.f = f
    def __get__(self, o, owner): return self.f(owner)
class K:
    @classproperty
    def n(cls): return len(cls.__name__)
assert K.n == 1
