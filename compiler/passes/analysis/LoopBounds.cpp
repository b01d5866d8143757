#include "passes/analysis/LoopBounds.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Matchers.h>

namespace gluond::passes {
using namespace mlir;

namespace {

std::optional<APInt> constant(Value value) {
  APInt found;
  if (matchPattern(value, m_ConstantInt(&found))) return found;
  return std::nullopt;
}

// upper - lower where `upper` is `lower + constant` and the addition cannot wrap.
std::optional<APInt> constantOffset(Value lower, Value upper, bool isUnsigned) {
  auto add = upper.getDefiningOp<arith::AddIOp>();
  auto needed = isUnsigned ? arith::IntegerOverflowFlags::nuw : arith::IntegerOverflowFlags::nsw;
  if (!add || !bitEnumContainsAll(add.getOverflowFlags(), needed)) return std::nullopt;
  if (add.getLhs() == lower) return constant(add.getRhs());
  if (add.getRhs() == lower) return constant(add.getLhs());
  return std::nullopt;
}

} // namespace

std::optional<uint64_t> tripCount(scf::ForOp loop) {
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  if (lower == upper) return 0;
  bool isUnsigned = loop.getUnsignedCmp();
  auto low = constant(lower), high = constant(upper), step = constant(loop.getStep());
  if (low && low->isZero() && upper == loop.getStep()) return 1;
  std::optional<APInt> distance;
  if (low && high) {
    if (step && step->isZero()) return std::nullopt;
    if (isUnsigned ? low->uge(*high) : low->sge(*high)) return 0;
    distance = *high - *low; // as unsigned: exact whatever the bounds
  } else {
    distance = constantOffset(lower, upper, isUnsigned);
    if (!distance || (step && step->isZero())) return std::nullopt;
    if (distance->isZero() || (!isUnsigned && distance->isNegative())) return 0;
  }
  if (!step || step->isZero() || (!isUnsigned && step->isNegative())) return std::nullopt;
  APInt count = llvm::APIntOps::RoundingUDiv(*distance, *step, APInt::Rounding::UP);
  return count.getLimitedValue();
}

} // namespace gluond::passes
