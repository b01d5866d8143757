"""What the kernels of bench/amd share: the chip that they are launched for, and pieces of kernels.

    .cache/oracle/bin/python bench/amd/rows.py

Each file beside this one launches all of its kernels once, so that `python -m gluond.record --target hip:gfx942 FILE` makes records of
them (any chip from CDNA 3 and RDNA 3 on; what a chip lacks is left out). bench/amd_records.py compares their assembly with Triton's, and
tests/amd/test_programs.py what both compilers' code does to memory. Nobody tuned the compiler for them.
"""
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import AMDMFMALayout, AMDWMMALayout, cdna3, cdna5, rdna3, rdna4


def of(*shape, dtype=torch.float32):
    return torch.empty(shape, dtype=dtype, device="cuda")


class Chip:
    """What launches depend on."""

    def __init__(self, arch):
        self.arch = arch
        self.lanes = 64 if arch.startswith("gfx9") else 32
        self.products = {"gfx942": "mfma", "gfx950": "mfma", "gfx1250": "wmma5"}.get(arch, "wmma3" if arch.startswith("gfx11") else "wmma")
        # Elements of an operand that a lane holds together, of 16 and of 8 bits.
        self.width = {"wmma3": 16}.get(self.products, 8 if arch != "gfx942" else 4)
        self.byte_width = 16 if self.products == "wmma3" or arch == "gfx950" else 8
        self.takes_buffers = self.lanes == 64 or arch.startswith("gfx12")
        self.has_fp8 = self.products != "wmma3"
        self.fp8 = torch.float8_e4m3fnuz if arch == "gfx942" else torch.float8_e4m3fn

    def matrix(self, wide=False, warps=4, square=False, bits=16):
        """The layout of a product's sums: its warps one below the other, or in a square."""
        if self.products == "mfma":
            rows, depth = (32, 8) if wide else (16, 16)
            depth *= (2 if bits == 8 else 1) * (2 if self.arch == "gfx950" else 1)
            return AMDMFMALayout(3 if self.arch == "gfx942" else 4, [rows, rows, depth], True, [2, warps // 2] if square else [warps, 1])
        version, depth = {"wmma5": (3, 64 if bits == 8 else 32), "wmma3": (1, 16)}.get(self.products, (2, 16))
        bases = {1: [], 2: [[1, 0]], 4: [[0, 1], [1, 0]] if square else [[1, 0], [2, 0]]}[warps]
        return AMDWMMALayout(version, True, bases, [], [16, 16, depth])


def run(cases):
    cases(triton.runtime.driver.active.get_current_target().arch)


@gluon.jit
def mul(a, b, acc, KIND: gl.constexpr):
    if KIND == "mfma":
        return cdna3.mfma(a, b, acc)
    elif KIND == "wmma5":
        return cdna5.wmma(a, b, acc)
    elif KIND == "wmma3":
        return rdna3.wmma(a, b, acc)
    else:
        return rdna4.wmma(a, b, acc)


@gluon.jit
def offsets_of(r, c, s, L: gl.constexpr, R: gl.constexpr, C: gl.constexpr):
    return (r + gl.arange(0, R, gl.SliceLayout(1, L)))[:, None] * s + (c + gl.arange(0, C, gl.SliceLayout(0, L)))[None, :]


@gluon.jit
def ld(p, o, m, BUF: gl.constexpr, other: gl.constexpr = 0.0):
    if BUF:
        return cdna3.buffer_load(p, o, mask=m, other=other)
    else:
        return gl.load(p + o, mask=m, other=other)


@gluon.jit
def st(p, o, v, m, BUF: gl.constexpr):
    if BUF:
        cdna3.buffer_store(v.to(p.dtype.element_ty), p, o, mask=m)
    else:
        gl.store(p + o, v.to(p.dtype.element_ty), mask=m)


@gluon.jit
def greater(a, b):
    return gl.maximum(a, b)


@gluon.jit
def plus(a, b):
    return a + b


@gluon.jit
def times(a, b):
    return a * b


@gluon.jit
def argmax_pair(v, i, w, j):
    g = (w > v) | ((w == v) & (j < i))
    return gl.where(g, w, v), gl.where(g, j, i)


@gluon.jit
def affine(a, b, c, d):
    return a * c, b * c + d


@gluon.jit
def welford(m, s, n, m2, s2, n2):
    t = n + n2
    d = m2 - m
    r = gl.where(t > 0, n2 / t, 0.0)
    return m + d * r, s + s2 + d * d * n * r, t


@gluon.jit
def merge_softmax(m, s, n, t):
    top = gl.maximum(m, n)
    return top, s * gl.exp(m - top) + t * gl.exp(n - top)


@gluon.jit
def segments(a, f, b, g):
    return gl.where(g != 0, b, a + b), f | g
