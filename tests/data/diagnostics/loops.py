# Loops at compile time that do not end: told where they are, with their values.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.constexpr_function
def warps_per_cta(BLOCK_M, num_warps):
    warps = [4, 1]
    m = 16
    while warps[0] * warps[1] != num_warps:  # information: [budget-exhausted]
        if BLOCK_M > m * warps[0]:
            warps[0] *= 2
        else:
            warps[1] *= 2
    return warps


# gluond: launch(out="*fp32", BLOCK_M=64, num_warps=2)
@gluon.jit
def kernel(out, BLOCK_M: gl.constexpr):
    warps: gl.constexpr = warps_per_cta(BLOCK_M, gl.num_warps())
    gl.store(out, warps[0])


def settle(n):
    while n != 1:  # information: [budget-exhausted]
        n = n + 2
    return n


def test_settle():
    settle(2)


def grow(sizes):
    while len(sizes) != 1:  # information: [budget-exhausted]
        sizes = sizes[1:] + sizes


if __name__ == "__main__":
    grow([1, 2])


# A launch whose argument is more than gluond evaluates is no mistake.
# gluond: launch(n=1 << 10**9)  # information: [budget-exhausted]
@gluon.jit
def directed(n):
    pass
