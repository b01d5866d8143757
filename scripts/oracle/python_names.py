#!/usr/bin/env python3
"""Prints compiler/evaluate/values/PythonNames.def: which attributes Python's own types have.

gluond implements a part of them. What Python has and gluond does not is unknown to it, and not missing.

    scripts/oracle/python_names.py > compiler/evaluate/values/PythonNames.def
"""
import abc
import builtins
import enum
import math
import sys
import types
import typing

from names_rows import print_row

# Names that versions later than the one that runs this have.
LATER = {
    "object": "__weakref__ __orig_bases__ __orig_class__ __parameters__",
    "type": "__args__ __origin__ __parameters__ __metadata__ __forward_arg__ __firstlineno__ __static_attributes__ __type_params__ __annotate__",
    "function": "__type_params__ __annotate__",
    "module": "__annotate__",
    "builtins": "PythonFinalizationError _IncompleteInputError",
    "math": "fma sumprod",
    "generator": "gi_suspended",
    "bytes": "",
    "property": "__name__",
    "int": "from_number",
    "float": "from_number",
}


def generator():
    yield


def names(value, without):
    return set(dir(value)) - without


def main():
    ordinary = set(dir(object))
    kinds = {
        "object": object,
        "int": int, "bool": bool, "float": float, "complex": complex, "str": str, "bytes": bytes, "bytearray": bytearray,
        "memoryview": memoryview, "tuple": tuple, "list": list, "dict": dict, "set": set, "frozenset": frozenset, "range": range,
        "slice": slice, "NoneType": type(None), "ellipsis": type(...), "NotImplementedType": type(NotImplemented),
        "function": types.FunctionType, "method": types.MethodType, "builtin_function_or_method": types.BuiltinFunctionType,
        "module": types.ModuleType, "generator": type(generator()), "JITFunction": object, "ConstexprFunction": object,
    }
    rows = {name: names(kind, set() if kind is object else ordinary) for name, kind in kinds.items()}
    rows["module"] |= {"__file__", "__path__", "__cached__", "__builtins__", "__annotations__"}
    # A class has what `type` gives it.
    rows["type"] = names(type, ordinary) | {"__abstractmethods__", "__annotations__", "__name__", "__qualname__", "__mro__"}
    rows["Enum"] = names(enum.Enum, ordinary) | names(enum.EnumType, ordinary) | {
        "_value_", "_name_", "_sort_order_", "_generate_next_value_", "_missing_", "_ignore_", "_convert_", "_member_map_",
        "_member_names_", "_value2member_map_", "_member_type_", "_unhashable_values_", "_use_args_", "_value_repr_", "_new_member_",
        "_add_alias_", "_add_value_alias_", "_numeric_repr_"}
    rows["Flag"] = names(enum.Flag, ordinary) | {"_boundary_", "_flag_mask_", "_all_bits_", "_inverted_", "_singles_mask_"}
    for kind in (enum.IntEnum, enum.StrEnum, enum.IntFlag):
        rows[kind.__name__] = names(kind, ordinary)
    rows["ABC"] = names(abc.ABCMeta, ordinary) | {"_abc_impl"}
    rows["Generic"] = names(typing.Generic, ordinary) | {"__parameters__", "__orig_bases__", "__orig_class__"}
    rows["Protocol"] = names(typing.Protocol, ordinary) | {
        "_is_protocol", "_is_runtime_protocol", "__protocol_attrs__", "__non_callable_proto_members__", "register"}
    for name, value in vars(builtins).items():
        if isinstance(value, type) and issubclass(value, BaseException) and value.__name__ == name:
            rows[name] = names(value, set(dir(value.__base__)) - ({"x"} if value is BaseException else set()))
    rows["BaseException"] |= {"__notes__"}
    # Modules, by "module NAME"; the builtins are a module, too.
    rows["module builtins"] = set(dir(builtins)) | {"__file__", "__path__", "__cached__", "__annotations__", "copyright", "credits",
                                                    "license", "exit", "quit", "help"}
    rows["module math"] = set(dir(math))
    # Not a class: the builtins that are functions, and no classes.
    rows["functions of builtins"] = {name for name, value in vars(builtins).items()
                                     if isinstance(value, types.BuiltinFunctionType) and not name.startswith("_")}
    # Not a class: the modules themselves, those of earlier versions too.
    rows["standard library"] = {name for name in sys.stdlib_module_names if not name.startswith("_")} | {
        "__future__", "_thread", "annotationlib", "compression", "asynchat", "asyncore", "binhex", "distutils", "formatter", "imp",
        "macpath", "parser", "smtpd", "symbol"}
    print("// Which attributes Python's own types and modules have, beyond those of their bases. Made by scripts/oracle/python_names.py.")
    for name, members in rows.items():
        members |= set(LATER.get(name.removeprefix("module "), "").split())
        if members:
            print_row("PYTHON_NAMES", name, members, width=88)


main()
