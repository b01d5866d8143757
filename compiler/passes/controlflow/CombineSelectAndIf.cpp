#include "passes/controlflow/CombineSelectAndIf.h"

#include <llvm/ADT/MapVector.h>
#include <mlir/Analysis/TopologicalSortUtils.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/Dominance.h>

namespace gluond::passes {
using namespace mlir;

namespace {

// Inside a branch of an `if` on its condition, a select is the value it chooses there.
void useChosenValueInBranches(ModuleOp module) {
  llvm::MapVector<std::pair<Value, Value>, SmallVector<Operation*>>
      uses; // (select, chosen) -> users
  module.walk([&](arith::SelectOp select) {
    for (Operation* conditionUser : select.getCondition().getUsers()) {
      auto branch = dyn_cast<scf::IfOp>(conditionUser);
      if (!branch) continue;
      for (Operation* user : select.getResult().getUsers()) {
        if (!branch->isProperAncestor(user)) continue;
        bool inThen = branch.getThenRegion().findAncestorOpInRegion(*user) != nullptr;
        Value chosen = inThen ? select.getTrueValue() : select.getFalseValue();
        uses[{select.getResult(), chosen}].push_back(user);
      }
    }
  });
  for (auto& [values, users] : uses)
    for (Operation* user : users)
      user->replaceUsesOfWith(values.first, values.second);
}

// Whether the `if` is after the select and before all its users.
bool canYield(arith::SelectOp select, scf::IfOp branch, DominanceInfo& dominance) {
  if (!dominance.dominates(select.getOperation(), branch.getOperation())) return false;
  return llvm::all_of(select->getUsers(),
                      [&](Operation* user) { return dominance.dominates(branch, user); });
}

scf::IfOp findBranch(arith::SelectOp select, DominanceInfo& dominance) {
  auto users = select.getCondition().getUsers();
  SetVector<Operation*> ordered(users.begin(), users.end());
  for (Operation* user : topologicalSort(ordered)) {
    auto branch = dyn_cast<scf::IfOp>(user);
    if (branch && branch->getBlock() == select->getBlock() && canYield(select, branch, dominance))
      return branch;
  }
  return {};
}

void extendYield(scf::YieldOp yield, ValueRange more) {
  OpBuilder builder(yield);
  SmallVector<Value> operands(yield.getOperands());
  llvm::append_range(operands, more);
  scf::YieldOp::create(builder, yield.getLoc(), operands);
  yield.erase();
}

// Rebuilds `branch` to yield the selects' values too.
void yieldSelects(scf::IfOp branch, ArrayRef<arith::SelectOp> selects) {
  OpBuilder builder(branch);
  SmallVector<Type> types(branch.getResultTypes());
  SmallVector<Value> chosen, otherwise;
  for (arith::SelectOp select : selects) {
    types.push_back(select.getType());
    chosen.push_back(select.getTrueValue());
    otherwise.push_back(select.getFalseValue());
  }
  auto extended = scf::IfOp::create(builder, branch.getLoc(), types, branch.getCondition(),
                                    /*withElseRegion=*/true);
  extended.getThenRegion().takeBody(branch.getThenRegion());
  if (branch.elseBlock()) {
    extended.getElseRegion().takeBody(branch.getElseRegion());
  } else {
    OpBuilder inElse = extended.getElseBodyBuilder();
    scf::YieldOp::create(inElse, branch.getLoc());
  }
  extendYield(extended.thenYield(), chosen);
  extendYield(extended.elseYield(), otherwise);
  unsigned index = 0;
  for (Value result : branch.getResults())
    result.replaceAllUsesWith(extended.getResult(index++));
  for (arith::SelectOp select : selects) {
    select.replaceAllUsesWith(extended.getResult(index++));
    select.erase();
  }
  branch.erase();
}

} // namespace

void combineSelectAndIf(ModuleOp module) {
  useChosenValueInBranches(module);
  DominanceInfo dominance(module);
  llvm::MapVector<scf::IfOp, SmallVector<arith::SelectOp>> selects;
  module.walk([&](arith::SelectOp select) {
    if (!isa<RankedTensorType>(select.getType()))
      return; // a scalar select is cheaper than a branch
    if (scf::IfOp branch = findBranch(select, dominance)) selects[branch].push_back(select);
  });
  for (auto& [branch, ofBranch] : selects)
    yieldSelects(branch, ofBranch);
}

} // namespace gluond::passes
