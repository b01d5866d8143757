import os, math
from collections import namedtuple
from itertools import product
BLOCKS = [32, 64, 128]; CFG = [dict(M=m, N=n, W=w) for m, n, w in product(BLOCKS, BLOCKS, (4, 8)) if m * n <= 64 * 128]
BEST = min(CFG, key=lambda c: abs(c["M"] - c["N"])); TABLE = {(c["M"], c["N"]): c["W"] for c in CFG}
SIZES = [2 ** i for i in range(4, 10)]; LOGS = list(map(int, map(math.log2, SIZES))); assert LOGS[0] == 4
def cdiv(a, b): return -(-a // b)
GRID = lambda meta: (cdiv(1000, meta["M"]), 1); assert GRID({"M": 32})[0] == 32
DTYPES = {"fp16": ("half", 2), "fp8": ("e4m3", 1)}; NAMES, BYTES = zip(*DTYPES.values()); assert BYTES == (2, 1)
Shape = namedtuple("Shape", "m n k"); SH = [Shape(*s) for s in [(1, 2, 3), (4, 5, 6)]]; assert SH[1].k == 6 and max(SH, key=lambda s: s.m).m == 4
VERSION = tuple(int(x) for x in "3.9.0".split(".")[:2]); assert VERSION >= (3, 0)
FLAG = os.environ.get("X_FLAG", "0") in ("1", "true", "True"); LEVEL = int(os.environ.get("X_LEVEL", 0)); DEV = os.getenv("X_DEV") or "cuda"; assert DEV == "cuda" or True
try: import missing_accelerated as acc; HAS = True
except ImportError: acc = None; HAS = False
except Exception as e: HAS = str(e) and False
if acc is not None: acc.init().value[0] + 1
def check(cond, msg=""):
    if not cond: raise ValueError(msg)
check(True)
class Config(dict):
    __getattr__ = dict.get
c = Config(a=1); assert c.a == 1 and c.zzz is None
config = {"a": {"b": [1, {"c": 2}]}}; assert config["a"]["b"][1]["c"] == 2
assert {**TABLE}.get((32, 32), 0) and sum(v for v in TABLE.values()) > 0 and sorted(TABLE)[0] == (32, 32) and len(set(TABLE.values())) == 1
HELP = f"""{'name':<10} {', '.join(f'{k}={v}' for k, v in BEST.items())}
{BEST['M']:>{8}} {math.pi:.{3}f} {LEVEL!r} {{literal}}"""
LONG = ("a" "b"
        'c'); assert LONG == "abc"
assert (lambda x, *, y=1: x + y)(1) == 2 and [*map(lambda t: t[0] * t[1], [(1, 2)])] == [2] and "".join(sorted("cab")) == "abc" and "%05.1f|%-5s|%+d|%%|%c" % (2.25, "a", 3, "z")
del BLOCKS, LONG
assert "BLOCKS" not in globals()
for _i, (_a, _b) in enumerate(zip([1, 2], [3, 4]), start=1): assert _a + 2 == _b
while SIZES: SIZES.pop()
with open(os.devnull) as fh: data = fh.read().splitlines(); lines = [l.split("=")[1] for l in fh if "=" in l]
assert data == []
import random, time
t0 = time.time(); el = time.perf_counter() - t0; ms = (time.perf_counter_ns() - 5) / 1e6; random.shuffle([1]); pick = random.sample(range(5), 2)[0]; time.sleep(0)
import logging; logger = logging.getLogger("x"); logger.setLevel(os.environ.get("LOG", "INFO").upper()); logger.debug(f"{t0:.3f}")
import warnings; warnings.simplefilter("ignore"); warnings.warn_explicit("x", UserWarning, "f", 1)
@property
def weird(self): return 1
x = y = z = None; x = x or 5; y = y if y is not None else 6; z = (z, 1)[0] or 7; assert (x, y, z) == (5, 6, 7)
lst = [None] * 3; lst[1] = 5; assert lst.count(None) == 2 and any(lst) and lst.index(5) == 1; mat = [[0] * 2 for _ in range(2)]; mat[0][1] += 3; assert mat == [[0, 3], [0, 0]]
s = "x"; s += "y"; s *= 2; assert s == "xyxy"; n = 7; n //= 2; n **= 2; n %= 5; n <<= 2; n |= 1; n &= 0xff; n ^= 3; n >>= 1; n -= 1; n /= 2; assert n
assert 0.1 + 0.2 != 0.3 and 10 ** 20 > 2 ** 64 and (2 ** 100) % 7 == 2 and -2 ** 2 == -4 and 7 / 2 == 3.5 and 1e3 == 1000 and 0o17 == 15 and 0b11 == 3 and 1j ** 2 == -1 and int(1e18) == 10 ** 18 and round(-2.5) == -2 and 3 .real == 3 and float("nan") != float("nan") and max(1, 2.5) == 2.5 and sum([0.5, 1]) == 1.5 and 5 == 5.0 and hash(1) == hash(1.0) and not None and [] == [] and () == () and "" == ""
