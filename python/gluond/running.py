"""A program run as `python PROGRAM.py ...` or `python -m MODULE ...` would run it, from inside this process."""
import importlib.util
import os
import runpy
import sys


def require_triton(parser):
    """Ends with a usage error where Triton is not installed."""
    if importlib.util.find_spec("triton") is None:
        parser.error("Triton is not installed, and programs with Gluon kernels import it: install triton==3.9.* "
                     "(gluond check, and gluond run FILE --kernel NAME --device cpu, need no Triton)")


def run(arguments):
    """`arguments`: what would come after `python`. SystemExit and the program's exceptions come out as they are."""
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")
