from __future__ import annotations
from typing import Any, Callable, Dict, Generic, List, Literal, NamedTuple, Optional, Protocol, Sequence, Tuple, Type, TypedDict, TypeVar, Union, cast, overload, runtime_checkable, TYPE_CHECKING, Annotated, Final, get_type_hints, get_args, get_origin, NewType, ParamSpec, Concatenate, TypeAlias, Iterable, Iterator, Mapping, NoReturn, Self, Never, assert_never
T = TypeVar('T', bound=int)
K = TypeVar('K')
P = ParamSpec('P')
U = NewType('U', int)
MAX: Final[int] = 4
V: TypeAlias = 'int | str'
Shape = Tuple[int, ...]
Fn = Callable[[int, str], Optional[float]]

class Pt(NamedTuple):
    x: int
    y: int = 2

    def norm(self):
        return self.x + self.y

class TD(TypedDict, total=False):
    a: int
    b: str

class G(Generic[T]):

    def __init__(self, v: T):
        self.v = v

    def get(self) -> T:
        return self.v

@runtime_checkable
class HasLen(Protocol):

    def __len__(self) -> int:
        ...
assert Pt(1).norm() == 3
assert Pt(1)._replace(y=5) == (1, 5)
assert Pt._fields == ('x', 'y')
assert Pt(3, 4)._asdict() == {'x': 3, 'y': 4}
td: TD = TD(a=1)
td2: TD = {'a': 1}
assert G[int](3).get() == 3
assert isinstance([], HasLen)
assert U(4) == 4
assert cast(int, 'x') == 'x'
assert get_args(Union[int, str]) == (int, str)
assert get_origin(List[int]) is list
assert get_args(Literal['a', 'b']) == ('a', 'b')

@overload
def f(a: int) -> int:
    ...

@overload
def f(a: str) -> str:
    ...

def f(a):
    return a
f(1)

def dec(fn: Callable[P, K]) -> Callable[P, K]:

    def w(*args: P.args, **kwargs: P.kwargs) -> K:
        return fn(*args, **kwargs)
    return w

@dec
def g(x):
    return x
assert g(x=3) == 3
if TYPE_CHECKING:
    import nonexistent
