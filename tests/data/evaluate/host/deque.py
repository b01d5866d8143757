from collections import deque
q = deque([1, 2, 3], maxlen=3)
q.append(4); q.appendleft(0); q.rotate(1); q.extendleft([9])
first = q.popleft(); last = q.pop()
assert len(q) == q.maxlen - 2
while q:
    q.popleft()
type_alias = deque[int]
