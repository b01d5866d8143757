// Peak memory bandwidth and dense matrix rates of the GPUs that vendors sell. Two
// models with the same chip differ widely, so models are found by the device's name.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <utility>

namespace gluond::chips {

struct GpuModel {
  llvm::StringLiteral name;   // part of the name that the driver reports: "H200"
  llvm::StringLiteral target; // "cuda:90"
  double bandwidth;           // GB/s of device memory
  double tf32, fp16, fp8, i8; // dense TFLOP/s (TOP/s) of the matrix units; 0 if it has none
  double fp64;
  double fp32; // TFLOP/s outside the matrix units

  // Returns the rate for an operand type ("fp16", "tf32", "i8", ...), or 0 if it is not known.
  double matrixRate(llvm::StringRef type) const;
};

llvm::ArrayRef<GpuModel> allGpuModels();

// Returns the row for a device name and target, or null if the table has none.
const GpuModel* findGpuModel(llvm::StringRef deviceName, llvm::StringRef target);

// Returns the usual device of a target (Chip::usualDevice), or "" if the target has none.
llvm::StringRef usualDevice(llvm::StringRef target);
// Returns the units (SMs, CUs or WGPs) of that device, or a number that is likely for the vendor.
unsigned usualUnits(llvm::StringRef target);
// Returns the compute capability that torch reports for a target: 9 and 0 for "cuda:90". For an
// architecture of AMD it has the numbers of its name: 9 and 4 for gfx942, 12 and 0 for gfx1201.
std::pair<unsigned, unsigned> reportedCapability(llvm::StringRef target);

} // namespace gluond::chips
