"""What gluond's code objects for AMD's GPUs do, played without a GPU (player.py): tiles through layouts and LDS, reductions,
scans, products of matrices. Run by ctest:

    test_played.py GLUOND [--arch gfx942,...] [--family moves,...] [--count 5] [--seed 0] [--triton]

gfx908 can be named, too. With --triton the same kernels from Triton 3.9.0 are played too: the player is wrong where Triton's are. Exit code 77 where
there is no llvm-objdump or numpy."""
import argparse
import collections
import os
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1] / "support")]
import peers  # noqa: E402

ARCHITECTURES = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250"]


def outcome(case, record, made, said):
    if record["id"] not in made:
        return "no code: " + said[record["id"]].strip().replace("\n", " ")
    try:
        arrays, _ = beside.Launch(case.arrays).play(made[record["id"]], record, case.threads, case.scalars)
    except player.Limit as error:
        return f"beyond the player: {error}"
    except Exception as error:
        return f"not played: {type(error).__name__}: {error}"
    wrong = [name for name, array in zip(case.names, arrays) if name in case.wanted and not case.fits(name, array)]
    return "wrong: " + ", ".join(wrong) if wrong else "right"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gluond")
    parser.add_argument("--arch", default=",".join(ARCHITECTURES))
    parser.add_argument("--family", default=",".join(cases.FAMILIES))
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--triton", action="store_true")
    parser.add_argument("--keep", metavar="FOLDER", help="where the kernels and code objects stay")
    options = parser.parse_args()
    failures, totals = 0, collections.Counter()
    for arch in options.arch.split(","):
        for family in options.family.split(","):
            with tempfile.TemporaryDirectory() as temporary:
                folder = Path(options.keep or temporary) / f"{arch}.{family}"
                folder.mkdir(parents=True, exist_ok=True)
                todo = list(cases.FAMILIES[family](arch, options.seed, options.count))
                records = cases.write(folder, family, todo)
                made, said = beside.gluonds(os.path.abspath(options.gluond), folder, records)
                theirs, tritons_words = beside.tritons(folder, records) if options.triton else ({}, {})
                for case, record in zip(todo, records):
                    ours = outcome(case, record, made, said)
                    totals[f"gluond {ours.split(':')[0]}"] += 1
                    other = outcome(case, record, theirs, tritons_words) if options.triton else ""
                    if options.triton:
                        totals[f"Triton {other.split(':')[0]}"] += 1
                    both_refuse = ours.startswith("no code") and other.startswith("no code")
                    if not ours.startswith(("right", "beyond")) and not both_refuse:
                        failures += 1
                    if ours != "right" or other not in ("", "right"):
                        print(f"{arch} {record['id']} {case.what}: gluond {ours[:250]}" + (f"; Triton {other[:120]}" if other else ""))
    print(", ".join(f"{count} {what}" for what, count in sorted(totals.items())))
    return 1 if failures or not totals else 0


if __name__ == "__main__":
    if "--triton" in sys.argv:
        peers.under_python_with(peers.TRITON, "Triton 3.9.0")
    else:
        peers.under_python_with("import numpy; assert hasattr(numpy, 'bitwise_count')", "numpy 2")
    import numpy as np

    import beside
    import cases
    import layout_cases
    import player

    cases.FAMILIES["layouts"] = layout_cases.layouts

    if not player.objdump():
        print("skipped: there is no llvm-objdump (LLVM 22)")
        sys.exit(77)
    sys.exit(main())
