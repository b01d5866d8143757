// Hints to AMD's instruction scheduler; stages of warp pipelines.
#include "codegen/rules/common/Args.h"
#include "ir/rocdl/Dialect.h"

namespace gluond::codegen {

namespace rules {

// (allow): None, or a tuple of Nones; no class of instructions may cross so far.
Value schedBarrier(IrBuilder& emit, const Arguments& args) {
  auto check = [&](Value item) {
    if (item.unwrapped().isNone()) return true;
    emit.error(Id::BadArgument, args.node(0), "only None is supported, not " + emit.text(item));
    return false;
  };
  if (language::isSequence(args[0])) {
    if (!llvm::all_of(language::itemsOf(args[0]), check)) return Value::unknown();
  } else if (!check(args[0]))
    return Value::unknown();
  emit.create<rocdl::SchedBarrierOp>(rocdl::SchedMask::NONE);
  return Value::none();
}

// (label, priority), at the end of the `with` block.
Value warpPipelineStage(IrBuilder& emit, const Arguments& args) {
  // A label that is no constant is ignored.
  auto* label = args.unwrapped(0).as<language::StrObject>();
  std::optional<int64_t> priority;
  if (!isNone(args, 1)) {
    if (!(priority = intArgument(emit, args, 1, "priority"))) return Value::unknown();
    if (*priority < 0 || *priority > 3)
      return emit.error(Id::BadArgument, args.node(1),
                        "the priority must be 0 to 3, not " + std::to_string(*priority));
  }
  auto border = emit.create<rocdl::SchedBarrierOp>(rocdl::SchedMask::NONE);
  border->setAttr("triton.warp_pipeline.border",
                  emit.opBuilder().getStringAttr(label ? label->text : "cluster"));
  if (priority)
    border->setAttr("triton.warp_pipeline.priority",
                    emit.opBuilder().getI32IntegerAttr(static_cast<int32_t>(*priority)));
  return Value::none();
}

} // namespace rules

} // namespace gluond::codegen
