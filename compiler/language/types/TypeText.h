// Types that people write as text: in annotations of parameters, in signatures of directives and
// launch records, in options of the command line.
#pragma once

#include "language/types/Type.h"

#include <optional>

namespace gluond::language {

class TypeContext;

// Finds a dtype by each spelling that Triton has for it: those of its row ("fp16", "i32",
// "float16"), and those of Python, C and torch ("bool", "half", "float8_e4m3fn").
std::optional<ScalarKind> scalarSpelled(llvm::StringRef text);

// Finds a dtype as MLIR prints it: "i32", "f16", "bf16".
std::optional<ScalarKind> scalarInIr(llvm::StringRef text);

// Reads a type as a signature has it: "i32", "*fp16", "*ki8". Returns null for other text.
const Type* typeOfSignature(llvm::StringRef text, TypeContext& types);

// The type in a parameter's annotation that is a string, read as Triton's `_normalize_ty` reads it:
// "*fp16", "tl.int32", "const double*", "uint8_t".
struct AnnotatedType {
  const Type* type = nullptr; // null if Triton makes no type of it
  bool isConst = false;       // a pointer through which nothing is stored
};
AnnotatedType typeOfAnnotation(llvm::StringRef text, TypeContext& types);

} // namespace gluond::language
