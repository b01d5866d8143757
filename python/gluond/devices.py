"""The GPUs that programs ask for where there is none, as Triton's and torch's drivers would describe them."""

from .chips import CHIPS, REGISTERS_PER_UNIT, STANDARD_AMD_TARGET, Chip


def target_of(text):
    """Triton's GPUTarget of `cuda:90` or `hip:gfx942`. ValueError: it is neither."""
    from triton.backends.compiler import GPUTarget

    backend, _, arch = text.partition(":")
    if backend == "cuda" and arch.isdigit():
        return GPUTarget("cuda", int(arch), 32)
    if backend == "hip" and arch.startswith("gfx"):
        known = CHIPS.get(text)
        return GPUTarget("hip", arch, known.warp_size if known else 64 if arch.startswith("gfx9") else 32)
    raise ValueError(f"'{text}' is not a target such as cuda:90 or hip:gfx942")


def chip_of(target) -> Chip:
    """The chip of a target; of one that has no row, the closest older one or the usual one of its vendor."""
    known = CHIPS.get(f"{target.backend}:{target.arch}")
    if known:
        return known
    if target.backend != "cuda":
        return CHIPS[STANDARD_AMD_TARGET]
    older = [name for name in CHIPS if name.startswith("cuda:") and int(name[5:]) <= target.arch]
    return CHIPS[older[-1] if older else next(iter(CHIPS))]


def properties_of(target):
    """As Triton's drivers give a device's properties."""
    chip = chip_of(target)
    return {"max_shared_mem": chip.shared, "multiprocessor_count": chip.units, "max_num_regs": REGISTERS_PER_UNIT, "warpSize": target.warp_size,
            "sm_clock_rate": 1_900_000, "mem_clock_rate": 2_600_000, "mem_bus_width": 5120, "arch": str(target.arch), "cooperativeLaunch": 1}


def capability_of(target):
    return divmod(target.arch, 10) if target.backend == "cuda" else (9, 4)
