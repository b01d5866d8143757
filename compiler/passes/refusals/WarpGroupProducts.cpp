#include "passes/refusals/WarpGroupProducts.h"

#include <llvm/Support/raw_ostream.h>

namespace gluond::passes {
using namespace mlir;

namespace {

bool isEightBitFloat(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
}

// Whether one instruction multiplies elements of these types.
bool areMultiplied(Type a, Type b) {
  if (isEightBitFloat(a)) return isEightBitFloat(b);
  return a == b && (a.isF16() || a.isBF16() || a.isF32() || a.isInteger(8));
}

std::string text(Type type) {
  std::string out;
  llvm::raw_string_ostream(out) << type;
  return out;
}

} // namespace

std::string whyNoWarpGroupInstruction(ttng::WarpGroupDotOp op) {
  constexpr unsigned rowsOfWarp = 16, mostColumns = 256, columnStep = 8, rowBits = 256;
  auto mma = dyn_cast<ttg::NvidiaMmaEncodingAttr>(op.getD().getType().getEncoding());
  if (!mma || mma.getVersionMajor() != 3)
    return "the accumulator of a wgmma needs an NVMMADistributedLayout of version [3, 0]";
  auto shape = mma.getInstrShape();
  if (shape.size() != 3)
    return "wgmma needs an instr_shape of three numbers [16, N, K], and the accumulator's layout "
           "has " +
           std::to_string(shape.size());
  if (shape[0] != rowsOfWarp || !shape[1] || shape[1] > mostColumns || shape[1] % columnStep)
    return "wgmma has no instruction for the instr_shape [" + std::to_string(shape[0]) + ", " +
           std::to_string(shape[1]) + ", " + std::to_string(shape[2]) +
           "]: the first number is 16, the second a multiple of 8 up to 256";
  Type a = cast<ShapedType>(op.getA().getType()).getElementType();
  Type b = op.getB().getType().getElementType();
  if (!areMultiplied(a, b))
    return "wgmma does not multiply " + text(a) + " by " + text(b) +
           ": convert the operands to the same type";
  unsigned k = rowBits / a.getIntOrFloatBitWidth();
  if (shape[2] != k)
    return "wgmma takes " + std::to_string(k) + " elements of K at a time for " + text(a) +
           ", and the instr_shape of the accumulator's layout says " + std::to_string(shape[2]);
  return {};
}

} // namespace gluond::passes
