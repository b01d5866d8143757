"""Triton's code and gluond's for the same launches, side by side: results and times.

    import gluond
    print(gluond.compare(lambda: kernel[grid](...), kernel))     # or: python -m gluond.compare PROGRAM.py [ARGUMENTS]

Both run in this process, on the same tensors: what the launch finds in them is put back before each run, so that both start from the same
contents. Times are alternated, A B A B, so that a GPU that slows down slows both. It needs a GPU and torch.
"""
import contextlib
import dataclasses
import math
import statistics

from . import compiler

rounds = 5
TOLERANCES = {"float64": 1e-9, "float32": 1e-4, "float16": 2e-3, "bfloat16": 2e-2}


@dataclasses.dataclass
class Comparison:
    """What one launch took with either compiler, in milliseconds, and whether the tensors were the same afterwards."""
    name: str
    triton: float
    gluond: float
    equal: bool
    difference: float = 0.0  # the largest, of what is finite
    problem: str = ""  # why there are no numbers of gluond's

    @property
    def speedup(self):
        return self.triton / self.gluond if self.gluond > 0 else math.nan

    def __str__(self):
        if self.problem:
            return f"{self.name}: Triton {self.triton * 1e3:.1f} us; gluond: {self.problem}"
        same = "same results" if self.equal else f"RESULTS DIFFER by {self.difference:g}"
        return f"{self.name}: Triton {self.triton * 1e3:.1f} us, gluond {self.gluond * 1e3:.1f} us, {self.speedup:.2f}x, {same}"


def tensors_in(values):
    """The tensors among a launch's arguments, in descriptors and tuples too, each once."""
    found = {}

    def look(value):
        if hasattr(value, "clone") and hasattr(value, "copy_") and hasattr(value, "data_ptr"):
            found[id(value)] = value
        elif isinstance(value, (tuple, list)):
            for item in value:
                look(item)
        elif hasattr(value, "base") and hasattr(value, "block_shape"):
            look(value.base)

    look(list(values))
    return list(found.values())


def differ(a, b):
    """(equal within the dtype's tolerance, the largest difference)."""
    if a.dtype.is_floating_point:
        a, b, tolerance = a.double(), b.double(), TOLERANCES.get(str(a.dtype).rpartition(".")[2], 0.1)
        if not bool((a.isfinite() == b.isfinite()).all()):
            return False, math.inf
        a, b = a.nan_to_num(0, 0, 0), b.nan_to_num(0, 0, 0)
        if not a.numel():
            return True, 0.0
        return bool(((a - b).abs() <= tolerance * (1 + a.abs())).all()), float((a - b).abs().max())
    return bool((a == b).all()), 0.0 if bool((a == b).all()) else 1.0


def compare(launch, *kernels, tensors=(), name=""):
    """Compares what `launch()` does with Triton's code and with gluond's, for the kernels named, which are all it launches.

    `tensors`: what it reads and writes, to be put back before every run and compared after. Returns a Comparison; the tensors hold what
    Triton's code left in them.
    """
    from triton.testing import do_bench

    before = [tensor.clone() for tensor in tensors]

    def restored():
        for tensor, content in zip(tensors, before):
            tensor.copy_(content)

    def timed():
        return float(do_bench(launch, return_mode="median"))

    restored()
    launch()
    theirs = [tensor.clone() for tensor in tensors]
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: [tensor.copy_(content) for tensor, content in zip(tensors, theirs)])
        label = name or ", ".join(kernel.__qualname__ for kernel in kernels)
        ours = [None]
        try:
            with compiler.using(*kernels, fallback=False):
                restored()
                launch()
                ours = [tensor.clone() for tensor in tensors]
        except compiler.CompilationError as error:
            return Comparison(label, timed(), 0.0, False, problem=str(error))
        results = [differ(a, b) for a, b in zip(theirs, ours)]
        times = {"triton": [], "gluond": []}
        for _ in range(rounds):
            restored()
            times["triton"].append(timed())
            restored()
            with compiler.using(*kernels, fallback=False):
                launch()  # from gluond's cache of compiled kernels
                times["gluond"].append(timed())
        return Comparison(label, statistics.median(times["triton"]), statistics.median(times["gluond"]), all(same for same, _ in results),
                          max((difference for _, difference in results), default=0.0))


@contextlib.contextmanager
def comparing(report):
    """Within the block, the first launch of every Gluon specialization is compared; `report` gets each Comparison."""
    from triton.runtime.jit import JITFunction

    run, seen, busy = JITFunction.run, set(), [False]

    def comparing_run(kernel, *arguments, grid, warmup, **keywords):
        if warmup or busy[0] or not kernel.is_gluon():
            return run(kernel, *arguments, grid=grid, warmup=warmup, **keywords)
        from triton.runtime.driver import driver
        known = set(kernel.device_caches[driver.active.get_current_device()][0])
        result = run(kernel, *arguments, grid=grid, warmup=True, **keywords)  # compiles, and says whether it is new
        new = [key for key in kernel.device_caches[driver.active.get_current_device()][0] if key not in known and (id(kernel), key) not in seen]
        if new:
            seen.update((id(kernel), key) for key in new)
            busy[0] = True
            try:
                values = (*arguments, *keywords.values())
                report(compare(lambda: run(kernel, *arguments, grid=grid, warmup=False, **keywords), kernel, tensors=tensors_in(values),
                               name=kernel.__qualname__))
            finally:
                busy[0] = False
            return result
        return run(kernel, *arguments, grid=grid, warmup=warmup, **keywords)

    JITFunction.run = comparing_run
    try:
        yield
    finally:
        JITFunction.run = run
