import typing, collections.abc, pathlib, re, functools, types, enum, dataclasses, datetime, threading, fractions, decimal, collections, numbers, io, os, itertools, operator
U = [int | None, pathlib.Path | None, re.Pattern | str, functools.partial | None, types.FunctionType | None, enum.Enum | int, datetime.datetime | None, fractions.Fraction | int, decimal.Decimal | float, collections.deque | list, collections.Counter | dict, collections.OrderedDict | None, collections.defaultdict | None, threading.Thread | None, io.StringIO | None, os.PathLike | str, collections.abc.Sequence | None, list[int] | None, None | int, typing.Any | None, itertools.chain | None, operator.itemgetter | None, type | None, types.ModuleType | None, Exception | None, object | None, type(None) | int, types.NoneType | str, tuple[int, ...] | list[str], dict[str, int] | None, collections.deque[int] | None, collections.abc.Callable[[int], str] | None, type[int] | None, types.SimpleNamespace | None, types.MappingProxyType | None, functools.cached_property | None, property | None, staticmethod | None, slice | None, range | None, complex | float, bytes | bytearray | memoryview, frozenset | set, numbers.Number | None, enum.auto | int]
class C: pass
@dataclasses.dataclass
class D: x: C | None = None
class E(enum.Enum): A = 1
V = [C | None, D | C, E | None, C | D | int | None, None | C, list[C] | C]
def f(a: C | None, b: "C | None" = None, *c: int | str, **d: D | None) -> C | D | None: return None
assert isinstance(3, int | str) and issubclass(int, int | str) and not isinstance(None, int | str) and isinstance(C(), C | D) and (int | None).__args__
T = typing.TypeVar("T"); W = [T | None, typing.List[T] | None, typing.Optional["C"] | int]
X = typing.Literal["a"] | None; Y = typing.Annotated[int, 1] | None; Z = typing.Callable | None; A = typing.NewType("A", int) | None
