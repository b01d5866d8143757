"""The memory that a launch's arguments point to: where it is, and how much of it there is.

A tensor brings the allocation that it lies in: what a kernel may reach on a GPU without a fault. Allocations that overlap are one.
"""
import bisect
import ctypes
import dataclasses
import weakref

from .numpytensor import NumpyTensor, is_numpy


@dataclasses.dataclass
class Memory:
    name: str  # of the argument
    address: int
    size: int
    writable: bool = True

    def view(self):
        return memoryview((ctypes.c_ubyte * self.size).from_address(self.address)).cast("B")


def bounds(address, shape, strides, size):
    """The bytes between the first element and the last of a tensor; strides in bytes."""
    if 0 in shape:
        return address, 0
    steps = [(extent - 1) * step for extent, step in zip(shape, strides)]
    first = address + sum(step for step in steps if step < 0)
    return first, address + sum(step for step in steps if step > 0) + size - first


def memory_of(name, value):
    """The Memory of anything with a `data_ptr`. ValueError: it is not in this process's memory."""
    while hasattr(value, "base") and hasattr(value.base, "data_ptr") and not isinstance(value, NumpyTensor):
        value = value.base  # of triton.reinterpret
    if callable(getattr(value, "untyped_storage", None)):
        storage = value.untyped_storage()
        if storage.device.type != "cpu":
            raise ValueError(f"argument '{name}' is a tensor on the device '{storage.device}', which the simulator cannot read: make it on the CPU")
        return Memory(name, storage.data_ptr(), storage.nbytes())
    if isinstance(value, NumpyTensor):
        root = value.array
        while is_numpy(root.base):
            root = root.base
        address, size = bounds(root.__array_interface__["data"][0], root.shape, root.strides, root.itemsize)
        return Memory(name, address, size, value.array.flags["WRITEABLE"])
    try:
        shape, item = [int(extent) for extent in value.shape], int(value.element_size())
        return Memory(name, *bounds(value.data_ptr(), shape, [int(step) * item for step in value.stride()], item))
    except (AttributeError, TypeError) as error:
        raise ValueError(f"argument '{name}' does not tell its shape, strides and size, which the simulator needs: {error}") from error


MOST_POINTERS = 1 << 16  # elements of a tensor that are looked at


class Exposed:
    """Tensors whose address the program asked for: kernels may find it in other tensors, such as a table of pointers."""

    def __init__(self):
        self.tensors = {}

    def note(self, tensor, address):
        self.tensors[address] = weakref.ref(tensor)

    def behind(self, memories):
        """The memory that numbers in these memories point to, and what it points to in turn. `memories`: those of 64-bit integers."""
        alive = {address: tensor for address, reference in self.tensors.items() if (tensor := reference()) is not None}
        self.tensors = {address: self.tensors[address] for address in alive}
        if not memories:
            return []
        known = [memory_of("a pointer's tensor", tensor) for tensor in alive.values()]
        known.sort(key=lambda memory: memory.address)
        begins, found, waiting = [memory.address for memory in known], {}, list(memories)
        while waiting and known:
            memory = waiting.pop()
            if memory.size > 8 * MOST_POINTERS or memory.size % 8:
                continue
            for pointer in memory.view().cast("Q"):
                i = bisect.bisect_right(begins, pointer) - 1
                if i >= 0 and i not in found and pointer < known[i].address + known[i].size:
                    found[i] = known[i]
                    waiting.append(known[i])
        return list(found.values())


exposed = Exposed()


def merged(memories):
    """Each byte once, in the order of their addresses."""
    found = []
    for memory in sorted(memories, key=lambda each: (each.address, -each.size)):
        if not memory.size:
            continue
        if found and memory.address < found[-1].address + found[-1].size:
            last = found[-1]
            last.size = max(last.size, memory.address + memory.size - last.address)
            last.writable = last.writable and memory.writable
        else:
            found.append(dataclasses.replace(memory))
    return found
