"""Kernels that are played (test_played.py): tiles through layouts and LDS, reductions, scans, products of matrices.

Every case is one function of one file, a launch record, its arrays, and what they should be afterwards (None where only
Triton tells)."""
import itertools
import random

import numpy as np

from instructions import FP4, fp8_values, to_bf16
from beside import wave

HEADER = """\
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.extra import libdevice
from triton.experimental.gluon.language.amd import AMDMFMALayout, AMDWMMALayout, cdna3, cdna4, rdna3, rdna4, cdna5


@gluon.jit
def larger(a, b):
    return gl.maximum(a, b)


@gluon.jit
def total(a, b):
    return a + b


@gluon.jit
def either(a, b):
    return a ^ b


@gluon.jit
def linear(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@gluon.jit
def largest(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return gl.where(first, a, b), gl.where(first, i, j)

"""
DTYPES = {"i8": ("*i8", np.int8), "i16": ("*i16", np.int16), "fp16": ("*fp16", np.float16), "i32": ("*i32", np.int32), "fp32": ("*fp32", np.float32),
          "i64": ("*i64", np.int64), "bf16": ("*bf16", np.uint16), "fp64": ("*fp64", np.float64)}


class Case:
    def __init__(self, arch, name, body, arguments, wanted=None, tolerance=0, warps=4, scalars=()):
        """`arguments`: (name, type, array), or (name, type) of a number. `wanted`: by the argument's name, what it becomes."""
        self.arch, self.name, self.body, self.wanted, self.tolerance, self.scalars = arch, name, body, wanted or {}, tolerance, scalars
        self.names = [each[0] for each in arguments if len(each) == 3]
        self.arrays = [each[2] for each in arguments if len(each) == 3]
        self.arguments = [{"name": each[0], "type": each[1], **({"divisible_by": 16, "pointer_range": 32} if each[1][0] == "*" else {})} for each in arguments]
        self.warps, self.what, self.helpers = warps, "", ""
        self.threads = warps * wave(arch)  # with those of partitions

    def fits(self, name, got):
        """Whether the argument became what it should."""
        wanted = self.wanted[name]
        if not self.tolerance:
            return np.array_equal(got, wanted, equal_nan=np.issubdtype(got.dtype, np.floating))
        return np.allclose(got.astype(np.float64), wanted.astype(np.float64), rtol=self.tolerance, atol=10 * self.tolerance, equal_nan=True)

    def text(self):
        return self.helpers + f"@gluon.jit\ndef {self.name}({', '.join(each['name'] for each in self.arguments)}):\n" + "".join(f"    {line}\n" for line in self.body.strip().splitlines()) + "\n\n"

    def record(self, file, line):
        return {"id": f"{file}.{self.name}", "file": f"{file}.py", "kernel": self.name, "line": line, "target": f"hip:{self.arch}",
                "options": {"num_warps": self.warps}, "args": self.arguments}


def write(folder, file, cases):
    """A file with all of them; their records."""
    text, records = HEADER + "\n", []
    for case in cases:
        records.append(case.record(file, (text + case.helpers).count("\n") + 2))
        text += case.text()
    (folder / f"{file}.py").write_text(text)
    return records


# ---------------------------------------------------------------------------------------------------------------- layouts

def blocked(rng, arch, shape, warps=4):
    lanes, rank = wave(arch), len(shape)
    order = list(range(rank))
    rng.shuffle(order)
    split = [0] * rank
    for _ in range(lanes.bit_length() - 1):
        split[rng.randrange(rank)] += 1
    threads = [1 << each for each in split]
    over = [0] * rank
    for _ in range(warps.bit_length() - 1):
        over[rng.randrange(rank)] += 1
    size = [1] * rank
    size[order[0]] = rng.choice([1, 2, 4, 8])
    if rank > 1 and rng.random() < 0.3:
        size[order[1]] = rng.choice([1, 2, 4])
    return f"gl.BlockedLayout({size}, {threads}, {[1 << each for each in over]}, {order})"


MFMA_VERSION = {"gfx908": 1, "gfx90a": 2, "gfx942": 3, "gfx950": 4}


def matrix(rng, arch, kind="any"):
    """A layout of products."""
    if arch in MFMA_VERSION:
        shape = rng.choice([[16, 16, 16], [32, 32, 8]])
        return f"AMDMFMALayout({MFMA_VERSION[arch]}, {shape}, {rng.random() < 0.5}, {rng.choice([[4, 1], [2, 2], [1, 4]])})"
    version = {"gfx1100": 1, "gfx1200": 2, "gfx1201": 2, "gfx1250": 3}[arch]
    shape = [16, 16, 32] if version == 3 else [16, 16, 16]
    return f"AMDWMMALayout({version}, {rng.random() < 0.5}, {rng.choice([[[1, 0], [2, 0]], [[0, 1], [1, 0]], [[0, 1], [0, 2]]])}, [], {shape})"


def register_layout(rng, arch, shape):
    choice = rng.random()
    if len(shape) == 2 and choice < 0.2:
        return matrix(rng, arch)
    if len(shape) == 2 and choice < 0.4:
        widths = {"gfx1100": [16], "gfx1200": [8], "gfx1201": [8], "gfx1250": [8]}.get(arch, [4, 8])
        return f"gl.DotOperandLayout({rng.randrange(2)}, {matrix(rng, arch)}, {rng.choice(widths)})"
    return blocked(rng, arch, shape)


def shared_layout(rng, shape, bits):
    order = list(range(len(shape)))
    rng.shuffle(order)
    choice = rng.random()
    if choice < 0.6:
        vector = rng.choice([1, 2, 4, 8])
        phases = rng.choice([1, 2, 4, 8])
        return f"gl.SwizzledSharedLayout({vector}, {rng.choice([1, 2, 4])}, {phases}, {order})"
    inner = shape[order[0]]
    pairs = [[inner, rng.choice([4, 8, 16])]] + ([[4 * inner, 8]] if rng.random() < 0.3 else [])
    return f"gl.PaddedSharedLayout.with_identity_for({pairs}, {list(shape)}, {order})"


def offsets(shape, layout, variable):
    """Statements that make `variable` the offsets of a row-major tile."""
    if len(shape) == 1:
        return f"{variable} = gl.arange(0, {shape[0]}, {layout})"
    rows, columns = shape
    return (f"{variable} = gl.arange(0, {rows}, gl.SliceLayout(1, {layout}))[:, None] * {columns} + "
            f"gl.arange(0, {columns}, gl.SliceLayout(0, {layout}))[None, :]")


def noise(rng, shape, kind):
    random_state = np.random.default_rng(rng.randrange(1 << 30))
    form = DTYPES[kind][1]
    if kind == "bf16":
        return to_bf16(random_state.standard_normal(shape).astype(np.float32)).astype(np.uint16)
    if np.issubdtype(form, np.floating):
        return random_state.standard_normal(shape).astype(form)
    limits = np.iinfo(form)
    return random_state.integers(limits.min, limits.max, shape, dtype=form, endpoint=True)


# ---------------------------------------------------------------------------------------------------------------- families

def moves(arch, seed, count):
    rng = random.Random(f"moves {arch} {seed}")
    for number in range(count):
        kind = rng.choice(list(DTYPES))
        shape = rng.choice([(64, 64), (32, 128), (128, 32), (16, 64), (64, 16)] + ([(512,), (2048,)] if rng.random() < 0.2 else []))
        if kind in ("i64", "fp64") and len(shape) == 2:
            shape = (32, 64)
        bits = DTYPES[kind][1]().itemsize * 8
        first, second = register_layout(rng, arch, shape), register_layout(rng, arch, shape)
        data = noise(rng, shape, kind)
        wanted = data
        way = rng.random()
        body = [f"A: gl.constexpr = {first}", f"B: gl.constexpr = {second}", offsets(shape, "A", "i"), "v = gl.load(src + i)"]
        if way < 0.4:
            body.append("w = gl.convert_layout(v, B)")
        else:
            body.append(f"S: gl.constexpr = {shared_layout(rng, shape, bits)}")
            if way < 0.7:
                body += [f"m = gl.allocate_shared_memory(v.dtype, {list(shape)}, S, v)"]
            else:
                body += [f"ms = gl.allocate_shared_memory(v.dtype, {[2, *shape]}, S)" if "Padded" not in body[-1] else f"m = gl.allocate_shared_memory(v.dtype, {list(shape)}, S)"]
                if "Padded" not in body[-2]:
                    body.append("m = ms.index(1)")
                body += ["m.store(v)"]
            if way > 0.85 and len(shape) == 2:
                turned = shape[::-1]
                body = [line.replace(f"B: gl.constexpr = {second}", f"B: gl.constexpr = {register_layout(rng, arch, turned)}") for line in body]
                body.append("w = m.permute([1, 0]).load(B)")
                wanted, shape = data.T.copy(), turned
            else:
                body.append("w = m.load(B)")
        body += [offsets(shape, "B", "o"), "gl.store(dst + o, w)"]
        yield Case(arch, f"move{number}", "\n".join(body), [("src", DTYPES[kind][0], data), ("dst", DTYPES[kind][0], np.zeros_like(wanted))], {"dst": wanted})


def operands(arch, seed, count):
    """The result of a product as an operand of the next one, which lanes of a warp hold together on RDNA 3."""
    rng = random.Random(f"operands {arch} {seed}")
    for number in range(count):
        kind, shape, layout = rng.choice(["i8", "i16", "fp16", "bf16", "i32", "fp32"]), rng.choice([(64, 32), (16, 64), (64, 64)]), matrix(rng, arch)
        width = rng.choice({"gfx1100": [16], "gfx1201": [8], "gfx1250": [8]}.get(arch, [4, 8]))
        data = noise(rng, shape, kind)
        body = [f"A: gl.constexpr = {layout}", f"B: gl.constexpr = gl.DotOperandLayout({rng.randrange(2)}, A, {width})", offsets(shape, "A", "i"), offsets(shape, "B", "o"),
                "gl.store(dst + o, gl.convert_layout(gl.load(src + i), B))"]
        case = Case(arch, f"operand{number}", "\n".join(body), [("src", DTYPES[kind][0], data), ("dst", DTYPES[kind][0], np.zeros_like(data))], {"dst": data})
        case.what = f"{kind} of {list(shape)}, {layout}"
        yield case


def reductions(arch, seed, count):
    rng = random.Random(f"reductions {arch} {seed}")
    for number in range(count):
        kind = rng.choice(["fp32", "i32", "fp16", "i64", "bf16", "i8", "fp64", "i16"])
        shape = rng.choice([(64, 64), (32, 128), (128, 16), (16, 256), (8, 8)])
        axis = rng.randrange(2)
        way = rng.choice(["sum", "max", "min", "argmax", "scan", "scan", "rscan", "pairs", "max_scan"])
        layout = register_layout(rng, arch, shape)
        if way.endswith("scan"):
            layout = blocked(rng, arch, shape)  # Triton scans no others
        data = noise(rng, shape, kind)
        values = (data.astype(np.uint32) << 16).view(np.float32) if kind == "bf16" else data
        body = [f"A: gl.constexpr = {layout}", offsets(shape, "A", "i"), "v = gl.load(src + i)"]
        arguments = [("src", DTYPES[kind][0], data)]
        length = shape[1 - axis]
        line = f"o = gl.arange(0, {length}, gl.SliceLayout({axis}, A))"
        if way in ("sum", "max", "min"):
            result = {"sum": values.sum(axis), "max": values.max(axis), "min": values.min(axis)}[way]
            out = "fp32" if kind in ("fp16", "bf16") else "i32" if kind in ("i8", "i16") and way == "sum" else kind
            form = DTYPES[out][1]
            if way == "sum" and kind in ("fp16", "bf16"):
                body.append("v = v.to(gl.float32)")
                result = values.astype(np.float32).sum(axis)
            elif way == "sum" and kind in ("i8", "i16"):
                result = values.astype(np.int32).sum(axis)
            body += [f"r = gl.{way}(v, {axis})" + (".to(gl.float32)" if kind in ("fp16", "bf16") else ""), line, "gl.store(dst + o, r)"]
            arguments.append(("dst", DTYPES[out][0], np.zeros(length, form)))
            yield Case(arch, f"reduce{number}", "\n".join(body), arguments, {"dst": result.astype(form)}, 1e-3 if way == "sum" else 0)
        elif way in ("argmax", "pairs"):
            body += [f"x = i % {shape[1]}" if axis else f"x = i // {shape[1]}", f"r, k = gl.reduce((v.to(gl.float32), x), {axis}, largest)" if kind != "i64" and kind != "fp64" else f"r, k = gl.reduce((v, x), {axis}, largest)",
                     line, "gl.store(dst + o, k)"]
            arguments.append(("dst", "*i32", np.zeros(length, np.int32)))
            yield Case(arch, f"reduce{number}", "\n".join(body), arguments, {"dst": values.argmax(axis).astype(np.int32)})
        else:
            if kind in ("fp16", "bf16"):
                body.append("v = v.to(gl.float32)")
            out = "fp32" if kind in ("fp16", "bf16") else kind
            form = DTYPES[out][1]
            reverse = way == "rscan"
            numbers = values.astype(form)
            turned = np.flip(numbers, axis) if reverse else numbers
            result = np.maximum.accumulate(turned, axis) if way == "max_scan" else np.cumsum(turned, axis, dtype=form)
            result = np.flip(result, axis) if reverse else result
            body += [f"r = gl.associative_scan(v, {axis}, {'larger' if way == 'max_scan' else 'total'}, {reverse})", "gl.store(dst + i, r)"]
            arguments.append(("dst", DTYPES[out][0], np.zeros(shape, form)))
            yield Case(arch, f"scan{number}", "\n".join(body), arguments, {"dst": np.ascontiguousarray(result)}, 1e-3)


def rows(arch, seed, count):
    """Rows of which a thread has so many halves that they stay narrow between a sum and what needs it."""
    rng = random.Random(f"rows {arch} {seed}")
    for number in range(count):
        kind, each, run = rng.choice(["fp16", "bf16"]), rng.choice([64, 96, 128, 160]), rng.choice([2, 4, 8])
        width, parts = wave(arch) * each, [1 << bit for bit in range(8) if each >> bit & 1]
        values = np.random.default_rng(rng.randrange(1 << 30)).integers(-99, 100, (4, width)).astype(np.float32)
        data = values.astype(np.float16) if kind == "fp16" else to_bf16(values).astype(np.uint16)
        wanted = (values * width > np.abs(values).sum(1, keepdims=True)).astype(np.int8)
        body, at = [f"A: gl.constexpr = gl.BlockedLayout([1, {run}], [1, {wave(arch)}], [4, 1], [1, 0])"], 0
        for part in parts:  # tensors' sizes are powers of two
            body += [offsets([4, wave(arch) * part], "A", f"j{part}").replace(f"* {wave(arch) * part}", f"* {width}"), f"i{part} = j{part} + {at}",
                     f"v{part} = gl.load(src + i{part}).to(gl.float32)"]
            at += wave(arch) * part
        body.append("s = " + " + ".join(f"gl.sum(gl.abs(v{part}), 1)" for part in parts))
        body += [f"gl.store(dst + i{part}, (v{part} * {width}.0 > s[:, None]).to(gl.int8))" for part in parts]
        case = Case(arch, f"row{number}", "\n".join(body), [("src", DTYPES[kind][0], data), ("dst", "*i8", np.zeros_like(wanted))], {"dst": wanted})
        case.what = f"{each} {kind} of a thread, {run} in a row"
        yield case


def masked(arch, seed, count):
    """Buffer loads that a mask excludes elements from, with zeros or another number in their place."""
    rng = random.Random(f"masked {arch} {seed}")
    for number in range(count):
        kind, shape, other = rng.choice(["fp32", "i32", "fp16", "i8", "i16"]), rng.choice([(32, 64), (16, 128)]), rng.choice([0, 0, 5])
        data, bound = noise(rng, shape, kind), rng.randrange(1, shape[1])
        keeps = np.broadcast_to(np.arange(shape[1]) < bound, shape)
        body = [f"A: gl.constexpr = {blocked(rng, arch, shape)}", offsets(shape, "A", "i"), f"keeps = i % {shape[1]} < n", f"v = cdna3.buffer_load(src, i, mask=keeps, other={other})",
                "cdna3.buffer_store(v, dst, i)"]
        case = Case(arch, f"masked{number}", "\n".join(body), [("src", DTYPES[kind][0], data), ("dst", DTYPES[kind][0], np.ones_like(data)), ("n", "i32")],
                    {"dst": np.where(keeps, data, np.array(other, data.dtype))}, scalars=(bound,))
        case.what = f"{kind} of {list(shape)}, {other} elsewhere"
        yield case


def products(arch, seed, count):
    rng = random.Random(f"products {arch} {seed}")
    for number in range(count):
        yield product(rng, arch, number)


def short_products(arch, seed, count):
    """K is shorter than that of the instruction."""
    rng = random.Random(f"short products {arch} {seed}")
    for number in range(count if arch != "gfx1100" else 0):
        yield product(rng, arch, number, isShort=True)


FP8 = {"fp8e4nv": False, "fp8e5": True, "fp8e4b8": False, "fp8e5b16": True}
MFMA = {  # by type, (M, N, K) of the instruction and how many elements of K a lane holds at once
    "gfx908": {"fp16": [([32, 32, 8], 4), ([16, 16, 16], 4)], "bf16": [([32, 32, 4], 2), ([16, 16, 8], 2)], "fp32": [([32, 32, 2], 1), ([16, 16, 4], 1)],
               "i8": [([32, 32, 8], 4), ([16, 16, 16], 4)]},
    "gfx90a": {"fp16": [([32, 32, 8], 4), ([16, 16, 16], 4)], "bf16": [([32, 32, 8], 4), ([16, 16, 16], 4), ([16, 16, 8], 2)],
               "fp32": [([32, 32, 2], 1), ([16, 16, 4], 1)], "i8": [([32, 32, 8], 4), ([16, 16, 16], 4)], "fp64": [([16, 16, 4], 1)]},
    "gfx942": {"fp16": [([32, 32, 8], 4), ([16, 16, 16], 4)], "bf16": [([32, 32, 8], 4), ([16, 16, 16], 4)], "fp32": [([32, 32, 2], 1), ([16, 16, 4], 1)],
               "i8": [([32, 32, 16], 8), ([16, 16, 32], 8)], "fp8e4b8": [([32, 32, 16], 8), ([16, 16, 32], 8)], "fp8e5b16": [([32, 32, 16], 8), ([16, 16, 32], 8)],
               "fp64": [([16, 16, 4], 1)]},
    "gfx950": {"fp16": [([32, 32, 16], 8), ([16, 16, 32], 8), ([32, 32, 8], 4), ([16, 16, 16], 4)], "bf16": [([32, 32, 16], 8), ([16, 16, 32], 8)],
               "fp32": [([32, 32, 2], 1), ([16, 16, 4], 1)], "i8": [([32, 32, 32], 16), ([16, 16, 64], 16)], "fp8e4nv": [([16, 16, 32], 8), ([32, 32, 16], 8)],
               "fp8e5": [([16, 16, 32], 8), ([32, 32, 16], 8)], "fp64": [([16, 16, 4], 1)]}}
WMMA = {"gfx1100": {"fp16": ([16, 16, 16], 16), "bf16": ([16, 16, 16], 16), "i8": ([16, 16, 16], 16)},
        "gfx1200": {"fp16": ([16, 16, 16], 8), "bf16": ([16, 16, 16], 8), "i8": ([16, 16, 16], 8), "fp8e4nv": ([16, 16, 16], 8), "fp8e5": ([16, 16, 16], 8)},
        "gfx1250": {"fp16": ([16, 16, 32], 8), "bf16": ([16, 16, 32], 8), "fp8e4nv": ([16, 16, 64], 8), "fp8e5": ([16, 16, 128], 8), "i8": ([16, 16, 64], 8), "fp32": ([16, 16, 4], 2)}}
WMMA["gfx1201"] = WMMA["gfx1200"]


def numbers_of(rng, shape, kind, arch):
    """An array of bits, and what they mean."""
    random_state = np.random.default_rng(rng.randrange(1 << 30))
    if kind == "i8":
        data = random_state.integers(-128, 127, shape, dtype=np.int8)
        return "*i8", data, data.astype(np.int64)
    if kind in FP8:
        data = random_state.integers(0, 256, shape).astype(np.uint8)
        bad = ~np.isfinite(fp8_values(data.astype(np.uint32), arch, FP8[kind]))
        data[bad] = 0x30
        data = np.where(np.abs(fp8_values(data.astype(np.uint32), arch, FP8[kind])) > 16, 0x31, data).astype(np.uint8)
        return f"*{kind}", data, fp8_values(data.astype(np.uint32), arch, FP8[kind]).astype(np.float64)
    data = noise(rng, shape, kind)
    return DTYPES[kind][0], data, ((data.astype(np.uint32) << 16).view(np.float32) if kind == "bf16" else data).astype(np.float64)


# Shapes and types that only every_shape() asks for: those that later chips keep of earlier ones, and two sizes of K.
FURTHER = {"gfx950": {"bf16": [([32, 32, 8], 4), ([16, 16, 16], 4)], "i8": [([32, 32, 16], 8), ([16, 16, 32], 8)]},
           "gfx1250": {"fp8e4nv": [([16, 16, 128], 8)], "fp8e5": [([16, 16, 64], 8)]}}
FP8_PAIRS = {"gfx942": ("fp8e4b8", "fp8e5b16"), "gfx950": ("fp8e4nv", "fp8e5"), "gfx1200": ("fp8e4nv", "fp8e5"), "gfx1201": ("fp8e4nv", "fp8e5"),
             "gfx1250": ("fp8e4nv", "fp8e5")}


def shapes_of(arch):
    """(type of A, type of B, shape, width) of each matrix instruction that products of this chip may be made of."""
    table = MFMA.get(arch) or {kind: [row] for kind, row in WMMA[arch].items()}
    for each in (table, FURTHER.get(arch, {})):
        for kind, rows in each.items():
            for shape, width in rows:
                yield kind, kind, shape, width
                if kind in FP8_PAIRS.get(arch, ()):
                    yield kind, FP8_PAIRS[arch][kind == FP8_PAIRS[arch][0]], shape, width


def every_shape(arch, seed, count):
    """Every shape and type once, 8-bit floats by those of the other kind too; every pair of scaled types in every shape."""
    rng = random.Random(f"shapes {arch} {seed}")
    number = 0
    for which in shapes_of(arch):
        yield product(rng, arch, number, which=which)
        number += 1
    kinds, shapes = ("e4m3", "e5m2", "e2m1"), {"gfx950": ([32, 32, 64], [16, 16, 128]), "gfx1250": ([16, 16, 128], [32, 16, 128])}.get(arch, ())
    for first, second, shape in itertools.product(kinds, kinds, shapes):
        if shape[0] == 32 and arch == "gfx1250" and (first, second) != ("e2m1", "e2m1"):
            continue  # only fp4 has this shape
        yield scaled_product(rng, arch, number, which=(first, second, shape))
        number += 1


def product(rng, arch, number, isShort=False, which=None):
    """`which`: a row of shapes_of()."""
    table = MFMA.get(arch)
    if table:
        kind = which[0] if which else rng.choice(list(table))
        shape, width = which[2:] if which else rng.choice(table[kind])
        layout = f"AMDMFMALayout({MFMA_VERSION[arch]}, {shape}, {rng.random() < 0.5}, {rng.choice([[4, 1], [2, 2], [1, 4]])}" + (", element_bitwidth=64)" if kind == "fp64" else ")")
        if not which and rng.random() < 0.4 and kind not in ("fp64",):
            width = rng.choice([width, max(1, width // 2), 2 * width]) if kind not in FP8 and kind != "fp32" else width
        operation = "cdna4.mfma" if arch == "gfx950" else "cdna3.mfma"
    else:
        kind = which[0] if which else rng.choice(list(WMMA[arch]))
        shape, width = which[2:] if which else WMMA[arch][kind]
        version = {"gfx1100": 1, "gfx1250": 3}.get(arch, 2)
        layout = f"AMDWMMALayout({version}, {rng.random() < 0.5}, {rng.choice([[[1, 0], [2, 0]], [[0, 1], [1, 0]], [[0, 1], [0, 2]]])}, [], {shape})"
        operation = {1: "rdna3.wmma", 2: "rdna4.wmma", 3: "cdna5.wmma"}[version]
    rows, columns = rng.choice([(64, 64), (128, 32), (32, 128), (64, 32), (64, 128)]) if kind != "fp64" else (64, 64)
    depth = max(shape[2], rng.choice([32, 64, 128] if kind == "i8" or kind in FP8 else [32, 64]))
    depth = max(depth, 32 if kind in ("fp64", "fp32") else depth)
    if kind in ("fp64", "fp32"):
        depth = 32
    if isShort:
        depth = shape[2] // rng.choice([2, 4]) if shape[2] > 8 else shape[2]
    other = which[1] if which else kind
    (a_type, a, a_values), (b_type, b, b_values) = numbers_of(rng, (rows, depth), kind, arch), numbers_of(rng, (depth, columns), other, arch)
    out, element = ("i32", "gl.int32") if kind == "i8" else ("fp64", "gl.float64") if kind == "fp64" else ("fp32", "gl.float32")
    if kind == "fp16" and arch in ("gfx1100", "gfx1200", "gfx1201") and rng.random() < 0.5:
        out, element = "fp16", "gl.float16"
    form = DTYPES[out][1]
    begins = noise(rng, (rows, columns), "i8").astype(form) if rng.random() < 0.5 else None
    ldsa = rng.random() < 0.6
    body = [f"D: gl.constexpr = {layout}", f"A: gl.constexpr = gl.DotOperandLayout(0, D, {width})", f"B: gl.constexpr = gl.DotOperandLayout(1, D, {width})",
            f"L: gl.constexpr = {blocked(rng, arch, (rows, depth))}", f"R: gl.constexpr = {blocked(rng, arch, (depth, columns))}",
            offsets((rows, depth), "L", "i"), offsets((depth, columns), "R", "j"), offsets((rows, columns), "D", "o"), "x = gl.load(a + i)", "y = gl.load(b + j)"]
    if ldsa:
        bits = a.itemsize * 8
        body += [f"p = gl.allocate_shared_memory(x.dtype, {[rows, depth]}, {shared_layout(rng, (rows, depth), bits)}, x)",
                 f"q = gl.allocate_shared_memory(y.dtype, {[depth, columns]}, {shared_layout(rng, (depth, columns), bits)}, y)", "x = p.load(A)", "y = q.load(B)"]
    else:
        body += ["x = gl.convert_layout(x, A)", "y = gl.convert_layout(y, B)"]
    start = np.zeros((rows, columns), form)
    body.append("c = gl.load(dst + o)" if begins is not None else f"c = gl.zeros({[rows, columns]}, {element}, D)")
    if begins is not None:
        start = begins
    body += [f"c = {operation}(x, y, c)", "gl.store(dst + o, c)"]
    wanted = (a_values @ b_values + (start if begins is not None else 0)).astype(form)
    case = Case(arch, f"product{number}", "\n".join(body), [("a", a_type, a), ("b", b_type, b), ("dst", DTYPES[out][0], start)], {"dst": wanted}, 0 if kind == "i8" else 2e-2 if out == "fp16" else 2e-3)
    case.what = f"{kind}{'' if other == kind else ' by ' + other} {shape} width {width} to {out}"
    return case


def copies(arch, seed, count):
    """Tiles through LDS by the chip's own copies: asynchronous ones, and blocks by descriptor on gfx1250, where a partition of the warps
    may do it for the others."""
    rng = random.Random(f"copies {arch} {seed}")
    for number in range(count):
        if arch == "gfx1250":
            yield rng.choice([block_copy, row_copy, partitioned_copy, partitions])(rng, arch, number)
        elif arch in ("gfx942", "gfx950"):
            yield swizzled_copy(rng, arch, number)


def swizzled_copy(rng, arch, number):
    """An asynchronous copy into a buffer whose rows are in another order: within a warp or from warp to warp."""
    kind, bytes_at_once = rng.choice(["fp16", "fp32", "i8"]), 4 if arch == "gfx942" else rng.choice([4, 16])
    vector, across = bytes_at_once // np.dtype(DTYPES[kind][1]).itemsize, rng.choice([8, 16, 32, 64])
    rows, columns = 64 // across * 4 * rng.choice([1, 2]), across * vector
    phases = rng.choice([1, 2, 4, 8])
    data = noise(rng, (rows, columns), kind)
    wanted, mask = data, ""
    if rng.random() < 0.5:
        wanted, mask = data.copy(), f", mask=gl.arange(0, {rows}, gl.SliceLayout(1, L))[:, None] < {rows - 3}, other=1"
        wanted[rows - 3:] = 1
    body = [f"L: gl.constexpr = gl.BlockedLayout([1, {vector}], [{64 // across}, {across}], [4, 1], [1, 0])",
            f"S: gl.constexpr = gl.SwizzledSharedLayout({vector}, {rng.choice([1, 2])}, {phases}, [1, 0])",
            f"m = gl.allocate_shared_memory(src.dtype.element_ty, [2, {rows}, {columns}], S).index(1)", offsets((rows, columns), "L", "i"),
            "cdna4.async_copy." + rng.choice([f"buffer_load_to_shared(m, src, i{mask})", f"global_load_to_shared(m, src + i{mask})"]),
            "cdna4.async_copy.commit_group()", "cdna4.async_copy.wait_group(0)", f"B: gl.constexpr = {blocked(rng, arch, (rows, columns))}", "w = m.load(B)",
            offsets((rows, columns), "B", "o"), "gl.store(dst + o, w)"]
    case = Case(arch, f"swizzled{number}", "\n".join(body), [("src", DTYPES[kind][0], data), ("dst", DTYPES[kind][0], np.zeros_like(data))], {"dst": wanted})
    case.what = f"{kind} {rows}x{columns}, {across} lanes a row, {phases} phases"
    return case


def block_copy(rng, arch, number):
    rows, columns = rng.choice([(64, 64), (32, 128), (16, 32), (128, 32), (4, 64), (2, 128), (1, 256)])
    kind = rng.choice(["fp16", "fp32", "i8"])
    data = noise(rng, (rows, columns), kind)
    shape = [rows - rng.choice([0, 0, min(3, rows - 1)]), columns - rng.choice([0, 0, 5])]  # what lies beyond is read as zero, and not written
    wanted = np.zeros_like(data)
    wanted[:shape[0], :shape[1]] = data[:shape[0], :shape[1]]
    padded = rng.random() < 0.5
    layout = (f"gl.PaddedSharedLayout.with_identity_for([[{columns}, {16 // data.itemsize}]], {[rows, columns]}, [1, 0])" if padded else
              "gl.SwizzledSharedLayout(1, 1, 1, [1, 0])")
    body = [f"S: gl.constexpr = {layout}", f"B: gl.constexpr = {blocked(rng, arch, (rows, columns))}",
            f"d = cdna5.tdm.make_tensor_descriptor(src, {shape}, [{columns}, 1], {[rows, columns]}, S)",
            f"m = gl.allocate_shared_memory(d.dtype, {[rows, columns]}, S)", "cdna5.tdm.async_load(d, [0, 0], m)", "cdna5.tdm.async_wait(0)"]
    if rng.random() < 0.5:
        body += ["w = m.load(B)", offsets((rows, columns), "B", "o"), "gl.store(dst + o, w)"]
    else:
        body += [f"t = cdna5.tdm.make_tensor_descriptor(dst, {[rows, columns]}, [{columns}, 1], {[rows, columns]}, S)",
                 "cdna5.tdm.async_store(t, [0, 0], m)", "cdna5.tdm.async_wait(0)"]
    return Case(arch, f"block{number}", "\n".join(body), [("src", DTYPES[kind][0], data), ("dst", DTYPES[kind][0], np.zeros_like(data))], {"dst": wanted})


def row_copy(rng, arch, number):
    """Rows that are picked by number: all of a block or some, by one warp or shared among the warps."""
    picked, columns, all_rows = rng.choice([4, 8, 16, 32]), rng.choice([32, 64, 128]), 48
    kind, short, scatters = rng.choice(["fp16", "fp32", "i8"]), rng.random() < 0.5, rng.random() < 0.5
    per_thread, warps = rng.choice([1, 2, 4, 8, 16]), rng.choice([[1, 4], [4, 1], [2, 2]])
    numbers = np.array(rng.sample(range(all_rows), picked), np.int16 if short else np.int32)
    data = noise(rng, (picked if scatters else all_rows, columns), kind)
    wanted = np.zeros((all_rows if scatters else picked, columns), data.dtype)
    if scatters:
        wanted[numbers] = data
    else:
        wanted = data[numbers]
    layout = (f"gl.PaddedSharedLayout.with_identity_for([[{columns}, {16 // data.itemsize}]], {[picked, columns]}, [1, 0])" if rng.random() < 0.5 else
              "gl.SwizzledSharedLayout(1, 1, 1, [1, 0])")
    body = [f"S: gl.constexpr = {layout}", f"B: gl.constexpr = {blocked(rng, arch, (picked, columns))}",
            f"I: gl.constexpr = gl.SliceLayout(1, gl.BlockedLayout([{per_thread}, 1], [1, 32], {warps}, [1, 0]))",
            f"i = gl.load(numbers + gl.arange(0, {picked}, I))"]
    if scatters:
        body += [offsets((picked, columns), "B", "o"), f"m = gl.allocate_shared_memory(src.dtype.element_ty, {[picked, columns]}, S, gl.load(src + o))",
                 f"d = cdna5.tdm.make_tensor_descriptor(dst, [{all_rows}, {columns}], [{columns}, 1], {[picked, columns]}, S)", "gl.barrier()",
                 "cdna5.tdm.async_scatter(d, i, m)", "cdna5.tdm.async_wait(0)"]
    else:
        body += [f"d = cdna5.tdm.make_tensor_descriptor(src, [{all_rows}, {columns}], [{columns}, 1], {[picked, columns]}, S)",
                 f"m = gl.allocate_shared_memory(d.dtype, {[picked, columns]}, S)", "cdna5.tdm.async_gather(d, i, m)", "cdna5.tdm.async_wait(0)",
                 "w = m.load(B)", offsets((picked, columns), "B", "o"), "gl.store(dst + o, w)"]
    case = Case(arch, f"rows{number}", "\n".join(body), [("src", DTYPES[kind][0], data), ("dst", DTYPES[kind][0], np.zeros_like(wanted)),
                                                        ("numbers", "*i16" if short else "*i32", numbers)], {"dst": wanted})
    case.what = f"{'scatter' if scatters else 'gather'} of {picked} rows, {per_thread} numbers a thread, warps {warps}"
    return case


def partitioned_copy(rng, arch, number):
    """A block whose pieces lie in several partitions of LDS, and two blocks by one instruction."""
    rows, columns = rng.choice([(64, 64), (32, 128), (64, 32)])
    kind, dim = rng.choice(["fp16", "fp32"]), rng.randrange(2)
    groups = rng.choice([1, 2, 4])
    piece = [rows, columns]
    piece[dim] //= 2 * groups
    data = noise(rng, (rows, columns), kind)
    layout = (f"cdna5.PartitionedSharedLayout(2, {groups}, {dim}, "
              f"gl.PaddedSharedLayout.with_identity_for([[{piece[1]}, {16 // data.itemsize}]], {piece}, [1, 0]))")
    body = [f"S: gl.constexpr = {layout}", f"B: gl.constexpr = {blocked(rng, arch, (rows, columns))}",
            f"d = cdna5.tdm.make_tensor_descriptor(src, [{rows}, {columns}], [{columns}, 1], {[rows, columns]}, S)",
            f"m = gl.allocate_shared_memory(d.dtype, {[rows, columns]}, S)", "cdna5.tdm.async_load(d, [0, 0], m)", "cdna5.tdm.async_wait(0)",
            "w = m.load(B)"]
    wanted = data
    if rng.random() < 0.5:
        wanted = data + data
        first, second = rng.choice([(1, 2), (3, 12), (5, 10), (8, 1), (10, 4)])  # the warps of each
        body += ["P: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])", f"d = cdna5.tdm.make_tensor_descriptor(src, [{rows}, {columns}], [{columns}, 1], {[rows, columns]}, P)",
                 f"x = gl.allocate_shared_memory(d.dtype, {[rows, columns]}, P)", f"y = gl.allocate_shared_memory(d.dtype, {[rows, columns]}, P)",
                 f"cdna5.tdm.async_load_fused([(d, x, {first}), (d, y, {second})])",
                 "cdna5.tdm.async_wait(0)", f"w = w + {rng.choice('xy')}.load(B)"]
    body += [offsets((rows, columns), "B", "o"), "gl.store(dst + o, w)"]
    return Case(arch, f"pieces{number}", "\n".join(body), [("src", DTYPES[kind][0], data), ("dst", DTYPES[kind][0], np.zeros_like(data))], {"dst": wanted})


def partitions(rng, arch, number):
    """Warps that load what others take: by barriers in LDS."""
    steps, rows, columns = rng.choice([1, 3, 4]), 32, 64
    data = noise(rng, (steps * rows, columns), "fp32")
    wanted = data.reshape(steps, rows, columns).sum(0, dtype=np.float32)
    layout, producers = blocked(rng, arch, (rows, columns)), rng.choice([1, 2, 4])
    name = f"specialized{number}"
    helpers = f"""\
@gluon.jit
def load_{name}(src, buffer, ready, free, S: gl.constexpr):
    d = cdna5.tdm.make_tensor_descriptor(src, [{steps * rows}, {columns}], [{columns}, 1], [{rows}, {columns}], S)
    for k in range({steps}):
        cdna5.mbarrier.wait(free, (k & 1) ^ 1)
        cdna5.tdm.async_load(d, [k * {rows}, 0], buffer, mbarrier=ready)


@gluon.jit
def take_{name}(dst, buffer, ready, free, S: gl.constexpr):
    B: gl.constexpr = {layout}
    all = gl.zeros([{rows}, {columns}], gl.float32, B)
    for k in range({steps}):
        cdna5.mbarrier.wait(ready, k & 1)
        all += buffer.load(B)
        cdna5.mbarrier.arrive(free)
    {offsets((rows, columns), "B", "o")}
    gl.store(dst + o, all)


"""
    body = ["S: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])", f"buffer = gl.allocate_shared_memory(gl.float32, [{rows}, {columns}], S)",
            "ready = gl.allocate_shared_memory(gl.int64, [1], cdna5.mbarrier.MBarrierLayout())", "free = gl.allocate_shared_memory(gl.int64, [1], cdna5.mbarrier.MBarrierLayout())",
            f"cdna5.mbarrier.init(ready, {producers})", "cdna5.mbarrier.init(free, 128)",
            f"gl.warp_specialize([(take_{name}, (dst, buffer, ready, free, S)), (load_{name}, (src, buffer, ready, free, S))], [{producers}])"]
    case = Case(arch, name, "\n".join(body), [("src", "*fp32", data), ("dst", "*fp32", np.zeros((rows, columns), np.float32))], {"dst": wanted}, 1e-4)
    case.helpers, case.threads = helpers, 32 * (-(-(4 + producers) // 4) * 4)  # launched by fours
    return case


def scaled_products(arch, seed, count):
    rng = random.Random(f"scaled {arch} {seed}")
    for number in range(count):
        if arch in ("gfx950", "gfx1250"):
            yield scaled_product(rng, arch, number)


def scaled_operand(rng, kind, shape):
    """8-bit floats, or two of fp4 in a byte along K (`shape`: of the numbers, K last): bits, and what they mean."""
    if kind != "e2m1":
        _, data, values = numbers_of(rng, shape, {"e4m3": "fp8e4nv", "e5m2": "fp8e5"}[kind], "gfx950")
        return data, values
    data = np.random.default_rng(rng.randrange(1 << 30)).integers(0, 256, (shape[0], shape[1] // 2)).astype(np.uint8)
    values = np.stack([FP4[data & 15], FP4[data >> 4]], 2).reshape(shape)
    return data, values.astype(np.float64)


def scaled_product(rng, arch, number, which=None):
    """`which`: the two types and the shape of the instruction."""
    rows, columns, depth = rng.choice([(64, 64), (32, 128), (128, 32)]) + (rng.choice([64, 128, 256]) if arch == "gfx1250" else rng.choice([128, 256]),)
    first, second = which[:2] if which else (rng.choice(["e4m3", "e5m2", "e2m1"]), rng.choice(["e4m3", "e5m2", "e2m1"]))
    turned = rng.random() < 0.5
    if arch == "gfx950":
        shape = which[2] if which else rng.choice([[32, 32, 64], [16, 16, 128]])
        layouts = [f"AMDMFMALayout(4, {shape}, {turned}, {rng.choice([[4, 1], [2, 2]])})"] * 3
        package, operation, scale_layout = "cdna4", "mfma_scaled", "get_mfma_scale_layout"
    else:
        warps = rng.choice([[[1, 0], [2, 0]], [[0, 1], [1, 0]]])
        rows_at_once, register_bases = 16, []
        isTall = which[2][0] == 32 if which else first == second == "e2m1" and depth >= 128 and rng.random() < 0.5
        if isTall:
            depth = max(depth, 128)
            rows_at_once, register_bases, warps = 32, [], [[0, 1], [1, 0]]
            rows, columns = 64, 64
        layouts = [f"AMDWMMALayout(3, {turned}, {warps}, {register_bases}, [{rows_at_once}, 16, {k}])" for k in
                   (128, 64 if first == "e2m1" else 128, 64 if second == "e2m1" else 128)]
        package, operation, scale_layout = "cdna5", "wmma_scaled", "get_wmma_scale_layout"
    (a, a_values), (b, b_values) = scaled_operand(rng, first, (rows, depth)), scaled_operand(rng, second, (columns, depth))
    random_state = np.random.default_rng(rng.randrange(1 << 30))
    scales = [random_state.integers(122, 132, (extent, depth // 32)).astype(np.uint8) for extent in (rows, columns)]
    widened = [np.ldexp(1.0, np.repeat(each.astype(np.int64), 32, axis=1) - 127) for each in scales]
    wanted = ((a_values * widened[0]) @ (b_values * widened[1]).T).astype(np.float32)
    types = {"e4m3": "*fp8e4nv", "e5m2": "*fp8e5", "e2m1": "*u8"}
    packed = [depth // (2 if kind == "e2m1" else 1) for kind in (first, second)]
    body = [f"D: gl.constexpr = {layouts[0]}", f"A: gl.constexpr = gl.DotOperandLayout(0, {layouts[1]}, 16)", f"B: gl.constexpr = gl.DotOperandLayout(1, {layouts[2]}, 16)",
            f"SA: gl.constexpr = {package}.{scale_layout}(A, {[rows, depth // 32]})", f"SB: gl.constexpr = {package}.{scale_layout}(B, {[columns, depth // 32]})",
            offsets((rows, packed[0]), "A", "i"),
            f"j = gl.arange(0, {packed[1]}, gl.SliceLayout(1, B))[:, None] + gl.arange(0, {columns}, gl.SliceLayout(0, B))[None, :] * {packed[1]}",
            offsets((rows, depth // 32), "SA", "si"), offsets((columns, depth // 32), "SB", "sj"), offsets((rows, columns), "D", "o"),
            f"c = gl.zeros({[rows, columns]}, gl.float32, D)",
            f"c = {package}.{operation}(gl.load(a + i), gl.load(sa + si), '{first}', gl.load(b + j), gl.load(sb + sj), '{second}', c)", "gl.store(dst + o, c)"]
    case = Case(arch, f"scaled{number}", "\n".join(body), [("a", types[first], a), ("sa", "*u8", scales[0]), ("b", types[second], b), ("sb", "*u8", scales[1]),
                                                          ("dst", "*fp32", np.zeros((rows, columns), np.float32))], {"dst": wanted}, 1e-3)
    case.what = f"{first} by {second}, K {depth}: {layouts[0]}"
    return case


def functions(arch, seed, count):
    """Functions of libdevice that the device library does not have."""
    rng = random.Random(f"functions {arch} {seed}")
    makers = {"fast_expf": ("{f}(x)", lambda x, y: np.exp(x)), "fast_dividef": ("{f}(x, y)", lambda x, y: x / y), "fast_tanhf": ("{f}(x)", lambda x, y: np.tanh(x)),
              "rint": ("{f}(x * 3)", lambda x, y: np.rint(x * 3)), "llrint": ("{f}(x * 3).to(gl.float32)", lambda x, y: np.rint(x * 3)),
              "abs": ("{f}((x * 9).to(gl.int32)).to(gl.float32)", lambda x, y: np.abs((x * 9).astype(np.int32)).astype(np.float32))}
    for number in range(count):
        name = list(makers)[number % len(makers)]
        call, meant = makers[name]
        x, y = noise(rng, (256,), "fp32"), noise(rng, (256,), "fp32")
        y = np.where(np.abs(y) < 0.1, np.float32(1), y)
        body = [f"i = gl.arange(0, 256, gl.BlockedLayout([1], [{wave(arch)}], [4], [0]))", "x = gl.load(a + i)", "y = gl.load(b + i)",
                f"gl.store(dst + i, {call.format(f='libdevice.' + name)})"]
        case = Case(arch, f"function{number}", "\n".join(body), [("a", "*fp32", x), ("b", "*fp32", y), ("dst", "*fp32", np.zeros(256, np.float32))],
                    {"dst": meant(x, y).astype(np.float32)}, 1e-5)
        case.what = name
        yield case


def repacked(arch, seed, count):
    """Pairs of fp4 along M (or N) in LDS that become pairs along K in registers."""
    rng = random.Random(f"repacked {arch} {seed}")
    for number in range(count):
        if arch not in ("gfx950", "gfx1250"):
            continue
        outer, depth, is_a = rng.choice([16, 32, 64, 128]), rng.choice([64, 128, 256]), rng.random() < 0.5
        turned, width = rng.random() < 0.5, rng.choice([8, 16])
        if arch == "gfx950":
            layout, package = f"AMDMFMALayout(4, {rng.choice([[16, 16, 128], [32, 32, 64]])}, {turned}, {rng.choice([[4, 1], [2, 2]])})", "cdna4"
            if "32, 32" in layout:
                outer = max(outer, 32)
        else:
            layout, package = f"AMDWMMALayout(3, {turned}, {rng.choice([[[1, 0], [2, 0]], [[0, 1], [1, 0]]])}, [], [16, 16, 64])", "cdna5"
        codes = np.random.default_rng(rng.randrange(1 << 30)).integers(0, 16, (outer, depth)).astype(np.uint8)
        data = codes[0::2] | codes[1::2] << 4  # (outer / 2, depth)
        wanted = codes[:, 0::2] | codes[:, 1::2] << 4
        vector, phases = rng.choice([(1, 1), (8, 8), (16, 4)])
        if not is_a:
            data, wanted = np.ascontiguousarray(data.T), np.ascontiguousarray(wanted.T)
        source, target = data.shape, wanted.shape
        body = [f"O: gl.constexpr = gl.DotOperandLayout({0 if is_a else 1}, {layout}, {width})", f"L: gl.constexpr = {blocked(rng, arch, source)}",
                f"S: gl.constexpr = gl.SwizzledSharedLayout({vector}, 1, {phases}, {[0, 1] if is_a else [1, 0]})", offsets(source, "L", "i"), offsets(target, "O", "o"),
                f"m = gl.allocate_shared_memory(gl.uint8, {list(source)}, S, gl.load(src + i))", f"gl.store(dst + o, {package}.load_shared_fp4_repacked(m, O))"]
        case = Case(arch, f"repacked{number}", "\n".join(body), [("src", "*u8", data), ("dst", "*u8", np.zeros_like(wanted))], {"dst": wanted})
        case.what = f"{'A' if is_a else 'B'} of {outer} by {depth}: {layout}"
        yield case


def small_products(arch, seed, count):
    """MFMA of 4x64 and 64x4."""
    rng = random.Random(f"small {arch} {seed}")
    for number in range(count):
        if arch not in MFMA_VERSION:
            continue
        kind, is_wide = rng.choice(["fp16", "bf16", "fp32", "i8"] if arch != "gfx908" else ["fp16", "fp32", "i8"]), rng.random() < 0.5
        depth, width = (16, 1) if kind == "fp32" else (64, 4)
        width = width if kind in ("fp32", "i8") else rng.choice([4, 8])
        shape = [4, 64, depth] if is_wide else [64, 4, depth]
        rows, columns = rng.choice([(4, 64), (8, 128)])
        rows, columns, depth = *((rows, columns) if is_wide else (columns, rows)), depth * rng.choice([2, 4])
        layout = f"AMDMFMALayout({MFMA_VERSION[arch]}, {shape}, {not is_wide}, [1, 1])"
        (kind_a, a, a_values), (kind_b, b, b_values) = numbers_of(rng, (rows, depth), kind, arch), numbers_of(rng, (depth, columns), kind, arch)
        out, element = ("i32", "gl.int32") if kind == "i8" else ("fp32", "gl.float32")
        body = [f"D: gl.constexpr = {layout}", f"A: gl.constexpr = gl.DotOperandLayout(0, D, {width})", f"B: gl.constexpr = gl.DotOperandLayout(1, D, {width})",
                offsets((rows, depth), "A", "i"), offsets((depth, columns), "B", "j"), offsets((rows, columns), "D", "o"),
                f"gl.store(dst + o, cdna3.mfma(gl.load(a + i), gl.load(b + j), gl.zeros({[rows, columns]}, {element}, D)))"]
        wanted = (a_values @ b_values).astype(DTYPES[out][1])
        case = Case(arch, f"small{number}", "\n".join(body), [("a", kind_a, a), ("b", kind_b, b), ("dst", f"*{out}", np.zeros((rows, columns), DTYPES[out][1]))],
                    {"dst": wanted}, 0 if kind == "i8" else 1e-3, warps=1)
        case.what = f"{kind} {rows}x{columns}x{depth}: {layout}"
        yield case


def small_floats(arch, seed, count):
    """Every 8-bit float of OCP's formats as a wider one, and every half as an 8-bit float."""
    width = wave(arch)
    layout = f"gl.BlockedLayout([8], [{width}], [4], [0])"
    for kind, has_five in (("fp8e4nv", False), ("fp8e5", True)):
        every = np.arange(256, dtype=np.uint8)
        data = np.tile(every, 4 * width * 8 // 256)
        meant = fp8_values(data.astype(np.uint32), "gfx950", has_five).astype(np.float32)
        for out in ("fp16", "bf16", "fp32"):
            form = DTYPES[out][1]
            wanted = (meant.view(np.uint32) >> 16).astype(np.uint16) if out == "bf16" else meant.astype(form)
            body = [f"i = gl.arange(0, {data.size}, {layout})", f"gl.store(dst + i, gl.load(src + i).to({'gl.bfloat16' if out == 'bf16' else 'gl.float' + out[2:]}))"]
            yield FloatCase(arch, f"{kind}_{out}", "\n".join(body), [("src", f"*{kind}", data), ("dst", DTYPES[out][0], np.zeros(data.size, form))], {"dst": wanted})
        # To nearest, ties to even; beyond the largest number it stays the largest.
        halves = np.arange(65536, dtype=np.uint16).view(np.float16)
        numbers = fp8_values(np.arange(128, dtype=np.uint32), "gfx950", has_five).astype(np.float64)
        most = int(np.flatnonzero(np.isfinite(numbers))[-1])
        edges = (numbers[:most] + numbers[1:most + 1]) / 2
        with np.errstate(invalid="ignore"):
            magnitude = np.abs(halves.astype(np.float64))
            code = np.searchsorted(edges, magnitude)
            tie = (code < most) & (magnitude == edges[np.minimum(code, most - 1)])
        code = np.where(np.isnan(halves), 0x7f, code + (tie & (code % 2 == 1))) | np.signbit(halves) << 7
        body = ["for k in range(0, 65536, 2048):", f"    i = k + gl.arange(0, 2048, gl.BlockedLayout([{2048 // 4 // width}], [{width}], [4], [0]))",
                f"    gl.store(dst + i, gl.load(src + i).to({'gl.float8e5' if has_five else 'gl.float8e4nv'}))"]
        yield FloatCase(arch, f"half_{kind}", "\n".join(body), [("src", "*fp16", halves), ("dst", f"*{kind}", np.zeros(65536, np.uint8))], {"dst": code.astype(np.uint8)})
        if has_five:  # towards zero it is the upper byte of a half
            body[-1] = body[-1].replace("gl.float8e5)", "gl.float8e5, fp_downcast_rounding=\"rtz\")")
            cut = (np.arange(65536) >> 8).astype(np.uint8)
            yield FloatCase(arch, "cut_half", "\n".join(body), [("src", "*fp16", halves), ("dst", f"*{kind}", np.zeros(65536, np.uint8))], {"dst": cut})
            singles = halves.astype(np.float32)
            yield FloatCase(arch, "cut_single", "\n".join(body), [("src", "*fp32", singles), ("dst", f"*{kind}", np.zeros(65536, np.uint8))], {"dst": cut})


def rounded(arch, seed, count):
    """Floats as bfloats; every NaN is 0x7fff where there is no instruction for it, as in Triton's code."""
    if arch not in ("gfx906", "gfx908", "gfx90a", "gfx942", "gfx1100", "gfx1201"):
        return
    raw = np.random.default_rng(seed).integers(0, 1 << 32, 4096, dtype=np.uint32)
    raw[:512] |= 0x7f800000
    raw[512:1024] = raw[512:1024] & 0xffff0000 | 0x8000  # ties
    data = raw.view(np.float32)
    wanted = np.where(np.isnan(data), 0x7fff, to_bf16(data)).astype(np.uint16)
    for name, computed in (("rounded", "gl.load(src + i).to(gl.bfloat16)"), ("negated", "gl.load(src + i).to(gl.bfloat16) * -1.0")):
        body = [f"i = gl.arange(0, {data.size}, gl.BlockedLayout([8], [{wave(arch)}], [4], [0]))", f"gl.store(dst + i, {computed})"]
        result = wanted if name == "rounded" else np.where(np.isnan(data), 0x7fff, wanted ^ 0x8000).astype(np.uint16)
        yield Case(arch, name, "\n".join(body), [("src", "*fp32", data), ("dst", "*bf16", np.zeros(data.size, np.uint16))], {"dst": result})


class FloatCase(Case):
    """NaNs are NaNs, of whatever bits."""

    def fits(self, name, got):
        wanted = self.wanted[name]
        kind = next(each["type"] for each in self.arguments if each["name"] == name)[1:]
        nan = {"fp8e4nv": lambda x: x & 0x7f == 0x7f, "fp8e5": lambda x: x & 0x7f > 0x7c, "bf16": lambda x: x & 0x7fff > 0x7f80}.get(kind, np.isnan)
        return np.array_equal(np.where(nan(got), 0, got), np.where(nan(wanted), 0, wanted)) and np.array_equal(nan(got), nan(wanted))


def upcasts(arch, seed, count):
    """Numbers of 4 bits as wider ones, and those of 4 and 8 bits with a scale for each eight of them."""
    rng = random.Random(f"upcasts {arch} {seed}")
    width, package = wave(arch), {"gfx942": "cdna3", "gfx950": "cdna4", "gfx1250": "cdna5"}.get(arch)
    for number in range(count):
        kind, out = rng.choice(["plain", "e2m1", "fp8e4nv", "fp8e5"] if package else ["plain"]), rng.choice(["fp16", "bf16"])
        rows, columns, element = 64, rng.choice([32, 64]), {"fp16": "gl.float16", "bf16": "gl.bfloat16"}[out]
        random_state = np.random.default_rng(rng.randrange(1 << 30))
        data = random_state.integers(0, 256, (rows, columns)).astype(np.uint8)
        per = rng.choice([4, 8, 16])
        layouts = [f"gl.BlockedLayout([1, {each}], [{width // 8}, 8], [4, 1], [1, 0])" for each in (per, 2 * per)]
        if kind in ("plain", "e2m1"):
            values, wide = np.stack([FP4[data & 15], FP4[data >> 4]], 2).reshape(rows, 2 * columns), 2 * columns
        else:
            per, wide, has_five = max(per, 8), columns, kind == "fp8e5"
            layouts = [f"gl.BlockedLayout([1, {per}], [{width // 8}, 8], [4, 1], [1, 0])"] * 2
            values = fp8_values(data.astype(np.uint32), "gfx950", has_five)
            data = np.where(np.isfinite(values), data, 0x31).astype(np.uint8)
            values = fp8_values(data.astype(np.uint32), "gfx950", has_five)
            values = np.where(np.abs(values) > 448, 1, values)
            data = np.where(values == 1, 0x38 if not has_five else 0x3c, data).astype(np.uint8)
        scales = np.repeat(random_state.integers(122, 131, (rows, wide // 8)).astype(np.uint8), 8, axis=1)
        if kind != "plain":
            values = values * np.ldexp(1.0, scales.astype(np.int64) - 127)
        values = values.astype(np.float32)
        wanted = (values.view(np.uint32) >> 16).astype(np.uint16) if out == "bf16" else values.astype(np.float16)
        body = [f"A: gl.constexpr = {layouts[0]}", f"B: gl.constexpr = {layouts[1]}", offsets((rows, columns), "A", "i"), offsets((rows, wide), "B", "o"), "x = gl.load(src + i)"]
        if kind == "plain":
            body.append(f"y = gl.fp4_to_fp(x, {element}, 1)")
        else:
            body.append(f"y = {package}.scaled_upcast(x, gl.load(sc + o), {element}" + (", axis=1)" if kind == "e2m1" else ")"))
        body.append("gl.store(dst + o, gl.convert_layout(y, B))")
        case = Case(arch, f"upcast{number}", "\n".join(body), [("src", f"*{kind}" if kind.startswith("fp8") else "*u8", data), ("sc", "*u8", scales), ("dst", DTYPES[out][0], np.zeros_like(wanted))], {"dst": wanted})
        case.what = f"{kind} to {out}, {per} in a row"
        yield case


def slots(arch, seed, count):
    """Slots of a padded buffer that are filled one by one and read as one tile."""
    rng = random.Random(f"slots {arch} {seed}")
    for number in range(count):
        stages, rows, columns = rng.choice([2, 4]), rng.choice([16, 32]), rng.choice([32, 64])
        pairs = [[rng.choice([columns, 2 * columns, 2 * rows * columns]), rng.choice([4, 8])]]  # the last one: not after each slot
        pieces, whole = [rows, columns], [stages * rows, columns]
        data = np.random.default_rng(rng.randrange(1 << 30)).integers(-999, 999, whole).astype(np.int16)
        body = [f"A: gl.constexpr = {blocked(rng, arch, pieces)}", f"B: gl.constexpr = {blocked(rng, arch, whole)}", offsets(pieces, "A", "i"), offsets(whole, "B", "o"),
                f"S: gl.constexpr = gl.PaddedSharedLayout.with_identity_for({pairs}, {pieces}, [1, 0])",
                f"W: gl.constexpr = gl.PaddedSharedLayout.with_identity_for({pairs}, {whole}, [1, 0])",
                f"m = gl.allocate_shared_memory(gl.int16, {[stages, *pieces]}, S)", f"for k in range({stages}):", f"    m.index(k).store(gl.load(src + k * {rows * columns} + i))",
                f"gl.store(dst + o, m.reinterpret(gl.int16, {whole}, W).load(B))"]
        case = Case(arch, f"slots{number}", "\n".join(body), [("src", "*i16", data), ("dst", "*i16", np.zeros_like(data))], {"dst": data})
        case.what = f"{stages} slots of {pieces}, padded by {pairs}"
        yield case


def half_sums(arch, seed, count):
    """Sums of 16-bit floats in places of any order, some of them masked off, from a buffer that may begin in the middle of a word."""
    rng = random.Random(f"half sums {arch} {seed}")
    for number in range(count if arch in ("gfx90a", "gfx942", "gfx950") else 0):
        size, bound = rng.choice([256, 512, 1024]), rng.randrange(1, 256)
        values = np.random.default_rng(rng.randrange(1 << 30))
        places, added, data = values.permutation(size).astype(np.int32), noise(rng, (size, ), "fp16"), noise(rng, (size + 8, ), "fp16")
        start, taken = rng.choice([0, 1, 3, 4]), np.arange(size) % 256 < bound
        wanted = data.copy()
        wanted[start + places[taken]] += added[taken]
        body = [f"A: gl.constexpr = {blocked(rng, arch, (size, ))}", f"i = gl.arange(0, {size}, A)", "at = gl.load(places + i)",
                "old = cdna3.buffer_atomic_add(dst + start, at, gl.load(src + i), mask=i % 256 < n, sem='relaxed')", "gl.store(before + i, old, mask=i % 256 < n)"]
        case = Case(arch, f"halfsums{number}", "\n".join(body),
                    [("dst", "*fp16", data), ("src", "*fp16", added), ("places", "*i32", places), ("before", "*fp16", np.zeros_like(added)), ("n", "i32"), ("start", "i32")],
                    {"dst": wanted, "before": np.where(taken, data[start + places], np.float16(0))}, scalars=(bound, start))
        case.what = f"{size} places from {start} on, {bound} of 256"
        yield case


FAMILIES = {"half sums": half_sums, "slots": slots, "rows": rows, "masked": masked, "upcasts": upcasts, "floats": small_floats, "rounded": rounded, "repacked": repacked, "small": small_products, "functions": functions, "moves": moves, "operands": operands, "scaled": scaled_products, "copies": copies, "reductions": reductions, "products": products,
            "short products": short_products, "shapes": every_shape}
