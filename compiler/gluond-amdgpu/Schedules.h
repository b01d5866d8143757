// Assembly in the best of several orders.
//
// LLVM's scheduler for AMD's GPUs hides latencies as long as the registers suffice, and looks at
// the registers when they do not. Its older one counts them from the start: better on CDNA and
// RDNA 4 for kernels without products of matrices. Where one program more is within reach, both are
// tried, as which one lets more run at once is known afterwards; elsewhere that would take time for
// little. The same holds for narrow values that could be widened twice (NarrowValuesPass). Where
// one program more is a matter of few registers, the scheduler that looks at registers alone is
// tried.
#pragma once

#include "chips/Chip.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::amdgpu {

// Generates code for the module, and changes it.
tl::expected<std::string, std::string>
assemblyInBestOrder(llvm::Module& module, llvm::TargetMachine& machine, const chips::Chip& chip);

} // namespace gluond::amdgpu
