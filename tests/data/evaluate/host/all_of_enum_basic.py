import enum
from enum import Enum, IntEnum, Flag, IntFlag, auto, unique, StrEnum

@unique
class Color(Enum):
    RED = 1
    GREEN = auto()
    ALIAS = auto()

    @classmethod
    def default(cls):
        return cls.RED

    @property
    def pretty(self):
        return self.name.title()
assert Color(1) is Color.RED
assert Color['GREEN'].value == 2
assert [c.name for c in Color] == ['RED', 'GREEN', 'ALIAS']
assert Color.RED.pretty == 'Red'
assert Color.default() in Color
assert len(Color) == 3
assert list(Color.__members__) == ['RED', 'GREEN', 'ALIAS']
assert repr(Color.RED) == '<Color.RED: 1>'
assert str(Color.RED) == 'Color.RED'
