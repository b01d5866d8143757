"""gluond beside a program that uses Triton: see `gluond.compiler` and `gluond.record`."""
from .compiler import install, statistics, uninstall, using

__all__ = ["install", "uninstall", "using", "statistics"]
