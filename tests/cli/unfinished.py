"""Kernels that end, or reuse a barrier or the memory of another CTA, before what goes on there is over, and the correct ones beside them: the tables MISTAKES
and CLEAN of test_mistakes.py."""

BLOCKS = """
x, out = torch.empty((256, 32), device="cuda"), torch.empty((64, 32), device="cuda")
desc = TensorDescriptor.from_tensor(x, [64, 32], gl.NVMMASharedLayout.get_default_for([64, 32], gl.float32))
out_desc = TensorDescriptor.from_tensor(out, [64, 32], gl.NVMMASharedLayout.get_default_for([64, 32], gl.float32))
"""
PAIR = """
x, out = torch.empty(256, device="cuda"), torch.empty(256, device="cuda")
copies = gl.NVMMASharedLayout.get_default_for([64, 32], gl.float32, cga_layout=[[0, 0]])
desc = TensorDescriptor.from_tensor(torch.empty((256, 32), device="cuda"), [64, 32], copies)
"""
# Two CTAs: each stores its half of a tensor, and reads the half of the other.
EXCHANGE = """
HALVES: gl.constexpr = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0], [[1]]))
SHARED: gl.constexpr = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0], [[1]]))


@gluon.jit
def kernel(x, out, n):
    i = gl.arange(0, 256, HALVES)
    other = (i + 128) %% 256
    smem = gl.allocate_shared_memory(gl.float32, [256], SHARED)
    for k in range(n):
        smem.store(gl.load(x + i))%s
        gl.store(out + other, smem.gather(other, axis=0))%s
"""
BARRIER = "\n        gl.barrier(cluster=True)"
MULTICAST = """
@gluon.jit
def kernel(desc, out, n):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], [[0, 0]])
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    acc = gl.zeros([64, 32], gl.float32, layout)
    for k in range(n):
        mbarrier.expect(bar, desc.nbytes_per_cta)%s
        tma.async_load(desc, [k * 64, 0], bar, smem, multicast=True)%s
        mbarrier.wait(bar, k & 1)
        acc += smem.load(layout)%s
    mbarrier.invalidate(bar)
    gl.store(out + gl.arange(0, 64, gl.SliceLayout(1, layout)), gl.sum(acc, 1))
"""

MISTAKES = {
    "store_without_wait_at_the_end": ("never-awaited", """
@gluon.jit
def kernel(out_desc):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], out_desc.layout)
    smem.store(gl.full([64, 32], 1.0, gl.float32, T))
    fence_async_shared()
    tma.async_store(out_desc, [0, 0], smem)  # here
""", BLOCKS + "kernel[(1, )](out_desc)"),
    "last_store_is_left": ("never-awaited", """
@gluon.jit
def kernel(out_desc, n):
    smem = gl.allocate_shared_memory(gl.float32, [2, 64, 32], out_desc.layout)
    for k in range(n):
        smem.index(k % 2).store(gl.full([64, 32], 1.0, gl.float32, T))
        fence_async_shared()
        tma.async_store(out_desc, [64 * k, 0], smem.index(k % 2))  # here
        tma.store_wait(pendings=1)
""", BLOCKS + "kernel[(1, )](out_desc, 4)"),
    "load_that_nobody_needs": ("never-awaited", """
@gluon.jit
def kernel(desc, out):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    bar = barrier(1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)  # here
    put(out, gl.full([64, 32], 1.0, gl.float32, T))
""", BLOCKS + "kernel[(1, )](desc, out)"),
    "barrier_goes_under_a_load": ("run-race", """
@gluon.jit
def kernel(desc, out):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    bar = barrier(1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)  # first
    mbarrier.invalidate(bar)  # here
    put(out, gl.full([64, 32], 1.0, gl.float32, T))
""", BLOCKS + "kernel[(1, )](desc, out)"),
    "barrier_is_initialized_again_under_a_load": ("run-race", """
@gluon.jit
def kernel(desc, out):
    smem = gl.allocate_shared_memory(gl.float32, [2, 64, 32], desc.layout)
    bar = barrier(1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem.index(0))  # first
    mbarrier.init(bar, count=1)  # here
""", BLOCKS + "kernel[(1, )](desc, out)"),
    "barrier_goes_while_a_partition_waits": ("run-uninitialized-barrier", """
@gluon.jit
def consume(out, bar, done):
    mbarrier.wait(bar, 0)
    gl.store(out + gl.arange(0, 128, L), 1.0)
    mbarrier.arrive(done, count=1)
    mbarrier.wait(bar, 1)  # here
    gl.store(out + 128 + gl.arange(0, 128, L), 1.0)


@gluon.jit
def produce(out, bar, done):
    mbarrier.arrive(bar, count=1)
    mbarrier.wait(done, 0)
    mbarrier.invalidate(bar)


@gluon.jit
def kernel(out):
    bar = barrier(1)
    done = barrier(1)
    gl.warp_specialize([(consume, (out, bar, done)), (produce, (out, bar, done))], [1], [24])
""", 'kernel[(1, )](torch.empty(1024, device="cuda"))  # random:1'),
    "buffer_is_copied_to_twice": ("run-race", """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 128, L)
    smem = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    async_copy.async_load(smem, x + i)  # first
    async_copy.commit_group()
    async_copy.async_load(smem, x + 128 + i)  # here
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(out + i, smem.load(L))
""", 'kernel[(1, )](torch.empty(1024, device="cuda"), torch.empty(1024, device="cuda"))'),
    "ctas_do_not_meet_before_they_read": ("run-race", EXCHANGE % ("  # first", "  # here" + BARRIER), PAIR + "kernel[(1, )](x, out, 1, num_ctas=2)"),
    "ctas_do_not_meet_before_they_write": ("run-race", (EXCHANGE % (BARRIER, "  # first")).replace("smem.store(gl.load(x + i))", "smem.store(gl.load(x + i))  # here"),
                                           PAIR + "kernel[(1, )](x, out, 2, num_ctas=2)"),
    "multicast_over_what_another_cta_reads": ("run-race", MULTICAST % ("", "  # here", "  # first"), PAIR + "kernel[(1, )](desc, out, 2, num_ctas=2)"),
}

CLEAN = {
    "store_is_waited_for_by_its_partition": ("""
@gluon.jit
def consume(out_desc, smem, full):
    mbarrier.wait(full, 0)
    tma.async_store(out_desc, [0, 0], smem)
    tma.store_wait(pendings=0)


@gluon.jit
def produce(out_desc, smem, full):
    smem.store(gl.full([64, 32], 1.0, gl.float32, T))
    fence_async_shared()
    mbarrier.arrive(full, count=1)


@gluon.jit
def kernel(out_desc):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], out_desc.layout)
    full = barrier(1)
    gl.warp_specialize([(produce, (out_desc, smem, full)), (consume, (out_desc, smem, full))], [1], [24])
    mbarrier.invalidate(full)
""", BLOCKS + "kernel[(1, )](out_desc)"),
    "barriers_are_used_again": ("""
@gluon.jit
def kernel(desc, out, n):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    for k in range(n):
        bar = barrier(1)
        mbarrier.expect(bar, desc.block_type.nbytes)
        tma.async_load(desc, [k * 64, 0], bar, smem)
        mbarrier.wait(bar, 0)
        mbarrier.invalidate(bar)
        put(out, smem.load(T))
""", BLOCKS + "kernel[(1, )](desc, out, 4)"),
    "a_pipeline_drops_its_last_loads": ("""
@gluon.jit
def kernel(desc, out, n):
    smem = gl.allocate_shared_memory(gl.float32, [2, 64, 32], desc.layout)
    bars = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(2):
        mbarrier.init(bars.index(i), count=1)
    mbarrier.expect(bars.index(0), desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bars.index(0), smem.index(0))
    for k in range(n):
        ahead = (k + 1) % 2
        mbarrier.expect(bars.index(ahead), desc.block_type.nbytes)
        tma.async_load(desc, [(k + 1) % 4 * 64, 0], bars.index(ahead), smem.index(ahead))
        mbarrier.wait(bars.index(k % 2), k // 2 & 1)
        put(out, smem.index(k % 2).load(T))
""", BLOCKS + "kernel[(1, )](desc, out, 4)"),
    "copies_with_complementary_masks": ("""
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 128, L)
    smem = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    async_copy.async_load(smem, x + i, mask=i < 64)
    async_copy.async_load(smem, x + 128 + i, mask=i >= 64)
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(out + i, smem.load(L))
""", 'kernel[(1, )](torch.empty(1024, device="cuda"), torch.empty(1024, device="cuda"))'),
    "ctas_meet": (EXCHANGE % (BARRIER, BARRIER), PAIR + "kernel[(1, )](x, out, 3, num_ctas=2)"),
    "each_cta_reads_its_own": ((EXCHANGE % ("", "")).replace("(i + 128) % 256", "i ^ 1"), PAIR + "kernel[(1, )](x, out, 3, num_ctas=2)"),
    "multicast_after_all_have_read": (MULTICAST % (BARRIER, "", ""), PAIR + "kernel[(1, )](desc, out, 3, num_ctas=2)"),
}
