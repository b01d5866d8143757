// Makes the compiled stages, which come after ttgir: LLVM IR, assembly, machine code. The rows of
// Stages.h list them and how each is made.
#pragma once

#include "chips/CodeOptions.h"
#include "chips/Target.h"
#include "driver/cache/DiskCache.h"
#include "driver/stages/Assembled.h"
#include "driver/stages/CompiledLines.h"
#include "lowering/Lowering.h"
#include "support/Cancellation.h"

#include <mlir/IR/BuiltinOps.h>

#include <optional>
#include <string>
#include <vector>

namespace gluond::driver {

struct Compiled {
  std::string llir;                // if it was requested as well
  std::string text;                // of the stage; for a cubin, its bytes
  std::vector<CompiledLine> lines; // in order
  lowering::KernelFacts facts;
  std::optional<Assembled> assembled;
  std::vector<std::pair<llvm::StringRef, double>>
      milliseconds; // cost of each stage, in order; for cached ones, of the lookup
};

struct CompileOptions {
  bool alsoLlir = false; // also return LLVM IR, for a stage made from it
  DiskCache cache{};     // off unless given: cacheOf(settings)
  CancellationToken cancellation{};
  std::vector<std::string> workspace{}; // its folders: tools in them are not used (Toolkit.h)
  chips::CodeOptions code{};            // of the launch
};

// A kernel during the compiled stages: the input and output of a stage's function.
struct Compilation {
  mlir::ModuleOp ttgir; // consumed by the first stage
  chips::Target target;
  const CompileOptions& options;
  llvm::StringRef stage = {};  // the stage being made
  bool optimizesLater = false; // with the stage after llir: nobody asks for that stage's text
  std::unique_ptr<llvm::LLVMContext> context = nullptr;
  std::unique_ptr<llvm::Module> llir = nullptr; // set once that stage is made
  Compiled result = {};                         // of the previous stage, then of this one

  // Makes LLVM IR of the kernel, before LLVM's own passes: sets `context`, `llir` and the facts.
  passes::Result lower(const lowering::TargetEmitter& target);
  // For what gluond or the machine cannot do, as opposed to mistakes of the user.
  tl::unexpected<passes::PassFailure> unsupported(std::string message) const;
};

// `module` is at stage ttgir and is consumed. A result depends on the module's text with its
// locations, the options, the build of gluond and the stages' tools; so results are cached under
// the hash of these, stage by stage. Failures of kind Unsupported are due to gluond or the machine
// (no ptxas), not to the user; they are not cached. A cancelled kernel fails with kind Cancelled,
// within a step of LLVM, or at once if a tool is running.
tl::expected<Compiled, passes::PassFailure> compile(mlir::ModuleOp module, llvm::StringRef target,
                                                    llvm::StringRef stage,
                                                    const CompileOptions& options = {});

// Whether compile() can make all kernels of a target, so that Run and Benchmark can be offered.
bool isRunnable(llvm::StringRef target);

} // namespace gluond::driver
