class MyErr(ValueError): pass
def f(x):
    if x: raise MyErr("a") from KeyError("b")
    return 1
try: f(1)
except (MyErr, TypeError) as e: assert e.__cause__ is not None and isinstance(e, ValueError) and repr(e) == "MyErr('a')"
else: assert False
finally: done = True
try:
    try: raise KeyError("k")
    except KeyError as k: raise RuntimeError("r") from k
except RuntimeError as r: assert r.__cause__.args == ("k",) and r.__context__ is r.__cause__
try: raise ExceptionGroup("eg", [ValueError(1), TypeError("t")])
except* ValueError as eg: assert len(eg.exceptions) == 1
except* TypeError: pass
e = ValueError("x"); e.add_note("n"); assert e.__notes__ == ["n"]
try: int("x")
except ValueError: pass
try: [][0]
except LookupError: pass
try: {}["a"]
except KeyError as ke: assert ke.args[0] == "a"
try: None.x
except AttributeError as ae: assert ae.name == "x" and ae.obj is None
try: import not_there
except ImportError as ie: assert ie.name == "not_there" and ie.msg
try: undefined_name
except NameError as ne: ne.name
try: "a" + 1
except TypeError: pass
try: assert False, "m"
except AssertionError as a: assert a.args == ("m",)
try: raise StopIteration(5)
except StopIteration as s: assert s.value == 5
try: raise SystemExit(3)
except SystemExit as s: assert s.code == 3
def g():
    try: return 1
    finally: pass
assert g() == 1
for i in range(3):
    try:
        if i == 1: continue
    finally: last = i
assert last == 2
def loop():
    for i in range(5):
        try:
            if i == 3: break
        except Exception: pass
        else: continue
    else: return "no"
    return i
assert loop() == 3
class Retry:
    def __init__(self, n): self.n = n
    def __call__(self, fn):
        def inner(*a):
            for _ in range(self.n):
                try: return fn(*a)
                except Exception as e: err = e
            raise err
        return inner
@Retry(3)
def ok(): return 1
assert ok() == 1
