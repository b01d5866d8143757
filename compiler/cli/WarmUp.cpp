#include "cli/WarmUp.h"

#include "driver/Analysis.h"
#include "driver/LaunchRecords.h"
#include "driver/RecordFiles.h"

namespace gluond::cli {

namespace {

constexpr llvm::StringLiteral path = "/<gluond>/warm_up.py";

constexpr llvm::StringLiteral program = R"py(
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def place(size, BLOCK: gl.constexpr, layout: gl.constexpr):
    offsets = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    return offsets, offsets < size


@gluon.jit
def copy(source, target, size, BLOCK: gl.constexpr, layout: gl.constexpr):
    offsets, mask = place(size, BLOCK, layout)
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
)py";

constexpr llvm::StringLiteral records = R"json(
{"id":"copy","file":"warm_up.py","kernel":"copy","target":"cuda:90","options":{"num_warps":4},"args":[{"name":"source","type":"*fp32","divisible_by":16},{"name":"target","type":"*fp32","divisible_by":16},{"name":"size","type":"i32"},{"name":"BLOCK","type":"constexpr","value":1024},{"name":"layout","type":"constexpr","value":{"$layout":"BlockedLayout","size_per_thread":[8],"threads_per_warp":[32],"warps_per_cta":[4],"order":[0],"cga_layout":[]}}]}
{"id":"tiles","file":"warm_up.py","kernel":"tiles","target":"cuda:90","options":{"num_warps":4},"args":[{"name":"source","type":"*fp16","divisible_by":16},{"name":"target","type":"*fp16","divisible_by":16},{"name":"rows","type":"i32"},{"name":"columns","type":"i32"},{"name":"stride","type":"i32","divisible_by":16},{"name":"X","type":"constexpr","value":32},{"name":"Y","type":"constexpr","value":64},{"name":"layout","type":"constexpr","value":{"$layout":"BlockedLayout","size_per_thread":[1,4],"threads_per_warp":[2,16],"warps_per_cta":[4,1],"order":[1,0],"cga_layout":[]}}]}
)json";

} // namespace

void openWarmUp(driver::Workspace& workspace) {
  workspace.open(path, 1, program.str());
}

void warmUp(const driver::Snapshot& snapshot, driver::Worker& worker, llvm::StringRef stage) {
  auto set = std::make_shared<driver::RecordSet>();
  set->content = driver::readLaunchRecords(records, path);
  driver::Analyzer analyzer(snapshot, worker, {});
  for (const driver::LaunchRecord& record : set->content.records) {
    driver::Variant variant;
    variant.id = record.id;
    variant.kernel = record.kernel;
    variant.origin = driver::Origin::Record;
    variant.target = record.target.name();
    variant.program =
        driver::Program::of(snapshot, snapshot.file(path), variant.target, record.module, {});
    variant.record = {set, &record, record.hash};
    for (int i = 0; i < 3; ++i) // caches and branch predictors fill
      analyzer.compile(variant, "source");
    if (stage != "source") analyzer.compile(variant, stage == "ttgir" ? stage : "ptx");
  }
}

} // namespace gluond::cli
