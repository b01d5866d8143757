// What the hardware refuses in a tensor descriptor: limits of the driver's functions
// cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col, which Triton checks in part only.
#pragma once

#include "ir/tt/Ops.h"

#include <llvm/ADT/ArrayRef.h>

#include <cstdint>
#include <string>

namespace gluond::passes {

// A tensor in global memory as a descriptor describes it; sizes and strides with the contiguous
// dimension last.
struct DescribedTensor {
  uint64_t base = 0;
  llvm::ArrayRef<int64_t> shape, strides; // strides in bytes
  int64_t elementBytes = 0;
};

// Each returns a clause that says what is wrong, or "" if the hardware takes it.
std::string refusedBlock(tt::TensorDescInterface descriptor);
// `base` says what the base address is.
std::string refusedTensor(const DescribedTensor& tensor, llvm::StringRef base);

} // namespace gluond::passes
