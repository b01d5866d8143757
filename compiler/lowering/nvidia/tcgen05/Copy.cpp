// tcgen05.cp: from shared to tensor memory, asked for by one thread.
#include "ir/ttng/Ops.h"
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/MatrixDescriptor.h"
#include "lowering/nvidia/tcgen05/TensorCore.h"
#include "lowering/nvidia/tcgen05/TensorMemory.h"

namespace gluond::lowering::nvidia {

namespace {

// The shape of one instruction. Rows that are copies of others are read once: those of the second
// and fourth warp, or of the third and fourth, or of all but the first.
struct Shape {
  llvm::StringLiteral name;
  unsigned bits; // of a row
};
std::optional<Shape> shapeOf(bool areSecondCopies, bool areLastCopies, int64_t bitsOfRow) {
  constexpr unsigned narrow = 128, wide = 256;
  if (areSecondCopies && areLastCopies) return Shape{"warpx4.32x128b", narrow};
  if (areSecondCopies) return Shape{"warpx2::02_13.64x128b", narrow};
  if (areLastCopies) return Shape{"warpx2::01_23.64x128b", narrow};
  if (bitsOfRow == narrow) return Shape{"128x128b", narrow};
  if (bitsOfRow >= wide) return Shape{"128x256b", wide};
  return std::nullopt;
}

constexpr unsigned rowBits = 7, bitsOfWarp = 5; // of the rows, and of those of a warp

} // namespace

bool copyToTensorMemory(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::TMEMCopyOp>(operation);
  if (!needs(e, op, chips::Feature::TensorMemory, "tcgen05.cp needs")) return false;
  auto sourceType = op.getSrc().getType();
  unsigned bits = tt::bitWidth(sourceType.getElementType());
  LinearLayout cells = ir::toLinearLayout(op.getDst().getType());
  auto offsets = cells.invertAndCompose(ir::toLinearLayout(sourceType));
  auto unsupported = [&] {
    return e.fail(op, "tcgen05.cp cannot copy between these layouts of shared and tensor memory");
  };
  if (!offsets || offsets->inBits(Dim::Row) != rowBits) return unsupported();
  auto rowOffset = [&](unsigned bit) { return offsets->basis(Dim::Row, bit, Dim::Offset); };
  bool areSecondCopies = rowOffset(bitsOfWarp) == 0, areLastCopies = rowOffset(bitsOfWarp + 1) == 0;
  int64_t columns = offsets->inSize(Dim::Col);
  auto shape = shapeOf(areSecondCopies, areLastCopies, columns * bits);
  if (!shape) return unsupported();
  unsigned perInstruction = shape->bits / bits;
  // The descriptor is of the rows of one warp; the others follow at the same distances.
  int32_t distance = rowOffset(3);
  for (unsigned bit = bitsOfWarp; bit < rowBits; ++bit)
    if (int32_t offset = rowOffset(bit); offset && offset != distance << (bit - 3))
      return unsupported();
  LinearLayout ofWarp = offsets->sublayout({}, {Dim::Offset, Dim::Block})
                            .appendIn(Dim::Dim0, offsets->columns(Dim::Row).take_front(bitsOfWarp))
                            .appendIn(Dim::Dim1, offsets->columns(Dim::Col));
  const unsigned instruction[] = {1u << bitsOfWarp, perInstruction};
  auto operand = tensorCoreOperand(e, op.getSrc(), ofWarp, instruction, 0, bits);
  if (!operand || operand->transposed) return unsupported();

  llvm::Value* predicate = electOne(e);
  if (llvm::Value* leads = leadsPair(e)) predicate = e.b.CreateAnd(predicate, leads);
  for (int64_t column = 0; column < columns; column += perInstruction) {
    int64_t cell = column * bits / 32;
    e.assembly("@$0 tcgen05.cp." + ctaGroup(e) + "." + shape->name.str() + " [$1 + " +
                   std::to_string(cell) + "], $2;",
               "b,r,l",
               {predicate, e.scalar(op.getDst()),
                descriptorAt(e, *operand, 0, static_cast<int32_t>(column))});
  }
  return true;
}

} // namespace gluond::lowering::nvidia
