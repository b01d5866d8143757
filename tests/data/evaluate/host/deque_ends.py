from collections import deque
import copy

d = deque(range(2, 8), maxlen=4)
assert list(d) == [4, 5, 6, 7] and d.maxlen == 4
d.append(8)
d.appendleft(2)
assert list(d) == [2, 5, 6, 7]
d.rotate(1)
assert d[0] == 7 and d[-1] == 6
d.rotate(-3)
e = d.copy()
e.extend([9, 10])
e.extendleft((3, 4))
assert e[0] == 4 and len(e) == 4 and 3 in e
e.remove(4)
e.insert(1, 5)
e[0] = 1
assert e.index(5) == 1 and e.count(1) == 1
assert deque([1]) == deque([1]) and deque() != deque([1]) and not deque()
assert copy.copy(d) == d
assert [a for a in reversed(list(d))] == list(d)[::-1]
assert sorted(d + deque([1])) and d * 2
assert isinstance(d, deque)
while d:
    d.pop()
try:
    d.popleft()
except IndexError:
    d.clear()


class Queue(deque):
    def put(self, x):
        self.append(x)


q = Queue([1])
q.put(2)
assert q.popleft() == 1
