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
  // On NVIDIA's chips, the elements of an access where the masks of a thread agree, if that makes
  // accesses of their own worth it; else 0.
  int64_t withinRow = 0;
  // The cause of the limit.
  enum class Limit : uint8_t { Layout, Contiguity, Alignment, Mask, Buffer } limit = Limit::Layout;
};

// For an access of kind Global. `target` limits asynchronous copies, which write to a buffer.
AccessWidth accessWidth(const MemoryAccess& access, const ModuleAxisInfo& axes,
                        llvm::StringRef target);

// The parts of it. For addresses and mask alone:
AccessWidth addressWidth(const MemoryAccess& access, const ModuleAxisInfo& axes);
// For loads and stores under a mask that changes where a row ends: AccessWidth::withinRow.
int64_t widthWithinRow(const MemoryAccess& access, const ModuleAxisInfo& axes);
// For the chip alone, of an asynchronous copy of so many elements:
int64_t mostCopied(int64_t elements, unsigned elementBits, llvm::StringRef target);

} // namespace gluond::passes
