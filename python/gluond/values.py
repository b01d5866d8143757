"""Python values of a launch as the JSON of launch records (docs/launch-records.md).

What a record can hold: scalars, containers, dtypes, types, layouts, enums, jit and constexpr functions, classes, and instances of a
program's own classes. Anything else raises Unrecordable, whose message says what it was. Nothing here imports Triton at module level.
"""
import ast
import dataclasses
import enum
import inspect
import math
import os
import sys
import types
from pathlib import Path


class Unrecordable(Exception):
    """A launch record cannot hold this value; the message names it."""


def is_tritons(module):
    return (module or "").partition(".")[0] == "triton"


def module_name(name, file):
    """The program's own file is `__main__` or a module by its stem, depending on who started it: a record takes the stem."""
    return Path(file).stem if name == "__main__" else name


def layout_name(cls):
    """Two classes exist twice; the later one is written with its namespace."""
    spaces = [part for part in cls.__module__.split(".") if part in ("rubin", "cdna5")]
    twice = cls.__name__ in ("TensorMemoryScalesLayout", "MBarrierLayout")
    return f"{spaces[-1]}.{cls.__name__}" if twice and spaces else cls.__name__


def layout_of_text(text):
    """A layout from the text that Triton writes into a descriptor's type: `NVMMASharedLayout(swizzle_byte_width=128, ...)`."""

    def value(node):
        if isinstance(node, ast.Call):
            return {"$layout": node.func.id, **{word.arg: value(word.value) for word in node.keywords}}
        if isinstance(node, ast.List):
            return [value(item) for item in node.elts]
        if isinstance(node, ast.Tuple):
            return {"$tuple": [value(item) for item in node.elts]}
        return ast.literal_eval(node)

    return value(ast.parse(text, mode="eval").body)


def scalar(v):
    """JSON has no infinity and no NaN."""
    return v if type(v) is not float or math.isfinite(v) else {"$float": repr(v)}


class Encoder:
    """Values as JSON, for the records of one kernel.

    `home`: the file that the kernel stands in; references to definitions in other files name these through `relative(path)`.
    """

    def __init__(self, home, relative):
        from triton.language import core
        from triton.runtime import jit

        self.core, self.jit = core, jit
        self.home, self.relative = os.path.realpath(home), relative
        self.inside = []  # definitions under way: one that refers to itself is left out of its own closure

    # ---- definitions

    def place(self, definition, out):
        """Adds where a function or class is defined; nothing for the kernel's own file."""
        module = definition.__module__
        if is_tritons(module):
            return {**out, "module": module}
        file = getattr(definition, "file_name", None) or getattr(sys.modules.get(module), "__file__", None)
        if not file:
            raise Unrecordable(f"{definition!r}, which is in no file")
        if os.path.realpath(file) != self.home:
            out["file"] = self.relative(file)
        if module_name(module, file) != Path(file).stem:
            out["module"] = module
        return out

    def closure(self, function):
        """Free variables of a function and their values."""
        function = getattr(function, "fn", function)
        found = {}
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            try:
                content = cell.cell_contents
            except ValueError:
                continue  # not assigned yet
            if name != "__class__" and not any(content is outer for outer in self.inside):
                found[name] = self.value(content, True)
        return found

    def defaults(self, function):
        """Default values of a jit function that are not literals in the source."""
        given = function.fn.__defaults__ or ()
        if not given:
            return {}
        parsed = function.parse().body[0].args
        names = [argument.arg for argument in (*parsed.posonlyargs, *parsed.args)][-len(given):]
        return {name: self.value(value, True) for name, value, node in zip(names, given, parsed.defaults)
                if not isinstance(node, ast.Constant)}

    def nested(self, function, out):
        """Adds what a function needs that is defined in another: its line, closure and defaults."""
        for key, found in (("closure", self.closure(function)), ("defaults", self.defaults(function))):
            if found:
                out[key] = found
        return out

    def function(self, function):
        out = self.place(function, {"$fn": function.__qualname__})
        if "<locals>" in function.__qualname__ and not is_tritons(function.__module__):
            first = function.src.partition("\n")[0].strip()
            if first not in Path(function.file_name).read_text(errors="replace"):
                raise Unrecordable(f"{function.__qualname__}, whose source is made at run time")
            out["line"] = function.def_file_line_number
            self.inside.append(function)
            try:
                self.nested(function, out)
            finally:
                self.inside.pop()
        return out

    def cls(self, cls, tag="$class"):
        if cls.__module__ == "builtins":
            return {tag: cls.__qualname__, "module": "builtins"}
        out = self.place(cls, {tag: cls.__qualname__})
        if "<locals>" in cls.__qualname__ and not is_tritons(cls.__module__):
            found = {}
            self.inside.append(cls)
            try:
                for member in vars(cls).values():
                    if isinstance(member, (types.FunctionType, self.jit.JITCallable)) and member.__module__ == cls.__module__:
                        found.update(self.closure(member))
            finally:
                self.inside.pop()
            if found:
                out["closure"] = dict(sorted(found.items()))
        return out

    def builtin(self, function):
        return {"$builtin": f"{function.__module__}.{function.__qualname__}"}

    # ---- values

    def value(self, v, wrapped=False):
        """`wrapped`: keep constexprs apart from plain values, as closures and objects need it."""
        for matches, encode in self.RULES:
            if matches(self, v):
                return encode(self, v, lambda inner: self.value(inner, wrapped), wrapped)
        raise Unrecordable(f"an instance of {type(v).__module__}.{type(v).__qualname__}")

    def _type(self, v, each):
        out = {"$type": type(v).__name__, "element_ty": each(v.element_ty), "shape": [each(size) for size in v.shape]}
        if hasattr(v, "layout"):
            out["layout"] = each(v.layout)
        if hasattr(v, "alloc_shape"):
            out["alloc_shape"] = each(list(v.alloc_shape))
        return out

    def _tuple(self, v, each):
        fields = getattr(v.type, "fields", None)
        return {"$tl.tuple": [each(item) for item in v.values], **({"fields": list(fields)} if fields else {})}

    def _module(self, v):
        file = None if is_tritons(v.__name__) else getattr(v, "__file__", None)
        return {"$module": v.__name__, **({"file": self.relative(file)} if file else {})}

    def _function(self, v):
        if is_tritons(v.__module__) or v.__module__ in ("builtins", "math"):
            return self.builtin(v)
        raise Unrecordable(f"the plain function {v.__qualname__}")

    def _is_object(self, v):
        cls = type(v)
        return (hasattr(v, "__dict__") and cls.__module__.partition(".")[0] not in ("torch", "builtins", "functools", "numpy")
                and (dataclasses.is_dataclass(v) or getattr(cls, "__triton_aggregate__", False) or not is_tritons(cls.__module__)))

    def _object(self, v):
        fields = {name: self.value(field, True) for name, field in vars(v).items() if name != "_aggregate_init_complete"}
        return {**self.cls(type(v), "$object"), "fields": fields}

    # (is it this?, its JSON): the first that fits. `each` encodes what is inside.
    RULES = (
        (lambda self, v: v is None or type(v) in (bool, str, int, float), lambda self, v, each, wrapped: scalar(v)),
        (lambda self, v: isinstance(v, self.core.constexpr),
         lambda self, v, each, wrapped: {"$constexpr": each(v.value)} if wrapped else each(v.value)),
        (lambda self, v: isinstance(v, self.core.pointer_type),
         lambda self, v, each, wrapped: {"$pointer": each(v.element_ty), "const": bool(v.const)}),
        (lambda self, v: type(v) is self.core.dtype, lambda self, v, each, wrapped: {"$dtype": v.name}),
        (lambda self, v: isinstance(v, self.core.block_type)
         or type(v).__name__ in ("shared_memory_descriptor_type", "tensor_memory_descriptor_type"),
         lambda self, v, each, wrapped: self._type(v, each)),
        (lambda self, v: isinstance(v, enum.Enum), lambda self, v, each, wrapped: {"$enum": self.cls(type(v)), "name": v.name}),
        (lambda self, v: isinstance(v, type), lambda self, v, each, wrapped: self.cls(v)),
        (lambda self, v: isinstance(v, self.jit.BoundConstexprFunction),
         lambda self, v, each, wrapped: {"$bound": self.function(v.__func__), "self": each(v.__self__)}),
        (lambda self, v: isinstance(v, self.jit.JITCallable), lambda self, v, each, wrapped: self.function(v)),
        (lambda self, v: isinstance(v, types.ModuleType), lambda self, v, each, wrapped: self._module(v)),
        (lambda self, v: isinstance(v, tuple) and hasattr(type(v), "_fields"), lambda self, v, each, wrapped: {
            "$namedtuple": self.cls(type(v)), "fields": {name: each(getattr(v, name)) for name in v._fields}}),
        (lambda self, v: isinstance(v, tuple), lambda self, v, each, wrapped: {"$tuple": [each(item) for item in v]}),
        (lambda self, v: isinstance(v, self.core.tuple), lambda self, v, each, wrapped: self._tuple(v, each)),
        (lambda self, v: isinstance(v, list), lambda self, v, each, wrapped: [each(item) for item in v]),
        (lambda self, v: isinstance(v, dict),
         lambda self, v, each, wrapped: {"$dict": [[each(key), each(item)] for key, item in v.items()]}),
        (lambda self, v: isinstance(v, range), lambda self, v, each, wrapped: {"$range": [v.start, v.stop, v.step]}),
        (lambda self, v: isinstance(v, slice),
         lambda self, v, each, wrapped: {"$slice": [each(part) for part in (v.start, v.stop, v.step)]}),
        (lambda self, v: (type(v).__module__, type(v).__name__) == ("torch", "dtype"),
         lambda self, v, each, wrapped: {"$torch.dtype": str(v).rpartition(".")[2]}),
        (lambda self, v: type(v).__module__ == "numpy" and hasattr(v, "item") and getattr(v, "ndim", 1) == 0,
         lambda self, v, each, wrapped: each(v.item())),
        (lambda self, v: callable(v) and getattr(v, "__triton_builtin__", False) and hasattr(v, "__qualname__"),
         lambda self, v, each, wrapped: self.builtin(v)),
        (lambda self, v: inspect.isroutine(v) and hasattr(v, "__qualname__"), lambda self, v, each, wrapped: self._function(v)),
        (lambda self, v: dataclasses.is_dataclass(v) and is_tritons(type(v).__module__) and "ayout" in type(v).__name__,
         lambda self, v, each, wrapped: {"$layout": layout_name(type(v)),
                                         **{field.name: each(getattr(v, field.name)) for field in dataclasses.fields(v)}}),
        (lambda self, v: self._is_object(v), lambda self, v, each, wrapped: self._object(v)),
    )
