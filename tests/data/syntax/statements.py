# What the grammar lets pass and Python's compiler does not.
return 1  # error: [outside-function] "'return' outside function"
yield 1  # error: [outside-function]
await x  # error: [outside-function]
break  # error: [outside-loop]
nonlocal x  # error: [invalid-scope-declaration]
f() = 1  # error: [invalid-target] "function call"
del f()  # error: [invalid-target] "cannot delete function call"
a, 1 = x  # error: [invalid-syntax]
(a, b) += 1  # error: [invalid-target]
[a, b]: int  # error: [invalid-target]
*a, *b = x  # error: [invalid-target]
x = *y  # error: [starred-here]
print *y  # fine: a product
print x  # error: [python2-syntax] "Did you mean print(...)"
exec 'x'  # error: [python2-syntax]
async = 1  # error: [reserved-word]
lambda = 1  # error: [invalid-syntax]
x = f(a=1, 2)  # error: [invalid-arguments]
x = f(a=1, a=2)  # error: [invalid-arguments]
x = f(**a, *b)  # error: [invalid-arguments]
x = f(i for i in y, 1)  # error: [invalid-arguments]
x = a <> b  # error: [python2-syntax]
x = 0777  # error: [invalid-number]
x = 1__0  # error: [invalid-syntax]
x = '\xZ1'  # error: [invalid-string]
x = b'ä'  # error: [invalid-string]
x = 'a' b'b'  # error: [invalid-string]
x = f'{}'  # error: [invalid-syntax]
x = f'{a!z}'  # error: [invalid-f-string]
x = 'abc  # error: [unterminated-string]
x = a $ b  # error: [invalid-character] "'$'"
x = 1 − 2  # error: [invalid-character] "'−'"
3 = x  # error: [invalid-target] "literal"
x = 128k  # error: [invalid-number] "invalid decimal literal"
f(a=1, 2, 3)  # error: [invalid-arguments] "follows keyword"
x = “abc”  # error: [invalid-character]
x = 1 \ + 2  # error: [bad-continuation]
x = a b  # error: [invalid-syntax]
x = None = 1  # error: [invalid-syntax]


def f(a, a): pass  # error: [duplicate-parameter]
def f(a=1, b): pass  # error: [invalid-arguments]
def f(*): pass  # error: [invalid-arguments]
def f(**k, a): pass  # error: [invalid-arguments]


def g(p):
    global p  # error: [invalid-scope-declaration] "is parameter and global"
    x = 1
    global x  # error: [invalid-scope-declaration] "used prior to global"
    nonlocal z  # error: [invalid-scope-declaration] "no binding"
    from math import *  # error: [star-import-in-function]
    await y  # error: [outside-async]
    async for i in y: pass  # error: [outside-async]
    while x:
        def inner():
            break  # error: [outside-loop]
        continue
    continue  # error: [outside-loop]


class C:
    return 1  # error: [outside-function]


try:  # error: [expected-token]
    pass
try: f()
except: pass  # error: [default-except-not-last]
except ValueError: pass
try: f()
except A, B as e: pass  # error: [invalid-except]
from __future__ import annotations  # error: [late-future-import]
with a,: pass  # error: [expected-expression]
x = a if b if c else d else e  # error: [invalid-syntax]
x = [a for b in c if lambda: d]  # error: [invalid-syntax]
x = [a for b in [c := d]]  # error: [not-allowed-here] "cannot be used in a comprehension iterable"
x = [a for b in (lambda: (c := d))()]  # error: [not-allowed-here]
x = [a for b in c if (d := b)]  # fine: a condition
class C:
    x = [(a := b) for b in c]  # error: [not-allowed-here] "class body"
def f(): return [(yield) for a in b]  # error: [not-allowed-here] "'yield' inside list comprehension"
def f(): return [a for a in (yield)]  # fine: evaluated by the function
async def f(): yield from a  # error: [not-allowed-here]
match x:
    case a, [b, a]: pass  # error: [invalid-pattern] "multiple assignments to name 'a'"
    case (1 as a) | 2: pass  # error: [invalid-pattern] "bind different names"
    case [*a, *b]: pass  # error: [invalid-pattern]
    case A(b=1, b=2): pass  # error: [invalid-pattern]
    case {**a, "b": 1}: pass  # error: [invalid-pattern]
    case f"a": pass  # error: [invalid-pattern]
    case _ | 1: pass  # error: [invalid-pattern] "wildcard makes remaining patterns unreachable"
    case a if b: pass  # fine: guarded
    case (1 as c): pass  # fine: may fail
    case c: pass  # error: [invalid-pattern] "name capture 'c' makes remaining"
    case [_, (1 as d) | (2 as d), *_]: pass  # fine
    case _: pass  # fine: the last one
def f():
    @a  # error: [invalid-syntax]
    x = 3
    return x
def f(a):
    if a:
        @a  # error: [invalid-syntax]
        if a: pass
    @b
    @c
    async def g(): pass
class C:
    @property
    @cached  # error: [invalid-syntax]
    y = 2
    @property
    def z(self): pass
def g(a: T[:, :], b: T[::2] = 1, *c: M[k].N[l]) -> T[:, None][0]:
    d: T[1:, *rest] = a[1:2]
    e: M[k].N[l]
    f: T[a] | None = lambda: T[1:2]
    T[1:2].a: int = 3
    h: list[int][ = 3  # error: [unclosed-bracket]
match x:
    case *a: pass  # error: [invalid-syntax]
    case (*a): pass  # error: [invalid-syntax]
    case *a | 7: pass  # error: [invalid-syntax]
    case C(*a): pass  # error: [invalid-syntax]
    case C(k=*a): pass  # error: [invalid-syntax]
    case C(k=a, b): pass  # error: [invalid-pattern] "positional patterns follow keyword patterns"
    case {*a}: pass  # error: [invalid-syntax]
    case {**_}: pass  # error: [invalid-syntax]
    case {a: b}: pass  # error: [invalid-pattern] "mapping pattern keys"
    case {'x': 1, 'x': 2}: pass  # error: [invalid-pattern] "duplicate key ('x')"
    case 1 as x as y: pass  # error: [invalid-syntax]
    case 1 as _: pass  # error: [invalid-pattern] "cannot use '_' as a target"
    case 1+2: pass  # error: [invalid-pattern] "imaginary number required"
    case 1j+2j: pass  # error: [invalid-pattern] "real number required"
    case -1-2j | {a.b: 1, -1: 2, None: 3, **r}: pass  # error: [invalid-pattern]
    case [*a, b] | [b, *a]: pass  # fine
    case *_, 1: pass  # fine
x = lambda: a := 1  # error: [invalid-syntax]
x = {a := 1: 2}  # error: [invalid-syntax]
x = f(k=a := 1)  # error: [invalid-syntax]
x = a[b := 1:2]  # error: [invalid-syntax]
x = [a for a in b if c := d]  # error: [invalid-syntax]
x = [a for a in lambda: b]  # error: [invalid-syntax]
x = [1 for *a, *b in c]  # error: [invalid-target]
x = [a := 1, a[b := 1], f(c := 2), (d := 3), {e := 4}, [g := i for i in x]]  # fine
if a := 1: pass  # fine
assert a := 1  # error: [invalid-syntax]
for a in b := c: pass  # error: [invalid-syntax]
with a := b: pass  # error: [invalid-syntax]
with (a := b, c): pass  # fine: a tuple
with (*a, b): pass  # fine: a tuple
x = f((*a))  # error: [starred-here]
(*a), b = x  # error: [starred-here]
x = ub'a'  # error: [invalid-syntax]
x = f'{lambda: 1}'  # error: [invalid-f-string] "lambda expressions are not allowed without parentheses"
x = f'{(lambda: 1)}'  # fine
x = f'{a:{b:{c}}}'  # fine
x = f'{a:{b:{c:{d}}}}'  # error: [invalid-f-string] "nested too deeply"
x = lambda: await a  # error: [outside-async]
def f():
    x: await a = 1  # fine: not compiled
    return x
@*a  # error: [starred-here]
def f(): pass
x = (a := b if c else d)  # fine: the value is the conditional expression
x = a := b if c else d  # error: [invalid-syntax]
def f():
    for i in x:
        try: pass
        except* A:
            for j in y:
                break  # fine: it leaves the inner loop
            def g(): return 1  # fine
            break  # error: [not-allowed-here] "'break', 'continue' and 'return' cannot appear in an except* block"
    while x:
        try: pass
        except* A: continue  # error: [not-allowed-here]
    try: pass
    except* B:
        while x:
            return 1  # error: [not-allowed-here]
    return 2
def f():
    global a, b
    a = 1
    b: int = 2  # error: [invalid-scope-declaration] "annotated name 'b' can't be global"
    c: int = 3  # fine
