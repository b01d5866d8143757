// cp.async: copies from global to shared memory that go on while the threads do other work.
#include "ir/ttng/Ops.h"
#include "lowering/memory/GlobalMemory.h"
#include "lowering/memory/SharedAccess.h"
#include "lowering/nvidia/Instructions.h"

namespace gluond::lowering::nvidia {

namespace {

bool knowsAsyncCopies(FunctionEmitter& e, mlir::Operation* op) {
  return needs(e, op, chips::Feature::AsyncCopy, "asynchronous copies need");
}

bool copy(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttg::AsyncCopyGlobalToLocalOp>(operation);
  if (!knowsAsyncCopies(e, op)) return false;
  // The buffer's elements count, even where the pointers' are wider: of each its first bytes.
  unsigned bits = e.memoryBits(op.getResult().getType().getElementType());
  unsigned run = accessRuns(e, op.getSrc(), op.getMask()).elements;
  run = std::min(std::max(run, static_cast<unsigned>(op.getContiguity())), 128 / bits);
  auto place = placeIn(e, op, e.layoutOf(op.getSrc().getType()), op.getResult());
  if (!place) return false;
  if (place->blocks || place->otherBlock)
    return e.fail(op, "cp.async cannot write to another CTA's shared memory");
  place->mostElements = run;
  Registers pointers = e.get(op.getSrc()), masks = op.getMask() ? e.get(op.getMask()) : Registers();
  // Every CTA fills its own memory.
  llvm::Value* first = e.isFirstCopy(e.layoutOf(op.getSrc().getType()), /*ofOwnCta=*/true);
  if (llvm::isa<llvm::ConstantInt>(first)) first = nullptr; // no copies
  CacheHint hint = e.target().cacheHint(e, op.getCachePolicyAttr(), true);
  bool throughL1 = llvm::StringRef(hint.words).starts_with(".ca");
  bool narrow = false;
  forEachAccess(e, *place, [&](llvm::Value* address, llvm::ArrayRef<unsigned> registers) {
    unsigned bytes = static_cast<unsigned>(registers.size()) * bits / 8;
    if (bytes < 4) {
      narrow = true;
      return;
    }
    // cp.async fills with zeros what it does not read.
    std::string text = first ? "@$3 " : "", size = std::to_string(bytes);
    text += std::string("cp.async.") + (bytes == 16 && !throughL1 ? "cg" : "ca") +
            ".shared.global" + (hint.value ? ".L2::cache_hint" : "") + " [$0], [$1], " + size +
            ", $2" + (hint.value ? first ? ", $4" : ", $3" : "") + ";";
    llvm::Value* read = masks.empty()
                            ? static_cast<llvm::Value*>(e.i32(bytes))
                            : e.b.CreateSelect(masks[registers.front()], e.i32(bytes), e.i32(0));
    RegisterList operands{address, pointers[registers.front()], read};
    std::string constraints = "r,l,r";
    if (first) operands.push_back(first), constraints += ",b";
    if (hint.value) operands.push_back(hint.value), constraints += ",l";
    e.assembly(text, constraints, operands);
  });
  if (narrow)
    return e.fail(
        op, "cp.async moves at least 4 bytes at a time, but a thread holds fewer consecutive "
            "bytes: use a layout with a larger size_per_thread along the contiguous dimension");
  return true;
}

bool commit(FunctionEmitter& e, mlir::Operation* op) {
  if (!knowsAsyncCopies(e, op)) return false;
  e.assembly("cp.async.commit_group;", "", {});
  return true;
}

bool wait(FunctionEmitter& e, mlir::Operation* op) {
  if (!knowsAsyncCopies(e, op)) return false;
  e.assembly("cp.async.wait_group " + std::to_string(mlir::cast<ttg::AsyncWaitOp>(op).getNum()) +
                 ";",
             "", {});
  return true;
}

bool arrive(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::AsyncCopyMbarrierArriveOp>(operation);
  e.assembly(op.getNoIncrement() ? "cp.async.mbarrier.arrive.noinc.shared.b64 [$0];"
                                 : "cp.async.mbarrier.arrive.shared.b64 [$0];",
             "r", {e.viewBase(op.getBarrier())});
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> asyncCopyOps() {
  static constexpr OpRow rows[] = {
      {"ttg.async_copy_global_to_local", copy},
      {"ttg.async_commit_group", commit},
      {"ttg.async_wait", wait},
      {"ttng.async_copy_mbarrier_arrive", arrive},
  };
  return rows;
}

} // namespace gluond::lowering::nvidia
