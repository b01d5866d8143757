// Which values a parameter of a builtin takes: those that fit come first in completions, those that
// cannot fit last.
#pragma once

#include "language/types/LayoutClass.h"
#include "lsp/features/completion/Signature.h"

namespace gluond::lsp {

enum class ExpectedValue : uint8_t {
  Anything,
  DistributedLayout,
  SharedLayout,
  TensorMemoryLayout,
  AnyLayout,
  Buffer, // in shared memory
  Barrier,
  Descriptor,
  Pointer, // or a tensor of pointers
  Tensor,
  Constant, // known at compile time
};

// `layout`, `parent`, `partition_layout`, ... are names of parameters that take layouts.
bool takesLayout(llvm::StringRef parameter);
ExpectedValue expectedValue(const Callable& callable, llvm::StringRef parameter);
bool isLayoutOf(ExpectedValue expected, language::LayoutFamily family);
// Whether a value of this type fits. Nullopt if any value may.
std::optional<bool> isFitting(ExpectedValue expected, const codegen::TypeFact& type);

} // namespace gluond::lsp
