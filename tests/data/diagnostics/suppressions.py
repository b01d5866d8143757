# Comments that silence findings: those that are misspelled or have nothing to silence are told, and
# silence nothing.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

ROW: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32")
@gluon.jit
def misspelled(x, y, n):
    i = gl.arange(0, 128, layout=ROW)
    gl.store(y + i, gl.load(x + i), mask=i < n)  # gluond: ignore(missing-mask)  # warning: [unknown-directive] "codes are written in brackets", warning: [missing-mask]
    gl.store(y + i, gl.load(x + i), mask=i < n)  # gluond: ignore[missing-mask  # warning: [unknown-directive] "is not closed", warning: [missing-mask]
    gl.store(y + i, gl.load(x + i), mask=i < n)  # gluond: ignored[missing-mask]  # warning: [unknown-directive] "unknown directive 'ignored'", warning: [missing-mask]
    gl.store(y + i, gl.load(x + i), mask=i < n)  # gluond: ignore-file  # warning: [unknown-directive], warning: [missing-mask]
    gl.store(y + i, gl.load(x + i), mask=i < n)  # gluond: ignore: missing-mask  # warning: [unknown-directive], warning: [missing-mask]
    gl.store(y + i, gl.load(x + i), mask=i < n)  # gluond: ignore missing-mask  # warning: [unknown-directive], warning: [missing-mask]
    gl.store(y + i, gl.load(x + i), mask=i < n)  # gluond: noqa  # warning: [unknown-directive], warning: [missing-mask]
    gl.store(y + i, gl.load(x + i), mask=i < n)  # gluond: ignore[]  # warning: [unknown-directive] "no code is in its brackets", warning: [missing-mask]
    gl.store(y + i, gl.load(x + i), mask=i < n)  # gluond: ignore[unknown-attribute]  # warning: [unknown-directive] "is an error, which no comment silences", warning: [missing-mask]
    gl.store(y + i, gl.load(x + i), mask=i < n)  # gluond: ignore[bank-conflict]  # warning: [unknown-directive] "there is no 'bank-conflict'", warning: [missing-mask]
    # gluond: ignore[missing-mask]  # warning: [unknown-directive] "a line of its own"
    gl.store(y + i, gl.load(x + i), mask=i < n)  # warning: [missing-mask]


# As users of other linters write them.
# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32")
@gluon.jit
def accepted(x, y, n):
    i = gl.arange(0, 128, layout=ROW)
    gl.store(y + i, gl.load(x + i), mask=i < n)  # gluond:ignore[missing-mask]
    gl.store(y + i, gl.load(x + i), mask=i < n)  #gluond: ignore
    gl.store(y + i, gl.load(x + i), mask=i < n)  # Gluond : ignore[ missing-mask ]
    gl.store(y + i, gl.load(x + i), mask=i < n)  # GLUOND: IGNORE (one column of a table)
    gl.store(y + i, gl.load(x + i), mask=i < n)  # noqa: E501  # gluond: ignore[missing-mask] one column
    gl.store(
        y + i,
        gl.load(x + i),  # gluond: ignore[missing-mask]
        mask=i < n)
    gl.store(y + i, gl.load(x + i, mask=i < n), mask=i < n)  # gluond: ignore  # warning: [unknown-directive] "no warning or hint"
    gl.store(y + i, gl.load(x + i), mask=i < n)  # gluond: ignore[missing-mask, unvectorized]  # warning: [unknown-directive] "there is no 'unvectorized'"
    text: gl.constexpr = "# gluond: ignore[]"


# gluond: ignore[missing-mask]
# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32")
@gluon.jit
def whole(x, y, n):
    i = gl.arange(0, 128, layout=ROW)
    gl.store(y + i, gl.load(x + i), mask=i < n)


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32")
@gluon.jit
# gluond: ignore[missing-mask]  # warning: [unknown-directive] "there is no 'missing-mask'"
def nothing(x, y, n):
    i = gl.arange(0, 128, layout=ROW)
    gl.store(y + i, gl.load(x + i, mask=i < n), mask=i < n)


# Not checked to its end: its launch is not known.
@gluon.jit
def unlaunched(x, y, n):
    i = gl.arange(0, 128, layout=ROW)
    gl.store(y + i, gl.load(x + i, mask=i < n), mask=i < n)  # gluond: ignore[bank-conflict]
