// Lowers tensor descriptors that are made on the device to writes of the hardware's descriptor into
// scratch memory (Triton's `triton-nvidia-tma-lowering`, the part that Gluon can reach).
#pragma once

#include "passes/failure/PassFailure.h"
#include "passes/rewrite/PatternTable.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::tt {
class TensorDescInterface;
}

namespace gluond::passes {

// The fields of the hardware's descriptor for a descriptor type, in the device's numbers.
struct DescriptorCode {
  int32_t elementType, swizzle;
  int64_t elementBytes;
  bool fp4Padded;
  llvm::SmallVector<int64_t, 4> block; // size of one instruction's block, in single fp4 elements
};
// The error says what the hardware does not support in a descriptor.
tl::expected<DescriptorCode, std::string> descriptorCode(tt::TensorDescInterface type);

PatternTable tensorDescriptorPatterns(mlir::MLIRContext& context); // created once
// Fails if the hardware does not support a descriptor's layout.
Result lowerTensorDescriptors(mlir::ModuleOp module, const PatternTable& patterns);

} // namespace gluond::passes
