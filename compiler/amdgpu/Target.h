// LLVM's AMDGPU target. Internal to amdgpu/.
#pragma once

#include <llvm/TargetParser/Triple.h>

namespace llvm {
class Target;
}

namespace gluond::amdgpu {

const llvm::Triple& triple();
// Returns null if this LLVM has no AMDGPU target.
const llvm::Target* target();

} // namespace gluond::amdgpu
