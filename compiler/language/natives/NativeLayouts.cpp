// Layout constructors, and layouts computed from shapes.
#include "language/natives/Natives.h"
#include "language/types/Builtin.h"
#include "language/types/ComputedLayouts.h"
#include "language/types/Structure.h"
#include "language/types/Type.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::language::natives {

Value construct(EvaluateContext& context, LayoutKind kind, Values arguments) {
  auto made = makeLayout(kind, arguments, context.heap());
  return made ? *made : raise(context, made.error());
}

static Value makeOrRaise(EvaluateContext& context, LayoutKind kind,
                         llvm::ArrayRef<Value> arguments) {
  return construct(context, kind, arguments);
}

// NVMMASharedLayout.get_default_for
Value nvmmaSharedDefault(EvaluateContext& context, Values arguments) {
  auto shape = ints(arguments[0]);
  if (!shape || shape->empty())
    return context.raise("TypeError", "block_shape must be a list of integers");
  if (!arguments[1].is(ValueKind::Type) || !arguments[1].asType()->isScalar())
    return context.raise("AttributeError", "'dtype' object has no attribute 'primitive_bitwidth'");
  bool transposed = arguments[2].isIntegral() && arguments[2].asInt();
  bool fp4Padded = arguments[3].isIntegral() && arguments[3].asInt();
  llvm::SmallVector<int64_t, 4> perCta = *shape;
  if (!arguments[4].isNone()) {
    auto cga = bases(arguments[4]);
    if (!cga) return context.raise("TypeError", "cga_layout must be a list of bases");
    auto divided = shapePerCta(*shape, *cga);
    if (!divided) return raise(context, divided.error());
    perCta = *divided;
  }
  unsigned bits = arguments[1].asType()->bits();
  Value fields[] = {Value::integer(defaultSwizzle(perCta, bits, transposed, fp4Padded)),
                    Value::integer(bits),
                    Value::integer(static_cast<int64_t>(shape->size())),
                    arguments[2].unwrapped(),
                    arguments[3].unwrapped(),
                    arguments[4]};
  return makeOrRaise(context, LayoutKind::NVMMASharedLayout, fields);
}

Value paddedSharedIdentity(EvaluateContext& context, Values arguments) {
  auto shape = ints(arguments[1]), order = ints(arguments[2]);
  auto cga = bases(arguments[3]);
  if (!shape || !order || !cga) return context.raise("TypeError", "expected lists of integers");
  if (shape->size() != order->size()) return context.raise("AssertionError", "");
  if (shape->size() > 64) return Value::unknown(); // as many bases of as many numbers
  for (int64_t size : *shape)
    if (size <= 0 || !llvm::isPowerOf2_64(static_cast<uint64_t>(size)))
      return context.raise("AssertionError", "");
  auto perCta = shapePerCta(*shape, *cga);
  if (!perCta) return raise(context, perCta.error());
  llvm::SmallVector<Basis, 4> offsets;
  for (int64_t dim : *order) {
    if (dim < 0 || static_cast<size_t>(dim) >= shape->size())
      return context.raise("IndexError", "list index out of range");
    for (int64_t stride = 1; stride < (*perCta)[static_cast<size_t>(dim)]; stride *= 2) {
      Basis basis(shape->size(), 0);
      basis[static_cast<size_t>(dim)] = stride;
      offsets.push_back(basis);
    }
  }
  Value fields[] = {arguments[0], listOf(llvm::ArrayRef<Basis>(offsets), context.heap()),
                    arguments[3], arguments[1]};
  return makeOrRaise(context, LayoutKind::PaddedSharedLayout, fields);
}

Value mbarrierMulticta(EvaluateContext& context, Values arguments) {
  if (!arguments[0].isIntegral()) return context.raise("TypeError", "num_ctas must be an int");
  int64_t ctas = arguments[0].asInt();
  bool pairs = arguments[1].isIntegral() && arguments[1].asInt();
  if (pairs && ctas % 2)
    return context.raise("AssertionError", "num_ctas must be even for two-CTA mode");
  if (ctas <= 0) return context.raise("AssertionError", "num_ctas must be positive");
  if (!llvm::isPowerOf2_64(static_cast<uint64_t>(ctas)))
    return context.raise("AssertionError", "num_ctas must be a power of two");
  llvm::SmallVector<Basis, 4> bases;
  if (pairs) {
    bases.push_back({0});
    ctas /= 2;
  }
  for (int64_t stride = 1; stride < ctas; stride *= 2)
    bases.push_back({stride});
  Value argument[] = {listOf(llvm::ArrayRef<Basis>(bases), context.heap())};
  return makeOrRaise(context, LayoutKind::MBarrierLayout, argument);
}

} // namespace gluond::language::natives
