"""Whole kernels in PTX, played without a GPU (docs/contributing/playing-ptx.md): what gluond's code leaves in memory is what the
kernel says, whether asynchronous operations are done at once or as late as the code's waits allow.

    test_played.py GLUOND PTX_PLAYER [--triton] [--keep FOLDER]

With --triton the same kernels from Triton 3.9.0 are played beside them: equal memory, equal instructions of the tensor cores."""
import argparse
import itertools
import json
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).resolve().parent), str(ROOT / "tests/support"), str(ROOT / "scripts/oracle")]
from beside import play, verdict  # noqa: E402
from launches import Launch  # noqa: E402

KERNELS = Path(__file__).resolve().parent / "kernels" / "products.py"
FORMS = {"fp16": "e", "fp32": "f", "i32": "i", "i8": "b", "u8": "B", "i64": "q", "u64": "Q", "fp64": "d", "fp8e5": "B", "bf16": "H"}
FP4 = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
E4M3 = {0.0: 0, 0.5: 0x30, 1.0: 0x38, -1.0: 0xB8, 2.0: 0x40, -0.5: 0xB0, -2.0: 0xC0, 1.5: 0x3C}
E5M2 = {0.0: 0, 0.5: 0x38, 1.0: 0x3C, -1.0: 0xBC, 2.0: 0x40, -0.5: 0xB8, -2.0: 0xC0, 1.5: 0x3E}


def line_of(kernel):
    return next(i for i, line in enumerate(KERNELS.read_text().splitlines(), 1) if line.startswith(f"def {kernel}("))


def packed(dtype, numbers):
    if isinstance(numbers, bytes):
        return numbers
    if dtype == "bf16":
        return b"".join(struct.pack("<f", number)[2:] for number in numbers)
    if dtype in ("fp8e4nv", "fp8e5"):
        table = E4M3 if dtype == "fp8e4nv" else E5M2
        return bytes(table[number] for number in numbers)
    return struct.pack(f"<{len(numbers)}{FORMS[dtype]}", *numbers)


def unpacked(dtype, data):
    return list(struct.unpack(f"<{len(data) // struct.calcsize(FORMS[dtype])}{FORMS[dtype]}", data))


class Case:
    """`arrays`: (name, dtype, numbers or bytes); what the last of them becomes is `wanted`."""

    def __init__(self, name, kernel, target, arrays, constants, wanted, grid=(1, 1, 1), descriptors=(), ctas=1):
        self.kernel, self.arrays, self.wanted, self.grid = kernel, arrays, wanted, grid
        described = {each["name"]: each for each in descriptors}
        arguments = [described.get(each[0], {"name": each[0], "type": "*" + each[1], "divisible_by": 16}) for each in arrays]
        arguments += [{"name": key, "type": "constexpr", "value": value} for key, value in constants.items()]
        self.record = {"id": f"{kernel}.{name}", "file": KERNELS.name, "kernel": kernel, "line": line_of(kernel), "target": target,
                       "options": {"num_warps": 4, **({"num_ctas": ctas} if ctas > 1 else {})}, "args": arguments}

    def launch(self, late):
        launch = Launch(self.record, 64, grid=self.grid, late=late)
        answer = launch.json()
        for region in answer["regions"]:
            for name, dtype, numbers in self.arrays:
                if region["name"].split(".")[1] == name:
                    data = numbers if isinstance(numbers, bytes) else packed(dtype, numbers)
                    region["at"] += 1 << 35
                    region.update(data=data.hex(), bytes=-(-len(data) // (1 << 14)) << 14)
        answer["show"] = [region["name"] for region in answer["regions"] if region["name"].split(".")[1] == self.arrays[-1][0]]
        return answer


def multiplied(a, b, m, n, k, transposed=False):
    return [sum(a[i * k + t] * (b[j * k + t] if transposed else b[t * n + j]) for t in range(k)) for i in range(m) for j in range(n)]


def some(rng, count, integers=False):
    return [rng.choice([0, 1, -1, 2, -2, 3] if integers else [0.0, 0.5, 1.0, -1.0, 2.0, -0.5, -2.0, 1.5]) for _ in range(count)]


def products(rng):
    def case(kernel, target, dtype, out, m, n, k, transposed, **constants):
        a, b = some(rng, m * k, dtype == "i8"), some(rng, k * n, dtype == "i8")
        name = "_".join([target[5:], dtype, str(m), str(n), str(k), *(f"{key}{value}" for key, value in constants.items())])
        return Case(name, kernel, target, [("a", dtype, a), ("b", dtype, b), ("out", out, [0] * (m * n))], {"M": m, "N": n, "K": k, **constants},
                    multiplied(a, b, m, n, k, transposed))

    for target in ("cuda:80", "cuda:120"):
        for dtype, width in (("fp16", 2), ("bf16", 2), ("fp32", 1), ("i8", 4), ("fp64", 1)):
            yield case("ampere", target, dtype, {"i8": "i32", "fp64": "fp64"}.get(dtype, "fp32"), 32, 32, 32, False, KWIDTH=width)
    for dtype, deep in (("fp16", 16), ("bf16", 16), ("fp32", 8), ("fp8e4nv", 32), ("fp8e5", 32)):
        for registers in (False, True):
            transposed = dtype not in ("fp16", "bf16") or registers
            yield case("hopper", "cuda:90", dtype, "fp32", 64, 32, 64, transposed, KI=deep, REGISTERS=registers, TRANSPOSED=transposed)
    yield case("hopper", "cuda:90", "fp16", "fp32", 128, 64, 32, False, KI=16, REGISTERS=False, TRANSPOSED=False)
    for dtype, block, tensor in itertools.product(("fp16", "bf16", "fp32", "fp8e4nv", "fp8e5"), (64, 128), (False, True)):
        if tensor and block == 64:
            continue  # Triton refuses A from several blocks of 64 rows
        transposed = dtype not in ("fp16", "bf16")
        yield case("product", "cuda:100", dtype, "fp32", 128, 32, 32, transposed, BLOCK_M=block, TENSOR=tensor, TRANSPOSED=transposed)
    yield case("product", "cuda:100", "fp16", "fp16", 128, 64, 32, False, BLOCK_M=128, TENSOR=False, TRANSPOSED=False)
    yield case("product", "cuda:103", "fp16", "fp32", 128, 128, 16, True, BLOCK_M=128, TENSOR=False, TRANSPOSED=True)


def scaled(rng):
    for name, a_format, b_format, block in (("mxf8", "e4m3", "e4m3", 32), ("mixed", "e5m2", "e4m3", 32), ("mxf4", "e2m1", "e2m1", 32), ("nvf4", "e2m1", "e2m1", 16)):
        m, n, k = 128, 32, 128
        four = a_format == "e2m1"
        deep = 2 * k if four else k

        def operand(rows, form):
            if four:
                codes = [rng.randrange(16) for _ in range(rows * deep)]
                numbers = [FP4[code & 7] * (-1 if code & 8 else 1) for code in codes]
                return "u8", bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2])), numbers
            numbers = some(rng, rows * deep)
            dtype = "fp8e4nv" if form == "e4m3" else "fp8e5"
            return dtype, packed(dtype, numbers), numbers

        def scales(rows):
            count = rows * (deep // block)
            if block == 16:
                numbers = [rng.choice([0.5, 1.0, 2.0]) for _ in range(count)]
                return "fp8e4nv", packed("fp8e4nv", numbers), numbers
            codes = bytes(rng.choice([126, 127, 128]) for _ in range(count))
            return "u8", codes, [2.0 ** (code - 127) for code in codes]
        a_type, a, av = operand(m, a_format)
        b_type, b, bv = operand(n, b_format)
        sa_type, sa, sav = scales(m)
        sb_type, sb, sbv = scales(n)
        av = [number * sav[i // block] for i, number in enumerate(av)]
        bv = [number * sbv[i // block] for i, number in enumerate(bv)]
        yield Case(name, "scaled", "cuda:100", [("a", a_type, a), ("b", b_type, b), ("sa", sa_type, sa), ("sb", sb_type, sb), ("out", "fp32", [0] * (m * n))],
                   {"M": m, "N": n, "K": k, "A": a_format, "B": b_format, "BLOCK": block}, multiplied(av, bv, m, n, deep, True))


def others(rng):
    rows = [rng.randrange(64) for _ in range(32)]
    table = some(rng, 64 * 64)
    layout = {"$layout": "NVMMASharedLayout", "swizzle_byte_width": 128, "element_bitwidth": 16, "rank": 2, "transposed": False, "fp4_padded": False, "cga_layout": []}
    yield Case("rows", "gather", "cuda:100", [("desc", "fp16", table), ("rows", "i32", rows), ("out", "fp16", [0] * (32 * 64))], {"COUNT": 32, "C": 64},
               [number for row in rows for number in table[64 * row:64 * row + 64]],
               descriptors=[{"name": "desc", "type": "tensordesc", "dtype": "fp16", "block": [1, 64], "layout": layout}])
    yield Case("tiles", "cancelled", "cuda:100", [("out", "i32", [0] * 7)], {"N": 7}, [1, 2, 1, 2, 1, 2, 1], grid=(7, 1, 1))
    numbers = some(rng, 1024)
    yield Case("numbers", "packed", "cuda:100", [("a", "fp32", numbers), ("out", "fp32", [0] * 1024)], {"N": 1024}, [(2 * x * x + x) * x - x for x in numbers])
    a, b = some(rng, 256 * 32), some(rng, 32 * 64)
    yield Case("ctas", "paired", "cuda:100", [("a", "fp16", a), ("b", "fp16", b), ("out", "fp32", [0] * (256 * 64))], {"M": 256, "N": 64, "K": 32},
               multiplied(a, b, 256, 64, 32), ctas=2)
    tile = some(rng, 64 * 64)
    for target in ("cuda:90", "cuda:100"):
        yield Case(target[5:], "shared_out", target, [("a", "fp32", tile), ("out", "fp32", [0] * (64 * 64))], {"M": 64, "N": 64},
                   [number + sum(tile[i % 64::64]) for i, number in enumerate(tile)], ctas=2)
    doubles = [float(rng.randrange(1, 1 << 40)) for _ in range(512)]
    for target in ("cuda:80", "cuda:100"):
        yield Case(target[5:], "narrowed", target, [("a", "fp64", doubles), ("out", "fp32", [0] * 512)], {"N": 512},
                   [struct.unpack("<f", struct.pack("<d", number)[:4])[0] for number in doubles])


def to_e5m2(number, towards_zero):
    """The byte of a number; the largest finite one for those that are larger."""
    sizes = [struct.unpack("<e", bytes([0, code]))[0] for code in range(0x7C)]
    size, sign = abs(number), 0x80 if str(number).startswith("-") else 0
    below = max(code for code, each in enumerate(sizes) if each <= size)
    above = min(below + 1, len(sizes) - 1)
    nearest = min((below, above), key=lambda code: (abs(sizes[code] - size), code % 2))
    return sign | (below if towards_zero else nearest)


def conversions(rng):
    """To fp8e5: by an instruction or, before sm_89 and towards zero, bit by bit."""
    count = 2048
    halves = [struct.unpack("<e", struct.pack("<H", rng.randrange(0x7C00) | rng.randrange(2) << 15))[0] for _ in range(count)]
    near = [half + rng.choice([0, 0, 1, -1]) * abs(half) * 2.0 ** -rng.randrange(11, 24) for half in halves]
    singles = [struct.unpack("<f", struct.pack("<f", number))[0] for number in near]
    for target, dtype, rounding in (("cuda:80", "fp16", "rtne"), ("cuda:80", "fp32", "rtne"), ("cuda:80", "fp32", "rtz"), ("cuda:90", "fp16", "rtne"),
                                    ("cuda:90", "fp32", "rtne"), ("cuda:90", "fp32", "rtz")):
        numbers = halves if dtype == "fp16" else singles
        yield Case(f"{target[5:]}_{dtype}_{rounding}", "to_fp8e5", target, [("a", dtype, numbers), ("out", "fp8e5", bytes(count))],
                   {"N": count, "ROUNDING": rounding}, bytes(to_e5m2(number, rounding == "rtz") for number in numbers))
    nans = struct.pack("<4H", 0x7C01, 0x7FFF, 0xFC01, 0xFE00) * 128 + struct.pack("<2H", 0x7C00, 0xFC00) * 256
    yield Case("80_nan", "to_fp8e5", "cuda:80", [("a", "fp16", nans), ("out", "fp8e5", bytes(1024))], {"N": 1024, "ROUNDING": "rtne"},
               b"\x7f\x7f\xff\xff" * 128 + b"\x7b\xfb" * 256)
    for target, dtype, out, together in itertools.product(("cuda:80", "cuda:90"), ("i8", "u8"), ("fp16", "bf16", "fp32"), (1, 2, 8)):
        numbers = [number % 256 - (128 if dtype == "i8" else 0) for number in range(1024)]
        yield Case(f"{target[5:]}_{dtype}_{out}_{together}", "bytes_to_floats", target, [("a", dtype, numbers), ("out", out, bytes(1024 * (4 if out == "fp32" else 2)))],
                   {"N": 1024, "TOGETHER": together}, packed(out, [float(number) for number in numbers]))


def picks(rng):
    """Elements whose indices differ in bits: side by side, turned, and from other warps."""
    numbers = [rng.randrange(1 << 30) for _ in range(1024)]
    for mask in (1, 6, 9, 64, 0x2A8, 1023):
        yield Case(str(mask), "picked", "cuda:80", [("a", "i32", numbers), ("out", "i32", [0] * 1024)], {"N": 1024, "MASK": mask},
                   [numbers[i ^ mask] for i in range(1024)])


def sums(rng):
    """Triton's order: neighbouring registers first; even and odd ones apart where one instruction adds two numbers."""
    def total(numbers, dtype):
        while len(numbers) > 1:
            numbers = unpacked(dtype, packed(dtype, [a + b for a, b in zip(numbers[::2], numbers[1::2])]))
        return numbers[0]

    for target, dtype, in_pairs in (("cuda:80", "fp16", False), ("cuda:90", "fp16", True), ("cuda:90", "fp32", False), ("cuda:100", "fp32", True)):
        numbers = unpacked(dtype, packed(dtype, [rng.uniform(-1, 1) for _ in range(128 * 8)]))
        for turned in (False, True):
            wanted = []
            for row in range(128):
                held = [numbers[8 * row + column] for column in ((0, 4, 2, 6, 1, 5, 3, 7) if turned else range(8))]
                wanted.append(total([total(held[::2], dtype), total(held[1::2], dtype)] if in_pairs else held, dtype))
            yield Case(f"{target[5:]}_{dtype}_{turned}", "summed", target, [("a", dtype, numbers), ("out", dtype, [0] * 128)], {"TURNED": turned}, wanted)


def maxima(rng):
    numbers = [rng.randrange(-4096, 4096) / 8 for _ in range(1024)]
    for target in ("cuda:90", "cuda:100"):
        yield Case(f"{target[5:]}_rows", "largest", target, [("a", "fp32", numbers), ("out", "fp32", [0] * 16)], {"ROWS": True},
                   [max(numbers[64 * row:64 * row + 64]) for row in range(16)])
        lower = [number - 3 * (i % 7) - (5 if i != 701 else 0) for i, number in enumerate(numbers)]
        yield Case(f"{target[5:]}_all", "largest", target, [("a", "fp32", lower), ("out", "fp32", [0] * 1024)], {"ROWS": False},
                   [number - max(lower) for number in lower])


def integers(rng):
    """Numbers of 64 bits of which many have the largest upper half, with and without sign."""
    for dtype, bits in (("i64", 64), ("u64", 64), ("i32", 32), ("i8", 8)):
        least, most = (0, 2**bits - 1) if dtype[0] == "u" else (-2**(bits - 1), 2**(bits - 1) - 1)
        several = [rng.randrange(least, most) for _ in range(8)]
        numbers = [max(least, min(most, rng.choice(several) // 4 + rng.randrange(-100, 100))) for _ in range(1024)]
        for largest in (True, False):
            other = max(numbers) if largest else min(numbers)
            wanted = [(number - other - least) % 2**bits + least for number in numbers]
            for target in ("cuda:80", "cuda:100"):
                yield Case(f"{target[5:]}_{dtype}_{'largest' if largest else 'least'}", "extreme", target,
                           [("a", dtype, numbers), ("out", dtype, [0] * 1024)], {"LARGEST": largest}, wanted)


def remainders(rng):
    a, b = [rng.randrange(-400, 400) / 4 for _ in range(512)], [rng.choice([0.5, 1.0, 2.0, 3.0, -4.0, 7.0]) for _ in range(512)]
    for dtype in ("fp16", "fp32", "fp64"):
        yield Case(dtype, "remainders", "cuda:90", [("a", dtype, a), ("b", dtype, b), ("out", dtype, [0] * 512)], {"N": 512}, [math.fmod(x, y) for x, y in zip(a, b)])


def carries(rng):
    a, b = [[rng.randrange(-(2**31), 2**31) for _ in range(512)] for _ in range(2)]
    upper = [((x % 2**32) * (y % 2**32) + y % 2**32) >> 32 for x, y in zip(a, b)]
    yield Case("words", "carried", "cuda:90", [("a", "i32", a), ("b", "i32", b), ("out", "i32", [0] * 512)], {"N": 512}, [(x + 2**31) % 2**32 - 2**31 for x in upper])


def masks(rng):
    """Several bounds of one number, some of them the greatest and the least of all."""
    def of32(number):
        return (number + 2**31) % 2**32 - 2**31

    ends = [-2**31, -2**31 + 1, -1, 0, 1, 5, 17, 38, 63, 64, 2**31 - 2, 2**31 - 1]
    bounds = [(rng.choice(ends), rng.choice(ends), rng.choice(ends), 0) for _ in range(120)]
    holds = {
        "near": lambda r, c, first, most, n: c <= of32(r + most) and c < n and c < first,
        "far": lambda r, c, first, most, n: of32(c + first) <= of32(r + most) and of32(c + first) < n,
        "image": lambda r, c, first, most, n: 0 <= of32(c + first) < n and 0 <= of32(r + most) < n,
        "steps": lambda r, c, first, most, n: 0 <= of32(r * n + c * 2 + first) < most,
    }
    for kind, held in holds.items():
        wanted = [int(held(r, c, *each[:3])) for each in bounds for r in range(16) for c in range(64)]
        yield Case(kind, "bounded", "cuda:90", [("bounds", "i32", [number for each in bounds for number in each]), ("out", "i32", [0] * len(wanted))],
                   {"KIND": kind}, wanted, grid=(len(bounds), 1, 1))


def emitted(gluond, cases, folder):
    shutil.copy(KERNELS, folder)
    file = folder / "kernels.launches.jsonl"
    file.write_text("".join(json.dumps(case.record) + "\n" for case in cases))
    done = subprocess.run([gluond, "emit", str(file), "--stage", "ptx", "-o", str(folder / "ours")], capture_output=True, text=True,
                          env={**os.environ, "GLUOND_CACHE_DIR": "off"})
    return folder / "ours", done.stderr


def tritons(cases, folder):
    os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")
    import record_goldens as oracle
    oracle.load_triton()
    out = folder / "theirs"
    out.mkdir()
    for case in cases:
        child = os.fork()  # Triton ends the process where it rejects some kernels
        if child == 0:
            try:
                (out / f"{case.record['id']}.ptx").write_text(oracle.compiled(case.record, folder, ("ttgir", "llir", "ptx")))
            except BaseException as error:
                (out / f"{case.record['id']}.said").write_text(f"{type(error).__name__}: {error}"[:2000])
            os._exit(0)
        os.waitpid(child, 0)
    return out


# What the player must notice in code that is wrong: (case, text, what it becomes or None where its lines go, late, what is said; "" where memory must differ).
MUTANTS = [
    ("narrowed.80", "cp.async.wait_group 0;", None, True, ""),
    ("product.100_fp16_128_32_32_BLOCK_M128_TENSORFalse", "mbarrier.init", "mbarrier.inval", False, "there is no mbarrier"),
    ("product.100_fp16_128_32_32_BLOCK_M128_TENSORFalse", "tcgen05.dealloc", None, False, "tensor memory is not given back"),
    ("product.100_fp16_128_32_32_BLOCK_M128_TENSORFalse", "tcgen05.commit", None, False, "all wait for ever"),
    ("product.100_fp16_128_32_32_BLOCK_M128_TENSORFalse", "mbarrier.try_wait.parity", "mbarrier.guess.parity", False, "does not know"),
]


def unnoticed(player, cases, ours, folder):
    """Mutants that the player takes for right code."""
    for part, text, other, late, said in MUTANTS:
        case = next((case for case in cases if case.record["id"].startswith(part)), None)
        if case is None:
            continue
        code = (ours / f"{case.record['id']}.ptx").read_text()
        if text not in code:
            yield f"{part}: has no {text}"
            continue
        mutant = folder / "mutant.ptx"
        mutant.write_text(code.replace(text, other) if other else "\n".join(line for line in code.splitlines() if text not in line) + "\n")
        answer = play(player, case.launch(late), [mutant])
        if isinstance(answer, str):
            if not said or said not in answer:
                yield f"{part} without {text}: {answer}"
        elif said or shown(case, answer) == packed(case.arrays[-1][1], case.wanted):
            yield f"{part} without {text}: nothing is noticed"


def shown(case, answer):
    return bytes.fromhex(next(iter(answer["played"][0]["shown"].values())))[:len(packed(case.arrays[-1][1], case.wanted))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gluond")
    parser.add_argument("player")
    parser.add_argument("--triton", action="store_true")
    parser.add_argument("--keep", metavar="FOLDER", help="where the PTX stays")
    parser.add_argument("--id", default="", help="part of the names of the cases to play")
    options = parser.parse_args()
    rng = random.Random(17)
    cases = [case for case in itertools.chain(products(rng), scaled(rng), others(rng), conversions(rng), picks(rng), sums(rng), maxima(rng), integers(rng), remainders(rng), carries(rng), masks(rng)) if options.id in case.record["id"]]
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        ours, said = emitted(os.path.abspath(options.gluond), cases, folder)
        theirs = tritons(cases, folder) if options.triton else None
        for case in cases:
            name = case.record["id"]
            module = ours / f"{name}.ptx"
            if not module.exists():
                error = ours / f"{name}.error"
                print(f"{name}: no code: " + (error.read_text() if error.exists() else next((line for line in said.splitlines() if name in line), said))[:600])
                failures += 1
                continue
            for late in (False, True):
                answer = play(os.path.abspath(options.player), case.launch(late), [module])
                how = "late" if late else "at once"
                if isinstance(answer, str):
                    print(f"{name}, {how}: {answer}")
                    failures += 1
                    continue
                dtype = case.arrays[-1][1]
                data = shown(case, answer)
                if data != packed(dtype, case.wanted):
                    got = unpacked(dtype, data)
                    wrong = [i for i, (x, y) in enumerate(zip(got, case.wanted)) if x != y and (x == x or y == y)]
                    if wrong:
                        print(f"{name}, {how}: {len(wrong)} of {len(got)} are wrong, the first at {wrong[0]}: {got[wrong[0]]}, not {case.wanted[wrong[0]]}")
                        failures += 1
            if theirs and (theirs / f"{name}.ptx").exists():
                word, detail = verdict(play(os.path.abspath(options.player), case.launch(False), [theirs / f"{name}.ptx", module]))
                if word != "same":
                    print(f"{name}, beside Triton: {word}: {detail}")
                    failures += 1
            elif theirs:
                print(f"{name}: Triton: {(theirs / (name + '.said')).read_text()[:500]}")
        for what in unnoticed(os.path.abspath(options.player), cases, ours, folder):
            print(what)
            failures += 1
    print(f"{len(cases)} kernels played, {failures} failures")
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    if "--triton" in sys.argv:
        import peers
        peers.under_python_with(peers.TRITON, "Triton 3.9.0")
    sys.exit(main())
