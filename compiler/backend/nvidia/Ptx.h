// Compiles LLVM IR to PTX.
#pragma once

#include "backend/Compiler.h"

namespace gluond::backend::nvidia {

CompilerOrError makeCompiler(const chips::Chip& chip, CompilerOptions options);

} // namespace gluond::backend::nvidia
