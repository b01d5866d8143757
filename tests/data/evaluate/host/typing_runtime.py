import typing
from typing import List, Dict, Tuple, Set, Type, Optional, Union, Callable, Any, Iterator, Generator, NoReturn, Deque, DefaultDict, IO, Pattern, AnyStr, Hashable
A = Dict[str, List[Tuple[int, ...]]]
B = Optional[Callable[[int, str], Any]]
C = Union[A, B, None]
D = Type["X"] | None
E = List[int] | Dict[str, int]
F = Callable[..., Any] | None
G = Optional["Fwd"] | int
class X(typing.Generic[typing.AnyStr]): pass
class Y(Dict[str, int]): pass
y = Y(a=1); assert y["a"] == 1
class Z(List[int]): pass
z = Z([1, 2]); assert len(z) == 2 and z[0] == 1
def f(x: "Unknown", *a: int, **k: Any) -> "None": pass
f.__annotations__["x"]
hints = typing.get_type_hints(X)
