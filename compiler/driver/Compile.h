// The stages behind ttgir: LLVM IR, PTX, machine code.
#pragma once

#include "lowering/Lowering.h"

#include <mlir/IR/BuiltinOps.h>

#include <optional>
#include <string>
#include <vector>

namespace gluond::codegen {
struct Target;
}

namespace gluond::driver {

// A line of the text and the line of a Python file that it came of; both 0-based.
struct CompiledLine {
  uint32_t line;
  std::string file;
  uint32_t sourceLine;
};

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
  std::vector<std::pair<llvm::StringRef, double>> milliseconds; // what each stage cost, in order
};

// `module` is at stage ttgir and is used up. Failures of kind Unsupported are gluond's or the
// machine's (no ptxas), not the user's.
tl::expected<Compiled, passes::Failure> compile(mlir::ModuleOp module, llvm::StringRef target,
                                                llvm::StringRef stage, bool alsoLlir = false);

} // namespace gluond::driver
