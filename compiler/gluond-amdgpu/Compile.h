// Compiles LLVM IR to AMD's assembly.
#pragma once

#include "chips/Chip.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::amdgpu {

// Optimizes the module in place, with the device libraries in these files of bitcode linked to it.
// `fusesMultiplyAdd`: a * b + c
// may be rounded once. The error says what is wrong with the module or a library.
tl::expected<void, std::string> optimize(llvm::Module& module, const chips::Chip& chip,
                                         llvm::ArrayRef<std::string> libraries,
                                         bool fusesMultiplyAdd);
// Returns the assembly of an optimized module.
tl::expected<std::string, std::string> toAssembly(llvm::Module& module, const chips::Chip& chip,
                                                  bool fusesMultiplyAdd);

} // namespace gluond::amdgpu
