def f(x):
    match x:
        case 0 | 1:
            return 'small'
        case int(n) if n > 100:
            return 'big'
        case int():
            return 'int'
        case float() as fl:
            return fl
        case 'a' | 'b':
            return 'ab'
        case str(s):
            return s.upper()
        case [a]:
            return ('one', a)
        case [a, *rest] if rest:
            return (a, rest)
        case {'k': v, **kw}:
            return (v, kw)
        case []:
            return 'empty'
        case None:
            return 'none'
        case True | False:
            return 'never'
        case _:
            return '?'
assert f(0) == 'small'
assert f(500) == 'big'
assert f(5) == 'int'
assert f(1.5) == 1.5
assert f('a') == 'ab'
assert f('zq') == 'ZQ'
assert f([1]) == ('one', 1)
assert f((1, 2, 3)) == (1, [2, 3])
assert f({'k': 1, 'z': 2}) == (1, {'z': 2})
assert f([]) == 'empty'
assert f(None) == 'none'
assert f(object) == '?'

class Pt:
    __match_args__ = ('x', 'y')

    def __init__(self, x, y):
        self.x, self.y = (x, y)
match (Pt(1, 2), 3):
    case [Pt(1, y), z]:
        assert y == 2
        assert z == 3
import enum

class E(enum.Enum):
    A = 1
match E.A:
    case E.A:
        ok = True
assert ok
