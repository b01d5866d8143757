"""python -m gluond.record [-o FILE] [--target T] [--most N] PROGRAM.py|-m MODULE [ARGUMENTS]

Runs a program and writes the launches of its Gluon kernels into launch records. See gluond.recorder.
"""
import argparse
import sys

from .recorder import Recorder
from .running import run


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m gluond.record", usage=__doc__.splitlines()[0],
                                     description="Runs a program and records the launches of its Gluon kernels for gluond.")
    parser.add_argument("-o", "--output", help="the record file (default: .gluond/<program>.launches.jsonl in each kernel's workspace)")
    parser.add_argument("--target", help="record for this target, cuda:90 or hip:gfx942: nothing is compiled or launched, no GPU is needed")
    parser.add_argument("--most", type=int, default=256, metavar="N", help="at most N specializations of one kernel (256)")
    parser.add_argument("-m", dest="module", action="store_true", help="the program is a module: -m pytest tests/")
    parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if not given.program:
        parser.error("name a program, or -m and a module")
    if given.output and not given.output.endswith(".launches.jsonl"):
        parser.error("the name of a record file ends in .launches.jsonl")
    try:
        recorder = Recorder(given.output, given.target, given.most)
    except ValueError as error:
        parser.error(str(error))
    recorder.start()
    try:
        run((["-m"] if given.module else []) + given.program)
    finally:
        recorder.stop()
        print(recorder.summary(), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
