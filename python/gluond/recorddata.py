"""The contents of a launch's tensors, kept beside its record as .npy files (docs/launch-records.md).

They are taken before the launch, of at most so many bytes together; tensors that are too large for what is left are kept without contents. A
file is named after what it holds, so that launches with the same inputs share it.
"""
import hashlib
import math
import struct

from .memory import memory_of
from .numpytensor import NumpyTensor, is_numpy

# Of Triton's element types, as .npy files name them. Formats that numpy lacks are kept as raw bits.
NPY = {"fp16": "<f2", "fp32": "<f4", "fp64": "<f8", "bf16": "<u2", "u1": "|b1", "i1": "|b1", "i8": "|i1", "u8": "|u1", "i16": "<i2", "u16": "<u2",
       "i32": "<i4", "u32": "<u4", "i64": "<i8", "u64": "<u8"}


def npy_type(type_):
    return NPY.get(type_, "|u1" if type_.startswith("fp8") else None)


def npy(descr, shape, contents):
    """A .npy file, version 1."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({''.join(f'{size}, ' for size in shape)}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + contents


def elements(value):
    """The elements of a tensor in row-major order, as bytes."""
    while hasattr(value, "base") and hasattr(value.base, "data_ptr") and not isinstance(value, NumpyTensor):
        value = value.base  # of a descriptor, of triton.reinterpret
    if is_numpy(value):
        return value.tobytes()
    if isinstance(value, NumpyTensor):
        return value.array.tobytes()
    dense = value.detach().cpu().contiguous()
    memory = memory_of("", dense)
    begin = dense.data_ptr() - memory.address
    return bytes(memory.view()[begin:begin + dense.numel() * dense.element_size()])


def size_of(value):
    while hasattr(value, "base") and hasattr(value.base, "data_ptr") and not isinstance(value, NumpyTensor):
        value = value.base
    return int(value.nbytes)


class Data:
    """The contents that one launch brought: `files` by name, and `names` of the arguments that have one."""

    def __init__(self, most):
        self.left, self.files, self.names, self.missing = most, {}, {}, []

    def take(self, name, type_, value, facts):
        """`facts`: what the record says of the tensor, which it is told the name of the file."""
        descr = npy_type(type_.lstrip("*").removeprefix("k"))
        try:
            size = size_of(value)
            whole = descr is not None and size == math.prod(facts["shape"]) * int(descr[2:])  # a descriptor may be of a part of its base
            if not whole or size > self.left:
                self.missing.append(name)
                return
            contents = elements(value)
        except (AttributeError, TypeError, ValueError, RuntimeError):
            self.missing.append(name)  # no tensor that has contents here
            return
        self.left -= size
        file = npy(descr, facts["shape"], contents)
        key = hashlib.sha256(file).hexdigest()[:24] + ".npy"
        self.files[key] = file
        self.names[name] = key

    def into(self, record, folder):
        """The record's tensors name their files, which lie in a folder beside it."""
        for name, key in self.names.items():
            record["run"]["values"][name]["data"] = f"{folder}/{key}"
