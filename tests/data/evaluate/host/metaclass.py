class Registry(type):
    items = {}
    def __new__(mcs, name, bases, ns, **kw):
        cls = super().__new__(mcs, name, bases, ns)
        cls.made_by = mcs.__name__
        mcs.items[name] = cls
        return cls
    def __init__(cls, name, bases, ns, **kw): super().__init__(name, bases, ns); cls.extra = 1
    def __call__(cls, *a, **k): obj = super().__call__(*a, **k); obj.built = True; return obj
    def __iter__(cls): return iter([1, 2])
    def __len__(cls): return 2
    def __contains__(cls, x): return x == 1
    def __getitem__(cls, i): return i * 2
    def __or__(cls, o): return (cls, o)
    def __add__(cls, o): return 5
    def __lt__(cls, o): return cls.__name__ < o.__name__
    def __instancecheck__(cls, i): return True
    def __getattr__(cls, n):
        if n.startswith("__"): raise AttributeError(n)
        return n + "!"
    @property
    def prop(cls): return "p"
    def helper(cls): return cls.__name__
class A(metaclass=Registry, flag=1):
    pass
class B(A): pass
assert A.made_by == "Registry" and Registry.items["B"] is B and A().built and list(A) == [1, 2] and len(A) == 2 and 1 in A and A[4] == 8 and A + 1 == 5 and A < B and A.zzz == "zzz!" and A.prop == "p" and B.helper() == "B" and isinstance(5, A) and A.extra == 1
class Single(type):
    _i = {}
    def __call__(cls, *a):
        if cls not in cls._i: cls._i[cls] = super().__call__(*a)
        return cls._i[cls]
class S(metaclass=Single):
    def __init__(self): self.n = 1
assert S() is S() and S().n == 1
def meta(name, bases, ns): return type(name, bases, ns)
class F(metaclass=meta): x = 1
assert F.x == 1
T = type("T", (object,), {"a": 1, "m": lambda self: self.a}); assert T().m() == 1 and T.__name__ == "T"
class P(type):
    @classmethod
    def __prepare__(mcs, name, bases): return {"pre": 1}
class U(metaclass=P):
    y = pre + 1
assert U.y == 2
