class Vec:
    def __init__(self, *v): self.v = v
    def __add__(self, o): return Vec(*(a + b for a, b in zip(self.v, o.v))) if isinstance(o, Vec) else NotImplemented
    def __radd__(self, o): return self if o == 0 else NotImplemented
    def __iadd__(self, o): self.v = (self + o).v; return self
    def __mul__(self, k): return Vec(*(a * k for a in self.v))
    __rmul__ = __mul__
    def __matmul__(self, o): return sum(a * b for a, b in zip(self.v, o.v))
    def __neg__(self): return self * -1
    def __pos__(self): return self
    def __invert__(self): return Vec(*self.v[::-1])
    def __abs__(self): return sum(x * x for x in self.v) ** 0.5
    def __bool__(self): return any(self.v)
    def __eq__(self, o): return isinstance(o, Vec) and self.v == o.v
    def __lt__(self, o): return self.v < o.v
    def __len__(self): return len(self.v)
    def __getitem__(self, i): return self.v[i]
    def __iter__(self): return iter(self.v)
    def __contains__(self, x): return x in self.v
    def __repr__(self): return f"Vec{self.v}"
    def __format__(self, spec): return f"<{spec}>"
    def __hash__(self): return hash(self.v)
    def __index__(self): return len(self.v)
    def __int__(self): return 7
    def __float__(self): return 1.5
    def __complex__(self): return 1j
    def __round__(self, n=0): return 9
    def __divmod__(self, o): return (1, 2)
    def __floordiv__(self, o): return 3
    def __rpow__(self, o): return o
    def __call__(self, x): return x
    def __reversed__(self): return iter(self.v[::-1])
    def __getattr__(self, n):
        if n == "dyn": return 5
        raise AttributeError(n)
    def __dir__(self): return ["a"]
    def __enter__(self): return self
    def __exit__(self, *a): pass
    def __sizeof__(self): return 1
    def __trunc__(self): return 1
    def __ceil__(self): return 2
    def __length_hint__(self): return 2
v = Vec(1, 2); w = Vec(3, 4); v2 = v + w
assert v2.v == (4, 6) and sum([v, w]).v == (4, 6) and (2 * v).v == (2, 4) and v @ w == 11 and (-v)[0] == -1 and (~v)[0] == 2 and abs(Vec(3, 4)) == 5 and bool(v) and v != w and v < w and len(v) == 2 and list(v) == [1, 2] and 2 in v and f"{v:q}" == "<q>" and [5, 6, 7][v] == 7 and int(v) == 7 and float(v) == 1.5 and round(v) == 9 and divmod(v, 1) == (1, 2) and v // 1 == 3 and 2 ** v == 2 and v(3) == 3 and list(reversed(v)) == [2, 1] and v.dyn == 5 and not hasattr(v, "zz") and dir(v) == ["a"] and max(v, w) is w and sorted([w, v])[0] is v and {v: 1}[Vec(1, 2)] == 1 and hex(v) == "0x2" and range(v) and "x" * 2 and bin(v) == "0b10" and isinstance(v, Vec) and type(v) is Vec and v.__class__.__name__ == "Vec" and Vec.__add__(v, w) and [1] * v.__index__() and "%s" % v == "Vec(1, 2)" and str(v) == repr(v) and v.__len__() == 2 and v.__dict__["v"] == (1, 2) and vars(v) and complex(v) == 1j
import math; assert math.ceil(v) == 2 and math.sqrt(v) and math.trunc(v) == 1
v += w; a, b = v; x = [*v]
class It:
    def __init__(self): self.i = 0
    def __iter__(self): return self
    def __next__(self):
        self.i += 1
        if self.i > 3: raise StopIteration
        return self.i
assert list(It()) == [1, 2, 3] and sum(It()) == 6 and max(It()) == 3 and next(It()) == 1 and tuple(x for x in It() if x > 1) == (2, 3) and list(zip(It(), "ab"))
class Old:
    def __getitem__(self, i):
        if i > 2: raise IndexError
        return i
assert list(Old()) == [0, 1, 2] and 2 in Old()
class Attr:
    def __getattribute__(self, n): return "got " + n
    def __setattr__(self, n, v): pass
    def __delattr__(self, n): pass
t = Attr(); t.x = 1; del t.y; assert t.anything == "got anything" and t.up.upper() == "GOT UP"
class Dyn:
    def __init__(self, **k): self.__dict__.update(k)
assert Dyn(a=1).a == 1
class Dyn2:
    def __init__(self, **k):
        for n, v in k.items(): setattr(self, n, v)
    def __getattr__(self, n): return None
assert Dyn2(q=2).q == 2 and Dyn2().zzz is None
class Meta1:
    x = 1
    y = x + 1
    z = [x for _ in range(2)] if False else [y]
    def __class_getitem__(cls, p): return cls
assert Meta1[int]().z == [2]
