from dataclasses import dataclass, field, replace, asdict, astuple, fields, is_dataclass, InitVar, KW_ONLY, make_dataclass
from typing import ClassVar
@dataclass(slots=True)
class S:
    a: int
    b: list = field(default_factory=list)
s = S(1); s.b.append(2)
assert S.a and s.b == [2]
@dataclass(frozen=True, order=True, eq=True)
class P:
    x: int
    y: int = 2
    c: ClassVar[int] = 7
    z: int = field(init=False, default=5, compare=False, repr=False)
assert P(1) < P(2) and replace(P(1), y=4).y == 4 and P.c == 7 and hash(P(1)) and P(1).z == 5
assert asdict(P(1)) == {"x": 1, "y": 2, "z": 5} and astuple(P(1)) == (1, 2, 5) and [f.name for f in fields(P)] == ["x", "y", "z"]
assert [f.default for f in fields(P)][1] == 2 and fields(P)[0].type is int and P.__dataclass_fields__["x"].name == "x"
@dataclass(kw_only=True)
class K:
    a: int = 1
    b: str
assert K(b="x").a == 1
@dataclass
class M:
    a: int
    _: KW_ONLY
    b: int = 3
    scale: InitVar[int] = 2
    def __post_init__(self, scale): self.a *= scale
assert M(2, b=1).a == 4 and M.__match_args__ == ("a",)
@dataclass
class D(M):
    c: int = 9
    def __post_init__(self, scale):
        super().__post_init__(scale); self.d = self.c + 1
assert D(1).d == 10
@dataclass(frozen=True)
class G:
    v: int
    def __post_init__(self): object.__setattr__(self, "w", self.v + 1)
    @classmethod
    def make(cls, **kw): return cls(**kw)
    @property
    def twice(self): return self.v * 2
assert G.make(v=3).w == 4 and G(2).twice == 4
Made = make_dataclass("Made", [("a", int)])
assert Made(3).a == 3
@dataclass(repr=False, eq=False)
class E:
    data: dict = field(default_factory=dict, metadata={"k": 1})
    fn: callable = field(default=lambda self: 1)
assert E() != E() and fields(E)[0].metadata["k"] == 1
