"""Plays AMD code objects (hsaco), without a GPU: one workgroup after another, each wave until it waits for the others, all
lanes of an instruction at once (numpy).

    Player(hsaco, "gfx942").play(arguments, memory, threads, shared=bytes, grid=(1, 1, 1))

Reads llvm-objdump's disassembly. Knows GCN5, CDNA1 to CDNA4, RDNA3, RDNA4 and gfx1250 as far as compiled kernels need them; what it
does not know raises. A copy from global memory into LDS arrives as late as the code's waits allow."""
import re
import shutil
import struct
import subprocess
import tempfile

import numpy as np

from instructions import SCALAR, VECTOR
from matrices import multiply

BASE = 0x7E00_0000_0000  # where the kernel's global memory begins
CODE = 0x7D00_0000_0000  # where its code object was loaded
ARGUMENTS = 0x7C00_0000_0000
LDS_BYTES = 327680
CONSTANTS = {"0.5": 0.5, "-0.5": -0.5, "1.0": 1.0, "-1.0": -1.0, "2.0": 2.0, "-2.0": -2.0, "4.0": 4.0, "-4.0": -4.0,
             "0.15915494": 0.15915494309189532, "0.15915494309189532": 0.15915494309189532, "0.15915494309189535": 0.15915494309189532, "0.1592": 0.15915494309189532}
SPECIAL = {"vcc": 106, "vcc_lo": 106, "vcc_hi": 107, "m0": 124, "exec": 126, "exec_lo": 126, "exec_hi": 127}
VECTOR_REGISTERS = 1024  # of them 512 to 767 are CDNA's accumulators


def objdump():
    return shutil.which("llvm-objdump-22") or shutil.which("llvm-objdump")


def split(text):
    """At commas that are in no brackets."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text)] if text.strip() else []


class Operand:
    """A register, a range of them, or a number; with the signs written around it."""
    __slots__ = ("kind", "index", "count", "value", "negative", "absolute", "half", "text", "signed")

    def __init__(self, text):
        self.text, self.negative, self.absolute, self.half, self.kind, self.index, self.count, self.value = text, False, False, None, "number", 0, 1, None
        self.signed = False
        if found := re.fullmatch(r"neg\((.*)\)", text):
            self.negative, text = True, found[1]
        if found := re.fullmatch(r"sext\((.*)\)", text):
            self.signed, text = True, found[1]
        if found := re.fullmatch(r"(-?)\|(.*)\|", text):
            self.negative, self.absolute, text = bool(found[1]), True, found[2]
        elif re.match(r"-[vsa|]", text):
            self.negative, text = True, text[1:]
        if text.endswith((".l", ".h")):
            self.half, text = text[-1] == "h", text[:-2]
        if found := re.fullmatch(r"(v|s|a|ttmp)(?:(\d+)|\[(\d+)(?::(\d+))?\])", text):
            first = int(found[2] or found[3])
            self.kind = "vector" if found[1] in "va" else "scalar"
            self.index = first + {"v": 0, "s": 0, "a": 512, "ttmp": 108}[found[1]]
            self.count = int(found[4]) - first + 1 if found[4] else 1
        elif text in SPECIAL:
            self.kind, self.index, self.count = "scalar", SPECIAL[text], 2 if text in ("vcc", "exec") else 1
        elif text in ("off", "null"):
            self.kind = text
        elif text in ("scc", "src_scc"):
            self.kind = "scc"
        elif text in ("vccz", "src_vccz", "execz", "src_execz"):
            self.kind = text.removeprefix("src_")
        elif text in CONSTANTS:
            self.kind, self.value = "real", CONSTANTS[text]
        elif re.fullmatch(r"-?\d+|0x[0-9a-f]+", text):
            self.value = int(text, 0)
        else:
            self.kind = "word"

    def number(self, bits, real):
        """The bits of a constant where an operation takes `bits` of a float or an integer."""
        if self.kind == "real":
            form = {16: "<e", 32: "<f", 64: "<d"}[bits if real or bits == 64 else 32]
            return int.from_bytes(struct.pack(form, self.value), "little")
        return self.value


class Instruction:
    __slots__ = ("name", "operands", "options", "target", "next", "text", "play", "pair", "base")

    def __init__(self, text, at, size, target):
        self.text, self.target, self.next, self.pair, self.options = text, target, at + size, None, {}
        if " :: " in text:
            text, other = text.split(" :: ")
            self.pair = Instruction(other, at, size, None)
        self.name, _, rest = text.partition(" ")
        parts = split(rest)
        self.operands = []
        for index, part in enumerate(parts):
            if index == len(parts) - 1 or " " in part:
                first, *options = re.split(r"\s+(?![^\[]*\])", part)
                part = first
                for option in options:
                    key, _, value = option.partition(":")
                    self.options[key] = [int(each, 0) for each in value[1:-1].split(",")] if value.startswith("[") else value or True
            self.operands.append(part)
        if self.operands and self.name.startswith(("buffer_", "global_", "ds_", "flat_")) and re.match(r"[a-z_]+\d*:", self.operands[-1]):
            key, _, value = self.operands.pop().partition(":")
            self.options[key] = value
        self.operands = [Operand(each) for each in self.operands]
        self.base = re.sub(r"(_e32|_e64)?(_dpp|_sdwa)?$", "", self.name).replace("v_dual_", "v_")


ALL = -1  # the barrier of all waves


class Barrier(Exception):
    pass


class Sleep(Exception):
    pass


class End(Exception):
    pass


class Fault(Exception):
    """What the code must not do, or the player does not know."""


class Limit(Exception):
    """What the player has not: registers beyond 256 on gfx1250, which a mode chooses."""


class Wave:
    def __init__(self, group, lanes, first, index):
        self.group, self.lanes, self.player = group, lanes, group.player
        self.vectors = np.zeros((VECTOR_REGISTERS, lanes), np.uint32)
        self.scalars = [0] * 132
        self.scc, self.pc, self.index, self.done = 0, 0, index, False
        self.waits, self.joined, self.sleeps = None, None, 0
        self.pending = []  # copies into LDS under way, in the order in which they were begun, among the other accesses that vmcnt counts
        self.asynchronous = []  # likewise, those that asynccnt counts
        self.tensors = []  # likewise, those that tensorcnt counts
        self.execute(min(max(group.threads - first, 0), lanes))
        thread = first + np.arange(lanes, dtype=np.uint32)
        self.vectors[0] = thread

    def execute(self, count):
        self.exec = (1 << count) - 1

    # Lane masks are Python's integers; the one of exec is kept as an array too.
    @property
    def exec(self):
        return self._exec

    @exec.setter
    def exec(self, mask):
        self._exec = mask & ((1 << self.lanes) - 1)
        self.active = bits_of(self._exec, self.lanes)

    def scalar(self, operand, bits=32, real=False):
        kind = operand.kind
        if kind == "scalar":
            if operand.index >= 126:
                return self._exec if bits == 64 else (self._exec >> (32 * (operand.index - 126))) & 0xFFFFFFFF
            value = self.scalars[operand.index]
            if bits == 64:
                value |= self.scalars[operand.index + 1] << 32
            if operand.negative:
                value ^= 1 << (bits - 1)
            if operand.absolute:
                value &= (1 << (bits - 1)) - 1
            return value
        if kind in ("number", "real"):
            return operand.number(bits, real) & ((1 << bits) - 1)
        if kind == "scc":
            return self.scc
        if kind in ("vccz", "execz"):
            return int((self.mask(106) if kind == "vccz" else self._exec) == 0)
        if kind in ("null", "off"):
            return 0
        if kind == "vector":  # readfirstlane's neighbours never ask for it
            raise Fault(f"a scalar from {operand.text}")
        raise Fault(f"an operand {operand.text}")

    def mask(self, index):
        if index == 126:
            return self._exec
        return self.scalars[index] | (self.scalars[index + 1] << 32 if self.lanes == 64 else 0)

    def write_scalar(self, operand, value, bits=32):
        if operand.kind == "null":
            return
        if operand.index >= 126:
            if bits == 64:
                self.exec = value
            else:
                shift = 32 * (operand.index - 126)
                self.exec = self._exec & ~(0xFFFFFFFF << shift) | (value & 0xFFFFFFFF) << shift
            return
        self.scalars[operand.index] = value & 0xFFFFFFFF
        if bits == 64:
            self.scalars[operand.index + 1] = value >> 32 & 0xFFFFFFFF

    def write_mask(self, operand, mask):
        if operand.kind != "null":
            self.write_scalar(operand, mask, self.lanes)

    def raw(self, operand, bits=32, real=False):
        """The operand's bits for each lane, unsigned."""
        if operand.kind == "vector":
            if bits == 64:
                return self.vectors[operand.index].astype(np.uint64) | self.vectors[operand.index + 1].astype(np.uint64) << np.uint64(32)
            value = self.vectors[operand.index]
            return value >> np.uint32(16) if operand.half else value
        signs = operand.negative, operand.absolute
        operand.negative = operand.absolute = False
        value = self.scalar(operand, 64 if bits == 64 else (bits if operand.kind in ("real", "number") and bits == 16 and real else 32), real)
        operand.negative, operand.absolute = signs
        if operand.half:
            value >>= 16
        return np.full(self.lanes, value, np.uint64 if bits == 64 else np.uint32)

    def write(self, index, values):
        row = self.vectors[index]
        row[self.active] = values[self.active] if isinstance(values, np.ndarray) and values.shape else values

    def addresses(self, values):
        """Offsets into the player's memory."""
        return (values - np.uint64(BASE)).astype(np.int64)


def bits_of(mask, lanes):
    return np.unpackbits(np.frombuffer(mask.to_bytes(lanes // 8, "little"), np.uint8), bitorder="little").astype(bool)


def mask_of(flags):
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


class Group:
    """A workgroup."""

    def __init__(self, player, threads, ids):
        self.player, self.threads, self.ids = player, threads, ids
        self.lds = np.zeros(LDS_BYTES, np.uint8)
        self.members = {}  # of barriers that are not for all waves
        self.waves = [Wave(self, player.lanes, first, first // player.lanes) for first in range(0, threads, player.lanes)]
        for wave in self.waves:
            player.begin(wave)

    def play(self):
        """Waves take turns, each until it waits, sleeps or ends. All are released from the barrier of all when the last one is there,
        the members of another barrier when there are as many as the code says."""
        while live := [wave for wave in self.waves if not wave.done]:
            for wave in live:
                if wave.waits is None:
                    try:
                        self.player.run(wave)
                    except Barrier as barrier:
                        wave.waits = barrier.args[0]
                    except Sleep:
                        pass
                    except End:
                        wave.done = True
            live = [wave for wave in live if not wave.done]
            released = [wave for wave in live if wave.waits is not None and (
                all(other.waits == ALL for other in live) if wave.waits == ALL else
                sum(other.waits == wave.waits for other in live) >= self.members.get(wave.waits, 1))]
            for wave in released:
                wave.waits = None
            if live and not released and all(wave.waits is not None or wave.sleeps > 10000 for wave in live):
                raise Fault("its waves wait for each other for ever")


class Player:
    def __init__(self, hsaco, arch, kernel=None):
        self.arch = arch
        self.lanes = 64 if arch.startswith("gfx9") else 32
        self.load(hsaco, kernel)
        with tempfile.NamedTemporaryFile(suffix=".hsaco") as file:
            file.write(hsaco)
            file.flush()
            halves = ["--mattr=+real-true16"] if arch.startswith("gfx120") else []  # not the disassembler's default yet
            text = subprocess.run([objdump(), "-d", *halves, file.name], capture_output=True, text=True, check=True).stdout
        self.program, self.counts = {}, {}
        origins = {}
        for line in text.splitlines():
            if found := re.match(r"([0-9a-f]+) <(.*)>:", line):
                origins[found[2]] = int(found[1], 16)
            elif found := re.match(r"\t(.*?)\s*// ([0-9A-F]+): ((?:[0-9A-F]{8} ?)+)(?:<([^+>]*)(?:\+0x([0-9a-f]+))?>)?", line):
                at = int(found[2], 16)
                target = origins.get(found[4], self.symbols.get(found[4], 0)) + int(found[5] or "0", 16) if found[4] else None
                self.program[at] = Instruction(re.sub(r"\s+", " ", found[1]).strip(), at, 4 * len(found[3].split()), target)

    def load(self, elf, kernel):
        program_at, section_at = struct.unpack_from("<QQ", elf, 32)
        programs, _, sections = struct.unpack_from("<HHH", elf, 56)
        segments = [segment for segment in (struct.unpack_from("<IIQQQQQQ", elf, program_at + 56 * each) for each in range(programs)) if segment[0] == 1]
        self.image = np.zeros(max(segment[3] + segment[6] for segment in segments) + 64, np.uint8)
        for _, _, offset, address, _, stored, _, _ in segments:
            self.image[address:address + stored] = np.frombuffer(elf, np.uint8, stored, offset)
        self.symbols, headers = {}, [struct.unpack_from("<IIQQQQIIQQ", elf, section_at + 64 * each) for each in range(sections)]
        for _, kind, _, _, offset, extent, link, _, _, _ in headers:
            for at in range(offset, offset + extent if kind in (2, 11) else offset, 24):
                name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", elf, at)
                start = headers[link][4] + name
                self.symbols[elf[start:elf.index(b"\0", start)].decode()] = value
        descriptors = [name for name in self.symbols if name.endswith(".kd")]
        at = self.symbols[kernel + ".kd" if kernel else descriptors[0]]
        raw = self.image[at:at + 64].tobytes()
        self.fixed_lds, self.scratch, self.argument_bytes = struct.unpack_from("<III", raw)
        if self.scratch and self.arch in ("gfx906", "gfx908", "gfx90a"):
            raise Limit("values kept in memory of the lanes' own, which is a buffer on these chips")
        self.entry = at + struct.unpack_from("<q", raw, 16)[0]
        self.resources, self.properties = struct.unpack_from("<I", raw, 52)[0], struct.unpack_from("<H", raw, 56)[0]

    def play(self, arguments, memory, threads, shared=0, grid=(1, 1, 1)):
        """`arguments`: bytes; pointers are BASE and an offset into `memory`, an array of bytes, which is changed."""
        self.memory, self.arguments = memory, np.frombuffer(arguments.ljust(self.argument_bytes + 256, b"\0"), np.uint8)
        self.shared = self.fixed_lds + shared
        with np.errstate(all="ignore"):
            for z in range(grid[2]):
                for y in range(grid[1]):
                    for x in range(grid[0]):
                        Group(self, threads, (x, y, z)).play()
        return self.counts

    def begin(self, wave):
        """What is in the registers when a wave starts."""
        x, y, z = wave.group.ids
        before = sum(count for bit, count in enumerate((4, 2, 2)) if self.properties >> bit & 1)
        assert self.properties >> 3 & 1, "the kernel has no arguments' address"
        wave.scalars[before], wave.scalars[before + 1] = ARGUMENTS & 0xFFFFFFFF, ARGUMENTS >> 32
        at = self.resources >> 1 & 31
        if self.arch.startswith("gfx12"):
            wave.scalars[108 + 9], wave.scalars[108 + 7], wave.scalars[108 + 8] = x, y | z << 16, wave.index << 25
        else:
            for bit, value in ((7, x), (8, y), (9, z)):
                if self.resources >> bit & 1:
                    wave.scalars[at] = value
                    at += 1
        wave.pc = self.entry

    def run(self, wave):
        program, counts = self.program, self.counts
        budget = 2_000_000
        while True:
            instruction = program.get(wave.pc)
            if instruction is None:
                raise Fault(f"{wave.pc:#x} is no instruction")
            wave.pc = instruction.next
            counts[instruction.name] = counts.get(instruction.name, 0) + 1
            try:
                self.step(wave, instruction)
            except (Barrier, Sleep, End):
                raise
            except Exception as error:
                raise type(error)(f"{error}, at {instruction.next:#x}: {instruction.text}") from error
            budget -= 1
            if not budget:
                raise Fault("it never ends")

    def step(self, wave, i):
        name = i.name
        if i.pair:
            first, second = compute(wave, i), compute(wave, i.pair)
            store(wave, *first)
            store(wave, *second)
        elif name.startswith("v_"):
            vector(wave, i)
        elif name.startswith("s_"):
            scalar(wave, i)
        elif name.startswith("tensor_"):
            tensor(wave, i)
        elif name.startswith("ds_"):
            local(wave, i)
        else:
            memory(wave, i)

    # Bytes at addresses of each lane: (lanes, count). Reading and writing check that all are in the kernel's memory.
    def place(self, addresses, count):
        if not len(addresses):
            return None
        low, high = int(addresses.min()), int(addresses.max()) + count
        for base, array in ((BASE, self.memory), (CODE, self.image), (ARGUMENTS, self.arguments)):
            if base <= low and high <= base + len(array):
                return array, (addresses - np.uint64(base)).astype(np.int64)[:, None] + np.arange(count)
        raise Fault(f"an access outside of its memory: {low:#x} to {high:#x}")


# ---------------------------------------------------------------------------------------------------------------- scalar

def scalar(wave, i):
    name, operands = i.name, i.operands
    if name == "s_endpgm":
        finish(wave)
        raise End
    if name.startswith(("s_waitcnt", "s_wait_")):
        return wait(wave, i)
    if name == "s_sleep":
        wave.sleeps += 1
        raise Sleep
    if name.startswith(("s_nop", "s_delay_alu", "s_clause", "s_set_inst_prefetch", "s_setprio", "s_sendmsg", "s_setreg", "s_icache", "s_code_end",
                        "s_wakeup", "s_version", "s_ttrace", "s_sched", "s_round_mode", "s_denorm_mode", "s_prefetch", "s_set_vgpr_msb", "s_dcache",
                        "s_inst_prefetch", "s_monitor")):
        if name == "s_set_vgpr_msb" and operands and operands[0].value:
            raise Limit("more than 256 vector registers")
        return
    if name == "s_barrier":
        raise Barrier(ALL)
    if name == "s_barrier_join":
        wave.joined = wave.scalar(operands[0]) & 31
        return
    if name.startswith("s_barrier_signal"):
        word = wave.scalar(operands[0])
        if operands[0].kind == "scalar" and word >> 16 & 127:
            wave.group.members[word & 31] = word >> 16 & 127
        return
    if name == "s_barrier_wait":
        if operands[0].text in ("-1", "0xffff"):
            raise Barrier(ALL)
        if operands[0].text == "1":
            raise Barrier(wave.joined)
        return
    if name == "s_branch":
        wave.pc = i.target
        return
    if name.startswith("s_cbranch_"):
        taken = {"scc0": lambda: not wave.scc, "scc1": lambda: wave.scc, "vccz": lambda: not wave.mask(106), "vccnz": lambda: wave.mask(106),
                 "execz": lambda: not wave._exec, "execnz": lambda: wave._exec}[name[10:]]()
        if taken:
            wave.pc = i.target
        return
    if found := re.match(r"s_(buffer_)?load_(dword|b32|b64|b96|b128|b256|b512|u8|i8|u16|i16)(x\d+)?$", name):
        count = int(found[3][1:]) if found[3] else {"b64": 2, "b96": 3, "b128": 4, "b256": 8, "b512": 16}.get(found[2], 1)
        size = {"u8": 1, "i8": 1, "u16": 2, "i16": 2}.get(found[2], 4)
        address = wave.scalar(operands[1], 64)
        address &= 0xFFFFFFFFFFFF
        within = wave.scalar(operands[2]) if len(operands) > 2 else 0
        address += within * count * size if "scale_offset" in i.options else within
        address += int(str(i.options.get("offset", "0")), 0)
        if size == 4:
            address &= ~3
        array, at = wave.player.place(np.array([address], np.uint64), count * size)
        data = array[at[0]].tobytes()
        if size < 4:
            value = int.from_bytes(data, "little", signed=found[2][0] == "i")
            wave.scalars[operands[0].index] = value & 0xFFFFFFFF
        else:
            for each in range(count):
                wave.scalars[operands[0].index + each] = int.from_bytes(data[4 * each:4 * each + 4], "little")
        return
    if "saveexec" in name:
        bits = int(name[-2:])
        value, old = wave.scalar(operands[1], bits), wave._exec
        kind = name[2:name.index("_saveexec")]
        new = {"and": value & old, "or": value | old, "xor": value ^ old, "andn2": value & ~old, "and_not1": value & ~old, "and_not0": ~value & old,
               "andn1": ~value & old, "orn2": value | ~old, "or_not1": value | ~old, "nand": ~(value & old), "nor": ~(value | old)}[kind]
        wave.write_scalar(operands[0], old, bits)
        wave.exec = new
        wave.scc = int(wave._exec != 0)
        return
    if name == "s_getpc_b64":
        return wave.write_scalar(operands[0], CODE + i.next, 64)
    if name == "s_getreg_b32":
        return wave.write_scalar(operands[0], 0)
    if name in ("s_get_pc_i64",):
        return wave.write_scalar(operands[0], CODE + i.next, 64)
    SCALAR(wave, i)


def finish(wave):
    for queue in (wave.pending, wave.asynchronous, wave.tensors):
        settle(queue, 0)


def settle(queue, left):
    """All but the last `left` of what is under way arrives."""
    while len(queue) > left:
        arrive = queue.pop(0)
        if arrive:
            arrive()


def wait(wave, i):
    text = i.text
    if found := re.search(r"vmcnt\((\d+)\)", text):
        settle(wave.pending, int(found[1]))
    elif i.name == "s_waitcnt" and i.operands and i.operands[0].kind == "number":
        code = i.operands[0].value
        settle(wave.pending, code & 15 | (code >> 14 & 3) << 4 if wave.lanes == 64 else code >> 10 & 63)
    elif i.name in ("s_wait_loadcnt", "s_wait_loadcnt_dscnt"):
        settle(wave.pending, i.operands[0].value & 63 if i.name == "s_wait_loadcnt" else i.operands[0].value >> 8 & 63)
    elif i.name == "s_wait_asynccnt":
        settle(wave.asynchronous, i.operands[0].value)
    elif i.name == "s_wait_tensorcnt":
        settle(wave.tensors, i.operands[0].value)
    elif i.name == "s_wait_idle":
        finish(wave)


# ---------------------------------------------------------------------------------------------------------------- vector

def shuffled(wave, i, operand):
    """The values of a DPP instruction's first operand and where they are valid."""
    options, lane = i.options, np.arange(wave.lanes)
    source, valid = lane.copy(), np.ones(wave.lanes, bool)
    row, within = lane & ~15, lane & 15
    if "dpp8" in options:
        source = lane & ~7 | np.array(options["dpp8"])[lane & 7]
    elif "quad_perm" in options:
        source = lane & ~3 | np.array(options["quad_perm"])[lane & 3]
    else:
        for key in options:
            amount = int(options[key]) if str(options[key]).isdigit() else 0
            if key == "row_shl":
                source, valid = lane + amount, within + amount < 16
            elif key == "row_shr":
                source, valid = lane - amount, within >= amount
            elif key == "row_ror":
                source = row | (within - amount) & 15
            elif key == "row_mirror":
                source = row | 15 - within
            elif key == "row_half_mirror":
                source = lane & ~7 | 7 - (lane & 7)
            elif key in ("row_share", "row_newbcast"):
                source = row | amount
            elif key == "row_xmask":
                source = lane ^ amount
            elif key == "row_bcast":  # the last lane of a row, or of two, for the next ones
                source = (lane & ~15) - 1 if amount == 15 else (lane & ~31) - 1
                valid = source >= 0
            elif key in ("wave_shr", "wave_shl"):
                source = lane - 1 if key == "wave_shr" else lane + 1
                valid = (source >= 0) & (source < wave.lanes)
            elif key in ("wave_ror", "wave_rol"):
                source = (lane - 1 if key == "wave_ror" else lane + 1) % wave.lanes
    source = np.clip(source, 0, wave.lanes - 1)
    fetches = str(i.options.get("fi", "0")) == "1"
    if not fetches:
        valid &= wave.active[source]
    enabled = (int(str(options.get("row_mask", "0xf")), 0) >> (lane // 16) & 1).astype(bool) & (int(str(options.get("bank_mask", "0xf")), 0) >> (within // 4) & 1).astype(bool)
    bound = str(options.get("bound_ctrl", "")) in ("0", "1", "True")
    return wave.raw(operand)[source], valid, enabled, bound


def compute(wave, i):
    return VECTOR(wave, i, shuffled)


def store(wave, rows, masks, lanes):
    active = wave.active if lanes is None else wave.active & lanes
    for operand, mask in masks:
        wave.write_mask(operand, mask & wave._exec)
    for index, values in rows:
        wave.vectors[index][active] = values[active]


def vector(wave, i):
    name, operands = i.base, i.operands
    if name == "v_nop":
        return
    if name == "v_readfirstlane_b32":
        lane = int(np.argmax(wave.active)) if wave._exec else 0
        return wave.write_scalar(operands[0], int(wave.raw(operands[1])[lane]))
    if name == "v_readlane_b32":
        return wave.write_scalar(operands[0], int(wave.vectors[operands[1].index][wave.scalar(operands[2]) % wave.lanes]))
    if name == "v_writelane_b32":
        wave.vectors[operands[0].index][wave.scalar(operands[2]) % wave.lanes] = wave.scalar(operands[1])
        return
    if name.startswith("v_s_"):
        return SCALAR(wave, i)
    if name.startswith("v_permlane"):
        return permute(wave, i)
    if name.startswith(("v_mfma", "v_smfma", "v_wmma", "v_swmma")):
        return multiply(wave, i)
    store(wave, *compute(wave, i))


def permute(wave, i):
    name, operands = i.base, i.operands
    a, b = operands[0].index, operands[1].index
    lane = np.arange(wave.lanes)
    if name in ("v_permlane32_swap_b32", "v_permlane16_swap_b32"):
        step = 32 if "32_swap" in name else 16
        first, second = wave.vectors[a].copy(), wave.vectors[b].copy()
        high = (lane & step) != 0
        wave.vectors[a] = np.where(high, second[lane & ~step], first)  # what was in the low lanes of the second goes to the high ones of the first
        wave.vectors[b] = np.where(high, second, first[lane | step])
        return
    if name == "v_permlane64_b32":
        wave.write(a, wave.vectors[b][lane ^ 32])
        return
    low, high = (wave.scalar(operand) for operand in operands[2:4]) if name != "v_permlanex16_var_b32" and "_var" not in name else (None, None)
    row = lane & ~15 if "x16" not in name else (lane & ~15) ^ 16
    if low is None:
        chosen = wave.raw(operands[2]) & 15
    else:
        table = np.array([low >> 4 * each & 15 for each in range(8)] + [high >> 4 * each & 15 for each in range(8)])
        chosen = table[lane & 15]
    wave.write(a, wave.vectors[b][row | chosen])


# ---------------------------------------------------------------------------------------------------------------- memory

SIZES = {"ubyte": (1, ""), "u8": (1, ""), "sbyte": (1, "i"), "i8": (1, "i"), "ushort": (2, ""), "u16": (2, ""), "sshort": (2, "i"), "i16": (2, "i"),
         "byte": (1, ""), "b8": (1, ""), "short": (2, ""), "b16": (2, ""), "dword": (4, ""), "b32": (4, ""), "dwordx2": (8, ""), "b64": (8, ""),
         "dwordx3": (12, ""), "b96": (12, ""), "dwordx4": (16, ""), "b128": (16, "")}
D16 = {"short_d16": (2, "", 0), "short_d16_hi": (2, "", 1), "ubyte_d16": (1, "", 0), "ubyte_d16_hi": (1, "", 1), "sbyte_d16": (1, "i", 0), "sbyte_d16_hi": (1, "i", 1),
       "d16_b16": (2, "", 0), "d16_hi_b16": (2, "", 1), "d16_u8": (1, "", 0), "d16_hi_u8": (1, "", 1), "d16_i8": (1, "i", 0), "d16_hi_i8": (1, "i", 1),
       "u16_d16": (2, "", 0), "u16_d16_hi": (2, "", 1), "u8_d16": (1, "", 0), "u8_d16_hi": (1, "", 1), "i8_d16": (1, "i", 0), "i8_d16_hi": (1, "i", 1),
       "byte_d16_hi": (1, "", 1), "d16_hi_b8": (1, "", 1), "b8_d16_hi": (1, "", 1), "b16_d16_hi": (2, "", 1)}


def offset(i, key="offset"):
    return int(str(i.options.get(key, "0")), 0)


def to_registers(wave, index, data, kind, half=None, lanes=None):
    """Bytes of each active lane, (active, bytes), into registers from `index` on."""
    where = np.flatnonzero(wave.active) if lanes is None else lanes
    if half is not None:
        value = np.zeros((len(where), 2), np.uint8)
        value[:, :data.shape[1]] = data
        if kind == "i" and data.shape[1] == 1:
            value[:, 1] = np.where(data[:, 0] >= 128, 255, 0)
        words = value.copy().view(np.uint16)[:, 0].astype(np.uint32)
        old = wave.vectors[index][where]
        wave.vectors[index][where] = old & np.uint32(0xFFFF) | words << np.uint32(16) if half else old & np.uint32(0xFFFF0000) | words
        return
    if data.shape[1] < 4:
        value = np.zeros((len(where), 4), np.uint8)
        value[:, :data.shape[1]] = data
        if kind == "i":
            value[:, data.shape[1]:] = np.where(data[:, -1:] >= 128, 255, 0)
        data = value
    words = np.ascontiguousarray(data).view(np.uint32)
    for each in range(words.shape[1]):
        wave.vectors[index + each][where] = words[:, each]


def from_registers(wave, operand, size, half=0):
    """Likewise, out of registers."""
    words = np.stack([wave.vectors[operand.index + each][wave.active] for each in range(max(1, size // 4))], 1)
    if half or operand.half:
        words = words >> np.uint32(16)
    return np.ascontiguousarray(words).view(np.uint8)[:, :size]


def global_addresses(wave, i, address, base):
    if base.kind in ("off", "null"):
        return wave.raw(address, 64) + np.uint64(offset(i) % (1 << 64))
    start = wave.scalar(base, 64)
    within = wave.raw(address).astype(np.uint64) if address.kind == "vector" and address.count == 1 else wave.raw(address, 64)
    if "scale_offset" in i.options:
        within = within * np.uint64(SIZES.get(i.name.split("_")[-1], (4, ""))[0])
    return within + np.uint64((start + offset(i)) % (1 << 64))


def atomic(wave, i, kind, addresses, data, result, size, array_of):
    """Lane by lane, as the hardware orders them in some way."""
    words = {4: np.uint32, 8: np.uint64, 2: np.uint16}[size]
    for number, address in enumerate(addresses):
        array, at = array_of(np.array([address], np.uint64), size)
        old = array[at[0]].view(words)[0]
        new = atomic_result(kind, old, data[number], size)
        array[at[0]] = np.array([new]).astype(words).view(np.uint8) if not isinstance(new, np.ndarray) else new.view(np.uint8)
        if result is not None:
            lane = np.flatnonzero(wave.active)[number]
            wave.vectors[result][lane] = np.uint32(int(old) & 0xFFFFFFFF)
            if size == 8:
                wave.vectors[result + 1][lane] = np.uint32(int(old) >> 32)


def atomic_result(kind, old, data, size):
    words = {4: np.uint32, 8: np.uint64, 2: np.uint16}[size]
    value = data[:size].view(words)[0]
    if kind.startswith(("cmpswap", "cmpst")):
        compare = data[size:2 * size].view(words)[0]
        return value if old == compare else old
    if kind.startswith(("swap", "wrxchg")):
        return value
    if kind.startswith("pk_add"):
        pair = np.array([old]).view(np.uint8)
        if "bf16" in kind:
            a, b = (each.copy().view(np.uint16).astype(np.uint32) << np.uint32(16) for each in (pair, data[:size]))
            total = (a.view(np.float32) + b.view(np.float32)).view(np.uint32)
            return ((total + np.uint32(0x7FFF) + (total >> np.uint32(16) & np.uint32(1))) >> np.uint32(16)).astype(np.uint16)
        return pair.view(np.float16) + data[:size].copy().view(np.float16)
    if "_f" in kind or "num" in kind:
        real = {4: np.float32, 8: np.float64}[size]
        a, b = np.array([old]).view(real), np.array([value]).view(real)
        return (a + b if kind.startswith("add") else np.fmin(a, b) if "min" in kind else np.fmax(a, b)).view(words)
    signed = {4: np.int32, 8: np.int64}[size]
    a, b = np.array([old]), np.array([value])
    if kind.startswith(("smax", "max_i", "smin", "min_i")):
        a, b = a.view(signed), b.view(signed)
    if "max" in kind:
        return np.maximum(a, b).view(words)
    if "min" in kind:
        return np.minimum(a, b).view(words)
    return {"add": a + b, "sub": a - b, "and": a & b, "or": a | b, "xor": a ^ b}[re.match(r"(add|sub|and|or|xor)", kind)[1]]


def memory(wave, i):
    name, operands, player = i.name, i.operands, wave.player
    if name.startswith(("buffer_wb", "buffer_inv", "buffer_gl", "global_wb", "global_inv", "global_prefetch")):
        return
    space, _, rest = name.partition("_")
    kind, _, what = rest.partition("_")
    is_lds = "lds" in i.options or "_lds_" in name or name.endswith("_lds")
    wave_lanes = np.flatnonzero(wave.active)

    if space == "buffer":
        if kind == "atomic":
            data, address, resource, extra = operands
        elif is_lds:
            data = None
            address, resource, extra = operands if len(operands) == 3 else (Operand("off"), *operands)
        else:
            data, address, resource, extra = operands
        base = wave.scalars[resource.index] | (wave.scalars[resource.index + 1] & 0xFFFF) << 32
        if wave.player.arch == "gfx1250":
            base = (wave.scalars[resource.index] | wave.scalars[resource.index + 1] << 32) & (1 << 57) - 1
            records = (wave.scalars[resource.index + 1] >> 25 | wave.scalars[resource.index + 2] << 7) & (1 << 45) - 1
        else:
            records = wave.scalars[resource.index + 2]
        within = np.full(wave.lanes, offset(i), np.uint64)
        if "offen" in i.options:
            within = within + wave.raw(address).astype(np.uint64)
        soffset = wave.scalar(extra)
        addresses = within + np.uint64(base + soffset)
        what = what.removeprefix("lds_")
        reach = within + np.uint64(soffset if wave.player.arch.startswith("gfx12") else 0)
    elif is_lds and space == "global" and kind == "load":
        address, base = operands[0], operands[1]
        if "async" in name:
            address, base = operands[1], operands[2]
        addresses, records = global_addresses(wave, i, address, base), None
        what = what.replace("lds_", "").replace("async_to_", "").replace("async_", "")
    elif kind == "atomic":
        returns = operands[0].kind == "vector" and len(operands) == 4 or space == "flat" and len(operands) == 3
        address, data = operands[1 if returns else 0], operands[2 if returns else 1]
        base = operands[-1] if space == "global" else Operand("off")
        addresses, records = global_addresses(wave, i, address, base), None
    else:
        if space == "scratch":
            return scratch(wave, i, kind, what)
        data, address = (operands[0], operands[1]) if kind == "load" else (operands[1], operands[0])
        addresses, records = global_addresses(wave, i, address, operands[2] if space == "global" else Operand("off")), None

    addresses = addresses[wave.active]
    if kind == "atomic":
        two = re.search(r"(_x2|_b64|_u64|_i64|_f64)$", what)
        size = 8 if two else 4
        count = 2 * size if what.startswith("cmpswap") else size
        if space == "buffer":
            result = data.index if "sc0" in i.options or "glc" in i.options or i.options.get("th") == "TH_ATOMIC_RETURN" else None
            inside = reach[wave.active] + np.uint64(size) <= np.uint64(records)
        else:
            result, inside = (operands[0].index if returns else None), np.ones(len(addresses), bool)
        values = from_registers(wave, data, count)
        saved = wave.exec
        wave.exec = mask_of(np.isin(np.arange(wave.lanes), wave_lanes[inside]))
        atomic(wave, i, re.sub(r"_x2$", "", what), addresses[inside], values[inside], result, size, player.place)
        if result is not None:
            outside = wave_lanes[~inside]
            wave.vectors[result][outside] = 0
        wave.exec = saved
        return wave.pending.append(None)
    half, sign = None, ""
    if what in D16:
        size, sign, half = D16[what]
    else:
        size, sign = SIZES[what]
    inside = np.ones(len(addresses), bool) if records is None else reach[wave.active] + np.uint64(size) <= np.uint64(records)
    if kind == "load":
        values = np.zeros((len(addresses), size), np.uint8)
        if inside.any():
            array, at = player.place(addresses[inside], size)
            values[inside] = array[at]
        if is_lds:
            lds = wave.group.lds
            if "async" in name:
                places = wave.raw(operands[0]).astype(np.int64)[wave.active] + offset(i)
            else:
                places = wave.scalars[124] + offset(i) + np.arange(wave.lanes)[wave.active] * size

            def arrive():
                in_lds(wave, places, size)
                lds[places[:, None] + np.arange(size)] = values
            (wave.asynchronous if "async" in name else wave.pending).append(arrive)
            return
        to_registers(wave, data.index, values, sign, half if half is not None else (None if data.half is None else int(data.half)))
        return wave.pending.append(None)
    if is_lds:  # an asynchronous store out of LDS
        places = wave.raw(operands[1]).astype(np.int64)[wave.active] + offset(i)
        values = wave.group.lds[places[:, None] + np.arange(size)]
    else:
        values = from_registers(wave, data, size, half or 0)
    if inside.any():
        array, at = player.place(addresses[inside], size)
        array[at] = values[inside]
    if wave.lanes == 64 or not wave.player.arch.startswith("gfx1"):
        wave.pending.append(None)


def scratch(wave, i, kind, what):
    private = wave.__dict__.setdefault("private", np.zeros((wave.lanes, max(wave.player.scratch, 4)), np.uint8))
    data, address, base = (i.operands[0], i.operands[1], i.operands[2]) if kind == "load" else (i.operands[1], i.operands[0], i.operands[2])
    if kind not in ("load", "store"):
        raise Fault("not known here")
    at = offset(i) + (wave.raw(address).astype(np.int64) if address.kind == "vector" else 0) + (wave.scalar(base) if base.kind == "scalar" else 0)
    at = np.broadcast_to(at, wave.lanes)[wave.active]
    half, sign = None, ""
    if what in D16:
        size, sign, half = D16[what]
    else:
        size, sign = SIZES[what]
    lanes = np.flatnonzero(wave.active)[:, None]
    if kind == "load":
        return to_registers(wave, data.index, private[lanes, at[:, None] + np.arange(size)], sign, half)
    private[lanes, at[:, None] + np.arange(size)] = from_registers(wave, data, size, half or 0)


def in_lds(wave, places, size):
    """The places as the hardware counts them, modulo 2**32."""
    places = places.astype(np.int64) & 0xFFFFFFFF
    if len(places) and (int(places.min()) < 0 or int(places.max()) + size > wave.player.shared):
        raise Fault(f"LDS at {int(places.min())} to {int(places.max()) + size}, of {wave.player.shared} bytes")
    return places


def local(wave, i):
    name, operands, lds, active = i.name, i.operands, wave.group.lds, wave.active
    if name in ("ds_bpermute_b32", "ds_permute_b32", "ds_bpermute_fi_b32"):
        chosen = ((wave.raw(operands[1]) + np.uint32(offset(i))) >> np.uint32(2)).astype(np.int64) % wave.lanes
        values = wave.raw(operands[2])
        if name == "ds_permute_b32":
            result = np.zeros(wave.lanes, np.uint32)
            for lane in np.flatnonzero(active):
                result[chosen[lane]] = values[lane]
            return wave.write(operands[0].index, result)
        fetched = np.where(active[chosen] | ("fi" in name), values[chosen], 0).astype(np.uint32)
        return wave.write(operands[0].index, fetched)
    if name == "ds_swizzle_b32":
        return swizzle(wave, i)
    if name.startswith(("ds_read_b64_tr", "ds_read_b96_tr", "ds_load_tr", "ds_load_b64_tr", "ds_load_b96_tr")):
        return transposed(wave, i)
    if found := re.match(r"ds_(?:read|load)_?(\w+)$", name):
        what = found[1]
        base = wave.raw(operands[1]).astype(np.int64)[active]
        if two := re.match(r"(?:2(?:st64)?|2addr(?:_stride64)?)_b(32|64)$", what):
            size = int(two[1]) // 8
            unit = size * (64 if "64_b" in what else 1)
            parts = [base + unit * offset(i, key) for key in ("offset0", "offset1")]
            parts = [in_lds(wave, part, size) for part in parts]
            data = np.concatenate([lds[part[:, None] + np.arange(size)] for part in parts], 1)
            return to_registers(wave, operands[0].index, data, "")
        half, sign = None, ""
        if what in D16:
            size, sign, half = D16[what]
        else:
            size, sign = SIZES[what]
        at = in_lds(wave, base + offset(i), size)
        if size in (4, 8) and (at % (4 if size == 4 else 4)).any() or size == 16 and (at % 4).any():
            raise Fault("LDS read at an address that is not aligned")
        return to_registers(wave, operands[0].index, lds[at[:, None] + np.arange(size)], sign,
                            half if half is not None else (None if operands[0].half is None else int(operands[0].half)))
    if found := re.match(r"ds_(?:write|store)_?(\w+)$", name):
        what = found[1]
        base = wave.raw(operands[0]).astype(np.int64)[active]
        if two := re.match(r"(?:2(?:st64)?|2addr(?:_stride64)?)_b(32|64)$", what):
            size = int(two[1]) // 8
            unit = size * (64 if "64_b" in what else 1)
            for key, operand in (("offset0", operands[1]), ("offset1", operands[2])):
                at = in_lds(wave, base + unit * offset(i, key), size)
                lds[at[:, None] + np.arange(size)] = from_registers(wave, operand, size)
            return
        half = 0
        if what in D16:
            size, _, half = D16[what]
        else:
            size, _ = SIZES[what]
        at = in_lds(wave, base + offset(i), size)
        lds[at[:, None] + np.arange(size)] = from_registers(wave, operands[1], size, half)
        return
    if name in ("ds_atomic_barrier_arrive_rtn_b64", "ds_atomic_async_barrier_arrive_b64"):
        returns = "rtn" in name
        for lane in np.flatnonzero(active):
            place = int(wave.raw(operands[1 if returns else 0])[lane]) + offset(i)
            old = arrive(wave, place, int(wave.raw(operands[2])[lane]) if returns else 1)
            if returns:
                wave.vectors[operands[0].index][lane], wave.vectors[operands[0].index + 1][lane] = old & 0xFFFFFFFF, old >> 32
        return
    if found := re.match(r"ds_(add|sub|and|or|xor|min|max|cmpst|cmpstore|cmpswap|wrxchg|storexchg|swap)(_rtn)?_((?:rtn_)?[a-z]*(?:num_)?[a-z]?\d+)$", name):
        returns = "rtn" in name
        size = 8 if name.endswith("64") else 4
        address, data = operands[1 if returns else 0], operands[2 if returns else 1]
        places = in_lds(wave, wave.raw(address).astype(np.int64)[active] + offset(i), size)
        values = from_registers(wave, data, size)
        kind = found[1].replace("wrxchg", "swap").replace("storexchg", "swap")
        if kind.startswith("cmp"):
            other = from_registers(wave, operands[3 if returns else 2], size)
            new = [other, values] if kind == "cmpst" else [values, other]
            values, kind = np.concatenate(new, 1), "cmpswap"
        atomic(wave, i, kind + "_" + found[3].replace("rtn_", ""), places, values, operands[0].index if returns else None, size,
               lambda at, count: (lds, at.astype(np.int64)[:, None] + np.arange(count)))
        return
    raise Fault("not known here")


def transposed(wave, i):
    """Every lane names a run of neighbors; lane l gets the element l % run of as many runs as a run has elements. Who names them: CDNA 4's
    lanes of a group of 16 in order, row by row; gfx1250's by bits of the element's number in the result (n) and of the lane's (l)."""
    name, operands = i.name, i.operands
    bits = int(re.search(r"tr_?b?(\d+)", name)[1])
    size = {"b64": 8, "b96": 12, "b128": 16}[re.search(r"b64|b96|b128", name)[0]]
    at = wave.raw(operands[1]).astype(np.int64) + offset(i)
    at = np.where(wave.active, at & 0xFFFFFFFF, 0)
    in_lds(wave, at[wave.active], size)
    data = wave.group.lds[at[:, None] + np.arange(size)]  # (lanes, bytes)
    flat = np.unpackbits(data, axis=1, bitorder="little").reshape(wave.lanes, size * 8 // bits, bits)  # (lanes, elements, bits)
    count = flat.shape[1]
    lane, number = np.arange(wave.lanes)[:, None], np.arange(count)[None, :]
    if name.startswith("ds_load"):
        if bits not in (4, 8, 16):
            raise Fault(f"{name} is not known")
        source = {16: number | lane & 24, 8: number & 3 | lane >> 1 & 4 | number << 1 & 8 | lane & 16, 4: number & 7 | lane >> 1 & 8 | number << 1 & 16}[bits]
    else:
        source = lane & ~15 | number * 16 // count + lane % 16 // count
    words = np.packbits(flat[source, lane % count].reshape(wave.lanes, -1), axis=1, bitorder="little")
    to_registers(wave, operands[0].index, words[wave.active], "")


def arrive(wave, place, count):
    """At a barrier in LDS: what is still expected (less one), the phase from bit 29 on, and what the next phase expects."""
    word = int(wave.group.lds[place:place + 8].view(np.uint64)[0])
    pending, phase, again = word & (1 << 29) - 1, word >> 29 & 7, word >> 32 & (1 << 29) - 1
    pending -= count
    if pending < 0:
        pending, phase = again, phase + 1 & 7
    wave.group.lds[place:place + 8] = np.array([word >> 61 << 61 | again << 32 | phase << 29 | pending], np.uint64).view(np.uint8)
    return word


def tensor(wave, i):
    """A copy of a tile of up to five dimensions between global memory and LDS, which a descriptor of scalar registers tells of; or of rows
    whose numbers are in the descriptor."""
    groups = [sum(wave.scalars[operand.index + each] << 32 * each for each in range(operand.count)) if operand.kind == "scalar" else 0 for operand in i.operands]
    groups += [0] * (4 - len(groups))

    def part(group, bit, width):
        return groups[group] >> bit & (1 << width) - 1
    if not part(0, 0, 1):
        return
    lds, place, base, size = wave.group.lds, part(0, 32, 32), part(0, 64, 57), 1 << part(1, 16, 2)
    extents = [part(1, 48, 32), part(1, 80, 32), part(2, 0, 32), part(2, 32, 32), part(3, 48, 32)]
    sizes = [part(1, 112, 16), part(1, 128, 16), part(1, 144, 16), part(2, 112, 16), part(3, 80, 16)]
    tile = [max(each, 1) for each in sizes]  # 0: the block has no such dimension
    strides = [1, part(1, 160, 48), part(1, 208, 48), part(2, 64, 48), part(3, 0, 48)]
    rows = None
    if part(0, 31, 1):
        bits, all_numbers = 32 if part(0, 30, 1) else 16, groups[2] | groups[3] << 128
        rows = np.array([all_numbers >> bits * each & (1 << bits) - 1 for each in range(tile[1])])
        extents, tile, strides = extents[:2], tile[:2], strides[:2]
        if len(rows) * bits > 256:
            raise Fault(f"{len(rows)} row numbers of {bits} bits in one instruction")
    count = int(np.prod(tile))
    index, inside, distance = np.arange(count), np.ones(count, bool), np.zeros(count, np.uint64)
    for dim, (extent, length, stride) in enumerate(zip(extents, tile, strides)):
        at, index = index % length, index // length
        if dim == 1 and rows is not None:
            at = rows[at]
        if sizes[dim] or rows is not None:
            inside &= at < extent
        distance += at.astype(np.uint64) * np.uint64(stride)
    addresses = np.uint64(base) + distance * np.uint64(size)
    places = place + np.arange(count) * size
    if part(1, 20, 1):
        places += np.arange(count) * size // (8 << part(1, 22, 3)) * 4 * (part(1, 25, 7) + 1)
    in_lds(wave, places, size)
    barrier = part(1, 32, 16) * 8 if part(1, 18, 1) else None
    values = np.zeros((count, size), np.uint8)
    loads = i.name.startswith("tensor_load")
    if loads and inside.any():
        array, at = wave.player.place(addresses[inside], size)
        values[inside] = array[at]

    def finish():
        if loads:
            lds[places[:, None] + np.arange(size)] = values
        elif inside.any():
            array, at = wave.player.place(addresses[inside], size)
            array[at] = lds[places[inside][:, None] + np.arange(size)]
        if barrier is not None:
            arrive(wave, barrier, 1)
    if barrier is None:
        wave.tensors.append(finish)
    else:
        finish()  # whoever waits at the barrier is told


def swizzle(wave, i):
    found = re.search(r"offset:swizzle\((.*)\)|offset:(\d+|0x[0-9a-f]+)", i.text)
    lane = np.arange(wave.lanes)
    if found[1]:
        kind, *numbers = [part.strip() for part in found[1].split(",")]
        if kind == "QUAD_PERM":
            source = lane & ~3 | np.array([int(each) for each in numbers])[lane & 3]
        elif kind == "SWAP":
            source = lane ^ int(numbers[0])
        elif kind == "REVERSE":
            source = lane ^ (int(numbers[0]) - 1)
        elif kind == "BROADCAST":
            source = lane & ~(int(numbers[0]) - 1) | int(numbers[1])
        elif kind == "BITMASK_PERM":
            source = np.zeros_like(lane)
            for bit, letter in enumerate(reversed(numbers[0].strip('"'))):
                own = lane >> bit & 1
                source |= {"0": 0 * own, "1": 0 * own + 1, "p": own, "i": 1 - own}[letter] << bit
            source |= lane & ~31
    else:
        code = int(found[2], 0)
        if code & 0x8000:
            source = lane & ~3 | np.array([code >> 2 * each & 3 for each in range(4)])[lane & 3]
        else:
            source = (lane & 31 & code & 31 | code >> 5 & 31) ^ (code >> 10 & 31) | lane & ~31
    wave.write(i.operands[0].index, wave.raw(i.operands[1])[source])
