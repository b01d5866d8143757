// What products can do at most: memory bandwidth and dense matrix rates. Two products of one chip
// differ widely, so that these are found by the device's name.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace gluond::chips {

struct Product {
  llvm::StringLiteral name;   // part of the name that the driver gives: "H200"
  llvm::StringLiteral target; // "cuda:90"
  double bandwidth;           // GB/s of device memory
  double tf32, fp16, fp8, i8; // dense TFLOP/s (TOP/s) of the matrix units; 0: has none
  double fp64;
  double fp32; // TFLOP/s of the ordinary units

  // Of a matrix operand type ("fp16", "bf16", "tf32", "fp8", "i8", "fp64", "fp32"); 0: not known.
  double matrixRate(llvm::StringRef type) const;
};

llvm::ArrayRef<Product> allProducts();

// The row of a device, by the driver's name for it and its target; null: not in the table.
const Product* findProduct(llvm::StringRef deviceName, llvm::StringRef target);

} // namespace gluond::chips
