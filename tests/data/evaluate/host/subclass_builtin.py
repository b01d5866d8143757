class D(dict):
    def __missing__(self, k): v = self[k] = k * 2; return v
    def __getattr__(self, n):
        try: return self[n]
        except KeyError: raise AttributeError(n)
    __setattr__ = dict.__setitem__
d = D(a=1); assert d[3] == 6 and d.a == 1 and len(d) == 2 and "a" in d and list(d) and {**d} and d | {"z": 1} and d == {"a": 1, 3: 6} and bool(d); d.q = 4; assert d["q"] == 4
for k, v in d.items(): pass
class L(list):
    def first(self): return self[0]
    def __add__(self, o): return L(list.__add__(self, o))
l = L([1, 2]); l.append(3); assert l.first() == 1 and len(l) == 3 and l + [4] == [1, 2, 3, 4] and sum(l) == 6 and l[0:2] == [1, 2] and sorted(l) and l * 2 and 1 in l and max(l) == 3 and not L() and l == [1, 2, 3]
a, b, c = l
class I(int):
    def __new__(cls, v, unit=""): o = super().__new__(cls, v); o.unit = unit; return o
    def __add__(self, o): return I(int(self) + int(o), self.unit)
i = I(5, "ms"); assert i + 1 == 6 and i * 2 == 10 and i.unit == "ms" and i > 3 and f"{i:d}" == "5" and range(i) and [0] * i and -i and i.bit_length() == 3 and hash(i) == 5 and int(i) == 5 and "%d" % i == "5" and round(i) == 5 and divmod(i, 2) == (2, 1) and abs(i) == 5 and max(i, 2) == 5 and list(range(10))[i] == 5 and bin(i)
class S(str):
    def up(self): return S(self.upper())
    def __new__(cls, v): return super().__new__(cls, v)
s = S("ab"); assert s.up() == "AB" and s + "c" == "abc" and "x" + s == "xab" and s[0] == "a" and len(s) == 2 and f"{s:>5}" == "   ab" and "a" in s and s in "xabx" and {"ab": 1}[s] == 1 and s == "ab" and "".join([s]) == "ab" and s % () == "ab" and int(S("5")) == 5 and s.split("b")
class F(float): pass
assert F(1.5) + 1 == 2.5 and F(2) < 3 and round(F(1.26), 1) == 1.3 and -F(1) == -1 and f"{F(1):.1f}" == "1.0"
class T(tuple):
    def __new__(cls, *a): return super().__new__(cls, a)
t = T(1, 2); a, b = t; assert t[0] == 1 and t + (3,) == (1, 2, 3) and len(t) == 2 and {t: 1} and t == (1, 2) and hash(t) and t < (2,)
class St(set): pass
st = St([1]); st.add(2); assert 2 in st and st | {3} and len(st) == 2 and st - {1} == {2}
class E(Exception):
    def __init__(self, msg, code=1): super().__init__(msg); self.code = code
    def __str__(self): return f"{self.args[0]} ({self.code})"
try: raise E("bad", 3)
except E as e: assert e.code == 3 and str(e) == "bad (3)" and e.args == ("bad",) and e.__traceback__ and e.with_traceback(None)
class KE(KeyError, AttributeError): pass
try: raise KE("x")
except AttributeError as e: assert str(e) == "'x'"
class OE(OSError): pass
try: raise OE(2, "msg", "file")
except OSError as e: assert e.errno == 2 and e.filename == "file" and e.strerror == "msg"
class BA(bytes): pass
assert BA(b"x") + b"y" == b"xy" and len(BA(b"xy")) == 2
class Ty(type): pass
class Pr(property): pass
class X:
    @Pr
    def v(self): return 1
assert X().v == 1
