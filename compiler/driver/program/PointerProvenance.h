// The kernel arguments from which each address in a kernel may come. Internal to driver/.
//
// Control flow is treated per op: any address that enters an op with regions may come
// out of it anywhere. So an address may have more sources than at run time, never
// fewer.
#pragma once

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

namespace gluond::driver {

class PointerProvenance {
public:
  explicit PointerProvenance(mlir::FunctionOpInterface kernel);
  // Indexed by the number of the kernel's argument.
  const llvm::BitVector& sourcesOf(mlir::Value address) const;

private:
  llvm::BitVector none_;
  llvm::DenseMap<mlir::Value, llvm::BitVector> sources_;
};

// Returns the kernel of a module, or null if it has none.
mlir::FunctionOpInterface kernelOf(mlir::ModuleOp module);

} // namespace gluond::driver
