// NVIDIA's chips that code is made for, and what LLVM and ptxas call them. What a chip has is in
// lints/resources/Chips.h.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gluond::target::nvidia {

struct Chip {
  unsigned capability;      // 90
  llvm::StringLiteral name; // "sm_90a"
  // The PTX that is written: the oldest that has all that gluond uses of the chip, so that every
  // assembler that knows the chip takes it.
  llvm::StringLiteral ptx; // "+ptx86"
  // lowering/ has all of the chip's operations, and the runner runs what it makes. For the others
  // code is made as far as a kernel uses nothing new (Blackwell's tensor memory, say).
  bool isComplete;
};

// Null for a chip that gluond does not know.
const Chip* findChip(unsigned capability);

} // namespace gluond::target::nvidia
