l = [3, 1, 2]
l.sort(key=lambda v: -v, reverse=True)
assert l == [1, 2, 3]
l[1:2] = [9, 9]
assert l == [1, 9, 9, 3]
del l[0]
l.insert(0, 5)
l.reverse()
assert l.index(5) == 3
assert l.count(9) == 2
l += (1,)
l *= 2
l.extend((x for x in 'a'))
l.clear()
assert not l
m = [[0] * 3 for _ in range(2)]
m[0][1] = 5
assert m == [[0, 5, 0], [0, 0, 0]]
assert [*range(3)] == [0, 1, 2]
assert [*zip(*[(1, 2), (3, 4)])] == [(1, 3), (2, 4)]
assert list(map(lambda a, b: a + b, [1], [2])) == [3]
assert list(filter(None, [0, 1])) == [1]
assert list(enumerate('ab', 1)) == [(1, 'a'), (2, 'b')]
assert sorted({'b': 1, 'a': 2}) == ['a', 'b']
assert max([1, 5, 2], key=lambda x: -x) == 1
assert min((2, 1), (1, 5)) == (1, 5)
assert sum([[1], [2]], []) == [1, 2]
assert any([]) is False
assert all([])
assert [1, 2] < [1, 3]
assert (1, 2) + (3,) == (1, 2, 3)
assert tuple('ab') == ('a', 'b')
assert (1, 2).index(2) == 1
assert [1, 2, 3][-2:] == [2, 3]
assert [1, 2, 3][::2] == [1, 3]
assert list(reversed(range(3))) == [2, 1, 0]
assert range(0, 10, 3)[2] == 6
assert 6 in range(0, 10, 3)
assert len(range(5, 0, -2)) == 3
assert slice(1, 5).indices(3) == (1, 3, 1)
s = {1, 2}
s |= {3}
s.discard(9)
s.add(4)
assert s - {1} == {2, 3, 4}
assert s & {1, 9} == {1}
assert s ^ {1} == {2, 3, 4}
assert {1} <= s
assert frozenset([1]) == {1}
assert s.issuperset({1})
assert s.isdisjoint({8})
assert {x for x in 'aab'} == {'a', 'b'}
assert s.union([7]) >= s
s.difference_update([4])
s.intersection_update({1, 2})
s.remove(1)
assert s.pop() == 2
d = {'a': 1, **{'b': 2}}
d |= {'c': 3}
assert d | {'a': 9} == {'a': 9, 'b': 2, 'c': 3}
assert d.setdefault('z', []) == []
assert dict.fromkeys('ab', 0) == {'a': 0, 'b': 0}
assert d.pop('z') == []
assert d.get('q', 7) == 7
assert list(d.items())[0] == ('a', 1)
assert d.keys() & {'a', 'x'} == {'a'}
assert {v: k for k, v in d.items()}[1] == 'a'
assert dict(zip('xy', [1, 2])) == {'x': 1, 'y': 2}
assert list(reversed(d)) == ['c', 'b', 'a']
assert dict(a=1) == {'a': 1}
assert dict([('k', 1)], m=2) == {'k': 1, 'm': 2}
del d['a']
(x, *y), z = ((1, 2, 3), 4)
assert y == [2, 3]
assert next(iter(d)) == 'b'
d.update(q=1)
assert 'q' in d
assert len(d) == 3
