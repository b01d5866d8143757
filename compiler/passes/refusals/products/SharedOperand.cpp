#include "passes/refusals/products/SharedOperand.h"

#include "ir/layouts/Layouts.h"
#include "ir/tt/ElementTypes.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/MemorySpace.h"
#include "ir/ttng/SharedMatrix.h"
#include "passes/failure/TypeNames.h"

namespace gluond::passes {
using namespace mlir;

namespace {

enum class Operand : uint8_t { A, B };

// What the instruction can do with an operand whose K is not contiguous.
using ReadsAlongOther = bool (*)(Type element);

std::string whyNoSharedOperand(Value value, Operand operand, llvm::StringRef instruction,
                               ReadsAlongOther readsAlongOther) {
  auto type = dyn_cast<ttg::MemDescType>(value.getType());
  if (!type || type.getRank() != 2 || ttng::isTensorMemory(value)) return {};
  Type element = type.getElementType();
  std::string subject =
      "the " + std::string(operand == Operand::A ? "first" : "second") + " operand";
  auto offsets = ir::toLinearLayout(type).pseudoInvert();
  auto matrix = offsets ? ttng::sharedMatrixOf(*offsets, tt::bitWidth(element)) : std::nullopt;
  if (!matrix)
    return instruction.str() + " cannot read " + subject +
           " in this shared memory layout: use gl.NVMMASharedLayout.get_default_for(shape, dtype)";
  bool isKContiguous = (operand == Operand::A) != matrix->transposed;
  if (isKContiguous || readsAlongOther(element)) return {};
  return instruction.str() + " reads operands of " + gluonName(element) +
         " only where K is contiguous, and in " + subject +
         " it is not: keep the operand in shared memory as " +
         (operand == Operand::A ? "[M, K]" : "[N, K] and pass its view permute((1, 0))");
}

} // namespace

// PTX ISA, wgmma.mma_async: "imm-trans-a" and "imm-trans-b" are for 16-bit types only.
std::string whyNoSharedOperands(ttng::WarpGroupDotOp op) {
  auto readsAlongOther = [](Type element) { return tt::bitWidth(element) == 16; };
  std::string why = whyNoSharedOperand(op.getA(), Operand::A, "wgmma", readsAlongOther);
  return why.empty() ? whyNoSharedOperand(op.getB(), Operand::B, "wgmma", readsAlongOther) : why;
}

std::string whyNoTensorCoreOperands(Operation* op) {
  auto product = dyn_cast<ttng::MMAv5OpInterface>(op);
  if (!product) return {};
  if (auto scaled = dyn_cast<ttng::TCGen5MMAScaledOp>(op)) {
    for (Value scale : {scaled.getAScale(), scaled.getBScale()}) {
      auto type = dyn_cast<ttg::MemDescType>(scale.getType());
      if (type && isa<ttng::TensorMemoryEncodingAttr>(type.getEncoding()))
        return "the scales of tcgen05_mma_scaled must be in tensor memory with a "
               "TensorMemoryScalesLayout, but these have a TensorMemoryLayout";
    }
    return {}; // its operands may hold two elements a byte
  }
  auto readsAlongOther = [](Type element) { return !element.isF32(); };
  std::string why = whyNoSharedOperand(product.getA(), Operand::A, "tcgen05_mma", readsAlongOther);
  return why.empty()
             ? whyNoSharedOperand(product.getB(), Operand::B, "tcgen05_mma", readsAlongOther)
             : why;
}

} // namespace gluond::passes
