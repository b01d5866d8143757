#!/usr/bin/env python3
"""Record what Triton makes of our test kernels, as data for tests that need no Python.

    scripts/oracle/record_goldens.py FOLDER|FILE.launches.jsonl ... [--check] [--stage source|ttgir] [--id ID]

For every launch record (docs/launch-records.md) of a `*.launches.jsonl` in FOLDER this writes beside it
`golden/<id>.source` and `golden/<id>.ttgir`, or `golden/<id>.error` (JSON: stage, kind, message, line, column, frames)
where Triton rejects the kernel. With --check nothing is written; the exit code is 1 when a golden is out of date.

Goldens are those of Triton 3.9.0, or of the release that a file `release` in FOLDER names. Needs Python 3.11 and that
Triton; no GPU, no torch:

    sh scripts/peers.sh
    .cache/oracle/bin/python scripts/oracle/record_goldens.py tests/data/codegen

With --new-release, the goldens of 3.9.0 are compared with a later Triton: it prints what that one writes otherwise.
"""
import argparse
import ast
import collections
import dataclasses
import importlib
import importlib.util
import json
import os
import re
import sys
import tempfile
import types
from pathlib import Path
from unittest import mock


NEWEST = "3.9.0"  # the release that goldens are of where no file `release` says another


class StubModule(types.ModuleType):
    """Stands in for torch and pytest while a kernel file is imported; host code is never called."""
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return mock.MagicMock(name=f"{self.__name__}.{name}")


for stub in ("torch", "torch.testing", "torch.nn", "torch.nn.functional", "torch.cuda"):
    sys.modules.setdefault(stub, StubModule(stub))
sys.modules["torch"].cuda = sys.modules["torch.cuda"]


def device_capability(*_):
    """What a file that asks at import is told: the chip of the record it is loaded for."""
    arch = driver.active.get_current_target().arch
    return divmod(arch, 10) if isinstance(arch, int) else (9, 4)


sys.modules["torch.cuda"].get_device_capability = device_capability


class NoDriver:
    """An active target without a device, for kernels that ask for it at import."""

    def __init__(self, target):
        self.target = target

    def get_current_target(self):
        return self.target

    def __getattr__(self, name):
        return lambda *args, **kwargs: 0


def load_triton():
    global triton, core, jit, GPUTarget, make_backend, CompilationError, GluonASTSource, CodeGenerator, ir, driver
    import triton
    from triton import knobs
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import make_backend
    from triton.compiler.code_generator import CodeGenerator
    from triton.compiler.errors import CompilationError
    from triton.experimental.gluon._runtime import GluonASTSource
    from triton.language import core
    from triton.runtime import jit
    from triton.runtime.driver import driver
    from triton._C.libtriton import nvidia
    nvidia.cublas.CublasLt = mock.MagicMock()  # files that compare with it make one at import
    knobs.compilation.disable_line_info = True
    if not hasattr(GPUTarget, "is_cuda_backend"):  # kernel files written for later versions ask at import
        GPUTarget.is_cuda_backend = lambda self: self.backend == "cuda"
        GPUTarget.is_hip_backend = lambda self: self.backend == "hip"


def gpu_target(text):
    backend, arch = text.split(":")
    if backend == "cuda":
        return GPUTarget("cuda", int(arch), 32)
    return GPUTarget("hip", arch, 64 if arch.startswith("gfx9") else 32)


# ---------------------------------------------------------------- values

LAYOUT_HOMES = ["_layouts", "amd._layouts", "amd.cdna5._layouts", "nvidia.blackwell", "nvidia.ampere.mbarrier"]


def layout_class(name):
    base = "triton.experimental.gluon.language."
    homes = LAYOUT_HOMES
    if "." in name:  # two names exist twice; these say which
        space, name = name.split(".")
        homes = {"rubin": ["nvidia.rubin"], "cdna5": ["amd.cdna5.mbarrier"]}[space]
    for home in homes:
        try:
            found = getattr(importlib.import_module(base + home), name, None)
        except ImportError:
            continue  # another release of Triton
        if found is not None:
            return found
    raise LookupError(f"no layout class {name}")


class Values:
    """Makes Python values of a record's JSON."""

    def __init__(self, folder, module):
        self.folder, self.module, self.made = folder, module, {}

    def home(self, ref):
        if "file" in ref:
            return load_file(self.folder / ref["file"], ref.get("module"))
        return importlib.import_module(ref["module"]) if ref.get("module", "").startswith("triton") else self.module

    def named(self, ref, key):
        found = self.home(ref)
        if "<locals>" in ref[key]:
            return self.define(found, ref, ref[key])
        for part in ref[key].split("."):
            found = getattr(found, part)
        return found

    def define(self, module, ref, qualname):
        """A class or function inside a function, made again with the closure that the reference has."""
        made = self.made.setdefault(json.dumps([module.__name__, ref]), None)
        if made is not None:
            return made
        name, kinds = qualname.split(".")[-1], (ast.ClassDef, ast.FunctionDef)
        node = next(node for node in ast.walk(ast.parse(Path(module.__file__).read_text()))
                    if isinstance(node, kinds) and node.name == name and node.lineno == ref.get("line", node.lineno))
        closure = {key: self(value) for key, value in ref.get("closure", {}).items()}
        arguments = ast.arguments([], [ast.arg(key) for key in closure], None, [], [], None, [])
        maker = ast.FunctionDef("make", arguments, [node, ast.Return(ast.Name(name, ast.Load()))], [], None, None)
        ast.copy_location(maker, node)
        code = compile(ast.fix_missing_locations(ast.Module([maker], [])), module.__file__, "exec")
        scope = {}
        exec(code, module.__dict__, scope)
        made = scope["make"](**closure)
        made.__qualname__ = qualname
        self.made[json.dumps([module.__name__, ref])] = made
        return made

    def __call__(self, json_value):
        if isinstance(json_value, list):
            return [self(item) for item in json_value]
        if not isinstance(json_value, dict):
            return json_value
        tag, body = next((k, v) for k, v in json_value.items() if k.startswith("$"))
        if tag == "$layout":
            cls = layout_class(body)
            made = object.__new__(cls)
            for field in dataclasses.fields(cls):
                object.__setattr__(made, field.name, self(json_value[field.name]))
            return made
        if tag == "$pointer":
            return core.pointer_type(self(body), const=json_value["const"])
        if tag == "$namedtuple":
            fields = {name: self(item) for name, item in json_value["fields"].items()}
            return collections.namedtuple(body["$class"].split(".")[-1], list(fields))(**fields)
        simple = {
            "$float": float,
            "$dtype": core.dtype,
            "$tuple": lambda items: tuple(self(item) for item in items),
            "$dict": lambda items: {self(k): self(v) for k, v in items},
            "$range": lambda bounds: range(*bounds),
            "$constexpr": lambda inner: core.constexpr(self(inner)),
            "$fn": lambda _: self.named(json_value, "$fn"),
            "$class": lambda _: self.named(json_value, "$class"),
            "$enum": lambda cls: getattr(self(cls), json_value["name"]),
            "$module": importlib.import_module,
        }
        return simple[tag](body)


def load_file(path, name=None):
    path = Path(path).resolve()
    name = name or path.stem
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path):
        return loaded
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


# ---------------------------------------------------------------- one record

ATTRIBUTES = {"divisible_by": "tt.divisibility", "pointer_range": "tt.pointer_range"}


def signature_of(record, fn, values):
    constants, attrs = {}, {}

    def argument(arg, path):
        kind = arg["type"]
        if kind == "constexpr":
            constants[path] = values(arg["value"])
            return kind
        if kind == "tuple":
            parts = [argument(part, (*path, i)) for i, part in enumerate(arg["elements"])]
            if "fields" in arg:
                return collections.namedtuple(arg.get("class", "Record"), arg["fields"])(*parts)
            return tuple(parts)
        if kind.startswith("tensordesc"):
            rank = f",input_rank={arg['input_rank']}" if "input_rank" in arg else ""
            layout = f",{values(arg['layout'])!r}" if "layout" in arg else ""
            return f"{kind}<{arg['dtype']}{arg['block']}{rank}{layout}>"
        found = [[name, arg[key]] for key, name in ATTRIBUTES.items() if key in arg]
        if found:
            attrs[path] = found
        return kind

    signature = {arg["name"]: argument(arg, (fn.arg_names.index(arg["name"]), )) for arg in record["args"]}
    return signature, constants, attrs


def kernel_of(record, module):
    found = module
    for part in record["kernel"].split("."):
        found = getattr(found, part)
    while not isinstance(found, jit.JITFunction):
        found = getattr(found, "__wrapped__", None) or found.fn  # under autotune, heuristics or decorators of the file
    return found


def prepared(record, folder):
    """The target, its back end with the record's options, and a function that makes the `source` module."""
    target = gpu_target(record["target"])
    driver.set_active(NoDriver(target))
    module = load_file(folder / record["file"], record.get("module"))
    values = Values(folder, module)
    fn = kernel_of(record, module)
    signature, constants, attrs = signature_of(record, fn, values)
    backend = make_backend(target)
    options = backend.parse_options({name: values(value) for name, value in record["options"].items()})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)

    def generate():
        source = GluonASTSource(fn, signature, constants, attrs)
        return source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)

    return target, backend, options, generate


def stages_of(record, folder, upto):
    target, backend, options, generate = prepared(record, folder)
    texts, stage = {}, "source"
    try:
        generated = generate()
        texts["source"] = generated.str_nodebug()
        if upto != "source":
            stage, steps = "ttgir", {}
            from triton.backends.compiler import Language
            backend.add_stages(steps, options, Language.GLUON)
            texts["ttgir"] = steps["ttgir"](generated, {"target": target, **options.__dict__}).str_nodebug()
    except Exception as error:
        return texts, describe(error, stage)
    return texts, None


def compiled(record, folder, steps):
    """What the last of Triton's `steps` ("ttgir", "llir", "ptx", ...) makes of the kernel."""
    target, backend, options, generate = prepared(record, folder)
    result = generate()
    from triton.backends.compiler import Language
    stages, metadata = {}, {"target": target, **options.__dict__}
    backend.add_stages(stages, options, Language.GLUON)
    for step in steps:
        result = stages[step](result, metadata)
    return result


def describe(error, stage):
    frames, innermost = [], error
    while isinstance(innermost, CompilationError):
        generator, trace = None, innermost.__traceback__
        while trace is not None:
            owner = trace.tb_frame.f_locals.get("self")
            generator = owner if isinstance(owner, CodeGenerator) else generator
            trace = trace.tb_next
        frame = {"message": innermost.error_message}
        if generator is not None and hasattr(innermost.node, "lineno"):
            frame.update(function=generator.jit_fn.__qualname__, line=generator.begin_line + innermost.node.lineno,
                         column=generator.begin_col + innermost.node.col_offset)
        frames.append(frame)
        if not isinstance(innermost.__cause__, CompilationError):
            break
        innermost = innermost.__cause__
    last = frames[-1] if frames else {}
    out = {"stage": stage, "kind": type(innermost).__name__, "message": str(last.get("message") or innermost)}
    out.update({key: last[key] for key in ("line", "column", "function") if key in last})
    if len(frames) > 1:
        out["frames"] = frames
    return out


def isolated(record, folder, upto):
    """In a child process: Triton aborts on some inputs. MLIR's own messages, which go to stderr, are kept."""
    with tempfile.TemporaryFile("w+") as log, tempfile.TemporaryFile("w+") as result:
        child = os.fork()
        if child == 0:
            os.dup2(log.fileno(), 2)
            code = 0
            try:
                texts, error = stages_of(record, folder, upto)
                json.dump([texts, error], result)
                result.flush()
            except BaseException as error:
                import traceback
                traceback.print_exc()
                code = 3
            os._exit(code)
        _, status = os.waitpid(child, 0)
        log.seek(0)
        said = [line.strip() for line in log if re.search(r": (error|note|remark): ", line)][:20]
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 3:
            log.seek(0)
            sys.exit(f"{record['id']}: the record cannot be loaded\n{log.read()}")
        if status != 0:
            return {}, {"stage": "source", "kind": "Abort", "message": "Triton's process died", "diagnostics": said}
        result.seek(0)
        texts, error = json.load(result)
        if error and said:
            error["diagnostics"] = said
        return texts, error


def goldens(record, folder, upto):
    texts, error = isolated(record, folder, upto)
    numbered = {}
    fix = lambda text: re.sub(r" at 0x([0-9a-f]+)", lambda m: f" at 0x{numbered.setdefault(m[1], len(numbered) + 1)}",
                              text)
    out = {stage: fix(text) for stage, text in texts.items()}
    if error:
        out["error"] = fix(json.dumps(error, indent=1)) + "\n"
    return out


def release_of(folder):
    named = folder / "release"
    return named.read_text().strip() if named.exists() else NEWEST


def first_difference(old, new):
    """The first line that differs, as both have it: of an error's golden, what Triton says."""
    said = lambda text: "(compiles)" if text is None else json.loads(text)["message"] if text.startswith("{") else text
    old, new = said(old), "(rejected)" if new is None and not (old or "").startswith("{") else said(new)
    lines = next((pair for pair in zip(old.splitlines() + [""], new.splitlines() + [""]) if pair[0] != pair[1]), ("", ""))
    return f"- {lines[0].strip()[:150]}\n    + {lines[1].strip()[:150]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--new-release", action="store_true", help=f"compare the goldens of Triton {NEWEST} with the installed Triton")
    parser.add_argument("--stage", choices=["source", "ttgir"], default="ttgir", help="the last stage to record")
    parser.add_argument("--id", help="only this record")
    arguments = parser.parse_args()
    load_triton()
    files = [file for path in arguments.paths for file in (sorted(path.rglob("*.launches.jsonl")) if path.is_dir() else [path])]
    stale = written = 0
    for file in files:
        if arguments.new_release and release_of(file.parent) != NEWEST:
            continue
        if release_of(file.parent) != triton.__version__ and not arguments.new_release:
            print(f"skipped: {file} is for Triton {release_of(file.parent)}, and this is {triton.__version__}")
            continue
        golden = file.parent / "golden"
        for line in file.read_text().splitlines():
            record = json.loads(line) if line.strip() else None
            if record is None or arguments.id not in (None, record["id"]):
                continue
            try:
                made = goldens(record, file.parent, arguments.stage)
            except SystemExit as why:  # the file or the record is none that this Triton can load
                if not arguments.new_release:
                    raise
                print(f"{golden}/{record['id']}\n    {str(why).strip().splitlines()[-1][:200]}", flush=True)
                stale += 1
                continue
            for suffix in ("source", "ttgir", "error"):
                path = golden / f"{record['id']}.{suffix}"
                old = path.read_text() if path.exists() else None
                if made.get(suffix) == old or (arguments.new_release and old is None and suffix != "error"):
                    continue  # tests of the code generator keep no ttgir
                stale += 1
                if arguments.new_release:
                    print(f"{path}\n    {first_difference(old, made.get(suffix))}", flush=True)
                elif arguments.check:
                    print(f"out of date: {path}")
                elif suffix in made:
                    golden.mkdir(exist_ok=True)
                    path.write_text(made[suffix])
                elif suffix != "ttgir" or arguments.stage == "ttgir":
                    path.unlink()
            written += 1
    print(f"{written} records, {stale} goldens {'out of date' if arguments.check else 'differ' if arguments.new_release else 'changed'}")
    sys.exit(1 if arguments.check and stale else 0)


if __name__ == "__main__":
    main()
