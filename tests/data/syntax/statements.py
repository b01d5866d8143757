# What the grammar lets pass and Python's compiler does not.
return 1  # error: [outside-function] "'return' outside function"
yield 1  # error: [outside-function]
await x  # error: [outside-function]
break  # error: [outside-loop]
nonlocal x  # error: [invalid-scope-declaration]
f() = 1  # error: [invalid-syntax]
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
