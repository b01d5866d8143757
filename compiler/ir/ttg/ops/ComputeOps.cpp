// Checks and folding of layout conversions and per-thread computation.
#include "ir/layouts/Layouts.h"
#include "ir/ttg/Ops.h"

using namespace mlir;

namespace gluond::ttg {

using layout::Dim;

// Returns what a conversion really moves: the source place for each place in the result, without
// dimensions that stay in place, from CTAs down to registers.
static layout::LinearLayout minimalConversion(RankedTensorType from, RankedTensorType to) {
  auto moved = ir::toLinearLayout(to).invertAndCompose(ir::toLinearLayout(from));
  if (!moved) return layout::LinearLayout::invalid();
  for (Dim dim : {Dim::Block, Dim::Warp, Dim::Lane, Dim::Register}) {
    auto rest = moved->quotient(dim);
    if (!rest) break;
    moved = std::move(rest);
  }
  return *moved;
}

LogicalResult ConvertLayoutOp::verify() {
  if (!getForceWarpShuffle()) return success();
  auto moved = minimalConversion(getSrc().getType(), getType());
  if (!moved.valid() || moved.hasIn(Dim::Warp) || moved.hasIn(Dim::Block))
    return emitOpError("force_warp_shuffle requires a conversion within one warp");
  return success();
}

void InlineAsmOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>& effects) {
  tt::inlineAsmEffects(*this, getPure(), effects);
}

Speculation::Speculatability InlineAsmOp::getSpeculatability() {
  return getPure() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

LogicalResult InlineAsmOp::verify() {
  return tt::verifyInlineAsmOperands(*this, getPure());
}

LogicalResult Fp4ToFpOp::verify() {
  RankedTensorType from = getSrc().getType(), to = getType();
  unsigned axis = getAxis();
  Type element = to.getElementType();
  if (!element.isBF16() && !element.isF16())
    return emitError() << "only bf16 or f16 is supported for now, got " << element;
  if (from.getRank() != to.getRank())
    return emitError() << "source rank " << from.getRank() << " != result rank " << to.getRank();
  if (axis >= from.getRank())
    return emitError() << "axis " << static_cast<int32_t>(axis) << " out of range for rank "
                       << from.getRank();
  for (auto [i, source, result] : llvm::enumerate(from.getShape(), to.getShape())) {
    if (i == axis && result != source * 2)
      return emitError() << "axis " << axis
                         << " dimension must be 2x source dimension (src=" << source
                         << ", dst=" << result << ")";
    if (i != axis && result != source)
      return emitError() << "dimension " << i << " mismatch (src=" << source << ", dst=" << result
                         << ", axis=" << axis << ")";
  }
  if (!from.getEncoding() != !to.getEncoding())
    return emitError() << "source and result must both have an encoding, or neither";
  if (!to.getEncoding()) return success();
  // Backwards, since several result layouts may come of one source layout.
  auto* interface = tt::inferLayout(to.getEncoding());
  if (!interface) return emitError() << "failed to infer encoding";
  auto inferred =
      interface->fp4ToFp(to.getShape(), axis, to.getEncoding(), /*forward=*/false, std::nullopt);
  if (failed(inferred)) return emitError() << "failed to infer encoding";
  if (failed(interface->verifyEqual(from.getShape(), *inferred, from.getEncoding(), std::nullopt)))
    return emitError() << "Src and Dst encodings are not compatible:\n"
                       << ir::toLinearLayout(from.getShape(), *inferred).toString() << "\n"
                       << ir::toLinearLayout(from).toString();
  return success();
}

} // namespace gluond::ttg
