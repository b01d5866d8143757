from abc import ABC, ABCMeta, abstractmethod, abstractproperty
import abc
class A(ABC):
    @property
    @abstractmethod
    def name(self): ...
    @abstractmethod
    def run(self): raise NotImplementedError
    @classmethod
    def __subclasshook__(cls, C): return NotImplemented
class B(A):
    name = "b"
    def run(self): return 1
assert B().run() == 1 and issubclass(B, A)
A.register(int)
assert isinstance(5, A) and issubclass(int, A)
@A.register
class C: pass
assert isinstance(C(), A)
class M(metaclass=ABCMeta):
    @staticmethod
    @abc.abstractmethod
    def s(): ...
M.register(str)
assert isinstance("x", M) and A.__abstractmethods__
from collections.abc import Sequence, Mapping, MutableMapping, Callable, Iterable, Hashable, Sized
class Seq(Sequence):
    def __init__(self, d): self.d = d
    def __getitem__(self, i): return self.d[i]
    def __len__(self): return len(self.d)
s = Seq([1, 2, 3]); assert list(s) == [1, 2, 3] and 2 in s and s.index(3) == 2 and s.count(1) == 1 and list(reversed(s)) == [3, 2, 1]
class Map(MutableMapping):
    def __init__(self): self.d = {}
    def __getitem__(self, k): return self.d[k]
    def __setitem__(self, k, v): self.d[k] = v
    def __delitem__(self, k): del self.d[k]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
m = Map(); m.update(a=1); m.setdefault("b", 2); assert {**m} == {"a": 1, "b": 2} and m.pop("a") == 1 and "b" in m and dict(m) == {"b": 2} and m.get("q", 4) == 4
assert isinstance([], Sequence) and isinstance({}, Mapping) and isinstance(len, Callable) and not isinstance(3, Iterable)
