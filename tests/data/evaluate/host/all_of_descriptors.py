class Typed:

    def __set_name__(self, owner, name):
        self.name = '_' + name
        owner.seen = getattr(owner, 'seen', ()) + (name,)

    def __init__(self, t=int):
        self.t = t

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name, None)

    def __set__(self, obj, v):
        if not isinstance(v, self.t):
            raise TypeError(v)
        setattr(obj, self.name, v)

    def __delete__(self, obj):
        delattr(obj, self.name)

class C:
    a = Typed()
    b = Typed(str)

    def __init__(self):
        self.a = 1
c = C()
c.b = 'x'
assert c.a == 1
assert c.b == 'x'
assert C.seen == ('a', 'b')
assert isinstance(C.a, Typed)
try:
    c.a = 's'
except TypeError:
    pass
else:
    raise AssertionError
del c.a
assert c.a is None

class Lazy:

    def __init__(self, f):
        self.f = f

    def __get__(self, o, t):
        v = self.f(o)
        o.__dict__[self.f.__name__] = v
        return v

class D:

    @Lazy
    def q(self):
        return 7
d = D()
assert d.q == 7
assert d.__dict__ == {'q': 7}

class Slots:
    __slots__ = ('x', 'y')

    def __init__(self):
        self.x = 1
s = Slots()
assert s.x == 1
try:
    s.z = 1
except AttributeError:
    pass
else:
    raise AssertionError

class Ga:

    def __getattr__(self, n):
        return n * 2

    def __setattr__(self, n, v):
        super().__setattr__(n, v)

    def __getattribute__(self, n):
        return object.__getattribute__(self, n)
assert Ga().ab == 'abab'

class Stored:

    def __set_name__(self, owner, name):
        self.name = '_' + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name, 0)

    def __set__(self, obj, value):
        setattr(obj, self.name, value)

    def __delete__(self, obj):
        delattr(obj, self.name)

class Forwards:
    f = Stored()

    def __getattr__(self, n):
        return n

    def __setattr__(self, n, v):
        super().__setattr__(n, v)
fw = Forwards()
fw.f = 3
assert fw._f + fw.f == 6
del fw.f
assert fw._f == '_f'
