# What stands in an editor in the middle of typing.
def kernel(ptr, n):
    x = gl.  # error: [expected-expression] "a name after '.'"
    y = x +  # error: [expected-expression]
    z = gl.load(ptr, mask=)  # error: [expected-expression]
    w = gl.load(ptr + , other=1)  # error: [expected-expression]
    v = gl.load(ptr, mask=n <  # error: [unclosed-bracket], error: [expected-expression]
    for i in range(n)  # error: [expected-token] "expected ':'"
        x = i
    for j  # error: [expected-token] "expected 'in'", error: [expected-token] "expected ':'"
        x = j
    if x > 1  # error: [expected-token]
        y = 2
    elif  # error: [expected-expression], error: [expected-token]
        y = 3
    else  # error: [expected-token]
        y = 4
    while  # error: [expected-expression], error: [expected-token]
        pass
    with  # error: [expected-expression], error: [expected-token]
        pass
    u = t[  # error: [unclosed-bracket], error: [expected-expression]
    assert  # error: [expected-expression]
    return x


def  # error: [expected-expression], error: [expected-token] "expected '('", error: [expected-token] "expected ':'"
    pass


def almost(a, b  # error: [unclosed-bracket], error: [expected-token]
    return a


class  # error: [expected-expression], error: [expected-token]
    pass


@  # error: [expected-expression]
def decorated(): pass


import  # error: [expected-expression]
from x import  # error: [expected-expression]
one two three  # error: [invalid-syntax]
def intact(): return 1
