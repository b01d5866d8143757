"""Statements of the random kernels that go beyond arithmetic: combine functions, aggregates, tuples carried around loops,
constexpr functions, views of shared memory, barriers, copies, matrix products and partitions of warps.

Each takes the Generator and writes a statement or a few; `choices` says which a target has. Functions and classes that a
statement needs go into `generator.helpers`, before the kernel.
"""
HEAD = {
    "cuda": ["from triton.experimental.gluon.language.nvidia import blackwell, hopper",
             "from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2",
             "from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma"],
    "hip": ["from triton.experimental.gluon.language.amd import cdna3, cdna4, cdna5, rdna3, rdna4"],
}
COMBINE = {"add": "a + b", "most": "gl.maximum(a, b)", "mix": "a * 3 + b", "pick": "gl.where(a > b, a, b)"}


def helper(g, name, lines):
    if not any(line.startswith((f"def {name}(", f"class {name}:")) for line in g.helpers):
        g.helpers += [""] + lines + [""]
    return name


def combine_function(g):
    name = g.pick(sorted(COMBINE))
    return helper(g, name, ["@gluon.jit", f"def {name}(a, b):", f"    return {COMBINE[name]}"])


def numbers(g, rank=None):
    return [v for v in g.tensors({"int32", "int64", "float32", "float16"}, rank) if v.layout in ("L1", "L1b", "L2", "L2b")]


def user_reduce(g):
    a = g.pick(numbers(g))
    axis = g.pick(range(len(a.shape)))
    rest = a.shape[:axis] + a.shape[axis + 1:]
    g.define(f"gl.reduce({a.name}, {axis}, {combine_function(g)})", a.dtype, rest, f"S{axis}{a.layout}" if rest else None)


def user_scan(g):
    a = g.pick(numbers(g))
    extra = g.pick(["", ", reverse=True"])
    g.define(f"gl.associative_scan({a.name}, {g.pick(range(len(a.shape)))}, {combine_function(g)}{extra})", a.dtype, a.shape, a.layout)


def paired_reduce(g):
    a = g.pick(numbers(g, 1))
    helper(g, "better", ["@gluon.jit", "def better(a, i, b, j):", "    take = a > b", "    return gl.where(take, a, b), gl.where(take, i, j)"])
    i, value, where = g.fresh("i"), g.fresh(), g.fresh()
    g.emit(f"{i} = gl.arange(0, {a.shape[0]}, layout={a.layout})")
    g.emit(f"{value}, {where} = gl.reduce(({a.name}, {i}), 0, better)")
    g.values += [g.value(value, a.dtype), g.value(where, "int32")]


def aggregate(g):
    helper(g, "Pair", ["@gluon.aggregate", "class Pair:", "    x: gl.tensor", "    k: gl.constexpr", "",
                       "    @gluon.constexpr_function", "    def __init__(self, x, k):", "        self.x = x",
                       "        self.k = gl.constexpr(k)", "", "    @gluon.jit", "    def scaled(self):",
                       "        return self.x * self.k", "", "    @gluon.jit", "    def moved(self, by):",
                       "        return Pair(self.x + by, self.k)"])
    a = g.pick([v for v in g.values if v.dtype in ("int32", "float32", "int64")])
    name = g.fresh("pair")
    g.emit(f"{name} = Pair({a.name}, {g.pick([1, 2, 7])})")
    if g.depth < 3 and g.chance(0.5):
        g.emit(f"for {g.fresh('j')} in range(n):")
        g.emit(f"    {name} = {name}.moved({g.pick(['1', 'n'])})")
    g.define(f"{name}.{g.pick(['scaled()', 'x', 'moved(1).x', 'x + ' + name + '.k'])}", "unsure", (), None)
    g.values.pop()


def carried_tuple(g):
    alike = [v for v in g.values if v.dtype in ("int32", "float32")]
    a = g.pick(alike)
    b = g.pick([v for v in alike if v.like(a) and v.dtype == a.dtype])
    name = g.fresh("t")
    g.emit(f"{name} = ({a.name}, {b.name})")
    g.emit(f"for {g.fresh('j')} in {g.pick(['range(n)', 'range(0, 8)', 'gl.static_range(2)', 'range(2)'])}:")
    g.emit(f"    {name} = ({name}[1], {g.pick([f'{name}[0] + {name}[1]', f'{name}[0]'])})")
    g.define(f"{name}[{g.pick([0, 1])}]", a.dtype, a.shape, a.layout)


def constexpr_function(g):
    name = f"known{len(g.helpers)}"
    body = g.pick([["return x * 2 if x > 64 else x + 1"], ["total = 0", "for i in range(x % 5):", "    total += i", "return total"],
                   ["return [x, x + 1][x % 2]"], ["return {'a': x}['a'] // 3"], ["return len(f'{x}')"]])
    helper(g, name, ["@gluon.constexpr_function", f"def {name}(x):"] + ["    " + line for line in body])
    g.define(f"gl.full([{g.size}], {name}({g.pick(['BLOCK', '3', 'BLOCK // 2'])}), gl.{g.pick(['int32', 'float32'])}, L1)", "int32", (g.size, ), "L1")


def dtype_mix(g):
    a = g.pick(numbers(g))
    through = g.pick(["float8e5", "bfloat16", "float16", "int8", "uint8", "uint16", "float64", "int1", "uint64"])
    g.define(f"{a.name}.to(gl.{through}).to(gl.{g.pick(['float32', 'int32'])})", "unsure", a.shape, a.layout)
    g.values.pop()


# ---------------------------------------------------------------- memory


def ring_of_buffers(g):
    a = g.pick(numbers(g))
    order = "[0]" if len(a.shape) == 1 else g.pick(["[1, 0]", "[0, 1]"])
    name, count = g.fresh("ring"), g.pick([2, 3])
    g.emit(f"{name} = gl.allocate_shared_memory(gl.{a.dtype}, {[count, *a.shape]}, gl.SwizzledSharedLayout({g.pick([1, 4])}, 1, {g.pick([1, 2])}, order={order}))")
    g.emit(f"{name}.index({g.pick(['0', '1', f'n % {count}'])}).store({a.name})")
    g.define(f"{name}.index({g.pick(['0', f'pid1 % {count}' if any(v.name == 'pid1' for v in g.values) else '1'])}).load({a.layout})", a.dtype, a.shape, a.layout)


def views(g):
    flat = numbers(g, 2)
    if not flat:
        return g.two_d()
    a = g.pick(flat)
    rows, cols = a.shape
    name = g.fresh("view")
    g.emit(f"{name} = gl.allocate_shared_memory(gl.{a.dtype}, {[rows, cols]}, gl.SwizzledSharedLayout(1, 1, 1, order=[1, 0]), {a.name})")
    g.emit(f"{g.fresh()} = {name}" + g.pick([f".slice({rows // 2}, {rows // 2}).load(L2)", f".slice(0, {cols // 2}, dim=1).load(L2b)",
                                            ".permute([1, 0]).load(L2)", f".reshape([{rows * cols}]).load(L1)",
                                            f".slice(0, {rows // 2}).permute([1, 0]).load(L2)", f".permute([1, 0]).slice(0, {rows // 2}, dim=1).load(L2)"]))


def atomics(g):
    offsets = [v for v in g.tensors({"int32"}) if v.layout in ("L1", "L2")]
    if offsets and g.p_dtype in ("float32", "int32"):
        at = g.pick(offsets)
        op = g.pick(["add", "xchg", "max" if g.p_dtype == "int32" else "add"])
        g.emit(f"gl.atomic_{op}(p + {at.name}, {g.pick(['1', '2'])}{g.pick(['', ', sem=' + repr('relaxed'), ', scope=' + repr('cta')])})")


def barrier(g):
    name = g.fresh("bar")
    g.emit(f"{name} = mbarrier.allocate_mbarrier()")
    g.emit(f"mbarrier.init({name}, count={g.pick([1, 2])})")
    for _ in range(g.random.randint(1, 3)):
        g.emit(g.pick([f"mbarrier.expect({name}, {g.pick([128, 4096])}{g.pick(['', ', pred=n > 0', ', pred=False'])})",
                       f"mbarrier.arrive({name}, count={g.pick([1, 2])}{g.pick(['', ', pred=n == 1'])})",
                       f"mbarrier.wait({name}, {g.pick(['0', '1', 'n & 1', 'n % 2'])}{g.pick(['', ', pred=m > 0', ', pred=True'])})"]))
    g.emit(f"mbarrier.invalidate({name})")


def tma_copy(g):
    bits = {"int32": 32, "float32": 32, "float16": 16, "int8": 8, "int64": 64, "bfloat16": 16}[g.p_dtype]
    if bits > 32:
        return barrier(g)
    desc, bar, buffer = g.fresh("desc"), g.fresh("bar"), g.fresh("tile")
    swizzle = g.pick([0, 32, 64, 128])
    layout = g.fresh("NV")
    g.emit(f"{layout}: gl.constexpr = gl.NVMMASharedLayout({swizzle}, {bits}, 2)")
    g.emit(f"{desc} = tma.make_tensor_descriptor(p, [n, {g.pick(['n', '256'])}], [{g.pick(['256', '512', 'm'])}, 1], [64, 128], {layout}{g.pick(['', ', padding_option=' + repr('zero')])})")
    g.emit(f"{buffer} = gl.allocate_shared_memory(gl.{g.p_dtype}, [64, 128], {layout})")
    g.emit(f"{bar} = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())")
    g.emit(f"mbarrier.init({bar}, count=1)")
    g.emit(f"mbarrier.expect({bar}, {desc}.block_type.nbytes)")
    g.emit(f"tma.async_load({desc}, [{g.pick(['0', 'n'])}, {g.pick(['64', 'n * 2'])}], {bar}, {buffer}{g.pick(['', ', pred=n > 2'])})")
    g.emit(f"mbarrier.wait({bar}, phase=0)")
    g.emit("fence_async_shared()")
    g.emit(g.pick([f"tma.async_store({desc}, [0, 0], {buffer})", f"tma.async_atomic_add({desc}, [0, n], {buffer})"]))
    g.emit("tma.store_wait(0)")


def asynchronous_copy(g):
    buffer = g.fresh("buf")
    g.emit(f"{buffer} = gl.allocate_shared_memory(gl.{g.p_dtype}, [{g.size}], gl.SwizzledSharedLayout(1, 1, 1, order=[0]))")
    wide = [v for v in g.tensors({"int32"}, 1) if v.layout == "L1" and v.shape == (g.size, )]
    g.emit(f"async_copy.async_load({buffer}, p + {g.pick(wide).name})")
    g.emit("async_copy.commit_group()")
    g.emit(f"async_copy.wait_group({g.pick([0, 1])})")
    g.define(f"{buffer}.load(L1)", g.p_dtype, (g.size, ), "L1")


# ---------------------------------------------------------------- products


def product(g, layout, call, k_width, k=64):
    mma, name = g.fresh("MMA"), g.fresh("acc")
    g.emit(f"{mma}: gl.constexpr = {layout}")
    dtype = g.pick(["float16", "bfloat16"])
    g.emit(f"{name} = gl.zeros([64, 64], gl.float32, {mma})")
    a = f"gl.full([64, {k}], {g.pick(['1.0', 's'])}, gl.{dtype}, gl.DotOperandLayout(0, {mma}, {k_width}))"
    b = f"gl.full([{k}, 64], 2.0, gl.{dtype}, gl.DotOperandLayout(1, {mma}, {k_width}))"
    g.emit(f"{name} = {call}({a}, {b}, {name})")
    g.emit(f"gl.store(q + gl.arange(0, 64, layout=gl.SliceLayout(1, {mma})), gl.{g.pick(['sum', 'max'])}({name}, axis=1).to(q.dtype.element_ty))")


def product_v2(g):
    product(g, "gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])", "mma_v2", 2)


def product_mfma(g):
    if g.target.endswith("gfx950"):
        product(g, g.pick(["gl.amd.AMDMFMALayout(4, [32, 32, 16], True, [4, 1])", "gl.amd.AMDMFMALayout(4, [16, 16, 32], False, [2, 2])"]), "cdna4.mfma", 8)
    else:
        product(g, g.pick(["gl.amd.AMDMFMALayout(3, [32, 32, 8], True, [4, 1])", "gl.amd.AMDMFMALayout(3, [16, 16, 16], False, [2, 2])"]), "cdna3.mfma", 4)


def product_wmma(g):
    if "gfx11" in g.target:
        product(g, "gl.amd.AMDWMMALayout(1, True, [[0, 1], [1, 0]])", "rdna3.wmma", 16)
    else:
        product(g, "gl.amd.AMDWMMALayout(2, True, [[0, 1], [1, 0]])", "rdna4.wmma", 8)


def product_wgmma(g):
    acc, a, b = g.fresh("acc"), g.fresh("a"), g.fresh("b")
    g.emit(f"{a} = gl.allocate_shared_memory(gl.float16, [64, 64], gl.NVMMASharedLayout(128, 16, 2))")
    g.emit(f"{b} = gl.allocate_shared_memory(gl.float16, [64, 64], gl.NVMMASharedLayout(128, 16, 2))")
    g.emit(f"{acc} = gl.zeros([64, 64], gl.float32, gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16]))")
    if g.chance(0.5):
        g.emit(f"{acc} = hopper.warpgroup_mma({a}, {b}, {acc}, use_acc={g.pick(['True', 'False', 'n > 0'])}, is_async=True)")
        g.emit(f"{acc} = hopper.warpgroup_mma_wait(num_outstanding=0, deps=[{acc}])")
    else:
        g.emit(f"{acc} = hopper.warpgroup_mma({a}, {b}, {acc})")
    g.emit(f"gl.store(q + gl.arange(0, 64, layout=gl.SliceLayout(1, {acc}.type.layout)), gl.sum({acc}, axis=1).to(q.dtype.element_ty))")


def product_tcgen05(g):
    acc, a, b, bar = g.fresh("acc"), g.fresh("a"), g.fresh("b"), g.fresh("bar")
    g.emit(f"{a} = gl.allocate_shared_memory(gl.float16, [128, 64], gl.NVMMASharedLayout(128, 16, 2))")
    g.emit(f"{b} = gl.allocate_shared_memory(gl.float16, [64, 64], gl.NVMMASharedLayout(128, 16, 2))")
    g.emit(f"{acc} = blackwell.allocate_tensor_memory(gl.float32, [128, 64], blackwell.TensorMemoryLayout([128, 64], col_stride=1))")
    g.emit(f"{bar} = mbarrier.allocate_mbarrier()")
    g.emit(f"mbarrier.init({bar}, count=1)")
    g.emit(f"blackwell.tcgen05_mma({a}, {b}, {acc}, use_acc={g.pick(['False', 'True', 'n > 1'])}{g.pick(['', f', mbarriers=[{bar}]', ', pred=m > 0'])})")
    g.emit(f"blackwell.tcgen05_commit({bar})")
    g.emit(f"mbarrier.wait({bar}, 0)")
    out = g.fresh("out")
    g.emit(f"{out} = {acc}{g.pick(['', '.slice(0, 32)'])}.load()")
    g.emit(f"gl.store(q + gl.arange(0, 128, layout=gl.SliceLayout(1, {out}.type.layout)), gl.max({out}, axis=1).to(q.dtype.element_ty))")


def buffers_amd(g):
    at = g.pick([v for v in g.tensors({"int32"}, 1) if v.layout == "L1"])
    loaded = g.define(f"cdna3.buffer_load(p, {at.name}{g.pick(['', f', mask={at.name} < n', f', mask={at.name} < 64, other=0'])})", g.p_dtype, at.shape, "L1")
    g.emit(f"cdna3.buffer_store({loaded.name}, p, {at.name}{g.pick(['', f', mask={at.name} >= n'])})")


def specialize(g):
    """Once in a kernel, and only at its top: partitions that take pointers, scalars and constants."""
    if g.depth > 1 or g.specialized:
        return user_reduce(g)
    g.specialized = True
    helper(g, "worker", ["@gluon.jit", "def worker(p, n, K: gl.constexpr):",
                         f"    at = gl.arange(0, 256, layout=gl.BlockedLayout([1], [{g.warp_size}], [gl.num_warps()], [0]))",
                         "    for i in range(n):", "        gl.store(p + at + i * K, (at + i).to(p.dtype.element_ty))"])
    helper(g, "leader", ["@gluon.jit", "def leader(p, n, K: gl.constexpr):", "    gl.store(p + n, K)", "    return n * K, K"])
    count = g.pick([1, 2, 3])
    partitions = ", ".join(f"(worker, ({g.pick(['p', 'q'])}, {g.pick(['n', '4', 'n + 1'])}, {g.pick([2, 128])}))" for _ in range(count))
    registers = f", {[g.pick([24, 48, 80]) for _ in range(count)]}" if g.chance(0.5) else ""
    a, b = g.fresh(), g.fresh()
    g.emit(f"{a}, {b} = gl.warp_specialize([(leader, (p, n, {g.pick([3, 5])})), {partitions}], {[g.pick([1, 2, 4]) for _ in range(count)]}{registers})")
    g.values.append(g.value(a, "int32"))


def choices(target):
    common = [user_reduce, user_scan, paired_reduce, aggregate, carried_tuple, constexpr_function, dtype_mix, ring_of_buffers, views, atomics, specialize]
    backend, arch = target.split(":")
    if backend == "cuda":
        capability = int(arch)
        more = [barrier] * (capability >= 90) + [tma_copy] * (capability >= 90) + [asynchronous_copy, product_v2] * (capability >= 80)
        return common + more + [product_wgmma] * (capability == 90) + [product_tcgen05] * (100 <= capability < 110)
    return common + [product_mfma, buffers_amd] if arch.startswith("gfx9") else common + [product_wmma] * (not arch.startswith("gfx125"))
