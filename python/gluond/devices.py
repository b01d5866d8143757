"""The GPUs that programs ask for where there is none, as Triton's and torch's drivers would describe them."""

import difflib

from .chips import CHIPS, FIRST_GENERATION_OF_NARROW_WARPS, REGISTERS_PER_UNIT, STANDARD_AMD_TARGET, TARGETS, Chip


def _row_of(backend, arch):
    """The row of a chip, which has no features (`gfx942:xnack-`) in its name; None: there is none."""
    return CHIPS.get(f"{backend}:{str(arch).partition(':')[0].removesuffix('-strict')}")


def target_of(text):
    """Triton's GPUTarget of `cuda:90` or `hip:gfx942`. ValueError: it is neither."""
    from triton.backends.compiler import GPUTarget

    backend, _, arch = text.partition(":")
    if backend == "cuda" and arch.isdigit():
        return GPUTarget("cuda", int(arch), 32)
    generation = arch.partition(":")[0].removeprefix("gfx").removesuffix("-strict")[:-2]
    if backend == "hip" and arch.startswith("gfx") and generation.isdigit():
        known = _row_of(backend, arch)
        return GPUTarget("hip", arch, known.warp_size if known else 64 if int(generation) < FIRST_GENERATION_OF_NARROW_WARPS else 32)
    raise ValueError(f"'{text}' is not a target such as cuda:90 or hip:gfx942")


def wanted_target(wanted):
    """The target that a user names, or a GPUTarget as it is. ValueError, with the targets that there are: there is none of that name."""
    if not isinstance(wanted, str):
        if not hasattr(wanted, "backend"):
            raise ValueError(f"{wanted!r} is no target: give a name such as '{TARGETS[-1]}', or Triton's GPUTarget")
        return wanted
    if wanted.partition(":xnack")[0].partition(":sramecc")[0] not in TARGETS:
        meant = difflib.get_close_matches(wanted, TARGETS, 1)
        hint = f"did you mean '{meant[0]}'? The" if meant else "the"
        raise ValueError(f"there is no target '{wanted}'; {hint} targets are " + ", ".join(TARGETS))
    return target_of(wanted)


def chip_of(target) -> Chip:
    """The chip of a target; of one that has no row, the closest older one or the usual one of its vendor."""
    known = _row_of(target.backend, target.arch)
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
    """As torch reports a device's; of AMD's architecture without a row, that of the usual chip."""
    return divmod(target.arch, 10) if target.backend == "cuda" else chip_of(target).capability
