from enum import IntEnum, Flag, IntFlag, auto, StrEnum

class P(IntFlag):
    R = 4
    W = 2
    X = 1
    RWX = 7

class F(Flag):
    A = auto()
    B = auto()
    C = A | B

class I(IntEnum):
    ONE = 1
    TWO = 2

class S(StrEnum):
    FOO = auto()
    BAR = 'b'
assert P.R | P.W == 6
assert P.R & P.W == 0
assert P.RWX & ~P.X == 6
assert F.A in F.C
assert F.C & F.B
assert bool(F.A & F.B) is False
assert F(3) is F.C
assert I.ONE + 1 == I.TWO
assert I.TWO > I.ONE
assert f'{I.ONE}' == '1'
assert [0, 1, 2][I.TWO] == 2
assert S.FOO == 'foo'
assert f'{S.BAR}' == 'b'
assert S('b') is S.BAR
assert S.FOO.upper() == 'FOO'
fl = F(0)
fl |= F.A
fl ^= F.C
assert fl == F.B
