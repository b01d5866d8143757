#include "language/parameters/CalledFunctions.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::language {

using namespace syntax;

llvm::StringRef calledName(const Expr* callee, const Interner& names) {
  if (auto* attribute = llvm::dyn_cast<Attribute>(callee))
    return names.text(attribute->attribute.name);
  auto* name = llvm::dyn_cast<NameExpr>(callee);
  return name ? names.text(name->name) : llvm::StringRef();
}

bool takesNumbers(llvm::StringRef function) {
  static constexpr llvm::StringLiteral functions[] = {"arange", "full", "zeros",   "range",
                                                      "cdiv",   "min",  "reshape", "max"};
  return llvm::is_contained(functions, function);
}

const Expr* baseOfSum(const Expr* sum) {
  while (auto* operation = llvm::dyn_cast_if_present<BinOp>(sum)) {
    if (operation->op != BinaryOp::Add && operation->op != BinaryOp::Sub) return nullptr;
    sum = operation->left;
  }
  return sum;
}

} // namespace gluond::language
