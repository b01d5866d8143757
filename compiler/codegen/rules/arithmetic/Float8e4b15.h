// Conversions from and to float8e4b15.
#pragma once

#include "codegen/builder/IrBuilder.h"
#include "codegen/rules/common/Semantics.h"

namespace gluond::codegen {

// One of the two types is float8e4b15. As in Triton, a conversion from it to another type than
// float32 gives float16. Returns null after reporting an error.
Tensor castFloat8e4b15(IrBuilder& emit, Tensor tensor, const Type* to, const Node* at);

} // namespace gluond::codegen
