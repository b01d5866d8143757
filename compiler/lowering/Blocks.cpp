// The blocks of a function, and bodies that stand in the place of a call.
#include "ir/ttg/Ops.h"
#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

llvm::BasicBlock* FunctionEmitter::newBlock(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(state_.context, name, llvm_);
}

// Branches of early returns: an LLVM block for each block, with phis for its arguments.
bool FunctionEmitter::blocks(mlir::Region& body) {
  if (body.hasOneBlock()) return region(body.front());
  llvm::BasicBlock* entry = b.GetInsertBlock();
  for (mlir::Block& block : body) {
    if (&block == &body.front()) {
      blocks_[&block] = entry;
      continue;
    }
    llvm::BasicBlock* made = blocks_[&block] = newBlock("block");
    b.SetInsertPoint(made);
    RegisterList arguments;
    unsigned incoming = static_cast<unsigned>(std::distance(block.pred_begin(), block.pred_end()));
    for (llvm::PHINode* phi : phis(block.getArgumentTypes(), incoming))
      arguments.push_back(phi);
    bind(block.getArguments(), arguments);
  }
  for (mlir::Block& block : body) {
    b.SetInsertPoint(blocks_[&block]);
    if (!region(block)) return false;
  }
  return true;
}

llvm::BasicBlock* FunctionEmitter::branchTo(mlir::Block* block, mlir::ValueRange operands) {
  llvm::BasicBlock* target = blocks_.lookup(block);
  RegisterList registers = flatten(operands);
  for (auto [phi, value] : llvm::zip(target->phis(), registers))
    phi.addIncoming(value, b.GetInsertBlock());
  return target;
}

bool FunctionEmitter::inPlace(mlir::Region& body, mlir::TypeRange types, RegisterList& results) {
  Inlining own;
  own.after = newBlock("returned");
  {
    llvm::IRBuilder<>::InsertPointGuard guard(b);
    b.SetInsertPoint(own.after);
    own.results = phis(types, 2);
  }
  std::swap(inlining_, own);
  bool isFine = blocks(body);
  std::swap(inlining_, own);
  b.SetInsertPoint(own.after);
  results.assign(own.results.begin(), own.results.end());
  return isFine;
}

bool FunctionEmitter::inlined(mlir::Operation* callee, Registers arguments, llvm::Value* sharedBase,
                              mlir::ResultRange results) {
  auto source = mlir::cast<tt::FuncOp>(callee);
  auto* caller = std::exchange(function_, state_.functions[callee].get());
  auto* callersBase = std::exchange(sharedBase_, sharedBase);
  bind(source.getArguments(), arguments);
  RegisterList registers;
  bool isFine = inPlace(source.getBody(), source.getResultTypes(), registers);
  sharedBase_ = callersBase;
  function_ = caller;
  bind(results, registers);
  return isFine;
}

bool FunctionEmitter::returnInlined(Registers results) {
  if (!inlining_.after) return false;
  for (auto [phi, value] : llvm::zip(inlining_.results, results))
    phi->addIncoming(value, b.GetInsertBlock());
  b.CreateBr(inlining_.after);
  return true;
}

} // namespace gluond::lowering
