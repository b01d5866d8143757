// Which arguments of a kernel every address in it may come from. Internal to driver/.
//
// What control flow carries is taken together by op: every address that goes into an op with
// regions may come out of it anywhere. So an address may have more sources than it has at run time,
// never fewer.
#pragma once

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

namespace gluond::driver {

class Provenance {
public:
  explicit Provenance(mlir::FunctionOpInterface kernel);
  // By number of the kernel's argument.
  const llvm::BitVector& sourcesOf(mlir::Value address) const;

private:
  llvm::BitVector none_;
  llvm::DenseMap<mlir::Value, llvm::BitVector> sources_;
};

// The kernel of a module; null: it has none.
mlir::FunctionOpInterface kernelOf(mlir::ModuleOp module);

} // namespace gluond::driver
