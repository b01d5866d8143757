// The types and the number of a value's registers.
#include "ir/ttg/Ops.h"
#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

static bool isShared(ttg::MemDescType type) {
  return mlir::isa<ttg::SharedMemorySpaceAttr>(type.getMemorySpace());
}

llvm::Type* FunctionEmitter::elementType(mlir::Type type) {
  if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type)) type = tensor.getElementType();
  llvm::Type*& known = types_[type];
  if (known) return known;
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type))
    return known = b.getIntNTy(integer.getWidth());
  if (mlir::isa<mlir::IndexType>(type)) return known = b.getInt32Ty();
  if (type.isF16()) return known = b.getHalfTy();
  if (type.isBF16()) return known = b.getBFloatTy();
  if (type.isF32()) return known = b.getFloatTy();
  if (type.isF64()) return known = b.getDoubleTy();
  if (mlir::isa<mlir::FloatType>(type)) return known = b.getIntNTy(tt::bitWidth(type));
  if (auto pointer = mlir::dyn_cast<tt::PointerType>(type)) {
    switch (pointer.getAddressSpace()) {
    case tt::PtrAddrSpace::Global:
      return known = b.getPtrTy(globalSpace);
    case tt::PtrAddrSpace::Constant:
      return known = b.getPtrTy(constantSpace);
    case tt::PtrAddrSpace::Descriptor:
      return known = b.getPtrTy();
    }
  }
  return known = target().descriptorType(state_.context, type);
}

llvm::Type* FunctionEmitter::memoryType(mlir::Type type) {
  llvm::Type* element = elementType(type);
  return element->isIntegerTy(1) ? b.getInt8Ty() : element;
}

unsigned FunctionEmitter::memoryBits(mlir::Type type) {
  llvm::Type* element = memoryType(type);
  return registerBits(element);
}

const LinearLayout& FunctionEmitter::layoutOf(mlir::Type type) {
  std::unique_ptr<LinearLayout>& known = layouts_[type];
  if (!known)
    known =
        std::make_unique<LinearLayout>(ir::toLinearLayout(mlir::cast<mlir::RankedTensorType>(type))
                                           .removeZeroBases(Dim::Register));
  return *known;
}

unsigned FunctionEmitter::registerCount(mlir::Type type) {
  if (mlir::isa<mlir::RankedTensorType>(type))
    return static_cast<unsigned>(layoutOf(type).inSize(Dim::Register));
  if (auto memory = mlir::dyn_cast<ttg::MemDescType>(type))
    return isShared(memory) ? 1 + static_cast<unsigned>(memory.getRank()) : 1;
  return mlir::isa<ttg::AsyncTokenType>(type) ? 0 : 1;
}

void FunctionEmitter::registerTypes(mlir::Type type, llvm::SmallVectorImpl<llvm::Type*>& types) {
  if (auto memory = mlir::dyn_cast<ttg::MemDescType>(type)) {
    if (!isShared(memory)) {
      types.push_back(b.getInt32Ty());
      return;
    }
    types.push_back(b.getPtrTy(sharedSpace));
    types.append(memory.getRank(), b.getInt32Ty());
    return;
  }
  unsigned count = registerCount(type);
  if (count) types.append(count, elementType(type));
}

RegisterList FunctionEmitter::flatten(mlir::ValueRange values) const {
  RegisterList all;
  for (mlir::Value value : values)
    llvm::append_range(all, get(value));
  return all;
}

void FunctionEmitter::bind(mlir::ValueRange values, Registers registers) {
  for (mlir::Value value : values) {
    unsigned count = registerCount(value.getType());
    set(value, registers.take_front(count));
    registers = registers.drop_front(count);
  }
}

llvm::SmallVector<llvm::PHINode*> FunctionEmitter::phis(mlir::TypeRange types, unsigned incoming) {
  llvm::SmallVector<llvm::Type*> registers;
  for (mlir::Type type : types)
    registerTypes(type, registers);
  llvm::SmallVector<llvm::PHINode*> made;
  for (llvm::Type* type : registers)
    made.push_back(b.CreatePHI(type, incoming));
  return made;
}

unsigned registerBits(llvm::Type* type) {
  return type->isPointerTy()
             ? 64
             : static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
}

llvm::SmallVector<uint64_t> registerPlaces(const LinearLayout& layout) {
  llvm::SmallVector<uint64_t> places;
  for (uint64_t r = 0; r < static_cast<uint64_t>(layout.inSize(Dim::Register)); ++r)
    places.push_back(layout::f2::multiply(layout.columns(Dim::Register), r));
  return places;
}

} // namespace gluond::lowering
