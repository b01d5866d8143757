// A kernel's memory traffic and number of operations, read from its IR at stage `ttgir`. Measured
// times are compared with them.
//
// Values that do not follow from the IR and the launch's numbers are left out.
#pragma once

#include "driver/launches/HostLaunch.h"

#include <mlir/IR/BuiltinOps.h>
#include <tl/expected.hpp>

namespace gluond::driver {

// How the memory of one argument (or of anything derived from it) is used.
struct MemoryUse {
  bool isRead = false, isWritten = false, isAtomic = false;
};

// How the hardware descriptor of a descriptor argument is made, in the driver API's numbers.
struct TensorMapFacts {
  unsigned elementType = 0, swizzle = 0, elementBytes = 0;
  unsigned padInterval = 0, padAmount = 0; // of AMD's TDM, in elements
  bool isFp4 = false, isIm2Col = false;
  std::vector<int64_t> box;
};

// Multiplications and additions by matrix instructions of one operand type.
struct MatrixWork {
  std::string type; // operand type: "fp16", "bf16", "tf32", "fp8", "i8", "fp64", "fp4"
  double operations = 0;
};

struct KernelWork {
  // One for each argument of the launch, in order.
  std::vector<MemoryUse> uses;
  std::vector<std::optional<TensorMapFacts>> maps; // for descriptor arguments
  // The sum over all programs; nullopt if there are matrix products but their number is not known.
  std::optional<std::vector<MatrixWork>> matrices;
  bool hasMatrices = false;
};

// The error says why the launch is impossible: the hardware does not support a descriptor, or the
// arguments are not the kernel's.
tl::expected<KernelWork, std::string> workOf(mlir::ModuleOp module, const HostLaunch& launch);

// Returns the bytes that must move if every tensor that is read is read once and every one that is
// written is written once; zero if no argument's memory is used.
double bytesMoved(const HostLaunch& launch, const KernelWork& work);

} // namespace gluond::driver
