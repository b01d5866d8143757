// The back end for one chip. Each vendor's folder makes its own: what is linked to a kernel, and
// which passes run beside LLVM's.
#pragma once

#include "chips/Chip.h"
#include "support/Cancellation.h"

#include <llvm/IR/Module.h>
#include <tl/expected.hpp>

#include <memory>
#include <string>
#include <vector>

namespace gluond::backend {

struct CompilerOptions {
  std::vector<std::string> untrusted{}; // folders whose device libraries are not used
  CancellationToken cancellation{};     // once cancelled, it ends soon with an unusable result
  bool fusesMultiplyAdd = true;         // a * b + c may be rounded once
};

// For one thread at a time; a kernel's module is optimized, then emitted, or both at once.
class Compiler {
public:
  virtual ~Compiler() = default;
  // Optimizes the module, or puts an optimized one in its place (it is then stage `llir`). The
  // error says what is missing, such as the device library.
  virtual tl::expected<void, std::string> optimize(std::unique_ptr<llvm::Module>& module) = 0;
  // Returns the assembly (for NVIDIA: the PTX) of an optimized module.
  virtual tl::expected<std::string, std::string> toAssembly(llvm::Module& module) = 0;
  // Returns the same assembly from a module that is not optimized, and leaves the module unusable.
  virtual tl::expected<std::string, std::string> compile(std::unique_ptr<llvm::Module>& module) {
    if (auto done = optimize(module); !done) return tl::make_unexpected(done.error());
    return toAssembly(*module);
  }
};

// The error says that this LLVM does not support the chip.
using CompilerOrError = tl::expected<std::unique_ptr<Compiler>, std::string>;

} // namespace gluond::backend
