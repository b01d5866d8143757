// What a kernel does to memory and how much it computes, read off its IR at stage `ttgir`: what a
// measured time is held against.
//
// Nothing is invented: what does not follow from the IR and the launch's numbers is not said.
#pragma once

#include "driver/launches/HostLaunch.h"

#include <mlir/IR/BuiltinOps.h>
#include <tl/expected.hpp>

namespace gluond::driver {

// What becomes of the memory behind one argument (or anything derived from it).
struct MemoryUse {
  bool isRead = false, isWritten = false, isAtomic = false;
};

// How the hardware's descriptor of a descriptor argument is made, in the driver API's numbers.
struct TensorMapFacts {
  unsigned elementType = 0, swizzle = 0, elementBytes = 0;
  bool isFp4 = false, isIm2Col = false;
  std::vector<int64_t> box;
};

// Multiplications and additions by matrix instructions of one operand type.
struct MatrixWork {
  std::string type; // of the operands: "fp16", "bf16", "tf32", "fp8", "i8", "fp64", "fp4"
  double operations = 0;
};

struct KernelWork {
  // One for each argument of the launch, in order.
  std::vector<MemoryUse> uses;
  std::vector<std::optional<TensorMapFacts>> maps; // of descriptors
  // Of all programs together. Nothing: there are matrix products, and how many is not known.
  std::optional<std::vector<MatrixWork>> matrices;
  bool hasMatrices = false;
};

// The error says why the launch cannot be made: a descriptor that the hardware does not have, or
// arguments that are not the kernel's.
tl::expected<KernelWork, std::string> workOf(mlir::ModuleOp module, const HostLaunch& launch);

// Bytes that must move if every tensor that is read is read once and every one that is written is
// written once; zero where no argument's memory is used.
double bytesMoved(const HostLaunch& launch, const KernelWork& work);

} // namespace gluond::driver
