#include "passes/analysis/ConstantSolution.h"

#include "passes/analysis/LoopBounds.h"
#include "support/Allowance.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/SymbolTable.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>
#include <mlir/Transforms/FoldUtils.h>

namespace gluond::passes {
using namespace mlir;

bool Knowledge::join(const Knowledge& other) {
  if (other.state == Nothing || state == Varies) return false;
  if (state == Nothing) {
    *this = other;
    return true;
  }
  if (other.state == Constant && other.constant == constant) return false;
  *this = varies();
  return true;
}

class ConstantSolver {
public:
  explicit ConstantSolver(Operation* top) : top_(top) {}

  ConstantSolution solve() {
    if (auto module = dyn_cast<ModuleOp>(top_)) findCallers(module);
    for (Region& region : top_->getRegions())
      if (!region.empty()) {
        vary(region.getArguments());
        reach(&region.front());
      }
    for (size_t steps = 1; !pending_.empty(); ++steps) {
      Operation* op = pending_.pop_back_val();
      visit(op);
      if (steps % 64 != 0 || !Spending::isSpent()) continue;
      solution_.known_.clear(); // what is found first is not yet true
      break;
    }
    return std::move(solution_);
  }

private:
  // --- values

  void join(Value value, const Knowledge& knowledge) {
    if (!solution_.known_[value].join(knowledge)) return;
    for (Operation* user : value.getUsers())
      if (solution_.reached_.contains(user->getBlock())) pending_.insert(user);
  }
  void vary(ValueRange values) {
    for (Value value : values)
      join(value, Knowledge::varies());
  }
  Knowledge know(Value value) const {
    const Knowledge* found = solution_.find(value);
    return found ? *found : Knowledge();
  }
  // The constants among the operands, null for those that vary; nothing while one is still unknown.
  bool constants(ValueRange operands, SmallVectorImpl<Attribute>& into) const {
    for (Value operand : operands) {
      Knowledge knowledge = know(operand);
      if (knowledge.state == Knowledge::Nothing) return false;
      into.push_back(knowledge.constant);
    }
    return true;
  }
  void forward(ValueRange from, ValueRange to) {
    for (auto [source, target] : llvm::zip(from, to))
      join(target, know(source));
  }

  // --- control flow

  void reach(Block* block) {
    if (!solution_.reached_.insert(block).second) return;
    for (Operation& op : llvm::reverse(*block))
      pending_.insert(&op);
  }

  void visit(Operation* op) {
    if (auto call = dyn_cast<CallOpInterface>(op)) return visitCall(call);
    if (auto callable = dyn_cast<CallableOpInterface>(op)) return visitCallable(callable);
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) return visitRegionBranch(branch);
    if (op->hasTrait<OpTrait::IsTerminator>() && visitTerminator(op)) return;
    if (op->getNumRegions()) return visitOpaqueRegions(op);
    if (op->getNumResults()) fold(op);
  }

  // An unknown region: it runs, with any arguments.
  void visitOpaqueRegions(Operation* op) {
    for (Region& region : op->getRegions())
      if (!region.empty()) {
        vary(region.getArguments());
        reach(&region.front());
      }
    vary(op->getResults());
  }

  void visitRegionBranch(RegionBranchOpInterface op) {
    SmallVector<Attribute> operands;
    if (!constants(op->getOperands(), operands)) return;
    SmallVector<RegionSuccessor> successors;
    auto loop = dyn_cast<scf::ForOp>(op.getOperation());
    auto count = loop ? tripCount(loop) : std::nullopt;
    op.getEntrySuccessorRegions(operands, successors);
    for (RegionSuccessor& successor : successors) {
      if (count && (*count == 0) != successor.isParent()) continue;
      enter(op, successor, op.getEntrySuccessorOperands(successor));
    }
  }

  void enter(RegionBranchOpInterface op, RegionSuccessor& successor, ValueRange operands) {
    ValueRange inputs = successor.getSuccessorInputs();
    if (Region* region = successor.getSuccessor()) {
      if (region->empty()) return;
      reach(&region->front());
      // Arguments that no operand feeds, such as an induction variable, are the op's own.
      for (BlockArgument argument : region->getArguments())
        if (!llvm::is_contained(inputs, argument)) join(argument, Knowledge::varies());
    }
    forward(operands, inputs);
  }

  // Whether the terminator is one that determines where control goes.
  bool visitTerminator(Operation* op) {
    if (auto branch = dyn_cast<BranchOpInterface>(op)) {
      visitBranch(branch);
      return true;
    }
    Operation* parent = op->getParentOp();
    if (auto callable = dyn_cast_or_null<CallableOpInterface>(parent)) {
      for (Operation* call : callers_.lookup(parent)) {
        if (solution_.reached_.contains(call->getBlock()))
          forward(op->getOperands(), call->getResults());
      }
      return true;
    }
    auto region = dyn_cast_or_null<RegionBranchOpInterface>(parent);
    auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op);
    if (!region || !terminator) return op->getNumResults() == 0;
    SmallVector<Attribute> operands;
    if (!constants(op->getOperands(), operands)) return true;
    SmallVector<RegionSuccessor> successors;
    terminator.getSuccessorRegions(operands, successors);
    auto loop = dyn_cast<scf::ForOp>(parent);
    auto count = loop ? tripCount(loop) : std::nullopt;
    for (RegionSuccessor& successor : successors) {
      if (count && *count == 1 && !successor.isParent()) continue;
      enter(region, successor, terminator.getSuccessorOperands(successor));
    }
    return true;
  }

  void visitBranch(BranchOpInterface branch) {
    SmallVector<Attribute> operands;
    if (!constants(branch->getOperands(), operands)) return;
    Block* only = branch.getSuccessorForOperands(operands);
    for (unsigned i = 0, e = branch->getNumSuccessors(); i < e; ++i) {
      Block* target = branch->getSuccessor(i);
      if (only && target != only) continue;
      SuccessorOperands passed = branch.getSuccessorOperands(i);
      for (unsigned k = 0, n = target->getNumArguments(); k < n; ++k)
        join(target->getArgument(k), passed[k] ? know(passed[k]) : Knowledge::varies());
      reach(target);
    }
  }

  // --- functions

  // Private functions of which every use is a call get their arguments from those calls alone.
  void findCallers(ModuleOp module) {
    SymbolTableCollection tables;
    module.walk([&](CallOpInterface call) {
      if (Operation* callee = call.resolveCallableInTable(&tables))
        callers_[callee].push_back(call);
    });
    for (auto callable : module.getOps<CallableOpInterface>()) {
      auto symbol = dyn_cast<SymbolOpInterface>(callable.getOperation());
      auto found = callers_.find(callable);
      if (!symbol || !symbol.isPrivate()) continue;
      auto symbolUses = SymbolTable::getSymbolUses(symbol, module);
      size_t calls = found == callers_.end() ? 0 : found->second.size();
      if (symbolUses && size_t(std::distance(symbolUses->begin(), symbolUses->end())) == calls)
        closed_.insert(callable);
    }
  }

  void visitCallable(CallableOpInterface callable) {
    Region* body = callable.getCallableRegion();
    if (!body || body->empty() || closed_.contains(callable)) return;
    vary(body->getArguments());
    reach(&body->front());
  }

  void visitCall(CallOpInterface call) {
    SymbolTableCollection tables;
    auto callee = dyn_cast_or_null<CallableOpInterface>(call.resolveCallableInTable(&tables));
    Region* body = callee ? callee.getCallableRegion() : nullptr;
    if (!body || body->empty() || !top_->isProperAncestor(callee)) return vary(call->getResults());
    if (closed_.contains(callee)) {
      reach(&body->front());
      forward(call.getArgOperands(), body->getArguments());
    }
    // The results come with the callee's returns, which may have been seen before this call was.
    for (Block& block : *body)
      if (solution_.reached_.contains(&block) && block.back().hasTrait<OpTrait::ReturnLike>())
        pending_.insert(&block.back());
  }

  // --- folding

  void fold(Operation* op) {
    SmallVector<Attribute> operands;
    if (!constants(op->getOperands(), operands)) return;
    SmallVector<OpFoldResult> folded;
    SmallVector<Value> values(op->getOperands());
    DictionaryAttr attributes = op->getAttrDictionary();
    if (failed(op->fold(operands, folded))) return vary(op->getResults());
    if (folded.empty()) { // folded in place: only simulated here, so undo it
      op->setOperands(values);
      op->setAttrs(attributes);
      return vary(op->getResults());
    }
    for (auto [result, fold] : llvm::zip(op->getResults(), folded)) {
      if (auto value = dyn_cast<Value>(fold))
        join(result, know(value));
      else
        join(result, Knowledge::of(cast<Attribute>(fold), op->getDialect()));
    }
  }

  Operation* top_;
  ConstantSolution solution_;
  llvm::SetVector<Operation*, SmallVector<Operation*>, DenseSet<Operation*>> pending_;
  DenseMap<Operation*, SmallVector<Operation*>> callers_;
  DenseSet<Operation*> closed_;
};

const Knowledge* ConstantSolution::find(Value value) const {
  auto found = known_.find(value);
  return found == known_.end() ? nullptr : &found->second;
}

ConstantSolution ConstantSolution::of(Operation* top) {
  return ConstantSolver(top).solve();
}

namespace {

// Puts the constants in place of the values that have them; where they go is the folder's choice,
// as in Triton.
class Replacement {
public:
  Replacement(const ConstantSolution& solution, MLIRContext* context)
      : solution_(solution), folder_(context), context_(context) {}

  void run(ModuleOp module) {
    addBlocks(module->getRegions());
    while (!blocks_.empty())
      visit(blocks_.pop_back_val());
  }

private:
  void addBlocks(MutableArrayRef<Region> regions) {
    for (Region& region : regions)
      for (Block& block : llvm::reverse(region))
        blocks_.push_back(&block);
  }

  void visit(Block* block) {
    OpBuilder builder(context_);
    for (Operation& op : llvm::make_early_inc_range(*block)) {
      builder.setInsertionPoint(&op);
      bool replacedAll = op.getNumResults() != 0;
      for (Value result : op.getResults())
        replacedAll &= replace(result, builder);
      if (replacedAll && wouldOpBeTriviallyDead(&op))
        op.erase();
      else
        addBlocks(op.getRegions());
    }
    builder.setInsertionPointToStart(block);
    for (BlockArgument argument : block->getArguments())
      replace(argument, builder);
  }

  bool replace(Value value, OpBuilder& builder) {
    const Knowledge* knowledge = solution_.find(value);
    if (!knowledge || knowledge->state != Knowledge::Constant) return false;
    Value constant = folder_.getOrCreateConstant(builder.getInsertionBlock(), knowledge->dialect,
                                                 knowledge->constant, value.getType());
    if (!constant) return false;
    value.replaceAllUsesWith(constant);
    return true;
  }

  const ConstantSolution& solution_;
  OperationFolder folder_;
  MLIRContext* context_;
  SmallVector<Block*> blocks_;
};

} // namespace

void propagateConstants(ModuleOp module) {
  ConstantSolution solution = ConstantSolution::of(module);
  Replacement(solution, module.getContext()).run(module);
}

} // namespace gluond::passes
