"""What CPython compiles with a SyntaxWarning, in a file with a kernel."""
import re

from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def kernel(x, MODE: gl.constexpr):
    if MODE is "fast":  # warning: [identity-of-literal] "use '=='"
        gl.store(x, 1.0)


def identities(mode, flag):
    plain = mode is None, flag is True, mode is ..., mode is []
    one = mode is not 1  # warning: [identity-of-literal] "use '!='"
    two = (1, 2) is mode  # warning: [identity-of-literal] "'tuple' literal"
    return plain, one, two


def assertions(n):
    assert n > 0, "positive"
    assert (n > 0)
    assert (n > 0, "positive")  # warning: [assert-of-tuple]


def commas(a):
    sizes = [(1, 2) (3, 4)]  # warning: [missing-comma]
    names = ["a" "b", "c" (a)]  # warning: [missing-comma]
    pairs = [[1, 2] ["x"]]  # warning: [missing-comma]
    number = 1 [0]  # warning: [missing-comma]
    return sizes, names, pairs, number, "abc"[0], [1, 2][-1], (1, 2)[0:1], {1: 2}["x"]


ESCAPED = re.compile("\d+\.")  # warning: [invalid-escape] "'\d'" # warning: [invalid-escape] "'\.'"
FORMATTED = f"{ESCAPED}\w"  # warning: [invalid-escape]
JOINED = ("a\n"
          "b\q")  # warning: [invalid-escape]
FINE = (r"\d", b"\x00", "\N{BULLET}", "\\d", "\
", '\'', rb"\d", u"\u0041", fr"\d{FINE}" if False else "\0")
