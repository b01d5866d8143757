// Instrumentation that programs name themselves. gl.fpsan: floats as elements of the floating-point
// sanitizer's ring of integers, and back; marks of the profiler.
#include "codegen/rules/common/Args.h"
#include "ir/tti/Dialect.h"

namespace gluond::codegen::rules {

// `Op` of the first argument, with elements of type `to`; both sides are checked as the op's
// verifier does.
template <class Op>
static Value convert(IrBuilder& emit, const Arguments& args, Tensor input, bool embeds,
                     const Type* to) {
  const Type* from = input.scalar();
  llvm::StringRef name = embeds ? "fpsan.embed" : "fpsan.unembed";
  if (embeds ? !from->isFloat() : !from->isInt())
    return emit.error(Id::UnexpectedType, args.node(0), name, from);
  if (!embeds && !to->isFloat()) return emit.error(Id::UnexpectedType, args.node(1), name, to);
  const Type* type = emit.types().withElement(input.type, to);
  return emit.value(emit.create<Op>(emit.irType(type), input.handle), type);
}

Value fpsanEmbed(IrBuilder& emit, const Arguments& args) {
  static constexpr ScalarKind integers[] = {ScalarKind::Int8, ScalarKind::Int16, ScalarKind::Int32,
                                            ScalarKind::Int64};
  Tensor input = toTensorArgument(emit, args, 0);
  if (!input) return Value::unknown();
  const Type* payload = nullptr;
  for (ScalarKind kind : integers)
    if (scalarType(kind)->bits() == input.scalar()->bits()) payload = scalarType(kind);
  return convert<tti::FpsanEmbedOp>(emit, args, input, true, payload);
}

Value fpsanUnembed(IrBuilder& emit, const Arguments& args) {
  Tensor input = toTensorArgument(emit, args, 0);
  const Type* to = dtypeArgument(emit, args, 1, "dtype");
  return input && to ? convert<tti::FpsanUnembedOp>(emit, args, input, false, to)
                     : Value::unknown();
}

// Marks of the profiler are there for sessions that instrument kernels; by itself a kernel has
// none.
Value profilerMark(IrBuilder&, const Arguments&) {
  return Value::none();
}

} // namespace gluond::codegen::rules
