"""python -m gluond.record [-o FILE] [--target T] [--device cpu] [--data] [--most N] PROGRAM.py|-m MODULE [ARGUMENTS]

Runs a program and writes the launches of its Gluon kernels into launch records. See gluond.recorder.
"""
import argparse
import contextlib
import sys

from .__main__ import add_simulation_options, simulation_of
from .recorder import Recorder
from .running import require_triton, run


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m gluond.record", usage=__doc__.splitlines()[0],
                                     description="Runs a program and records the launches of its Gluon kernels for gluond.")
    parser.add_argument("-o", "--output", help="the record file (default: .gluond/<program>.launches.jsonl in each kernel's workspace)")
    parser.add_argument("--target", help="record for this target, cuda:90 or hip:gfx942: nothing is compiled or launched, no GPU is needed; "
                        "with --device cpu, simulate this target")
    parser.add_argument("--data", action="store_true", help="keep the contents of tensors, too: of the first launch, or of the one that fails")
    parser.add_argument("--data-limit", type=float, default=64, metavar="MIB", help="at most so many MiB of contents for one record (64)")
    parser.add_argument("--most", type=int, default=256, metavar="N", help="at most N specializations of one kernel (256)")
    add_simulation_options(parser)
    parser.add_argument("-m", dest="module", action="store_true", help="the program is a module: -m pytest tests/")
    parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if not given.program:
        parser.error("name a program, or -m and a module")
    if given.output and not given.output.endswith(".launches.jsonl"):
        parser.error("the name of a record file ends in .launches.jsonl")
    if not given.data_limit >= 0:
        parser.error("--data-limit takes a number of MiB")
    on_cpu = given.device == "cpu"
    if given.data and given.target and not on_cpu:
        parser.error("with --target alone nothing is launched, so that there are no contents: add --device cpu")
    require_triton(parser)
    simulation = simulation_of(parser, given)
    try:
        recorder = Recorder(given.output, None if on_cpu else given.target, given.most, int(given.data_limit * (1 << 20)) if given.data else 0)
    except ValueError as error:
        parser.error(str(error))
    recorder.start()  # first: it sees launches as the simulator does
    try:
        with simulation or contextlib.nullcontext():
            run((["-m"] if given.module else []) + given.program)
    finally:
        recorder.stop()
        print(recorder.summary(), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
