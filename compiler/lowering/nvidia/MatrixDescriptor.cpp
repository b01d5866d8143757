#include "lowering/nvidia/MatrixDescriptor.h"

#include "ir/ttg/Ops.h"
#include "ir/ttng/SharedMatrix.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::lowering::nvidia {

namespace {

constexpr Dim dims[] = {Dim::Dim0, Dim::Dim1};

// The part of the descriptor that is the same for all instructions, and the operand's layout. The
// instruction reads `instruction` elements along each dimension.
std::optional<MatrixOperand> layoutOf(const std::optional<LinearLayout>& offsets,
                                      unsigned elementBits, llvm::ArrayRef<unsigned> instruction,
                                      unsigned opIdx) {
  if (!offsets) return std::nullopt;
  LinearLayout whole = elementBits == 4 ? ttng::asFp4(*offsets) : *offsets;
  auto matrix = ttng::sharedMatrixOf(whole, elementBits);
  if (!matrix) return std::nullopt;
  MatrixOperand operand;
  operand.elementBits = elementBits;
  operand.offsets = whole.sublayout({Dim::Dim0, Dim::Dim1}, {Dim::Offset});
  operand.swizzleBytes = matrix->swizzleBytes;
  operand.transposed = matrix->transposed;
  operand.fp4Padded = matrix->fp4Padded;
  for (unsigned dim : {0u, 1u})
    operand.tileBits[dim] = matrix->tile.inBits(dims[dim]);
  unsigned leading = operand.transposed ? 0 : 1, strided = 1 - leading;
  // Without a swizzle the two change places when the contiguous dimension is not K.
  bool contiguousIsNotK = (opIdx == 0) == operand.transposed;
  if (operand.swizzleBytes == 0 && contiguousIsNotK) std::swap(leading, strided);
  auto strideBeyondTile = [&](unsigned dim) -> uint64_t {
    unsigned bits = operand.tileBits[dim];
    if (llvm::Log2_32(instruction[dim]) <= bits || operand.offsets.inBits(dims[dim]) <= bits)
      return 0;
    return static_cast<uint64_t>(operand.offsets.basis(dims[dim], bits, Dim::Offset)) *
               elementBits / 8 >>
           4;
  };
  uint64_t mode = operand.swizzleBytes == 128  ? 1
                  : operand.swizzleBytes == 64 ? 2
                  : operand.swizzleBytes == 32 ? 3
                                               : 0;
  operand.fixed = (strideBeyondTile(leading) & 0x3fff) << 16 |
                  (strideBeyondTile(strided) & 0x3fff) << 32 | mode << 62;
  return operand;
}

// Tiles beyond the first one lie at equal distances, as far as one instruction reads.
bool isRegular(const MatrixOperand& operand, llvm::ArrayRef<unsigned> instruction) {
  for (unsigned dim : {0u, 1u}) {
    unsigned first = operand.tileBits[dim], end = llvm::Log2_32(instruction[dim]);
    if (end > operand.offsets.inBits(dims[dim])) return false;
    for (unsigned bit = first; bit < end; ++bit)
      if (operand.offsets.basis(dims[dim], bit, Dim::Offset) !=
          operand.offsets.basis(dims[dim], first, Dim::Offset) << (bit - first))
        return false;
  }
  return true;
}

// The same value, which LLVM does not move out of a loop.
llvm::Value* inPlace(FunctionEmitter& e, llvm::Value* value) {
  auto* moved = llvm::cast<llvm::CallInst>(
      e.assembly(value->getType(), "mov.b32 $0, $1;", "=r,r", {value}, /*sideEffects=*/false));
  moved->setConvergent();
  return moved;
}

// Address of the view's first element.
llvm::Value* beginOf(FunctionEmitter& e, mlir::Value buffer) {
  auto type = mlir::cast<ttg::MemDescType>(buffer.getType());
  llvm::Value* bytes = e.b.CreateMul(e.viewOffset(buffer),
                                     e.i32(std::max(1u, e.memoryBits(type.getElementType()) / 8)));
  return e.b.CreatePtrToInt(e.b.CreateGEP(e.b.getInt8Ty(), e.viewBase(buffer), bytes),
                            e.b.getInt32Ty());
}

} // namespace

std::optional<MatrixOperand> tensorCoreOperand(FunctionEmitter& e, mlir::Value buffer,
                                               llvm::ArrayRef<unsigned> instruction, unsigned opIdx,
                                               unsigned elementBits) {
  auto type = mlir::cast<ttg::MemDescType>(buffer.getType());
  return tensorCoreOperand(e, buffer, ir::toLinearLayout(type).pseudoInvert(), instruction, opIdx,
                           elementBits);
}

std::optional<MatrixOperand> tensorCoreOperand(FunctionEmitter& e, mlir::Value buffer,
                                               const std::optional<LinearLayout>& offsets,
                                               llvm::ArrayRef<unsigned> instruction, unsigned opIdx,
                                               unsigned elementBits) {
  auto operand = layoutOf(offsets, elementBits, instruction, opIdx);
  if (!operand || !isRegular(*operand, instruction)) return std::nullopt;
  constexpr uint64_t version = uint64_t(1) << 46;
  operand->fixed |= version;
  operand->base = e.b.CreateAnd(e.b.CreateLShr(beginOf(e, buffer), e.i32(4)), e.i32(0x7fff));
  return operand;
}

std::optional<MatrixOperand> matrixOperand(FunctionEmitter& e, mlir::Value buffer,
                                           llvm::ArrayRef<unsigned> instruction, unsigned opIdx,
                                           const LinearLayout& result, bool isComputedHere) {
  auto type = mlir::cast<ttg::MemDescType>(buffer.getType());
  auto found = layoutOf(ir::toLinearLayout(type).pseudoInvert(),
                        e.memoryBits(type.getElementType()), instruction, opIdx);
  if (!found) return std::nullopt;
  MatrixOperand& operand = *found;
  llvm::Value* begin = beginOf(e, buffer);
  operand.base = e.b.CreateLShr(isComputedHere ? inPlace(e, begin) : begin, e.i32(4));
  // Warp groups beyond the first: where the result's warps lie along this operand's side that is
  // not K.
  Dim side = opIdx == 0 ? Dim::Dim0 : Dim::Dim1;
  llvm::Value* part = nullptr;
  for (unsigned bit = 2; bit < result.inBits(Dim::Warp); ++bit) {
    int32_t coordinate = result.basis(Dim::Warp, bit, side);
    if (!coordinate) continue;
    uint64_t offset =
        static_cast<uint64_t>(
            operand.offsets.apply({{side, static_cast<uint64_t>(coordinate)}}).front()) *
            operand.elementBits / 8 >>
        4;
    llvm::Value* here = e.b.CreateAnd(e.b.CreateLShr(e.warp(), e.i32(bit)), e.i32(1));
    llvm::Value* term = e.b.CreateMul(here, e.i32(static_cast<int64_t>(offset)));
    part = part ? e.b.CreateAdd(part, term) : term;
  }
  if (part) operand.base = e.b.CreateAdd(operand.base, part);
  operand.base = e.b.CreateAnd(operand.base, e.i32(0x3fff));
  return found;
}

llvm::Value* descriptorAt(FunctionEmitter& e, const MatrixOperand& operand, int32_t row,
                          int32_t column) {
  uint64_t elements = static_cast<uint64_t>(operand.offsets
                                                .apply({{Dim::Dim0, static_cast<uint64_t>(row)},
                                                        {Dim::Dim1, static_cast<uint64_t>(column)}})
                                                .front());
  uint64_t bytes = elements * operand.elementBits / 8;
  // Without a swizzle nothing reads the base offset; it is filled in as Triton does.
  uint64_t mask = operand.swizzleBytes ? (operand.swizzleBytes >> 4) - 1 : 7;
  uint64_t fixed = operand.fixed | (bytes / 128 & mask) << 49;
  llvm::Value* low =
      e.b.CreateAdd(operand.base, e.i32(static_cast<int64_t>((fixed & 0xffffffff) + (bytes >> 4))));
  // Not as a vector of two words: instruction selection gives that the place of its constant word's
  // first use, and what stands between the two, such as the rest of a loop's turn before a wait,
  // comes after all descriptors.
  constexpr uint64_t upperWord = 0xffffffff00000000;
  return e.b.CreateOr(e.b.CreateZExt(low, e.b.getInt64Ty()), e.b.getInt64(fixed & upperWord), "",
                      /*IsDisjoint=*/true);
}

} // namespace gluond::lowering::nvidia
