def kind(x):
    match x:
        case 0 | 1: return "small"
        case int(n) if n > 100: return "big"
        case {"a": v, **rest}: return v
        case [first, *others]: return first
        case str() as s: return s
        case None: return "none"
        case _: return "other"
assert kind(0) == "small" and kind(200) == "big" and kind({"a": 5}) == 5 and kind([7, 8]) == 7 and kind("q") == "q" and kind(None) == "none" and kind(2.5) == "other"
class Pt:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x = x; self.y = y
match Pt(1, 2):
    case Pt(x, y=yy): assert x == 1 and yy == 2
    case _: raise AssertionError
mode = "fast"
match mode:
    case "slow": n = 1
    case "fast": n = 2
assert n == 2
match ("go", 3):
    case ("go", int(steps)): total = steps
    case ("stop",): raise RuntimeError("no")
assert total == 3
match mode:
    case "slow": raise ValueError
    case other: captured = other
assert captured == "fast"
import enum
class Cm(enum.Enum):
    A = 1; B = 2
match Cm.B:
    case Cm.A: raise RuntimeError
    case Cm.B: hit = True
assert hit
