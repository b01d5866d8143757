"""Stands in for torch where a program needs no more of it than empty tensors (programs.py)."""
import math


class dtype:
    def __init__(self, name, itemsize):
        self.name, self.itemsize = name, itemsize

    def __repr__(self):
        return f"torch.{self.name}"


NAMES = {"int8": 1, "uint8": 1, "int32": 4, "int64": 8, "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "float8_e4m3fn": 1, "float8_e4m3fnuz": 1}
globals().update({name: dtype(name, size) for name, size in NAMES.items()})


class Tensor:
    made = 0

    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, dtype
        Tensor.made += 1
        self.address = Tensor.made << 32

    def numel(self):
        return math.prod(self.shape)

    def data_ptr(self):
        return self.address

    def stride(self, dim=None):
        strides = [math.prod(self.shape[i + 1:]) for i in range(len(self.shape))]
        return strides if dim is None else strides[dim]


def empty(*shape, dtype=None, device=None):
    return Tensor(tuple(shape[0]) if isinstance(shape[0], (tuple, list)) else shape, dtype or NAMES and globals()["float32"])
