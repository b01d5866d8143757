from dataclasses import dataclass, field, fields, asdict, astuple, replace, InitVar, KW_ONLY, is_dataclass, make_dataclass, FrozenInstanceError, MISSING
@dataclass
class A:
    x: int
    y: list = field(default_factory=list)
    z: InitVar[int] = 3
    _: KW_ONLY
    k: str = "k"
    cached: int = field(init=False, repr=False, compare=False, default=0)
    def __post_init__(self, z): self.cached = z * self.x
a = A(2, z=5, k="q")
assert a.cached == 10 and repr(a) == "A(x=2, y=[], k='q')", repr(a)
assert a == A(2, k="q") and [f.name for f in fields(a)] == ["x", "y", "k", "cached"]
assert asdict(a) == {"x": 2, "y": [], "k": "q", "cached": 10} and astuple(a) == (2, [], "q", 10)
b = replace(a, x=3, z=1)
assert b.x == 3 and b.cached == 3
@dataclass(frozen=True, order=True, slots=True)
class V:
    a: int
    b: int = 0
try:
    V(1).a = 2
except FrozenInstanceError: pass
assert V(1) < V(1, 2) and hash(V(1)) == hash(V(1)) and {V(1): 2}[V(1)] == 2 and V.__slots__ == ("a", "b")
C = make_dataclass("C", [("x", int), ("y", int, field(default=5))], namespace={"add": lambda self: self.x + self.y})
assert C(1).add() == 6 and is_dataclass(C) and fields(C)[0].default is MISSING
@dataclass
class Base:
    x: int = 1
@dataclass
class Derived(Base):
    y: int = 2
    x: int = 9
assert repr(Derived()) == "Derived(x=9, y=2)" and Derived.__match_args__ == ("x", "y")


@dataclass
class FrozenDefaults:
    names: frozenset = frozenset({"a"})
    sizes: tuple = (1, 2)


assert "a" in FrozenDefaults().names
