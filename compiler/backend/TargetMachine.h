// LLVM's description of the machine that a kernel is compiled for.
#pragma once

#include "chips/Chip.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/CodeGen.h>

#include <memory>

namespace llvm {
class Target;
class TargetMachine;
class TargetOptions;
class Triple;
} // namespace llvm

namespace gluond::backend {

// Returns LLVM's machine for a chip. `fusesMultiplyAdd`: a * b + c is rounded once.
std::unique_ptr<llvm::TargetMachine> machineFor(const llvm::Target& target,
                                                const llvm::Triple& triple, const chips::Chip& chip,
                                                llvm::TargetOptions settings,
                                                llvm::CodeGenOptLevel level, bool fusesMultiplyAdd);

// Tells a module which machine it is compiled for.
void aim(llvm::Module& module, const llvm::TargetMachine& machine);

} // namespace gluond::backend
