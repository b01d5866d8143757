"""Arrays of numpy as arguments of kernels."""


class NumpyTensor:
    """A numpy array as Triton takes tensors. Kernels take arrays as they are; wrap what goes into a TensorDescriptor."""

    def __init__(self, array):
        import numpy

        self.array = numpy.asarray(array)
        if any(step % self.array.itemsize for step in self.array.strides):
            raise ValueError("the array's strides are not multiples of its elements' size")

    dtype = property(lambda self: self.array.dtype)
    shape = property(lambda self: self.array.shape)
    ndim = property(lambda self: self.array.ndim)
    nbytes = property(lambda self: self.array.nbytes)

    def data_ptr(self):
        return self.array.__array_interface__["data"][0]

    def element_size(self):
        return self.array.itemsize

    def stride(self, dimension=None):
        strides = tuple(step // self.array.itemsize for step in self.array.strides)
        return strides if dimension is None else strides[dimension]

    def numel(self):
        return self.array.size

    def dim(self):
        return self.array.ndim

    def size(self, dimension=None):
        return self.array.shape if dimension is None else self.array.shape[dimension]

    def is_contiguous(self):
        return self.array.flags["C_CONTIGUOUS"]

    def __array__(self, *arguments, **keywords):
        return self.array.__array__(*arguments, **keywords)


def is_numpy(value):
    return type(value).__module__ == "numpy" and hasattr(value, "__array_interface__") and getattr(value, "ndim", 0) > 0
