// Reading a rule's arguments: each function reports at the argument and returns nothing when it is
// of another kind.
#pragma once

#include "codegen/rules/common/Semantics.h"

namespace gluond::codegen {

// An int known at compile time; bools count.
std::optional<int64_t> intArgument(Emitter& emit, const Arguments& args, size_t i,
                                   llvm::StringRef name);
// Python's truth of a constant.
std::optional<bool> boolArgument(Emitter& emit, const Arguments& args, size_t i,
                                 llvm::StringRef name);
// True or False and nothing else: what Triton hands to its C++ side as it is.
std::optional<bool> flagArgument(Emitter& emit, const Arguments& args, size_t i,
                                 llvm::StringRef name);
std::optional<llvm::StringRef> stringArgument(Emitter& emit, const Arguments& args, size_t i,
                                              llvm::StringRef name);
const Type* dtypeArgument(Emitter& emit, const Arguments& args, size_t i, llvm::StringRef name);
// A layout of a family; null after reporting.
const LayoutObject* layoutArgument(Emitter& emit, const Arguments& args, size_t i,
                                   language::LayoutFamily family, llvm::StringRef name);
// A list or tuple of ints.
std::optional<llvm::SmallVector<int64_t, 4>> intsArgument(Emitter& emit, const Arguments& args,
                                                          size_t i, llvm::StringRef name);
// f(x, 1, 2) or f(x, (1, 2)): _unwrap_iterable over a *args parameter.
std::optional<llvm::SmallVector<int64_t, 4>> variadicInts(Emitter& emit, const Arguments& args,
                                                          size_t i, llvm::StringRef name);
// A scalar or block in the IR.
Tensor tensorArgument(Emitter& emit, const Arguments& args, size_t i, llvm::StringRef name);
// to_tensor of an argument.
Tensor toTensorArgument(Emitter& emit, const Arguments& args, size_t i);
// A block with a layout.
Tensor blockArgument(Emitter& emit, const Arguments& args, size_t i, llvm::StringRef name);

struct Memory { // a shared or tensor memory descriptor
  mlir::Value handle;
  const Type* type = nullptr;
  explicit operator bool() const { return type != nullptr; }
};
Memory sharedArgument(Emitter& emit, const Arguments& args, size_t i, llvm::StringRef name);
Memory tensorMemoryArgument(Emitter& emit, const Arguments& args, size_t i, llvm::StringRef name);
// Either; what does not exist in the IR as one handle is reported.
mlir::Value handleArgument(Emitter& emit, const Arguments& args, size_t i, llvm::StringRef name);
// A list of memory descriptors. False after reporting.
bool handlesArgument(Emitter& emit, const Arguments& args, size_t i,
                     llvm::SmallVectorImpl<mlir::Value>& out);
// A tensor descriptor.
Memory descriptorArgument(Emitter& emit, const Arguments& args, size_t i, llvm::StringRef name);
inline bool isNone(const Arguments& args, size_t i) {
  return args[i].isNone();
}
// Whether the user wrote None for it where Triton wants the argument left out: a None in a kernel
// is a constexpr, and not every builtin looks inside. True after reporting.
bool refusesNone(Emitter& emit, const Arguments& args, size_t i, llvm::StringRef name);
// _convert_to_ir_values: coordinates, sizes and strides as i32 or i64.
bool coordinates(Emitter& emit, const Arguments& args, size_t i, bool wide,
                 llvm::SmallVectorImpl<mlir::Value>& out);

} // namespace gluond::codegen
