#include "passes/refusals/products/MfmaDot.h"

#include "chips/MatrixInstructions.h"
#include "ir/tt/ElementTypes.h"
#include "ir/ttg/ModuleTarget.h"
#include "passes/failure/TypeNames.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::passes {
using namespace mlir;

namespace {

// Returns the version of the instructions that the chip has, whatever version the layout names.
unsigned versionOf(Operation* op, ttg::AMDMfmaEncodingAttr mfma) {
  const chips::Chip* chip = chips::closestChip(ttg::targetOf(op));
  return chips::mfmaVersionOn(chip ? chip->mfmaVersion : 0, mfma.getVersion());
}

// Returns the K of the instructions for this product in the layout's M and N. Nothing if that is
// not known.
std::optional<llvm::SmallVector<unsigned, 2>> possibleKs(tt::DotOp op,
                                                         ttg::AMDMfmaEncodingAttr mfma) {
  auto operand = tt::mfmaOperandOf(op.getA().getType().getElementType());
  auto shape = mfma.getInstrShape();
  if (!operand || shape.size() != 3) return {};
  bool mayReadXf32 = op.getInputPrecision() == tt::InputPrecision::TF32;
  if (*operand == chips::MfmaOperand::Float32 && mayReadXf32) return {};
  return chips::mfmaKs(versionOf(op, mfma), *operand, {shape[0], shape[1]});
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
  auto ks = possibleKs(op, mfma);
  auto shape = mfma.getInstrShape();
  if (!ks || llvm::is_contained(*ks, shape[2])) return {};
  auto spelledWith = [&](unsigned k) { return spelled({shape[0], shape[1], k}); };
  return subject + " has no instruction for the instr_shape " + spelled(shape) + " with " +
         gluonName(a) + " operands" +
         (ks->empty() ? "" : ": it has " + llvm::join(llvm::map_range(*ks, spelledWith), " and "));
}

std::string whyNoScaledMfma(tt::DotScaledOp op) {
  auto mfma = dyn_cast<ttg::AMDMfmaEncodingAttr>(op.getType().getEncoding());
  if (!mfma) return {};
  constexpr unsigned scaled = 4; // the version that has products with scales
  if (unsigned version = versionOf(op, mfma); version < scaled)
    return "MFMA of version " + std::to_string(version) +
           (version != mfma.getVersion() ? ", which this chip has," : "") +
           " has no products with scales: they need version 4, of gfx950";
  for (Value scale : {op.getAScale(), op.getBScale()})
    if (scale && tt::bitWidth(getElementTypeOrSelf(scale.getType())) != 8)
      return "the scales of an MFMA have 8 bits each, exponents in uint8, but these are " +
             gluonName(getElementTypeOrSelf(scale.getType()));
  auto shape = mfma.getInstrShape();
  if (shape.size() != 3 || chips::hasScaledMfmaShape({shape[0], shape[1], shape[2]})) return {};
  return "MFMA with scales has no instruction for the instr_shape " + spelled(shape) +
         ": it has [16, 16, 128] and [32, 32, 64]";
}

ttg::AMDMfmaEncodingAttr mfmaEncoding(tt::DotOp op) {
  auto mfma = dyn_cast<ttg::AMDMfmaEncodingAttr>(op.getType().getEncoding());
  auto ks = mfma ? possibleKs(op, mfma) : std::nullopt;
  if (!ks || ks->empty() || llvm::is_contained(*ks, mfma.getInstrShape()[2])) return {};
  llvm::SmallVector<unsigned> shape(mfma.getInstrShape());
  shape[2] = ks->back();
  return ttg::AMDMfmaEncodingAttr::get(op.getContext(), mfma.getVersion(), mfma.getWarpsPerCTA(),
                                       shape, mfma.getIsTransposed(), mfma.getCGALayout(),
                                       mfma.getTilesPerWarp(), mfma.getElementBitWidth());
}

} // namespace gluond::passes
