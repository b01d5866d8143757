#include "cli/kernels/WarmUp.h"

#include "driver/analysis/Analysis.h"
#include "driver/launches/RecordVariant.h"
#include "driver/records/LaunchRecords.h"
#include "driver/records/RecordFiles.h"
#include "driver/stages/Stages.h"

#include <llvm/ADT/STLExtras.h>

#include <malloc.h>

namespace gluond::cli {

namespace {

constexpr llvm::StringLiteral path = "/<gluond>/warm_up.py";

constexpr llvm::StringLiteral program = R"py(
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_wait
from triton.experimental.gluon.language.nvidia.blackwell import (TensorMemoryLayout, allocate_tensor_memory, tcgen05_commit, tcgen05_mma)


@gluon.jit
def place(size, BLOCK: gl.constexpr, layout: gl.constexpr):
    offsets = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    return offsets, offsets < size


@gluon.jit
def copy(source, target, size, BLOCK: gl.constexpr, layout: gl.constexpr):
    offsets, mask = place(gl.cdiv(size, BLOCK) * BLOCK, BLOCK, layout)
    gl.store(target + offsets, gl.load(source + offsets, mask=mask) * 2.0, mask=mask)


@gluon.jit
def tiles(source, target, rows, columns, stride, X: gl.constexpr, Y: gl.constexpr, layout: gl.constexpr):
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    buffer = gl.allocate_shared_memory(source.dtype.element_ty, [X, Y], shared)
    x = gl.arange(0, X, layout=gl.SliceLayout(1, layout))
    y = gl.arange(0, Y, layout=gl.SliceLayout(0, layout))
    for start in range(0, columns, Y):
        offsets = x[:, None] * stride + (start + y)[None, :]
        mask = (x < rows)[:, None] & (start + y < columns)[None, :]
        buffer.store(gl.load(source + offsets, mask=mask, other=0.0))
        value = buffer.load(layout)
        if start > 0:
            value = gl.where(mask, value, -value)
        gl.store(target + offsets, gl.convert_layout(value, layout), mask=mask)


@gluon.aggregate
class Ring:
    a: gl.shared_memory_descriptor
    b: gl.shared_memory_descriptor
    ready: gl.shared_memory_descriptor
    free: gl.shared_memory_descriptor
    depth: gl.constexpr

    @gluon.jit
    def make(a_desc, b_desc, DEPTH: gl.constexpr):
        a = gl.allocate_shared_memory(a_desc.dtype, [DEPTH] + a_desc.block_type.shape, a_desc.layout)
        b = gl.allocate_shared_memory(b_desc.dtype, [DEPTH] + b_desc.block_type.shape, b_desc.layout)
        ready = gl.allocate_shared_memory(gl.int64, [DEPTH, 1], mbarrier.MBarrierLayout())
        free = gl.allocate_shared_memory(gl.int64, [DEPTH, 1], mbarrier.MBarrierLayout())
        for i in gl.static_range(DEPTH):
            mbarrier.init(ready.index(i), count=1)
            mbarrier.init(free.index(i), count=1)
        fence_async_shared()
        return Ring(a, b, ready, free, DEPTH)


@gluon.jit
def pull(ring, a_desc, b_desc, steps):
    phase = 1
    for step in range(steps):
        slot = step % ring.depth
        mbarrier.wait(ring.free.index(slot), phase)
        ready = ring.ready.index(slot)
        mbarrier.expect(ready, a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_load(a_desc, [0, step * a_desc.block_type.shape[1]], ready, ring.a.index(slot))
        tma.async_load(b_desc, [step * b_desc.block_type.shape[0], 0], ready, ring.b.index(slot))
        if slot == ring.depth - 1:
            phase ^= 1


@gluon.jit
def push(ring, c_desc, steps, BLACKWELL: gl.constexpr):
    M: gl.constexpr = c_desc.block_type.shape[0]
    N: gl.constexpr = c_desc.block_type.shape[1]
    c = gl.allocate_shared_memory(c_desc.dtype, [M, N], c_desc.layout)
    phase = 0
    if BLACKWELL:
        sums = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout([M, N], col_stride=1))
        use = False
        for step in range(steps):
            slot = step % ring.depth
            mbarrier.wait(ring.ready.index(slot), phase)
            tcgen05_mma(ring.a.index(slot), ring.b.index(slot), sums, use_acc=use)
            tcgen05_commit(ring.free.index(slot))
            use = True
            phase ^= (slot == ring.depth - 1).to(gl.int32)
        c.store(sums.load().to(c_desc.dtype))
    else:
        layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], instr_shape=[16, N, 16])
        sums = gl.zeros([M, N], gl.float32, layout=layout)
        for step in range(steps):
            slot = step % ring.depth
            mbarrier.wait(ring.ready.index(slot), phase)
            sums = warpgroup_mma(ring.a.index(slot), ring.b.index(slot), sums, is_async=True)
            sums = warpgroup_mma_wait(num_outstanding=0, deps=[sums])
            mbarrier.arrive(ring.free.index(slot), count=1)
            phase ^= (slot == ring.depth - 1).to(gl.int32)
        c.store(sums.to(c_desc.dtype))
    fence_async_shared()
    tma.async_store(c_desc, [0, 0], c)
    tma.store_wait(pendings=0)


@gluon.jit
def product(a_desc, b_desc, c_desc, steps, DEPTH: gl.constexpr, BLACKWELL: gl.constexpr):
    ring = Ring.make(a_desc, b_desc, DEPTH)
    gl.warp_specialize([(push, (ring, c_desc, steps, BLACKWELL)), (pull, (ring, a_desc, b_desc, steps))], [1], [24])


@gluon.jit
def stream(source, target, size, BLOCK: gl.constexpr, layout: gl.constexpr):
    buffers = gl.allocate_shared_memory(source.dtype.element_ty, [2, BLOCK], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    offsets = gl.arange(0, BLOCK, layout=layout)
    async_copy.async_load(buffers.index(0), source + offsets, mask=offsets < size)
    async_copy.commit_group()
    for i in range(1, 4):
        async_copy.async_load(buffers.index(i % 2), source + i * BLOCK + offsets, mask=i * BLOCK + offsets < size)
        async_copy.commit_group()
        async_copy.wait_group(1)
        gl.store(target + offsets, buffers.index((i - 1) % 2).load(layout))
)py";

constexpr llvm::StringLiteral records = R"json(
{"id":"copy","file":"warm_up.py","kernel":"copy","target":"cuda:90","options":{"num_warps":4},"args":[{"name":"source","type":"*fp32","divisible_by":16},{"name":"target","type":"*fp32","divisible_by":16},{"name":"size","type":"i32"},{"name":"BLOCK","type":"constexpr","value":1024},{"name":"layout","type":"constexpr","value":{"$layout":"BlockedLayout","size_per_thread":[8],"threads_per_warp":[32],"warps_per_cta":[4],"order":[0],"cga_layout":[]}}]}
{"id":"tiles","file":"warm_up.py","kernel":"tiles","target":"cuda:90","options":{"num_warps":4},"args":[{"name":"source","type":"*fp16","divisible_by":16},{"name":"target","type":"*fp16","divisible_by":16},{"name":"rows","type":"i32"},{"name":"columns","type":"i32"},{"name":"stride","type":"i32","divisible_by":16},{"name":"X","type":"constexpr","value":32},{"name":"Y","type":"constexpr","value":64},{"name":"layout","type":"constexpr","value":{"$layout":"BlockedLayout","size_per_thread":[1,4],"threads_per_warp":[2,16],"warps_per_cta":[4,1],"order":[1,0],"cga_layout":[]}}]}
{"id":"stream","file":"warm_up.py","kernel":"stream","target":"cuda:90","options":{"num_warps":4},"args":[{"name":"source","type":"*fp32","divisible_by":16},{"name":"target","type":"*fp32","divisible_by":16},{"name":"size","type":"i32"},{"name":"BLOCK","type":"constexpr","value":1024},{"name":"layout","type":"constexpr","value":{"$layout":"BlockedLayout","size_per_thread":[8],"threads_per_warp":[32],"warps_per_cta":[4],"order":[0],"cga_layout":[]}}]}
{"id":"product90","file":"warm_up.py","kernel":"product","target":"cuda:90","options":{"num_warps":4},"args":[{"name":"a_desc","type":"tensordesc","dtype":"fp16","block":[128,64],"layout":{"$layout":"NVMMASharedLayout","swizzle_byte_width":128,"element_bitwidth":16,"rank":2,"transposed":false,"fp4_padded":false,"cga_layout":[]}},{"name":"b_desc","type":"tensordesc","dtype":"fp16","block":[64,128],"layout":{"$layout":"NVMMASharedLayout","swizzle_byte_width":128,"element_bitwidth":16,"rank":2,"transposed":false,"fp4_padded":false,"cga_layout":[]}},{"name":"c_desc","type":"tensordesc","dtype":"fp16","block":[128,128],"layout":{"$layout":"NVMMASharedLayout","swizzle_byte_width":128,"element_bitwidth":16,"rank":2,"transposed":false,"fp4_padded":false,"cga_layout":[]}},{"name":"steps","type":"i32"},{"name":"DEPTH","type":"constexpr","value":2},{"name":"BLACKWELL","type":"constexpr","value":false}]}
{"id":"product100","file":"warm_up.py","kernel":"product","target":"cuda:100","options":{"num_warps":4},"args":[{"name":"a_desc","type":"tensordesc","dtype":"fp16","block":[128,64],"layout":{"$layout":"NVMMASharedLayout","swizzle_byte_width":128,"element_bitwidth":16,"rank":2,"transposed":false,"fp4_padded":false,"cga_layout":[]}},{"name":"b_desc","type":"tensordesc","dtype":"fp16","block":[64,128],"layout":{"$layout":"NVMMASharedLayout","swizzle_byte_width":128,"element_bitwidth":16,"rank":2,"transposed":false,"fp4_padded":false,"cga_layout":[]}},{"name":"c_desc","type":"tensordesc","dtype":"fp16","block":[128,128],"layout":{"$layout":"NVMMASharedLayout","swizzle_byte_width":128,"element_bitwidth":16,"rank":2,"transposed":false,"fp4_padded":false,"cga_layout":[]}},{"name":"steps","type":"i32"},{"name":"DEPTH","type":"constexpr","value":2},{"name":"BLACKWELL","type":"constexpr","value":true}]}
{"id":"copy942","file":"warm_up.py","kernel":"copy","target":"hip:gfx942","options":{"num_warps":4},"args":[{"name":"source","type":"*fp32","divisible_by":16,"pointer_range":32},{"name":"target","type":"*fp32","divisible_by":16,"pointer_range":32},{"name":"size","type":"i32"},{"name":"BLOCK","type":"constexpr","value":1024},{"name":"layout","type":"constexpr","value":{"$layout":"BlockedLayout","size_per_thread":[4],"threads_per_warp":[64],"warps_per_cta":[4],"order":[0],"cga_layout":[]}}]}
)json";

} // namespace

void openWarmUp(driver::Workspace& workspace) {
  workspace.open(path, 1, program.str());
}

// A process that has compiled before has memory available; a new one gets it from the system page
// by page, at two microseconds each. This touches as much as a group of records needs and keeps
// it.
static void touchHeap() {
  constexpr size_t bytes = size_t{8} << 20, page = 4096;
  ::mallopt(M_MMAP_THRESHOLD, 2 * bytes);
  ::mallopt(M_TRIM_THRESHOLD, 8 * bytes);
  std::unique_ptr<char[]> heap(new char[bytes]);
  for (size_t i = 0; i < bytes; i += page)
    static_cast<volatile char*>(heap.get())[i] = 0;
}

void warmUp(const driver::Snapshot& snapshot, driver::Worker& worker, llvm::StringRef stage) {
  touchHeap();
  auto set = std::make_shared<driver::RecordSet>();
  set->content = driver::readLaunchRecords(records, path);
  driver::Analyzer analyzer(snapshot, worker, {});
  for (const auto& [i, record] : llvm::enumerate(set->content.records)) {
    driver::Variant variant =
        driver::variantOf({set, &record, record.hash},
                          driver::EvaluatedFile::of(snapshot, snapshot.file(path),
                                                    record.target.name(), record.module, {}));
    for (int times = 0; times < 3; ++times) // caches and branch predictors fill
      analyzer.compile(variant, "source");
    const driver::Stage* row = driver::findStage(record.target, stage);
    if (row && (!row->isCompiled() || i < 2)) // which takes long
      analyzer.compile(variant, stage);
  }
}

} // namespace gluond::cli
