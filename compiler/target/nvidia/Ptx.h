// Compiles LLVM IR to PTX.
#pragma once

#include "target/Compiler.h"

namespace gluond::target::nvidia {

CompilerOrError makeCompiler(const chips::Chip& chip, CompilerOptions options);

} // namespace gluond::target::nvidia
