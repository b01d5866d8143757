# Comprehensions in the body of a class do not see its names, but their first iterable does.
z = 1

class C:
    z = 10
    y = [z for _ in range(2)]
    w = {z for _ in (1,)}
    v = list((z for _ in (1,)))
    u = [q for q in [z]]
    t = (lambda: z)()
    s = [a + b for a in [z] for b in range(2)]

    def m(self, d=z):
        return d
assert C.y == [1, 1]
assert C.w == {1}
assert C.v == [1]
assert C.u == [10]
assert C.t == 1
assert C.s == [10, 11]
assert C().m() == 10

class D:
    n = 3
    try:
        bad = [n for _ in range(2)]
    except NameError:
        bad = 'ne'
assert D.bad == 'ne'
