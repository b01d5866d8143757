#include "passes/refusals/products/WarpGroupDot.h"

#include "chips/MatrixInstructions.h"
#include "chips/Occupancy.h"
#include "ir/tt/ElementTypes.h"
#include "passes/failure/TypeNames.h"

namespace gluond::passes {
using namespace mlir;

namespace {

// Whether one instruction multiplies elements of these types.
bool areMultiplied(Type a, Type b) {
  if (tt::isFloat8(a)) return tt::isFloat8(b);
  return a == b && (a.isF16() || a.isBF16() || a.isF32() || a.isInteger(8));
}

// The instruction, with the rows of each warp and the bits of a row.
struct Instruction {
  const chips::GroupProduct& product = chips::groupProduct(chips::Feature::WarpGroupMma);
  unsigned rowsOfWarp = static_cast<unsigned>(product.leastM) / chips::warpsOfGroup;
  unsigned mostColumns = static_cast<unsigned>(product.mostN);
  unsigned columnStep = static_cast<unsigned>(product.stepN);
  unsigned rowBits = static_cast<unsigned>(product.kBytes) * 8;
};

} // namespace

std::string whyNoWarpGroupInstruction(ttng::WarpGroupDotOp op) {
  Instruction wgmma;
  auto mma = dyn_cast<ttg::NvidiaMmaEncodingAttr>(op.getD().getType().getEncoding());
  if (!mma || mma.getVersionMajor() != 3)
    return "the accumulator of a wgmma needs an NVMMADistributedLayout of version [3, 0]";
  auto shape = mma.getInstrShape();
  if (shape.size() != 3)
    return "wgmma needs an instr_shape of three numbers [16, N, K], and the accumulator's layout "
           "has " +
           std::to_string(shape.size());
  if (shape[0] != wgmma.rowsOfWarp || !shape[1] || shape[1] > wgmma.mostColumns ||
      shape[1] % wgmma.columnStep)
    return "wgmma has no instruction for the instr_shape [" + std::to_string(shape[0]) + ", " +
           std::to_string(shape[1]) + ", " + std::to_string(shape[2]) + "]: the first number is " +
           std::to_string(wgmma.rowsOfWarp) + ", the second a multiple of " +
           std::to_string(wgmma.columnStep) + " up to " + std::to_string(wgmma.mostColumns);
  int64_t columns = op.getD().getType().getShape().back();
  if (int64_t(shape[1]) > columns)
    return "the instr_shape of the accumulator's layout has " + std::to_string(shape[1]) +
           " columns, but the accumulator has " + std::to_string(columns);
  Type a = cast<ShapedType>(op.getA().getType()).getElementType();
  Type b = op.getB().getType().getElementType();
  if (!areMultiplied(a, b))
    return "wgmma does not multiply " + gluonName(a) + " by " + gluonName(b) +
           ": convert the operands to the same type";
  // Half precision adds up in half precision, too; of 8-bit floats nothing is said here.
  Type d = op.getD().getType().getElementType();
  bool isHalf = d.isF16() && (a.isF16() || tt::isFloat8(a));
  if (isa<FloatType>(a) && !d.isF32() && !isHalf)
    return "wgmma accumulates products of " + gluonName(a) +
           " in float32, but the accumulator is " + gluonName(d);
  unsigned k = wgmma.rowBits / tt::bitWidth(a);
  int64_t depth = cast<ShapedType>(op.getA().getType()).getShape().back();
  if (depth < k)
    return "wgmma takes " + std::to_string(k) + " elements of K at a time for " + gluonName(a) +
           ", but the operands have only " + std::to_string(depth);
  if (shape[2] != k)
    return "wgmma takes " + std::to_string(k) + " elements of K at a time for " + gluonName(a) +
           ", and the instr_shape of the accumulator's layout says " + std::to_string(shape[2]);
  return {};
}

ttg::NvidiaMmaEncodingAttr warpGroupEncoding(ttng::WarpGroupDotOp op) {
  auto mma = dyn_cast<ttg::NvidiaMmaEncodingAttr>(op.getD().getType().getEncoding());
  if (!mma) return {};
  unsigned columns = static_cast<unsigned>(op.getD().getType().getShape().back());
  unsigned bits = tt::bitWidth(cast<ShapedType>(op.getA().getType()).getElementType());
  auto shape = mma.getInstrShape();
  Instruction wgmma;
  bool isRight = shape.size() == 3 && shape[1] && shape[1] <= columns &&
                 shape[1] <= wgmma.mostColumns && shape[1] % wgmma.columnStep == 0;
  unsigned n = isRight ? shape[1] : std::min(columns, wgmma.mostColumns);
  return ttg::NvidiaMmaEncodingAttr::get(op.getContext(), 3, 0, mma.getWarpsPerCTA(),
                                         mma.getCGALayout(),
                                         {wgmma.rowsOfWarp, n, wgmma.rowBits / std::max(bits, 1u)});
}

} // namespace gluond::passes
