// Reads the PTX in a kernel's LLVM IR, for passes over it.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace llvm {
class CallInst;
class Instruction;
} // namespace llvm

namespace gluond::backend::nvidia {

// Address spaces.
constexpr unsigned globalSpace = 1, sharedSpace = 3;

// Returns the instruction of an inline assembly that consists of one, without its predicate, or ""
// for any other.
llvm::StringRef onlyInstruction(const llvm::CallInst& call);

// Returns whether this is a plain store to global memory.
bool storesGlobally(const llvm::Instruction& instruction);

// Returns whether the threads of a warp exchange values by it.
bool isShuffle(const llvm::Instruction& instruction);

// Returns the number of bytes that a masked access adds to its address ("[$0+16]").
int64_t offsetOf(const llvm::CallInst& access);

} // namespace gluond::backend::nvidia
