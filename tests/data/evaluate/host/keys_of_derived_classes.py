from enum import Enum
class L(str, Enum):
    N = "n"
d = {L.N: 1}
assert hash(L.N) == hash("n")
assert d["n"] == 1
from enum import IntEnum
class LI(IntEnum):
    N = 1
d = {LI.N: 1, 2: 3}
assert d[1] == 1 and LI.N in {1} and {1: "x"}[LI.N] == "x" and 1 in [LI.N] and {LI.N, 1} == {1}
class S(str): pass
class I(int): pass
assert {S("a"): 1}["a"] == 1 and {"a": 1}[S("a")] == 1 and {I(1): 1}[1] == 1 and {True: 1}[1] == 1 and {1.0: 2}[1] == 2
