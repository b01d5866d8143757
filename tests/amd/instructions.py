"""What AMD's scalar and vector instructions compute (player.py): a table of functions by name."""
import math
import re

import numpy as np

M32, M64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


def signed(value, bits=32):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


# ---------------------------------------------------------------------------------------------------------------- scalar

def SCALAR(wave, i):
    name, operands = i.name, i.operands
    first = operands[0] if operands else None

    if name.startswith("s_cmp_"):
        _, _, relation, kind = name.split("_")
        bits = int(kind[1:])
        a, b = (wave.scalar(operand, bits, kind[0] == "f") for operand in operands)
        if kind[0] == "i":
            a, b = signed(a, bits), signed(b, bits)
        if kind[0] == "f":
            a, b = (float(np.array(each, np.uint32 if bits == 32 else np.uint16).view(np.float32 if bits == 32 else np.float16)) for each in (a, b))
        wave.scc = int(RELATIONS[relation](a, b))
        return
    if name.startswith("s_bitcmp"):
        wave.scc = int((wave.scalar(operands[0], int(name[-2:])) >> (wave.scalar(operands[1]) & (int(name[-2:]) - 1)) & 1) == int(name[8]))
        return
    if name in ("s_cmpk_eq_i32", "s_cmpk_lg_i32", "s_cmpk_gt_i32", "s_cmpk_ge_i32", "s_cmpk_lt_i32", "s_cmpk_le_i32"):
        wave.scc = int(RELATIONS[name.split("_")[2]](signed(wave.scalar(operands[0])), signed(operands[1].value & 0xFFFF, 16)))
        return
    if name.startswith("s_cmpk_"):
        wave.scc = int(RELATIONS[name.split("_")[2]](wave.scalar(operands[0]), operands[1].value & 0xFFFF))
        return
    if name in ("s_mov_b32", "s_mov_b64", "s_cmov_b32", "s_cmov_b64"):
        bits = int(name[-2:])
        if "cmov" not in name or wave.scc:
            value = operands[1].number(64, False) if operands[1].kind == "real" and bits == 64 else wave.scalar(operands[1], bits)
            wave.write_scalar(first, value, bits)
        return
    if name in ("s_movk_i32", "s_cmovk_i32"):
        if name == "s_movk_i32" or wave.scc:
            wave.write_scalar(first, signed(operands[1].value & 0xFFFF, 16) & M32)
        return
    if name in ("s_addk_i32", "s_addk_co_i32", "s_mulk_i32"):
        a, b = signed(wave.scalar(first)), signed(operands[1].value & 0xFFFF, 16)
        result = a * b if "mul" in name else a + b
        if "mul" not in name:
            wave.scc = int(signed(result & M32) != result)
        return wave.write_scalar(first, result & M32)
    if name.startswith("s_cselect"):
        bits = int(name[-2:])
        return wave.write_scalar(first, wave.scalar(operands[1 if wave.scc else 2], bits), bits)
    if found := re.match(r"s_(add|sub|addc|subb|add_co|sub_co|add_co_ci|sub_co_ci)_(u|i)32$", name):
        a, b, carry = wave.scalar(operands[1]), wave.scalar(operands[2]), wave.scc if found[1] in ("addc", "subb", "add_co_ci", "sub_co_ci") else 0
        is_add = found[1].startswith("add")
        if found[2] == "u":
            result = a + b + carry if is_add else a - b - carry
            wave.scc = int(result > M32 or result < 0)
        else:
            result = signed(a) + signed(b) if is_add else signed(a) - signed(b)
            wave.scc = int(signed(result & M32) != result)
        return wave.write_scalar(first, result & M32)
    if name in ("s_add_u64", "s_add_nc_u64", "s_sub_u64", "s_sub_nc_u64"):
        a, b = wave.scalar(operands[1], 64), wave.scalar(operands[2], 64)
        return wave.write_scalar(first, (a + b if "add" in name else a - b) & M64, 64)
    if found := re.match(r"s_(and|or|xor|nand|nor|xnor|andn2|orn2|and_not1|or_not1|and_not0|or_not0)_b(32|64)$", name):
        bits = int(found[2])
        a, b = wave.scalar(operands[1], bits), wave.scalar(operands[2], bits)
        result = {"and": a & b, "or": a | b, "xor": a ^ b, "nand": ~(a & b), "nor": ~(a | b), "xnor": ~(a ^ b), "andn2": a & ~b, "and_not1": a & ~b,
                  "orn2": a | ~b, "or_not1": a | ~b, "and_not0": ~a & b, "or_not0": ~a | b}[found[1]] & ((1 << bits) - 1)
        wave.scc = int(result != 0)
        return wave.write_scalar(first, result, bits)
    if found := re.match(r"s_(lshl|lshr|ashr)_(b|i)(32|64)$", name):
        bits = int(found[3])
        a, b = wave.scalar(operands[1], bits), wave.scalar(operands[2]) & (bits - 1)
        result = (a << b if found[1] == "lshl" else a >> b if found[1] == "lshr" else signed(a, bits) >> b) & ((1 << bits) - 1)
        wave.scc = int(result != 0)
        return wave.write_scalar(first, result, bits)
    if found := re.match(r"s_lshl(\d)_add_u32$", name):
        result = (wave.scalar(operands[1]) << int(found[1])) + wave.scalar(operands[2])
        wave.scc = int(result > M32)
        return wave.write_scalar(first, result & M32)
    if found := re.match(r"s_bfe_(u|i)(32|64)$", name):
        bits = int(found[2])
        a, code = wave.scalar(operands[1], bits), wave.scalar(operands[2])
        width = code >> 16 & 0x7F
        result = a >> (code & (bits - 1)) & ((1 << width) - 1)
        if found[1] == "i" and width:
            result = signed(result, width) & ((1 << bits) - 1)
        wave.scc = int(result != 0)
        return wave.write_scalar(first, result, bits)
    if name in ("s_bfm_b32", "s_bfm_b64"):
        bits = int(name[-2:])
        result = ((1 << (wave.scalar(operands[1]) & (bits - 1))) - 1) << (wave.scalar(operands[2]) & (bits - 1))
        return wave.write_scalar(first, result & ((1 << bits) - 1), bits)
    if name in ("s_min_i32", "s_max_i32", "s_min_u32", "s_max_u32"):
        a, b = wave.scalar(operands[1]), wave.scalar(operands[2])
        x, y = (signed(a), signed(b)) if name[6] == "i" else (a, b)
        wave.scc = int(x < y) if "min" in name else int(x > y)
        return wave.write_scalar(first, a if wave.scc else b)
    if name in ("s_mul_i32", "s_mul_hi_u32", "s_mul_hi_i32", "s_mul_u64"):
        bits = 64 if name == "s_mul_u64" else 32
        a, b = wave.scalar(operands[1], bits), wave.scalar(operands[2], bits)
        result = a * b if "hi" not in name else (signed(a) * signed(b) if name[-3] == "i" else a * b) >> 32
        return wave.write_scalar(first, result & ((1 << bits) - 1), bits)
    if found := re.match(r"s_(not|wqm|brev|abs|sext|bcnt1|bcnt0|ff1|ctz|flbit|clz|cls|quadmask)_?(i32_i8|i32_i16|i32_b32|i32_b64|i32_u32|i32_u64|b32|b64|i32)$", name):
        bits = 64 if "64" in found[2] else 32
        a = wave.scalar(operands[1], bits)
        wide = bits if found[1] in ("not", "brev", "wqm") else 32
        digits = f"{a:0{bits}b}"
        if found[1] == "sext":
            result = signed(a & (0xFF if "8" in found[2] else 0xFFFF), 8 if "8" in found[2] else 16)
        else:
            result = {"not": lambda: ~a, "brev": lambda: int(digits[::-1], 2), "abs": lambda: abs(signed(a)), "bcnt1": lambda: digits.count("1"), "bcnt0": lambda: digits.count("0"),
                      "ff1": lambda: (a & -a).bit_length() - 1 if a else -1, "ctz": lambda: (a & -a).bit_length() - 1 if a else -1,
                      "flbit": lambda: bits - a.bit_length() if a else -1, "clz": lambda: bits - a.bit_length() if a else -1}[found[1]]()
        if found[1] in ("not", "abs", "bcnt1", "bcnt0"):
            wave.scc = int(result & ((1 << wide) - 1) != 0)
        return wave.write_scalar(first, result & ((1 << wide) - 1), wide)
    if found := re.match(r"s_pack_(l|h)(l|h)_b32_b16$", name):
        low, high = (wave.scalar(operand) >> (16 if half == "h" else 0) & 0xFFFF for operand, half in zip(operands[1:], found.groups()))
        return wave.write_scalar(first, low | high << 16)
    if name in ("s_bitset0_b32", "s_bitset1_b32"):
        old, bit = wave.scalar(first), 1 << (wave.scalar(operands[1]) & 31)
        return wave.write_scalar(first, old | bit if name[8] == "1" else old & ~bit)
    if found := re.match(r"s_(add|sub|mul|min|max|min_num|max_num|fmac|fmaak|fmamk)_f(32|16)$", name):
        words, real = (np.uint32, np.float32) if found[2] == "32" else (np.uint16, np.float16)
        values = [np.array(wave.scalar(operand, int(found[2]), True) & (M32 if found[2] == "32" else 0xFFFF), words).view(real) for operand in operands]
        kind = found[1]
        if kind == "fmac":
            result = fma(values[1], values[2], values[0])
        elif kind == "fmaak":
            result = fma(values[1], values[2], values[3])
        elif kind == "fmamk":
            result = fma(values[1], values[2], values[3])
        else:
            result = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "min": np.fmin, "max": np.fmax, "min_num": np.fmin, "max_num": np.fmax}[kind](values[1], values[2])
        return wave.write_scalar(first, int(np.asarray(result, real).view(words)))
    if found := re.match(r"v_s_(\w+)_f(32|16)$", name):  # the vector unit's function of a scalar
        words, real = (np.uint32, np.float32) if found[2] == "32" else (np.uint16, np.float16)
        value = np.array([wave.scalar(operands[1], int(found[2]), True) & (M32 if found[2] == "32" else 0xFFFF)], words).view(real)
        with np.errstate(all="ignore"):
            return wave.write_scalar(first, int(ANY[found[1]](value).view(words)[0]))
    if found := re.match(r"s_cvt_(\w+?)_(\w+)$", name):
        value = np.array([wave.scalar(operands[1])], np.uint32)
        return wave.write_scalar(first, int(convert(value, found[2], found[1])[0]))
    raise NotImplementedError("not known here")


RELATIONS = {"eq": lambda a, b: a == b, "lg": lambda a, b: a != b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
             "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
             "neq": lambda a, b: ~(a == b), "nlt": lambda a, b: ~(a < b), "nle": lambda a, b: ~(a <= b), "ngt": lambda a, b: ~(a > b), "nge": lambda a, b: ~(a >= b),
             "nlg": lambda a, b: ~((a < b) | (a > b)), "o": lambda a, b: (a == a) & (b == b), "u": lambda a, b: (a != a) | (b != b),
             "f": lambda a, b: np.zeros(a.shape, bool), "t": lambda a, b: np.ones(a.shape, bool), "tru": lambda a, b: np.ones(a.shape, bool)}


# ---------------------------------------------------------------------------------------------------------------- numbers

FORMS = {"u32": np.uint32, "i32": np.int32, "b32": np.uint32, "f32": np.float32, "u64": np.uint64, "i64": np.int64, "b64": np.uint64, "f64": np.float64,
         "u16": np.uint16, "i16": np.int16, "b16": np.uint16, "f16": np.float16, "bf16": np.uint16, "u24": np.uint32, "i24": np.int32}
WIDTH = {"u24": 32, "i24": 32, "bf16": 16}


def width(kind):
    return WIDTH.get(kind) or int(kind[1:])


def form(raw, kind):
    """Bits as numbers of a kind; bf16 as fp32."""
    if kind == "bf16":
        return (raw.astype(np.uint32) << np.uint32(16)).view(np.float32)
    if kind == "u24":
        return raw & np.uint32(0xFFFFFF)
    if kind == "i24":
        return (raw << np.uint32(8)).view(np.int32) >> np.int32(8)
    words = {16: np.uint16, 32: np.uint32, 64: np.uint64}[width(kind)]
    return raw.astype(words).view(FORMS[kind])


def bits(values, kind):
    """Numbers as bits: 32 of them, or 64."""
    if kind == "bf16":
        return to_bf16(values)
    values = np.ascontiguousarray(values, FORMS[kind])
    if width(kind) == 64:
        return values.view(np.uint64)
    return values.view({16: np.uint16, 32: np.uint32}[width(kind)]).astype(np.uint32)


def to_bf16(values):
    raw = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = (raw + np.uint32(0x7FFF) + (raw >> np.uint32(16) & np.uint32(1))) >> np.uint32(16)
    return np.where(np.isnan(values), raw >> np.uint32(16) | np.uint32(0x40), rounded).astype(np.uint32)


def fma(a, b, c):
    kind = np.result_type(a, b, c)
    if kind == np.float64:
        return (a.astype(np.longdouble) * b.astype(np.longdouble) + c).astype(np.float64)
    return (np.asarray(a, np.float64) * np.asarray(b, np.float64) + np.asarray(c, np.float64)).astype(kind)


def small_float(exponent_bits, mantissa_bits, bias, fnuz=False, infinite=False, finite=False):
    """All values of an 8-bit float and smaller."""
    count = 1 << (1 + exponent_bits + mantissa_bits)
    table = np.zeros(count, np.float32)
    for code in range(count):
        sign = -1.0 if code >> (exponent_bits + mantissa_bits) else 1.0
        exponent, mantissa = code >> mantissa_bits & ((1 << exponent_bits) - 1), code & ((1 << mantissa_bits) - 1)
        value = math.ldexp(mantissa, 1 - bias - mantissa_bits) if exponent == 0 else math.ldexp((1 << mantissa_bits) + mantissa, exponent - bias - mantissa_bits)
        if fnuz and code == 0x80:
            value = math.nan
        if not fnuz and not finite and exponent == (1 << exponent_bits) - 1:
            if infinite:
                value = math.inf if mantissa == 0 else math.nan
            elif mantissa == (1 << mantissa_bits) - 1:
                value = math.nan
        table[code] = sign * value
    return table


def fp8_tables(arch):
    if arch == "gfx942":
        return small_float(4, 3, 8, fnuz=True), small_float(5, 2, 16, fnuz=True)
    return small_float(4, 3, 7), small_float(5, 2, 15, infinite=True)


FP4 = small_float(2, 1, 1, finite=True)
FP6 = small_float(2, 3, 1, finite=True)
BF6 = small_float(3, 2, 3, finite=True)
_TABLES = {}


def fp8_values(raw, arch, is_bf8):
    if arch not in _TABLES:
        _TABLES[arch] = fp8_tables(arch)
    return _TABLES[arch][1 if is_bf8 else 0][np.asarray(raw & np.uint32(0xFF), np.int64)]


def nearest(values, table, saturates=True):
    """Codes of the nearest values in a table of floats whose lower half is positive and ascending, ties to even."""
    half = len(table) // 2
    positive = table[:half]
    known = np.isfinite(positive)
    ends = np.flatnonzero(known)[-1]
    size = np.abs(values).astype(np.float64)
    grid = positive[:ends + 1].astype(np.float64)
    upper = np.clip(np.searchsorted(grid, size), 1, ends)
    lower = upper - 1
    below, above = size - grid[lower], grid[upper] - size
    code = np.where(below < above, lower, np.where(above < below, upper, np.where(lower % 2 == 0, lower, upper)))
    limit = grid[ends] + (grid[ends] - grid[ends - 1]) / 2
    infinite = np.flatnonzero(np.isinf(positive))
    nan = np.flatnonzero(np.isnan(table))
    if not saturates:
        beyond = infinite[0] if len(infinite) else nan[0] if len(nan) else ends
        code = np.where((size > limit) | ((size == limit) & (ends % 2 == 1)), beyond, code)
    else:
        code = np.where(size > grid[ends], ends, code)
        if len(infinite):
            code = np.where(np.isinf(size), ends, code)
    signs = np.signbit(values) * half
    if len(nan) and nan[0] == half:  # there is no negative zero
        signs = np.where(code == 0, 0, signs)
    result = code + signs
    return np.where(np.isnan(values), nan[-1] if len(nan) else ends, result).astype(np.uint32)


def to_fp8(values, arch, is_bf8):
    if arch not in _TABLES:
        _TABLES[arch] = fp8_tables(arch)
    return nearest(values, _TABLES[arch][1 if is_bf8 else 0])


def clipped(values, low, high, kind):
    values = np.where(np.isnan(values), 0, values.astype(np.float64))
    big = values >= high
    return np.where(big, high, np.clip(np.trunc(values), low, high)).astype(object if high > 2 ** 53 else np.int64)


def convert(raw, source, target):
    """One number of a kind into another, as bits."""
    values = form(raw, source) if source in FORMS else raw
    if target in ("i32", "u32", "i16", "u16") and source in ("f32", "f64", "f16"):
        number = int(target[1:])
        low, high = (-(1 << number - 1), (1 << number - 1) - 1) if target[0] == "i" else (0, (1 << number) - 1)
        return (clipped(values, low, high, target) & ((1 << number) - 1)).astype(np.uint32)
    if target == "nearest_i32" or target == "rpi_i32":
        return (clipped(np.floor(values + 0.5), -(1 << 31), (1 << 31) - 1, "i32") & M32).astype(np.uint32)
    if target in ("floor_i32", "flr_i32"):
        return (clipped(np.floor(values), -(1 << 31), (1 << 31) - 1, "i32") & M32).astype(np.uint32)
    if target in ("f32", "f64", "f16", "bf16"):
        return bits(values.astype(np.float32 if target == "bf16" else FORMS[target]), target)
    if target in ("u32", "i32") and source in ("u16", "i16"):
        return bits(values.astype(FORMS[target]), target)
    raise NotImplementedError(f"conversion from {source} to {target}")


# ---------------------------------------------------------------------------------------------------------------- vector

def shift(function, size):
    return lambda a, b: function(b, (a & a.dtype.type(size - 1)).astype(b.dtype))


def median(a, b, c):
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def leading(values, from_low=False):
    result = np.full(values.shape, M32, np.uint32)
    for lane, value in enumerate(values):
        value = int(value)
        if value:
            result[lane] = (value & -value).bit_length() - 1 if from_low else 32 - value.bit_length()
    return result


def leading_signed(values):
    return leading(np.where(values >> np.uint32(31) == 1, ~values, values))


def field(a, b, c):
    b, c = b & np.uint32(31), c & np.uint32(31)
    return a >> b & ((np.uint32(1) << c) - np.uint32(1))


def field_signed(a, b, c):
    c = c & np.uint32(31)
    value = field(a, b, c)
    sign = np.where(c > 0, np.uint32(1) << (c - np.uint32(1)) % np.uint32(32), np.uint32(0))
    return (value ^ sign) - sign


def permuted(a, b, selector):
    """v_perm_b32: bytes chosen out of {a, b}, of which b has the low ones."""
    both = a.astype(np.uint64) << np.uint64(32) | b
    result = np.zeros(a.shape, np.uint32)
    for byte in range(4):
        choice = selector >> np.uint32(8 * byte) & np.uint32(0xFF)
        value = (both >> (np.minimum(choice, np.uint32(7)).astype(np.uint64) * np.uint64(8))).astype(np.uint32) & np.uint32(0xFF)
        for number, (word, place) in enumerate(((b, 15), (b, 31), (a, 15), (a, 31))):
            value = np.where(choice == 8 + number, (word >> np.uint32(place) & np.uint32(1)) * np.uint32(0xFF), value)
        value = np.where(choice == 12, np.uint32(0), np.where(choice >= 13, np.uint32(0xFF), value))
        result |= value.astype(np.uint32) << np.uint32(8 * byte)
    return result


def reversed_bits(values):
    return np.array([int(f"{int(value):032b}"[::-1], 2) for value in values], np.uint32)


def mul24_hi(a, b):
    return ((a.astype(np.int64) * b.astype(np.int64)) >> 32).astype(a.dtype)


def legacy(a, b):
    return np.where((a == 0) | (b == 0), np.float32(0), a * b)


def alignbit(a, b, c):
    return ((a.astype(np.uint64) << np.uint64(32) | b) >> (c & np.uint32(31)).astype(np.uint64)).astype(np.uint32)


def fixup(quotient, denominator, numerator):
    """v_div_fixup: the quotient that division gives, with special cases."""
    exact = numerator.astype(np.float64) / denominator.astype(np.float64)
    special = ~np.isfinite(exact) | (exact == 0) | ~np.isfinite(denominator) | ~np.isfinite(numerator) | (denominator == 0)
    return np.where(special, exact.astype(quotient.dtype), quotient)


ANY = {  # by name without its types: what it computes
    "add": np.add, "sub": np.subtract, "subrev": lambda a, b: b - a, "mul": np.multiply, "min": np.fmin, "max": np.fmax,
    "min_num": np.fmin, "max_num": np.fmax, "minimum": np.minimum, "maximum": np.maximum, "add_nc": np.add, "sub_nc": np.subtract, "subrev_nc": lambda a, b: b - a,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor, "xnor": lambda a, b: ~(a ^ b), "not": np.invert, "mov": lambda a: a,
    "lshlrev": None, "lshrrev": None, "ashrrev": None, "mul_lo": np.multiply, "mul_legacy": legacy, "mul_dx9_zero": legacy,
    "fma": fma, "fmac": lambda a, b, d: fma(a, b, d), "mad": lambda a, b, c: a * b + c, "mac": lambda a, b, d: a * b + d, "fmaak": fma, "fmamk": fma,
    "madak": lambda a, b, c: a * b + c, "madmk": lambda a, b, c: a * b + c,
    "add3": lambda a, b, c: a + b + c, "lshl_add": lambda a, b, c: (a << (b & b.dtype.type(31 if b.dtype == np.uint32 else 7))) + c, "add_lshl": lambda a, b, c: (a + b) << (c & np.uint32(31)),
    "lshl_or": lambda a, b, c: a << (b & np.uint32(31)) | c, "and_or": lambda a, b, c: a & b | c, "or3": lambda a, b, c: a | b | c, "xor3": lambda a, b, c: a ^ b ^ c,
    "xad": lambda a, b, c: (a ^ b) + c, "max3": lambda a, b, c: np.fmax(np.fmax(a, b), c), "min3": lambda a, b, c: np.fmin(np.fmin(a, b), c), "med3": median,
    "max3_num": lambda a, b, c: np.fmax(np.fmax(a, b), c), "min3_num": lambda a, b, c: np.fmin(np.fmin(a, b), c), "med3_num": median,
    "maximum3": lambda a, b, c: np.maximum(np.maximum(a, b), c), "minimum3": lambda a, b, c: np.minimum(np.minimum(a, b), c),
    "maxmin": lambda a, b, c: np.fmin(np.fmax(a, b), c), "minmax": lambda a, b, c: np.fmax(np.fmin(a, b), c),
    "maxmin_num": lambda a, b, c: np.fmin(np.fmax(a, b), c), "minmax_num": lambda a, b, c: np.fmax(np.fmin(a, b), c),
    "bfi": lambda a, b, c: a & b | ~a & c, "rcp": lambda a: (1 / a).astype(a.dtype), "rcp_iflag": lambda a: (1 / a).astype(a.dtype), "sqrt": np.sqrt,
    "rsq": lambda a: (1 / np.sqrt(a.astype(np.float64))).astype(a.dtype), "exp": lambda a: np.exp2(a.astype(np.float64)).astype(a.dtype),
    "log": lambda a: np.log2(a.astype(np.float64)).astype(a.dtype), "sin": lambda a: np.sin(a.astype(np.float64) * 2 * np.pi).astype(a.dtype),
    "cos": lambda a: np.cos(a.astype(np.float64) * 2 * np.pi).astype(a.dtype), "tanh": np.tanh,
    "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rndne": np.rint, "fract": lambda a: np.minimum(a - np.floor(a), a.dtype.type(0.99999994)),
    "div_fixup": fixup,
}
EXACT = {  # whole names: kinds of the result and of the operands, and the function
    "v_bfe_u32": ("u32", "u32 u32 u32", field), "v_bfe_i32": ("u32", "u32 u32 u32", field_signed), "v_perm_b32": ("u32", "u32 u32 u32", permuted),
    "v_alignbit_b32": ("u32", "u32 u32 u32", alignbit), "v_alignbyte_b32": ("u32", "u32 u32 u32", lambda a, b, c: alignbit(a, b, c * np.uint32(8))),
    "v_bfrev_b32": ("u32", "u32", reversed_bits), "v_ffbh_u32": ("u32", "u32", leading), "v_clz_i32_u32": ("u32", "u32", leading),
    "v_ffbl_b32": ("u32", "u32", lambda a: leading(a, True)), "v_ctz_i32_b32": ("u32", "u32", lambda a: leading(a, True)),
    "v_ffbh_i32": ("u32", "u32", leading_signed), "v_cls_i32": ("u32", "u32", leading_signed),
    "v_bcnt_u32_b32": ("u32", "u32 u32", lambda a, b: np.bitwise_count(a).astype(np.uint32) + b),
    "v_mul_hi_u32": ("u32", "u32 u32", lambda a, b: (a.astype(np.uint64) * b >> np.uint64(32)).astype(np.uint32)),
    "v_mul_hi_i32": ("i32", "i32 i32", lambda a, b: (a.astype(np.int64) * b >> np.int64(32)).astype(np.int32)),
    "v_mul_u32_u24": ("u32", "u24 u24", np.multiply), "v_mul_i32_i24": ("i32", "i24 i24", np.multiply),
    "v_mad_u32_u24": ("u32", "u24 u24 u32", lambda a, b, c: a * b + c), "v_mad_i32_i24": ("i32", "i24 i24 i32", lambda a, b, c: a * b + c),
    "v_mul_hi_u32_u24": ("u32", "u24 u24", lambda a, b: (a.astype(np.uint64) * b >> np.uint64(32)).astype(np.uint32)),
    "v_mad_u32_u16": ("u32", "u16 u16 u32", lambda a, b, c: a.astype(np.uint32) * b + c), "v_mad_i32_i16": ("i32", "i16 i16 i32", lambda a, b, c: a.astype(np.int32) * b + c),
    "v_mad_legacy_u16": ("u16", "u16 u16 u16", lambda a, b, c: a * b + c), "v_mad_u16": ("u16", "u16 u16 u16", lambda a, b, c: a * b + c),
    "v_mad_u32": ("u32", "u32 u32 u32", lambda a, b, c: a * b + c),
    "v_mad_nc_u64_u32": ("u64", "u32 u32 u64", lambda a, b, c: a.astype(np.uint64) * b + c),
    "v_mad_nc_i64_i32": ("i64", "i32 i32 i64", lambda a, b, c: a.astype(np.int64) * b + c),
    "v_lshl_add_u64": ("u64", "u64 u32 u64", lambda a, b, c: (a << (b & np.uint32(7)).astype(np.uint64)) + c),
    "v_ldexp_f32": ("f32", "f32 i32", lambda a, b: np.ldexp(a, b)), "v_ldexp_f64": ("f64", "f64 i32", lambda a, b: np.ldexp(a, b)),
    "v_ldexp_f16": ("f16", "f16 i16", lambda a, b: np.ldexp(a.astype(np.float32), b.astype(np.int32)).astype(np.float16)),
    "v_frexp_exp_i32_f32": ("i32", "f32", lambda a: np.where(np.isfinite(a), np.frexp(a)[1], 0).astype(np.int32)), "v_frexp_mant_f32": ("f32", "f32", lambda a: np.frexp(a)[0]),
    "v_frexp_exp_i32_f64": ("i32", "f64", lambda a: np.where(np.isfinite(a), np.frexp(a)[1], 0).astype(np.int32)), "v_frexp_mant_f64": ("f64", "f64", lambda a: np.frexp(a)[0]),
    "v_pack_b32_f16": ("u32", "b16 b16", lambda a, b: a.astype(np.uint32) | b.astype(np.uint32) << np.uint32(16)),
    "v_cvt_pkrtz_f16_f32": ("u32", "f32 f32", lambda a, b: half_toward_zero(a) | half_toward_zero(b) << np.uint32(16)),
    "v_cvt_pk_rtz_f16_f32": ("u32", "f32 f32", lambda a, b: half_toward_zero(a) | half_toward_zero(b) << np.uint32(16)),
    "v_cvt_pk_f16_f32": ("u32", "f32 f32", lambda a, b: bits(a.astype(np.float16), "f16") | bits(b.astype(np.float16), "f16") << np.uint32(16)),
    "v_cvt_pk_bf16_f32": ("u32", "f32 f32", lambda a, b: to_bf16(a) | to_bf16(b) << np.uint32(16)),
    "v_sat_pk_u8_i16": ("u32", "u32", None),
    "v_prng_b32": ("u32", "u32", lambda a: a << np.uint32(1) ^ (a >> np.uint32(31)) * np.uint32(197)),
    "v_mbcnt_lo_u32_b32": None, "v_mbcnt_hi_u32_b32": None,
    "v_sad_u32": ("u32", "u32 u32 u32", lambda a, b, c: np.where(a > b, a - b, b - a) + c),
    "v_lshrrev_b64": ("u64", "u32 u64", lambda a, b: b >> (a & np.uint32(63)).astype(np.uint64)), "v_lshlrev_b64": ("u64", "u32 u64", lambda a, b: b << (a & np.uint32(63)).astype(np.uint64)),
    "v_ashrrev_i64": ("i64", "u32 i64", lambda a, b: b >> (a & np.uint32(63)).astype(np.int64)),
    "v_swap_b32": None, "v_cvt_f32_ubyte0": ("f32", "u32", lambda a: (a & np.uint32(255)).astype(np.float32)),
    "v_cvt_f32_ubyte1": ("f32", "u32", lambda a: (a >> np.uint32(8) & np.uint32(255)).astype(np.float32)),
    "v_cvt_f32_ubyte2": ("f32", "u32", lambda a: (a >> np.uint32(16) & np.uint32(255)).astype(np.float32)),
    "v_cvt_f32_ubyte3": ("f32", "u32", lambda a: (a >> np.uint32(24)).astype(np.float32)),
}
for each in ("v_lshlrev_b64", "v_lshrrev_b64", "v_ashrrev_i64"):
    EXACT[each + "_"] = EXACT[each]


def half_toward_zero(values):
    halves = values.astype(np.float16)
    raw = halves.view(np.uint16)
    too_far = np.abs(halves.astype(np.float32)) > np.abs(values)
    return (raw - too_far.astype(np.uint16)).astype(np.uint32)


def source(wave, i, number, operand, kind, real, shuffled=None):
    """An operand as numbers of a kind, with its signs, halves (op_sel, SDWA) and shuffles."""
    wide = width(kind)
    valid = None
    if number == 0 and shuffled is not None:
        raw, valid, enabled, bound = shuffled(wave, i, operand)
        if operand.half:
            raw = raw >> np.uint32(16)
        if bound:
            raw, valid = np.where(valid, raw, np.uint32(0)), enabled
        else:
            valid = valid & enabled
    else:
        raw = wave.raw(operand, wide, real)
    if i.name.endswith("_sdwa"):
        selected = i.options.get(f"src{number}_sel", "DWORD")
        if selected.startswith("BYTE"):
            raw = raw >> np.uint32(8 * int(selected[-1])) & np.uint32(255)
            if operand.signed:
                raw = raw.astype(np.uint8).view(np.int8).astype(np.int32).view(np.uint32)
        elif selected.startswith("WORD"):
            raw = raw >> np.uint32(16 * int(selected[-1])) & np.uint32(0xFFFF)
            if operand.signed:
                raw = raw.astype(np.uint16).view(np.int16).astype(np.int32).view(np.uint32)
    elif wide == 16 and operand.half is None and "op_sel" in i.options and i.options["op_sel"][number] and operand.kind in ("vector", "scalar"):
        raw = raw >> np.uint32(16)
    if wide == 16:
        raw = raw & np.uint32(0xFFFF)
    if real and (operand.absolute or operand.negative):
        top = raw.dtype.type(1 << (wide - 1))
        raw = raw & ~top if operand.absolute else raw
        raw = raw ^ top if operand.negative else raw
    return form(raw, kind), valid


def results(wave, i, kind, values, lanes):
    """What is written where an instruction gives `values` of a kind, or bits of it."""
    name, operand = i.base, i.operands[0]
    raw = bits(values, kind) if kind in FORMS else values
    if "clamp" in i.options and kind in ("f32", "f16", "f64"):
        raw = bits(np.clip(np.where(np.isnan(values), 0, values), 0, 1), kind)
    if i.name.endswith("_sdwa"):
        select, old = i.options.get("dst_sel", "DWORD"), wave.vectors[operand.index]
        unused = i.options.get("dst_unused", "UNUSED_PRESERVE")
        if select != "DWORD":
            size, place = (8, 8 * int(select[-1])) if select.startswith("BYTE") else (16, 16 * int(select[-1]))
            mask = np.uint32((1 << size) - 1)
            if unused == "UNUSED_PRESERVE":
                raw = old & ~(mask << np.uint32(place)) | (raw & mask) << np.uint32(place)
            else:
                raw = (raw & mask) << np.uint32(place)
    elif width(kind) == 16 and kind != "none":
        old = wave.vectors[operand.index]
        high = operand.half if operand.half is not None else ("op_sel" in i.options and i.options["op_sel"][-1])
        keeps = operand.half is not None or "op_sel" in i.options or not wave.player.arch.startswith("gfx9")
        if high:
            raw = old & np.uint32(0xFFFF) | raw << np.uint32(16)
        elif keeps:
            raw = old & np.uint32(0xFFFF0000) | raw
    if raw.dtype == np.uint64:
        return [(operand.index, raw.astype(np.uint32)), (operand.index + 1, (raw >> np.uint64(32)).astype(np.uint32))], [], lanes
    return [(operand.index, raw)], [], lanes


def mask_bits(flags):
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def flags_of(mask, lanes):
    return np.unpackbits(np.frombuffer((mask & ((1 << lanes) - 1)).to_bytes(lanes // 8, "little"), np.uint8), bitorder="little").astype(bool)


def is_real(kind):
    return kind in ("f16", "f32", "f64", "bf16")


def VECTOR(wave, i, shuffled):
    name, operands = i.base, i.operands
    shuffles = shuffled if any(key.startswith(("row_", "quad_perm", "dpp8", "wave_")) for key in i.options) and "dpp" in i.name else None

    if name.startswith(("v_cmp_", "v_cmpx_")):
        return compare(wave, i, shuffles)
    if name.startswith("v_cndmask"):
        kind = "b16" if name.endswith("b16") else "b32"
        (a, valid), (b, _) = source(wave, i, 0, operands[1], kind, True, shuffles), source(wave, i, 1, operands[2], kind, True)
        mask = wave.mask(operands[3].index) if len(operands) > 3 and operands[3].kind == "scalar" else wave.scalar(operands[3], 64) if len(operands) > 3 else wave.mask(106)
        return results(wave, i, kind, np.where(flags_of(mask, wave.lanes), b, a), valid)
    if name.startswith("v_accvgpr"):
        return [(operands[0].index, wave.raw(operands[1]))], [], None
    if found := re.match(r"v_(add|sub|subrev|addc|subb|subbrev|add_co|sub_co|subrev_co|addc_co|subb_co|subbrev_co|add_co_ci|sub_co_ci|subrev_co_ci)_u32$", name):
        if len(operands) > 3 or "co" in found[1] or found[1] in ("addc", "subb"):
            return with_carry(wave, i, found[1], shuffles)
    if name in ("v_mad_u64_u32", "v_mad_i64_i32", "v_mad_co_u64_u32", "v_mad_co_i64_i32"):
        a, b = wave.raw(operands[2]), wave.raw(operands[3])
        c = wave.raw(operands[4], 64)
        if "i64" in name:
            total = (a.view(np.int32).astype(np.int64) * b.view(np.int32)).view(np.uint64) + c
        else:
            total = a.astype(np.uint64) * b + c
        return [(operands[0].index, total.astype(np.uint32)), (operands[0].index + 1, (total >> np.uint64(32)).astype(np.uint32))], [(operands[1], mask_bits(total < c))], None
    if name.startswith("v_div_scale"):
        kind = name[-3:]
        value, _ = source(wave, i, 0, operands[2], kind, True)
        return [(operands[0].index, bits(value, kind))] if kind == "f32" else wide(operands[0].index, bits(value, kind)), [(operands[1], 0)], None
    if name.startswith("v_div_fmas"):
        kind = name[-3:]
        a, b, c = (source(wave, i, number, operand, kind, True)[0] for number, operand in enumerate(operands[1:4]))
        return results(wave, i, kind, fma(a, b, c), None)
    if name in ("v_mbcnt_lo_u32_b32", "v_mbcnt_hi_u32_b32"):
        mask, add = wave.raw(operands[1]), wave.raw(operands[2])
        lane = np.arange(wave.lanes)
        count = np.clip(lane - (32 if "hi" in name else 0), 0, 32)
        below = ((np.uint64(1) << count.astype(np.uint64)) - np.uint64(1)).astype(np.uint32)
        return [(operands[0].index, np.bitwise_count(mask & below).astype(np.uint32) + add)], [], None
    if name == "v_swap_b32":
        return [(operands[0].index, wave.vectors[operands[1].index].copy()), (operands[1].index, wave.vectors[operands[0].index].copy())], [], None
    if name.startswith("v_pk_") or name.startswith("v_fma_mix") or name.startswith("v_mad_mix") or name.startswith("v_dot"):
        return packed(wave, i)
    if name.startswith(("v_bitop3", "v_bitop2")):
        a, b, *third = (source(wave, i, number, operand, name[-3:], False)[0] for number, operand in enumerate(operands[1:4]))
        c = third[0] if third else np.zeros_like(a)
        table, result = int(str(i.options.get("bitop3", "0")), 0), np.zeros_like(a)
        for code in range(8):
            if table >> code & 1:
                result |= (a if code & 4 else ~a) & (b if code & 2 else ~b) & (c if code & 1 else ~c)
        return results(wave, i, name[-3:], result, None)
    if name.startswith("v_cvt_"):
        return conversion(wave, i, shuffles)
    if name in EXACT and EXACT[name]:
        kind, kinds, function = EXACT[name]
        kinds = kinds.split()
    else:
        found = re.match(r"v_(\w+?)_([a-z]+\d+)$", name)
        if not found or found[1] not in ANY:
            raise NotImplementedError("not known here")
        what, kind = found[1], found[2]
        function = ANY[what]
        if what in ("lshlrev", "lshrrev", "ashrrev"):
            size = width(kind)
            kinds = [f"u{size}" if size < 64 else "u32", kind]
            operate = {"lshlrev": np.left_shift, "lshrrev": np.right_shift, "ashrrev": np.right_shift}[what]
            function = shift(operate, size)
        else:
            kinds = [kind] * (function.__code__.co_argcount if hasattr(function, "__code__") else function.nin)
        if what in ("fmac", "mac"):
            operands = [*operands[:3], operands[0]]
        elif kind == "bf16" and what not in ("mov",):
            pass
    values, valid = [], None
    for number, each in enumerate(kinds):
        operand = operands[number + 1]
        numbers, allowed = source(wave, i, number, operand, each, is_real(each), shuffles if number == 0 else None)
        values.append(numbers)
        valid = allowed if allowed is not None else valid
    result = function(*values)
    if i.options.get("mul"):
        result = result * result.dtype.type(float(i.options["mul"]))
    if i.options.get("div"):
        result = result / result.dtype.type(float(i.options["div"]))
    if "clamp" in i.options and kind in ("u32", "u16", "i32", "i16") and ("add" in name or "sub" in name):
        exact = function(*(value.astype(np.int64) for value in values))
        limits = np.iinfo(FORMS[kind])
        result = np.clip(exact, limits.min, limits.max).astype(FORMS[kind])
    return results(wave, i, kind, result, valid)


def wide(index, raw):
    return [(index, raw.astype(np.uint32)), (index + 1, (raw >> np.uint64(32)).astype(np.uint32))]


def with_carry(wave, i, what, shuffles):
    operands = i.operands
    a, valid = source(wave, i, 0, operands[2], "u32", False, shuffles)
    b, _ = source(wave, i, 1, operands[3], "u32", False)
    takes = what in ("addc", "subb", "subbrev", "addc_co", "subb_co", "subbrev_co") or what.endswith("_ci")
    carry = flags_of(wave.mask(operands[4].index) if operands[4].kind == "scalar" else 0, wave.lanes).astype(np.int64) if takes else 0
    a, b = a.astype(np.int64), b.astype(np.int64)
    total = a + b + carry if "add" in what else (b - a - carry if "rev" in what else a - b - carry)
    return [(operands[0].index, (total & M32).astype(np.uint32))], [(operands[1], mask_bits((total > M32) | (total < 0)))], valid


def compare(wave, i, shuffles):
    name, operands = i.base, i.operands
    _, what, *rest = name.split("_")
    relation, kind = rest[0], rest[-1]
    explicit = operands[0].kind in ("scalar", "null") and not (len(operands) == 2)
    left, right = operands[-2:]
    if relation == "class":
        value, valid = source(wave, i, 0, left, kind, True, shuffles)
        wanted = wave.raw(right)
        negative, tiny = np.signbit(value), np.abs(value) < np.finfo(value.dtype).tiny
        classes = np.select([np.isnan(value), np.isinf(value), value == 0, tiny], [1, np.where(negative, 2, 9), np.where(negative, 5, 6), np.where(negative, 4, 7)], np.where(negative, 3, 8))
        raw_nan = np.isnan(value)
        flags = (wanted >> classes.astype(np.uint32) & np.uint32(1)).astype(bool) | (raw_nan & ((wanted & 3) != 0))
    else:
        real = is_real(kind)
        (a, valid), (b, _) = source(wave, i, 0, left, kind, real, shuffles), source(wave, i, 1, right, kind, real)
        flags = np.asarray(RELATIONS[relation](a, b), bool)
    mask = mask_bits(flags) & wave._exec
    if valid is not None:
        old = wave.mask(operands[0].index if explicit else 106)
        allowed = mask_bits(valid)
        mask = mask & allowed | old & ~allowed & wave._exec
    if what == "cmpx":
        if explicit:
            wave.write_mask(operands[0], mask)
        wave.exec = mask
        return [], [], None
    wave.write_mask(operands[0], mask)
    return [], [], None


def conversion(wave, i, shuffles):
    name, operands, arch = i.base, i.operands, wave.player.arch
    if name in EXACT and EXACT[name]:
        kind, kinds, function = EXACT[name]
        values = [source(wave, i, number, operands[number + 1], each, is_real(each), shuffles if number == 0 else None) for number, each in enumerate(kinds.split())]
        return results(wave, i, kind, function(*(value for value, _ in values)), values[0][1])
    if found := re.match(r"v_cvt_pk_(fp8|bf8)_(f32|f16)$", name):
        kind = found[2]
        if kind == "f16" or len(operands) == 2:
            raw = wave.raw(operands[1])
            pair = [form(raw & np.uint32(0xFFFF), "f16").astype(np.float32), form(raw >> np.uint32(16), "f16").astype(np.float32)]
        else:
            pair = [source(wave, i, number, operands[number + 1], "f32", True)[0] for number in (0, 1)]
        code = to_fp8(pair[0], arch, found[1] == "bf8") | to_fp8(pair[1], arch, found[1] == "bf8") << np.uint32(8)
        return half_written(wave, i, code)
    if found := re.match(r"v_cvt_f32_(fp8|bf8)$", name):
        raw = wave.raw(operands[1])
        byte = int(i.options["src0_sel"][-1]) if "src0_sel" in i.options and i.options["src0_sel"].startswith("BYTE") else int(i.options.get("byte_sel", 0))
        if "op_sel" in i.options:
            byte = i.options["op_sel"][0] * 2 + (i.options["op_sel"][1] if len(i.options["op_sel"]) > 1 else 0)
        return [(operands[0].index, fp8_values(raw >> np.uint32(8 * byte), arch, found[1] == "bf8").view(np.uint32))], [], None
    if found := re.match(r"v_cvt_pk_(f32|f16)_(fp8|bf8)$", name):
        raw = wave.raw(operands[1])
        high = i.options.get("src0_sel") == "WORD_1" or ("op_sel" in i.options and i.options["op_sel"][0]) or operands[1].half
        if operands[1].half is None and high:
            raw = raw >> np.uint32(16)
        pair = [fp8_values(raw >> np.uint32(8 * each), arch, found[2] == "bf8") for each in (0, 1)]
        if found[1] == "f16":
            return [(operands[0].index, bits(pair[0].astype(np.float16), "f16") | bits(pair[1].astype(np.float16), "f16") << np.uint32(16))], [], None
        return [(operands[0].index + each, pair[each].view(np.uint32)) for each in (0, 1)], [], None
    if name.startswith(("v_cvt_scale", "v_cvt_sr")):
        return scaled(wave, i)
    found = re.match(r"v_cvt_(?:(nearest|rpi|floor|flr)_)?(f16|f32|f64|bf16|i32|u32|i16|u16)_(f16|f32|f64|bf16|i32|u32|i16|u16)$", name)
    if not found:
        raise NotImplementedError("not known here")
    kind, of = found[2], found[3]
    value, valid = source(wave, i, 0, operands[1], of, is_real(of), shuffles)
    raw = convert(bits(value, of) if of != "bf16" else to_bf16(value), of, f"{found[1]}_i32" if found[1] else kind)
    if width(kind) == 64:
        return wide(operands[0].index, raw), [], valid
    return results(wave, i, {"i32": "u32", "f32": "u32", "f16": "b16", "bf16": "b16", "i16": "b16", "u16": "b16"}.get(kind, kind), raw.astype(np.uint16) if width(kind) == 16 else raw, valid)


def half_written(wave, i, code):
    """16 bits into the half of a register that op_sel's last bit names; the other half stays."""
    operand = i.operands[0]
    high = operand.half if operand.half is not None else bool("op_sel" in i.options and i.options["op_sel"][-1])
    old = wave.vectors[operand.index]
    return [(operand.index, old & np.uint32(0xFFFF) | code << np.uint32(16) if high else old & np.uint32(0xFFFF0000) | code)], [], None


def scaled(wave, i):
    """CDNA4's conversions between small floats and larger ones with a scale, a power of two, which is given as fp32 (or, in
    packs of eight on gfx1250, as an exponent)."""
    name, operands, arch = i.base, i.operands, wave.player.arch
    if found := re.match(r"v_cvt_scalef32_pk_(f32|f16|bf16)_(fp8|bf8|fp4)$", name):
        kind, small = found.groups()
        raw, scale = wave.raw(operands[1]), form(wave.raw(operands[2]), "f32")
        scale = form(bits(scale, "f32") & np.uint32(0x7F800000), "f32")
        select = i.options.get("op_sel", [0, 0, 0])
        if small == "fp4":
            byte = raw >> np.uint32(8 * (select[0] + 2 * select[1]))
            pair = [FP4[(byte >> np.uint32(4 * each) & np.uint32(15)).astype(np.int64)] * scale for each in (0, 1)]
        else:
            word = raw >> np.uint32(16 * select[0])
            pair = [fp8_values(word >> np.uint32(8 * each), arch, small == "bf8") * scale for each in (0, 1)]
        if kind == "f32":
            return [(operands[0].index + each, pair[each].astype(np.float32).view(np.uint32)) for each in (0, 1)], [], None
        halves = [to_bf16(value) if kind == "bf16" else bits(value.astype(np.float16), "f16") for value in pair]
        return [(operands[0].index, halves[0] | halves[1] << np.uint32(16))], [], None
    if found := re.match(r"v_cvt_scalef32_pk_(fp8|bf8|fp4)_(f32|f16|bf16)$", name):
        small, kind = found.groups()
        if kind == "f32":
            pair, scale = [form(wave.raw(operand), "f32") for operand in operands[1:3]], operands[3]
        else:
            raw = wave.raw(operands[1])
            pair, scale = [form(half, kind).astype(np.float32) for half in (raw & np.uint32(0xFFFF), raw >> np.uint32(16))], operands[2]
        divisor = form(wave.raw(scale) & np.uint32(0x7F800000), "f32")
        select, old = i.options.get("op_sel", [0, 0, 0, 0]), wave.vectors[operands[0].index]
        if small == "fp4":
            code = nearest(pair[0] / divisor, FP4) | nearest(pair[1] / divisor, FP4) << np.uint32(4)
            place = np.uint32(8 * (select[-2] + 2 * select[-1]))
            return [(operands[0].index, old & ~(np.uint32(255) << place) | code << place)], [], None
        code = to_fp8(pair[0] / divisor, arch, small == "bf8") | to_fp8(pair[1] / divisor, arch, small == "bf8") << np.uint32(8)
        return half_written(wave, i, code)
    if found := re.match(r"v_cvt_scale_pk8_(f32|f16|bf16)_(fp8|bf8|fp4)$", name):
        kind, small = found.groups()
        # The scales are bytes of the first 16 lanes or of the others; from 8 on, the second half of the lanes has a byte of its own.
        select, lane = int(i.options.get("scale_sel", 0)), np.arange(wave.lanes)
        byte = (select % 4 if select < 8 else 2 * (select % 2) + lane // 16) * np.ones_like(lane)
        exponent = wave.raw(operands[2])[lane % 16 + 16 * (select // (4 if select < 8 else 2) % 2)] >> (8 * byte).astype(np.uint32) & np.uint32(255)
        factor = np.ldexp(np.float32(1), exponent.astype(np.int32) - 127)
        words = [wave.vectors[operands[1].index + each] for each in range(1 if small == "fp4" else 2)]
        values = []
        for each in range(8):
            if small == "fp4":
                values.append(FP4[(words[0] >> np.uint32(4 * each) & np.uint32(15)).astype(np.int64)] * factor)
            else:
                values.append(fp8_values(words[each // 4] >> np.uint32(8 * (each % 4)), arch, small == "bf8") * factor)
        if kind == "f32":
            return [(operands[0].index + each, values[each].astype(np.float32).view(np.uint32)) for each in range(8)], [], None
        halves = [to_bf16(value) if kind == "bf16" else bits(value.astype(np.float16), "f16") for value in values]
        return [(operands[0].index + each, halves[2 * each] | halves[2 * each + 1] << np.uint32(16)) for each in range(4)], [], None
    if found := re.match(r"v_cvt_scalef32_pk8_(fp8|bf8|fp4)_(f32|f16|bf16)$", name):
        small, kind = found.groups()
        divisor = form(wave.raw(operands[2]) & np.uint32(0x7F800000), "f32")
        values = []
        for each in range(8):
            raw = wave.vectors[operands[1].index + (each if kind == "f32" else each // 2)]
            values.append(form(raw if kind == "f32" else raw >> np.uint32(16 * (each % 2)) & np.uint32(0xFFFF), kind).astype(np.float32) / divisor)
        codes = [nearest(value, FP4) if small == "fp4" else to_fp8(value, arch, small == "bf8") for value in values]
        per = 8 if small == "fp4" else 4
        words = [sum((codes[word * per + each] << np.uint32(32 // per * each) for each in range(per)), np.zeros(wave.lanes, np.uint32)) for word in range(8 // per)]
        return [(operands[0].index + word, value.astype(np.uint32)) for word, value in enumerate(words)], [], None
    raise NotImplementedError("not known here")


def packed(wave, i):
    """Two at a time: halves of registers (v_pk_add_f16), or pairs of registers (v_pk_add_f32)."""
    name, operands, options = i.base, i.operands, i.options
    sources = operands[1:]
    count = len(sources)
    low = options.get("op_sel", [0] * count) + [0] * 3
    high = options.get("op_sel_hi", [1] * count) + [1] * 3
    negative = [options.get("neg_lo", [0] * count) + [0] * 3, options.get("neg_hi", [0] * count) + [0] * 3]

    if found := re.match(r"v_(?:fma|mad)_mix(lo|hi)?_(f32|f16|bf16)$", name):
        values = []
        mixed = options.get("op_sel_hi", [0, 0, 0])
        for number, operand in enumerate(sources):
            raw = wave.raw(operand, 16 if mixed[number] else 32, True)  # a constant is of the operand's own kind
            if mixed[number]:
                raw = raw >> np.uint32(16) if low[number] else raw
                value = form(raw & np.uint32(0xFFFF), "bf16" if "bf16" in name else "f16").astype(np.float32)
            else:
                value = form(raw, "f32")
            value = np.abs(value) if operand.absolute else value
            values.append(-value if operand.negative else value)
        result = fma(*values)
        if found[2] == "f32":
            return [(operands[0].index, bits(result, "f32"))], [], None
        code, old = bits(result.astype(np.float16), "f16") if found[2] == "f16" else to_bf16(result), wave.vectors[operands[0].index]
        return [(operands[0].index, old & np.uint32(0xFFFF) | code << np.uint32(16) if found[1] == "hi" else old & np.uint32(0xFFFF0000) | code)], [], None
    if name.startswith("v_dot"):
        return dot(wave, i)

    _, _, what, kind = re.match(r"(v)_(pk)_(\w+?)_([a-z]+\d+)$", name).groups()
    if what == "mov":  # each half of the result is a word of its own operand
        words = [wave.vectors[operand.index + low[number]].copy() if operand.kind == "vector" else
                 np.full(wave.lanes, wave.scalars[operand.index + low[number]], np.uint32) if operand.kind == "scalar" else wave.raw(operand)
                 for number, operand in enumerate(sources)]
        return [(operands[0].index + number, word) for number, word in enumerate(words)], [], None
    if kind in ("f32", "b32"):
        pieces = []
        for part, chosen in enumerate((low, high)):
            values = []
            for number, operand in enumerate(sources):
                if operand.kind == "vector":
                    raw = wave.vectors[operand.index + chosen[number]]
                elif operand.kind == "scalar":
                    raw = np.full(wave.lanes, wave.scalars[operand.index + chosen[number]] if operand.index < 126 else wave.scalar(operand), np.uint32)
                else:
                    raw = wave.raw(operand, 32, True)
                if negative[part][number]:
                    raw = raw ^ np.uint32(0x80000000)
                values.append(form(raw, kind))
            pieces.append(values)
        return [(operands[0].index + part, bits(ANY[what](*pieces[part]), kind)) for part in (0, 1)], [], None

    result = []
    for part, chosen in enumerate((low, high)):
        values = []
        for number, operand in enumerate(sources):
            if operand.kind in ("number", "real"):
                constant = operand.number(16, kind in ("f16", "bf16")) if operand.kind == "real" and kind != "bf16" else wave.scalar(operand, 32, True)
                small = operand.kind == "number" and -16 <= operand.value <= 64
                raw = np.full(wave.lanes, (0 if small and part and chosen[number] and kind != "f16" and operand.value >= 0 else constant & 0xFFFF)
                              if not (operand.kind == "number" and not small) else constant >> (16 if chosen[number] else 0) & 0xFFFF, np.uint32)
                if operand.kind == "real":
                    raw = np.full(wave.lanes, (constant >> 16 if kind == "bf16" else constant) & 0xFFFF if not chosen[number] else 0, np.uint32)
                elif small:
                    raw = np.full(wave.lanes, (operand.value & M32) >> (16 if chosen[number] else 0) & 0xFFFF, np.uint32)
            else:
                raw = wave.raw(operand) >> np.uint32(16 if chosen[number] else 0) & np.uint32(0xFFFF)
            if negative[part][number]:
                raw = raw ^ np.uint32(0x8000)
            values.append(form(raw, kind))
        if what in ("lshlrev", "lshrrev", "ashrrev"):
            operate = np.left_shift if what == "lshlrev" else np.right_shift
            result.append(bits(operate(values[1], (values[0].astype(np.int64) & 15).astype(values[1].dtype)), kind))
        else:
            what = {"add_min": "add_min"}.get(what, what)
            value = ANY[what](*values)
            if "clamp" in options and kind in ("f16", "bf16"):
                value = np.clip(value, 0, 1)
            elif "clamp" in options:
                limits = np.iinfo(FORMS[kind])
                value = np.clip(ANY[what](*(each.astype(np.int64) for each in values)), limits.min, limits.max).astype(FORMS[kind])
            result.append(bits(value, kind))
    return [(operands[0].index, result[0] | result[1] << np.uint32(16))], [], None


def dot(wave, i):
    name, operands = i.base, i.operands
    a, b = wave.raw(operands[1]), wave.raw(operands[2])
    third = operands[3] if len(operands) > 3 else operands[0]
    if name in ("v_dot2_f32_f16", "v_dot2c_f32_f16", "v_dot2acc_f32_f16", "v_dot2_f32_bf16", "v_dot2c_f32_bf16"):
        kind = "bf16" if "bf16" in name else "f16"
        total = form(wave.raw(third), "f32")
        for place in (0, 16):
            x, y = (form(each >> np.uint32(place) & np.uint32(0xFFFF), kind).astype(np.float32) for each in (a, b))
            total = fma(x, y, total)
        return [(operands[0].index, bits(total, "f32"))], [], None
    if "dot4" in name:
        total = wave.raw(third).view(np.int32).astype(np.int64)
        signs = i.options.get("neg_lo", [1, 1]) if "iu8" in name else ([1, 1] if "i8" in name else [0, 0])
        for place in range(4):
            x, y = (each >> np.uint32(8 * place) & np.uint32(255) for each in (a, b))
            x, y = ((each.astype(np.uint8).view(np.int8) if is_signed else each).astype(np.int64) for each, is_signed in zip((x, y), signs))
            total = total + x * y
        return [(operands[0].index, (total & M32).astype(np.uint32))], [], None
    raise NotImplementedError("not known here")
