// Tensor descriptors made on the device become writes of the hardware's descriptor to scratch
// memory (Triton's `triton-nvidia-tma-lowering`, as far as Gluon can reach it).
#pragma once

#include "passes/Failure.h"
#include "passes/rewrite/PatternTable.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

PatternTable tensorDescriptorPatterns(mlir::MLIRContext& context); // made once
// Fails where a descriptor's layout is one that the hardware has no descriptor for.
Result lowerTensorDescriptors(mlir::ModuleOp module, const PatternTable& patterns);

} // namespace gluond::passes
