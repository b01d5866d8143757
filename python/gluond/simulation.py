"""Kernels run in gluond's simulator, on the CPU, under Triton's own launch path (docs/simulating.md).

    import gluond
    with gluond.simulating("cuda:90"):       # or: python -m gluond --device cpu PROGRAM.py [ARGUMENTS]
        kernel[grid](...)                    # on numpy arrays or CPU torch tensors

Triton's frontend and passes make `ttgir` for the target as always; its driver is replaced by one whose machine code is that IR, and which hands
launches to the program `gluond simulator`. The kernel's findings become exceptions (gluond.findings).
"""
import contextlib
import importlib.util
import math
import sys

from . import dryrun, findings
from .chips import STANDARD_TARGET
from .devices import properties_of, wanted_target
from .memory import exposed, memory_of, merged
from .numpytensor import NumpyTensor, is_numpy
from .simulator import Refused, Simulator

DEFAULT_SECONDS = 600.0
TF32 = 11  # of CUtensorMapDataType: fp32 that TMA rounds
INTEGERS = {"i1": (-1, 1), "u1": (0, 1),  # the least and the greatest of each type
            **{f"i{bits}": (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) for bits in (8, 16, 32, 64)},
            **{f"u{bits}": (0, (1 << bits) - 1) for bits in (8, 16, 32, 64)}}


# ---- what Triton compiles

def allocate(module, metadata, backend, options):
    """Triton's own allocation of shared and tensor memory, into the metadata as the stage `llir` would write it. Changes the module."""
    from triton._C.libtriton import ir, passes

    manager = ir.pass_manager(module.context)
    if backend.target.backend == "cuda":
        from triton._C.libtriton import nvidia
        from triton.backends.nvidia.compiler import get_ptx_version_from_options
        version, capability = get_ptx_version_from_options(options, backend.target.arch), int(backend._parse_arch(options.arch))
        passes.ttgpuir.add_combine_tensor_select_and_if(manager)
        passes.ttgpuir.add_allocate_warp_groups(manager, False)
        passes.convert.add_scf_to_cf(manager)
        passes.gluon.add_inliner(manager)
        nvidia.passes.ttgpuir.add_allocate_shared_memory_nv(manager, capability, version)
        nvidia.passes.ttnvgpuir.add_allocate_tensor_memory(manager)
    else:
        from triton._C.libtriton import amd
        passes.convert.add_scf_to_cf(manager)
        passes.gluon.add_inliner(manager)
        amd.passes.ttgpuir.add_allocate_shared_memory(manager, options.arch)
    manager.run(module, "allocate")
    metadata["shared"] = module.get_int_attr("ttg.shared") or 0
    metadata["tmem_size"] = module.get_int_attr("ttg.tensor_memory_size")
    if (warps := module.get_int_attr("ttg.total-num-warps")) is not None:
        metadata["num_warps"] = warps


def simulated_stages(backend, stages, options):
    """Replaces the stages after `ttgir`."""
    extension = backend.binary_ext

    def binary(module, metadata):
        text = str(module)
        metadata["name"] = module.get_entry_func_name()
        allocate(module, metadata, backend, options)
        metadata["requested_num_warps"] = options.num_warps  # num_warps counts the partitions' as well
        metadata.update(global_scratch_size=0, global_scratch_align=1, profile_scratch_size=0, profile_scratch_align=1)
        return text.encode()

    for stage in list(stages)[list(stages).index("ttgir") + 1:]:
        del stages[stage]
    stages[extension] = binary


# ---- what Triton launches

def flattened(types, values, names):
    """(name, type, value) of each argument that is no constexpr, tuples taken apart."""
    for type_, value, name in zip(types, values, names):
        if isinstance(type_, tuple):
            fields = getattr(type_, "_fields", range(len(type_)))
            yield from flattened(type_, value, [f"{name}.{field}" for field in fields])
        elif type_ != "constexpr":
            yield name, type_, value


def number(name, type_, value):
    """As JSON has it. OverflowError and TypeError as Triton's launchers raise them."""
    if type_ in INTEGERS:
        low, high = INTEGERS[type_]
        value = value.__index__() if hasattr(value, "__index__") else int(value)
        if not low <= value <= high:
            raise OverflowError(f"argument '{name}': {value} is no {type_}")
        return value
    value = float(value)
    return value if math.isfinite(value) else "nan" if value != value else "inf" if value > 0 else "-inf"


class Arguments:
    """A launch's arguments as the simulator takes them, and the memory they point to."""

    def __init__(self):
        self.values, self.memories, self.tables = [], [], []

    def address(self, name, value, type_=""):
        if value is None:
            return 0
        if isinstance(value, int):
            return value
        if is_numpy(value):
            value = NumpyTensor(value)
        if not hasattr(value, "data_ptr"):
            raise TypeError(f"argument '{name}': a pointer must be a tensor, a number or None, not {type(value).__name__}")
        self.memories.append(memory_of(name, value))
        if type_.endswith("64") and "fp" not in type_:
            self.tables.append(self.memories[-1])  # may hold addresses
        return value.data_ptr()

    def add(self, name, type_, value):
        if type_.startswith("*"):
            self.values.append({"value": self.address(name, value, type_)})
        else:
            self.values.append({"value": number(name, type_, value)})

    def add_descriptor(self, name, value, metadata):
        shape, strides = [int(size) for size in value.shape], [int(step) for step in value.strides]
        ranks = [("i32", size) for size in shape] + [("i64", step) for step in strides]
        if metadata is None:  # of a target without descriptors: taken apart
            from triton.backends.driver import decompose_descriptor
            base, *rest = decompose_descriptor(value)
            types = ["i64"] * (2 * len(shape)) + ["i1", "i1"]
            self.add(name, "*", base)
            for type_, each in zip(types, rest):
                self.add(name, type_, int(each))
        else:
            corners = {member: [int(each) for each in getattr(value, attribute, None) or []]
                       for member, attribute in (("lowerCorner", "pixel_box_lower_corner"), ("upperCorner", "pixel_box_upper_corner"),
                                                 ("elementStrides", "element_strides"))}
            isIm2Col = bool(metadata.get("is_im2col", False))
            if isIm2Col and not corners["elementStrides"]:
                corners["elementStrides"] = [1] * len(shape)
            self.values.append({"value": self.address(name, value.base), "descriptor": {
                "elementType": TF32 if getattr(value, "round_f32_to_tf32", False) else int(metadata.get("elem_type", 0)), "swizzle": int(metadata.get("swizzle", 0)),
                "elementBytes": int(metadata.get("elem_size", metadata.get("elem_bits", 8) // 8)), "nanPadding": getattr(value, "padding", "zero") == "nan",
                "padInterval": 0, "padAmount": 0,  # the simulator takes the padding from the kernel's layouts
                "isFp4": bool(metadata.get("fp4_padded", False)), "box": [int(size) for size in metadata.get("block_size", [])],
                "shape": shape, "strides": strides, "isIm2Col": isIm2Col, **corners}})
        for type_, each in ranks:
            self.add(name, type_, each)


class Launcher:
    """What Triton's drivers have as `launcher_cls`."""

    def __init__(self, source, metadata):
        self.types = list(source.signature.values())
        self.names = [str(name) for name in source.signature]
        self.descriptors = getattr(metadata, "tensordesc_meta", None) or None
        self.is_cooperative = bool(getattr(metadata, "launch_cooperative_grid", False))

    def arguments(self, values):
        out, descriptors = Arguments(), iter(self.descriptors or ())
        for name, type_, value in flattened(self.types, values, self.names):
            if type_.startswith("tensordesc"):
                out.add_descriptor(name, value, next(descriptors) if self.descriptors else None)
            else:
                out.add(name, type_, value)
        return out

    def __call__(self, x, y, z, stream, function, kernel_metadata, launch_metadata, enter, leave, *values):
        from triton.runtime.driver import driver

        arguments = self.arguments(values)
        if enter is not None:
            enter(launch_metadata)
        if x * y * z > 0:
            driver.active.session.launch(function, (x, y, z), arguments, self.is_cooperative)
        if leave is not None:
            leave(launch_metadata)


class Code:
    """A kernel as the driver has it: `function` and `module` in one."""

    def __init__(self, name, text):
        self.name, self.text = name, text


class Utilities(dryrun._Nothing):

    def __init__(self, target):
        self.target = target

    def get_device_properties(self, device=0):
        return properties_of(self.target)

    def load_binary(self, name, kernel, shared, device):
        code = Code(name, kernel)
        return code, code, 0, 0, 1024  # registers, spills, threads

    def unload_module(self, module):
        pass

    def cuOccupancyMaxActiveClusters(self, function, shared, ctas):
        return 1


class Driver(dryrun.Driver):
    """Triton's active driver: a device of the target."""

    def __init__(self, target, session):
        super().__init__(target)
        self.utils, self.session, self.launcher_cls = Utilities(target), session, Launcher

    def get_active_torch_device(self):
        import torch
        return torch.device("cuda", 0)  # gluond.torchmode makes that the CPU

    def get_device_interface(self):
        import torch
        return torch.cuda

    def map_python_to_cpp_type(self, type_):
        return type_


# ---- launches

class Session:
    """The launches between the beginning and the end of simulating."""

    def __init__(self, seconds=DEFAULT_SECONDS, only_warn=False, program=None):
        self.seconds, self.only_warn, self.simulator = seconds, only_warn, Simulator(program)

    def launch(self, code, grid, arguments, is_cooperative=False):
        memories = merged(arguments.memories + exposed.behind(arguments.tables))
        total, limit = sum(memory.size for memory in memories), self.simulator.limit()
        if total > limit:
            largest = max(memories, key=lambda memory: memory.size)
            raise MemoryError(f"{code.name}: the memory behind its arguments takes {total / 2**30:.1f} GiB, of which '{largest.name}' has "
                              f"{largest.size / 2**30:.1f}; the simulator takes {limit / 2**30:.1f} GiB")
        offset, slices = 0, []
        for memory in memories:
            slices.append({"name": memory.name, "address": memory.address, "data": {"offset": offset, "size": memory.size}})
            offset += memory.size
        params = {"grid": [int(size) for size in grid], "arguments": arguments.values, "memories": slices, "isCooperative": is_cooperative}

        def read(result, binary):
            """(the bytes that changed, as memory, offset and bytes; what else came of it)"""
            changes = []
            for change in result["changes"]:
                index, offset, start, size = change["memory"], change["offset"], change["data"]["offset"], change["data"]["size"]
                if min(index, offset, start, size) < 0 or offset + size > memories[index].size or start + size > len(binary):
                    raise ValueError("a change outside of the launch's memory")
                changes.append((memories[index], offset, memoryview(binary)[start:start + size]))
            return changes, findings.outcome_of(result)

        try:
            changes, outcome = self.simulator.run(code.text, params, [memory.view() for memory in memories], self.seconds, read)
        except Refused as error:
            kind = findings.SimulationUnsupported if error.kind == "code" else findings.SimulationError
            raise kind(f"{code.name}: {error}") from None
        for memory, offset, data in changes:
            if not memory.writable:
                raise ValueError(f"{code.name} writes to '{memory.name}', which is read-only")
            memory.view()[offset:offset + len(data)] = data
        if outcome.printed:
            sys.stdout.write(outcome.printed)
        findings.report(code.name, outcome, self.seconds, self.only_warn)


class LazyTexts(dict):
    """A kernel's `asm`: the stages after `ttgir` are compiled, by Triton, when they are used."""

    def __init__(self, texts, compile_rest):
        super().__init__(texts)
        self.compile_rest = compile_rest

    def __missing__(self, stage):
        if self.compile_rest is None:
            raise KeyError(stage)
        rest, self.compile_rest = self.compile_rest, None
        made = rest()
        found = made[stage]  # Triton's own, which makes `sass` of the binary
        self.update({name: text for name, text in made.items() if name not in self})
        return found


def patched(cleanup, owner, name, value):
    cleanup.callback(setattr, owner, name, getattr(owner, name))
    setattr(owner, name, value)


class Simulating:
    """Triton believes in a device of the target between start() and stop()."""

    running = 0  # how many of them

    def __init__(self, target=STANDARD_TARGET, seconds=DEFAULT_SECONDS, only_warn=False):
        self.target = wanted_target(target)
        self.session = Session(seconds, only_warn)
        self.cleanup = None

    def backends(self):
        from triton.backends.amd.compiler import HIPBackend
        from triton.backends.nvidia.compiler import CUDABackend
        return CUDABackend, HIPBackend

    def patch_compiler(self):
        import triton.compiler.compiler  # noqa: F401  (the function `compile` hides the module in triton.compiler)

        compiler, real = sys.modules["triton.compiler.compiler"], [False]
        for backend in self.backends():
            add_stages, digest = backend.add_stages, backend.hash

            def simulated_add(self, stages, options, language, add_stages=add_stages):
                add_stages(self, stages, options, language)
                if not real[0]:
                    simulated_stages(self, stages, options)

            def simulated_hash(self, digest=digest):
                return f"gluond-simulator-3-{self.target}" if not real[0] else digest(self)

            patched(self.cleanup, backend, "add_stages", simulated_add)
            patched(self.cleanup, backend, "hash", simulated_hash)

        def compiled_by_triton(source, metadata):
            """All stages of a kernel."""
            known = compiler.make_backend(metadata.target).parse_options({}).__dataclass_fields__
            options = {name: value for name, value in metadata._asdict().items() if name in known and isinstance(value, (int, float, str))}
            options["num_warps"] = metadata.requested_num_warps
            real[0] = True
            try:
                return compiler.compile(getattr(source, "path", source), target=metadata.target, options=options).asm
            finally:
                real[0] = False

        initialize = compiler.CompiledKernel.__init__

        def simulated_init(kernel, source, metadata_group, digest):
            initialize(kernel, source, metadata_group, digest)
            if not real[0]:
                texts = {name: text for name, text in kernel.asm.items() if name not in ("cubin", "hsaco")}
                metadata = kernel.metadata
                kernel.asm = LazyTexts(texts, lambda: compiled_by_triton(source, metadata))
                kernel.__class__ = SimulatedKernel

        class SimulatedKernel(compiler.CompiledKernel):
            """May outlive the driver, which has nothing to unload."""

            def __del__(self):
                pass

        patched(self.cleanup, compiler.CompiledKernel, "__init__", simulated_init)
        compiler.max_shared_mem.cache_clear()
        self.cleanup.callback(compiler.max_shared_mem.cache_clear)

    def patch_launches(self):
        from triton.runtime.jit import JITFunction

        run = JITFunction.run

        def wrapped(value):
            return NumpyTensor(value) if is_numpy(value) else value

        def simulated_run(kernel, *arguments, grid, warmup, **keywords):
            return run(kernel, *map(wrapped, arguments), grid=grid, warmup=warmup, **{name: wrapped(value) for name, value in keywords.items()})

        patched(self.cleanup, JITFunction, "run", simulated_run)

    def set_caches_aside(self):
        """What was compiled for another device stays with it."""
        from triton.runtime import jit

        aside = [(function, dict(function.device_caches)) for function in jit._triton_jit_function_registry.values()]
        for function, _ in aside:
            function.device_caches.clear()

        def back():
            for function in jit._triton_jit_function_registry.values():
                function.device_caches.clear()
            for function, caches in aside:
                function.device_caches.update(caches)

        self.cleanup.callback(back)

    def start(self):
        self.cleanup = contextlib.ExitStack()
        Simulating.running += 1
        try:
            self.set_caches_aside()
            self.cleanup.enter_context(dryrun.on(Driver(self.target, self.session)))
            self.patch_compiler()
            self.patch_launches()
            self.cleanup.callback(self.session.simulator.close)
            if importlib.util.find_spec("torch"):
                from . import torchmode
                self.cleanup.enter_context(torchmode.cuda_on_cpu(self.target))
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self):
        if self.cleanup is not None:
            Simulating.running -= 1
            self.cleanup.close()
            self.cleanup = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *error):
        self.stop()


@contextlib.contextmanager
def simulating(target=STANDARD_TARGET, seconds=DEFAULT_SECONDS, only_warn=False):
    """Launches within the block run in the simulator, as on a device of `target`. Gives the Simulating.

    `seconds`: of one launch. `only_warn`: findings are warnings, not exceptions.
    """
    with Simulating(target, seconds, only_warn) as simulation:
        yield simulation


def tensor(array):
    """A numpy array as what a TensorDescriptor takes as its base."""
    return NumpyTensor(array)
