#include "lowering/Predicated.h"

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

} // namespace gluond::lowering
