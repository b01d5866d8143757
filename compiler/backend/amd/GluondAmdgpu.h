// Compiles LLVM IR to AMD's assembly, and that to a code object (hsaco), by the program
// gluond-amdgpu beside gluond: LLVM's own back end, assembler and linker. No ROCm is needed.
#pragma once

#include "backend/Compiler.h"

namespace gluond::backend::amd {

// Returns the path of that program, or "" if it is not there.
std::string compilerProgram();

CompilerOrError makeCompiler(const chips::Chip& chip, CompilerOptions options);

// The registers and the scratch memory that the code uses, as its assembly states them.
struct Resources {
  unsigned vectorRegisters = 0, accumulatorRegisters = 0, scalarRegisters = 0;
  unsigned vectorSpills = 0, scalarSpills = 0; // registers that live in scratch memory
  unsigned scratchBytes = 0;                   // of each lane
};
Resources resourcesOf(llvm::StringRef assembly);

// Returns the code object of a kernel's assembly. The error is the assembler's or the linker's.
tl::expected<std::string, std::string> assemble(llvm::StringRef assembly, const chips::Chip& chip,
                                                const CancellationToken& token = {});
// Returns its instructions as text, with the addresses of branches' targets.
tl::expected<std::string, std::string> disassemble(llvm::StringRef hsaco, const chips::Chip& chip,
                                                   const CancellationToken& token = {});

} // namespace gluond::backend::amd
