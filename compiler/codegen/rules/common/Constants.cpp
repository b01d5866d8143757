// Python numbers as constants of the IR.
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Operators.h"
#include "codegen/builder/Values.h"
#include "codegen/rules/common/Semantics.h"
#include "releases/Rules.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APInt.h>
#include <mlir/Dialect/Arith/IR/Arith.h>

#include <cmath>
#include <limits>

namespace gluond::codegen {

bool isNumber(Value value) {
  return value.isIntegral() || value.is(ValueKind::Float) || value.is(ValueKind::BigInt);
}

Tensor asTensor(Value value) {
  auto* ir = value.as<language::IrObject>();
  if (!ir) return {};
  TypeKind kind = ir->type->kind();
  if (kind != TypeKind::Scalar && kind != TypeKind::Pointer && kind != TypeKind::Tensor) return {};
  return {IrBuilder::handle(value), ir->type};
}

std::optional<Operand> asOperand(IrBuilder& emit, Value value, const Node* at) {
  if (Tensor tensor = asTensor(value)) return Operand{{}, tensor, at};
  Value plain = value.unwrapped();
  if (isNumber(plain)) return Operand{plain, {}, at};
  if (isAccumulator(value))
    notWaitedFor(emit, value, at);
  else {
    auto reported = emit.error(Id::BadArgument, at,
                               "expected a tensor or a number, but got " + emit.text(value));
    offerLoad(emit, reported, at, value);
    // A number in quotes.
    auto* text = llvm::dyn_cast_if_present<syntax::Constant>(at);
    double number = 0;
    if (text && text->constant == syntax::ConstantKind::Str &&
        !llvm::StringRef(text->string).getAsDouble(number))
      reported.fix(diagnostics::FixId::TryText,
                   {{text->range, llvm::StringRef(text->string).str()}}, text->string);
  }
  return std::nullopt;
}

bool asOperands(IrBuilder& emit, const Arguments& args, llvm::StringRef what, Operand& a,
                Operand& b) {
  Operand* out[] = {&a, &b};
  for (size_t i = 0; i < 2; ++i) {
    Value value = args[i];
    if (Tensor tensor = asTensor(value))
      *out[i] = {{}, tensor, args.node(i)};
    else if (isNumber(value.unwrapped()))
      *out[i] = {value.unwrapped(), {}, args.node(i)};
    else {
      auto reported = emit.error(Id::UnsupportedOperands, args.call, what, args[0], args[1]);
      if (args.given(i)) offerLoad(emit, reported, args.node(i), value);
      return false;
    }
  }
  return true;
}

bool asOperands(IrBuilder& emit, const Arguments& args, Operand (&operands)[3]) {
  for (size_t i = 0; i < 3; ++i) {
    auto operand = asOperand(emit, args[i], args.node(i));
    if (!operand) return false;
    operands[i] = *operand;
  }
  return true;
}

Operand operand(Tensor tensor, const Node* at) {
  return {{}, tensor, at};
}

double asDouble(Value number) {
  if (number.isIntegral()) return static_cast<double>(number.asInt());
  if (number.is(ValueKind::Float)) return number.asFloat();
  auto* big = number.as<language::BigIntObject>();
  double result = 0;
  for (size_t i = big->magnitude.size(); i-- > 0;)
    result = result * 18446744073709551616.0 + static_cast<double>(big->magnitude[i]);
  return big->negative ? -result : result;
}

const Type* typeOfNumber(Value number) {
  if (number.is(ValueKind::Bool)) return scalarType(ScalarKind::Int1);
  if (number.is(ValueKind::Int)) {
    int64_t value = number.asInt();
    if (value >= std::numeric_limits<int32_t>::min() &&
        value <= std::numeric_limits<int32_t>::max())
      return scalarType(ScalarKind::Int32);
    if (value > 0 && value <= std::numeric_limits<uint32_t>::max())
      return scalarType(ScalarKind::UInt32);
    return scalarType(ScalarKind::Int64);
  }
  if (number.is(ValueKind::Float)) {
    double size = std::fabs(number.asFloat());
    constexpr double smallest = 0x1p-126, largest = 0x1.fffffep127;
    bool fits = !(size > 0) || std::isinf(size) || (size >= smallest && size <= largest);
    return scalarType(fits ? ScalarKind::Fp32 : ScalarKind::Fp64);
  }
  if (auto* big = number.as<language::BigIntObject>())
    if (!big->negative && big->magnitude.size() == 1) return scalarType(ScalarKind::UInt64);
  return nullptr;
}

static llvm::APInt bitsOf(Value number, unsigned width) {
  if (number.isIntegral())
    return llvm::APInt(width, static_cast<uint64_t>(number.asInt()), true, true);
  auto* big = number.as<language::BigIntObject>();
  llvm::APInt bits(64 * static_cast<unsigned>(big->magnitude.size()), big->magnitude);
  bits = bits.zextOrTrunc(width);
  return big->negative ? -bits : bits;
}

Tensor constant(IrBuilder& emit, Value number, const Type* scalar, const Node* at) {
  if (scalar->isInt()) {
    if (number.is(ValueKind::Float)) {
      if (number.asFloat() != 0 && !scalar->isBool()) {
        emit.error(Id::NonRepresentable, at, number, scalar);
        return {};
      }
      number = scalar->isBool() ? Value::boolean(number.asFloat() != 0) : Value::integer(0);
    }
    if (scalar->isBool()) {
      bool truth = number.is(ValueKind::BigInt) || number.asInt() != 0;
      return {emit.constantInt(truth, 1), scalar};
    }
    // Triton's builder takes a 64-bit C integer, and truncates it for narrower types.
    bool fits = scalar->isSignedInt() ? number.isIntegral() : asDouble(number) >= 0;
    if (!fits) {
      emit.error(Id::NonRepresentable, at, number, scalar);
      return {};
    }
    return {emit.constantInt(bitsOf(number, scalar->bits())), scalar};
  }
  if (!scalar->isFloat()) {
    emit.error(Id::UnexpectedType, at, "a constant", scalar);
    return {};
  }
  double value = asDouble(number);
  if (value == 0 && emit.follows(releases::Rule::NullConstants) &&
      !scalar->isScalar(ScalarKind::Fp8e4b15))
    return {emit.constantFloat(0, emit.irType(scalar)), scalar};
  if (scalar->isFp8()) {
    Tensor wide{emit.constantFloat(static_cast<float>(value), emit.opBuilder().getF32Type()),
                scalarType(ScalarKind::Fp32)};
    if (scalar->isScalar(ScalarKind::Fp8e4b15)) return cast(emit, wide, scalar, at);
    return {emit.create<mlir::arith::TruncFOp>(emit.irType(scalar), wide.handle), scalar};
  }
  mlir::Type type = emit.irType(scalar);
  // Triton's builder takes a C float, except for double.
  if (!scalar->isScalar(ScalarKind::Fp64)) value = static_cast<float>(value);
  // ... which for bfloat16 travels as text with six decimals.
  if (scalar->isScalar(ScalarKind::Bf16))
    value = std::stod(std::to_string(static_cast<float>(value)));
  return {emit.constantFloat(value, type), scalar};
}

Tensor toTensor(IrBuilder& emit, const Operand& operand) {
  if (operand.tensor) return operand.tensor;
  const Type* type = typeOfNumber(operand.number);
  if (!type) {
    emit.error(Id::NonRepresentable, operand.at, operand.number, "any integer type");
    return {};
  }
  return constant(emit, operand.number, type, operand.at);
}

bool takeTensors(IrBuilder& emit, llvm::MutableArrayRef<Operand> operands) {
  if (!emit.follows(releases::Rule::FunctionsTakeTensors)) return true;
  for (Operand& operand : operands)
    if (!(operand.tensor = toTensor(emit, operand))) return false;
  return true;
}

bool widenBfloat16(IrBuilder& emit, llvm::MutableArrayRef<Operand> operands) {
  if (!emit.follows(releases::Rule::Bfloat16Widens)) return true;
  for (Operand& operand : operands)
    if (operand.tensor && operand.tensor.scalar()->isScalar(ScalarKind::Bf16))
      if (!(operand.tensor = cast(emit, operand.tensor, scalarType(ScalarKind::Fp32), operand.at)))
        return false;
  return true;
}

Tensor makeScalar(IrBuilder& emit, Value value, const Type* scalar, const Node* at) {
  if (Tensor tensor = asTensor(value)) {
    if (tensor.isBlock() && tensor.type->numel() != 1) {
      emit.error(Id::NotAnInteger, at, "value", "a scalar", value);
      return {};
    }
    return cast(emit, tensor, scalar, at);
  }
  auto operand = asOperand(emit, value, at);
  return operand ? constant(emit, operand->number, scalar, at) : Tensor();
}

// ---------------------------------------------------------------- for the visitor (Operators.h)

Value toTensor(IrBuilder& emit, Value value, const Node* at) {
  if (asTensor(value)) return value;
  auto operand = asOperand(emit, value, at);
  return operand ? wrap(emit, toTensor(emit, *operand)) : Value::unknown();
}

Value scalarConstant(IrBuilder& emit, Value number, const Type* type, const Node* at) {
  if (!isNumber(number.unwrapped())) return emit.error(Id::NotATensor, at, "value", number);
  return wrap(emit, constant(emit, number.unwrapped(), type->scalar(), at));
}

const Type* toTensorType(IrBuilder& emit, const Type* type) {
  if (!type->is(TypeKind::Constexpr)) return type;
  Value value = type->constant();
  if (value.is(ValueKind::Type)) return value.asType();
  return isNumber(value) ? typeOfNumber(value) : nullptr;
}

} // namespace gluond::codegen
