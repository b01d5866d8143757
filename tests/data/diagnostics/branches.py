# Values that differ between the ways of a condition that is not known: none of these exceptions is certain.
import torch
import unknown_module
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def k(p):
    gl.store(p, 1)


U = unknown_module.flag


class Conn:
    sock = None

    def __init__(self):
        self.state = 0
        self.code = 220
        self.opts = {"a": 1}
        self.items = [1, 2]
        self.nested = [[1], {"x": 1}]

    def connect(self):
        if U:
            self.state = 1
            self.code = -1
            self.opts["b"] = 2
            self.items.append(3)
            self.nested[0].append(2)
            self.nested[1]["x"] = 2
        return self.code

    def early(self):
        if U:
            self.early_set = True
            self.state = 5
            return
        self.state = 6

    def drop(self):
        if U:
            del self.opts["a"]
            del self.items[0]
            del self.state


c = Conn()
c.connect()
if c.code == -1:
    raise RuntimeError("1 attribute")
if c.state != 0:
    raise RuntimeError("2 attribute")
if "b" in c.opts:
    raise RuntimeError("3 key")
if len(c.items) == 3:
    raise RuntimeError("4 list")
if c.nested[0] == [1, 2]:
    raise RuntimeError("5 nested list")
if c.nested[1]["x"] == 2:
    raise RuntimeError("6 nested dict")
if len(c.opts) != 1:
    raise RuntimeError("7 len")
d = Conn()
d.early()
if d.state == 6:
    raise RuntimeError("8 early return, rest")
if d.state == 5:
    raise RuntimeError("9 early return, branch")
if hasattr(d, "early_set"):
    raise RuntimeError("10 hasattr")
d.early_set
e = Conn()
e.drop()
if "a" not in e.opts:
    raise RuntimeError("11 del key")
if e.items[0] == 2:
    raise RuntimeError("12 del item")
e.state
e.items[1]
if U:
    Conn.sock = 7
if Conn.sock == 7:
    raise RuntimeError("13 class")
f = Conn()
for x in unknown_module.xs:
    f.state += 1
if f.state == 1:
    raise RuntimeError("14 augmented in a loop")
f = Conn()
while unknown_module.more():
    f.items += [5]
if len(f.items) != 2:
    raise RuntimeError("15 augmented list in a loop")
try:
    if U:
        f.code = 4
        raise ValueError
except ValueError:
    pass
if f.code == 220:
    raise RuntimeError("16 raised branch in try")
f = Conn()
if U:
    if unknown_module.other:
        f.state = 1
    else:
        f.state = 2
if f.state == 2 or f.state == 1:
    raise RuntimeError("17 nested")
if U:
    f.code = 1
elif unknown_module.b:
    f.code = 2
else:
    f.code = 3
if f.code != 1:
    raise RuntimeError("18 elif")
total = 0


def bump():
    global total
    total += 1


U and bump()
if total == 1:
    raise RuntimeError("19 and")
bump() if U else None
if total != 0:
    raise RuntimeError("20 conditional expression")
if U:
    bump()
if total != 0:
    raise RuntimeError("21 global of a function")
[bump() for x in unknown_module.xs]
if total > 0:
    raise RuntimeError("22 comprehension")
s = {1}
if U:
    s.add(2)
if 2 in s:
    raise RuntimeError("23 set")
match unknown_module.z:
    case 1:
        f.q = 1
    case _:
        f.q = 2
if f.q == 2:
    raise RuntimeError("24 match")
m = Conn()
if U:
    raise ValueError
else:
    m.code = 9
if m.code != 9:
    raise RuntimeError("25 known: never raised")


def make():
    n = 0

    def inc():
        nonlocal n
        n += 1

    if U:
        inc()
    if n == 1:
        raise RuntimeError("26 nonlocal")
    return inc


make()
setattr(m, "late", 1) if U else 0
if m.late == 1:
    raise RuntimeError("27 setattr")
vars(m)["v"] = 1
if U:
    vars(m)["v"] = 2
if m.v == 2:
    raise RuntimeError("28 vars")
g = Conn()
with unknown_module.maybe():
    pass
if U:
    g.items[0], g.opts["a"] = 8, 9
if g.items[0] == 8 or g.opts["a"] == 9:
    raise RuntimeError("29 unpack")
if U:
    g.items.clear()
    g.opts.pop("a")
    g.nested.pop()
if not g.items:
    raise RuntimeError("30 clear")
g.nested[1]
g.opts["a"]
if U:
    g.items.sort(reverse=True)
if g.items[0] == 2:
    raise RuntimeError("31 sort")


# What stays known: objects made on one way, values that are the same on both, and what is set afterwards.
if U:
    made = Conn()
    made.items.append(1)
    made.extra = made.items[2]
    if made.extra != 1:
        raise RuntimeError
known = Conn()
if U:
    known.code = 220
    known.unrelated = 1
known.state = 3
TABLE = [4, 5]
if U:
    known.state = TABLE[1]
    known.state = 3


def pick():
    known.state = TABLE[0]
    if U:
        return known.missing
    return 1


pick()
k[(1,)](torch.empty(64))
if known.code != 220:
    raise RuntimeError
if known.state == 4:
    raise RuntimeError("certain")  # warning: [module-exception]
