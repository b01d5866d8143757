import abc
from abc import ABC, ABCMeta, abstractmethod, abstractproperty

class Base(ABC):

    @abstractmethod
    def go(self):
        ...

    @property
    @abstractmethod
    def name(self):
        ...

    @classmethod
    @abstractmethod
    def make(cls):
        ...

    @staticmethod
    @abstractmethod
    def st():
        ...

class Im(Base):
    name = 'im'

    def go(self):
        return 1

    @classmethod
    def make(cls):
        return cls()

    @staticmethod
    def st():
        return 2
assert Im.make().go() == 1
try:
    Base()
except TypeError:
    pass
else:
    raise AssertionError

class M(metaclass=ABCMeta):

    @classmethod
    def __subclasshook__(cls, C):
        return hasattr(C, 'foo') or NotImplemented

class Foo:
    foo = 1
assert issubclass(Foo, M)
Base.register(int)
assert isinstance(3, Base)
assert Base.__abstractmethods__ == frozenset({'go', 'name', 'make', 'st'})
