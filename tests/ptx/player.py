"""Plays the PTX of one cluster of CTAs, without a GPU: every thread an instruction at a time, all in lock step.

For kernels without loops: integer arithmetic, global and shared memory (of other CTAs too), ldmatrix and stmatrix, shuffles,
branches to later places, which threads reach while the others go on.
What a thread may not do (an access that is not aligned, an instruction that is not known here) raises."""
import re

CTA, MAPPED = 1 << 18, 1 << 28  # bytes of shared memory; where addresses in a cluster begin
BITS = {8: 0xFF, 16: 0xFFFF, 32: 0xFFFFFFFF, 64: 0xFFFFFFFFFFFFFFFF}


def signed(value, bits):
    value &= BITS[bits]
    return value - (1 << bits) if value >> (bits - 1) else value


def operands(text):
    """Split at commas that are in no brackets."""
    return [part.strip() for part in re.split(r",(?![^{\[]*[}\]])", text)] if text else []


def listed(operand):
    return [part.strip() for part in operand.strip("{}").split(",")]


def instructions(text):
    for line in text[text.index("{", text.index(".entry")):].splitlines():
        line = line.split("//")[0].strip().rstrip(";")
        if line.startswith("$") and line.endswith(":"):
            yield "", "label", [line[:-1]]
        if line and line[0] not in ".{}$":
            predicate, _, rest = line.partition(" ") if line[0] == "@" else ("", "", line)
            opcode, _, rest = rest.strip().replace("\t", " ").partition(" ")
            yield predicate[1:], opcode, operands(rest)


class Player:
    """`parameters`: numbers; pointers are offsets into `memory`, a bytearray, which is changed."""

    def __init__(self, text, parameters, memory, threads=128, ctas=1):
        self.text, self.memory, self.per_cta, self.threads = text, memory, threads, threads * ctas
        self.parameters = dict(zip(re.findall(r"\.param [^,\n]*?(\w+_param_\d+)", text), parameters))
        self.shared = bytearray(CTA * ctas)  # one CTA's after another's
        self.registers = [{} for _ in range(self.threads)]
        self.counts = {}  # how often each opcode was met
        self.away = {}  # by thread, the label that it has branched to

    def play(self):
        for predicate, opcode, arguments in instructions(self.text):
            if opcode == "label":
                self.away = {thread: label for thread, label in self.away.items() if label != arguments[0]}
                continue
            self.counts[opcode] = self.counts.get(opcode, 0) + 1
            kind, *suffixes = opcode.split(".")
            if kind == "ret":
                break
            if kind in ("bar", "barrier", "fence"):
                continue  # lock step meets at every instruction
            if kind in ("ldmatrix", "stmatrix"):
                self.matrices(kind, suffixes, arguments)
            elif opcode == "redux.sync.xor.b32":
                for warp in range(0, self.threads, 32):
                    whole = 0
                    for thread in range(warp, warp + 32):
                        whole ^= self.value(thread, arguments[1])
                    for thread in range(warp, warp + 32):
                        self.registers[thread][arguments[0]] = whole
            elif kind == "shfl":
                self.shuffle(suffixes, arguments)
            else:
                for thread in range(self.threads):
                    if thread in self.away:
                        continue
                    if not predicate or bool(self.value(thread, predicate.lstrip("!"))) != predicate.startswith("!"):
                        if kind == "bra":
                            self.away[thread] = arguments[0]
                        else:
                            self.step(thread, kind, suffixes, arguments)
        return self.counts

    def value(self, thread, operand):
        if operand.startswith("%"):
            if operand == "%tid.x":
                return thread % self.per_cta
            if operand == "%cluster_ctarank":
                return thread // self.per_cta
            return 0 if operand[1:].split(".")[0] in ("tid", "ctaid") else self.registers[thread][operand]
        if operand == "global_smem":
            return 0
        operand = operand.rstrip("U")
        return int(operand[2:], 16) if operand.startswith("0f") else int(operand, 0)

    def address(self, thread, operand):
        base, _, offset = operand[1:-1].partition("+")
        return self.value(thread, base) + int(offset or 0)

    def matrices(self, kind, suffixes, arguments):
        count = next(int(suffix[1]) for suffix in suffixes if suffix in ("x1", "x2", "x4"))
        names, where = arguments if kind == "ldmatrix" else arguments[::-1]
        names = listed(names)
        for warp in range(0, self.threads, 32):
            for matrix in range(count):
                rows = [self.address(warp + 8 * matrix + row, where) + warp // self.per_cta * CTA for row in range(8)]
                if any(row % 16 for row in rows):
                    raise ValueError(f"{kind}: a row is not aligned")
                for lane in range(32):
                    registers = self.registers[warp + lane]
                    for half in range(2):
                        place = (2 * (lane % 4) + half, lane // 4) if "trans" in suffixes else (lane // 4, 2 * (lane % 4) + half)
                        at = rows[place[0]] + 2 * place[1]
                        if kind == "stmatrix":
                            self.shared[at:at + 2] = (registers[names[matrix]] >> 16 * half & 0xFFFF).to_bytes(2, "little")
                        else:
                            low = registers[names[matrix]] & 0xFFFF if half else 0
                            registers[names[matrix]] = low | int.from_bytes(self.shared[at:at + 2], "little") << 16 * half

    def shuffle(self, suffixes, arguments):
        target, source, lane = arguments[0].split("|")[0], arguments[1], arguments[2]

        def giver(thread):
            number, own = self.value(thread, lane), thread % 32
            if "bfly" in suffixes:
                own ^= number
            elif "up" in suffixes:
                own = own - number if own >= number else own
            elif "down" in suffixes:
                own = own + number if own + number < 32 else own
            else:
                own = number % 32
            return thread // 32 * 32 + own

        moved = [self.value(giver(thread), source) for thread in range(self.threads)]
        for registers, value in zip(self.registers, moved):
            registers[target] = value

    def access(self, thread, kind, suffixes, arguments):
        memory = self.shared if "shared" in suffixes else self.memory
        size = int(suffixes[-1][1:]) // 8
        names, where = arguments if kind == "ld" else arguments[::-1]
        names, at = listed(names), self.address(thread, where)
        if "shared" in suffixes:
            if at >= CTA:
                raise ValueError(f"{kind}: another CTA's address in shared::cta")
            at += thread // self.per_cta * CTA
        elif "shared::cluster" in suffixes:  # a mapped address tells the CTA, and that it is one
            memory, at = self.shared, at - MAPPED
        if at % (size * len(names)):
            raise ValueError(f"{kind}: address {at} of {size * len(names)} bytes is not aligned")
        for i, name in enumerate(names):
            place = slice(at + i * size, at + (i + 1) * size)
            if kind == "ld":
                self.registers[thread][name] = int.from_bytes(memory[place], "little")
            else:
                memory[place] = (self.value(thread, name) & BITS[8 * size]).to_bytes(size, "little")

    def step(self, thread, kind, suffixes, arguments):
        registers, kind_of = self.registers[thread], suffixes[-1]
        if kind == "ld" and suffixes[0] == "param":
            registers[arguments[0]] = self.parameters[arguments[1][1:-1]]
            return
        if kind in ("ld", "st"):
            self.access(thread, kind, suffixes, arguments)
            return
        if kind == "mapa":
            registers[arguments[0]] = MAPPED + self.value(thread, arguments[2]) * CTA + self.value(thread, arguments[1])
            return
        if kind == "red":
            at = self.address(thread, arguments[0]) + thread // self.per_cta * CTA
            count = int.from_bytes(self.shared[at:at + 4], "little") + self.value(thread, arguments[1])
            self.shared[at:at + 4] = count.to_bytes(4, "little")
            return
        bits = 1 if kind_of == "pred" else int(kind_of[1:])
        if kind == "mov" and (arguments[0][0] == "{" or arguments[1][0] == "{"):
            self.pack(thread, bits, arguments)
            return
        values = [self.value(thread, argument) for argument in arguments[1:]]
        if kind_of[0] == "s" and bits >= 8:
            values = [signed(value, bits) for value in values]
        if kind not in ARITHMETIC:
            raise ValueError("this player does not know " + ".".join([kind, *suffixes]))
        result = ARITHMETIC[kind](suffixes, *values)
        if kind == "cvt":
            bits = int(suffixes[-2][1:])
        elif kind in ("mul", "mad") and "wide" in suffixes:
            bits *= 2
        registers[arguments[0]] = result if bits == 1 or kind == "setp" else result & BITS[bits]

    def pack(self, thread, bits, arguments):
        target, source = map(listed, arguments)
        part = bits // max(len(target), len(source))
        whole = sum((self.value(thread, name) & BITS[bits // len(source)]) << i * part for i, name in enumerate(source))
        for i, name in enumerate(target):
            self.registers[thread][name] = whole >> i * part & BITS[bits // len(target)]


def permute(bytes_, selectors):
    return sum((bytes_ >> 8 * (selectors >> 4 * i & 7) & 0xFF) << 8 * i for i in range(4))


COMPARE = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
           "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
ARITHMETIC = {
    "mov": lambda _, a: a,
    "cvt": lambda _, a: a,
    "add": lambda _, a, b: a + b,
    "sub": lambda _, a, b: a - b,
    "mul": lambda _, a, b: a * b,
    "mad": lambda _, a, b, c: a * b + c,
    "and": lambda _, a, b: a & b,
    "or": lambda _, a, b: a | b,
    "xor": lambda _, a, b: a ^ b,
    "not": lambda _, a: ~a,
    "popc": lambda _, a: a.bit_count(),
    "shl": lambda _, a, b: a << b,
    "shr": lambda _, a, b: a >> b,
    "bfe": lambda _, a, b, c: a >> b & (1 << c) - 1,
    "selp": lambda _, a, b, p: a if p else b,
    "setp": lambda suffixes, a, b: COMPARE[suffixes[0]](a, b),
    "prmt": lambda _, a, b, c: permute(a & BITS[32] | (b & BITS[32]) << 32, c),
}
