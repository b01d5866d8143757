class Cfg:
    A = 1
    for _i in range(3): locals()[f"L{_i}"] = _i
    if A: B = 2
    else: C = 3
    try: D = undefined
    except NameError: D = 4
    with open("/dev/null") as _f: E = 5
    F = [A for A in range(2)]
    G, *H = (1, 2, 3)
    def _m(x): return x + 1
    I = _m(1)
    J = lambda self: self.A
    K: int
    L: "str" = "x"
    del _i
    @staticmethod
    def s(): return 1
    M = s()
    N = property(lambda self: self.A)
    vars()["O"] = 9
assert Cfg.I == 2 and Cfg().J() == 1 and Cfg.L0 == 0 and Cfg.O == 9 and Cfg.M == 1 and Cfg().N == 1 and Cfg.__annotations__.keys() == {"K", "L"} and not hasattr(Cfg, "C") and Cfg.H == [2, 3]
Cfg.new = lambda self: self.A + 1; assert Cfg().new() == 2
setattr(Cfg, "z", 5); assert Cfg.z == 5 and getattr(Cfg, "z") == 5
delattr(Cfg, "z"); assert not hasattr(Cfg, "z")
for n in ("p", "q"): setattr(Cfg, n, property(lambda self, n=n: n))
assert Cfg().p == "p"
class Ops: pass
for op in ("add", "mul"): setattr(Ops, f"__{op}__", lambda self, o, op=op: op)
assert Ops() + 1 == "add" and Ops() * 1 == "mul"
def patch(cls):
    cls.__repr__ = lambda s: "P"; cls.extra = 1
    return cls
@patch
class Pt: pass
assert repr(Pt()) == "P" and Pt.extra == 1
o = Pt(); o.__dict__["dyn"] = 3; assert o.dyn == 3
o.__class__ = Ops; assert o + 1 == "add"
vars(o)["v"] = 4; assert o.v == 4
def attach(fn): fn.__name__ = "other"; fn.__doc__ = "d"; fn.__annotations__["x"] = int; fn.__defaults__ = (5,); return fn
@attach
def g(x): return x
assert g() == 5 and g.__name__ == "other"
class Frozen:
    def __init__(self): object.__setattr__(self, "x", 1)
    def __setattr__(self, n, v): raise AttributeError("frozen")
assert Frozen().x == 1
try: Frozen().y = 2
except AttributeError: pass
