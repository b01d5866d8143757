"""MFMA (CDNA) and WMMA (RDNA, gfx1250): which element of which matrix a lane holds where, and their products (player.py)."""
import re

import numpy as np

from instructions import BF6, FP4, FP6, fp8_values, to_bf16

SMALL = {0: ("fp8", 8), 1: ("bf8", 8), 2: ("fp6", 6), 3: ("bf6", 6), 4: ("fp4", 4)}  # what cbsz and blgp, or a format's number, say
BY_NAME = {"MATRIX_FMT_FP8": 0, "MATRIX_FMT_BF8": 1, "MATRIX_FMT_FP6": 2, "MATRIX_FMT_BF6": 3, "MATRIX_FMT_FP4": 4}


def elements(wave, operand, kind, bits, count):
    """The `count` elements of each lane from a register on: (lanes, count) of float64 or int64."""
    if operand.kind != "vector":
        raise NotImplementedError("a constant matrix")
    words = np.ascontiguousarray(wave.vectors[operand.index:operand.index + (count * bits + 31) // 32].T)  # (lanes, words)
    if kind == "f64":
        return words.view(np.float64)[:, :count]
    if kind in ("f32", "xf32"):
        values = words.view(np.float32)[:, :count]
        if kind == "xf32":
            values = (words[:, :count] & np.uint32(0xFFFFE000)).view(np.float32)
        return values.astype(np.float64)
    if kind == "f16":
        return words.view(np.float16)[:, :count].astype(np.float64)
    if kind == "bf16":
        return (words.view(np.uint16)[:, :count].astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    if kind in ("i8", "iu8", "u8"):
        return words.view(np.uint8 if kind == "u8" else np.int8)[:, :count].astype(np.int64)
    if kind in ("fp8", "bf8"):
        return fp8_values(words.view(np.uint8)[:, :count].astype(np.uint32), wave.player.arch, kind == "bf8").astype(np.float64)
    flat = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, :count * bits].reshape(wave.lanes, count, bits)
    codes = (flat.astype(np.int64) << np.arange(bits)).sum(2)
    if kind in ("i4", "iu4"):
        return np.where(codes >= 8, codes - 16, codes)
    return {"fp4": FP4, "fp6": FP6, "bf6": BF6}[kind][codes].astype(np.float64)


def accumulators(wave, operand, count, kind):
    """(lanes, count)."""
    if operand.kind != "vector":
        value = wave.scalar(operand, 64 if kind == "f64" else 32, kind != "i32")
        words = np.array([value], np.uint64 if kind == "f64" else np.uint32)
        number = words.view({"f32": np.float32, "i32": np.int32, "f64": np.float64, "f16": np.float32, "bf16": np.float32}[kind])[0]
        return np.full((wave.lanes, count), number, np.int64 if kind == "i32" else np.float64)
    if kind == "f64":
        return np.ascontiguousarray(wave.vectors[operand.index:operand.index + 2 * count].T).view(np.float64)
    words = np.ascontiguousarray(wave.vectors[operand.index:operand.index + count].T)
    return words.view(np.int32).astype(np.int64) if kind == "i32" else words.view(np.float32).astype(np.float64)


def write(wave, operand, values, kind):
    if kind == "f64":
        words = np.ascontiguousarray(values, np.float64).view(np.uint32)
    elif kind == "i32":
        words = (values & 0xFFFFFFFF).astype(np.uint32)
    else:
        words = np.ascontiguousarray(values, np.float32).view(np.uint32)
    for each in range(words.shape[1]):
        wave.vectors[operand.index + each] = words[:, each]


def multiply(wave, i):
    (mfma if i.base.startswith(("v_mfma", "v_smfma")) else wmma)(wave, i)


def scales(wave, operand, byte):
    return np.ldexp(1.0, (wave.raw(operand) >> np.uint32(8 * byte) & np.uint32(255)).astype(np.int64) - 127)


def mfma(wave, i):
    name, options = i.base, i.options
    found = re.match(r"v_mfma_(?:ld_)?(scale_)?(f32|i32|f64)_(\d+)x(\d+)x(\d+)_?(?:(\d+)b_)?(\w+)$", name)
    if not found:
        raise NotImplementedError("not known here")
    has_scale, result, m, n, k, blocks, kinds = found[1], found[2], *(int(found[each]) for each in (3, 4, 5)), int(found[6] or 1), found[7]
    kinds = kinds.replace("bf16_1k", "bf16")
    d, a, b, c = i.operands[:4]
    if kinds == "f8f6f4":
        first, second = (SMALL[int(options.get(key, 0))] for key in ("cbsz", "blgp"))
    else:
        parts = kinds.split("_")
        if re.fullmatch(r"(i8|bf16|f16|f32|f64|xf32)", parts[0]) or len(parts) == 1:
            parts = [parts[0]] * 2
        width = {"i8": 8, "fp8": 8, "bf8": 8, "f16": 16, "bf16": 16, "f32": 32, "xf32": 32, "f64": 64}
        first, second = ((part, width[part]) for part in parts)
    if not found[6]:
        blocks = {(32, 1): 2, (32, 2): 2 if kinds in ("bf16",) else 1, (16, 1): 4, (4, 1): 16}.get((m, k), 1)
        if kinds == "f64" and m == 4:
            blocks = 4
        elif kinds != "f64" and m == 4:
            blocks = 16
        elif kinds in ("f16", "bf16", "i8") and (m, k) in ((32, 4), (16, 4)) and not (kinds == "bf16" and "1k" not in name and m == 32 and k == 4):
            blocks = 2 if m == 32 else 4
    per = m * k * blocks // 64  # elements of A in a lane
    lane = np.arange(64)
    block, group = (lane // m, np.zeros(64, int)) if blocks > 1 else (np.zeros(64, int), lane // m)
    if kinds == "f64" and m == 4:
        block, group = lane // 4 % 4, lane // 16
    matrices = []
    for operand, (kind, width) in ((a, first), (b, second)):
        values = elements(wave, operand, kind, width, per)
        matrix = np.zeros((blocks, m, k))
        matrix = matrix.astype(values.dtype)
        groups = 64 // m
        if kinds == "f8f6f4":
            # Numbers of 8 bits lie in K in runs of 16 of each group of lanes, narrower ones in one run of 32.
            at = [16 * group + each % 16 + 16 * groups * (each // 16) if width == 8 else group * per + each for each in range(per)]
        else:
            at = [group * per + each for each in range(per)]
        if has_scale:  # of 32 numbers along K: in the lanes of the group of that number
            scale_operand = i.operands[4 if operand is a else 5]
            low, high = options.get("op_sel", [0, 0, 0]), options.get("op_sel_hi", [0, 0, 0])
            number = 0 if operand is a else 1
            factors = scales(wave, scale_operand, low[number] + 2 * high[number])
            values = values * np.stack([factors[lane % m + m * (k_at // 32)] for k_at in at], 1)
        for each in range(per):
            matrix[block, lane % m, at[each]] = values[:, each]
        matrices.append(matrix)
    if kinds != "f8f6f4" and kinds != "f64" and int(options.get("cbsz", 0)):
        size = 1 << int(options["cbsz"])
        chosen = np.arange(blocks) // size * size + int(options.get("abid", 0))
        matrices[0] = matrices[0][chosen]
    product = matrices[0] @ matrices[1].transpose(0, 2, 1)  # (blocks, m, n)
    count = m * n * blocks // 64
    old = accumulators(wave, c, count, result)
    new = np.zeros_like(old)
    for register in range(count):
        if result == "f64" and m == 4:
            where = (lane // 4 % 4, lane // 16, lane % 4)
        elif result == "f64":
            where = (np.zeros(64, int), 4 * register + lane // 16, lane % 16)
        elif m == 32:
            inner = register % 16
            where = (np.full(64, register // 16), 8 * (inner // 4) + 4 * (lane // 32) + inner % 4, lane % 32)
        elif m == 16:
            where = (np.full(64, register // 4), 4 * (lane // 16) + register % 4, lane % 16)
        else:
            where = (lane // 4, np.full(64, register), lane % 4)
        new[:, register] = old[:, register] + product[where]
    write(wave, d, new, result)


def wmma(wave, i):
    name, options, arch = i.base, i.options, wave.player.arch
    found = re.match(r"v_wmma_(scale16_|scale_)?(f32|f16|bf16|i32|bf16f32)_(\d+)x(\d+)x(\d+)_(\w+)$", name)
    if not found:
        raise NotImplementedError("not known here")
    has_scale, result, m, n, k, kinds = found[1], found[2], *(int(found[each]) for each in (3, 4, 5)), found[6]
    d, a, b, c = i.operands[:4]
    if kinds == "f8f6f4":
        first, second = (SMALL[BY_NAME[options.get(key, "MATRIX_FMT_FP8")]] for key in ("matrix_a_fmt", "matrix_b_fmt"))
    else:
        parts = kinds.split("_")
        parts = parts * 2 if len(parts) == 1 else parts
        widths = {"iu8": 8, "fp8": 8, "bf8": 8, "f16": 16, "bf16": 16, "f32": 32, "iu4": 4, "f4": 4, "f64": 64}
        first, second = (({"f4": "fp4"}.get(part, part), widths[part]) for part in parts)
    lane = np.arange(32)
    doubled = not arch.startswith("gfx12")  # lanes 16 to 31 hold what lanes 0 to 15 do
    signs = options.get("neg_lo", [0, 0, 0]) if result == "i32" else [1, 1, 0]
    matrices = []
    for number, (operand, (kind, width), rows) in enumerate(((a, first, m), (b, second, n))):
        if kind == "iu8" and not signs[number]:
            kind = "u8"
        repeated = rows // 16
        per = k if doubled else k * rows // 32
        values = elements(wave, operand, kind, width, per)
        if has_scale:
            values = values * block_scales(wave, i, number, 16 if has_scale == "scale16_" else 32, per // repeated, repeated, width)
        matrix = np.zeros((rows, k), values.dtype)
        deep = per // repeated
        run = {4: 32, 8: 16}.get(width, deep) if has_scale else deep  # along K, of one of two lanes with the same row
        for each in range(per):
            inner = each % deep
            matrix[lane % 16 + 16 * (each // deep), inner if doubled else inner // run * 2 * run + run * (lane // 16) + inner % run] = values[:, each]
        if number < 2 and result != "i32":
            if options.get("neg_lo", [0, 0, 0])[number] and options.get("neg_hi", [0, 0, 0])[number]:
                matrix = -matrix
        matrices.append(matrix)
    product = matrices[0] @ matrices[1].T
    count = m * n // 32
    row = (lambda register: register % 8 + 8 * (lane // 16) + 16 * (register // 8)) if not doubled else (lambda register: 2 * register + lane // 16)
    narrow = result in ("f16", "bf16")
    if narrow:
        old = np.zeros((32, count))
        packs = not doubled
        for register in range(count):
            word = wave.raw(Shifted(c, register // 2 if packs else register))
            high = register % 2 if packs else options.get("op_sel", [0, 0, 0])[2]
            code = (word >> np.uint32(16 if high else 0) & np.uint32(0xFFFF)).astype(np.uint16)
            old[:, register] = code.view(np.float16) if result == "f16" else (code.astype(np.uint32) << np.uint32(16)).view(np.float32)
    else:
        old = accumulators(wave, c, count, result)
    new = np.zeros_like(old)
    for register in range(count):
        new[:, register] = old[:, register] + product[row(register), lane % 16]
    if not narrow:
        return write(wave, d, new, result)
    for register in range(count):
        code = new[:, register].astype(np.float16).view(np.uint16).astype(np.uint32) if result == "f16" else to_bf16(new[:, register].astype(np.float32))
        at = d.index + (register // 2 if packs else register)
        high = register % 2 if packs else options.get("op_sel", [0, 0, 0])[2]
        kept = wave.vectors[at]
        wave.vectors[at] = kept & np.uint32(0xFFFF) | code << np.uint32(16) if high else kept & np.uint32(0xFFFF0000) | code


class Shifted:
    """The register so many after another."""

    def __init__(self, operand, by):
        self.kind, self.index, self.value, self.half, self.text = operand.kind, operand.index + by, operand.value, None, operand.text
        self.negative = self.absolute = False
        self.number = operand.number


def block_scales(wave, i, number, block, deep, repeated, width):
    """A factor for each element of a lane. Byte n of a lane's scales is for the n-th block along K of its row; of two lanes with the
    same row, each holds all numbers of some blocks of fp4, and half of the numbers of every block of wider ones."""
    operand = i.operands[4 + number]
    words = [wave.raw(operand)] + ([wave.raw(Shifted(operand, 1))] if block == 16 else [])
    lane, element = np.arange(32)[:, None], np.arange(deep)[None, :]
    run = {4: 32, 8: 16}[width]
    at = element // run * 2 * run + lane // 16 * run + element % run
    blocks = at // block
    factors = []
    for repetition in range(repeated):
        upper = repetition if repeated > 1 else int(i.options.get("matrix_a_scale" if number == 0 else "matrix_b_scale", "MATRIX_SCALE_ROW0")[-1])
        holder = lane % 16 + 16 * upper
        bytes_of = np.stack([words[each // 4] >> np.uint32(8 * (each % 4)) & np.uint32(255) for each in range(4 * len(words))], 1).astype(np.int64)
        factors.append(np.ldexp(1.0, bytes_of[holder, blocks] - 127))
    return np.concatenate(factors, 1)
