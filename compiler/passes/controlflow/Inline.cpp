#include "passes/controlflow/Inline.h"

#include "passes/rewrite/GreedyRewriter.h"
#include "passes/scalar/DeadLoopArguments.h"
#include "support/Allowance.h"

#include <mlir/IR/SymbolTable.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/FunctionInterfaces.h>
#include <mlir/Transforms/Inliner.h>
#include <mlir/Transforms/InliningUtils.h>

namespace gluond::passes {
using namespace mlir;

namespace {

constexpr unsigned maxRounds = 4; // of simplifying and inlining one function

// Inlining moves all ops after the call to another block and back. A call that becomes a part of
// its block is put into a block of its own meanwhile, or thousands of calls would take quadratic
// time.
class Alone {
public:
  Alone(CallOpInterface call, bool isWanted) : next_(call->getNextNode()) {
    if (!isWanted || !next_) return;
    Block* home = call->getBlock();
    own_ = new Block();
    home->getParent()->getBlocks().insertAfter(home->getIterator(), own_);
    call->moveBefore(own_, own_->end());
  }
  ~Alone() {
    if (!own_) return;
    next_->getBlock()->getOperations().splice(next_->getIterator(), own_->getOperations());
    own_->erase();
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

private:
  Operation* next_;
  Block* own_ = nullptr;
};

class CallInliner {
public:
  CallInliner(ModuleOp module, const PatternTable& patterns)
      : module_(module), patterns_(patterns), symbols_(module), interface_(module.getContext()) {}

  void run() {
    for (auto function : module_.getOps<FunctionOpInterface>())
      countUses(function, +1);
    for (auto function : llvm::to_vector(module_.getOps<FunctionOpInterface>()))
      visit(function);
    for (Operation* function : dead_)
      function->erase();
  }

private:
  FunctionOpInterface calleeOf(CallOpInterface call) {
    auto name =
        dyn_cast_or_null<SymbolRefAttr>(dyn_cast<SymbolRefAttr>(call.getCallableForCallee()));
    return name ? symbols_.lookup<FunctionOpInterface>(name.getRootReference())
                : FunctionOpInterface();
  }
  SmallVector<CallOpInterface> callsIn(Operation* op) {
    SmallVector<CallOpInterface> calls;
    op->walk([&](CallOpInterface call) { calls.push_back(call); });
    return calls;
  }
  void countUses(Operation* in, int by) {
    for (CallOpInterface call : callsIn(in))
      if (auto callee = calleeOf(call)) uses_[callee] += by;
  }

  void visit(FunctionOpInterface function) {
    if (!visited_.insert(function).second || function.isExternal()) return;
    for (CallOpInterface call : callsIn(function))
      if (auto callee = calleeOf(call)) visit(callee);
    for (unsigned round = 0; round < maxRounds && !Spending::isSpent(); ++round) {
      simplify(function);
      if (function.isPrivate() && uses_[function] == 0) return drop(function);
      if (!inlineInto(function)) break;
    }
  }

  void drop(FunctionOpInterface function) {
    countUses(function, -1);
    dead_.insert(function);
  }

  void simplify(FunctionOpInterface function) {
    SmallVector<CallOpInterface> calls = callsIn(function);
    if (!calls.empty()) countUses(function, -1);
    forwardDeadLoopArguments(function);
    rewriteGreedily(function, patterns_, {.uniqueConstants = false});
    if (!calls.empty()) countUses(function, +1);
  }

  bool inlineInto(FunctionOpInterface function) {
    bool any = false;
    for (CallOpInterface call : callsIn(function)) {
      // Functions that each call another one twice double from one to the next.
      if (Spending::isSpent()) return false;
      FunctionOpInterface callee = calleeOf(call);
      if (callee && mayInline(call, callee)) any |= inlineOne(call, callee);
    }
    return any;
  }

  bool mayInline(CallOpInterface call, FunctionOpInterface callee) {
    if (callee.isExternal() || dead_.contains(callee) || callee->isAncestor(call)) return false;
    if (!interface_.isLegalToInline(call, callee, /*wouldBeCloned=*/true)) return false;
    bool leavesEarly = !callee.getFunctionBody().hasOneBlock();
    return !leavesEarly || !call->getParentOp()->hasTrait<OpTrait::SingleBlock>();
  }

  bool inlineOne(CallOpInterface call, FunctionOpInterface callee) {
    bool isLast = callee.isPrivate() && uses_[callee] == 1;
    auto callable = cast<CallableOpInterface>(callee.getOperation());
    if (!isLast) countUses(callee, +1); // for the calls in its copy
    Alone alone(call, callee.getFunctionBody().hasOneBlock());
    if (failed(inlineCall(interface_, config_.getCloneCallback(), call, callable,
                          &callee.getFunctionBody(),
                          /*shouldCloneInlinedRegion=*/!isLast))) {
      if (!isLast) countUses(callee, -1);
      return false;
    }
    --uses_[callee];
    call->erase();
    if (isLast) dead_.insert(callee);
    return true;
  }

  ModuleOp module_;
  const PatternTable& patterns_;
  SymbolTable symbols_;
  InlinerInterface interface_;
  InlinerConfig config_;
  DenseMap<Operation*, int> uses_; // remaining calls of each function
  DenseSet<Operation*> visited_;
  llvm::SetVector<Operation*> dead_;
};

} // namespace

void inlineCalls(ModuleOp module, const PatternTable& controlFlowPatterns) {
  CallInliner(module, controlFlowPatterns).run();
}

} // namespace gluond::passes
