// Gluon's modules that belong to a generation of chips: a program that imports
// `gl.nvidia.blackwell` or `gl.amd.cdna4` is written for the chips that support them.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace gluond::chips {

// The target of programs that use none of these modules but whose layouts have warps of 64 threads,
// which NVIDIA chips do not have.
constexpr llvm::StringLiteral standardWaveTarget = "hip:gfx942";

// NVIDIA's module whose operations all chips have.
constexpr llvm::StringLiteral oldestNvidiaModule = "ampere";

struct GluonModule {
  llvm::StringLiteral vendor, name; // under triton.experimental.gluon.language
  llvm::StringLiteral target;       // the chip that users of the module most likely mean
};

// Returns all rows, the most specific first: of one vendor's modules in a file, the first decides.
llvm::ArrayRef<GluonModule> gluonModules();

} // namespace gluond::chips
