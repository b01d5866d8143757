// What triton.language.extra has for one vendor's GPUs: clocks, the processor a program runs on,
// and waiting for the grid before.
#include "codegen/rules/common/Args.h"
#include "ir/tt/Ops.h"

namespace gluond::codegen::rules {

// An instruction without operands that gives a scalar.
static Value instruction(IrBuilder& emit, llvm::StringRef text, llvm::StringRef constraint,
                         ScalarKind result, bool isPure) {
  const Type* type = scalarType(result);
  mlir::Type types[] = {emit.irType(type)};
  auto op = emit.create<tt::ElementwiseInlineAsmOp>(types, text, constraint, isPure, 1u,
                                                    mlir::ValueRange());
  return emit.value(op->getResult(0), type);
}

static bool isFamily(IrBuilder& emit, std::initializer_list<llvm::StringLiteral> prefixes) {
  llvm::StringRef arch = emit.target().arch;
  return emit.target().isHip() &&
         llvm::any_of(prefixes, [&](llvm::StringRef each) { return arch.starts_with(each); });
}

Value cudaGlobalTimer(IrBuilder& emit, const Arguments&) {
  return instruction(emit, "mov.u64 $0, %globaltimer;", "=l", ScalarKind::Int64, false);
}

Value cudaProcessor(IrBuilder& emit, const Arguments&) {
  return instruction(emit, "mov.u32 $0, %smid;", "=r", ScalarKind::Int32, true);
}

Value hipRealTime(IrBuilder& emit, const Arguments&) {
  llvm::StringRef text = "s_memrealtime $0\n                 s_waitcnt vmcnt(0)";
  if (isFamily(emit, {"gfx11"}))
    text = "s_sendmsg_rtn_b64 $0, sendmsg(MSG_RTN_GET_REALTIME)\n"
           "                     s_waitcnt lgkmcnt(0)";
  else if (isFamily(emit, {"gfx12"}))
    text = "s_sendmsg_rtn_b64 $0, sendmsg(MSG_RTN_GET_REALTIME)\n"
           "                     s_wait_kmcnt 0";
  return instruction(emit, text, "=r", ScalarKind::Int64, false);
}

Value hipProcessor(IrBuilder& emit, const Arguments& args) {
  llvm::StringRef text;
  if (isFamily(emit, {"gfx9"}))
    text = "s_getreg_b32 $0, hwreg(4, 8, 8)";
  else if (isFamily(emit, {"gfx11", "gfx12"}))
    text = "s_getreg_b32 $0, hwreg(23, 10, 4)";
  else
    return emit.raised(args.call, "ValueError", "smid is not supported on " + emit.target().arch);
  return instruction(emit, text, "=r", ScalarKind::Int32, true);
}

// These count the warps of the launch, also in a partition that has others.
Value launchWarps(IrBuilder& emit, const Arguments&) {
  return Value::integer(emit.options().numWarps).wrapped();
}
Value cudaThreads(IrBuilder& emit, const Arguments&) {
  return Value::integer(int64_t(emit.options().numWarps) * 32).wrapped();
}
Value hipThreads(IrBuilder& emit, const Arguments&) {
  return Value::integer(int64_t(emit.options().numWarps) * emit.target().warpSize).wrapped();
}

Value gridWait(IrBuilder& emit, const Arguments&) {
  emit.create<tt::GridDependencyWaitOp>();
  return Value::none();
}
Value gridLaunchDependents(IrBuilder& emit, const Arguments&) {
  emit.create<tt::GridDependencyLaunchDependentsOp>();
  return Value::none();
}

} // namespace gluond::codegen::rules
