import copy, functools
a = ()
for i in range(60): a = (a, a)
hash(a), a == a, repr(a)
L = []
L.append(L)
L == [L], repr(L), copy.deepcopy(L)
class A: pass
A.__call__ = A()
A()()
F = len
for i in range(2000): F = functools.partial(F, i)
F()
x = 3
for i in range(40): x = x * x
f"{x:>{100000000}}"
