import os
from pathlib import Path
def find(cands):
    for p in cands:
        if p.exists(): return p
    raise FileNotFoundError(str(cands))
p = find([Path(__file__).parent / "x.h", Path(__file__)])
import os, unknown_zz
def pick(x):
    if x == 3: return 1
    elif x.startswith("q"): return 2
    raise TypeError(f"bad {x}")
a = pick(unknown_zz.v)
def pick2(x):
    try:
        return x.zz
    except AttributeError: raise ValueError("x")
b = pick2(unknown_zz)
def pick3(x):
    while x.more():
        if x.ok: return 1
    raise RuntimeError
c = pick3(unknown_zz)
def pick4(x):
    if x.a: raise KeyError("a")
    else: return 1
d = pick4(unknown_zz)
def pick5(x):
    match x:
        case 1: return 1
        case str(): return 2
    raise TypeError
e = pick5(unknown_zz.q)
def pick6(x):
    for k, v in x.items():
        if v > 1: return k
    assert False, "none"
f = pick6(unknown_zz.q)
def pick7(xs):
    with unknown_zz.lock:
        for v in xs:
            if v: return v
    raise LookupError
g = pick7(unknown_zz.list)
