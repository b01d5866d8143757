#include "lowering/Predicated.h"

#include <llvm/IR/MDBuilder.h>

namespace gluond::lowering {

RegisterList where(FunctionEmitter& e, llvm::Value* predicate, Registers otherwise,
                   llvm::function_ref<RegisterList()> make) {
  auto* known = llvm::dyn_cast_or_null<llvm::ConstantInt>(predicate);
  if (!predicate || (known && known->isOne())) return make();
  llvm::BasicBlock *before = e.b.GetInsertBlock(), *inside = e.newBlock("where"),
                   *after = e.newBlock("where.end");
  e.b.CreateCondBr(predicate, inside, after);
  e.b.SetInsertPoint(inside);
  RegisterList made = make(), results;
  llvm::BasicBlock* end = e.b.GetInsertBlock();
  e.b.CreateBr(after);
  e.b.SetInsertPoint(after);
  for (auto [i, value] : llvm::enumerate(made)) {
    llvm::PHINode* phi = e.b.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, end);
    phi->addIncoming(
        otherwise.empty() ? llvm::Constant::getNullValue(value->getType()) : otherwise[i], before);
    results.push_back(phi);
  }
  return results;
}

RegisterList choose(FunctionEmitter& e, llvm::Value* condition,
                    llvm::function_ref<RegisterList()> usual,
                    llvm::function_ref<RegisterList()> rare) {
  llvm::BasicBlock *after = e.newBlock("usual.end"), *ends[2];
  llvm::BasicBlock* begins[] = {e.newBlock("usual"), e.newBlock("rare")};
  e.b.CreateCondBr(condition, begins[0], begins[1],
                   llvm::MDBuilder(e.b.getContext()).createLikelyBranchWeights());
  RegisterList made[2];
  for (unsigned k = 0; k < 2; ++k) {
    e.b.SetInsertPoint(begins[k]);
    made[k] = k == 0 ? usual() : rare();
    ends[k] = e.b.GetInsertBlock();
    e.b.CreateBr(after);
  }
  e.b.SetInsertPoint(after);
  RegisterList results;
  for (auto [one, other] : llvm::zip_equal(made[0], made[1])) {
    llvm::PHINode* phi = e.b.CreatePHI(one->getType(), 2);
    phi->addIncoming(one, ends[0]);
    phi->addIncoming(other, ends[1]);
    results.push_back(phi);
  }
  return results;
}

} // namespace gluond::lowering
