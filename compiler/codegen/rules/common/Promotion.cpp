// Which type two operands are computed in.
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Operators.h"
#include "codegen/rules/common/Semantics.h"
#include "releases/Rules.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::codegen {

// C's usual arithmetic conversions, with small differences.
const Type* integerPromote(const Type* a, const Type* b) {
  unsigned aBits = a->bits(), bBits = b->bits();
  if (a->isSignedInt() == b->isSignedInt()) return aBits > bBits ? a : b;
  if (!a->isSignedInt()) return aBits >= bBits ? a : b;
  return bBits >= aBits ? b : a;
}

const Type* integerPromote(IrBuilder&, const Type* a, const Type* b) {
  return integerPromote(a, b);
}

const Type* computationType(IrBuilder& emit, const Type* a, bool aIsNumber, const Type* b,
                            bool bIsNumber, bool divOrMod, const Node* at) {
  // A number takes part only when it is of a higher kind (bool < integer < float) than the tensor.
  if (aIsNumber != bIsNumber) {
    const Type* number = aIsNumber ? a : b;
    const Type* tensor = aIsNumber ? b : a;
    if (language::rankOf(number) <= language::rankOf(tensor)) a = b = tensor;
  }
  auto either = [&](ScalarKind kind) { return a->isScalar(kind) || b->isScalar(kind); };
  if (either(ScalarKind::Fp64)) return scalarType(ScalarKind::Fp64);
  auto dividesWide = [&](const Type* type) {
    return type->isFloat() && !(type->isFp8() && emit.follows(releases::Rule::SmallFloatsDivide));
  };
  if (divOrMod && (dividesWide(a) || dividesWide(b))) return scalarType(ScalarKind::Fp32);
  if (either(ScalarKind::Fp32)) return scalarType(ScalarKind::Fp32);
  if (either(ScalarKind::Fp16)) return scalarType(ScalarKind::Fp16);
  if (a->isScalar(ScalarKind::Bf16) && b->isScalar(ScalarKind::Bf16)) return a;
  if (either(ScalarKind::Bf16)) return scalarType(ScalarKind::Fp32);
  if (a->isFp8() && b->isFp8()) return a == b ? a : scalarType(ScalarKind::Fp16);
  if (!a->isInt() || !b->isInt()) {
    auto reported = emit.error(Id::IncompatibleTypes, at, a, b);
    if (a->isFloat() || b->isFloat()) offerFloorDivision(emit, reported, at);
    return nullptr;
  }
  if (divOrMod && a->isSignedInt() != b->isSignedInt()) {
    emit.error(Id::MixedSignDivision, at, "division", a, b);
    return nullptr;
  }
  return integerPromote(a, b);
}

static bool fits(Value number, const Type* scalar) {
  unsigned bits = scalar->bits();
  if (number.isIntegral()) {
    int64_t value = number.asInt();
    if (scalar->isSignedInt()) return llvm::isIntN(bits, value);
    return value >= 0 && llvm::isUIntN(bits, static_cast<uint64_t>(value));
  }
  if (auto* big = number.as<language::BigIntObject>())
    return bits == 64 && !scalar->isSignedInt() && !big->negative && big->magnitude.size() == 1;
  double value = number.asFloat();
  double top = std::ldexp(1.0, static_cast<int>(scalar->isSignedInt() ? bits - 1 : bits));
  return value >= (scalar->isSignedInt() ? -top : 0.0) && value <= top - 1;
}

Tensor castOperand(IrBuilder& emit, const Operand& operand, const Type* scalar) {
  if (!operand.isNumber()) return cast(emit, operand.tensor, scalar, operand.at);
  if (scalar->isInt()) {
    if (!scalar->isSignedInt() && asDouble(operand.number) < 0) {
      emit.error(Id::UnsignedWithNegative, operand.at, operand.number);
      return {};
    }
    if (!fits(operand.number, scalar)) {
      emit.error(Id::NonRepresentable, operand.at, operand.number, scalar);
      return {};
    }
  }
  return constant(emit, operand.number, scalar, operand.at);
}

// The scalar type of an operand; null (reported) for a number nothing holds.
static const Type* scalarOf(IrBuilder& emit, const Operand& operand) {
  if (operand.tensor) return operand.tensor.scalar();
  const Type* type = typeOfNumber(operand.number);
  if (!type) emit.error(Id::NonRepresentable, operand.at, operand.number, "any integer type");
  return type;
}

static bool pointersAgree(const Type* a, const Type* b, bool allowed) {
  if (!a->isPointer()) return true;
  return allowed && !(b->isPointer() && !same(a, b)) && !b->isFloat();
}

bool unify(IrBuilder& emit, const Operand& left, const Operand& right, Tensor& a, Tensor& b,
           const Node* at, BinaryRules rules) {
  const Type* aType = scalarOf(emit, left);
  const Type* bType = aType ? scalarOf(emit, right) : nullptr;
  if (!bType) return false;
  if (!pointersAgree(aType, bType, rules.leftPointer) ||
      !pointersAgree(bType, aType, rules.rightPointer)) {
    auto reported = emit.error(Id::IncompatibleTypes, at, aType, bType);
    if (aType->isFloat() || bType->isFloat()) offerFloorDivision(emit, reported, at);
    return false;
  }
  if (emit.follows(releases::Rule::NumbersGetOwnConstants)) {
    if (left.isNumber()) a = toTensor(emit, left);
    if (right.isNumber()) b = toTensor(emit, right);
  }
  if (rules.arithmetic && !aType->isPointer() && !bType->isPointer()) {
    const Type* common =
        computationType(emit, aType, left.isNumber(), bType, right.isNumber(), rules.divOrMod, at);
    if (!common) return false;
    a = castOperand(emit, left, common);
    if (!a) return false;
    b = castOperand(emit, right, common);
  } else {
    if (!a) a = toTensor(emit, left);
    if (!a) return false;
    if (!b) b = toTensor(emit, right);
  }
  return b && broadcast(emit, a, b, left.at, right.at);
}

bool unify(IrBuilder& emit, Operand (&operands)[3], Tensor (&out)[3], const Node* at) {
  // Tensors first, then numbers: each number is compared with the tensors' type, whatever the
  // order.
  const Type *tensors = nullptr, *numbers = nullptr;
  for (Operand& operand : operands) {
    const Type* type = scalarOf(emit, operand);
    if (!type) return false;
    const Type*& group = operand.isNumber() ? numbers : tensors;
    group = group ? computationType(emit, group, operand.isNumber(), type, operand.isNumber(),
                                    false, at)
                  : type;
    if (!group) return false;
  }
  const Type* common = !tensors   ? numbers
                       : !numbers ? tensors
                                  : computationType(emit, tensors, false, numbers, true, false, at);
  if (!common) return false;
  for (size_t i = 0; i < 3; ++i)
    if (!(out[i] = castOperand(emit, operands[i], common))) return false;
  return broadcast(emit, out[0], out[1], operands[0].at, operands[1].at) &&
         broadcast(emit, out[0], out[2], operands[0].at, operands[2].at) &&
         broadcast(emit, out[1], out[2], operands[1].at, operands[2].at);
}

bool unifyInPairs(IrBuilder& emit, const Operand (&operands)[3], Tensor (&out)[3],
                  const Pairs& pairs, const Node* at) {
  for (size_t i = 0; i < 3; ++i)
    out[i] = operands[i].tensor;
  for (auto [i, j] : pairs) {
    Tensor a, b;
    if (!unify(emit, operand(out[i], operands[i].at), operand(out[j], operands[j].at), a, b, at))
      return false;
    out[i] = a;
    out[j] = b;
  }
  return true;
}

} // namespace gluond::codegen
