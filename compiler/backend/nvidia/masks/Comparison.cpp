#include "backend/nvidia/masks/Comparison.h"

#include <utility>

namespace gluond::backend::nvidia {

std::optional<Comparison> signedComparison(const llvm::ICmpInst& comparison) {
  if (!comparison.isSigned()) return std::nullopt;
  llvm::CmpInst::Predicate predicate = comparison.getPredicate();
  Comparison made{comparison.getOperand(0), comparison.getOperand(1), false};
  if (llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate))
    std::swap(made.low, made.high);
  made.isInclusive = llvm::ICmpInst::isLE(predicate) || llvm::ICmpInst::isGE(predicate);
  return made;
}

void PlaceBehind::add(llvm::Value* value) {
  auto* made = llvm::dyn_cast<llvm::Instruction>(value);
  if (made && (!last_ || dominators_.dominates(last_, made))) last_ = made;
}

llvm::BasicBlock::iterator PlaceBehind::place() const {
  return last_ ? *last_->getInsertionPointAfterDef()
               : function_.getEntryBlock().getFirstInsertionPt();
}

} // namespace gluond::backend::nvidia
