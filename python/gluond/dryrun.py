"""A GPU that is not there: Triton's host side runs, and no kernel is compiled or launched.

For recording a program's launches on a machine without a GPU, or for another GPU than the one it has. The program sees `target` as
the active device; tensors may live on the CPU. Autotuners try every configuration once.
"""
import contextlib


class _Nothing:
    """Has every attribute, and does nothing when called."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **keywords: _Nothing()


class _Utilities(_Nothing):

    def get_device_properties(self, device=0):
        return {"max_shared_mem": 232448, "multiprocessor_count": 132, "max_num_regs": 65536, "warpSize": 32, "sm_clock_rate": 1_900_000,
                "mem_clock_rate": 2_600_000, "mem_bus_width": 5120}


class Driver(_Nothing):
    """What Triton asks its active driver for."""

    def __init__(self, target):
        self.target, self.utils, self.binary_ext = target, _Utilities(), "bin"

    def get_current_target(self):
        return self.target

    def get_current_device(self):
        return 0

    def get_current_stream(self, device=0):
        return 0

    def get_device_capability(self, device=0):
        return divmod(int(self.target.arch), 10) if self.target.backend == "cuda" else (9, 4)

    def get_active_torch_device(self):
        import torch
        return torch.device("cpu")

    def get_benchmarker(self):
        return once


class Kernel:
    """What a launch gives back: nothing was compiled, so there is no code and nothing was used."""

    class _Texts(dict):

        def __missing__(self, stage):
            return ""

    def __init__(self):
        self.asm, self.n_regs, self.n_spills, self.n_max_threads, self.metadata = Kernel._Texts(), 0, 0, 1024, _Nothing()

    def __getitem__(self, grid):
        return lambda *arguments, **keywords: None


def once(fn, *unused, quantiles=None, return_mode="mean", **also_unused):
    """In place of Triton's benchmarks: calls the function and answers 1 ms."""
    fn()
    return [1.0] * len(quantiles) if quantiles else [1.0] if return_mode == "all" else 1.0


def target_of(text):
    """Triton's GPUTarget of `cuda:90` or `hip:gfx942`. ValueError: it is neither."""
    from triton.backends.compiler import GPUTarget

    backend, _, arch = text.partition(":")
    if backend == "cuda" and arch.isdigit():
        return GPUTarget("cuda", int(arch), 32)
    if backend == "hip" and arch.startswith("gfx"):
        return GPUTarget("hip", arch, 64 if arch.startswith("gfx9") else 32)
    raise ValueError(f"'{text}' is not a target such as cuda:90 or hip:gfx942")


@contextlib.contextmanager
def on(target):
    """Triton believes in a device of this target within the block."""
    from triton import testing
    from triton.runtime.driver import driver

    before = driver._active
    benchmarks = {name: getattr(testing, name) for name in dir(testing) if name.startswith("do_bench")}
    driver.set_active(Driver(target))
    for name in benchmarks:
        setattr(testing, name, once)
    try:
        yield
    finally:
        driver._active = before
        for name, function in benchmarks.items():
            setattr(testing, name, function)
