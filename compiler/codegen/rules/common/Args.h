// Reads a rule's arguments: each function reports at the argument and returns nothing if the
// argument is of another kind.
#pragma once

#include "codegen/rules/common/Semantics.h"

namespace gluond::codegen {

// Reads an int known at compile time; bools count.
std::optional<int64_t> intArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                   llvm::StringRef name);
// Reads the truth of a constant, as Python defines it.
std::optional<bool> boolArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                 llvm::StringRef name);
// The same for an argument that Triton only tests with Python's `if`: a run-time value is an object
// there, which counts as true, with a warning.
std::optional<bool> truthArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                  llvm::StringRef name);
// Reads True or False and nothing else: values that Triton passes to its C++ side unchanged.
std::optional<bool> flagArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                 llvm::StringRef name);
std::optional<llvm::StringRef> stringArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                              llvm::StringRef name);
// Returns the type if a value is a dtype (a scalar, a pointer, a block), which may still have no
// representation; else null, without reporting.
const Type* dtypeOf(IrBuilder& emit, Value value);
// Returns a type that has a representation, or null after reporting.
const Type* dtypeArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name);
// Reads a layout of a family; returns null after reporting.
const LayoutObject* layoutArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                   language::LayoutFamily family, llvm::StringRef name);
// Reads a list or tuple of ints.
std::optional<llvm::SmallVector<int64_t, 4>> intsArgument(IrBuilder& emit, const Arguments& args,
                                                          size_t i, llvm::StringRef name);
// Reads f(x, 1, 2) or f(x, (1, 2)): _unwrap_iterable over a *args parameter.
std::optional<llvm::SmallVector<int64_t, 4>> variadicInts(IrBuilder& emit, const Arguments& args,
                                                          size_t i, llvm::StringRef name);
// Reads a scalar or block in the IR.
Tensor tensorArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name);
// Applies to_tensor to an argument.
Tensor toTensorArgument(IrBuilder& emit, const Arguments& args, size_t i);
// Reads a block with a layout.
Tensor blockArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name);

struct Memory { // a shared or tensor memory descriptor
  mlir::Value handle;
  const Type* type = nullptr;
  explicit operator bool() const { return type != nullptr; }
};
Memory sharedArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name);
Memory tensorMemoryArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name);
// Reads either; reports values that are not a single handle in the IR.
mlir::Value handleArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name);
// Reads a list of memory descriptors. Returns false after reporting.
bool handlesArgument(IrBuilder& emit, const Arguments& args, size_t i,
                     llvm::SmallVectorImpl<mlir::Value>& out);
// Reads a tensor descriptor.
Memory descriptorArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name);
inline bool isNone(const Arguments& args, size_t i) {
  return args[i].isNone();
}
// Returns true, after reporting, if the user passed None where Triton wants the argument left out:
// a None in a kernel is a constexpr, which not every builtin unwraps.
bool refusesNone(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name);
// _convert_to_ir_values: reads coordinates, sizes or strides as i32 or i64.
bool coordinates(IrBuilder& emit, const Arguments& args, size_t i, bool wide,
                 llvm::SmallVectorImpl<mlir::Value>& out);

} // namespace gluond::codegen
