from collections import defaultdict, OrderedDict, Counter, deque, namedtuple, ChainMap, UserDict, UserList, abc
import collections.abc
d = defaultdict(list)
d['a'].append(1)
dd = defaultdict(lambda: defaultdict(int))
dd['x']['y'] += 2
assert {**d} == {'a': [1]}
assert dd['x']['y'] == 2
assert dict(d) == {'a': [1]}
assert 'zz' not in d
o = OrderedDict([('a', 1), ('b', 2)])
o.move_to_end('a')
assert list(o) == ['b', 'a']
assert o.popitem(last=False) == ('b', 2)
c = Counter('abca') + Counter(a=1)
c.update('zz')
c.subtract({'z': 1})
assert c['a'] == 3
assert c.most_common(1) == [('a', 3)]
assert sum(c.values()) == 6
assert c['nope'] == 0
assert c.total() == 6
assert list(Counter(a=2).elements()) == ['a', 'a']
assert Counter(a=3) - Counter(a=1) == Counter(a=2)
assert Counter(a=1) | Counter(b=2) == Counter(a=1, b=2)
q = deque([1, 2, 3], maxlen=3)
q.append(4)
q.appendleft(0)
q.rotate(1)
q.extend([1])
q.popleft()
q.pop()
assert q.maxlen == 3
Pt = namedtuple('Pt', 'x y', defaults=[0])
Pq = namedtuple('Pq', ['x', 'y'])
assert Pt(1) == (1, 0)
assert Pt._make([1, 2]).y == 2
assert Pt._field_defaults == {'y': 0}
cmap = ChainMap({'a': 1}, {'b': 2})
assert cmap['b'] == 2
assert cmap.new_child({'c': 3})['c'] == 3
assert cmap.maps[0] == {'a': 1}

class UD(UserDict):

    def __missing__(self, k):
        return k
assert UD(a=1)['zz'] == 'zz'

class UL(UserList):
    pass
assert UL([1, 2]) + [3] == [1, 2, 3]
assert isinstance([], abc.Sequence)
assert isinstance({}, collections.abc.Mapping)
assert not isinstance(3, collections.abc.Iterable)
