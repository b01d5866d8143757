// The stages that both vendors make alike: LLVM IR by lowering and LLVM's passes, and assembly by
// LLVM's back end.
#pragma once

#include "backend/Compiler.h"
#include "driver/stages/Compile.h"

namespace gluond::driver {

// The part that each vendor supplies.
struct BackEnd {
  // Returns null if gluond generates no code for the target.
  const chips::Chip* (*chipOf)(const chips::Target& target);
  std::unique_ptr<lowering::TargetEmitter> (*lowering)(const chips::Chip& chip,
                                                       const chips::CodeOptions& code);
  backend::CompilerOrError (*compiler)(const chips::Chip& chip, backend::CompilerOptions options);
};

passes::Result makeLlir(Compilation& kernel, const BackEnd& backEnd);
passes::Result makeAssembly(Compilation& kernel, const BackEnd& backEnd);

} // namespace gluond::driver
