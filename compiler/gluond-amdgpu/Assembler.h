// LLVM's assembler and disassembler for AMD's GPUs.
#pragma once

#include "chips/Chip.h"

#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::amdgpu {

// Returns the code object of a kernel's assembly. The error is the assembler's or the linker's.
tl::expected<std::string, std::string> assemble(llvm::StringRef assembly, const chips::Chip& chip);
// Returns its instructions as text, with the addresses of branches' targets.
tl::expected<std::string, std::string> disassemble(llvm::StringRef hsaco, const chips::Chip& chip);

} // namespace gluond::amdgpu
