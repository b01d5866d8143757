// Tensor descriptors made on the device become writes of the hardware's descriptor to scratch
// memory (Triton's `triton-nvidia-tma-lowering`, as far as Gluon can reach it).
#pragma once

#include "passes/failure/PassFailure.h"
#include "passes/rewrite/PatternTable.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::tt {
class TensorDescInterface;
}

namespace gluond::passes {

// What the hardware's descriptor of a descriptor type says, in the device's numbers.
struct DescriptorCode {
  int32_t elementType, swizzle;
  int64_t elementBytes;
  bool fp4Padded;
  llvm::SmallVector<int64_t, 4> block; // that one instruction moves, fp4 elements each counted
};
// The error says what the hardware has no descriptor for.
tl::expected<DescriptorCode, std::string> descriptorCode(tt::TensorDescInterface type);

PatternTable tensorDescriptorPatterns(mlir::MLIRContext& context); // made once
// Fails where a descriptor's layout is one that the hardware has no descriptor for.
Result lowerTensorDescriptors(mlir::ModuleOp module, const PatternTable& patterns);

} // namespace gluond::passes
