// Layouts computed from linear maps, for tensor memory and AMD's scaled matrix
// instructions.
#include "language/natives/Natives.h"
#include "language/types/ComputedLayouts.h"

namespace gluond::language::natives {

static Value result(EvaluateContext& context,
                    const tl::expected<const LayoutObject*, RaisedException>& made) {
  if (!made) return raise(context, made.error());
  return Value::object(ValueKind::Layout, *made);
}

Value tmemTypeRegLayout(EvaluateContext& context, Values arguments) {
  const Type* memory = arguments[0].is(ValueKind::Type) ? arguments[0].asType() : nullptr;
  if (!memory || !memory->is(TypeKind::TensorMemoryDescriptor))
    return context.raise("TypeError", "expected a tensor_memory_descriptor_type");
  if (arguments[1].isNone())
    return context.raise("ValueError",
                         "num_warps could not be inferred; pass a positive power of two");
  if (!arguments[1].is(ValueKind::Int))
    return context.raise("ValueError", "num_warps must be a positive power of two");
  auto* variant = arguments[2].as<StrObject>();
  if (!variant) return context.raise("ValueError", "instr_variant must be a string");
  return result(context,
                tmemRegisterLayout(memory, arguments[1].asInt(), variant->text, context.heap()));
}

// (dot_operand_layout, shape, scale_factor)
template <auto compute> static Value scaleLayout(EvaluateContext& context, Values arguments) {
  auto* operand = arguments[0].as<LayoutObject>();
  auto shape = ints(arguments[1]);
  if (!isA(operand, LayoutKind::DotOperandLayout))
    return context.raise("AttributeError", "a DotOperandLayout is expected");
  if (!shape || !arguments[2].isIntegral()) return context.raise("TypeError", "expected integers");
  return result(context, compute(*operand, *shape, arguments[2].asInt(), context.heap()));
}
Value mfmaScaleLayout(EvaluateContext& context, Values arguments) {
  return scaleLayout<language::mfmaScaleLayout>(context, arguments);
}
Value wmmaScaleLayout(EvaluateContext& context, Values arguments) {
  return scaleLayout<language::wmmaScaleLayout>(context, arguments);
}

// (dot_operand_layout, shape, dtype, is_k_contig)
Value efficientPaddedLayout(EvaluateContext& context, Values arguments) {
  auto* operand = arguments[0].as<LayoutObject>();
  auto shape = ints(arguments[1]);
  if (!isA(operand, LayoutKind::DotOperandLayout))
    return context.raise("AttributeError", "a DotOperandLayout is expected");
  if (!shape || !arguments[2].is(ValueKind::Type) || !arguments[2].asType()->isScalar() ||
      !arguments[3].isIntegral())
    return context.raise("TypeError", "expected a shape, a dtype and a bool");
  auto made = language::efficientPaddedLayout(*operand, *shape, arguments[2].asType()->bits(),
                                              arguments[3].asInt() != 0, context.heap());
  return made && !*made ? Value::none() : result(context, made);
}

} // namespace gluond::language::natives
