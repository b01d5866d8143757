// Which rows of a class's members a value or a type of a kernel has: completion offers no member
// that Triton refuses for it.
#pragma once

#include "codegen/context/ExpressionFacts.h"
#include "language/types/Builtin.h"

#include <optional>

namespace gluond::lsp {

// What a type is, as far as that decides which members it has.
enum class TypeClass : uint8_t {
  Unknown, // a dtype, or the type of a value that may as well be a tensor
  Integer,
  Float,
  Pointer,
  Block,  // of a descriptor: without a layout
  Tensor, // with a layout
  SharedMemory,
  TensorMemory,
  Descriptor,
  Accumulator,
};

// Of the dtype as facts have it: "float16", "*fp32".
TypeClass classOfDtype(llvm::StringRef dtype);
// Of a value's type: `x.type`.
TypeClass classOfTypeOf(const codegen::TypeFact& value);
// Of a type that is a value itself: a constexpr parameter, `x.dtype`.
TypeClass classOfType(const codegen::TypeFact& type);
// Of the types of a class's objects: what is known without the type of a value.
TypeClass classOfObjects(language::ModuleId objects);

// Of the rows of the class dtype, which serve all types.
bool isMemberOfType(llvm::StringRef member, TypeClass of);
// Of the rows of the class tensor, which serve scalars and pointers as well. `value`: null if its
// type is not known.
bool isMemberOfTensor(llvm::StringRef member, const codegen::TypeFact* value);

} // namespace gluond::lsp
