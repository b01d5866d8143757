#include "passes/refusals/Float8.h"

#include "ir/tt/ElementTypes.h"
#include "ir/tt/Ops.h"
#include "passes/failure/TypeNames.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>

namespace gluond::passes {
using namespace mlir;

namespace {

// The other operations are computed in wider types (division, maximum).
llvm::StringRef arithmeticName(Operation* op) {
  if (isa<arith::AddFOp>(op)) return "addition";
  if (isa<arith::SubFOp>(op)) return "subtraction";
  if (isa<arith::NegFOp>(op)) return "negation";
  if (isa<arith::MulFOp>(op)) return "multiplication";
  if (isa<math::FmaOp>(op)) return "fused multiplication and addition";
  if (isa<tt::ClampFOp>(op)) return "clamp";
  if (isa<arith::CmpFOp>(op)) return "comparison";
  return {};
}

} // namespace

std::string whyNoFloat8(Operation* op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0) return {};
  Type type = op->getOperand(0).getType();
  llvm::StringRef arithmetic = arithmeticName(op);
  if (arithmetic.empty() || !tt::isFloat8(type)) return {};
  return "there is no " + arithmetic.str() + " of " + gluonName(type) +
         " values: convert the operands to float16 or float32 first";
}

} // namespace gluond::passes
