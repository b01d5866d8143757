# Loops over flags give those of one bit; attributes come and go through __dict__; copies are made
# as the class says; super()'s texts.
import copy
from dataclasses import dataclass
from enum import Flag, IntFlag, auto
from typing import ClassVar
import threading


class Access(Flag):
    READ = auto()
    WRITE = auto()
    BOTH = READ | WRITE


class Bits(IntFlag):
    A = 1
    B = 2
    AB = A | B
    NONE = 0


assert len(list(Access)) == 2
assert [bit.name for bit in Bits] == ["A", "B"]
assert len(Bits) == 2
assert len(Bits.AB) == 2


class Names:
    def __init__(self, **kw):
        self.__dict__.update(kw)

    def __getattribute__(self, name):
        return super().__getattribute__(name)

    def __delattr__(self, name):
        super().__delattr__(name)


names = Names(a=1)
del names.a


class Slot:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, it, owner=None):
        return it.__dict__.get(self.name, 5)

    def __set__(self, it, value):
        it.__dict__[self.name] = value

    def __delete__(self, it):
        it.__dict__.pop(self.name)


class Config:
    block = Slot()


config = Config()
config.block = 3
del config.block
assert config.block == 5
assert config.__dict__.pop("missing", None) is None


class Copied:
    def __init__(self):
        self.how = "made"

    def __copy__(self):
        return "copied"

    def __deepcopy__(self, memo):
        return "deep"


class Restored:
    def __setstate__(self, state):
        self.how = "restored"

    def __getstate__(self):
        return {"a": 1}


assert copy.copy(Copied()) == "copied"
assert copy.deepcopy([Copied()]) == ["deep"]
assert copy.copy(Restored()).how == "restored"


class Problem(Exception):
    def __init__(self, text, code):
        super().__init__(text)
        self.code = code

    def __str__(self):
        return f"[{self.code}] {super().__str__()}"

    def __repr__(self):
        return "Problem" + super().__repr__()


assert str(Problem("full", 3)) == "[3] full"
assert repr(Problem("full", 3)).startswith("ProblemProblem(")

results = []
thread = threading.Thread(target=results.append, args=(3,))
thread.start()
thread.join()
assert results == [3]


@dataclass
class Base:
    known: "ClassVar[dict[str, Later]]" = {}
    name: str = "x"


@dataclass
class Derived(Base):
    more: int = 0


assert Derived("y").name == "y"
assert repr(Derived("y")) == "Derived(name='y', more=0)"
