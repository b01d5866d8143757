"""python -m gluond.compare PROGRAM.py|-m MODULE [ARGUMENTS]

Runs a program; the first launch of each specialization of a Gluon kernel is timed with Triton's code and with gluond's. See
gluond.comparing.
"""
import math
import sys

from .comparing import comparing
from .running import run


def main(arguments):
    if not arguments:
        print("usage: " + __doc__.splitlines()[0], file=sys.stderr)
        return 2
    found = []
    try:
        with comparing(found.append):
            run(arguments)
    finally:
        for comparison in found:
            print(f"gluond.compare: {comparison}", file=sys.stderr)
        ratios = [each.speedup for each in found if not each.problem and each.gluond > 0]
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            print(f"gluond.compare: {len(ratios)} launches, gluond {mean:.3f}x as fast in the geometric mean, {min(ratios):.3f}x at worst",
                  file=sys.stderr)
    return 0 if all(each.equal or each.problem for each in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
