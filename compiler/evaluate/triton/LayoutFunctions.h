// Functions on layouts that Triton implements in C++ and programs call in host code:
// triton._C.libtriton.gluon_ir.make_cga_layout.
#pragma once

#include "evaluate/interpreter/NativeTables.h"

namespace gluond::evaluate {

llvm::ArrayRef<NativeRow> layoutFunctions();

} // namespace gluond::evaluate
