// Parts of tensors that every thread has in its own registers, and tensors made of such parts.
#include "ir/amdg/Ops.h"
#include "ir/ttg/Ops.h"
#include "lowering/Exchange.h"
#include "lowering/amd/Instructions.h"

namespace gluond::lowering::amd {

namespace {

bool leaves(FunctionEmitter& e, mlir::Operation* op) {
  return e.fail(op, "the layouts would move elements between threads");
}

bool extractSlice(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::ExtractSliceOp>(operation);
  const LinearLayout &from = e.layoutOf(op.getSource().getType()), &to = e.layoutOf(op.getType());
  auto byPlace = registersByPlace(from);
  RegisterList results;
  for (uint64_t place : registerPlaces(to)) {
    layout::Coordinates at = to.unpack(place);
    for (auto [coordinate, offset] : llvm::zip(at, op.getStaticOffsets()))
      coordinate += static_cast<int32_t>(offset);
    auto found = byPlace.find(from.pack(at));
    if (found == byPlace.end()) return leaves(e, op);
    results.push_back(e.get(op.getSource())[found->second]);
  }
  e.set(op.getResult(), results);
  return true;
}

// Tiles in row-major order.
bool concatenate(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::ConcatOp>(operation);
  auto whole = mlir::cast<mlir::RankedTensorType>(op.getType()),
       tile = mlir::cast<mlir::RankedTensorType>(op.getSources().front().getType());
  const LinearLayout &from = e.layoutOf(tile), &to = e.layoutOf(whole);
  auto byPlace = registersByPlace(from);
  RegisterList results;
  for (uint64_t place : registerPlaces(to)) {
    layout::Coordinates at = to.unpack(place);
    unsigned number = 0;
    for (auto [coordinate, size, all] : llvm::zip(at, tile.getShape(), whole.getShape())) {
      number =
          number * static_cast<unsigned>(all / size) + static_cast<unsigned>(coordinate / size);
      coordinate %= static_cast<int32_t>(size);
    }
    auto found = byPlace.find(from.pack(at));
    if (found == byPlace.end() || number >= op.getSources().size()) return leaves(e, op);
    results.push_back(e.get(op.getSources()[number])[found->second]);
  }
  e.set(op.getResult(), results);
  return true;
}

bool transposeInThread(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::InThreadTransposeOp>(operation);
  RegisterList results;
  if (!convertRegisters(e, op, mlir::cast<mlir::RankedTensorType>(op.getSrc().getType()),
                        mlir::cast<mlir::RankedTensorType>(op.getType()), e.get(op.getSrc()),
                        results))
    return false;
  e.set(op.getResult(), results);
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> sliceOps() {
  static constexpr OpRow rows[] = {{"amdg.extract_slice", extractSlice},
                                   {"amdg.concat", concatenate},
                                   {"amdg.in_thread_transpose", transposeInThread}};
  return rows;
}

} // namespace gluond::lowering::amd
