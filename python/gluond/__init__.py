"""gluond beside a program that uses Triton: gluond compiles its kernels, runs them without a GPU, and records its launches.

`using`, `install`: see gluond.compiler. `simulating`: see gluond.simulation. `record`: see gluond.recorder. `compare`: see gluond.comparing.
"""
from .comparing import compare
from .compiler import install, statistics, uninstall, using
from .findings import SimulationError, SimulationUnsupported, SimulationWarning
from .recorder import record
from .simulation import simulating, tensor
from .simulator import SimulatorError


def __getattr__(name):
    """`__version__` is the version of the installed wheel; in a checkout there is none."""
    if name == "__version__":
        from importlib import metadata
        return metadata.version("gluond")
    raise AttributeError(f"module 'gluond' has no attribute '{name}'")


def load_ipython_extension(shell):
    """`%load_ext gluond` does what `%load_ext gluond.notebook` does."""
    from .notebook import load_ipython_extension as load
    load(shell)


__all__ = ["install", "uninstall", "using", "statistics", "record", "compare", "simulating", "tensor", "SimulationError", "SimulationUnsupported",
           "SimulationWarning", "SimulatorError"]
