// NVIDIA's chips as facts: what LLVM calls them, what a multiprocessor has, what the memory gives.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>

namespace gluond::target::nvidia {

struct Chip {
  unsigned capability;         // 90
  llvm::StringLiteral name;    // "sm_90a", as ptxas and LLVM know it
  unsigned sharedPerBlock;     // bytes that a CTA may ask for
  unsigned sharedPerProcessor; // bytes
  unsigned registersPerProcessor, threadsPerProcessor, blocksPerProcessor;
  unsigned tensorMemoryColumns; // 0: none
};

// Null for a chip that gluond does not know.
const Chip* findChip(unsigned capability);
llvm::ArrayRef<Chip> chips();

} // namespace gluond::target::nvidia
