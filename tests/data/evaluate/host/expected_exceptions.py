import abc
from abc import ABC, abstractmethod
class Base(ABC):
    @abstractmethod
    def go(self): ...
try:
    Base()
except TypeError: pass
else: raise AssertionError
class Slots:
    __slots__ = ("x", "y")
    def __init__(self): self.x = 1
s = Slots(); assert s.x == 1
try: s.z = 1
except AttributeError: pass
else: raise AssertionError
class D:
    @property
    def a(self): return 1
try: D().a = 2
except AttributeError: pass
else: raise AssertionError
class D: pass
try: del D().a
except AttributeError: pass
else: raise AssertionError
import enum
class E(enum.Enum):
    A = 1
try: E.A = 2
except AttributeError: pass
else: raise AssertionError
try: E["Q"]
except KeyError: pass
else: raise AssertionError
try: E(4)
except ValueError: pass
else: raise AssertionError
t = (1, 2)
try: t[0] = 3
except TypeError: pass
else: raise AssertionError
try: "abc"[0] = 3
except TypeError: pass
else: raise AssertionError
try: {}[[]] = 1
except TypeError: pass
else: raise AssertionError
try: int("x")
except ValueError: pass
else: raise AssertionError
try: [].pop()
except IndexError: pass
else: raise AssertionError
try: [1].remove(2)
except ValueError: pass
else: raise AssertionError
try: next(iter([]))
except StopIteration: pass
else: raise AssertionError
try: a, b = 1, 2, 3
except ValueError: pass
else: raise AssertionError
try: len(3)
except TypeError: pass
else: raise AssertionError
try: (lambda x: x)()
except TypeError: pass
else: raise AssertionError
try: import nope_nope
except ImportError: pass
else: raise AssertionError
try: undefined_zz
except NameError: pass
else: raise AssertionError
try: "a" + 1
except TypeError: pass
else: raise AssertionError
try: 3()
except TypeError: pass
else: raise AssertionError
try: open("/nope/nope")
except OSError: pass
else: raise AssertionError
