"""Gluon kernels compiled by gluond in place of Triton's compiler, through Triton's own stage hook.

    import gluond
    gluond.install()                 # from here on; or
    with gluond.using():             # only in here, to compare both in one program
        kernel[grid](...)

or, without touching the program, `python -m gluond PROGRAM.py [ARGUMENTS]` and `python -m gluond -m pytest ...`.

Triton's frontend and its passes make `ttgir` as always. For NVIDIA's GPUs gluond makes PTX of it, and ptxas the cubin; for AMD's gluond makes
the hsaco, with its own assembler and linker. Triton launches it. Plain Triton kernels, targets that gluond does not compile for, kernels under one of Triton's sanitizers (TRITON_INSTRUMENTATION_MODE), whose checks
only Triton can lower, are left to Triton. A kernel that gluond cannot compile raises CompilationError, or with `fallback=True` (or
GLUOND_FALLBACK=1) is left to Triton too, with one warning; `statistics()` counts what was compiled and what was left, and says why. Whatever
goes wrong with the program counts as that: it is missing, crashes, answers nonsense, or does not end within GLUOND_TIMEOUT seconds (600).

The program `gluond` is looked for in GLUOND, among the files installed with this package, and on PATH (in its absolute folders).
"""
import contextlib
import csv
import hashlib
import json
import os
import tempfile
import warnings
from pathlib import Path

from .chips import CODE_OPTIONS
from .program import UNREADABLE, Failure, run


class CompilationError(Exception):
    """gluond could not compile a kernel; the message is its own."""


_counts = {"compiled": 0, "left_to_triton": 0}
_reasons = []


def statistics():
    """How many kernels gluond compiled, how many were left to Triton, and why."""
    return dict(_counts, reasons=list(_reasons))


def _installed():
    """Where the program was installed with this package: by the wheel's own list of files, and as `pip install --target` does it."""
    packages = Path(__file__).resolve().parents[1]
    for record in packages.glob("gluond-*.dist-info/RECORD"):
        for row in csv.reader(record.read_text(encoding="utf-8").splitlines()):
            if row and row[0].split("/")[-2:] == ["bin", "gluond"]:
                yield str((packages / row[0]).resolve())
        yield str(packages / "bin" / "gluond")


def find_gluond():
    """Path of the program; FileNotFoundError when there is none."""
    package = Path(__file__).resolve().parent
    built = package.parents[1] / "build" / "bin" / "gluond" if package.parent.name == "python" else ""  # in a checkout
    # A relative folder of PATH is in whatever project the program runs in.
    on_path = [os.path.join(folder, "gluond") for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]
    for candidate in (os.environ.get("GLUOND"), str(built), *_installed(), *on_path):
        if candidate and os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return candidate
    raise FileNotFoundError("there is no gluond: put it on PATH or name it in the environment variable GLUOND")


def _seconds():
    """How long gluond may take for one kernel."""
    try:
        seconds = float(os.environ.get("GLUOND_TIMEOUT", ""))
    except ValueError:
        seconds = 0
    return seconds if 0 < seconds < 1e6 else 600.0


def _environment():
    """gluond takes tools and device libraries from no place inside the project it is started in; those of the running Triton are trusted already."""
    try:
        import triton
        backends = Path(triton.__file__).resolve().parent / "backends"
    except Exception:
        return None
    folders = {"GLUOND_CUDA": backends / "nvidia", "GLUOND_ROCM": backends / "amd"}
    return {**os.environ, **{name: str(folder) for name, folder in folders.items() if folder.is_dir() and not os.environ.get(name)}}


def _run(command):
    """Runs gluond to its end; CompilationError with its words when it fails in any way."""
    try:
        done = run(command, _seconds(), limit=" (GLUOND_TIMEOUT)", env=_environment())
    except Failure as error:
        raise CompilationError(str(error)) from error
    if done.code:
        raise CompilationError(done.words or done.output.strip() or f"gluond ended with {done.code}")


# The stages that gluond makes for a vendor, and what their last but the machine code's own must contain. Triton makes a cubin of PTX itself.
STAGES = {"ptx": ("llir", "ptx"), "hsaco": ("llir", "amdgcn", "hsaco")}
MARKS = {"ptx": ".entry", "amdgcn": ".amdhsa_kernel", "hsaco": b"\x7fELF"}
FACTS = ("name", "num_warps", "shared", "tmem_size", "global_scratch_size", "global_scratch_align")


def _stages_of(stages):
    """The stages that gluond replaces, or nothing for a target of another kind."""
    return next((names for last, names in STAGES.items() if last in stages), ())


def _launch_options(options):
    """The arguments that tell gluond of launch options that ttgir does not tell of."""
    for name, standard in CODE_OPTIONS.items():
        value = getattr(options, name, standard)
        if isinstance(value, bool):
            value = str(value).lower()
        elif isinstance(value, (tuple, list)):  # pairs of attributes
            value = ",".join(f"{each}={text}" if text else each for each, text in value)
        if str(value) != standard:
            yield from ("--launch-option", f"{name}={value}")


def _compile(program, module, metadata, stages, options):
    """The results of the stages by name; the facts about the kernel go into the metadata."""
    made = {}
    try:
        with tempfile.TemporaryDirectory(prefix="gluond-") as folder:
            source = Path(folder) / "kernel.ttgir"
            source.write_text(str(module))
            for stage in stages[1:]:
                _run([program, "emit", str(source), "--stage", stage, "-o", folder, *_launch_options(options)])
            facts = json.loads((Path(folder) / "kernel.json").read_text())
            for stage in stages:
                made[stage] = (Path(folder) / f"kernel.{stage}").read_bytes()
                if stage != "hsaco":
                    made[stage] = made[stage].decode()
        found = {key: facts[key] for key in FACTS}
        numbers = [value for key, value in found.items() if key != "name"]
        if not isinstance(found["name"], str) or not all(type(value) is int and value >= 0 for value in numbers):
            raise ValueError("facts that cannot be")
        for stage in stages[1:]:
            if MARKS[stage] not in made[stage]:
                raise ValueError(f"no {stage}")
    except CompilationError:
        raise
    except (OSError, *UNREADABLE) as error:
        # A gluond of another version, a full disk, files that are not what they should be.
        raise CompilationError(f"gluond's answer cannot be read: {type(error).__name__}: {error}") from error
    metadata.update(found)
    metadata.update(profile_scratch_size=0, profile_scratch_align=1)
    return made


def _stamp(program):
    """What tells one gluond from another, for Triton's cache."""
    try:
        return os.stat(program).st_mtime_ns
    except OSError:
        return 0  # compiling says what is wrong


def _hook(program, fallback, previous):
    stamp = f"gluond {program} {_stamp(program) if program else 0} {fallback}"
    digest = hashlib.sha256(stamp.encode()).hexdigest()
    warned = []

    def hook(backend=None, stages=None, options=None, language=None, capability=None):
        if backend is None:  # Triton asks what to add to its cache's key
            return stamp, digest
        if previous is not None:
            previous(backend, stages, options, language, capability)
        names = _stages_of(stages)
        if getattr(language, "name", "") != "GLUON" or not names:
            return
        tritons = {name: stages[name] for name in names}
        made = {}  # by gluond, for the stages after llir

        def leave(module, metadata, reason):
            _counts["left_to_triton"] += 1
            _reasons.append(reason)
            return tritons["llir"](module, metadata)

        def llir(module, metadata):
            sanitizer = getattr(options, "instrumentation_mode", "")
            if sanitizer:
                return leave(module, metadata, f"the checks of Triton's sanitizer '{sanitizer}' are its own")
            try:
                if not program:
                    raise CompilationError("there is no gluond: put it on PATH or name it in the environment variable GLUOND")
                made.update(_compile(program, module, metadata, names, options))
            except CompilationError as error:
                if not fallback:
                    raise
                if not warned:
                    warned.append(True)
                    warnings.warn(f"gluond: a kernel is left to Triton: {error}", RuntimeWarning, stacklevel=2)
                return leave(module, metadata, str(error))
            _counts["compiled"] += 1
            return made["llir"]

        stages["llir"] = llir
        for name in names[1:]:
            stages[name] = lambda before, metadata, name=name: made[name] if name in made else tritons[name](before, metadata)

    return hook


RELEASE = "3.9"  # of Triton: the one whose ttgir gluond reads, and whose hook is part of the keys of Triton's cache


def _check_release():
    """ImportError when this is another Triton: an older one would take its own code from its cache without a word."""
    import triton
    if triton.__version__.split(".")[:2] != RELEASE.split("."):
        raise ImportError(f"gluond compiles what Triton {RELEASE} makes of a kernel, and this is Triton {triton.__version__}: install triton=={RELEASE}.*")


def install(fallback=None):
    """From now on gluond compiles Gluon kernels. Kernels that Triton compiled before in this process stay as they are."""
    from triton import knobs

    if fallback is None:
        fallback = os.environ.get("GLUOND_FALLBACK", "") not in ("", "0")
    try:
        _check_release()
    except ImportError as error:
        if not fallback:
            raise
        warnings.warn(f"gluond: all kernels are left to Triton: {error}", RuntimeWarning, stacklevel=2)
        return knobs.runtime.add_stages_inspection_hook
    try:
        program = find_gluond()
    except FileNotFoundError:
        if not fallback:
            raise
        program = None
    previous = knobs.runtime.add_stages_inspection_hook
    knobs.runtime.add_stages_inspection_hook = _hook(program, fallback, previous)
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
