#include "language/ParameterNames.h"

namespace gluond::language {

bool suggestsPointer(llvm::StringRef parameter) {
  constexpr llvm::StringLiteral letters = "XYZABCDQKVOW"; // of operands in formulas
  return parameter.starts_with("ptr") || parameter.ends_with("ptr") ||
         parameter.ends_with("_ptrs") || parameter == "input" || parameter == "output" ||
         parameter == "out" || (parameter.size() == 1 && letters.contains(parameter[0]));
}

bool suggestsDescriptor(llvm::StringRef parameter) {
  return parameter.contains("desc");
}

} // namespace gluond::language
