// From stage `source` to stage `ttgir`: an ordered table of passes per target, which driver,
// command line and IR explorer can show and run.
#pragma once

#include "chips/Chip.h"
#include "passes/failure/PassFailure.h"
#include "passes/rewrite/PatternTable.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// Resources of passes that are expensive to create and belong to a context: create one per
// MLIRContext (per worker) and keep it. It also installs our folds into the context, so create it
// before folding anything. For one thread at a time.
class PassResources {
public:
  explicit PassResources(mlir::MLIRContext& context);
  const PatternTable& canonicalization() const { return canonicalization_; }
  const PatternTable& controlFlow() const { return controlFlow_; }
  const PatternTable& loops() const { return loops_; }
  const PatternTable& tensorDescriptors() const { return tensorDescriptors_; }

private:
  PatternTable canonicalization_, controlFlow_, loops_, tensorDescriptors_;
};

// One pass. Names are Triton's.
struct Pass {
  llvm::StringLiteral name, title;
  Result (*run)(mlir::ModuleOp module, const PassResources& resources);
};

// The passes of the stage for a vendor's chips, in order.
llvm::ArrayRef<Pass> gluonToTtgir(chips::Vendor vendor);
// Returns only the passes that a kernel cannot run without, for a debugger.
llvm::ArrayRef<Pass> gluonToUnoptimizedTtgir(chips::Vendor vendor);

// Called after each pass; the module may be printed, not changed.
using AfterPass = llvm::function_ref<void(const Pass& pass, mlir::ModuleOp module)>;

// Runs `passes` on `module`, in place. If Triton would reject the module, or an op does not verify
// any more, it stops and returns why; the module is then as the failing pass left it. It writes
// nothing to stderr.
Result runPasses(mlir::ModuleOp module, llvm::ArrayRef<Pass> passes, const PassResources& resources,
                 AfterPass after = nullptr);

} // namespace gluond::passes
