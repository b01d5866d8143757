// The stages behind ttgir: LLVM IR, PTX, machine code.
#pragma once

#include "driver/cache/DiskCache.h"
#include "driver/stages/CompiledLines.h"
#include "lowering/Lowering.h"
#include "support/Cancellation.h"

#include <mlir/IR/BuiltinOps.h>

#include <optional>
#include <string>
#include <vector>

namespace gluond::driver {

// What ptxas says of a kernel; nothing where it did not run.
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
  bool alsoLlir = false; // besides PTX
  DiskCache cache{};     // off unless given: cacheOf(settings)
  CancellationToken cancellation{};
  std::vector<std::string> workspace{}; // its folders: their tools are not used (Toolkit.h)
};

// `module` is at stage ttgir and is used up. Everything that a result depends on is in the module's
// text with its locations, the options, the build of gluond and NVIDIA's tools; so results are
// looked for in the cache under the hash of these, and kept there, stage by stage. Failures of kind
// Unsupported are gluond's or the machine's (no ptxas), not the user's; they are not kept. A kernel
// that is cancelled fails with kind Cancelled, soon: within a step of LLVM's, or of ptxas at once.
tl::expected<Compiled, passes::Failure> compile(mlir::ModuleOp module, llvm::StringRef target,
                                                llvm::StringRef stage,
                                                const CompileOptions& options = {});

// Whether compile() makes all of a target's kernels, so that Run and Benchmark may be offered.
bool isRunnable(llvm::StringRef target);

} // namespace gluond::driver
