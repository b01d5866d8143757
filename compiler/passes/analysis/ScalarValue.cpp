#include "passes/analysis/ScalarValue.h"

#include "passes/analysis/IntegerArithmetic.h"

namespace gluond::passes {
using namespace mlir;

namespace {

// Whether one operand decides alone: x and 0, x or 1 of single bits, x times 0.
std::optional<int64_t> absorbed(Operation& op, int64_t known) {
  if (isa<arith::AndIOp, arith::MulIOp>(op) && known == 0) return 0;
  if (isa<arith::OrIOp>(op) && op.getResult(0).getType().isInteger(1) && known) return 1;
  return std::nullopt;
}

} // namespace

std::optional<int64_t> evaluateScalar(Operation& op,
                                      llvm::function_ref<std::optional<int64_t>(Value)> operand) {
  if (op.getNumResults() != 1) return std::nullopt;
  Type type = op.getResult(0).getType();
  if (!type.isIntOrIndex()) return std::nullopt;
  unsigned bits = integerBits(type);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto integer = dyn_cast<IntegerAttr>(constant.getValue());
    if (!integer || integer.getValue().getBitWidth() > 64) return std::nullopt;
    return type.isInteger(1) ? static_cast<int64_t>(integer.getValue().getZExtValue())
                             : integer.getValue().getSExtValue();
  }
  if (auto compared = dyn_cast<arith::CmpIOp>(op)) {
    auto a = operand(compared.getLhs()), b = operand(compared.getRhs());
    if (!a || !b) return std::nullopt;
    return compare(compared.getPredicate(), *a, *b, integerBits(compared.getLhs().getType()));
  }
  if (IntegerCast cast = integerCast(&op)) {
    auto value = operand(op.getOperand(0));
    if (!value) return std::nullopt;
    return cast(*value, integerBits(op.getOperand(0).getType()), bits);
  }
  if (op.getNumOperands() != 2 || op.getOperand(0).getType() != type) return std::nullopt;
  auto a = operand(op.getOperand(0)), b = operand(op.getOperand(1));
  if (a && !b) return absorbed(op, *a);
  if (b && !a) return absorbed(op, *b);
  if (!a || !b) return std::nullopt;
  IntegerRule rule = integerRule(&op);
  return rule ? rule(*a, *b, bits) : std::nullopt;
}

} // namespace gluond::passes
