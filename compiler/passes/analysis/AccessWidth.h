// How many elements of global memory a thread accesses in one instruction: the lowering generates
// it, the lints judge it and the panels show it.
#pragma once

#include "passes/analysis/AxisInfo.h"
#include "passes/analysis/MemoryAccess.h"

namespace gluond::passes {

// All numbers are powers of two.
struct AccessWidth {
  int64_t elements = 1;
  int64_t consecutive = 1; // registers that point to consecutive elements, aligned or not
  int64_t layout = 1;      // `elements`, if addresses, mask and buffer set no limit
  // The cause of the limit.
  enum class Limit : uint8_t { Layout, Contiguity, Alignment, Mask, Buffer } limit = Limit::Layout;
};

// For an access of kind Global. `target` limits asynchronous copies, which write to a buffer.
AccessWidth accessWidth(const MemoryAccess& access, const ModuleAxisInfo& axes,
                        llvm::StringRef target);

// The parts of it. For addresses and mask alone:
AccessWidth addressWidth(const MemoryAccess& access, const ModuleAxisInfo& axes);
// For the chip alone, of an asynchronous copy of so many elements:
int64_t mostCopied(int64_t elements, unsigned elementBits, llvm::StringRef target);

} // namespace gluond::passes
