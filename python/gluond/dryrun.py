"""A GPU that is not there: Triton's host side runs, and no kernel is compiled or launched.

For recording a program's launches on a machine without a GPU, or for another GPU than the one it has. The program sees `target` as
the active device; tensors may live on the CPU. Autotuners try every configuration once.
"""
import contextlib

from .devices import capability_of, properties_of


class _Nothing:
    """Has every attribute, and does nothing when called."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **keywords: _Nothing()


class _Utilities(_Nothing):

    def __init__(self, target):
        self.target = target

    def get_device_properties(self, device=0):
        return properties_of(self.target)


class Driver(_Nothing):
    """What Triton asks its active driver for."""

    def __init__(self, target):
        self.target, self.utils, self.binary_ext = target, _Utilities(target), "bin"

    def get_current_target(self):
        return self.target

    def get_current_device(self):
        return 0

    def get_current_stream(self, device=0):
        return 0

    def get_device_capability(self, device=0):
        return capability_of(self.target)

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


@contextlib.contextmanager
def on(active):
    """Triton believes in the device of this driver within the block."""
    from triton import testing
    from triton.runtime.driver import driver

    before = driver._active
    benchmarks = {name: getattr(testing, name) for name in dir(testing) if name.startswith("do_bench")}
    driver.set_active(active)
    for name in benchmarks:
        setattr(testing, name, once)
    try:
        yield
    finally:
        driver._active = before
        for name, function in benchmarks.items():
            setattr(testing, name, function)
