from collections import OrderedDict, ChainMap
o = OrderedDict(a=1, b=2)
o.move_to_end("a")
o.popitem(last=False)
r = OrderedDict([("x", 1)])
assert r == {"x": 1}
m = ChainMap({"a": 1}, {"b": 2})
assert m["b"] == 2
m2 = m.new_child({"c": 3}); m2.maps[0]["d"] = 4
class LRU(OrderedDict):
    def __init__(self, n): super().__init__(); self.n = n
    def __getitem__(self, k):
        v = super().__getitem__(k); self.move_to_end(k); return v
    def __setitem__(self, k, v):
        super().__setitem__(k, v)
        if len(self) > self.n: del self[next(iter(self))]
l = LRU(2); l["a"] = 1; l["b"] = 2; l["c"] = 3
assert "a" not in l and l["b"] == 2
