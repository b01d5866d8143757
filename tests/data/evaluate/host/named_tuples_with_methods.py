# Classes of named tuples that define special methods of their own.
from collections import namedtuple
from typing import NamedTuple

class A(NamedTuple):
    x: int = 1

    def __str__(self):
        return 'A!'

    def __repr__(self):
        return 'AA'

    def __add__(self, o):
        return A(self.x + o.x)

    def __len__(self):
        return 9

    def __eq__(self, o):
        return True

    def __hash__(self):
        return 3

    def __bool__(self):
        return False

    def __call__(self):
        return 'c'

    def __contains__(self, q):
        return True

    def __iter__(self):
        return iter('ab')

    def __getitem__(self, i):
        return i

    def __lt__(self, o):
        return True

    def __format__(self, s):
        return 'fmt'

    def __enter__(self):
        return self

    def __exit__(self, *a):
        pass

    def __mul__(self, k):
        return k

    def __getattr__(self, n):
        return n
a = A()
assert str(a) == 'A!'
assert repr(a) == 'AA'
assert a + a == A(2)
assert (a + A(4)).x == 5
assert len(a) == 9
assert a == 3
assert hash(a) == 3
assert not a
assert a() == 'c'
assert 77 in a
assert list(a) == ['a', 'b']
assert a[5] == 5
assert A(5) < A(1)
assert f'{a}' == 'fmt'
with a as q:
    assert q is a
assert a * 4 == 4
assert a.foo == 'foo'

class B(namedtuple('B', 'x y')):

    def __new__(cls, x, y=2):
        return super().__new__(cls, x, y)

    def __str__(self):
        return 'B!'

    def __add__(self, o):
        return 'add'

    @property
    def s(self):
        return self.x + self.y

    def area(self):
        return self.x * self.y

    def __repr__(self):
        return f'B<{self.x}>'
assert B(1).s == 3
assert str(B(1)) == 'B!'
assert B(1) + B(2) == 'add'
assert repr(B(1)) == 'B<1>'
assert B(3).area() == 6
assert f'{B(1)!s}{B(1)!r}' == 'B!B<1>'
