#include "passes/refusals/Float8.h"

#include "ir/tt/Ops.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>

namespace gluond::passes {
using namespace mlir;

namespace {

// Triton's name of an 8-bit float, or "" for any other type.
llvm::StringRef float8Name(Type type) {
  type = getElementTypeOrSelf(type);
  if (isa<Float8E5M2Type>(type)) return "float8e5";
  if (isa<Float8E4M3FNType>(type)) return "float8e4nv";
  if (isa<Float8E5M2FNUZType>(type)) return "float8e5b16";
  if (isa<Float8E4M3FNUZType>(type)) return "float8e4b8";
  return {};
}

// The other operations are computed in wider types (division, comparison, maximum).
llvm::StringRef arithmeticName(Operation* op) {
  if (isa<arith::AddFOp>(op)) return "addition";
  if (isa<arith::SubFOp>(op)) return "subtraction";
  if (isa<arith::NegFOp>(op)) return "negation";
  if (isa<arith::MulFOp>(op)) return "multiplication";
  if (isa<math::FmaOp>(op)) return "fused multiplication and addition";
  return {};
}

} // namespace

std::string whyNoFloat8(Operation* op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0) return {};
  llvm::StringRef name = float8Name(op->getOperand(0).getType());
  if (name.empty()) return {};
  if (llvm::StringRef arithmetic = arithmeticName(op); !arithmetic.empty())
    return ("there is no " + arithmetic + " of " + name +
            " values: convert the operands to float16 or float32 first")
        .str();
  llvm::StringRef made = float8Name(op->getResult(0).getType());
  if (isa<tt::FpToFpOp>(op) && !made.empty() && made != name)
    return ("there is no conversion from " + name + " to " + made +
            ": convert the value to float16 or float32 first")
        .str();
  return {};
}

} // namespace gluond::passes
