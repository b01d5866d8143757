class A:
    __slots__ = ("x", "y", "__dict__")
    def __init__(self): self.x = 1; self.z = 2
assert A().x == 1 and A.x and A().z == 2
class B:
    __slots__ = "v",
    def __init__(self, v): self.v = v
    def __getstate__(self): return self.v
    def __eq__(self, o): return isinstance(o, B) and self.v == o.v
    def __hash__(self): return hash(self.v)
    def __repr__(self): return f"B({self.v!r})"
assert B(1) == B(1) and {B(1): 2}[B(1)] == 2 and repr(B("a")) == "B('a')" and B(1) != 5 and B.__slots__ == ("v",)
