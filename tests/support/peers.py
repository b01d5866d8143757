"""Which Python has what a test runs gluond beside: Triton 3.9.0, an LSP client. scripts/peers.sh installs one under .cache/oracle."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def python_with(test, *others):
    """A Python that runs the code `test` without an error: one of `others`, $GLUOND_TRITON_PYTHON, .cache/oracle's or this one; or None."""
    for candidate in (*others, os.environ.get("GLUOND_TRITON_PYTHON"), str(ROOT / ".cache/oracle/bin/python"), sys.executable):
        if candidate and shutil.which(candidate):
            if subprocess.run([candidate, "-c", test], capture_output=True).returncode == 0:
                return candidate
    return None


TRITON = "import triton, numpy, pytest; assert triton.__version__.startswith('3.9.')"


def under_python_with(test, what):
    """Goes on under a Python that can run `test`; without one, says that `what` is missing and exits with 77 (ctest: skipped)."""
    try:
        exec(test, {})
    except Exception:
        python = None if os.environ.get("GLUOND_PEER") else python_with(test)
        if python:
            os.environ["GLUOND_PEER"] = python  # once
            os.execv(python, [python, *sys.argv])
        print(f"skipped: {what} is not installed (scripts/peers.sh)")
        sys.exit(77)
