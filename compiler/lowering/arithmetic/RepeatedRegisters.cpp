// Registers of one thread that surely hold the same value. Masks of rows, quotients of neighbouring
// indices and the like are computed once for all of them, as Triton does.
#include "lowering/Elementwise.h"

#include <mlir/Interfaces/SideEffectInterfaces.h>

namespace gluond::lowering {

llvm::SmallVector<unsigned, 16> equalRegisters(FunctionEmitter& e, mlir::Operation* op) {
  if (op->getNumResults() != 1 || !mlir::isMemoryEffectFree(op)) return {};
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType());
  // Floats repeat where constants do, which are shared anyhow.
  if (!type || mlir::isa<mlir::FloatType>(type.getElementType())) return {};
  passes::AxisInfo info = e.state().axes.at(op->getResult(0));
  if (llvm::all_of(info.constancy, [](int64_t length) { return length == 1; })) return {};
  const LinearLayout& layout = e.layoutOf(type);
  uint64_t repeats = 0; // the bits of coordinates in which equal elements differ
  for (layout::DimBits out : layout.outs()) {
    unsigned axis = layout::tensorDimIndex(out.dim);
    if (axis >= info.rank()) return {};
    auto length = static_cast<uint64_t>(info.constancy[axis]);
    repeats |= ((length - 1) & (uint64_t(out.size()) - 1)) << layout.outShift(out.dim);
  }
  if (!repeats) return {};
  // A thread's own coordinates and a register's are combined bit by bit, so only the register's
  // part tells whether two elements differ.
  llvm::SmallVector<unsigned, 16> same;
  llvm::SmallDenseMap<uint64_t, unsigned, 16> first;
  for (auto [number, place] : llvm::enumerate(registerPlaces(layout)))
    same.push_back(
        first.try_emplace(place & ~repeats, static_cast<unsigned>(number)).first->second);
  return same;
}

} // namespace gluond::lowering
