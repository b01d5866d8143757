class Desc:
    def __set_name__(self, owner, name): self.name = "_" + name
    def __get__(self, obj, objtype=None):
        if obj is None: return self
        return getattr(obj, self.name, None)
    def __set__(self, obj, value):
        if value < 0: raise ValueError("negative")
        setattr(obj, self.name, value)
class Tile:
    m = Desc(); n = Desc()
    def __init__(self, m, n): self.m, self.n = m, n
t = Tile(3, 4)
assert t.m == 3 and t._n == 4 and Tile.m.name == "_m"
try:
    t.m = -1
except ValueError as e:
    assert str(e) == "negative"
else:
    raise AssertionError
