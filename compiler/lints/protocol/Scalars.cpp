#include "lints/protocol/Scalars.h"

#include "passes/analysis/IntegerArithmetic.h"

namespace gluond::lints::protocol {
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
  unsigned bits = passes::integerBits(type);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto integer = dyn_cast<IntegerAttr>(constant.getValue());
    if (!integer || integer.getValue().getBitWidth() > 64) return std::nullopt;
    return type.isInteger(1) ? static_cast<int64_t>(integer.getValue().getZExtValue())
                             : integer.getValue().getSExtValue();
  }
  if (auto compared = dyn_cast<arith::CmpIOp>(op)) {
    auto a = operand(compared.getLhs()), b = operand(compared.getRhs());
    if (!a || !b) return std::nullopt;
    return passes::compare(compared.getPredicate(), *a, *b,
                           passes::integerBits(compared.getLhs().getType()));
  }
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
          arith::IndexCastUIOp>(op)) {
    auto value = operand(op.getOperand(0));
    if (!value) return std::nullopt;
    Type from = op.getOperand(0).getType();
    if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
      return passes::wrapped(passes::unsignedOf(*value, passes::integerBits(from)), bits);
    if (isa<arith::ExtSIOp>(op) && from.isInteger(1)) return *value ? -1 : 0;
    return passes::wrapped(static_cast<uint64_t>(*value), bits);
  }
  if (op.getNumOperands() != 2 || op.getOperand(0).getType() != type) return std::nullopt;
  auto a = operand(op.getOperand(0)), b = operand(op.getOperand(1));
  if (a && !b) return absorbed(op, *a);
  if (b && !a) return absorbed(op, *b);
  if (!a || !b) return std::nullopt;
  passes::IntegerRule rule = passes::integerRule(&op);
  return rule ? rule(*a, *b, bits) : std::nullopt;
}

} // namespace gluond::lints::protocol
