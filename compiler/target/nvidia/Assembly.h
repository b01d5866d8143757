// What passes over a kernel's LLVM IR know of the PTX in it.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace llvm {
class CallInst;
class Instruction;
} // namespace llvm

namespace gluond::target::nvidia {

// Address spaces.
constexpr unsigned globalSpace = 1, sharedSpace = 3;

// The instruction of an inline assembly that consists of one, without its predicate; otherwise
// nothing.
llvm::StringRef onlyInstruction(const llvm::CallInst& call);

// Whether this is a plain store to global memory.
bool storesGlobally(const llvm::Instruction& instruction);

} // namespace gluond::target::nvidia
