for name in ("ALPHA", "BETA"):
    globals()[name] = name.lower()
assert ALPHA == "alpha"
globals().update(GAMMA=1, **{"DELTA": 2})
assert GAMMA + DELTA == 3
vars()["EPS"] = 4; locals()["ZETA"] = 5
assert EPS + ZETA == 9
exec("ETA = 6")
assert ETA == 6
import sys
setattr(sys.modules[__name__], "THETA", 7)
assert THETA == 7
sys.modules[__name__].__dict__["IOTA"] = 8
assert IOTA == 8
this = sys.modules[__name__]; this.KAPPA = 9
assert KAPPA == 9 and "KAPPA" in globals() and globals().get("NOPE") is None
_ns = {}; exec("def f(): return 3", _ns); assert _ns["f"]() == 3
assert eval("1 + 1") == 2
code = compile("MU = 1", "x", "exec"); exec(code); assert MU == 1
def __getattr__(name): return name
assert [k for k in dir() if k == "MU"]
