"""gluond beside a program that uses Triton: gluond compiles its kernels, and records its launches.

`using`, `install`: see gluond.compiler. `record`: see gluond.recorder. `compare`: see gluond.comparing.
"""
from .comparing import compare
from .compiler import install, statistics, uninstall, using
from .recorder import record

__all__ = ["install", "uninstall", "using", "statistics", "record", "compare"]
