// From stage `ttgir` to LLVM IR for one target.
//
// There is no dialect in between: a tensor is a list of LLVM values, one for each register that a
// thread holds, and a handler per op turns lists into lists (see FunctionEmitter.h). What an op
// does on a GPU follows from the linear layouts of its operands and results, so that a new encoding
// needs no new lowering. Everything that depends on the chip goes through one interface
// (TargetEmitter.h).
#pragma once

#include "passes/failure/PassFailure.h"
#include "support/Cancellation.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <mlir/IR/BuiltinOps.h>
#include <tl/expected.hpp>

#include <memory>
#include <string>

namespace gluond::lowering {

class TargetEmitter;

// The facts that a launch needs besides the code.
struct KernelFacts {
  std::string name;
  unsigned warps = 4;        // of a CTA, those of partitions included
  unsigned ctas = 1;         // of a cluster
  int64_t sharedBytes = 0;   // dynamic shared memory
  int64_t tensorColumns = 0; // of tensor memory, as they are allocated
  int64_t globalScratchBytes = 0, globalScratchAlignment = 1; // of each CTA
  unsigned maxRegisters = 0;                                  // of a thread; 0 if it is not limited
};

struct Lowered {
  std::unique_ptr<llvm::Module> module;
  KernelFacts facts;
};

// The failure's location is that of the op that cannot be lowered; it is of kind Cancelled when
// `token` was. The MLIR module is not changed.
tl::expected<Lowered, passes::PassFailure> lowerToLLVM(mlir::ModuleOp module,
                                                       const TargetEmitter& target,
                                                       llvm::LLVMContext& context,
                                                       const CancellationToken& token = {});

} // namespace gluond::lowering
