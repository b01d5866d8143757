// Gluon's modules that belong to a generation of chips: who imports `gl.nvidia.blackwell` or
// `gl.amd.cdna4` writes for the chips that have what is in them.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace gluond::chips {

struct GluonModule {
  llvm::StringLiteral vendor, name; // below triton.experimental.gluon.language
  llvm::StringLiteral target;       // the chip that its users most likely mean
};

// The most particular first: of those of one vendor that a file uses, the first decides.
llvm::ArrayRef<GluonModule> gluonModules();

} // namespace gluond::chips
