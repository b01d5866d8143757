#include "passes/scalar/DeadLoopArguments.h"

#include "passes/analysis/ConstantSolution.h"
#include "passes/analysis/LoopBounds.h"
#include "support/Allowance.h"

#include <mlir/IR/SymbolTable.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>
#include <mlir/Interfaces/LoopLikeInterface.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

namespace gluond::passes {
using namespace mlir;

namespace {

// Which values something observable depends on. Stops once all of `wanted` are known to be such.
class Liveness {
public:
  Liveness(Operation* top, const ConstantSolution& constants, ArrayRef<Value> wanted)
      : top_(top), constants_(constants) {
    top->walk([&](Operation* op) {
      if (op != top && constants_.canRun(op->getBlock())) ops_.push_back(known(op));
    });
    do {
      changed_ = false;
      for (Known& op : llvm::reverse(ops_))
        visit(op);
      if (Spending::isSpent()) return; // whoever runs the pass stops, too
    } while (changed_ && !llvm::all_of(wanted, [&](Value value) { return isLive(value); }));
  }

  bool isLive(Value value) const { return live_.contains(value); }

private:
  // Properties of an op that are needed in every round, computed once.
  enum class Kind : uint8_t { RegionBranch, Branch, Call, Terminator, Plain };
  struct Known {
    Operation* op;
    Kind kind;
    bool isObservable = false; // for Plain: it has effects
    bool isDone = false;       // Plain: its operands are live
  };
  static Known known(Operation* op) {
    if (isa<RegionBranchOpInterface>(op)) return {op, Kind::RegionBranch};
    if (isa<BranchOpInterface>(op)) return {op, Kind::Branch};
    if (isa<CallOpInterface>(op)) return {op, Kind::Call};
    if (isa<RegionBranchOpInterface>(op->getParentOp()) &&
        isa<RegionBranchTerminatorOpInterface>(op))
      return {op, Kind::Terminator};
    return {op, Kind::Plain, isObservable(op)};
  }
  // Effects keep the operands alive.
  static bool isObservable(Operation* op) {
    return !isMemoryEffectFree(op) || op->hasTrait<OpTrait::ReturnLike>();
  }

  void mark(Value value) { changed_ |= live_.insert(value).second; }
  void mark(ValueRange values) {
    for (Value value : values)
      mark(value);
  }
  bool anyLive(ValueRange values) const {
    return llvm::any_of(values, [&](Value value) { return isLive(value); });
  }
  void meet(ValueRange operands, ValueRange targets) {
    for (auto [operand, target] : llvm::zip(operands, targets))
      if (isLive(target)) mark(operand);
  }

  void visit(Known& known) {
    Operation* op = known.op;
    switch (known.kind) {
    case Kind::RegionBranch:
      return visitRegionBranch(cast<RegionBranchOpInterface>(op));
    case Kind::Branch:
      return visitBranch(cast<BranchOpInterface>(op));
    case Kind::Call:
      return visitCall(cast<CallOpInterface>(op));
    case Kind::Terminator:
      return visitTerminator(cast<RegionBranchTerminatorOpInterface>(op),
                             cast<RegionBranchOpInterface>(op->getParentOp()));
    case Kind::Plain:
      if (known.isDone || !(known.isObservable || anyLive(op->getResults()))) return;
      known.isDone = true;
      return mark(op->getOperands());
    }
  }

  void visitCall(CallOpInterface call) {
    auto callee = dyn_cast_or_null<CallableOpInterface>(call.resolveCallableInTable(&tables_));
    Region* body = callee ? callee.getCallableRegion() : nullptr;
    if (!body || body->empty() || !top_->isProperAncestor(callee)) return mark(call->getOperands());
    meet(call.getArgOperands(), body->getArguments());
  }

  void visitBranch(BranchOpInterface branch) {
    llvm::BitVector own(branch->getNumOperands(), true);
    for (unsigned i = 0, e = branch->getNumSuccessors(); i < e; ++i) {
      OperandRange passed = branch.getSuccessorOperands(i).getForwardedOperands();
      Block* target = branch->getSuccessor(i);
      for (unsigned k = 0; k < passed.size(); ++k) {
        own.reset(passed.getBeginOperandIndex() + k);
        unsigned produced = target->getNumArguments() - passed.size();
        if (isLive(target->getArgument(produced + k))) mark(passed[k]);
      }
    }
    for (unsigned index : own.set_bits())
      mark(branch->getOperand(index));
  }

  void visitRegionBranch(RegionBranchOpInterface op) {
    SmallVector<Attribute> unknown(op->getNumOperands());
    SmallVector<RegionSuccessor> successors;
    op.getEntrySuccessorRegions(unknown, successors);
    auto loop = dyn_cast<scf::ForOp>(op.getOperation());
    auto count = loop ? tripCount(loop) : std::nullopt;
    llvm::BitVector own(op->getNumOperands(), true);
    for (RegionSuccessor& successor : successors) {
      if (count && (*count == 0) != successor.isParent()) continue;
      OperandRange passed = op.getEntrySuccessorOperands(successor);
      if (!passed.empty())
        own.reset(passed.getBeginOperandIndex(), passed.getBeginOperandIndex() + passed.size());
      meet(passed, successor.getSuccessorInputs());
    }
    visitDeciding(op, op, own);
  }

  void visitTerminator(RegionBranchTerminatorOpInterface terminator, RegionBranchOpInterface op) {
    SmallVector<Attribute> unknown(terminator->getNumOperands());
    SmallVector<RegionSuccessor> successors;
    terminator.getSuccessorRegions(unknown, successors);
    auto loop = dyn_cast<scf::ForOp>(op.getOperation());
    auto count = loop ? tripCount(loop) : std::nullopt;
    llvm::BitVector own(terminator->getNumOperands(), true);
    for (RegionSuccessor& successor : successors) {
      if (count && *count == 1 && !successor.isParent()) continue;
      OperandRange passed = terminator.getSuccessorOperands(successor);
      if (!passed.empty())
        own.reset(passed.getBeginOperandIndex(), passed.getBeginOperandIndex() + passed.size());
      meet(passed, successor.getSuccessorInputs());
    }
    visitDeciding(terminator, op, own);
  }

  // Operands that are not passed on decide where control goes: they matter if the op's results do,
  // or if its regions have effects.
  void visitDeciding(Operation* op, Operation* branch, const llvm::BitVector& operands) {
    if (operands.none()) return;
    bool matters = anyLive(branch->getResults());
    for (Region& region : branch->getRegions())
      for (Block& block : region)
        matters = matters || llvm::any_of(block, [](Operation& nested) {
                    return !isMemoryEffectFree(&nested);
                  });
    for (unsigned index : operands.set_bits()) {
      Value operand = op->getOperand(index);
      if (matters)
        mark(operand);
      else if (isObservable(op) || anyLive(op->getResults()))
        mark(operand);
    }
  }

  Operation* top_;
  const ConstantSolution& constants_;
  SmallVector<Known> ops_;
  llvm::DenseSet<Value> live_;
  bool changed_ = false;
  SymbolTableCollection tables_; // of a module that does not change
};

} // namespace

void forwardDeadLoopArguments(Operation* top) {
  SmallVector<LoopLikeOpInterface> loops;
  top->walk([&](LoopLikeOpInterface loop) {
    if (!loop.getRegionIterArgs().empty()) loops.push_back(loop);
  });
  if (loops.empty()) return;
  ConstantSolution constants = ConstantSolution::of(top);
  SmallVector<Value> arguments;
  for (LoopLikeOpInterface loop : loops)
    llvm::append_range(arguments, loop.getRegionIterArgs());
  Liveness liveness(top, constants, arguments);
  for (LoopLikeOpInterface loop : loops)
    for (auto [argument, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInits()))
      if (!liveness.isLive(argument)) argument.replaceAllUsesWith(init);
}

} // namespace gluond::passes
