import enum, string
class Dtype(enum.Enum):
    F16 = ("f16", 2)
    F32 = ("f32", 4)
    def __init__(self, label, size): self.label, self.size = label, size
    @classmethod
    def of(cls, label): return next(d for d in cls if d.label == label)
    def __lt__(self, o): return self.size < o.size
assert Dtype.of("f32").size == 4 and Dtype.F16.value == ("f16", 2) and max(Dtype) is Dtype.F32 and Dtype.F16 in Dtype and list(Dtype.__members__) == ["F16", "F32"]
class Op(str, enum.Enum):
    ADD = "add"
    def __call__(self, a, b): return {"add": a + b}[self.value]
assert Op.ADD == "add" and Op("add")(1, 2) == 3 and Op.ADD.upper() == "ADD" and isinstance(Op.ADD, str)
class S(enum.StrEnum):
    A = enum.auto()
assert S.A == "a" and f"{S.A}" == "a"
Planet = enum.Enum("Planet", "EARTH MARS"); assert Planet.MARS.value == 2
class Bits(enum.IntFlag):
    R = 4; W = 2; X = 1
assert Bits(7) == Bits.R | Bits.W | Bits.X and int(~Bits.R & Bits(7)) == 3 and Bits.R in Bits(5) and Bits["R"].name == "R"
class Inner(enum.Enum):
    A = 1; B = 1; C = 2
    _ignore_ = ["x"]
    @enum.member
    def f(): pass
    @enum.nonmember
    class Z: pass
assert Inner.B is Inner.A and len(Inner) == 3
class Cb(enum.Enum):
    A = enum.member(lambda x: x + 1)
    def __call__(self, x): return self.value(x)
assert Cb.A(2) == 3
