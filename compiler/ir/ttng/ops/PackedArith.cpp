// The packed arithmetic instructions that exist.
#include "ir/layouts/Layouts.h"
#include "ir/ttng/Ops.h"
#include "layout/named/Properties.h"

using namespace mlir;

namespace gluond::ttng {

static const PackedType& packedType(Type type) {
  static constexpr PackedType f32{"f32x2", 2, 64, 'f'}, f16{"f16x2", 2, 32, 'h'},
      bf16{"bf16x2", 2, 32, 'b'}, e5m2{"e5m2x4", 4, 32, '5'}, e4m3{"e4m3x4", 4, 32, '4'},
      e2m1{"e2m1x4", 4, 16, '2'}, ue8m0{"ue8m0x4", 4, 32, 'u'};
  if (type.isF32()) return f32;
  if (type.isF16()) return f16;
  if (type.isBF16()) return bf16;
  if (isa<Float8E5M2Type>(type)) return e5m2;
  if (isa<Float8E4M3FNType>(type)) return e4m3;
  if (isa<Float8E8M0FNUType>(type)) return ue8m0;
  return e2m1; // int8, the op takes nothing else
}

namespace {
// Types by their letters: one of them; "=" the result's, "!" the other one of f16 and bf16.
struct Signature {
  StringRef operations, result, operands[3], modifiers;
  unsigned suffixes;
};
constexpr StringRef half = "hb", pairs = "fhb", fours = "542u", smallResult = "54";
constexpr Signature signatures[] = {
    {"add sub mul", pairs, {"=", "="}, "", 0},
    {"fma", pairs, {"=", "=", "="}, "rn", 0},
    {"min max", half, {"=", "="}, "", 0},
    {"add sub", "f", {half, "f"}, "", 2},
    {"add sub", "h", {"f", "f"}, "rz.ftz", 2},
    {"add sub", "b", {"f", "f"}, "rz", 2},
    {"mul", "h", {"f", "f"}, "ftz.rz", 2},
    {"mul", "b", {"f", "f"}, "rz", 2},
    {"mul", half, {"=", "!"}, "", 2},
    {"fma", "f", {half, "f", "f"}, "rn", 3},
    {"add sub", smallResult, {fours, "="}, "", 1},
    {"mul", smallResult, {fours, fours}, "", 2},
    {"fma", smallResult, {fours, fours, "="}, "", 2},
};
} // namespace

std::optional<PackedInstruction> packedInstruction(PackedArithOp op) {
  PackedInstruction result{
      &packedType(cast<RankedTensorType>(op.getResult().getType()).getElementType()), {}, "", 0};
  for (Type type : op.getOperandTypes())
    result.operands.push_back(&packedType(cast<RankedTensorType>(type).getElementType()));
  auto matches = [&](StringRef kinds, const PackedType* type) {
    if (kinds == "=") return type == result.result;
    if (kinds == "!") return type != result.result && half.contains(type->kind);
    return kinds.contains(type->kind);
  };
  for (const Signature& signature : signatures) {
    if (!signature.operations.contains(stringifyPackedArithOpKind(op.getOpKind())) ||
        !matches(signature.result, result.result) ||
        result.operands.size() > std::size(signature.operands))
      continue;
    bool all = true;
    for (auto [kinds, type] : llvm::zip(signature.operands, result.operands))
      all &= matches(kinds, type);
    if (!all) continue;
    result.modifiers = signature.modifiers;
    result.operandSuffixes = signature.suffixes;
    return result;
  }
  return std::nullopt;
}

std::optional<unsigned> packedFp4Axis(PackedArithOp op) {
  ArrayRef<int64_t> full = cast<RankedTensorType>(op.getResult().getType()).getShape();
  std::optional<unsigned> axis;
  for (Type operand : op.getOperandTypes()) {
    auto type = cast<RankedTensorType>(operand);
    if (!type.getElementType().isInteger(8)) continue;
    if (type.getShape().size() != full.size()) return std::nullopt;
    SmallVector<unsigned> differing;
    for (unsigned i = 0; i < full.size(); ++i)
      if (type.getShape()[i] != full[i]) differing.push_back(i);
    if (differing.size() != 1 || 2 * type.getShape()[differing[0]] != full[differing[0]] ||
        (axis && *axis != differing[0]))
      return std::nullopt;
    axis = differing[0];
  }
  return axis;
}

LogicalResult PackedArithOp::verify() {
  StringRef name = stringifyPackedArithOpKind(getOpKind());
  unsigned expected = getOpKind() == PackedArithOpKind::FMA ? 3 : 2;
  if (getNumOperands() != expected)
    return emitOpError() << name << " expects " << expected << " operands but got "
                         << getNumOperands();
  auto type = cast<RankedTensorType>(getResult().getType());
  auto isDistributed = [](RankedTensorType tensor) {
    return isa_and_nonnull<ttg::DistributedEncodingTrait>(tensor.getEncoding());
  };
  if (!isDistributed(type)) return emitOpError("requires a distributed tensor layout");

  auto instruction = packedInstruction(*this);
  const PackedType& result = packedType(type.getElementType());
  if (!instruction) {
    auto diag = emitOpError() << "unsupported " << name << " signature " << result.suffix
                              << " <- (";
    llvm::interleaveComma(getOperandTypes(), diag, [&](Type operand) {
      diag << packedType(cast<RankedTensorType>(operand).getElementType()).suffix;
    });
    return diag << ")";
  }
  auto isFp4 = [](const PackedType* operand) { return operand->kind == '2'; };
  auto axis = packedFp4Axis(*this);
  if (!axis && llvm::any_of(instruction->operands, isFp4))
    return emitOpError("requires every fp4 operand to have the result shape with the same single "
                       "dimension halved");
  const layout::LinearLayout& linear = ir::toLinearLayout(type);
  if (!linear.valid()) return emitOpError("requires a distributed tensor layout");
  int64_t registers = layout::uniqueElementsPerThread(linear);
  if (registers < result.lanes || registers % result.lanes != 0)
    return emitOpError() << "result layout must provide a multiple of " << result.lanes
                         << " unique elements per thread";

  auto* interface = tt::inferLayout(type.getEncoding());
  FailureOr<Attribute> packed = failure();
  if (axis && interface)
    packed = interface->fp4ToFp(type.getShape(), *axis, type.getEncoding(), /*forward=*/false,
                                std::nullopt);
  auto isSame = [&](ArrayRef<int64_t> shape, Attribute a, Attribute b) {
    return interface && succeeded(interface->verifyEqual(shape, a, b, std::nullopt));
  };
  for (auto [index, operand] : llvm::enumerate(getOperandTypes())) {
    auto tensor = cast<RankedTensorType>(operand);
    if (isFp4(instruction->operands[index])) {
      if (!isDistributed(tensor) || failed(packed) ||
          !isSame(tensor.getShape(), *packed, tensor.getEncoding()))
        return emitOpError() << "fp4 operand " << index
                             << " must have a layout compatible with the result";
      continue;
    }
    if (tensor.getShape() != type.getShape())
      return emitOpError() << "operand " << index << " must have the result shape "
                           << type.getShape() << ", but got " << tensor.getShape();
    if (!isDistributed(tensor) ||
        !isSame(type.getShape(), tensor.getEncoding(), type.getEncoding()))
      return emitOpError() << "operand " << index << " must have a layout equivalent to the result";
  }
  return success();
}

} // namespace gluond::ttng
