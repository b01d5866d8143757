// Triton's own products and tensor descriptors: names that a Gluon kernel finds in triton.language,
// but that know no layouts.
#include "codegen/rules/common/Args.h"
#include "codegen/suggestions/OtherNames.h"

namespace gluond::codegen {

using language::isA;

namespace rules {

static Value noneInGluon(IrBuilder& emit, const Arguments& args, llvm::StringRef name) {
  return emit.error(Id::NoSuchOperation, args.call, "Gluon", "tl." + name.str(),
                    adviceFor(name, emit.target()));
}

// The product has a type without a layout, which nearly every operation refuses.
static Value productWithoutLayout(IrBuilder& emit, const Arguments& args, llvm::StringRef name) {
  return emit.unsupported(args.call, "the result of tl." + name + ", which has no layout (" +
                                         adviceFor(name, emit.target()) + ")");
}

// Triton verifies the operands' layouts as for gl.dot_fma, and needs the accumulator's.
Value tritonDot(IrBuilder& emit, const Arguments& args) {
  Tensor a = blockArgument(emit, args, 0, "input");
  Tensor b = a ? blockArgument(emit, args, 1, "other") : Tensor();
  if (!b) return Value::unknown();
  bool isAuto =
      language::isUnresolved(a.type->layout()) || language::isUnresolved(b.type->layout());
  if (isNone(args, 2)) return noneInGluon(emit, args, "dot");
  Tensor acc = blockArgument(emit, args, 2, "acc");
  if (!acc) return Value::unknown();
  if (isAuto || language::isUnresolved(acc.type->layout()))
    return productWithoutLayout(emit, args, "dot");
  if (!isA(a.type->layout(), LayoutKind::DotOperandLayout) ||
      !isA(b.type->layout(), LayoutKind::DotOperandLayout))
    return noneInGluon(emit, args, "dot");
  if (!checkDotOperands(emit, args, a, b, acc)) return Value::unknown();
  return productWithoutLayout(emit, args, "dot");
}

Value tritonDotScaled(IrBuilder& emit, const Arguments& args) {
  if (!blockArgument(emit, args, 0, "lhs") || !blockArgument(emit, args, 3, "rhs"))
    return Value::unknown();
  return productWithoutLayout(emit, args, "dot_scaled");
}

Value tritonMakeDescriptor(IrBuilder& emit, const Arguments& args) {
  return noneInGluon(emit, args, "make_tensor_descriptor");
}
Value tritonLoadDescriptor(IrBuilder& emit, const Arguments& args) {
  return noneInGluon(emit, args, "load_tensor_descriptor");
}
Value tritonStoreDescriptor(IrBuilder& emit, const Arguments& args) {
  return noneInGluon(emit, args, "store_tensor_descriptor");
}

} // namespace rules

} // namespace gluond::codegen
