// What Triton's programs ask about the GPU by name: is_hopper() of triton._internal_testing,
// is_hip_cdna3() of triton.language.target_info, ...
#pragma once

#include "evaluate/interpreter/NativeTables.h"

namespace gluond::evaluate {

// Returns the rows of all these functions, which take no arguments.
llvm::ArrayRef<NativeRow> targetQueries();
// Returns null if there is none of this name.
Native targetQuery(llvm::StringRef name);

} // namespace gluond::evaluate
