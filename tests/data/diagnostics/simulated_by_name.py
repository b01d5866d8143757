"""A program that imports the simulator by its name, in a function that is not called: its launches may be launches."""
import importlib

import numpy as np
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


def simulator():
    return importlib.import_module("gluond.runtime")


@gluon.jit
def doubled(x, y, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(y + at, gl.load(x + at, mask=at < n) * 2.0, mask=at < n)


def main():
    x = np.arange(1000, dtype=np.float32)
    doubled[(4, )](x, x, 1000, BLOCK=256)


main()
