// LLVM's AMDGPU target. Internal to gluond-amdgpu/.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/TargetParser/Triple.h>

namespace llvm {
class Target;
}

namespace gluond::amdgpu {

// The version of code objects, times 100.
inline constexpr unsigned codeObjectVersion = 500;

const llvm::Triple& triple();
// Returns null if this LLVM has no AMDGPU target.
const llvm::Target* target();
inline constexpr llvm::StringLiteral noTarget = "this LLVM has no AMDGPU target";

} // namespace gluond::amdgpu
