from enum import Flag, IntFlag, auto, Enum, IntEnum, unique
class F(Flag):
    A = auto(); B = auto(); C = auto()
    AB = A | B
f = F.A | F.B
assert f == F.AB and F.A in f and F.C not in f and bool(f & F.C) is False
g = f ^ F.A
h = ~F.A
assert F.B in h and F.A not in h
assert F(3) is F.AB and f.value == 3
f |= F.C
assert F.C in f
assert f.name is None or isinstance(f.name, str)
for m in F: m.name
class I(IntFlag):
    R = 4; W = 2; X = 1
assert I.R | I.W == 6 and (I.R | 1) & I.X and I(7) and int(I.R) == 4 and I.R + 1 == 5
