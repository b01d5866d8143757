from collections import defaultdict, Counter, OrderedDict, ChainMap, deque, namedtuple
d = defaultdict(list)
d["a"].append(1)
plain = {**d, "b": 2}
assert plain["a"] == [1]
e = d | {"c": [3]}
d.update(x=[5])
c = d.copy()
assert "a" in d and len(d) == 2
for k in d: pass
for k, v in d.items(): v.append(k)
d.setdefault("z", [])
del d["z"]
dd = defaultdict(lambda: defaultdict(int))
dd["x"]["y"] += 1
assert dd["x"]["y"] == 1
assert sorted(dd.keys()) == ["x"]
d.pop("a"); d.clear()
assert dict(dd) == {"x": {"y": 1}}
