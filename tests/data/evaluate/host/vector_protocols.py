class Vec:
    __slots__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, o): return Vec(self.x + o.x, self.y + o.y)
    def __radd__(self, o): return self if o == 0 else NotImplemented
    def __mul__(self, k): return Vec(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __matmul__(self, o): return self.x * o.x + self.y * o.y
    def __neg__(self): return self * -1
    def __iter__(self): yield self.x; yield self.y
    def __eq__(self, o): return isinstance(o, Vec) and tuple(self) == tuple(o)
    def __hash__(self): return hash(tuple(self))
    def __repr__(self): return f"Vec({self.x!r}, {self.y!r})"
    def __bool__(self): return any(self)
    def __abs__(self): return (self @ self) ** 0.5
    def __getitem__(self, i): return (self.x, self.y)[i]
    def __format__(self, spec): return format(self.x, spec) + "," + format(self.y, spec)
    def __iadd__(self, o): self.x += o.x; self.y += o.y; return self
    def __divmod__(self, k): return divmod(self.x, k), divmod(self.y, k)
    def __index__(self): return self.x
    def __call__(self, *a, **k): return len(a) + len(k)
    def __contains__(self, v): return v in tuple(self)
    def __len__(self): return 2
    def __reversed__(self): return iter((self.y, self.x))
    def __lt__(self, o): return abs(self) < abs(o)
    def __enter__(self): return self
    def __exit__(self, *a): return True
v = Vec(3, 4)
assert abs(v) == 5 and 2 * v == Vec(6, 8) and sum([v, v]) == Vec(6, 8) and v @ v == 25 and -v == Vec(-3, -4) and f"{v:.1f}" == "3.0,4.0"
assert [10, 20, 30, 40][v] == 40 and v(1, a=2) == 2 and 3 in v and list(reversed(v)) == [4, 3] and min(v, Vec(0, 1)) == Vec(0, 1) and len({v, Vec(3, 4)}) == 1
v += Vec(1, 1); a, b = v; assert (a, b) == (4, 5) and v[1] == 5 and v[-1] == 5 and divmod(v, 2) == ((2, 0), (2, 1)) and hex(Vec(255, 0)) == "0xff"
with v: raise KeyError
