from collections import OrderedDict
o = OrderedDict([("a", 1), ("b", 2)]); o.move_to_end("a"); assert list(o) == ["b", "a"]
assert o.popitem(last=False) == ("b", 2)
from collections import OrderedDict
o = OrderedDict([("a", 1), ("b", 2)]); o.move_to_end("b", last=False); assert list(o) == ["b", "a"]
