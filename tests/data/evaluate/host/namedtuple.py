from collections import namedtuple
from typing import NamedTuple
P = namedtuple("P", "x y z", defaults=[0])
p = P(1, 2)
P.x.__doc__ = "the x"
P.__new__.__defaults__ = (1, 2, 3)
assert p._replace(x=5).x == 5 and p._asdict()["y"] == 2 and P._make([1, 2, 3]) == (1, 2, 3)
class Q(namedtuple("Q", ["a", "b"])):
    __slots__ = ()
    def __new__(cls, a, b=2):
        return super().__new__(cls, a, b)
    @property
    def s(self): return self.a + self.b
assert Q(1).s == 3 and Q._fields == ("a", "b") and isinstance(Q(1), tuple)
class N(NamedTuple):
    a: int
    b: str = "x"
    def up(self): return self.b.upper()
assert N(1).up() == "X" and N.__annotations__["a"] is int and N._field_defaults == {"b": "x"}
a, b = N(1)
assert N(1) + (2,) == (1, "x", 2) and N(1)[0] == 1 and N(1) == N(1) and hash(N(1)) == hash(N(1))
assert N(1) < N(2) and len(N(1)) == 2 and N(1).count(1) == 1 and N(a=1, b="y").index("y") == 1
