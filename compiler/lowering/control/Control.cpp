// Functions, calls, loops and branches.
#include "ir/ttg/Ops.h"
#include "lowering/FunctionEmitter.h"
#include "lowering/Handlers.h"
#include "lowering/WarpSpecialize.h"
#include "passes/refusals/Refusals.h"

#include <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace gluond::lowering {

namespace {

void addIncoming(llvm::ArrayRef<llvm::PHINode*> phis, Registers values, llvm::BasicBlock* from) {
  for (auto [phi, value] : llvm::zip(phis, values))
    phi->addIncoming(value, from);
}

RegisterList asRegisters(llvm::ArrayRef<llvm::PHINode*> phis) {
  return RegisterList(phis.begin(), phis.end());
}

// Whether a turn loads from global memory under a mask.
bool loadsUnderMask(mlir::scf::ForOp loop) {
  auto masked = [](tt::LoadOp load) {
    return load.getMask() ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  };
  return loop.getBody()->walk(masked).wasInterrupted();
}

// Writes a guard, then the body with its test at the end: LLVM's loop passes expect this form. No
// counter wraps around, but LLVM is not told so where a turn loads under a mask: LoopStrengthReduce
// would count a pointer up for the addresses, and ptxas loads one element after another by it.
bool forLoop(FunctionEmitter& e, mlir::Operation* op) {
  auto loop = mlir::cast<mlir::scf::ForOp>(op);
  llvm::Value *lower = e.scalar(loop.getLowerBound()), *upper = e.scalar(loop.getUpperBound()),
              *step = e.scalar(loop.getStep());
  RegisterList initial = e.flatten(loop.getInitArgs());
  llvm::BasicBlock *before = e.b.GetInsertBlock(), *body = e.newBlock("for.body"),
                   *after = e.newBlock("for.end");
  bool isUnsigned = loop.getUnsignedCmp();
  auto less = [&](llvm::Value* a, llvm::Value* b) {
    return isUnsigned ? e.b.CreateICmpULT(a, b) : e.b.CreateICmpSLT(a, b);
  };
  e.b.CreateCondBr(less(lower, upper), body, after);

  e.b.SetInsertPoint(body);
  llvm::PHINode* counter = e.b.CreatePHI(lower->getType(), 2);
  llvm::SmallVector<llvm::PHINode*> carried = e.phis(loop.getInitArgs().getTypes(), 2);
  counter->addIncoming(lower, before);
  addIncoming(carried, initial, before);
  e.set(loop.getInductionVar(), counter);
  e.bind(loop.getRegionIterArgs(), asRegisters(carried));
  if (!e.region(*loop.getBody())) return false;
  RegisterList yielded = e.flatten(loop.getBody()->getTerminator()->getOperands());
  llvm::BasicBlock* latch = e.b.GetInsertBlock();
  llvm::Value* next = e.b.CreateAdd(counter, step, "", false, !isUnsigned && !loadsUnderMask(loop));
  counter->addIncoming(next, latch);
  addIncoming(carried, yielded, latch);
  e.b.CreateCondBr(less(next, upper), body, after);

  e.b.SetInsertPoint(after);
  llvm::SmallVector<llvm::PHINode*> results = e.phis(loop.getResultTypes(), 2);
  addIncoming(results, initial, before);
  addIncoming(results, yielded, latch);
  e.bind(loop.getResults(), asRegisters(results));
  return true;
}

bool whileLoop(FunctionEmitter& e, mlir::Operation* op) {
  auto loop = mlir::cast<mlir::scf::WhileOp>(op);
  RegisterList initial = e.flatten(loop.getInits());
  llvm::BasicBlock *before = e.b.GetInsertBlock(), *test = e.newBlock("while.test"),
                   *body = e.newBlock("while.body"), *after = e.newBlock("while.end");
  e.b.CreateBr(test);
  e.b.SetInsertPoint(test);
  llvm::SmallVector<llvm::PHINode*> carried = e.phis(loop.getInits().getTypes(), 2);
  addIncoming(carried, initial, before);
  e.bind(loop.getBeforeArguments(), asRegisters(carried));
  if (!e.region(*loop.getBeforeBody())) return false;
  auto condition = loop.getConditionOp();
  RegisterList passed = e.flatten(condition.getArgs());
  e.b.CreateCondBr(e.scalar(condition.getCondition()), body, after);
  e.bind(loop.getAfterArguments(), passed);
  e.b.SetInsertPoint(body);
  if (!e.region(*loop.getAfterBody())) return false;
  addIncoming(carried, e.flatten(loop.getYieldOp().getOperands()), e.b.GetInsertBlock());
  e.b.CreateBr(test);
  e.b.SetInsertPoint(after);
  e.bind(loop.getResults(), passed);
  return true;
}

bool branch(FunctionEmitter& e, mlir::Operation* op) {
  auto branch = mlir::cast<mlir::scf::IfOp>(op);
  llvm::BasicBlock *then = e.newBlock("then"), *after = e.newBlock("if.end"),
                   *before = e.b.GetInsertBlock();
  bool hasElse = !branch.getElseRegion().empty();
  llvm::BasicBlock* otherwise = hasElse ? e.newBlock("else") : after;
  e.b.CreateCondBr(e.scalar(branch.getCondition()), then, otherwise);
  e.b.SetInsertPoint(then);
  if (!e.region(*branch.thenBlock())) return false;
  RegisterList fromThen = e.flatten(branch.thenYield().getOperands());
  llvm::BasicBlock* thenEnd = e.b.GetInsertBlock();
  e.b.CreateBr(after);
  RegisterList fromElse;
  llvm::BasicBlock* elseEnd = before;
  if (hasElse) {
    e.b.SetInsertPoint(otherwise);
    if (!e.region(*branch.elseBlock())) return false;
    fromElse = e.flatten(branch.elseYield().getOperands());
    elseEnd = e.b.GetInsertBlock();
    e.b.CreateBr(after);
  }
  e.b.SetInsertPoint(after);
  llvm::SmallVector<llvm::PHINode*> results = e.phis(branch.getResultTypes(), 2);
  addIncoming(results, fromThen, thenEnd);
  addIncoming(results, fromElse, elseEnd);
  e.bind(branch.getResults(), asRegisters(results));
  return true;
}

bool jump(FunctionEmitter& e, mlir::Operation* op) {
  auto jump = mlir::cast<mlir::cf::BranchOp>(op);
  e.b.CreateBr(e.branchTo(jump.getDest(), jump.getDestOperands()));
  return true;
}

bool conditionalJump(FunctionEmitter& e, mlir::Operation* op) {
  auto jump = mlir::cast<mlir::cf::CondBranchOp>(op);
  llvm::BasicBlock* yes = e.branchTo(jump.getTrueDest(), jump.getTrueDestOperands());
  llvm::BasicBlock* no = e.branchTo(jump.getFalseDest(), jump.getFalseDestOperands());
  e.b.CreateCondBr(e.scalar(jump.getCondition()), yes, no);
  return true;
}

bool leave(FunctionEmitter& e, mlir::Operation* op) {
  RegisterList results = e.flatten(op->getOperands());
  if (e.returnInlined(results)) return true;
  if (e.isKernel()) {
    if (!results.empty()) return e.reject(op, passes::kernelReturnsValue);
    releaseWarps(e);
    // The first instruction of the end, before which the cluster may have to meet.
    llvm::BasicBlock* block = e.b.GetInsertBlock();
    llvm::Instruction* last = block->empty() ? nullptr : &block->back();
    e.target().endKernel(e);
    e.b.CreateRetVoid();
    e.state().kernelReturns.push_back(last ? last->getNextNode() : &block->front());
  } else if (results.empty()) {
    e.b.CreateRetVoid();
  } else if (results.size() == 1) {
    e.b.CreateRet(results.front());
  } else {
    llvm::Value* all = llvm::PoisonValue::get(e.function()->getReturnType());
    for (auto [i, value] : llvm::enumerate(results))
      all = e.b.CreateInsertValue(all, value, static_cast<unsigned>(i));
    e.b.CreateRet(all);
  }
  return true;
}

bool call(FunctionEmitter& e, mlir::Operation* op) {
  auto call = mlir::cast<tt::CallOp>(op);
  auto callee = op->getParentOfType<mlir::ModuleOp>().lookupSymbol<tt::FuncOp>(call.getCallee());
  auto found = callee ? e.state().functions.find(callee) : e.state().functions.end();
  if (found == e.state().functions.end())
    return e.fail(op, "the function that is called is not in the module");
  RegisterList arguments = e.flatten(call.getArgOperands());
  llvm::Value* shared = e.memory().of(op) ? e.scratch(op) : e.sharedAddress(0);
  // Only a group that is the whole CTA meets on the barrier that a function of its own knows.
  if (!isNoinline(callee) || !e.group().isWholeCta)
    return e.inlined(callee, arguments, shared, op->getResults());
  arguments.push_back(e.globalScratch());
  arguments.push_back(shared);
  llvm::CallInst* result = e.b.CreateCall(found->second->llvm, arguments);
  result->addFnAttr(llvm::Attribute::Convergent);
  RegisterList results;
  if (auto* tuple = llvm::dyn_cast<llvm::StructType>(result->getType()))
    for (unsigned i = 0; i < tuple->getNumElements(); ++i)
      results.push_back(e.b.CreateExtractValue(result, i));
  else if (!result->getType()->isVoidTy())
    results.push_back(result);
  e.bind(op->getResults(), results);
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> controlOps() {
  static constexpr OpRow rows[] = {
      {"scf.for", forLoop},
      {"scf.while", whileLoop},
      {"scf.if", branch},
      {"scf.yield", makesNoCode},
      {"scf.condition", makesNoCode},
      {"cf.br", jump},
      {"cf.cond_br", conditionalJump},
      {"tt.return", leave},
      {"tt.call", call},
  };
  return rows;
}

} // namespace gluond::lowering
