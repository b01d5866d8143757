from enum import Enum, IntEnum, auto, unique
@unique
class Color(Enum):
    RED = 1
    GREEN = "g"
    BLUE = auto() if False else 3
    @classmethod
    def default(cls): return cls.RED
    @property
    def low(self): return self.name.lower()
    def __str__(self): return self.low
assert Color(1) is Color.RED and Color["GREEN"].value == "g" and str(Color.RED) == "red"
assert Color.default().low == "red" and len(Color) == 3 and list(Color)[0] is Color.RED
assert Color.RED in Color and isinstance(Color.RED, Color) and Color.__members__["RED"] is Color.RED
table = {Color.RED: 1, Color.GREEN: 2}
assert [c.name for c in Color] == ["RED", "GREEN", "BLUE"]
class Size(IntEnum):
    S = 1; M = 2
assert Size.S < Size.M and Size.M + 1 == 3 and max(Size) is Size.M and sorted(Size) and range(Size.M) and [10, 20, 30][Size.M] == 30
assert f"{Size.S:d}" == "1" and hex(Size.M) == "0x2" and int(Size.M) == 2 and float(Size.M) == 2.0
class Text(str, Enum):
    A = "a"
    B = "b"
assert Text.A == "a" and Text.A.upper() == "A" and "x" + Text.B == "xb" and Text("a") is Text.A and f"{Text.A.value}" == "a"
Dyn = Enum("Dyn", "ONE TWO")
assert Dyn.ONE.value == 1
Dyn2 = IntEnum("Dyn2", {"P": 5})
assert Dyn2.P == 5
class Planet(Enum):
    EARTH = (5.9, 6.3)
    MARS = (0.6, 3.3)
    def __init__(self, mass, radius):
        self.mass = mass; self.radius = radius
assert Planet.EARTH.mass > Planet.MARS.mass
class Coord(bytes, Enum):
    def __new__(cls, value, label):
        obj = bytes.__new__(cls, [value]); obj._value_ = value; obj.label = label
        return obj
    PX = (0, "P.X")
assert Coord.PX.label == "P.X" and Coord(0) is Coord.PX
class Ord(Enum):
    def _generate_next_value_(name, start, count, last): return name.lower()
    NORTH = auto()
assert Ord.NORTH.value == "north" and Ord("north")
class Miss(Enum):
    A = 1
    @classmethod
    def _missing_(cls, v): return cls.A
assert Miss(55) is Miss.A
