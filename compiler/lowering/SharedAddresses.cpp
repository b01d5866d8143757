// Addresses in shared memory: of scratch, of views of buffers, of the same place in another CTA.
#include "ir/ttg/Ops.h"
#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

static bool isZero(llvm::Value* value) {
  auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
  return number && number->isZero();
}

llvm::Value* FunctionEmitter::sharedAddress(int64_t offset) {
  return b.CreateConstInBoundsGEP1_32(b.getInt8Ty(), sharedBase_, static_cast<unsigned>(offset));
}

llvm::Value* FunctionEmitter::scratch(mlir::Operation* op) {
  return sharedAddress(memory().of(op)->offset);
}

llvm::Value* FunctionEmitter::inBlock(llvm::Value* address, llvm::Value* block) {
  return target().addressInBlock(*this, address, block);
}

llvm::Value* FunctionEmitter::viewBlock(mlir::Value descriptor) {
  auto type = mlir::cast<ttg::MemDescType>(descriptor.getType());
  Registers registers = get(descriptor).drop_front();
  if (state_.ctas == 1 || llvm::all_of(registers, isZero)) return nullptr;
  LinearLayout layout = ir::toLinearLayout(type);
  std::optional<LinearLayout> places = layout.pseudoInvert();
  if (!places || !places->hasOut(Dim::Block) || !places->outBits(Dim::Block)) return nullptr;
  llvm::SmallVector<std::pair<Dim, llvm::Value*>, 4> begin;
  for (auto [i, value] : llvm::enumerate(registers.take_back(layout.outs().size())))
    begin.push_back({layout::tensorDim(i), value});
  llvm::Value* block = apply(places->sublayout(places->inDims(), {Dim::Block}), begin).front();
  return isZero(block) ? nullptr : block;
}

llvm::Value* FunctionEmitter::viewOffset(mlir::Value descriptor) {
  auto type = mlir::cast<ttg::MemDescType>(descriptor.getType());
  Registers registers = get(descriptor).drop_front();
  if (llvm::all_of(registers, isZero)) return i32(0);
  LinearLayout layout = ir::toLinearLayout(type);
  std::optional<LinearLayout> offsets = layout.pseudoInvert();
  // The layout is of one element where the buffer has several: those before it are skipped.
  size_t elements = registers.size() - std::min(registers.size(), layout.outs().size());
  llvm::SmallVector<std::pair<Dim, llvm::Value*>, 4> place;
  for (auto [i, value] : llvm::enumerate(registers.drop_front(elements)))
    place.push_back({layout::tensorDim(i), value});
  llvm::Value* offset = apply(offsets->sublayout(offsets->inDims(), {Dim::Offset}), place).front();
  for (size_t i = 0; i < elements; ++i) {
    int64_t stride = layout.inSize(Dim::Offset);
    for (size_t k = i + 1; k < elements; ++k)
      stride *= type.getAllocShape()[k];
    offset = b.CreateAdd(offset, b.CreateMul(registers[i], i32(stride)));
  }
  return offset;
}

} // namespace gluond::lowering
