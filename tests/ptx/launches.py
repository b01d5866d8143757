"""What a launch record needs to be played by ptx_player: a grid, numbers, memory that is full of small numbers, tensor maps.

A record says types and divisibility, not values. The values made here are the same for every compiler."""
import struct

WINDOW, APART = 0x4000_0000_0000, 1 << 36  # player/Machine.h
FILLS = {"fp16": "f16", "bf16": "bf16", "fp32": "f32", "fp64": "f64", "fp8e4nv": "e4m3", "fp8e5": "e5m2", "i32": "i32", "u32": "i32", "i64": "i64", "u64": "i64",
         "i16": "i16", "u16": "i16", "i8": "byte", "u8": "byte", "i1": "i1", "u1": "i1"}
BITS = {"fp16": 16, "bf16": 16, "fp32": 32, "fp64": 64, "fp8e4nv": 8, "fp8e5": 8, "i32": 32, "u32": 32, "i64": 64, "u64": 64, "i16": 16, "u16": 16, "i8": 8, "u8": 8}
ELEMENTS = {"i8": 0, "u8": 0, "fp8e4nv": 0, "fp8e5": 0, "i16": 1, "u16": 1, "i32": 3, "u32": 2, "i64": 5, "u64": 4, "fp16": 6, "fp32": 7, "fp64": 9, "bf16": 10}
PADDED_NIBBLES = 14


def tensor_map(address, element, shape, strides, box, swizzle, lower=(), upper=(), pixels=0, channels=0):
    """The bytes of player/TensorMap.h. Shapes, strides (in bytes) and boxes with the contiguous dimension last, as Triton has them."""
    def turned(numbers, count, other=0):
        numbers = list(reversed(numbers))
        return numbers + [other] * (count - len(numbers))
    mode = {0: 0, 32: 1, 64: 2, 128: 3}[swizzle]
    im2col = bool(pixels)
    return (struct.pack("<QBBBBBBH", address, len(shape) - 1, element, 0, mode, 0, im2col, 0) + struct.pack("<5I", *turned(box, 5)) +
            struct.pack("<5I", *turned(shape, 5)) + struct.pack("<5I", *[1] * 5) + struct.pack("<I", 0) + struct.pack("<4Q", *turned(strides[:-1], 4)) +
            struct.pack("<3h", *turned(lower, 3)) + struct.pack("<3h", *turned(upper, 3)) + struct.pack("<HH", pixels, channels))


def box_of(argument):
    """What one message of a copy moves: a CTA's part of the block, no wider than the swizzle, no more than 256 of a dimension."""
    layout, box = argument["layout"], list(argument["block"])
    for basis in layout.get("cga_layout") or []:
        for axis, step in enumerate(basis):
            if step:
                box[axis] //= 2
    bits = BITS[argument["dtype"]]
    width = layout["swizzle_byte_width"]
    if layout.get("fp4_padded"):
        box[-1] = min(2 * box[-1], 128)
    elif width:
        box[-1] = min(box[-1], 8 * width // bits)
    return [min(each, 256) for each in box]


def flat(arguments):
    for argument in arguments:
        if argument["type"] == "tuple":
            yield from flat(argument["elements"])
        elif argument["type"] != "constexpr":
            yield argument


class Launch:
    def __init__(self, record, size=256, odd=77, grid=(2, 2, 1), scalars=None, late=False):
        """`size`: numbers that are divisible by 16, and extents of described tensors; `odd`: other integers; `scalars`: by name."""
        self.regions, self.parameters, scalars = [], [], scalars or {}
        for argument in flat(record["args"]):
            kind, name = argument["type"], argument.get("name", "")
            if kind.startswith("tensordesc"):
                self.descriptor(argument, size)
            elif kind.startswith("*"):
                dtype = kind.lstrip("*").removeprefix("k")
                self.parameters.append(struct.pack("<Q", self.region(name, dtype)).hex())
            elif kind.startswith("fp") or kind == "bf16":
                value = scalars.get(name, 0.5)
                self.parameters.append((struct.pack("<f", value)[2:] if kind == "bf16" else struct.pack({"fp16": "<e", "fp32": "<f", "fp64": "<d"}[kind], value)).hex())
            else:
                value = scalars.get(name, 1 if kind in ("u1", "i1") else size if argument.get("divisible_by") else odd)
                self.parameters.append(int(value).to_bytes(max(BITS.get(kind, 8) // 8, 1), "little", signed=value < 0).hex())
        for name in ("scratch", "profile"):  # for which nothing is needed but a place
            self.parameters.append(struct.pack("<Q", self.region(name, "zero")).hex())
        ctas = record["options"].get("num_ctas", 1)
        self.grid, self.late = [grid[0] * ctas, *grid[1:]], late

    def region(self, name, dtype, at=None):
        number = len(self.regions)
        fill = "e8m0" if "scale" in name and dtype in ("u8", "i8") else FILLS.get(dtype, "zero")
        self.regions.append({"name": f"{number}.{name}", "at": WINDOW + number * APART, "bytes": APART, "fill": fill, "seed": number + 1})
        return WINDOW + number * APART + (1 << 35)  # programs may step back

    def descriptor(self, argument, size):
        layout, dtype = argument["layout"], argument["dtype"]
        if argument["type"] == "tensordesc_im2col":
            raise NotImplementedError("im2col")
        rank, bits = len(argument["block"]), BITS[dtype]
        shape = [size] * rank
        strides = [size ** (rank - 1 - axis) * bits // 8 for axis in range(rank)]
        address = self.region(argument["name"], dtype)
        nibbles = layout.get("fp4_padded")
        self.parameters.append(tensor_map(address, PADDED_NIBBLES if nibbles else ELEMENTS[dtype], shape[:-1] + [2 * size] if nibbles else shape, strides,
                                          box_of(argument), layout["swizzle_byte_width"]).hex())
        self.parameters += [struct.pack("<i", each).hex() for each in shape] + [struct.pack("<q", each * 8 // bits).hex() for each in strides]

    def json(self):
        return {"grid": self.grid, "parameters": self.parameters, "regions": self.regions, "late": self.late}
