"""Facts about GPUs that are not there, as far as programs ask for them."""

# By target: bytes of shared memory that a program can have, multiprocessors, name. Others are like the nearest one below.
FACTS = {
    "cuda:80": (166912, 108, "NVIDIA A100"), "cuda:86": (101376, 84, "NVIDIA A40"), "cuda:89": (101376, 142, "NVIDIA L40S"),
    "cuda:90": (232448, 132, "NVIDIA H200"), "cuda:100": (232448, 148, "NVIDIA B200"), "cuda:103": (232448, 148, "NVIDIA B300"),
    "cuda:120": (101376, 188, "NVIDIA RTX PRO 6000"), "hip:gfx90a": (65536, 110, "AMD Instinct MI250"), "hip:gfx942": (65536, 304, "AMD Instinct MI300X"),
    "hip:gfx950": (163840, 256, "AMD Instinct MI355X"), "hip:gfx1100": (65536, 96, "AMD Radeon RX 7900"), "hip:gfx1201": (65536, 64, "AMD Radeon RX 9070"),
    "hip:gfx1250": (327680, 256, "AMD gfx1250"),
}


def target_of(text):
    """Triton's GPUTarget of `cuda:90` or `hip:gfx942`. ValueError: it is neither."""
    from triton.backends.compiler import GPUTarget

    backend, _, arch = text.partition(":")
    if backend == "cuda" and arch.isdigit():
        return GPUTarget("cuda", int(arch), 32)
    if backend == "hip" and arch.startswith("gfx"):
        return GPUTarget("hip", arch, 64 if arch.startswith("gfx9") else 32)
    raise ValueError(f"'{text}' is not a target such as cuda:90 or hip:gfx942")


def facts_of(target):
    name = f"{target.backend}:{target.arch}"
    if name in FACTS:
        return FACTS[name]
    below = [key for key in FACTS if key.startswith("cuda:") and target.backend == "cuda" and int(key[5:]) <= target.arch]
    return FACTS[below[-1] if below else "cuda:80" if target.backend == "cuda" else "hip:gfx942"]


def properties_of(target):
    """As Triton's drivers give a device's properties."""
    shared, multiprocessors, _ = facts_of(target)
    return {"max_shared_mem": shared, "multiprocessor_count": multiprocessors, "max_num_regs": 65536, "warpSize": target.warp_size,
            "sm_clock_rate": 1_900_000, "mem_clock_rate": 2_600_000, "mem_bus_width": 5120, "arch": str(target.arch), "cooperativeLaunch": 1}


def capability_of(target):
    return divmod(target.arch, 10) if target.backend == "cuda" else (9, 4)
