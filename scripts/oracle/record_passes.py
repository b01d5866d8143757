#!/usr/bin/env python3
"""Record what Triton 3.9.0's passes make of IR: for every X.source under FOLDER its X.ttgir, or X.failure with the words of
the first error.

    scripts/oracle/record_passes.py [FOLDER] [--check]

With --check nothing is written; the exit code is 1 when a golden is out of date. (Goldens of kernels are recorded by
record_goldens.py.) Needs Python 3.11 with triton==3.9.0; no GPU, no torch.
"""
import argparse
import re
import sys
from pathlib import Path

from compare_passes import Triton


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("tests/data/passes/ir"))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    stale = 0
    for source in sorted(options.folder.rglob("*.source")):
        target = re.search(r'ttg.target = "([^"]*)"', source.read_text()).group(1)
        text = Triton(target, None).run(source)
        if text is None:
            sys.exit(f"{source} does not parse")
        failed = text.startswith("failed: ")
        golden = source.with_suffix(".failure" if failed else ".ttgir")
        text = text.removeprefix("failed: ") + ("\n" if failed else "")
        if golden.exists() and golden.read_text() == text:
            continue
        stale += 1
        print(f"{golden} is out of date" if options.check else f"wrote {golden}")
        if not options.check:
            golden.write_text(text)
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
