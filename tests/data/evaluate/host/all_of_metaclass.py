class Meta(type):
    reg = []

    def __new__(mcs, name, bases, ns, **kw):
        cls = super().__new__(mcs, name, bases, dict(ns))
        mcs.reg.append(name)
        cls.kw = kw
        return cls

    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)

    def __call__(cls, *a, **k):
        if not hasattr(cls, '_inst'):
            cls._inst = super().__call__(*a, **k)
        return cls._inst

    def __getitem__(cls, k):
        return (cls.__name__, k)

    def __iter__(cls):
        return iter([1, 2])

    def __len__(cls):
        return 7

    def __contains__(cls, x):
        return x == 1

    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        return {}

    @property
    def shortname(cls):
        return cls.__name__[0]

    def __getattr__(cls, n):
        if n == 'dyn':
            return 9
        raise AttributeError(n)

class A(metaclass=Meta, flag=3):

    def __init__(self, v):
        self.v = v
assert A(1) is A(2)
assert A(5).v == 1
assert A.kw == {'flag': 3}
assert Meta.reg == ['A']
assert A['x'] == ('A', 'x')
assert list(A) == [1, 2]
assert len(A) == 7
assert 1 in A
assert A.shortname == 'A'
assert A.dyn == 9

class B(A):
    pass
assert type(B) is Meta
assert Meta.reg == ['A', 'B']
X = type('X', (object,), {'y': 1, 'm': lambda self: self.y})
assert X().m() == 1
Y = Meta('Y', (), {})
assert isinstance(Y, Meta)
