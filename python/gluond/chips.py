# Generated from compiler/chips by the target chip_tables; do not edit.
"""The chips that gluond knows, as far as programs ask for a device."""

from typing import NamedTuple


class Chip(NamedTuple):
    device: str  # as a driver names the usual one
    warp_size: int
    capability: tuple[int, int]  # as torch reports it
    shared: int  # bytes of shared memory that a program can have
    shared_per_unit: int  # bytes that a multiprocessor has for all its programs
    threads_per_unit: int  # that a multiprocessor runs at a time
    units: int  # multiprocessors, as a driver counts them


# The target of programs where nothing names one, and the usual target of AMD.
STANDARD_TARGET = "cuda:90"
STANDARD_AMD_TARGET = "hip:gfx942"

# Before this generation (the number before the last two digits of an architecture of AMD) warps have 64 lanes, from then on 32.
FIRST_GENERATION_OF_NARROW_WARPS = 10

# Of a multiprocessor, as every driver says it: AMD's accumulation registers do not count.
REGISTERS_PER_UNIT = 65536

# By target: NVIDIA's from old to new, then AMD's.
CHIPS = {
    "cuda:80": Chip("NVIDIA A100", 32, (8, 0), 166912, 167936, 2048, 108),
    "cuda:86": Chip("NVIDIA A40", 32, (8, 6), 101376, 102400, 1536, 84),
    "cuda:89": Chip("NVIDIA L40S", 32, (8, 9), 101376, 102400, 1536, 142),
    "cuda:90": Chip("NVIDIA H200", 32, (9, 0), 232448, 233472, 2048, 132),
    "cuda:100": Chip("NVIDIA B200", 32, (10, 0), 232448, 233472, 2048, 148),
    "cuda:103": Chip("NVIDIA B300", 32, (10, 3), 232448, 233472, 2048, 148),
    "cuda:120": Chip("NVIDIA RTX PRO 6000", 32, (12, 0), 101376, 102400, 1536, 188),
    "hip:gfx90a": Chip("AMD Instinct MI250X", 64, (9, 0), 65536, 65536, 2048, 110),
    "hip:gfx942": Chip("AMD Instinct MI300X", 64, (9, 4), 65536, 65536, 2048, 304),
    "hip:gfx950": Chip("AMD Instinct MI355X", 64, (9, 5), 163840, 163840, 2048, 256),
    "hip:gfx1100": Chip("AMD Radeon RX 7900 XTX", 32, (11, 0), 65536, 131072, 2048, 48),
    "hip:gfx1201": Chip("AMD Radeon RX 9070 XT", 32, (12, 0), 65536, 131072, 2048, 32),
    "hip:gfx1250": Chip("AMD gfx1250", 32, (12, 5), 327680, 327680, 2048, 256),
}

# The launch options that change the machine code alone, and what gluond assumes without them.
CODE_OPTIONS = {
    "enable_fp_fusion": "true",
    "allow_flush_denorm": "false",
    "waves_per_eu": "0",
    "wgp_cu_mode": "wgp",
    "llvm_fn_attrs": "",
}

# Every target that a user may name.
TARGETS = (
    "cuda:70",
    "cuda:72",
    "cuda:75",
    "cuda:80",
    "cuda:86",
    "cuda:87",
    "cuda:89",
    "cuda:90",
    "cuda:100",
    "cuda:101",
    "cuda:103",
    "cuda:107",
    "cuda:110",
    "cuda:120",
    "cuda:121",
    "hip:gfx906",
    "hip:gfx908",
    "hip:gfx90a",
    "hip:gfx942",
    "hip:gfx942-strict",
    "hip:gfx950",
    "hip:gfx1100",
    "hip:gfx1101",
    "hip:gfx1102",
    "hip:gfx1103",
    "hip:gfx1150",
    "hip:gfx1151",
    "hip:gfx1152",
    "hip:gfx1153",
    "hip:gfx1200",
    "hip:gfx1201",
    "hip:gfx1250",
    "hip:gfx1250-strict",
    "hip:gfx1251",
)
