#!/usr/bin/env python3
"""Records what Triton 3.9.0 says about layouts, as goldens for tests/unit/layout.

Run with a Python that has triton==3.9.0 (no GPU, no torch needed):

    python scripts/oracle/record_layouts.py [-o tests/data/layouts] [--only conversions,algebra,...]

Every file holds one JSON object a line: a question and Triton's answer. Layouts are spelled as in launch records:
{"$layout": class, field: value, ...}. Where Triton refuses (an exception, or an assertion that ends the process), the
answer is "rejected": true. Questions are made from a fixed seed, so that a new recording differs only where Triton does.
"""
import argparse
import dataclasses
import itertools
import json
import os
import random
import re
import subprocess
import sys

# ---------------------------------------------------------------- layouts as JSON


def encode(value):
    if dataclasses.is_dataclass(value):
        fields = {f.name: encode(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {"$layout": type(value).__name__, **fields}
    if isinstance(value, (list, tuple)):
        return [encode(v) for v in value]
    return value


@dataclasses.dataclass(frozen=True)
class AMDRotatingShared:
    """Has no Gluon class; known to the IR only."""
    vec: int
    per_phase: int
    max_phase: int
    order: list


def classes():
    from triton.experimental.gluon.language import _layouts
    from triton.experimental.gluon.language.amd import _layouts as amd
    from triton.experimental.gluon.language.amd.cdna5 import PartitionedSharedLayout
    from triton.experimental.gluon.language.nvidia import blackwell, rubin
    table = {"AMDRotatingShared": AMDRotatingShared, "PartitionedSharedLayout": PartitionedSharedLayout,
             "TensorMemoryLayout": blackwell.TensorMemoryLayout,
             "TensorMemoryScalesLayout": blackwell.TensorMemoryScalesLayout,
             "rubin.TensorMemoryScalesLayout": rubin.TensorMemoryScalesLayout}
    for module in (_layouts, amd):
        for name, value in vars(module).items():
            if name.endswith("Layout"):
                table[name] = value
    return table


def decode(value):
    if isinstance(value, dict) and "$layout" in value:
        fields = {k: decode(v) for k, v in value.items() if k != "$layout"}
        name = value["$layout"]
        if name == "TensorMemoryScalesLayout" and "block_rep_order" in fields:
            name = "rubin.TensorMemoryScalesLayout"
        return classes()[name](**fields)
    if isinstance(value, list):
        return [decode(v) for v in value]
    return value


def L(name, **fields):
    return {"$layout": name, **fields}


# ---------------------------------------------------------------- questions

R = random.Random(20261121)


def powers(total, rank):
    """A random split of the power of two `total` over `rank` dimensions."""
    parts = [1] * rank
    while total > 1:
        parts[R.randrange(rank)] *= 2
        total //= 2
    return parts


def order_of(rank):
    order = list(range(rank))
    R.shuffle(order)
    return order


def cga(rank, ctas):
    """Bases of a CGA layout: each either takes the next bit of a dimension or is a copy."""
    size = [1] * rank
    bases = []
    while ctas > 1:
        basis = [0] * rank
        if R.random() < 0.75:
            d = R.randrange(rank)
            basis[d] = size[d]
            size[d] *= 2
        bases.append(basis)
        ctas //= 2
    return bases


def shape_of(rank, least=0, most=8):
    return [1 << R.randint(least, most) for _ in range(rank)]


def some_cga(rank):
    return cga(rank, R.choice([1, 1, 1, 2, 4, 8]))


def blocked(rank, lanes=None):
    return L("BlockedLayout", size_per_thread=powers(R.choice([1, 2, 4, 8, 16]), rank),
             threads_per_warp=powers(lanes or R.choice([32, 32, 64]), rank),
             warps_per_cta=powers(R.choice([1, 2, 4, 8]), rank), order=order_of(rank), cga_layout=some_cga(rank))


def linear(shape, zero=0.2):
    """A DistributedLinearLayout of this shape: the index bits dealt out at random, with copies in between."""
    rank = len(shape)
    bits = [[0] * d + [1 << b] + [0] * (rank - d - 1) for d in range(rank) for b in range(shape[d].bit_length() - 1)]
    R.shuffle(bits)
    groups = {"reg": [], "lane": [], "warp": [], "block": []}
    while len(groups["lane"]) < 5:
        groups["lane"].append(bits.pop() if bits and R.random() > zero else [0] * rank)
    for _ in range(R.randint(0, 3)):
        groups["warp"].append(bits.pop() if bits and R.random() > zero else [0] * rank)
    for _ in range(R.choice([0, 0, 0, 1, 2])):
        groups["block"].append(bits.pop() if bits and R.random() > zero else [0] * rank)
    while bits or R.random() < zero:
        groups["reg"].append(bits.pop() if bits and R.random() > zero / 2 else [0] * rank)
    return L("DistributedLinearLayout", **{k + "_bases": v for k, v in groups.items()}, shape=list(shape))


def mma(rank=2):
    version = R.choice([2, 2, 3]) if rank == 2 else 2
    warps = powers(R.choice([1, 2, 4, 8]), rank)
    if version == 3:
        warps = R.choice([[4, 1], [8, 1], [4, 2]])
        instr = [16, R.choice([8, 16, 32, 64, 128, 256]), R.choice([8, 16, 32])]
        return L("NVMMADistributedLayout", version=[3, 0], warps_per_cta=warps, instr_shape=instr,
                 cga_layout=some_cga(2))
    instr = [1] * (rank - 2) + R.choice([[16, 8], [16, 8], [8, 8]])
    return L("NVMMADistributedLayout", version=[2, R.choice([0, 0, 1])], warps_per_cta=warps, instr_shape=instr,
             cga_layout=some_cga(rank))


def mfma(rank=2):
    instr = R.choice([[32, 32, 8], [16, 16, 16], [64, 4, 4], [4, 64, 4]])
    transposed = True if instr[:2] == [64, 4] else R.random() < 0.5
    return L("AMDMFMALayout", version=R.choice([1, 2, 3, 4]), instr_shape=instr, transposed=transposed,
             warps_per_cta=powers(R.choice([1, 2, 4, 8]), rank), element_bitwidth=R.choice([32, 32, 64]),
             tiles_per_warp=[1] * (rank - 2) + R.choice([[1, 1], [1, 1], [2, 1], [1, 2], [2, 2], [4, 1]]),
             cga_layout=some_cga(rank))


WMMA = {1: [[16, 16, 16]], 2: [[16, 16, 16], [16, 16, 32]],
        3: [[16, 16, 4], [16, 16, 32], [16, 16, 64], [16, 16, 128], [32, 16, 64], [32, 16, 128]]}


def wmma(rank=2, swizzled=False):
    version = R.choice([1, 2, 3, 3])
    tiles = [[0] * (rank - 2) + b for b in ([0, 1], [1, 0], [0, 2], [2, 0])][:R.randint(0, 4)]
    R.shuffle(tiles)
    # Whatever goes to registers and warps must fill the grid of tiles without gaps.
    sizes = [1] * rank
    ordered = []
    for t in tiles:
        d = next(i for i, v in enumerate(t) if v)
        basis = [0] * rank
        basis[d] = sizes[d]
        sizes[d] *= 2
        ordered.append(basis)
    cut = R.randint(0, len(ordered))
    warp, reg = ordered[:cut], ordered[cut:]
    if R.random() < 0.2:
        warp = warp + [[0] * rank]
    if swizzled:
        warp, reg = [[0] * (rank - 2) + b for b in ([2, 1], [1, 0])], [[0] * (rank - 2) + [2, 0]]
    return L("AMDWMMALayout", version=version, transposed=R.random() < 0.5, warp_bases=warp, reg_bases=reg,
             instr_shape=R.choice(WMMA[version]), cga_layout=some_cga(rank), rank=rank)


def dot(parent, op, k_width):
    return L("DotOperandLayout", operand_index=op, parent=parent, k_width=k_width)


def dot_operand(rank=2):
    kind = R.choice(["v2", "v3", "blocked", "mfma", "wmma"])
    op = R.randint(0, 1)
    if kind == "blocked":
        return dot(blocked(rank), op, 0)
    if kind == "mfma":
        return dot(mfma(rank), op, R.choice([1, 2, 4, 8, 16]))
    if kind == "wmma":
        parent = wmma(rank)
        widths = {1: [16, 8], 2: [4, 8, 16], 3: [2, 4, 8, 16]}[parent["version"]]
        return dot(parent, op, R.choice(widths))
    while True:
        parent = mma(rank)
        if kind == "v3" and rank == 2 and parent["version"][0] != 3:
            continue
        if (kind == "v2" or rank != 2) and parent["version"][0] != 2:
            continue
        return dot(parent, 0 if kind == "v3" else op, R.choice([1, 2, 4, 8]))


def distributed(rank, shape):
    kind = R.choice(["blocked", "linear", "mma", "mfma", "wmma", "dot"])
    if rank not in (2, 3) and kind not in ("blocked", "linear"):
        kind = "blocked"
    make = {"blocked": lambda: blocked(rank), "linear": lambda: linear(shape), "mma": lambda: mma(rank),
            "mfma": lambda: mfma(rank), "wmma": lambda: wmma(rank), "dot": lambda: dot_operand(rank)}
    return make[kind]()


def swizzled(rank):
    return L("SwizzledSharedLayout", vec=R.choice([1, 1, 2, 4, 8, 16]), per_phase=R.choice([1, 1, 2, 4]),
             max_phase=R.choice([1, 2, 4, 8, 16]), order=order_of(rank), cga_layout=some_cga(rank))


def shared_linear(shape, zero=0.1):
    rank = len(shape)
    bits = [[0] * d + [1 << b] + [0] * (rank - d - 1) for d in range(rank) for b in range(shape[d].bit_length() - 1)]
    R.shuffle(bits)
    block = [bits.pop() for _ in range(R.choice([0, 0, 1, 2])) if len(bits) > 1]
    # A triangular mix of the bases stays one-to-one: a swizzle.
    for _ in range(R.randint(0, 4)):
        i, j = R.randrange(len(bits)), R.randrange(len(bits))
        if i != j:
            bits[i] = [a ^ b for a, b in zip(bits[i], bits[j])]
    if R.random() < zero:
        bits.insert(R.randint(0, len(bits)), [0] * rank)
    return L("SharedLinearLayout", offset_bases=bits, block_bases=block, alignment=R.choice([16, 128, 1024]))


def nvmma(rank):
    swizzle = R.choice([0, 32, 64, 128])
    fp4 = swizzle == 128 and R.random() < 0.25
    return L("NVMMASharedLayout", swizzle_byte_width=swizzle, element_bitwidth=8 if fp4 else R.choice([8, 16, 32, 64]),
             rank=rank, transposed=R.random() < 0.4, fp4_padded=fp4, cga_layout=some_cga(rank))


def tensor_memory():
    two = R.random() < 0.3
    bases = [[1, 0]] if two else []
    size = [2, 1] if two else [1, 1]
    for _ in range(R.choice([0, 0, 0, 1, 2])):
        d = R.randrange(2)
        basis = [0, 0]
        if R.random() < 0.7:
            basis[d] = size[d]
            size[d] *= 2
        bases.append(basis)
    fp4 = R.random() < 0.1
    return L("TensorMemoryLayout", block=[R.choice([64, 128]), R.choice([1, 2, 4, 8, 16, 32, 64, 128, 256, 512])],
             col_stride=1 if fp4 else R.choice([1, 1, 2, 4]), cga_layout=bases, two_ctas=two, fp4_padded=fp4)


def conversions():
    def case(layout, shape):
        return {"layout": layout, "shape": shape}

    for rank, count in ((1, 60), (2, 200), (3, 80), (4, 30), (5, 10)):
        for _ in range(count):
            yield case(blocked(rank), shape_of(rank, 0, 9 if rank < 3 else 5))
    # The layouts of textbooks, over every shape from one element up.
    for shape in itertools.product([1, 2, 4, 16, 64, 256], repeat=2):
        yield case(L("BlockedLayout", size_per_thread=[1, 4], threads_per_warp=[8, 4], warps_per_cta=[4, 1],
                     order=[1, 0], cga_layout=[]), list(shape))
    for _ in range(150):
        rank = R.choice([1, 2, 2, 2, 3])
        shape = shape_of(rank, 0, 7)
        other = [max(1, s * R.choice([1, 1, 1, 2, 4])) if R.random() < 0.8 else max(1, s // 2) for s in shape]
        yield case(linear(shape), R.choice([shape, other]))
    for _ in range(200):
        yield case(mma(R.choice([2, 2, 2, 3])), None)
    for _ in range(200):
        yield case(mfma(R.choice([2, 2, 2, 3])), None)
    for _ in range(160):
        rank = R.choice([2, 2, 2, 3])
        yield case(wmma(rank, swizzled=R.random() < 0.15), None)
    for _ in range(400):
        yield case(dot_operand(R.choice([2, 2, 2, 3])), None)
    for _ in range(260):
        rank = R.choice([2, 2, 3, 4])
        shape = shape_of(rank, 0, 7 if rank < 4 else 4)
        layout = distributed(rank, shape)
        for _ in range(R.choice([1, 1, 2])):
            if rank > 1:
                dim = R.randrange(rank)
                layout = L("SliceLayout", dim=dim, parent=layout)
                del shape[dim]
                rank -= 1
        yield case(layout, shape)
    for _ in range(200):
        rank = R.choice([1, 2, 2, 2, 3, 4])
        yield case(swizzled(rank), shape_of(rank, 0, 8 if rank < 3 else 4))
    for _ in range(80):
        rank = R.choice([1, 2, 2, 3])
        shape = shape_of(rank, 2, 6)
        yield case(shared_linear(shape), shape)
    for _ in range(500):
        rank = R.choice([1, 2, 2, 2, 2, 3, 3, 4, 5])
        yield case(nvmma(rank), shape_of(rank, 3 if rank < 3 else 0, 9 if rank < 3 else 6))
    for _ in range(60):
        rank = R.choice([1, 2, 2, 3])
        yield case(L("AMDRotatingShared", vec=R.choice([1, 2, 4, 8]), per_phase=R.choice([1, 2, 4]),
                     max_phase=R.choice([1, 2, 4, 8]), order=order_of(rank)), shape_of(rank, 2, 7 if rank < 3 else 4))
    for _ in range(60):
        rank = R.choice([1, 2, 2, 3])
        shape = shape_of(rank, 2, 7)
        inner = R.choice([swizzled, lambda r: nvmma(r)])(rank)
        inner["cga_layout"] = []
        yield case(L("PartitionedSharedLayout", num_partitions=R.choice([2, 4]), num_groups=R.choice([1, 2, 4]),
                     partition_dim=R.randrange(rank), partition_layout=inner), shape)
    for _ in range(260):
        yield case(tensor_memory(), [1 << R.randint(6, 9), 1 << R.randint(0, 10)])
    for _ in range(80):
        order = R.choice([None, "mnThenK", "kThenMn"])
        bases = [b for b in cga(2, R.choice([1, 1, 2, 4]))]
        layout = L("TensorMemoryScalesLayout", cga_layout=bases)
        if order:
            layout["block_rep_order"] = order
        yield case(layout, [1 << R.randint(4, 10), 1 << R.randint(0, 6)])


def rank_of(layout):
    name = layout["$layout"]
    if name == "DotOperandLayout":
        return rank_of(layout["parent"])
    return layout.get("rank") or len(layout["warps_per_cta"])


def random_matrix(ins, outs, surjective):
    """Bases of a random layout: a shuffled identity with zeros and xors mixed in."""
    total_out = sum(outs.values())
    bits = []
    shift = 0
    names = list(outs)
    for i, n in enumerate(names):
        for b in range(outs[n]):
            v = [0] * len(names)
            v[i] = 1 << b
            bits.append(v)
        shift += outs[n]
    total_in = sum(ins.values())
    columns = bits[:]
    R.shuffle(columns)
    for _ in range(R.randint(0, total_out)):
        i, j = R.randrange(len(columns)), R.randrange(len(columns))
        if i != j:
            columns[i] = [a ^ b for a, b in zip(columns[i], columns[j])]
    columns = columns[:total_in] if not surjective else columns
    while len(columns) < total_in:
        extra = [0] * len(names)
        for c in R.sample(columns, min(len(columns), R.randint(0, 2))):
            extra = [a ^ b for a, b in zip(extra, c)]
        columns.insert(R.randint(0, len(columns)), extra)
    result = []
    at = 0
    for n, size in ins.items():
        result.append([n, columns[at:at + size]])
        at += size
    return {"bases": result, "outs": [[n, 1 << outs[n]] for n in names]}


def algebra():
    def dims(names, total):
        sizes = {n: 0 for n in names}
        for _ in range(total):
            sizes[R.choice(names)] += 1
        return sizes

    for _ in range(250):
        out = dims(["dim0", "dim1", "dim2"][:R.randint(1, 3)], R.randint(1, 9))
        total = sum(out.values())
        a = random_matrix(dims(["register", "lane", "warp"], total + R.randint(0, 3)), out, True)
        b_names = R.choice([["register", "lane", "warp"], ["offset", "block"]])
        b = random_matrix(dims(b_names, total + R.randint(0, 3)), out, True)
        if R.random() < 0.3 and b_names[0] == "register":
            # Share a dimension's bases, so that it is kept as it is.
            shared = R.choice([0, 1, 2])
            b["bases"][shared] = a["bases"][shared]
        yield {"op": "invert_and_compose", "a": a, "b": b}
        yield {"op": "pseudoinvert", "a": a}
        yield {"op": "facts", "a": random_matrix(dims(["register", "lane"], R.randint(1, total)), out, False)}
        c = random_matrix(dims(["dim0", "dim1", "dim2"][:len(out)], 0) | out,
                          dims(["row", "col"], R.randint(1, total)), False if R.random() < 0.3 else True)
        yield {"op": "compose", "a": a, "b": c}
        x = random_matrix(dims(R.sample(["register", "lane", "warp"], R.randint(1, 3)), R.randint(1, 5)),
                          dims(R.sample(["dim0", "dim1", "dim2"], R.randint(1, 3)), R.randint(1, 4)), False)
        y = random_matrix(dims(R.sample(["register", "lane", "block"], R.randint(1, 3)), R.randint(1, 5)),
                          dims(R.sample(["dim0", "dim1", "dim2"], R.randint(1, 3)), R.randint(1, 4)), False)
        yield {"op": "mul", "a": x, "b": y}


def bank_conflicts():
    """NVIDIA only: on AMD targets Triton 3.9.0's own query ends in an assertion."""
    for _ in range(400):
        rank = R.choice([1, 2, 2, 2, 2, 3])
        shape = shape_of(rank, 5 if rank < 3 else 3, 8 if rank < 3 else 5)
        registers = blocked(rank, 32)
        if rank == 2 and R.random() < 0.3:
            parent = L("NVMMADistributedLayout", version=[2, 0], warps_per_cta=R.choice([[2, 2], [4, 1]]),
                       instr_shape=[16, 8], cga_layout=[])
            registers = R.choice([parent, dot(parent, R.randint(0, 1), R.choice([1, 2, 4]))])
        elif rank == 2 and R.random() < 0.3:
            registers = linear(shape, zero=0.1)
            registers["reg_bases"] += registers["block_bases"]
            registers["block_bases"] = []
        else:
            registers["cga_layout"] = []
        bits = R.choice([8, 16, 32, 64])
        shared = swizzled(rank)
        if rank > 1 and R.random() < 0.4:
            shared = nvmma(rank)
            shared["element_bitwidth"] = 8 if shared["fp4_padded"] else bits
        elif R.random() < 0.2:
            shared = shared_linear(shape)
            shared["offset_bases"] += shared.pop("block_bases")
        if "cga_layout" in shared:
            shared["cga_layout"] = []
        yield {"registers": registers, "shared": shared, "shape": shape, "bits": bits}


def convert_trivial():
    for _ in range(250):
        rank = R.choice([1, 2, 2, 3])
        shape = shape_of(rank, 1, 6)
        a = blocked(rank, 32)
        b = dict(a) if R.random() < 0.5 else blocked(rank, 32)
        if R.random() < 0.5:
            b["size_per_thread"] = powers(R.choice([1, 2, 4]), rank)
        b["warps_per_cta"] = a["warps_per_cta"] if R.random() < 0.5 else b["warps_per_cta"]
        a["cga_layout"], b["cga_layout"] = [], []
        yield {"from": a, "to": b, "shape": shape}


def tmem_reg_layouts():
    for _ in range(400):
        scales = R.random() < 0.12
        layout = L("TensorMemoryScalesLayout", cga_layout=[]) if scales else tensor_memory()
        shape = [1 << R.randint(6, 9), 1 << R.randint(0, 9)]
        dtype = "int8" if scales else R.choice(["fp32", "fp16", "int8", "fp32"])
        yield {"layout": layout, "dtype": dtype, "shape": shape, "alloc_shape": shape, "num_warps": R.choice([4, 4, 8, 16]),
               "variant": R.choice(["32x32b", "32x32b", "16x64b", "16x128b", "16x256b"])}


def scale_layouts():
    for op, m, tiles, warps in itertools.product([0, 1], [16, 32], [[1, 1], [2, 1], [1, 2], [2, 2]],
                                                 [[1, 1], [2, 2], [4, 1], [1, 4]]):
        yield {"op": "mfma", "operand": op, "shape": R.choice([[64, 4], [128, 8], [32, 8], [256, 16]]), "m": m,
               "tiles_per_warp": tiles, "warps_per_cta": warps}
    for _ in range(120):
        layout = wmma(2, swizzled=R.random() < 0.2)
        m, n = R.choice([(16, 16), (32, 16)])
        yield {"op": "wmma", "operand": R.randint(0, 1), "shape": [1 << R.randint(4, 8), 1 << R.randint(2, 5)], "m": m,
               "n": n, "transposed": R.random() < 0.5, "scale_factor": R.choice([32, 16]),
               "reg_bases": layout["reg_bases"], "warp_bases": layout["warp_bases"], "cga_layout": []}


def amd_padded():
    for operand, k_width, instr, bits, contiguous in itertools.product(
        [0, 1], [4, 8, 16], [[16, 16, 32], [32, 32, 16]], [8, 16], [False, True]):
        for _ in range(6):
            yield {"operand": operand, "k_width": k_width, "instr_shape": instr, "bits": bits, "k_contiguous": contiguous,
                   "shape": [1 << R.randint(4, 9), 1 << R.randint(4, 9)], "warps_per_cta": R.choice([[2, 2], [4, 1]]),
                   "transposed": R.random() < 0.5, "cga_layout": cga(2, R.choice([1, 1, 1, 2]))}


QUESTIONS = {"conversions": conversions, "algebra": algebra, "bank-conflicts": bank_conflicts,
             "convert-trivial": convert_trivial, "tmem-reg-layouts": tmem_reg_layouts, "scale-layouts": scale_layouts, "amd-padded": amd_padded}

# ---------------------------------------------------------------- answers (in a worker, which an assertion may end)


class Oracle:

    def __init__(self):
        from triton._C.libtriton import gluon_ir, ir
        self.ir, self.gluon_ir = ir, gluon_ir
        self.context = ir.context()
        ir.load_dialects(self.context)
        self.builder = gluon_ir.GluonOpBuilder(self.context)
        self.modules = []  # the builder may still point into the last one

    def rotating(self, layout, shape):
        """Through the IR: a view of such a buffer as one more dimension is inferred as a linear layout."""
        import tempfile
        text = (f"#s = #ttg.amd_rotating_shared<{{vec = {layout.vec}, perPhase = {layout.per_phase}, "
                f"maxPhase = {layout.max_phase}, order = {layout.order}}}>\n#m = #ttg.shared_memory\n"
                "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, "
                "\"ttg.threads-per-warp\" = 64 : i32} {\n"
                f"tt.func public @k(%a: !ttg.memdesc<{'x'.join(map(str, shape))}xf16, #s, #m, mutable>) {{ tt.return }}\n}}")
        with tempfile.NamedTemporaryFile("w", suffix=".mlir", delete=False) as file:
            file.write(text)
        module = self.ir.parse_mlir_module(file.name, self.context)
        os.unlink(file.name)
        ty = module.get_function("k").args(0).get_type()
        self.modules.append(module)
        function = self.function([ty])
        view = self.builder.create_memdesc_reshape(function.args(0), [1] + list(shape))
        linear = self.builder.get_gluon_layout_from_memdesc(view)
        return {"offset": [b[1:] for b in linear.offset_bases], "block": [b[1:] for b in linear.block_bases]}

    def conversions(self, question):
        layout, shape = decode(question["layout"]), question["shape"]
        if isinstance(layout, AMDRotatingShared):
            return {"bases": self.rotating(layout, shape)}
        if question["layout"]["$layout"] == "AMDWMMALayout":
            return {"bases": self.from_view(layout, shape)}
        linear = self.builder.to_linear_layout(layout._to_ir(self.builder), shape)
        names = {"reg_bases": "register", "lane_bases": "lane", "warp_bases": "warp", "block_bases": "block",
                 "offset_bases": "offset", "rows": "row", "cols": "col"}
        return {"bases": {names[k]: v for k, v in dataclasses.asdict(linear).items() if k in names}}

    def matrix(self, m, surjective=False):
        from triton._C.libtriton.linear_layout import LinearLayout
        return LinearLayout.from_bases([(n, b) for n, b in m["bases"]], [n for n, _ in m["outs"]],
                                       [s for _, s in m["outs"]], surjective)

    def algebra(self, question):
        a = self.matrix(question["a"])
        b = self.matrix(question["b"]) if "b" in question else None
        op = question["op"]
        if op == "facts":
            return {"surjective": a.is_surjective(), "injective": a.is_injective(), "invertible": a.is_invertible()}
        result = {"invert_and_compose": lambda: a.invert_and_compose(b), "pseudoinvert": lambda: a.pseudoinvert(),
                  "compose": lambda: a.compose(b), "mul": lambda: a * b}[op]()
        return {"result": {"bases": [[n, v] for n, v in result.bases], "outs": [[n, s] for n, s in result.out_dims]}}

    def function(self, arguments):
        # A new builder has no insertion point yet, so that the function is the module's alone.
        self.builder = self.gluon_ir.GluonOpBuilder(self.context)
        module = self.builder.create_module()
        self.modules.append(module)
        function = self.builder.get_or_insert_function(module, "f", self.builder.get_function_ty(arguments, []), "public",
                                                       False)
        module.push_back(function)
        self.builder.set_insertion_point_to_start(function.add_entry_block())
        return function

    def from_view(self, layout, shape):
        """to_linear_layout refuses swizzled warps; the printed hardware view does not."""
        text = self.gluon_ir.get_layout_view(layout, shape, True)
        blocks = []
        for line in text.splitlines():
            if line.startswith("Block"):
                blocks.append([])
            elif line.startswith("Warp"):
                if not blocks:
                    blocks.append([])
                blocks[-1].append([])
            else:
                blocks[-1][-1].append([[int(v) for v in c.split(",")] for c in re.findall(r"\(([^)]*)\)", line)])

        def bits(n):
            return [1 << i for i in range(n.bit_length() - 1)]

        return {"register": [blocks[0][0][i][0] for i in bits(len(blocks[0][0]))],
                "lane": [blocks[0][0][0][i] for i in bits(len(blocks[0][0][0]))],
                "warp": [blocks[0][i][0][0] for i in bits(len(blocks[0]))],
                "block": [blocks[i][0][0][0] for i in bits(len(blocks))]}

    def bank_conflicts(self, question):
        registers, shared = (decode(question[k])._to_ir(self.builder) for k in ("registers", "shared"))
        self.function([])
        return {"conflicts": self.builder.get_shared_bank_conflicts(registers, shared, question["shape"], question["bits"])}

    def convert_trivial(self, question):
        source, target = (self.builder.get_distributed_ty(self.builder.get_float_ty(), question["shape"],
                                                          decode(question[k])._to_ir(self.builder)) for k in ("from", "to"))
        function = self.function([source])
        return {"trivial": self.builder.is_convert_layout_trivial(target, function.args(0))}

    def tmem_reg_layouts(self, question):
        import triton.experimental.gluon.language as gl
        dtype = {"fp32": gl.float32, "fp16": gl.float16, "int8": gl.int8}[question["dtype"]]
        result = self.gluon_ir.compute_tmem_reg_layout(dtype, question["shape"], question["alloc_shape"],
                                                       decode(question["layout"]), question["num_warps"],
                                                       question["variant"])
        return {"result": encode(result) if result is not None else None}

    def amd_padded(self, q):
        result = self.gluon_ir.compute_amd_efficient_padded_shared_layout(
            q["operand"], q["k_width"], 4, q["warps_per_cta"], q["instr_shape"], q["transposed"], [1, 1], 32,
            q["cga_layout"], q["shape"], q["bits"], q["k_contiguous"])
        return {"result": encode(result) if result is not None else None}

    def scale_layouts(self, q):
        if q["op"] == "mfma":
            result = self.gluon_ir.get_amd_mfma_scale_layout(q["operand"], q["shape"], q["m"], q["tiles_per_warp"],
                                                             q["warps_per_cta"])
        else:
            result = self.gluon_ir.get_amd_wmma_scale_layout(q["operand"], q["shape"], q["m"], q["n"], q["transposed"],
                                                             q["scale_factor"], q["reg_bases"], q["warp_bases"],
                                                             q["cga_layout"])
        return {"result": encode(result)}


def worker(kind):
    oracle = Oracle()
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = getattr(oracle, kind.replace("-", "_"))(question)
        except Exception as error:  # noqa: BLE001: whatever Triton raises is its answer
            answer = {"rejected": True, "why": str(error).strip().split("\n")[0][:160]}
        print(json.dumps(answer), flush=True)


def ask(kind, questions):
    """Answers in order; a question that ends the worker is rejected and a new worker goes on with the next."""
    process = None
    for question in questions:
        if process is None:
            process = subprocess.Popen([sys.executable, __file__, "--worker", kind], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line:
            yield question, json.loads(line)
        else:
            process.wait()
            process = None
            yield question, {"rejected": True, "why": "assertion"}
    if process:
        process.stdin.close()
        process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", default=os.path.join(os.path.dirname(__file__), "..", "..", "tests", "data", "layouts"))
    parser.add_argument("--only", default=",".join(QUESTIONS))
    parser.add_argument("--worker")
    args = parser.parse_args()
    if args.worker:
        return worker(args.worker)
    os.makedirs(args.o, exist_ok=True)
    for kind in args.only.split(","):
        R.seed(f"{kind} 20261121")
        questions = []
        for question in QUESTIONS[kind]():
            if question.get("shape", 0) is None:
                rank = rank_of(question["layout"])
                question["shape"] = shape_of(rank, 0 if R.random() < 0.3 else 4, 9) if rank == 2 else [
                    1 << R.randint(0, 3), *shape_of(2, 3, 8)]
            questions.append(question)
        rejected = 0
        with open(os.path.join(args.o, kind + ".jsonl"), "w") as out:
            for question, answer in ask(kind, questions):
                rejected += "rejected" in answer
                out.write(json.dumps({**question, **answer}, separators=(",", ":")) + "\n")
        print(f"{kind}: {len(questions)} questions, {rejected} rejected by Triton")


if __name__ == "__main__":
    main()
