"""Gluon kernels compiled by gluond in place of Triton's compiler, through Triton's own stage hook.

    import gluond
    gluond.install()                 # from here on; or
    with gluond.using():             # only in here, to compare both in one program
        kernel[grid](...)

or, without touching the program, `python -m gluond PROGRAM.py [ARGUMENTS]` and `python -m gluond -m pytest ...`.

Triton's frontend and its passes make `ttgir` as always; gluond makes PTX of it, ptxas the cubin, and Triton launches it. Plain Triton
kernels, targets that gluond does not compile for, and kernels under one of Triton's sanitizers (TRITON_INSTRUMENTATION_MODE), whose checks
only Triton can lower, are left to Triton. A kernel that gluond cannot compile raises CompilationError, or with `fallback=True` (or
GLUOND_FALLBACK=1) is left to Triton too; `statistics()` counts what was compiled and what was left, and says why.

The program `gluond` is looked for in GLUOND, beside this package, and on PATH.
"""
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


class CompilationError(Exception):
    """gluond could not compile a kernel; the message is its own."""


_counts = {"compiled": 0, "left_to_triton": 0}
_reasons = []


def statistics():
    """How many kernels gluond compiled, how many were left to Triton, and why."""
    return dict(_counts, reasons=list(_reasons))


def find_gluond():
    """Path of the program; FileNotFoundError when there is none."""
    beside = Path(__file__).resolve().parents[2] / "build" / "bin" / "gluond"
    for candidate in (os.environ.get("GLUOND"), str(beside), shutil.which("gluond")):
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    raise FileNotFoundError("there is no gluond: put it on PATH or name it in the environment variable GLUOND")


def _compile(program, module, metadata):
    with tempfile.TemporaryDirectory(prefix="gluond-") as folder:
        source = Path(folder) / "kernel.ttgir"
        source.write_text(str(module))
        done = subprocess.run([program, "emit", str(source), "--stage", "ptx", "-o", folder], capture_output=True, text=True)
        if done.returncode != 0:
            raise CompilationError((done.stderr or done.stdout).strip() or f"gluond ended with {done.returncode}")
        facts = json.loads((Path(folder) / "kernel.json").read_text())
        llir, ptx = ((Path(folder) / f"kernel.{stage}").read_text() for stage in ("llir", "ptx"))
    for key in ("name", "num_warps", "shared", "global_scratch_size", "global_scratch_align"):
        metadata[key] = facts[key]
    metadata.update(tmem_size=0, profile_scratch_size=0, profile_scratch_align=1)
    return llir, ptx


def _hook(program, fallback, previous):
    stamp = f"gluond {program} {os.stat(program).st_mtime_ns} {fallback}"
    digest = hashlib.sha256(stamp.encode()).hexdigest()

    def hook(backend=None, stages=None, options=None, language=None, capability=None):
        if backend is None:  # Triton asks what to add to its cache's key
            return stamp, digest
        if previous is not None:
            previous(backend, stages, options, language, capability)
        if getattr(language, "name", "") != "GLUON" or "ptx" not in stages:
            return
        to_llir, to_ptx = stages["llir"], stages["ptx"]

        made = {}  # the PTX of the text that the stage before gave

        def leave(module, metadata, reason):
            _counts["left_to_triton"] += 1
            _reasons.append(reason)
            return to_llir(module, metadata)

        def llir(module, metadata):
            sanitizer = getattr(options, "instrumentation_mode", "")
            if sanitizer:
                return leave(module, metadata, f"the checks of Triton's sanitizer '{sanitizer}' are its own")
            try:
                text, made["ptx"] = _compile(program, module, metadata)
            except CompilationError as error:
                if not fallback:
                    raise
                return leave(module, metadata, str(error))
            _counts["compiled"] += 1
            return text

        def ptx(text, metadata):
            return made["ptx"] if "ptx" in made else to_ptx(text, metadata)

        stages["llir"], stages["ptx"] = llir, ptx

    return hook


def install(fallback=None):
    """From now on gluond compiles Gluon kernels. Kernels that Triton compiled before in this process stay as they are."""
    from triton import knobs

    if fallback is None:
        fallback = os.environ.get("GLUOND_FALLBACK", "") not in ("", "0")
    previous = knobs.runtime.add_stages_inspection_hook
    knobs.runtime.add_stages_inspection_hook = _hook(find_gluond(), fallback, previous)
    return previous


def uninstall(previous=None):
    """Back to Triton, or to the hook that install() gave back."""
    from triton import knobs

    knobs.runtime.add_stages_inspection_hook = previous


@contextlib.contextmanager
def using(*kernels, fallback=None):
    """gluond compiles within the block. Name the kernels that Triton may have compiled before: their caches are set aside."""
    aside = [(kernel, dict(kernel.device_caches)) for kernel in kernels]
    for kernel in kernels:
        kernel.device_caches.clear()
    previous = install(fallback)
    try:
        yield
    finally:
        uninstall(previous)
        for kernel, caches in aside:
            kernel.device_caches.clear()
            kernel.device_caches.update(caches)


def main(arguments):
    from .running import run

    if not arguments:
        print("usage: python -m gluond PROGRAM.py|-m MODULE [ARGUMENTS]", file=sys.stderr)
        return 2
    install()
    run(arguments)
    return 0
