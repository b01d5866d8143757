// What a chip gives a program, as a table: the limits that budgets and estimates are held against.
//
// Numbers are the vendors' (CUDA's programming guide, compute capabilities; AMD's ISA guides).
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>

namespace gluond::lints {

struct Chip {
  llvm::StringLiteral prefix; // of target names: "cuda:90", "hip:gfx94"
  llvm::StringLiteral name;   // "sm_90 (Hopper)"
  unsigned warpSize;
  int64_t sharedPerProgram; // bytes that one program (CTA) can have
  int64_t sharedPerUnit;    // bytes that one SM or CU has for all its programs
  unsigned registersPerThread;
  int64_t registersPerUnit; // of 32 bits, in an SM or CU
  unsigned warpsPerUnit, programsPerUnit;
  unsigned tensorColumns; // of tensor memory, 0: none
  // Of each program, for NVIDIA's system.
  int64_t reservedShared() const { return prefix.starts_with("cuda:") ? 1024 : 0; }
};

// The row of a target, "cuda:90" or "hip:gfx942"; null: not in the table.
const Chip* chipOf(llvm::StringRef target);

} // namespace gluond::lints
