"""python -m gluond [--device cpu] [OPTIONS] PROGRAM.py|-m MODULE [ARGUMENTS]

Runs a program with Gluon kernels: gluond compiles them for the GPU, or runs them on the CPU with `--device cpu`.
"""
import argparse
import sys

from . import compiler, simulation
from .chips import STANDARD_TARGET
from .running import require_triton, run


def add_simulation_options(parser):
    parser.add_argument("--device", choices=["gpu", "cpu"], default="gpu", help="cpu: run all kernels in gluond's simulator, without a GPU")
    parser.add_argument("--findings", choices=["error", "warn"], default="error",
                        help="with --device cpu: raise an exception for what the simulator finds (the default), or warn")
    parser.add_argument("--time-limit", type=float, default=simulation.DEFAULT_SECONDS, metavar="S",
                        help=f"with --device cpu: seconds that one launch may take ({simulation.DEFAULT_SECONDS:g})")


def simulation_of(parser, given):
    """What --device cpu asks for, not started; None without it."""
    if not given.time_limit > 0:
        parser.error("--time-limit takes a number of seconds")
    if given.device != "cpu":
        return None
    try:
        return simulation.Simulating(given.target or STANDARD_TARGET, given.time_limit, given.findings == "warn")
    except (ValueError, FileNotFoundError) as error:
        parser.error(str(error))


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m gluond", usage=__doc__.splitlines()[0],
                                     description="Runs a program with Gluon kernels: gluond compiles them for the GPU, or runs them on the CPU with --device cpu.")
    add_simulation_options(parser)
    parser.add_argument("--target",
                        help=f"with --device cpu: the GPU that the program sees, cuda:100 or hip:gfx942 ({STANDARD_TARGET})")
    parser.add_argument("-m", dest="module", action="store_true", help="the program is a module: -m pytest tests/")
    parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if not given.program:
        parser.error("name a program, or -m and a module")
    program = (["-m"] if given.module else []) + given.program
    require_triton(parser)
    simulating = simulation_of(parser, given)
    if simulating is not None:
        with simulating:
            run(program)
        return 0
    if given.target:
        parser.error("--target needs --device cpu")
    try:
        compiler.install()
    except ImportError as error:
        parser.error(str(error))
    run(program)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
