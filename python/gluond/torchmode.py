"""torch programs that ask for a GPU, without one: what is asked for on "cuda" is made on the CPU (docs/simulating.md lists what is mapped).

Tensors on "cuda" are of the class CudaTensor, whose memory is the CPU's. What is computed from them is on "cuda" as well, as torch has it for
subclasses; copies between "cuda" and "cpu" are copies.
"""
import contextlib
import threading
import time
import types

import torch
from torch.overrides import TorchFunctionMode

from .chips import REGISTERS_PER_UNIT
from .devices import capability_of, chip_of
from .memory import exposed

CPU = torch.device("cpu")
CUDA = torch.device("cuda", 0)
Tensor = torch.Tensor


class CudaTensor(Tensor):
    """A tensor that the program made on "cuda"."""

    device = property(lambda self: CUDA)
    is_cuda = property(lambda self: True)
    is_cpu = property(lambda self: False)

    def get_device(self):
        return 0

    def __reduce_ex__(self, protocol):
        return self.as_subclass(Tensor).__reduce_ex__(protocol)

    def __deepcopy__(self, memo):
        copy = self.detach().clone().requires_grad_(self.requires_grad)
        memo[id(self)] = copy
        return copy


def side_of(device):
    """"cuda" or "cpu" of what a program gives as a device; None: of another kind, or none."""
    if device is None:
        return None
    if isinstance(device, int):
        return "cuda"
    kind = device.type if isinstance(device, torch.device) else str(device).partition(":")[0]
    return kind if kind in ("cuda", "cpu") else None


def side(tensor):
    return "cuda" if isinstance(tensor, CudaTensor) else "cpu"


def placed(value, where):
    """A result, on this side. Tensors keep their memory."""
    if isinstance(value, Tensor):
        kind = {"cuda": CudaTensor, "cpu": Tensor}[where]
        if type(value) is kind or type(value) not in (CudaTensor, Tensor):
            return value
        if value.requires_grad and value.is_leaf:  # stays one that collects its gradient
            return value.detach().as_subclass(kind).requires_grad_()
        return value.as_subclass(kind)
    if isinstance(value, dict):
        for key, item in value.items():
            value[key] = placed(item, where)
        return value
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return type(value)(placed(item, where) for item in value)
    return value


def moved(tensor, where, convert):
    """A tensor on another side has memory of its own."""
    result = convert(tensor)
    if where is None or where == side(tensor):
        return result
    if result.untyped_storage().data_ptr() == tensor.untyped_storage().data_ptr():
        result = result.clone()
    return placed(result, where)


def to(tensor, *arguments, **keywords):
    """Tensor.to in all its forms: (device), (dtype), (device, dtype), (other), and by keyword."""
    where, rest = None, list(arguments)
    keywords = dict(keywords)
    if rest and not isinstance(rest[0], (torch.dtype, type(None))):
        first = rest[0]
        where = side(first) if isinstance(first, Tensor) else side_of(first)
        if where is not None:
            if isinstance(first, Tensor):
                rest[0:1] = [first.dtype]
            else:
                rest[0:1] = []
    if (named := side_of(keywords.get("device"))) is not None:
        where = named
        del keywords["device"]
    if isinstance(keywords.get("other"), Tensor):
        other = keywords.pop("other")
        where = side(other)
        rest.insert(0, other.dtype)
    non_blocking = [each for each in rest if isinstance(each, bool)]  # (device, dtype, non_blocking, copy)
    rest = [each for each in rest if isinstance(each, (torch.dtype, torch.device, str))]
    if len(non_blocking) > 1:
        keywords["copy"] = non_blocking[1]
    keywords.pop("non_blocking", None)

    def convert(source):
        if not rest and not any(value for value in keywords.values() if value is not None):
            return source
        return Tensor.to(source, *rest, **keywords)

    return moved(tensor, where, convert)


def data_ptr(tensor):
    address = Tensor.data_ptr(tensor)
    exposed.note(tensor, address)
    return address


# Functions that the mode handles itself: moves between the sides, and questions.
OWN = {
    Tensor.data_ptr: data_ptr,
    Tensor.to: to,
    Tensor.cuda: lambda tensor, *arguments, **keywords: moved(tensor, "cuda", lambda source: source),
    Tensor.cpu: lambda tensor, *arguments, **keywords: moved(tensor, "cpu", lambda source: source),
    Tensor.pin_memory: lambda tensor, *arguments, **keywords: tensor,
    Tensor.is_pinned: lambda tensor, *arguments, **keywords: False,
    Tensor.record_stream: lambda tensor, *arguments, **keywords: None,
}
# Factories that may share memory with their argument, which a GPU never does.
SHARING = (torch.as_tensor, torch.asarray)


class CudaOnCpu(TorchFunctionMode):
    """Makes on the CPU what is asked for on "cuda", in one thread."""

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        return on_cpu(function, arguments, keywords or {})


def on_cpu(function, arguments, keywords):
    if function in OWN:
        return OWN[function](*arguments, **keywords)
    where = side_of(keywords.get("device"))
    if where == "cuda":
        keywords = {**keywords, "device": CPU}
    if keywords.get("pin_memory"):
        keywords = {**keywords, "pin_memory": False}
    result = function(*arguments, **keywords)
    if where is None:
        return result
    if where == "cuda" and function in SHARING and side(arguments[0] if arguments else None) == "cpu":
        result = result.clone()
    return placed(result, where)


# ---- torch.cuda

class Stream:
    cuda_stream = 0
    stream_id = 0
    device = CUDA

    def __init__(self, *arguments, **keywords):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def query(self):
        return True

    def synchronize(self):
        pass

    def is_capturing(self):
        return False

    wait_stream = wait_event = record_event = lambda self, *arguments, **keywords: Event()


class Event:
    """Launches have ended when they return: an event's time is the clock's."""

    def __init__(self, *arguments, **keywords):
        self.at = time.perf_counter()

    def record(self, *arguments, **keywords):
        self.at = time.perf_counter()

    def elapsed_time(self, end):
        return (end.at - self.at) * 1e3

    def query(self):
        return True

    wait = synchronize = lambda self, *arguments, **keywords: None


class Context:
    """`torch.cuda.device(0)` and its kin."""

    def __init__(self, *arguments, **keywords):
        self.idx = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def loader(load):
    """torch.load, for the side that `map_location` asks for."""

    def load_on_cpu(file, map_location=None, *arguments, **keywords):
        where = side_of(map_location) if isinstance(map_location, (str, int, torch.device)) else None
        loaded = load(file, "cpu" if where == "cuda" else map_location, *arguments, **keywords)
        return loaded if where is None else placed(loaded, where)

    return load_on_cpu


def no_graphs(*arguments, **keywords):
    raise NotImplementedError("gluond's simulator captures no CUDA graphs: launch the kernels directly")


def replacements(target):
    """(owner, name, value): the parts of torch that ask for a GPU."""
    chip = chip_of(target)
    major, minor = capability_of(target)
    properties = types.SimpleNamespace(
        name=chip.device, major=major, minor=minor, total_memory=80 << 30, multi_processor_count=chip.units, warp_size=target.warp_size,
        shared_memory_per_block=49152, shared_memory_per_block_optin=chip.shared, shared_memory_per_multiprocessor=chip.shared_per_unit, L2_cache_size=50 << 20,
        max_threads_per_multi_processor=chip.threads_per_unit, regs_per_multiprocessor=REGISTERS_PER_UNIT, gcnArchName=str(target.arch), is_integrated=0, is_multi_gpu_board=0)
    stream = Stream()

    def value(result):
        return lambda *arguments, **keywords: result

    cuda = {
        "is_available": value(True), "is_initialized": value(True), "init": value(None), "_lazy_init": value(None), "device_count": value(1),
        "current_device": value(0), "set_device": value(None), "synchronize": value(None), "get_device_capability": value((major, minor)),
        "get_device_name": value(chip.device), "get_device_properties": value(properties), "current_stream": value(stream), "default_stream": value(stream),
        "set_stream": value(None), "Stream": Stream, "ExternalStream": Stream, "Event": Event, "stream": Context, "StreamContext": Context,
        "device": Context, "device_of": Context, "empty_cache": value(None), "memory_allocated": value(0), "max_memory_allocated": value(0),
        "memory_reserved": value(0), "max_memory_reserved": value(0), "reset_peak_memory_stats": value(None), "mem_get_info": value((80 << 30, 80 << 30)),
        "ipc_collect": value(None), "manual_seed": torch.default_generator.manual_seed, "manual_seed_all": torch.default_generator.manual_seed, "seed": torch.seed, "seed_all": torch.seed,
        "get_rng_state": lambda *arguments: torch.get_rng_state(), "set_rng_state": lambda state, *arguments: torch.set_rng_state(state),
        "is_bf16_supported": value(True), "is_current_stream_capturing": value(False), "get_arch_list": value([]), "can_device_access_peer": value(False),
        "graph": no_graphs, "CUDAGraph": no_graphs, "make_graphed_callables": no_graphs,
    }
    yield from ((torch.cuda, key, each) for key, each in cuda.items())
    yield torch, "load", loader(torch.load)
    for key in ("range_push", "range_pop", "mark", "range"):
        if hasattr(torch.cuda.nvtx, key):
            yield torch.cuda.nvtx, key, Context if key == "range" else value(None)
    is_nvidia = target.backend == "cuda"
    if is_nvidia:
        from triton._C.libtriton import nvidia
        yield nvidia.cublas, "CublasLt", CublasLt
    yield torch.version, "cuda", "13.0" if is_nvidia else None
    yield torch.version, "hip", None if is_nvidia else "7.0"
    if hasattr(torch, "accelerator"):
        accelerator = {"is_available": value(True), "device_count": value(1), "current_accelerator": value(torch.device("cuda")), "synchronize": value(None),
                       "current_device_index": value(0), "set_device_index": value(None), "current_stream": value(stream), "set_stream": value(None)}
        yield from ((torch.accelerator, key, each) for key, each in accelerator.items() if hasattr(torch.accelerator, key))


class CublasLt:
    """In place of `triton._C.libtriton.nvidia.cublas.CublasLt`."""

    def __init__(self, workspace=None):
        pass

    def matmul(self, a, b, c):
        self.gemm(a, b, c, c, 1.0, 0.0)

    def gemm(self, a, b, c, d, alpha, beta):
        product = alpha * (a.float() @ b.float().T)
        d.copy_(product + beta * c if beta else product)


class Generator(torch._C.Generator):
    """Of random numbers: on "cuda" too, the CPU's."""

    def __new__(cls, device="cpu"):
        return super().__new__(cls, device=CPU if side_of(device) == "cuda" else device)


@contextlib.contextmanager
def cuda_on_cpu(target):
    """Within the block, programs that ask torch for a GPU get the CPU, as a device of the target."""
    from torch.utils import _device

    context_call, run = _device.DeviceContext.__torch_function__, threading.Thread.run

    def in_context(self, function, types, arguments=(), keywords=None):
        # `with torch.device("cuda")` and the default device
        keywords = dict(keywords or {})
        if side_of(self.device) is None:
            return context_call(self, function, types, arguments, keywords)
        if function in _device._device_constructors() and keywords.get("device") is None:
            keywords["device"] = self.device
        return on_cpu(function, arguments, keywords)

    def run_thread(thread):
        with CudaOnCpu():
            run(thread)

    with contextlib.ExitStack() as cleanup:
        changes = [*replacements(target), (torch, "Generator", Generator), (_device.DeviceContext, "__torch_function__", in_context),
                   (threading.Thread, "run", run_thread)]
        for owner, name, value in changes:
            if hasattr(owner, name):
                cleanup.callback(setattr, owner, name, getattr(owner, name))
            else:
                cleanup.callback(delattr, owner, name)
            setattr(owner, name, value)
        cleanup.enter_context(CudaOnCpu())
        yield
