"""A program that only speaks of the simulator, as numpy, gluond or the words import gluond in a comment do: its launches need a GPU."""
import numpy as np
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


@gluon.jit
def doubled(x, y, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(y + at, gl.load(x + at, mask=at < n) * 2.0, mask=at < n)


def main():
    # To run this on a CPU: import gluond, then gluond.simulating("cuda:90").
    x = np.arange(1000, dtype=np.float32)
    doubled[(4, )](x, x, 1000, BLOCK=256)  # error: [launch-argument]


main()
