#include "lowering/nvidia/MatrixDescriptor.h"

#include "ir/ttg/Ops.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::lowering::nvidia {

namespace {

// The tile of 8 rows (along the strided dimension) by the swizzle's width: coordinates to offset.
std::optional<LinearLayout> tileOf(unsigned swizzleBytes, bool transposed, unsigned elementBits) {
  int64_t width = std::max(16u, swizzleBytes) * 8 / elementBits;
  layout::NvmmaShared fields{.swizzlingByteWidth = swizzleBytes,
                             .transposed = transposed,
                             .elementBitWidth = elementBits,
                             .CGALayout = layout::oneCta(2)};
  auto layout = layout::Layout::make(std::move(fields));
  if (!layout) return std::nullopt;
  llvm::SmallVector<int64_t> shape =
      transposed ? llvm::SmallVector<int64_t>{width, 8} : llvm::SmallVector<int64_t>{8, width};
  auto linear = layout::toLinearLayout(*layout, shape);
  if (!linear) return std::nullopt;
  return linear->pseudoInvert();
}

bool begins(const LinearLayout& whole, const LinearLayout& tile) {
  for (Dim dim : {Dim::Dim0, Dim::Dim1}) {
    if (whole.inBits(dim) < tile.inBits(dim)) return false;
    for (unsigned bit = 0; bit < tile.inBits(dim); ++bit)
      if (whole.basis(dim, bit, Dim::Offset) != tile.basis(dim, bit, Dim::Offset)) return false;
  }
  return true;
}

} // namespace

std::optional<MatrixOperand> matrixOperand(Emitter& e, mlir::Value buffer,
                                           llvm::ArrayRef<unsigned> instruction, unsigned opIdx,
                                           const LinearLayout& result) {
  auto type = mlir::cast<ttg::MemDescType>(buffer.getType());
  std::optional<LinearLayout> offsets = ir::toLinearLayout(type).pseudoInvert();
  if (!offsets) return std::nullopt;
  MatrixOperand operand;
  operand.elementBits = e.memoryBits(type.getElementType());
  operand.offsets = offsets->sublayout({Dim::Dim0, Dim::Dim1}, {Dim::Offset});
  const LinearLayout& ll = operand.offsets;
  std::optional<LinearLayout> tile;
  for (unsigned swizzle : {128u, 64u, 32u, 0u}) {
    for (bool transposed : {false, true}) {
      std::optional<LinearLayout> candidate = tileOf(swizzle, transposed, operand.elementBits);
      if (!candidate || !begins(ll, *candidate)) continue;
      tile = candidate;
      operand.swizzleBytes = swizzle;
      operand.transposed = transposed;
      break;
    }
    if (tile) break;
  }
  if (!tile) return std::nullopt;

  Dim dims[] = {Dim::Dim0, Dim::Dim1};
  unsigned leading = operand.transposed ? 0 : 1, strided = 1 - leading;
  // Without a swizzle the two change places when the contiguous dimension is not K.
  bool contiguousIsNotK = (opIdx == 0) == operand.transposed;
  if (operand.swizzleBytes == 0 && contiguousIsNotK) std::swap(leading, strided);
  auto strideBeyondTile = [&](unsigned dim) -> uint64_t {
    unsigned bits = tile->inBits(dims[dim]);
    if (llvm::Log2_32(instruction[dim]) <= bits || ll.inBits(dims[dim]) <= bits) return 0;
    return static_cast<uint64_t>(ll.basis(dims[dim], bits, Dim::Offset)) * operand.elementBits /
               8 >>
           4;
  };
  uint64_t mode = operand.swizzleBytes == 128  ? 1
                  : operand.swizzleBytes == 64 ? 2
                  : operand.swizzleBytes == 32 ? 3
                                               : 0;
  operand.fixed = (strideBeyondTile(leading) & 0x3fff) << 16 |
                  (strideBeyondTile(strided) & 0x3fff) << 32 | mode << 62;

  llvm::Value* bytes =
      e.b.CreateMul(e.viewOffset(buffer), e.i32(std::max(1u, operand.elementBits / 8)));
  llvm::Value* address = e.b.CreatePtrToInt(
      e.b.CreateGEP(e.b.getInt8Ty(), e.viewBase(buffer), bytes), e.b.getInt32Ty());
  operand.base = e.b.CreateLShr(address, e.i32(4));
  // Warp groups beyond the first: where the result's warps lie along this operand's side that is
  // not K.
  Dim side = opIdx == 0 ? Dim::Dim0 : Dim::Dim1;
  llvm::Value* part = nullptr;
  for (unsigned bit = 2; bit < result.inBits(Dim::Warp); ++bit) {
    int32_t coordinate = result.basis(Dim::Warp, bit, side);
    if (!coordinate) continue;
    uint64_t offset =
        static_cast<uint64_t>(ll.apply({{side, static_cast<uint64_t>(coordinate)}}).front()) *
            operand.elementBits / 8 >>
        4;
    llvm::Value* here = e.b.CreateAnd(e.b.CreateLShr(e.warp(), e.i32(bit)), e.i32(1));
    llvm::Value* term = e.b.CreateMul(here, e.i32(static_cast<int64_t>(offset)));
    part = part ? e.b.CreateAdd(part, term) : term;
  }
  if (part) operand.base = e.b.CreateAdd(operand.base, part);
  operand.base = e.b.CreateAnd(operand.base, e.i32(0x3fff));
  return operand;
}

llvm::Value* descriptorAt(Emitter& e, const MatrixOperand& operand, int32_t row, int32_t column) {
  uint64_t elements = static_cast<uint64_t>(operand.offsets
                                                .apply({{Dim::Dim0, static_cast<uint64_t>(row)},
                                                        {Dim::Dim1, static_cast<uint64_t>(column)}})
                                                .front());
  uint64_t bytes = elements * operand.elementBits / 8;
  uint64_t mask = operand.swizzleBytes ? (operand.swizzleBytes >> 4) - 1 : 0;
  uint64_t fixed = operand.fixed | (bytes / 128 & mask) << 49;
  llvm::Value* low =
      e.b.CreateAdd(operand.base, e.i32(static_cast<int64_t>((fixed & 0xffffffff) + (bytes >> 4))));
  llvm::Value* words = llvm::PoisonValue::get(llvm::FixedVectorType::get(e.b.getInt32Ty(), 2));
  words = e.b.CreateInsertElement(words, low, uint64_t(0));
  words = e.b.CreateInsertElement(words, e.i32(static_cast<int64_t>(fixed >> 32)), 1);
  return e.b.CreateBitCast(words, e.b.getInt64Ty());
}

} // namespace gluond::lowering::nvidia
