// LLVM's back end for one chip. Each vendor's folder makes its own: what is linked to a kernel, and
// which passes run beside LLVM's.
#pragma once

#include "chips/Chip.h"
#include "support/Cancellation.h"

#include <llvm/IR/Module.h>
#include <tl/expected.hpp>

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Target;
class TargetMachine;
class TargetOptions;
class Triple;
} // namespace llvm

namespace gluond::target {

struct CompilerOptions {
  std::vector<std::string> untrusted{}; // folders whose device libraries are not used
  CancellationToken cancellation{};     // once cancelled, it ends soon with an unusable result
};

// For one thread at a time; a kernel's module is optimized, then emitted.
class Compiler {
public:
  virtual ~Compiler();
  // Optimizes the module in place (it is then stage `llir`). The error says what is missing, such
  // as the device library.
  virtual tl::expected<void, std::string> optimize(llvm::Module& module) = 0;
  // Returns the assembly (for NVIDIA: the PTX) of an optimized module.
  virtual tl::expected<std::string, std::string> toAssembly(llvm::Module& module) = 0;

protected:
  Compiler(std::unique_ptr<llvm::TargetMachine> machine, const chips::Chip& chip,
           CompilerOptions options);
  // Tells a module which machine it is compiled for.
  void aim(llvm::Module& module) const;

  std::unique_ptr<llvm::TargetMachine> machine_;
  const chips::Chip& chip_;
  CompilerOptions options_;
};

// The error says that this LLVM does not support the chip.
using CompilerOrError = tl::expected<std::unique_ptr<Compiler>, std::string>;

// Returns LLVM's machine for a chip with what all kernels are compiled with: a * b + c is rounded
// once, as in Triton.
std::unique_ptr<llvm::TargetMachine> machineFor(const llvm::Target& target,
                                                const llvm::Triple& triple, const chips::Chip& chip,
                                                llvm::TargetOptions settings,
                                                llvm::CodeGenOptLevel level);

} // namespace gluond::target
