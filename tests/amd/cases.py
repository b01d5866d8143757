"""Kernels that are played (test_played.py): tiles through layouts and LDS, reductions, scans, products of matrices.

Every case is one function of one file, a launch record, its arrays, and what they should be afterwards (None where only
Triton tells)."""
import random

import numpy as np

from instructions import FP4, fp8_values, to_bf16
from beside import wave

HEADER = """\
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import AMDMFMALayout, AMDWMMALayout, cdna3, cdna4, rdna3, rdna4, cdna5


@gluon.jit
def larger(a, b):
    return gl.maximum(a, b)


@gluon.jit
def total(a, b):
    return a + b


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
        self.warps, self.what = warps, ""

    def text(self):
        return f"@gluon.jit\ndef {self.name}({', '.join(each['name'] for each in self.arguments)}):\n" + "".join(f"    {line}\n" for line in self.body.strip().splitlines()) + "\n\n"

    def record(self, file, line):
        return {"id": f"{file}.{self.name}", "file": f"{file}.py", "kernel": self.name, "line": line, "target": f"hip:{self.arch}",
                "options": {"num_warps": self.warps}, "args": self.arguments}


def write(folder, file, cases):
    """A file with all of them; their records."""
    text, records = HEADER + "\n", []
    for case in cases:
        records.append(case.record(file, text.count("\n") + 2))
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


def matrix(rng, arch, kind="any"):
    """A layout of products."""
    if arch in ("gfx942", "gfx950"):
        shape = rng.choice([[16, 16, 16], [32, 32, 8]])
        return f"AMDMFMALayout({3 if arch == 'gfx942' else 4}, {shape}, {rng.random() < 0.5}, {rng.choice([[4, 1], [2, 2], [1, 4]])})"
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


def reductions(arch, seed, count):
    rng = random.Random(f"reductions {arch} {seed}")
    for number in range(count):
        kind = rng.choice(["fp32", "i32", "fp16", "i64", "bf16", "i8", "fp64", "i16"])
        shape = rng.choice([(64, 64), (32, 128), (128, 16), (16, 256), (8, 8)])
        axis = rng.randrange(2)
        layout = register_layout(rng, arch, shape)
        data = noise(rng, shape, kind)
        values = (data.astype(np.uint32) << 16).view(np.float32) if kind == "bf16" else data
        body = [f"A: gl.constexpr = {layout}", offsets(shape, "A", "i"), "v = gl.load(src + i)"]
        way = rng.choice(["sum", "max", "min", "argmax", "scan", "scan", "rscan", "pairs", "max_scan"])
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


def products(arch, seed, count):
    rng = random.Random(f"products {arch} {seed}")
    for number in range(count):
        yield product(rng, arch, number)


FP8 = {"fp8e4nv": False, "fp8e5": True, "fp8e4b8": False, "fp8e5b16": True}
MFMA = {  # by type, (M, N, K) of the instruction and how many elements of K a lane holds at once
    "gfx942": {"fp16": [([32, 32, 8], 4), ([16, 16, 16], 4)], "bf16": [([32, 32, 8], 4), ([16, 16, 16], 4)], "fp32": [([32, 32, 2], 1), ([16, 16, 4], 1)],
               "i8": [([32, 32, 16], 8), ([16, 16, 32], 8)], "fp8e4b8": [([32, 32, 16], 8), ([16, 16, 32], 8)], "fp8e5b16": [([32, 32, 16], 8), ([16, 16, 32], 8)],
               "fp64": [([16, 16, 4], 1)]},
    "gfx950": {"fp16": [([32, 32, 16], 8), ([16, 16, 32], 8), ([32, 32, 8], 4), ([16, 16, 16], 4)], "bf16": [([32, 32, 16], 8), ([16, 16, 32], 8)],
               "fp32": [([32, 32, 2], 1), ([16, 16, 4], 1)], "i8": [([32, 32, 32], 16), ([16, 16, 64], 16)], "fp8e4nv": [([32, 32, 64], 16), ([16, 16, 128], 16), ([16, 16, 32], 8), ([32, 32, 16], 8)],
               "fp8e5": [([32, 32, 64], 16), ([16, 16, 128], 16)], "fp64": [([16, 16, 4], 1)]}}
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


def product(rng, arch, number):
    table = MFMA.get(arch)
    if table:
        kind = rng.choice(list(table))
        shape, width = rng.choice(table[kind])
        layout = f"AMDMFMALayout({3 if arch == 'gfx942' else 4}, {shape}, {rng.random() < 0.5}, {rng.choice([[4, 1], [2, 2], [1, 4]])}" + (", element_bitwidth=64)" if kind == "fp64" else ")")
        if rng.random() < 0.4 and kind not in ("fp64",):
            width = rng.choice([width, max(1, width // 2), 2 * width]) if kind not in FP8 and kind != "fp32" else width
        operation = "cdna3.mfma" if arch == "gfx942" else "cdna4.mfma"
    else:
        kind = rng.choice(list(WMMA[arch]))
        shape, width = WMMA[arch][kind]
        version = {"gfx1100": 1, "gfx1250": 3}.get(arch, 2)
        layout = f"AMDWMMALayout({version}, {rng.random() < 0.5}, {rng.choice([[[1, 0], [2, 0]], [[0, 1], [1, 0]], [[0, 1], [0, 2]]])}, [], {shape})"
        operation = {1: "rdna3.wmma", 2: "rdna4.wmma", 3: "cdna5.wmma"}[version]
    rows, columns = rng.choice([(64, 64), (128, 32), (32, 128), (64, 32), (64, 128)]) if kind != "fp64" else (64, 64)
    depth = max(shape[2], rng.choice([32, 64, 128] if kind == "i8" or kind in FP8 else [32, 64]))
    depth = max(depth, 32 if kind in ("fp64", "fp32") else depth)
    if kind in ("fp64", "fp32"):
        depth = 32
    (a_type, a, a_values), (b_type, b, b_values) = numbers_of(rng, (rows, depth), kind, arch), numbers_of(rng, (depth, columns), kind, arch)
    out, element = ("i32", "gl.int32") if kind == "i8" else ("fp64", "gl.float64") if kind == "fp64" else ("fp32", "gl.float32")
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
    case = Case(arch, f"product{number}", "\n".join(body), [("a", a_type, a), ("b", b_type, b), ("dst", DTYPES[out][0], start)], {"dst": wanted}, 0 if kind == "i8" else 2e-3)
    case.what = f"{kind} {shape} width {width}"
    return case


FAMILIES = {"moves": moves, "reductions": reductions, "products": products}
