// Matrix products on registers: shared code, mma_v2, dot_fma.
#include "chips/MatrixInstructions.h"
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/rules/common/Args.h"
#include "ir/tt/Ops.h"
#include "layout/named/FieldNames.h"

namespace gluond::codegen {

using language::isA;

// input_precision as an attribute; None is the target's default. nullopt after reporting.
std::optional<tt::InputPrecision> inputPrecision(IrBuilder& emit, Value value, const Node* at) {
  std::string name;
  if (value.isNone())
    name = emit.options().defaultDotInputPrecision;
  else if (auto* text = value.as<language::StrObject>())
    name = text->text.lower();
  if (!llvm::is_contained(emit.options().allowedDotInputPrecisions, name)) {
    std::string known;
    for (const std::string& allowed : emit.options().allowedDotInputPrecisions)
      known += (known.empty() ? "" : ", ") + allowed;
    emit.error(Id::BadArgument, at,
               "input_precision must be one of " + known + ", not " + emit.text(value));
    return std::nullopt;
  }
  return tt::symbolizeInputPrecision(name);
}

// Offers to convert the wider of two floating-point operands, as for the probabilities of
// attention.
static void offerNarrower(IrBuilder& emit, Reported& reported, const Arguments& args, const Type* a,
                          const Type* b) {
  if (!a->isStandardFloat() || !b->isStandardFloat() || emit.languageName().empty()) return;
  bool isFirst = a->bits() > b->bits();
  auto* operand = llvm::dyn_cast_if_present<syntax::Expr>(args.node(isFirst ? 0 : 1));
  if (!operand) return;
  std::string text = primaryText(emit, operand) + ".to(" + emit.languageName() + "." +
                     (isFirst ? b : a)->info().attribute.str() + ")";
  reported.fix(FixId::TryText, {{operand->range, text}}, text);
}

Tensor dot(IrBuilder& emit, Tensor a, Tensor b, Tensor acc, Value precision,
           const Arguments& args) {
  auto refuse = [&](size_t i, const llvm::Twine& problem) {
    emit.error(Id::BadArgument, args.node(i), problem.str());
    return Tensor();
  };
  const Type *aType = a.scalar(), *bType = b.scalar();
  if (!(aType->isFp8() && bType->isFp8())) {
    auto allowed = [](const Type* type) {
      return type->isScalar(ScalarKind::Int8) || type->isScalar(ScalarKind::UInt8) ||
             type->isStandardFloat();
    };
    if (!allowed(aType))
      return emit.error(Id::UnexpectedType, args.node(0), "a matrix product", aType), Tensor();
    if (!allowed(bType))
      return emit.error(Id::UnexpectedType, args.node(1), "a matrix product", bType), Tensor();
    if (aType != bType) {
      auto reported = emit.error(Id::DtypeMismatch, args.node(1),
                                 "the operands must have the same dtype", aType, bType);
      offerNarrower(emit, reported, args, aType, bType);
      return {};
    }
  }
  // Formats that a chip emulates are widened first.
  auto deprecated = [&](ScalarKind kind, llvm::StringRef name) {
    return (aType->isScalar(kind) || bType->isScalar(kind)) &&
           llvm::is_contained(emit.options().deprecatedFp8DotOperandDtypes, name.str());
  };
  bool e4b15 = aType->isScalar(ScalarKind::Fp8e4b15) || bType->isScalar(ScalarKind::Fp8e4b15);
  if (e4b15 || deprecated(ScalarKind::Fp8e4b8, "fp8e4b8") ||
      deprecated(ScalarKind::Fp8e5b16, "fp8e5b16")) {
    a = cast(emit, a, scalarType(ScalarKind::Fp16), args.node(0));
    b = a ? cast(emit, b, scalarType(ScalarKind::Fp16), args.node(1)) : Tensor();
    if (!b) return {};
    aType = a.scalar();
    bType = b.scalar();
  }
  auto mode = inputPrecision(emit, precision, args.call);
  if (!mode) return {};
  auto aShape = a.shape(), bShape = b.shape();
  size_t rank = aShape.size();
  if (rank != bShape.size() || (rank != 2 && rank != 3))
    return refuse(1, "both operands must have two or three dimensions, but their shapes are " +
                         shapeText(aShape) + " and " + shapeText(bShape));
  if (aShape[rank - 1] != bShape[rank - 2])
    return refuse(1, "the inner dimensions of " + shapeText(aShape) + " and " + shapeText(bShape) +
                         " differ");
  int64_t minimum = 1;
  if (emit.target().isCuda()) {
    if (aType->bits() != bType->bits())
      return refuse(1, "both operands must have the same number of bits");
    minimum = aType->bits() == 8 ? 32 : aType->bits() == 64 ? 4 : aType->bits() == 32 ? 8 : 16;
  }
  if (aShape[rank - 1] < minimum)
    return refuse(0, "the inner dimension must be at least " + std::to_string(minimum) + ", not " +
                         std::to_string(aShape[rank - 1]));
  const Type* out = acc.scalar();
  const Type* result;
  if (aType->isInt()) {
    if (!aType->isScalar(ScalarKind::Int8))
      return refuse(0, "integer operands must have elements of type int8, but these have " +
                           emit.text(aType));
    result = scalarType(ScalarKind::Int32);
  } else if (out->isScalar(ScalarKind::Bf16)) {
    return refuse(
        2, "an accumulator of bfloat16 is not supported: use float32 and convert the result");
  } else if (aType->isScalar(ScalarKind::Fp32) || aType->isScalar(ScalarKind::Bf16)) {
    result = scalarType(ScalarKind::Fp32);
  } else {
    result = aType->isScalar(ScalarKind::Fp64) ? aType : out;
  }
  // Triton creates the zero for an absent accumulator, and does not use it.
  if (aType->isInt())
    emit.constantInt(0, 32);
  else if (aType->isScalar(ScalarKind::Fp64))
    emit.constantFloat(0, emit.opBuilder().getF64Type());
  else if (result->isScalar(ScalarKind::Fp16))
    emit.constantFloat(0, emit.opBuilder().getF16Type());
  else
    emit.constantFloat(0, emit.opBuilder().getF32Type());
  llvm::SmallVector<int64_t, 3> shape;
  if (rank == 3) shape.push_back(aShape[0]);
  shape.push_back(aShape[rank - 2]);
  shape.push_back(bShape[rank - 1]);
  if (acc.shape() != llvm::ArrayRef<int64_t>(shape))
    return refuse(2, "the accumulator must have shape " + shapeText(shape) + ", not " +
                         shapeText(acc.shape()));
  int32_t imprecise = aType->isFp8() && bType->isFp8()
                          ? static_cast<int32_t>(emit.options().maxNumImpreciseAccDefault)
                          : 0;
  return {emit.create<tt::DotOp>(acc.handle.getType(), a.handle, b.handle, acc.handle, *mode,
                                 static_cast<uint32_t>(imprecise)),
          acc.type};
}

// Offers to convert an operand to the layout that the product with this accumulator needs.
static void offerOperandLayout(IrBuilder& emit, Reported reported, const Node* at, size_t index,
                               Tensor operand, Tensor acc) {
  std::string language = emit.languageName();
  unsigned bits = operand.scalar()->bits();
  if (!llvm::isa<syntax::Expr>(at) || language.empty() || bits == 0 || bits > 32) return;
  // A register of NVIDIA's holds 32 bits of an operand, a lane of MFMA its part of an instruction's
  // K; without matrix instructions there is no such width.
  const LayoutObject* layout = acc.type->layout();
  int64_t width = isA(layout, LayoutKind::NVMMADistributedLayout) ? 32 / bits : 0;
  if (isA(layout, LayoutKind::AMDMFMALayout)) {
    auto shape = language::ints(*language::field(*layout, layout::fields::instrShape));
    if (!shape || shape->size() != 3) return;
    width = std::max<int64_t>((*shape)[2] * (*shape)[index] / chips::mfmaLanes, 1);
  }
  std::string text = language + ".convert_layout(" + emit.sourceText(at).str() + ", " + language +
                     ".DotOperandLayout(" + std::to_string(index) + ", " +
                     layoutText(emit, layout) + ", " + std::to_string(width) + "))";
  reported.fix(FixId::TryText, {{at->range, text}}, text);
}

// Offers the layout whose operand layouts the operands have, where the accumulator is made.
static void offerAccumulatorLayout(IrBuilder& emit, Reported reported, const Node* at, Tensor a) {
  const LayoutObject* layout = a.type->layout();
  const Value* field = layout ? language::field(*layout, layout::fields::parent) : nullptr;
  auto* parent = field ? field->as<LayoutObject>() : nullptr;
  auto* call = llvm::dyn_cast_if_present<syntax::Call>(assignedValue(emit, at));
  if (!parent || !isA(layout, LayoutKind::DotOperandLayout) || !call) return;
  const syntax::Expr* written = call->args.size() > 2 ? call->args.back() : nullptr;
  for (const syntax::Keyword& keyword : call->keywords)
    if (emit.names().text(keyword.name.name) == "layout") written = keyword.value;
  std::string text = layoutText(emit, parent);
  if (written && !text.empty()) reported.fix(FixId::TryText, {{written->range, text}}, text);
}

// Reports a DotOperandLayout for the other operand of a matrix product.
static bool checkOperandIndex(IrBuilder& emit, const Node* at, const LayoutObject* layout,
                              size_t index) {
  const Value* found = isA(layout, LayoutKind::DotOperandLayout)
                           ? language::field(*layout, layout::fields::opIdx)
                           : nullptr;
  if (!found || !found->isIntegral() || found->asInt() == static_cast<int64_t>(index)) return true;
  std::string wrong = std::to_string(found->asInt()), right = std::to_string(index);
  auto reported =
      emit.error(Id::BadArgument, at,
                 "the layout of the " + std::string(index == 0 ? "first" : "second") +
                     " operand has operand_index " + wrong + ", but " + right + " is needed");
  offerSwap(emit, reported, emit.node(), at); // the operands themselves may be swapped
  auto* made = layoutConstructor(emit, at, "DotOperandLayout");
  auto* written = made ? constructorArgument(emit, *made, 0, layout::fields::opIdx) : nullptr;
  if (written) reported.fix(FixId::UseLayoutEntry, {{written->range, right}}, wrong, right);
  auto place = emit.placeOf(layout, layout::fields::opIdx);
  if (!written && place && place->argument && place->location().file == place->use.file)
    reported.fix(FixId::UseLayoutEntry, {{place->argument->range, right}}, wrong, right);
  return false;
}

bool checkDotOperands(IrBuilder& emit, const Arguments& args, Tensor a, Tensor b, Tensor acc) {
  Tensor operands[] = {a, b};
  for (size_t i = 0; i < 2; ++i) {
    const LayoutObject* layout = operands[i].type->layout();
    std::string which = i == 0 ? "a" : "b";
    if (!isA(layout, LayoutKind::DotOperandLayout))
      return offerOperandLayout(
                 emit,
                 emit.error(Id::NotALayout, args.node(i), which, "dot operand", emit.text(layout)),
                 args.node(i), i, operands[i], acc),
             false;
    auto* parent = language::field(*layout, layout::fields::parent)->as<LayoutObject>();
    if (!parent || !language::equal(*parent, *acc.type->layout())) {
      emit.error(Id::OperandLayoutMismatch, args.node(i), "parent layout of " + which,
                 emit.text(parent), "accumulator", emit.text(acc.type->layout()))
          .related(NoteId::LayoutFrom, args.node(2), acc.type->layout());
      return false;
    }
    if (!checkOperandIndex(emit, args.node(i), layout, i)) return false;
  }
  return true;
}

bool productArguments(IrBuilder& emit, const Arguments& args, Tensor& a, Tensor& b, Tensor& acc) {
  return (a = blockArgument(emit, args, 0, "a")) && (b = blockArgument(emit, args, 1, "b")) &&
         (acc = blockArgument(emit, args, 2, "acc"));
}

namespace rules {

Value mmaV2(IrBuilder& emit, const Arguments& args) {
  Tensor a, b, acc;
  if (!productArguments(emit, args, a, b, acc)) return Value::unknown();
  const LayoutObject* layout = acc.type->layout();
  auto version = isA(layout, LayoutKind::NVMMADistributedLayout)
                     ? language::ints(*language::field(*layout, layout::fields::version))
                     : std::nullopt;
  if (!version || version->size() != 2 || (*version)[0] != 2 || (*version)[1] != 0) {
    auto reported =
        emit.error(Id::NotALayout, args.node(2), "acc", "version [2, 0] NVMMA", emit.text(layout));
    offerAccumulatorLayout(emit, reported, args.node(2), a);
    return reported;
  }
  if (!checkDotOperands(emit, args, a, b, acc)) return Value::unknown();
  return wrap(emit, dot(emit, a, b, acc, args.unwrapped(3), args));
}

Value dotFma(IrBuilder& emit, const Arguments& args) {
  Tensor a, b, acc;
  if (!productArguments(emit, args, a, b, acc)) return Value::unknown();
  if (!isA(acc.type->layout(), LayoutKind::BlockedLayout))
    return emit.error(Id::NotALayout, args.node(2), "acc", "blocked",
                      emit.text(acc.type->layout()));
  if (!checkDotOperands(emit, args, a, b, acc)) return Value::unknown();
  constexpr int64_t mostUnrolled = 1 << 19;
  llvm::SmallVector<int64_t, 4> sizes(acc.shape());
  if (!a.shape().empty()) sizes.push_back(a.shape().back());
  int64_t products = 1;
  for (int64_t size : sizes)
    products = llvm::SaturatingMultiply<uint64_t>(products, size);
  if (products > mostUnrolled) emit.warning(Id::LargeFma, args.call, shapeText(sizes), products);
  return wrap(emit, dot(emit, a, b, acc, Value::none(), args));
}

} // namespace rules

} // namespace gluond::codegen
