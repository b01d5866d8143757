// gl.arange, gl.full, gl.to_tensor.
#include "codegen/rules/common/Args.h"
#include "ir/tt/Ops.h"

namespace gluond::codegen {

using language::LayoutFamily;

namespace rules {

// A layout argument that may be left out: AutoLayout then.
static const LayoutObject* layoutOrAuto(IrBuilder& emit, const Arguments& args, size_t i) {
  if (isNone(args, i))
    return language::makeLayoutUnchecked(LayoutKind::AutoLayout, {}, emit.heap());
  return layoutArgument(emit, args, i, LayoutFamily::Distributed, "layout");
}

Value arange(IrBuilder& emit, const Arguments& args) {
  // Any size is accepted here; the limits are checked below.
  llvm::SmallVector<int64_t, 2> bounds;
  for (auto [i, name] : {std::pair(0, "start"), std::pair(1, "end")}) {
    Value bound = args.unwrapped(static_cast<size_t>(i));
    if (i == 1 && bound.is(ValueKind::Layout)) { // arange(n, layout)
      auto reported = emit.error(Id::NotAnInteger, args.node(1), name, "an integer", bound);
      const Node* first = args.node(0);
      if (llvm::isa_and_nonnull<syntax::Expr>(first) && first != args.call)
        reported.fix(diagnostics::FixId::TryText,
                     {{{first->range.begin, first->range.begin}, "0, "}},
                     "0, " + emit.sourceText(first).str());
      return reported;
    }
    auto number = bound.isIntegral() ? std::optional(bound.asInt())
                                     : intArgument(emit, args, static_cast<size_t>(i), name);
    if (!number) return Value::unknown();
    bounds.push_back(*number);
  }
  if (bounds.size() != 2) return Value::unknown();
  int64_t start = bounds[0], end = bounds[1];
  const LayoutObject* layout = layoutOrAuto(emit, args, 2);
  if (!layout) return Value::unknown();
  if (end <= start)
    return emit.error(Id::InvalidRange, args.call,
                      "the end of arange must be greater than the start");
  if (start < 0) {
    Reported reported = emit.error(Id::InvalidRange, args.call,
                                   "the start of arange must not be negative: subtract from the "
                                   "result instead");
    auto* call = llvm::dyn_cast_if_present<syntax::Call>(args.call);
    if (call && call->args.size() > 1 && llvm::isPowerOf2_64(static_cast<uint64_t>(end - start))) {
      std::string length = std::to_string(end - start), less = " - " + std::to_string(-start);
      text::Offset after = call->range.end;
      std::string shown = "0, " + length;
      reported.fix(diagnostics::FixId::TryText,
                   {{{call->range.begin, call->range.begin}, "("},
                    {{call->args[0]->range.begin, call->args[1]->range.end}, shown},
                    {{after, after}, less + ")"}},
                   "arange(" + shown + ", ...)" + less);
    }
    return reported;
  }
  if (end >> 32)
    return emit.error(Id::InvalidRange, args.call, "the end of arange must fit in int32");
  int64_t shape[] = {end - start};
  if (!llvm::isPowerOf2_64(static_cast<uint64_t>(shape[0])))
    return emit.error(Id::NotPowerOfTwo, args.node(1), "the length of arange", shape[0]);
  const Type* type = tensorType(emit, scalarType(ScalarKind::Int32), shape, layout, args.node(2));
  if (!type) return Value::unknown();
  return emit.value(emit.create<tt::MakeRangeOp>(emit.irType(type), static_cast<uint32_t>(start),
                                                 static_cast<uint32_t>(end)),
                    type);
}

Value full(IrBuilder& emit, const Arguments& args) {
  auto shape = intsArgument(emit, args, 0, "shape");
  const Type* dtype = shape ? dtypeArgument(emit, args, 2, "dtype") : nullptr;
  if (!dtype) return Value::unknown();
  Tensor scalar = makeScalar(emit, args[1], dtype, args.node(1));
  const LayoutObject* layout = scalar ? layoutOrAuto(emit, args, 3) : nullptr;
  if (!layout) return Value::unknown();
  if (shape->empty()) return wrap(emit, scalar);
  const Type* type = tensorType(emit, scalar.type, *shape, layout, args.node(3));
  if (!type) return Value::unknown();
  return wrap(emit, splat(emit, scalar, type));
}

// Triton's own functions that create tensors know no layouts and cannot work in a Gluon kernel.
static Value callGluons(IrBuilder& emit, const Arguments& args, const char* name) {
  auto reported = emit.error(Id::NoSuchOperation, args.call, "Gluon", std::string("tl.") + name,
                             std::string("call gl.") + name + ", which takes a layout");
  auto* call = llvm::dyn_cast_if_present<syntax::Call>(args.call);
  std::string language = emit.languageName();
  if (call && !language.empty()) {
    std::string meant = language + "." + name;
    reported.fix(diagnostics::FixId::TryText, {{call->func->range, meant}}, meant);
  }
  return reported;
}
Value tritonArange(IrBuilder& emit, const Arguments& args) {
  return callGluons(emit, args, "arange");
}
Value tritonFull(IrBuilder& emit, const Arguments& args) {
  return callGluons(emit, args, "full");
}
Value tritonZeros(IrBuilder& emit, const Arguments& args) {
  return callGluons(emit, args, "zeros");
}
Value tritonZerosLike(IrBuilder& emit, const Arguments& args) {
  return callGluons(emit, args, "zeros_like");
}

Value toTensorRule(IrBuilder& emit, const Arguments& args) {
  return wrap(emit, toTensorArgument(emit, args, 0));
}

} // namespace rules

} // namespace gluond::codegen
