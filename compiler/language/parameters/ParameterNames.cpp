#include "language/parameters/ParameterNames.h"

namespace gluond::language {

ParameterRole suggestedRole(llvm::StringRef parameter) {
  if (parameter.contains("desc")) return ParameterRole::Descriptor;
  bool isPointer = parameter.starts_with("ptr") || parameter.ends_with("ptr") ||
                   parameter.ends_with("_ptrs") || parameter == "input" || parameter == "output" ||
                   parameter == "out";
  return isPointer ? ParameterRole::Pointer : ParameterRole::Unknown;
}

bool isOperandOfFormula(llvm::StringRef parameter) {
  constexpr llvm::StringLiteral letters = "XYZABCDQKVOW";
  return parameter.size() == 1 && letters.contains(parameter[0]);
}

} // namespace gluond::language
