// The compiled stages, which come after ttgir: LLVM IR, assembly, machine code. Which there are and
// how each is made is in the rows of Stages.h.
#pragma once

#include "chips/Target.h"
#include "driver/cache/DiskCache.h"
#include "driver/stages/CompiledLines.h"
#include "lowering/Lowering.h"
#include "support/Cancellation.h"

#include <mlir/IR/BuiltinOps.h>

#include <optional>
#include <string>
#include <vector>

namespace gluond::driver {

// What the assembler says of a kernel.
struct Assembled {
  unsigned registers = 0, spillBytes = 0, stackBytes = 0;
};

struct Compiled {
  std::string llir;                // where it was asked for besides
  std::string text;                // of the stage; the bytes of a cubin
  std::vector<CompiledLine> lines; // in order
  lowering::KernelFacts facts;
  std::optional<Assembled> assembled;
  std::vector<std::pair<llvm::StringRef, double>>
      milliseconds; // what each stage cost, in order; of what the cache had, looking it up
};

struct CompileOptions {
  bool alsoLlir = false; // besides a stage that is made of LLVM IR
  DiskCache cache{};     // off unless given: cacheOf(settings)
  CancellationToken cancellation{};
  std::vector<std::string> workspace{}; // its folders: their tools are not used (Toolkit.h)
};

// A kernel on its way through the compiled stages: what a stage's function finds and leaves.
struct Compilation {
  mlir::ModuleOp ttgir; // used up by the first of them
  chips::Target target;
  const CompileOptions& options;
  llvm::StringRef stage = {}; // that is being made
  std::unique_ptr<llvm::LLVMContext> context = nullptr;
  std::unique_ptr<llvm::Module> llir = nullptr; // once that stage is made
  Compiled result = {};                         // of the stage before, then of this one

  // gluond or the machine cannot do it, not the user's fault.
  tl::unexpected<passes::Failure> unsupported(std::string message) const;
};

// `module` is at stage ttgir and is used up. Everything that a result depends on is in the module's
// text with its locations, the options, the build of gluond and the stages' tools; so results are
// looked for in the cache under the hash of these, and kept there, stage by stage. Failures of kind
// Unsupported are gluond's or the machine's (no ptxas), not the user's; they are not kept. A kernel
// that is cancelled fails with kind Cancelled, soon: within a step of LLVM's, or of a tool at once.
tl::expected<Compiled, passes::Failure> compile(mlir::ModuleOp module, llvm::StringRef target,
                                                llvm::StringRef stage,
                                                const CompileOptions& options = {});

// Whether compile() makes all of a target's kernels, so that Run and Benchmark may be offered.
bool isRunnable(llvm::StringRef target);

} // namespace gluond::driver
