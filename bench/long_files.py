"""Files of 3,000 lines as people come to have them, for the programs here that measure an editor's session.

files(folder, lines, corpus) writes them all below `folder` and gives [(name, path)]: the samples and each tutorial of a
corpus again and again (under new names, or just pasted below each other), many kernels, one huge one, mistakes in
every third, helpers in another file, and mostly code of the host."""
import re
from pathlib import Path

HEAD = """\
import pytest
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

"""

KERNEL = '''
@gluon.jit
def scale_{n}(src, dst, rows, cols, stride, factor, M: gl.constexpr, N: gl.constexpr):
    """Number {n}: a tile times a factor, through shared memory."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [{warps}, 1], [1, 0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(4, 2, 8, order=[1, 0])
    i = gl.program_id(0) * M + gl.arange(0, M, layout=gl.SliceLayout(1, layout))
    j = gl.arange(0, N, layout=gl.SliceLayout(0, layout))
    inside = (i[:, None] < rows) & (j[None, :] < cols)  # the last tile is not whole
    tile = gl.load(src + i[:, None] * stride + j[None, :], mask=inside, other=0.0)
    buffer = gl.allocate_shared_memory(gl.float32, [M, N], shared, tile * factor)
    turned = buffer.permute([1, 0]).load(gl.BlockedLayout([4, 1], [8, 4], [1, {warps}], [0, 1]))
    total = gl.sum(turned, axis=0)
    mean = total / cols
    back = gl.convert_layout(mean, gl.SliceLayout(1, layout))
{wrong}    gl.store(dst + i[:, None] * stride + j[None, :], buffer.load(layout) - back[:, None], mask=inside)
'''

LAUNCH = '''

def run_scale_{n}(src, factor=2.0):
    dst = torch.empty_like(src)
    rows, cols = src.shape
    scale_{n}[(triton.cdiv(rows, {m}), )](src, dst, rows, cols, src.stride(0), factor, {m}, 64, num_warps={warps})
    return dst


@pytest.mark.parametrize("rows, cols", [(128, 64), (200, 50)])
def test_scale_{n}(rows, cols):
    src = torch.randn((rows, cols), device="cuda")
    torch.testing.assert_close(run_scale_{n}(src), src * 2.0)

'''

MISTAKES = ("    wrong = back + j\n", "    wrong = missing_name + 1\n",
            "    wrong = gl.arange(0, 48, layout=gl.SliceLayout(0, layout))\n", "    wrong = gl.load(\n",
            "    wrong = tile.no_such_member\n")


def repeated(make, lines, head=HEAD):
    parts, count, number = [head], head.count("\n"), 0
    while count < lines:
        parts.append(make(number))
        count += parts[-1].count("\n")
        number += 1
    return "".join(parts)


def renamed(text, number):
    for name in set(re.findall(r"^(?:def|class)\s+(\w+)", text, re.M)):
        text = re.sub(rf"\b{name}\b", f"{name}_{number}", text)
    return text


def samples(lines):
    texts = [path.read_text() for path in sorted((Path(__file__).resolve().parent.parent / "samples").glob("*.py"))]
    return repeated(lambda n: renamed(texts[n % len(texts)], n), lines, "")


def kernel(n, wrong=""):
    warps, m = (1, 2, 4, 8)[n % 4], (32, 64)[n % 2]
    return KERNEL.format(n=n, warps=warps, wrong=wrong) + LAUNCH.format(n=n, warps=warps, m=m)


def many_kernels(lines):
    return repeated(kernel, lines)


def mistakes(lines):
    return repeated(lambda n: kernel(n, "" if n % 3 else MISTAKES[n // 3 % len(MISTAKES)]), lines)


def one_kernel(lines):
    head = HEAD + '''
@gluon.jit
def everything(src, dst, count, M: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.program_id(0) * M + gl.arange(0, M, layout=layout)
    inside = i < count
    value_0 = gl.load(src + i, mask=inside)
'''
    step = '''\
    # step {n}: look, mix, keep
    loaded_{n} = gl.load(src + i + {n}, mask=inside)
    mixed_{n} = gl.where(loaded_{n} > value_{n}, loaded_{n} * {n}.5, value_{n} + 1.0)
    if count > {n}:
        mixed_{n} = gl.maximum(mixed_{n}, loaded_{n})
    other_{n}: gl.constexpr = gl.BlockedLayout([{width}], [32], [4], [0])
    value_{m} = gl.convert_layout(gl.convert_layout(mixed_{n}, other_{n}), layout)
'''
    tail = '''    gl.store(dst + i, value_{n}, mask=inside)


def run(src):
    dst = torch.empty_like(src)
    everything[(triton.cdiv(src.numel(), 512), )](src, dst, src.numel(), 512, num_warps=4)
    return dst


run(torch.randn(4096, device="cuda"))
'''
    text = repeated(lambda n: step.format(n=n, m=n + 1, width=(1, 2, 8)[n % 3]), lines - tail.count("\n"), head)
    return text + tail.format(n=text.count("# step "))


HELPERS = HEAD + '''
WARPS = 4
TILE = gl.constexpr(256)


@gluon.constexpr_function
def row_layout(width, warps):
    return gl.BlockedLayout([width], [32], [warps], [0])


@gluon.jit
def read(src, i, count):
    """The elements of src at i, zero past its end."""
    return gl.load(src + i, mask=i < count, other=0.0)


@gluon.jit
def write(dst, i, value, count):
    gl.store(dst + i, value, mask=i < count)
'''


def importing(lines):
    head = HEAD + "from long_helpers import TILE, WARPS, read, row_layout, write\nimport long_helpers as helpers\n"
    part = '''

@gluon.jit
def add_{n}(a, b, out, count, T: gl.constexpr):
    layout: gl.constexpr = row_layout({width}, gl.num_warps())
    i = gl.program_id(0) * T + gl.arange(0, T, layout=layout)
    left = read(a, i, count)
    right = helpers.read(b, i, count)
    # the sum, and the larger of the two
    total = left + right
    larger = gl.maximum(left, right)
    write(out, i, total * larger, count)


def run_add_{n}(a, b):
    out = torch.empty_like(a)
    add_{n}[(triton.cdiv(a.numel(), 256), )](a, b, out, a.numel(), TILE, num_warps=WARPS)
    return out


def test_add_{n}():
    a, b = torch.randn(1000, device="cuda"), torch.randn(1000, device="cuda")
    run_add_{n}(a, b)
'''
    return repeated(lambda n: part.format(n=n, width=(1, 2, 4)[n % 3]), lines, head)


def host_code(lines):
    """A few kernels that much code of the host, which all runs when the module is evaluated, launches."""
    kernels = "".join(kernel(n) for n in range(4))
    part = '''

class Case_{n}:
    """One way to call scale_{k}."""
    sizes = [({n} % 7 + 1) * 32, 64]
    factors = {{"half": 0.5, "double": 2.0, "number": float({n})}}

    def __init__(self, name="case {n}"):
        self.name = name
        self.sources = [torch.randn(tuple(self.sizes), device="cuda") for _ in range(3)]

    def run(self):
        results = []
        for source in self.sources:
            for factor in self.factors.values():
                results.append(run_scale_{k}(source, factor))
        return results


def summary_{n}(case):
    total = 0
    for size in case.sizes:
        total += size * len(case.factors)
    return f"{{case.name}}: {{total}}"


CASES.append(Case_{n}())
CASES[-1].run()
'''
    return repeated(lambda n: part.format(n=n, k=n % 4), lines, HEAD + kernels + "\nCASES = []\n")


def files(folder, lines=3000, corpus=None):
    folder = Path(folder)
    texts = {"samples": samples(lines), "many kernels": many_kernels(lines), "one kernel": one_kernel(lines),
             "mistakes": mistakes(lines), "importing": importing(lines), "host code": host_code(lines)}
    for path in sorted(corpus.glob("*.py")) if corpus else []:
        text = path.read_text()
        texts[f"{path.stem} pasted"] = repeated(lambda n, text=text: text, lines, "")
        texts[f"{path.stem} renamed"] = repeated(lambda n, text=text: renamed(text, n), lines, "")
    (folder / "long_helpers.py").write_text(HELPERS)
    found = []
    for name, text in texts.items():
        path = folder / (re.sub(r"\W", "_", name) + ".py")
        path.write_text(text)
        found.append((name, path))
    return found
