# A TypedDict is a dict when the program runs.
from typing import TypedDict, Required, NotRequired


class Config(TypedDict):
    block: int
    warps: int


class Named(Config, total=False):
    name: NotRequired[str]
    size: Required[int]


Pair = TypedDict("Pair", {"a": int, "b": int}, total=False)

c = Config(block=128, warps=4)
assert type(c) is dict and isinstance(c, dict)
assert c == {"block": 128, "warps": 4} and c["warps"] == 4
assert sorted(Config({"block": 64}, warps=8).items()) == [("block", 64), ("warps", 8)]
assert {**Named(block=1, warps=2, size=3)} == dict(block=1, warps=2, size=3)
assert Pair(a=1)["a"] == 1 and len(Pair()) == 0
c.update(block=256)
assert c.get("block") == 256 and c.get("name") is None
assert Config.__total__ and not Named.__total__
assert Config.__name__ == "Config" and set(Config.__annotations__) == {"block", "warps"}
assert "name" in Named.__optional_keys__ and "size" in Named.__required_keys__
