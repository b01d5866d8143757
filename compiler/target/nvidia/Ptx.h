// LLVM IR to PTX.
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
      true; // a * b + c in one rounding, as Triton does unless enable_fp_fusion is off
  std::string deviceLibrary;            // path of libdevice.10.bc; empty: look for one
  std::vector<std::string> untrusted{}; // but not in these folders (Toolkit.h)
  CancellationToken cancellation{};     // once cancelled, what is made is of no use, and made soon
};

// LLVM's back end for one chip. One thread at a time; a kernel is optimized, then written.
class PtxCompiler {
public:
  // The error says that this LLVM cannot do it.
  static tl::expected<PtxCompiler, std::string> create(const chips::Chip& chip, PtxOptions options);
  PtxCompiler(PtxCompiler&&) noexcept;
  PtxCompiler& operator=(PtxCompiler&&) noexcept;
  ~PtxCompiler();

  // Optimizes the module in place (it is then stage `llir`). The error says what is missing, such
  // as the device library.
  tl::expected<void, std::string> optimize(llvm::Module& module);
  // The PTX of an optimized module.
  tl::expected<std::string, std::string> toPtx(llvm::Module& module);

private:
  PtxCompiler(std::unique_ptr<llvm::TargetMachine> machine, PtxOptions options);
  std::unique_ptr<llvm::TargetMachine> machine_;
  PtxOptions options_;
};

} // namespace gluond::target::nvidia
