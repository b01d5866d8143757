// LLVM IR to PTX.
#pragma once

#include "target/nvidia/Chips.h"

#include <llvm/IR/Module.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::target::nvidia {

struct PtxOptions {
  bool fuseMultiplyAdd =
      true; // a * b + c in one rounding, as Triton does unless enable_fp_fusion is off
  std::string deviceLibrary; // path of libdevice.10.bc; empty: look for one
};

// Optimizes the module in place (it is then stage `llir`). The error says what is missing, such as
// the device library.
tl::expected<void, std::string> optimize(llvm::Module& module, const Chip& chip,
                                         const PtxOptions& options);
// The PTX of an optimized module.
tl::expected<std::string, std::string> toPtx(llvm::Module& module, const Chip& chip,
                                             const PtxOptions& options);

} // namespace gluond::target::nvidia
