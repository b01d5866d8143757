class A:
    def __init__(self, **k): self.log = ["A"]; super().__init__(**k)
    def who(self): return "A"
class B(A):
    def __init__(self, b=1, **k): super().__init__(**k); self.log.append("B")
    def who(self): return "B" + super().who()
class C(A):
    def __init__(self, c=1, **k): super().__init__(**k); self.log.append("C")
    def who(self): return "C" + super(C, self).who()
class D(B, C):
    def who(self): return "D" + super().who()
    @classmethod
    def make(cls): return cls(b=2, c=3)
    @staticmethod
    def st(): return D
assert D.make().who() == "DBCA" and D().log == ["A", "C", "B"] and D.__mro__[1] is B and D.mro()[2] is C and issubclass(D, A) and D.__bases__ == (B, C) and D.st() is D and D.__base__ is B and A.__subclasses__() == [B, C]
class Mixin:
    def dump(self): return {k: v for k, v in self.__dict__.items() if not k.startswith("_")}
class E(Mixin):
    def __init__(self): self.a = 1; self._b = 2
assert E().dump() == {"a": 1}
class Outer:
    class Inner:
        def f(self): return Outer.K
    K = 5
    def g(self):
        class Local(Outer.Inner):
            def f(self): return super().f() + 1
        return Local().f()
assert Outer().g() == 6 and Outer.Inner.__qualname__ == "Outer.Inner"
class NoBase:
    def __init__(self): super().__init__(); self.__private = 3
    def get(self): return self.__private
    def comp(self): return [super(NoBase, self).__repr__() for _ in range(1)]
    def comp2(self): return [self.get() for _ in range(2)]
    def nested(self):
        def inner(): return self.__private
        return inner()
n = NoBase(); assert n.get() == 3 and n._NoBase__private == 3 and n.comp() and n.comp2() == [3, 3] and n.nested() == 3
class Sing:
    _inst = None
    @classmethod
    def get(cls):
        if cls._inst is None: cls._inst = cls()
        return cls._inst
assert Sing.get() is Sing.get()
class Abs:
    def run(self): raise NotImplementedError(f"{type(self).__name__}.run")
class Impl(Abs):
    def run(self): return 1
assert Impl().run() == 1
class Del:
    def __del__(self): pass
d = Del(); del d
class Cmp:
    __hash__ = None
    def __eq__(self, o): return True
assert Cmp() == 5
obj = object(); assert obj != object() and obj == obj and hash(obj) and repr(obj) and str(obj) and not (obj is None)
assert A.who.__name__ == "who" and A().who.__func__ is A.who and A().who.__self__ and A.who.__qualname__ == "A.who" and A.__doc__ is None and A.__module__ == __name__ and A.__dict__["who"] and A.__name__ == "A" and A.__init__ and type(A()).who and A().__class__ is A and A.__weakref__ is not None
