// Compiles LLVM IR to PTX.
#pragma once

#include "chips/Chip.h"
#include "support/Cancellation.h"

#include <llvm/IR/Module.h>
#include <tl/expected.hpp>

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace gluond::target::nvidia {

struct PtxOptions {
  bool fuseMultiplyAdd =
      true; // a * b + c with one rounding, as in Triton unless enable_fp_fusion is off
  std::string deviceLibrary;            // path of libdevice.10.bc; empty to search for it
  std::vector<std::string> untrusted{}; // folders whose files are not used (Toolkit.h)
  CancellationToken cancellation{};     // once cancelled, it ends soon with an unusable result
};

// LLVM's back end for one chip, for one thread at a time; a kernel is optimized, then emitted.
class PtxCompiler {
public:
  // The error says that this LLVM does not support the chip.
  static tl::expected<PtxCompiler, std::string> create(const chips::Chip& chip, PtxOptions options);
  PtxCompiler(PtxCompiler&&) noexcept;
  PtxCompiler& operator=(PtxCompiler&&) noexcept;
  ~PtxCompiler();

  // Optimizes the module in place (it is then stage `llir`). The error says what is missing, such
  // as the device library.
  tl::expected<void, std::string> optimize(llvm::Module& module);
  // Returns the PTX of an optimized module.
  tl::expected<std::string, std::string> toPtx(llvm::Module& module);

private:
  PtxCompiler(std::unique_ptr<llvm::TargetMachine> machine, PtxOptions options);
  std::unique_ptr<llvm::TargetMachine> machine_;
  PtxOptions options_;
};

} // namespace gluond::target::nvidia
