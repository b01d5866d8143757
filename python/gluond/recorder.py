"""Records the launches of a program's Gluon kernels, for gluond to read (docs/launch-records.md).

    import gluond
    with gluond.record():            # or: python -m gluond.record PROGRAM.py [ARGUMENTS]
        kernel[grid](...)

Every specialization (kernel, types, constexprs, options, target) becomes one record, the first time it is launched, before the kernel
runs: one that crashes is recorded too. So are kernels that are only compiled, with `warmup` or `triton.compile`. Launches run as always,
unless a `target` is given: then nothing is compiled or launched, and no GPU is needed.

A record also holds, under `run`, the grid and the values of that first launch, of tensors shape and strides: what `gluond bench` and `gluond run`
launch it with again. With `data` it holds their contents, too (gluond.recorddata), and a launch that raises takes the first one's place.
"""
import collections
import contextlib
import dataclasses
import math
import os
import re
import sys
import threading
from pathlib import Path

from . import dryrun, recorddata, recordfile
from .devices import wanted_target
from .values import Encoder, Unrecordable, is_tritons, layout_of_text, module_name

EXTENSION = ".launches.jsonl"
# Options that follow from the target or are no part of what a kernel means.
HIDDEN_OPTIONS = frozenset("extern_libs arch backend_name warp_size base_arch ptx_options ir_override llvm_fn_attrs ptx_version".split())
ATTRIBUTES = {"tt.divisibility": "divisible_by", "tt.pointer_range": "pointer_range"}
DESCRIPTOR = re.compile(r"(?P<type>tensordesc(?:_im2col)?)<(?P<dtype>\w+)\[(?P<block>[^\]]*)\](?:,input_rank=(?P<rank>\d+))?(?:,(?P<layout>.*))?>$",
                        re.S)


@dataclasses.dataclass
class Specialization:
    """What Triton compiles: a kernel, and what its arguments and options came down to."""
    kernel: object
    signature: dict  # of types, by parameter
    constants: dict  # by path into the arguments
    attributes: dict  # likewise
    options: object
    target: object


# ---- where records go

def workspace_of(file):
    """The folder of the project that a file belongs to: the nearest with `.gluond`, `pyproject.toml` or `.git`, else its own."""
    folder = Path(file).resolve().parent
    for candidate in (folder, *folder.parents):
        if any((candidate / mark).exists() for mark in (".gluond", "pyproject.toml", ".git")):
            return candidate
    return folder


def default_output(file):
    return workspace_of(file) / ".gluond" / (Path(file).stem + EXTENSION)


def is_installed(file):
    return any(part in ("site-packages", "dist-packages") for part in Path(file).resolve().parts)


# ---- a specialization as a record

def argument(type_, path, specialization, encoder):
    if isinstance(type_, tuple):
        out = {"type": "tuple", "elements": [argument(item, (*path, i), specialization, encoder) for i, item in enumerate(type_)]}
        if hasattr(type_, "_fields"):
            out.update({"fields": list(type_._fields), "class": type(type_).__name__})
        return out
    if type_ == "constexpr":
        return {"type": "constexpr", "value": encoder.value(specialization.constants[path])}
    if match := DESCRIPTOR.match(type_):
        out = {"type": match["type"], "dtype": match["dtype"], "block": [int(size) for size in match["block"].split(",")]}
        if match["rank"]:
            out["input_rank"] = int(match["rank"])
        if match["layout"]:
            out["layout"] = layout_of_text(match["layout"])
    else:
        out = {"type": type_}
    for name, value in specialization.attributes.get(path, ()):
        out[ATTRIBUTES.get(name, name)] = value
    return out


def options_of(specialization, encoder):
    """`num_warps`, and what differs from the target's defaults."""
    from triton.compiler import make_backend

    options, defaults = specialization.options, make_backend(specialization.target).parse_options({})
    out = {"num_warps": options.num_warps}
    for field in dataclasses.fields(options):
        value = getattr(options, field.name)
        if field.name not in HIDDEN_OPTIONS and field.name not in out and value != getattr(defaults, field.name):
            out[field.name] = encoder.value(value)
    return out


def globals_of(kernel, encoder):
    """Module-level constexprs that the kernel and its callees read: a hint for readers that cannot evaluate the file."""
    found = {}
    try:
        kernel.cache_key  # finds them
    except Exception:  # Triton will say so itself when it compiles the kernel
        return found
    for (name, _), (value, scope) in kernel.used_global_vals.items():
        module = scope.get("__name__")
        if module and not is_tritons(module) and isinstance(value, encoder.core.constexpr):
            with contextlib.suppress(Unrecordable):
                found[f"{module_name(module, scope.get('__file__', kernel.file_name))}:{name}"] = encoder.value(value.value)
    return dict(sorted(found.items()))


def record_of(specialization, relative):
    """The launch record, without its id. `relative`: a file's path as the record shall have it. Raises Unrecordable."""
    kernel, target = specialization.kernel, specialization.target
    encoder = Encoder(kernel.file_name, relative)
    module = module_name(kernel.__module__, kernel.file_name)
    record = {"id": "", "file": relative(kernel.file_name), "kernel": kernel.__qualname__, "line": kernel.def_file_line_number,
              "target": f"{target.backend}:{target.arch}"}
    if module != Path(kernel.file_name).stem:
        record["module"] = module
    record["options"] = options_of(specialization, encoder)
    record["args"] = [{"name": name, **argument(specialization.signature[name], (i, ), specialization, encoder)}
                      for i, name in enumerate(kernel.arg_names) if name in specialization.signature]
    if "<locals>" in kernel.__qualname__:
        encoder.nested(kernel, record)
    if found := globals_of(kernel, encoder):
        record["globals"] = found
    return record


# ---- with what it was launched

def tensor_facts(value):
    """Shape, strides and, where it does not begin at an aligned address, the offset in elements; nothing of its contents."""
    strides = value.stride() if callable(getattr(value, "stride", None)) else getattr(value, "strides", None)
    if not hasattr(value, "shape") or strides is None:
        return None
    out = {"shape": [int(size) for size in value.shape], "strides": [int(step) for step in strides]}
    if callable(getattr(value, "data_ptr", None)) and (unaligned := value.data_ptr() % 256):
        size = value.element_size() if hasattr(value, "element_size") else getattr(value.dtype, "itemsize", 0)
        if size and unaligned % size == 0:
            out["offset"] = unaligned // size
    return out


def descriptor_facts(value):
    out = tensor_facts(value) or {}
    if getattr(value, "padding", "zero") == "nan":
        out["padding"] = "nan"
    if getattr(value, "round_f32_to_tf32", False):
        out["round_f32_to_tf32"] = True
    for name in ("pixel_box_lower_corner", "pixel_box_upper_corner", "element_strides"):
        if (numbers := getattr(value, name, None)) is not None:
            out[name] = [int(number) for number in numbers]
    return out


def tell_values(argument, name, value, values, data=None):
    """Adds what a benchmark needs to make an argument like this one; `data` takes the contents of tensors."""
    type_ = argument["type"]
    if type_ == "tuple":
        fields = argument.get("fields") or range(len(argument["elements"]))
        for field, element, inner in zip(fields, argument["elements"], value):
            tell_values(element, f"{name}.{field}", inner, values, data)
        return
    is_number = type(value) in (bool, int) or (type(value) is float and math.isfinite(value))
    known = None if type_ == "constexpr" else descriptor_facts(value) if type_.startswith("tensordesc") else value if is_number else tensor_facts(value)
    if known is not None:
        values[name] = known
        if data is not None and isinstance(known, dict) and "shape" in known:
            data.take(name, argument.get("dtype", type_), value, known)


def run_of(record, bound, grid, data=None):
    """The record's `run`. `bound`: the arguments by name. `grid`: as given to the launch. `data` takes the contents of tensors."""
    values = {}
    for argument in record["args"]:
        tell_values(argument, argument["name"], bound[argument["name"]], values, data)
    if callable(grid):
        grid = grid(bound)
    return {"grid": [int(size) for size in (*grid, 1, 1)[:3]], "values": values}


# ---- the recorder

class Recorder:
    """Listens to Triton between start() and stop(). A mistake of its own never reaches the program: `skipped` counts it."""

    def __init__(self, output=None, target=None, most=256, data=0):
        self.output, self.most, self.data = Path(output).resolve() if output else None, most, data
        self.target = None if target is None else wanted_target(target)
        self.added, self.known, self.launches = collections.Counter(), 0, 0
        self.files, self.skipped, self.without_data = set(), collections.Counter(), collections.Counter()
        self.per_kernel, self.seen, self.failed = collections.Counter(), set(), set()
        self.binders = {}
        self.lock, self.inside = threading.RLock(), threading.local()
        self.cleanup = None

    # -- what was found

    def take(self, specialization, launch=None):
        """One specialization; `launch` says what the record was launched with, and where that launch fails again.

        With `data`, gives what to call if the launch fails: its inputs are then the record's.
        """
        kernel = specialization.kernel
        if not kernel.is_gluon():
            return
        file = kernel.file_name
        if self.output is None and is_installed(file):
            self.skipped[f"{kernel.__qualname__} is part of an installed package"] += 1
            return
        output = self.output or default_output(file)
        root = workspace_of(file) if self.output is None else None
        try:
            record = record_of(specialization, lambda path: relative_path(path, output.parent, root))
        except Unrecordable as reason:
            self.skipped[f"{kernel.__qualname__}: a launch record cannot hold {reason}"] += 1
            return
        with self.lock:
            key = (str(output), recordfile.content(record))
            if key in self.seen:
                return self.failing(record, output, launch, key)
            self.seen.add(key)
            name = (str(output), record["file"], record["kernel"], record["target"])
            if self.per_kernel[name] >= self.most:
                self.skipped[f"{kernel.__qualname__} has more than {self.most} specializations"] += 1
                return
            self.per_kernel[name] += 1
            data = recorddata.Data(self.data) if self.data and launch is not None else None
            if launch is not None:
                with contextlib.suppress(Exception):  # a grid that cannot be: Triton says so
                    record["run"] = launch(record, data)
            self.files.add(output)
            if self.write(output, record, data):
                self.added[record["kernel"]] += 1
            else:
                self.known += 1
            if data is not None and data.missing:
                self.without_data[record["kernel"]] += 1

    def write(self, output, record, data):
        if data is not None and "run" in record:
            data.into(record, recordfile.data_folder(output).name)
        return recordfile.add(output, record, data.files if data is not None else None)

    def failing(self, record, output, launch, key):
        """What to call if a launch fails that is not the first of its specialization. Its inputs are taken now: it may change them."""
        if not self.data or launch is None or key in self.failed:
            return None
        data = recorddata.Data(self.data)
        try:
            record["run"] = launch(record, data)
        except Exception:
            return None

        def write():
            with self.lock:
                self.failed.add(key)
                self.write(output, record, data)

        return write

    def guarded(self, kernel, work):
        try:
            return work()
        except Exception as error:
            name = getattr(kernel, "__qualname__", "?")
            self.skipped[f"{name}: {type(error).__name__}: {error}"] += 1

    def launch(self, kernel, arguments, keywords, grid, warmup):
        from triton import knobs
        from triton.runtime.driver import driver
        from triton.runtime.jit import create_function_from_signature

        self.launches += 1
        # As JITFunction.run does it.
        keywords = {**keywords, "debug": keywords.get("debug", kernel.debug) or knobs.runtime.debug,
                    "instrumentation_mode": knobs.compilation.instrumentation_mode,
                    "fpsan_homomorphic_casts": knobs.compilation.fpsan_homomorphic_casts}
        target = driver.active.get_current_target()
        if (kernel, target) not in self.binders:
            from triton.compiler import make_backend
            backend = make_backend(target)
            self.binders[kernel, target] = backend, create_function_from_signature(kernel.signature, kernel.params, backend), set()
        backend, bind, seen = self.binders[kernel, target]
        bound, specialized, options = bind(*arguments, **keywords)
        key = f"{specialized} {options}"
        if key in seen and not self.data:
            return None
        seen.add(key)
        options, signature, constants, attributes = kernel._pack_args(backend, keywords, bound, specialized, options)
        return self.take(Specialization(kernel, signature, constants, attributes, options, target),
                         None if warmup else lambda record, data: run_of(record, bound, grid, data))

    def compiled(self, source, target, options):
        if not getattr(self.inside, "launch", False):  # else it was seen when it was launched
            self.take(Specialization(source.fn, source.signature, source.constants, source.attrs, options, target))

    # -- listening

    def start(self):
        import triton.compiler.compiler  # the function `compile` hides the module in triton.compiler
        from triton.experimental.gluon._runtime import GluonASTSource
        from triton.runtime.jit import JITFunction

        compiler = sys.modules["triton.compiler.compiler"]
        run, make_ir, cache_key = JITFunction.run, GluonASTSource.make_ir, compiler.get_cache_key
        recorder = self

        def recording_run(kernel, *arguments, grid, warmup, **keywords):
            write = None
            if kernel.is_gluon():
                write = recorder.guarded(kernel, lambda: recorder.launch(kernel, arguments, keywords, grid, warmup))
            if recorder.target is not None:
                return dryrun.Kernel()
            before = getattr(recorder.inside, "launch", False)
            recorder.inside.launch = True
            try:
                return run(kernel, *arguments, grid=grid, warmup=warmup, **keywords)
            except Exception:
                if write is not None:
                    recorder.guarded(kernel, write)
                raise
            finally:
                recorder.inside.launch = before

        def recording_make_ir(source, target, options, *rest):
            recorder.guarded(source.fn, lambda: recorder.compiled(source, target, options))
            return make_ir(source, target, options, *rest)

        def recording_cache_key(source, backend, options, *rest, **keywords):
            if isinstance(source, GluonASTSource):
                recorder.guarded(source.fn, lambda: recorder.compiled(source, backend.target, options))
            return cache_key(source, backend, options, *rest, **keywords)

        self.cleanup = contextlib.ExitStack()
        if self.target is not None:
            self.cleanup.enter_context(dryrun.on(dryrun.Driver(self.target)))
        for owner, name, ours in ((JITFunction, "run", recording_run), (GluonASTSource, "make_ir", recording_make_ir),
                                  (compiler, "get_cache_key", recording_cache_key)):
            self.cleanup.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, ours)
        return self

    def stop(self):
        if self.cleanup is not None:
            self.cleanup.close()
            self.cleanup = None

    def summary(self):
        """A few lines for a person."""
        count = lambda number, noun: f"{number} {noun}{'' if number == 1 else 's'}"
        lines = [f"{count(self.launches, 'launch')[:-1] + 'es' if self.launches != 1 else '1 launch'}, "
                 f"{count(sum(self.added.values()), 'new specialization')}, {self.known} known before"]
        lines += [f"in {os.path.relpath(file)}" for file in sorted(self.files)]
        lines += [f"{kernel}: some tensors are too large, or have no contents here, and are recorded without (--data-limit)"
                  for kernel in sorted(self.without_data)]
        lines += [f"not recorded ({times}x): {reason}" for reason, times in self.skipped.most_common(12)]
        return "\n".join("gluond.record: " + line for line in lines)


def relative_path(path, folder, root):
    """Relative to the record file's folder; absolute for what lies outside the workspace, which may move on its own."""
    path = Path(path).resolve()
    if root is not None and root not in path.parents:
        return path.as_posix()
    return Path(os.path.relpath(path, Path(folder).resolve())).as_posix()


@contextlib.contextmanager
def record(output=None, target=None, most=256, data=0):
    """Records the launches in the block; gives the Recorder.

    `output`: a record file; without one `.gluond/<program>.launches.jsonl` in the workspace of each kernel. `target`: `cuda:90`, to
    record for that GPU without compiling or launching anything. `most`: specializations of one kernel. `data`: bytes of tensors' contents that
    one record may keep.
    """
    recorder = Recorder(output, target, most, data).start()
    try:
        yield recorder
    finally:
        recorder.stop()
