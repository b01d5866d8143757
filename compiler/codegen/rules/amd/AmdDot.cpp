// Matrix products of AMD's chips on registers: MFMA, WMMA, and both with block scales.
#include "chips/MatrixInstructions.h"
#include "codegen/rules/common/Args.h"
#include "ir/tt/Ops.h"
#include "language/types/ComputedLayouts.h"
#include "layout/named/FieldNames.h"

namespace gluond::codegen {

using language::field;
using language::isA;

namespace rules {

// "a" or "v", as an attribute of the dot; nullopt after reporting.
static std::optional<llvm::StringRef> registerClass(IrBuilder& emit, const Arguments& args,
                                                    size_t i, Tensor acc) {
  if (isNone(args, i)) return llvm::StringRef();
  auto name = stringArgument(emit, args, i, "cd_regclass");
  if (!name) return std::nullopt;
  if (*name != "a" && *name != "v") {
    emit.error(Id::BadArgument, args.node(i), "cd_regclass must be None, 'a' or 'v'");
    return std::nullopt;
  }
  if (isA(acc.type->layout(), LayoutKind::AMDMFMALayout)) return name;
  emit.error(Id::NotALayout, args.node(i), "acc", "AMDMFMALayout", emit.text(acc.type->layout()));
  return std::nullopt;
}

static void setRegisterClass(IrBuilder& emit, Tensor result, llvm::StringRef name) {
  if (!name.empty())
    result.handle.getDefiningOp()->setAttr("amdg.cd_regclass",
                                           emit.opBuilder().getStringAttr(name));
}

Value mfma(IrBuilder& emit, const Arguments& args) {
  Tensor a, b, acc;
  if (!productArguments(emit, args, a, b, acc)) return Value::unknown();
  if (!checkDotOperands(emit, args, a, b, acc)) return Value::unknown();
  auto name = registerClass(emit, args, 3, acc);
  Tensor result = name ? dot(emit, a, b, acc, Value::none(), args) : Tensor();
  if (!result) return Value::unknown();
  setRegisterClass(emit, result, *name);
  return wrap(emit, result);
}

// _verify_wmma
static bool checkWmma(IrBuilder& emit, const Arguments& args, Tensor a, Tensor b, Tensor acc,
                      int version, size_t bIndex, size_t accIndex) {
  auto isWmma = [&](const LayoutObject* layout) {
    return isA(layout, LayoutKind::AMDWMMALayout) &&
           language::field(*layout, layout::fields::version)->isIntegral() &&
           language::field(*layout, layout::fields::version)->asInt() == version;
  };
  std::string number = std::to_string(version), wanted = "version " + number + " WMMA";
  if (!isWmma(acc.type->layout())) {
    const LayoutObject* layout = acc.type->layout();
    auto reported =
        emit.error(Id::NotALayout, args.node(accIndex), "acc", wanted, emit.text(layout));
    auto place = isA(layout, LayoutKind::AMDWMMALayout)
                     ? emit.placeOf(layout, layout::fields::version)
                     : std::nullopt;
    if (place && place->argument && place->location().file == place->use.file)
      reported.fix(FixId::UseLayoutEntry, {{place->argument->range, number}},
                   place->layout.locations->file().text->slice(place->argument->range), number);
    return false;
  }
  Tensor operands[] = {a, b};
  size_t at[] = {0, bIndex};
  for (size_t i = 0; i < 2; ++i) {
    const LayoutObject* layout = operands[i].type->layout();
    bool fits = isA(layout, LayoutKind::DotOperandLayout) &&
                isWmma(language::field(*layout, layout::fields::parent)->as<LayoutObject>());
    if (!fits)
      return emit.error(Id::NotALayout, args.node(at[i]), i ? "b" : "a", wanted + " dot operand",
                        emit.text(layout)),
             false;
  }
  return true;
}

Value wmma(IrBuilder& emit, const Arguments& args, int version) {
  Tensor a, b, acc;
  if (!productArguments(emit, args, a, b, acc) ||
      !checkWmma(emit, args, a, b, acc, version, 1, 2) || !checkDotOperands(emit, args, a, b, acc))
    return Value::unknown();
  return wrap(emit, dot(emit, a, b, acc, Value::none(), args));
}

// ---------------------------------------------------------------- block scales

// (a, a_scale, a_format, b, b_scale, b_format, acc, ...)
struct ScaledOperand {
  Tensor tensor, scale; // no scale: a number in `value`, or None
  Value value;
  llvm::StringRef format;
  tt::ScaleDotElemType type = tt::ScaleDotElemType::E4M3;
  size_t at = 0; // index of the operand; its scale and format follow
  bool isFp4() const { return type == tt::ScaleDotElemType::E2M1; }
  // A scale of one element represents a full tensor of it.
  bool hasFullScale() const { return scale && (scale.isBlock() ? scale.type->numel() : 1) != 1; }
  std::optional<llvm::ArrayRef<int64_t>> scaleShape() const {
    return hasFullScale() ? std::optional(scale.shape()) : std::nullopt;
  }
};

static bool scaledOperand(IrBuilder& emit, const Arguments& args, size_t at, llvm::StringRef name,
                          ScaledOperand& out) {
  out.at = at;
  if (!(out.tensor = blockArgument(emit, args, at, name))) return false;
  auto format = stringArgument(emit, args, at + 2, "format");
  if (!format) return false;
  out.format = *format;
  if (*format == "e2m1")
    out.type = tt::ScaleDotElemType::E2M1;
  else if (*format == "e4m3")
    out.type = tt::ScaleDotElemType::E4M3;
  else if (*format == "e5m2")
    out.type = tt::ScaleDotElemType::E5M2;
  else
    return emit.error(Id::BadArgument, args.node(at + 2),
                      "format '" + format->str() + "' is not one of e2m1, e4m3, e5m2"),
           false;
  out.value = args.unwrapped(at + 1);
  out.scale = asTensor(out.value);
  if (out.scale || out.value.isNone() || isNumber(out.value)) return true;
  emit.error(Id::NotATensor, args.node(at + 1), "scale", args[at + 1]);
  return false;
}

// _bitcast_to_fp_type
static bool bitcastToFormat(IrBuilder& emit, const Arguments& args, ScaledOperand& operand) {
  const Type* scalar = operand.tensor.scalar();
  if (operand.isFp4()) {
    if (scalar->isScalar(ScalarKind::UInt8)) return true;
    emit.error(Id::DtypeMismatch, args.node(operand.at), "packed e2m1", "uint8", scalar);
    return false;
  }
  const Type* wanted = scalarType(operand.type == tt::ScaleDotElemType::E4M3 ? ScalarKind::Fp8e4nv
                                                                             : ScalarKind::Fp8e5);
  if (same(scalar, wanted)) return true;
  if (!scalar->isScalar(ScalarKind::UInt8)) {
    emit.error(Id::DtypeMismatch, args.node(operand.at), operand.format,
               "uint8 or the float itself", scalar);
    return false;
  }
  operand.tensor = bitcast(emit, operand.tensor, wanted, args.node(operand.at));
  return static_cast<bool>(operand.tensor);
}

using ScaleLayout = tl::expected<const LayoutObject*, language::RaisedException> (*)(
    const LayoutObject&, llvm::ArrayRef<int64_t>, int64_t, language::Heap&);

// _create_and_broadcast_default_scale
static bool fillScale(IrBuilder& emit, const Arguments& args, ScaledOperand& operand,
                      const ScaledOperand& other, unsigned index, int64_t factor,
                      ScaleLayout layoutOf) {
  llvm::SmallVector<int64_t, 3> shape(operand.tensor.shape());
  size_t rank = shape.size(), k = index == 0 ? rank - 1 : rank - 2;
  shape[k] = shape[k] * (operand.isFp4() ? 2 : 1) / factor;
  if (index == 1) std::swap(shape[rank - 2], shape[rank - 1]);
  if (operand.hasFullScale()) {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    if (operand.scale.type->numel() == count) return true;
    emit.error(Id::BadArgument, args.node(operand.at + 1),
               "the scale has shape " + shapeText(operand.scale.shape()) + ", but shape " +
                   shapeText(shape) + " is required");
    return false;
  }
  auto layout = layoutOf(*operand.tensor.type->layout(), shape, factor, emit.heap());
  if (!layout)
    return emit.error(Id::BadArgument, args.node(operand.at), layout.error().message), false;
  Value value = operand.value;
  const Type* dtype = scalarType(ScalarKind::UInt8);
  if (value.isNone()) {
    value = Value::integer(0x7F);
    // Both packed: both scales of one type.
    if (other.scale && operand.isFp4() && other.isFp4()) {
      dtype = other.scale.scalar();
      if (dtype->isScalar(ScalarKind::Fp8e4nv)) value = Value::real(1.0);
    }
  } else if (operand.scale)
    dtype = operand.scale.scalar();
  else if (value.is(ValueKind::Float))
    dtype = scalarType(ScalarKind::Fp8e4nv);
  Tensor scalar = makeScalar(emit, value, dtype, args.node(operand.at + 1));
  const Type* type =
      scalar ? tensorType(emit, dtype, shape, *layout, args.node(operand.at + 1)) : nullptr;
  if (!type) return false;
  operand.scale = splat(emit, scalar, type);
  return true;
}

static Tensor scaledProduct(IrBuilder& emit, const Arguments& args, ScaledOperand& a,
                            ScaledOperand& b, Tensor acc, ScaleLayout layoutOf) {
  std::string problem;
  auto factor = tt::deduceScaleFactor(a.tensor.shape(), a.scaleShape(), a.type, true,
                                      b.tensor.shape(), b.scaleShape(), b.type, true, problem);
  if (failed(factor)) return emit.error(Id::BadArgument, args.call, problem), Tensor();
  if (!fillScale(emit, args, a, b, 0, *factor, layoutOf) ||
      !fillScale(emit, args, b, a, 1, *factor, layoutOf))
    return {};
  if (!bitcastToFormat(emit, args, a) || !bitcastToFormat(emit, args, b)) return {};
  auto aShape = a.tensor.shape(), bShape = b.tensor.shape();
  size_t rank = aShape.size();
  auto refuse = [&](size_t i, const std::string& problem) {
    emit.error(Id::BadArgument, args.node(i), problem);
    return Tensor();
  };
  if (rank != bShape.size() || (rank != 2 && rank != 3))
    return refuse(b.at, "both operands must have two or three dimensions, not " +
                            shapeText(aShape) + " and " + shapeText(bShape));
  int64_t k = aShape[rank - 1] * (a.isFp4() ? 2 : 1);
  if (k != bShape[rank - 2] * (b.isFp4() ? 2 : 1))
    return refuse(b.at, "the inner dimensions of " + shapeText(aShape) + " and " +
                            shapeText(bShape) + " differ");
  llvm::SmallVector<int64_t, 3> shape(aShape);
  shape[rank - 1] = bShape[rank - 1];
  emit.constantFloat(0, emit.opBuilder().getF32Type()); // Triton's unused zero
  if (acc.shape() != llvm::ArrayRef<int64_t>(shape))
    return refuse(6, "the accumulator must have shape " + shapeText(shape) + ", not " +
                         shapeText(acc.shape()));
  if (!acc.scalar()->isScalar(ScalarKind::Fp32))
    return emit.error(Id::DtypeMismatch, args.node(6), "acc", scalarType(ScalarKind::Fp32),
                      acc.scalar()),
           Tensor();
  for (auto [operand, size] : {std::pair(&a, aShape[rank - 2]), std::pair(&b, bShape[rank - 1])}) {
    int64_t wanted[] = {size, k / *factor};
    auto scale = operand->scale.shape();
    if (scale.size() < 2 || scale.take_back(2) != llvm::ArrayRef<int64_t>(wanted))
      return refuse(operand->at + 1,
                    "the scale must have shape " + shapeText(wanted) + ", not " + shapeText(scale));
  }
  return {emit.create<tt::DotScaledOp>(acc.handle.getType(), a.tensor.handle, b.tensor.handle,
                                       acc.handle, a.scale.handle, b.scale.handle, a.type, b.type,
                                       false, true, true),
          acc.type};
}

Value mfmaScaled(IrBuilder& emit, const Arguments& args) {
  ScaledOperand a, b;
  Tensor acc = blockArgument(emit, args, 6, "acc");
  if (!acc || !scaledOperand(emit, args, 0, "a", a) || !scaledOperand(emit, args, 3, "b", b))
    return Value::unknown();
  if (!isA(acc.type->layout(), LayoutKind::AMDMFMALayout))
    return emit.error(Id::NotALayout, args.node(6), "acc", "AMDMFMALayout",
                      emit.text(acc.type->layout()));
  for (const ScaledOperand* operand : {&a, &b}) {
    const LayoutObject* layout = operand->tensor.type->layout();
    auto* parent = isA(layout, LayoutKind::DotOperandLayout)
                       ? field(*layout, layout::fields::parent)->as<LayoutObject>()
                       : nullptr;
    if (!parent || !language::equal(*parent, *acc.type->layout()))
      return emit.error(Id::NotALayout, args.node(operand->at), operand == &a ? "a" : "b",
                        "dot operand of the accumulator's layout", emit.text(layout));
  }
  auto name = registerClass(emit, args, 7, acc);
  Tensor result = name ? scaledProduct(emit, args, a, b, acc, language::mfmaScaleLayout) : Tensor();
  if (!result) return Value::unknown();
  setRegisterClass(emit, result, *name);
  return wrap(emit, result);
}

// Which formats of scales go with which of operands.
static bool scalesFit(const ScaledOperand& a, const ScaledOperand& b) {
  bool aRaw = !a.scale.scalar()->isFloat(), bRaw = !b.scale.scalar()->isFloat();
  if (aRaw && bRaw) return true;
  if (a.isFp4() && b.isFp4()) return !aRaw && !bRaw;
  return aRaw ? b.isFp4() : a.isFp4() && bRaw;
}

Value wmmaScaled(IrBuilder& emit, const Arguments& args) {
  ScaledOperand a, b;
  Tensor acc = blockArgument(emit, args, 6, "acc");
  if (!acc || !scaledOperand(emit, args, 0, "a", a) || !scaledOperand(emit, args, 3, "b", b))
    return Value::unknown();
  if (!checkWmma(emit, args, a.tensor, b.tensor, acc, 3, 3, 6)) return Value::unknown();
  auto tile = [](const LayoutObject* layout) {
    return language::ints(*field(*layout, layout::fields::instrShape))
        .value_or(llvm::SmallVector<int64_t, 4>());
  };
  auto isTile = [](llvm::ArrayRef<int64_t> tile, int64_t m, int64_t k) {
    return tile == llvm::ArrayRef<int64_t>({m, 16, k});
  };
  for (const ScaledOperand* operand : {&a, &b}) {
    if (!operand->isFp4()) continue;
    auto shape =
        tile(field(*operand->tensor.type->layout(), layout::fields::parent)->as<LayoutObject>());
    if (!isTile(shape, 16, 64) && !isTile(shape, 32, 64))
      return emit.error(Id::BadArgument, args.node(operand->at),
                        "e2m1 needs a layout with instr_shape [16, 16, 64] or [32, 16, 64], not " +
                            shapeText(shape));
  }
  auto shape = tile(acc.type->layout());
  chips::Mnk instruction = {};
  if (shape.size() == instruction.size()) llvm::copy(shape, instruction.begin());
  if (!chips::hasScaledWmmaShape(instruction, a.isFp4() && b.isFp4()))
    return emit.error(
        Id::BadArgument, args.node(6),
        "the accumulator's instr_shape must be [16, 16, 128], or [32, 16, 128] for e2m1, not " +
            shapeText(shape));
  if (a.scale && b.scale) {
    for (const ScaledOperand* operand : {&a, &b}) {
      const Type* scalar = operand->scale.scalar();
      if (!scalar->isScalar(ScalarKind::Fp8e4nv) && !scalar->isScalar(ScalarKind::Int8) &&
          !scalar->isScalar(ScalarKind::UInt8))
        return emit.error(Id::DtypeMismatch, args.node(operand->at + 1), "scale",
                          "int8, uint8 or float8e4nv", scalar);
    }
    if (!scalesFit(a, b))
      return emit.error(Id::BadArgument, args.node(b.at + 1),
                        "these formats of operands and scales cannot be combined");
  }
  return wrap(emit, scaledProduct(emit, args, a, b, acc, language::wmmaScaleLayout));
}

} // namespace rules

} // namespace gluond::codegen
