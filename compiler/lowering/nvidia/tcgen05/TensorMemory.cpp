// Tensor memory of a kernel: how it gets it and gives it back, buffers and views.
#include "lowering/nvidia/tcgen05/TensorMemory.h"

#include "ir/ttng/MemorySpace.h"
#include "ir/ttng/Ops.h"
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/NvidiaTarget.h"

#include <llvm/IR/Intrinsics.h>

namespace gluond::lowering::nvidia {

std::string ctaGroup(FunctionEmitter& e) {
  return hasTwoCtas(e) ? "cta_group::2" : "cta_group::1";
}

llvm::Value* leadsPair(FunctionEmitter& e) {
  if (!hasTwoCtas(e)) return nullptr;
  return e.b.CreateICmpEQ(e.b.CreateAnd(e.block(), e.i32(1)), e.i32(0));
}

int64_t cellOf(ttg::MemDescType buffer, uint64_t row, uint64_t column) {
  std::optional<LinearLayout> cells = ir::toLinearLayout(buffer).pseudoInvert();
  if (!cells) return 0;
  LinearLayout::Place place[] = {{Dim::Dim0, row}, {Dim::Dim1, column}};
  layout::Coordinates at =
      cells->sublayout({Dim::Dim0, Dim::Dim1}, {Dim::Row, Dim::Col}).apply(place);
  return int64_t(at[0]) << 16 |
         at[1] * static_cast<int64_t>(tt::bitWidth(buffer.getElementType())) / 32;
}

// ---- The kernel's part.

namespace {

int64_t allocatedColumns(FunctionEmitter& e) {
  return e.functionState().tensorMemory->allocatedColumns();
}

llvm::Value* addressSlot(FunctionEmitter& e) {
  return e.sharedAddress(e.functionState().tensorMemoryOffset);
}

llvm::Value* inFirstWarp(FunctionEmitter& e) {
  return e.b.CreateICmpEQ(e.warp(), e.i32(0));
}

} // namespace

bool NvidiaTarget::beginKernel(FunctionEmitter& e) const {
  int64_t columns = allocatedColumns(e);
  if (!columns) return true;
  if (!nvidia::needs(e, e.source(), chips::Feature::TensorMemory, "tensor memory needs"))
    return false;
  if (columns > chips::tensorMemoryColumns) {
    // As with shared memory, whoever launches the kernel finds that it does not fit, and `check`
    // has said so. It must not run.
    e.intrinsic(llvm::Intrinsic::trap, {}, {});
    e.state().tensorMemory = e.i32(0);
    return true;
  }
  if (hasTwoCtas(e)) {
    // Both CTAs of a pair run before they allocate, and until they give back.
    if (e.group().isWholeCta)
      e.wholeClusterBarrier();
    else
      e.state().groupsMeetCluster = true; // then all meet at the kernel's beginning
    e.state().touchesOtherCtas = true;
  }
  // The instruction writes the address to shared memory.
  e.assembly("@$0 tcgen05.alloc." + ctaGroup(e) + ".sync.aligned.shared::cta.b32 [$1], " +
                 std::to_string(columns) + ";",
             "b,r", {inFirstWarp(e), addressSlot(e)});
  e.barrier();
  e.state().tensorMemory =
      e.b.CreateLoad(e.b.getInt32Ty(), addressSlot(e), /*isVolatile=*/true, "tensor.memory");
  e.barrier(); // read: the place may be written again
  e.assembly("@$0 tcgen05.relinquish_alloc_permit." + ctaGroup(e) + ".sync.aligned;", "b",
             {inFirstWarp(e)});
  return true;
}

void NvidiaTarget::endKernel(FunctionEmitter& e) const {
  int64_t columns = allocatedColumns(e);
  if (!columns || columns > chips::tensorMemoryColumns) return;
  if (!hasTwoCtas(e)) e.barrier(); // those of a pair have met their cluster
  e.assembly("@$0 tcgen05.dealloc." + ctaGroup(e) + ".sync.aligned.b32 $1, " +
                 std::to_string(columns) + ";",
             "b,r", {inFirstWarp(e), e.state().tensorMemory});
}

// ---- Buffers and views.

namespace {

bool allocate(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::TMEMAllocOp>(operation);
  if (!e.isKernel())
    return e.fail(op,
                  "tensor memory is allocated by kernels only, and this function is not inlined "
                  "into one");
  passes::TensorMemory::Place place = e.functionState().tensorMemory->of(op);
  // Partitions have no values of the warps that begin the kernel.
  llvm::Value* base = e.group().number
                          ? e.b.CreateLoad(e.b.getInt32Ty(), addressSlot(e), /*isVolatile=*/true)
                          : e.state().tensorMemory;
  llvm::Value* address = e.b.CreateAdd(base, e.i32(place.column | place.row << 16));
  e.set(op.getResult(), address);
  return !op.getSrc() || storeTensor(e, op, op.getSrc().getType(), op.getType(), address,
                                     e.get(op.getSrc()), e.i1(true));
}

// Columns from one buffer of several to the next one. A slice keeps the distances of its
// allocation.
int64_t columnsOfStage(ttg::MemDescType buffers) {
  auto one = buffers.getAllocShape().take_back(2);
  return ttng::getTmemAllocSizes(ttg::MemDescType::get(one, buffers.getElementType(),
                                                       buffers.getEncoding(),
                                                       buffers.getMemorySpace(), true, one))
      .numCols;
}

bool index(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttg::MemDescIndexOp>(operation);
  if (!ttng::isTensorMemory(op.getSrc())) return lowerAsShared(e, op);
  llvm::Value* columns =
      e.b.CreateMul(e.scalar(op.getIndex()), e.i32(columnsOfStage(op.getSrc().getType())));
  e.set(op, e.b.CreateAdd(e.scalar(op.getSrc()), columns));
  return true;
}

bool slice(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::TMEMSubSliceOp>(operation);
  auto type = op.getSrc().getType();
  int64_t offset = op.getOffset(), cell = 0;
  unsigned stages = static_cast<unsigned>(type.getRank()) - 2, dim = op.getDim();
  if (dim < stages) {
    cell = offset * columnsOfStage(type);
  } else {
    auto shape = type.getShape().take_back(2);
    auto one = ttg::MemDescType::get(shape, type.getElementType(), type.getEncoding(),
                                     type.getMemorySpace(), true, shape);
    bool isColumn = dim - stages == 1;
    cell = cellOf(one, isColumn ? 0 : static_cast<uint64_t>(offset),
                  isColumn ? static_cast<uint64_t>(offset) : 0);
  }
  e.set(op, e.b.CreateAdd(e.scalar(op.getSrc()), e.i32(cell)));
  return true;
}

bool reinterpret(FunctionEmitter& e, mlir::Operation* op) {
  if (!ttng::isTensorMemory(op->getOperand(0))) return lowerAsShared(e, op);
  e.set(op->getResult(0), e.scalar(op->getOperand(0)));
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> tensorMemoryOps() {
  static constexpr OpRow rows[] = {
      {"ttng.tmem_alloc", allocate},
      {"ttng.tmem_subslice", slice},
      {"ttg.memdesc_index", index},
      {"ttg.memdesc_reinterpret", reinterpret},
  };
  return rows;
}

} // namespace gluond::lowering::nvidia
