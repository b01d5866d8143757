def gen(n):
    x = 0
    while x < n:
        r = (yield x)
        x += 1 if r is None else r

def deleg():
    r = (yield from gen(3))
    return r
g = gen(10)
assert next(g) == 0
assert g.send(3) == 3
g.close()
assert list(deleg()) == [0, 1, 2]

def thr():
    try:
        yield 1
    except ValueError:
        yield 2
t = thr()
next(t)
assert t.throw(ValueError('x')) == 2

def ret():
    yield 1
    return 5
it = ret()
next(it)
try:
    next(it)
except StopIteration as e:
    assert e.value == 5

class It:

    def __init__(self):
        self.i = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.i += 1
        if self.i > 3:
            raise StopIteration
        return self.i
assert list(It()) == [1, 2, 3]
assert sum((x * x for x in It())) == 14
assert dict(zip('ab', It())) == {'a': 1, 'b': 2}
a, *b = gen(3)
assert b == [1, 2]
assert next((x for x in [] if x), 'd') == 'd'
assert max((x for x in [3, 9]), default=0) == 9
sq = (x for x in range(3))
assert 2 in sq

class Gi:

    def __getitem__(self, i):
        if i > 2:
            raise IndexError
        return i
assert list(Gi()) == [0, 1, 2]
assert list(reversed([1, 2])) == [2, 1]
assert list(iter(iter([1, 0]).__next__, 0)) == [1]
