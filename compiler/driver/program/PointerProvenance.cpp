#include "driver/program/PointerProvenance.h"

#include "ir/tt/Ops.h"

namespace gluond::driver {
using namespace mlir;

static bool isAddress(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) type = tensor.getElementType();
  return isa<tt::PointerType, tt::TensorDescInterface>(type);
}

PointerProvenance::PointerProvenance(FunctionOpInterface kernel) : none_(kernel.getNumArguments()) {
  for (BlockArgument argument : kernel.getArguments())
    if (isAddress(argument.getType()))
      sources_.try_emplace(argument, none_).first->second.set(argument.getArgNumber());
  for (bool changed = true; changed;) {
    changed = false;
    kernel->walk([&](Operation* op) {
      if (op == kernel.getOperation()) return;
      llvm::BitVector in(none_.size());
      auto take = [&](ValueRange values) {
        for (Value value : values)
          if (isAddress(value.getType())) in |= sourcesOf(value);
      };
      take(op->getOperands());
      for (Region& region : op->getRegions())
        for (Block& block : region)
          if (block.mightHaveTerminator()) take(block.getTerminator()->getOperands());
      if (in.none()) return;
      auto give = [&](ValueRange values) {
        for (Value value : values) {
          if (!isAddress(value.getType())) continue;
          llvm::BitVector& sources = sources_.try_emplace(value, none_).first->second;
          changed |= in.test(sources); // something new
          sources |= in;
        }
      };
      give(op->getResults());
      for (Region& region : op->getRegions())
        for (Block& block : region)
          give(block.getArguments());
    });
  }
}

const llvm::BitVector& PointerProvenance::sourcesOf(Value address) const {
  auto it = sources_.find(address);
  return it == sources_.end() ? none_ : it->second;
}

FunctionOpInterface kernelOf(ModuleOp module) {
  FunctionOpInterface kernel;
  module.walk([&](tt::FuncOp function) {
    if (!kernel && function.isPublic()) kernel = function;
  });
  return kernel;
}

} // namespace gluond::driver
