class V:
    n = 0

    def __new__(cls, *a, **k):
        o = super().__new__(cls)
        cls.n += 1
        return o

    def __init__(self, x=0):
        self.x = x

    def __add__(self, o):
        return V(self.x + getattr(o, 'x', o))
    __radd__ = __add__

    def __iadd__(self, o):
        self.x += o
        return self

    def __mul__(self, o):
        return NotImplemented

    def __rmul__(self, o):
        return V(self.x * o)

    def __matmul__(self, o):
        return 'mm'

    def __neg__(self):
        return V(-self.x)

    def __eq__(self, o):
        return isinstance(o, V) and self.x == o.x

    def __hash__(self):
        return hash(self.x)

    def __lt__(self, o):
        return self.x < o.x

    def __bool__(self):
        return self.x != 0

    def __len__(self):
        return self.x

    def __contains__(self, i):
        return i == self.x

    def __getitem__(self, i):
        return i

    def __setitem__(self, i, v):
        self.x = v

    def __delitem__(self, i):
        self.x = 0

    def __call__(self, *a, **k):
        return (a, k)

    def __repr__(self):
        return f'V({self.x})'

    def __int__(self):
        return self.x

    def __float__(self):
        return float(self.x)

    def __index__(self):
        return self.x

    def __enter__(self):
        return self

    def __exit__(self, *a):
        return True

    def __iter__(self):
        yield from range(self.x)

    def __reversed__(self):
        return iter([9])

    def __abs__(self):
        return abs(self.x)

    def __round__(self, n=None):
        return 5

    def __divmod__(self, o):
        return (1, 2)

    def __pow__(self, o, m=None):
        return 'pow'

    def __lshift__(self, o):
        return 'ls'

    def __and__(self, o):
        return 'and'

    def __invert__(self):
        return 'inv'

    def __dir__(self):
        return ['x']

    def __class_getitem__(cls, item):
        return item

    @classmethod
    def make(cls, x):
        return cls(x)

    @staticmethod
    def st(x):
        return x
a = V(3)
assert (a + V(1)).x == 4
assert (1 + a).x == 4
assert sum([V(1), V(2)], V(0)).x == 3
assert (2 * a).x == 6
assert a @ a == 'mm'
assert (-a).x == -3
assert a == V(3)
assert len({V(1), V(1)}) == 1
assert sorted([V(2), V(1)])[0].x == 1
assert not V(0)
assert len(a) == 3
assert 3 in a
assert a[1:2] == slice(1, 2)
assert a[1, 2] == (1, 2)
assert a[...] is ...
assert a(1, k=2) == ((1,), {'k': 2})
assert repr(a) == 'V(3)'
assert f'{a}' == 'V(3)'
assert int(a) == 3
assert float(a) == 3.0
assert [0, 1, 2, 3][a] == 3
assert list(a) == [0, 1, 2]
assert list(reversed(a)) == [9]
assert abs(V(-2)) == 2
assert round(a) == 5
assert divmod(a, 1) == (1, 2)
assert a ** 2 == 'pow'
assert a << 1 == 'ls'
assert a & 1 == 'and'
assert ~a == 'inv'
assert dir(a) == ['x']
assert V[int] is int
assert V.make(2).x == 2
assert V.st(1) == 1
assert range(a)[-1] == 2
assert hex(a) == '0x3'
a += 2
a[0] = 9
assert a.x == 9
del a[0]
assert a.x == 0
with V(1) as v:
    raise ValueError

class A:

    def f(self):
        return 'A'

    def __init_subclass__(cls, /, tag=None, **kw):
        super().__init_subclass__(**kw)
        cls.tag = tag

class B(A):

    def f(self):
        return 'B' + super().f()

class C(A, tag='c'):

    def f(self):
        return 'C' + super().f()

class D(B, C):
    pass
assert D().f() == 'BCA'
assert C.tag == 'c'
assert [k.__name__ for k in D.__mro__] == ['D', 'B', 'C', 'A', 'object']
assert issubclass(D, A)
assert isinstance(D(), (int, A))
assert D.__bases__ == (B, C)
assert D.__name__ == 'D'
assert type(D()) is D
assert D().__class__ is D
assert A.__subclasses__() == [B, C]
assert hasattr(D, 'f')
assert getattr(D(), 'zz', 5) == 5
assert callable(D)
assert D.__doc__ is None
assert D.f.__qualname__ == 'B.f'
setattr(D, 'k', 3)
assert D().k == 3
delattr(D, 'k')
assert not hasattr(D, 'k')

class E(Exception):

    def __init__(self, code, *a):
        super().__init__(code, *a)
        self.code = code

    def __str__(self):
        return f'E{self.code}'
try:
    raise E(5, 'x') from ValueError('y')
except E as e:
    assert str(e) == 'E5'
    assert e.args == (5, 'x')
    assert isinstance(e.__cause__, ValueError)
    assert e.code == 5
try:
    try:
        {}['k']
    except KeyError as k:
        raise RuntimeError('r') from None
    finally:
        fin = 1
except (RuntimeError, TypeError) as r:
    assert r.__suppress_context__
    assert fin == 1
else:
    raise SystemExit

def deep():
    try:
        return 1
    finally:
        log.append('f')
log = []
assert deep() == 1
assert log == ['f']
try:
    raise ExceptionGroup('g', [ValueError(1), TypeError(2)])
except* ValueError as eg:
    assert len(eg.exceptions) == 1
except* TypeError:
    pass
import warnings
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter('always')
    warnings.warn('x', DeprecationWarning)
    assert len(w) == 1

def g(a, /, b, *args, c, d=4, **kw):
    return (a, b, args, c, d, kw)
assert g(1, 2, 3, c=5, e=6) == (1, 2, (3,), 5, 4, {'e': 6})
assert g(*[1, 2], **{'c': 3}) == (1, 2, (), 3, 4, {})
assert (lambda *a, k=1: (a, k))(1, 2) == ((1, 2), 1)

def outer():
    x = 1

    def inner():
        nonlocal x
        x += 1
        return x
    inner()
    return (x, locals().keys() >= {'x'})
assert outer() == (2, True)
assert globals()['outer'] is outer
assert eval('1 + 1') == 2
exec('dyn = 5')
assert dyn == 5
G = 1

def setg():
    global G
    G += 1
setg()
assert G == 2
fns = [lambda i=i: i for i in range(3)]
assert [f() for f in fns] == [0, 1, 2]
fns = [lambda: i for i in range(3)]
assert fns[0]() == 2
assert (lambda n: (f := (lambda k: 1 if k < 2 else k * f(k - 1)))(n))(5) == 120
for i in range(3):
    if i == 5:
        break
else:
    done = 1
assert done == 1
assert (1 if False else 2) == 2
assert (None or 'd') == 'd'
assert ([] and 1) == []
assert not (1 and 0)
