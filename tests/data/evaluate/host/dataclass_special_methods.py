# Dataclasses with special methods of their own.
from dataclasses import dataclass

@dataclass(eq=False)
class V:
    a: int
    b: int = 0

    def _key(self):
        return (self.a, self.b)

    def __hash__(self):
        return hash(self._key())

    def __eq__(self, o):
        return self._key() == o._key()
assert hash(V(1)) == hash(V(1))
assert V(1) == V(1)
assert len({V(1), V(1, 0)}) == 1
from dataclasses import dataclass

@dataclass
class V:
    a: int

    def __eq__(self, o):
        return True

    def __hash__(self):
        return 1

    def __repr__(self):
        return 'v'

    def __lt__(self, o):
        return True
assert V(1) == V(2)
assert V(1) < V(2)
assert repr(V(1)) == 'v'
assert hash(V(1)) == 1

@dataclass(eq=True)
class W(V):
    b: int = 0
assert W(1) == W(1)
assert W(1) != W(2)
assert not W(1) == V(1) or True

@dataclass(frozen=True)
class X:
    a: int

    def __hash__(self):
        return 7
assert hash(X(1)) == 7
