from __future__ import annotations
import typing as t
from typing import (Any, Callable, Generic, TypeVar, Protocol, overload, NewType, Optional, Union, Annotated, TypedDict,
  Literal, get_type_hints, get_origin, get_args, runtime_checkable, ParamSpec, Concatenate, TypeAlias, cast, TYPE_CHECKING, no_type_check, Self, Final, Iterable, Sequence, Mapping)
if TYPE_CHECKING:
    from somewhere import Thing
T = TypeVar("T", bound="Base"); K = TypeVar("K", int, str); Pm = ParamSpec("Pm")
UserId = NewType("UserId", int)
assert UserId(5) + 1 == 6
class Stack(Generic[T]):
    def __init__(self) -> None: self.items: list[T] = []
    def push(self, x: T) -> Stack[T]: self.items.append(x); return self
s = Stack[int]().push(1); assert s.items == [1]
@runtime_checkable
class HasLen(Protocol):
    def __len__(self) -> int: ...
assert isinstance([1], HasLen) and not isinstance(5, HasLen)
class TD(TypedDict, total=False):
    a: int
    b: t.Required[str]
d: TD = {"a": 1, "b": "x"}; d2 = TD(a=1, b="y"); assert d2["b"] == "y"
@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x): return x
assert f(1) == 1
def g(x: Thing | None, y: Undefined) -> list[Thing]: return []
Alias: TypeAlias = "int | str"
Shape = tuple[int, ...]; Fn = Callable[..., int]; Opt = Optional[int]; U = Union[int, str, None]; L = Literal["a", "b"]; An = Annotated[int, "meta"]
assert get_args(L) == ("a", "b") and get_origin(list[int]) is list
PyOrNone = int | None; mixed = list[int] | None | str
def deco(fn: Callable[Pm, T]) -> Callable[Concatenate[int, Pm], T]: return fn
@deco
def h(a, b=2): return a + b
assert h(1) == 3 and get_type_hints(Stack.__init__)["return"] is type(None)
class Node:
    left: Node | None = None
    MAX: Final = 5
    def me(self) -> Self: return self
assert cast(int, "x") == "x" and isinstance(5, int | str) and isinstance(5, (int, str))
def gen() -> Iterable[int]: yield 1
X: Final[int] = 3
