#include "passes/refusals/MfmaDot.h"

#include "chips/MatrixInstructions.h"
#include "ir/ttg/ModuleTarget.h"
#include "passes/refusals/TypeNames.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::passes {
using namespace mlir;

namespace {

// Returns the version of the instructions that the chip has, whatever version the layout names.
unsigned versionOf(Operation* op, ttg::AMDMfmaEncodingAttr mfma) {
  const chips::Chip* chip = chips::closestChip(ttg::targetOf(op));
  return chip && chip->mfmaVersion ? std::min<unsigned>(chip->mfmaVersion, mfma.getVersion())
                                   : mfma.getVersion();
}

// The longest K of an instruction for this product, if the layout asks for a longer one; else 0.
unsigned exceededK(tt::DotOp op) {
  auto mfma = dyn_cast<ttg::AMDMfmaEncodingAttr>(op.getType().getEncoding());
  if (!mfma) return 0;
  auto shape = mfma.getInstrShape();
  if (shape.size() != 3 || shape[0] != shape[1]) return 0;
  unsigned bits = tt::bitWidth(op.getA().getType().getElementType());
  unsigned longest = chips::longestMfmaK(versionOf(op, mfma), bits, shape[0]);
  return longest && shape[2] > longest ? longest : 0;
}

} // namespace

std::string whyNoMfmaInstruction(tt::DotOp op) {
  auto mfma = dyn_cast<ttg::AMDMfmaEncodingAttr>(op.getType().getEncoding());
  if (!mfma) return {};
  Type a = op.getA().getType().getElementType(), d = op.getType().getElementType();
  bool sumsInFloat32 = isa<FloatType>(a) && !a.isF64();
  if (d.isF16() || d.isBF16() || (sumsInFloat32 && !d.isF32()) || (a.isF64() && !d.isF64()))
    return "MFMA accumulates products of " + gluonName(a) + " in " +
           (a.isInteger()   ? "int32"
            : sumsInFloat32 ? "float32"
                            : "float64") +
           ", but the accumulator is " + gluonName(d);
  unsigned version = versionOf(op, mfma);
  std::string subject = "MFMA of version " + std::to_string(version) +
                        (version != mfma.getVersion() ? ", which this chip has," : "");
  constexpr unsigned withFloat8 = 3, withFloat64 = 2; // the first versions
  if (isa<FloatType>(a) && tt::bitWidth(a) == 8 && version < withFloat8)
    return subject + " has no products of 8-bit floats: they need version 3, of gfx942";
  if (a.isF64() && version < withFloat64)
    return subject + " has no products of float64: they need version 2, of gfx90a";
  unsigned longest = exceededK(op);
  if (!longest) return {};
  auto shape = mfma.getInstrShape();
  return subject + " has no instruction for the instr_shape " + spelled(shape) +
         ": it takes at most " + std::to_string(longest) + " elements of K at a time for " +
         gluonName(a);
}

std::string whyNoScaledMfma(tt::DotScaledOp op) {
  auto mfma = dyn_cast<ttg::AMDMfmaEncodingAttr>(op.getType().getEncoding());
  if (!mfma) return {};
  constexpr unsigned scaled = 4; // the version that has products with scales
  if (unsigned version = versionOf(op, mfma); version < scaled)
    return "MFMA of version " + std::to_string(version) +
           (version != mfma.getVersion() ? ", which this chip has," : "") +
           " has no products with scales: they need version 4, of gfx950";
  auto shape = mfma.getInstrShape();
  if (shape.size() != 3 || chips::hasScaledMfmaShape({shape[0], shape[1], shape[2]})) return {};
  return "MFMA with scales has no instruction for the instr_shape " + spelled(shape) +
         ": it has [16, 16, 128] and [32, 32, 64]";
}

ttg::AMDMfmaEncodingAttr mfmaEncoding(tt::DotOp op) {
  unsigned longest = exceededK(op);
  if (!longest) return {};
  auto mfma = cast<ttg::AMDMfmaEncodingAttr>(op.getType().getEncoding());
  llvm::SmallVector<unsigned> shape(mfma.getInstrShape());
  shape[2] = longest;
  return ttg::AMDMfmaEncodingAttr::get(op.getContext(), mfma.getVersion(), mfma.getWarpsPerCTA(),
                                       shape, mfma.getIsTransposed(), mfma.getCGALayout(),
                                       mfma.getTilesPerWarp(), mfma.getElementBitWidth());
}

} // namespace gluond::passes
