from enum import StrEnum, auto, IntEnum, Enum, member, nonmember, global_enum, verify, CONTINUOUS, EnumMeta, EnumType
class S(StrEnum):
    ONE = auto()
    TWO = "2"
assert S.ONE == "one" and S("one") is S.ONE and S.ONE.upper() == "ONE"
@verify(CONTINUOUS)
class V(IntEnum):
    A = 1; B = 2
class Meta(EnumMeta):
    def __contains__(cls, item):
        return item in cls.__members__
    def __getitem__(cls, k): return super().__getitem__(k.upper())
class W(Enum, metaclass=Meta):
    X = 1
assert "X" in W and W["x"] is W.X
