#include "lowering/nvidia/NvidiaTarget.h"

#include "chips/Occupancy.h"
#include "ir/ttng/Ops.h"
#include "lowering/nvidia/Instructions.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace gluond::lowering::nvidia {

const HandlerTable& handlers() {
  static const HandlerTable table = withSharedHandlers(
      {asyncCopyOps(), barrierOps(), floatOps(), dotOps(), floatConversionOps(),
       gridDependencyOps(), launchControlOps(), packedArithmeticOps(), tensorCoreOps(),
       tensorMemoryAccessOps(), tensorMemoryOps(), tmaOps(), tmaRowOps(), warpGroupDotOps()});
  return table;
}

std::unique_ptr<TargetEmitter> makeTarget(const chips::Chip& chip, const chips::CodeOptions&) {
  return std::make_unique<NvidiaTarget>(chip);
}

NvidiaTarget::NvidiaTarget(const chips::Chip& chip)
    : TargetEmitter({.warpSize = chip.warpSize,
                     .warpUnit = 4, // which give back and take registers together
                     .hasAsyncPath = chip.has(chips::Feature::AsyncProxy),
                     .loadsMatrices = chip.has(chips::Feature::LoadMatrix),
                     .storesMatrices = chip.has(chips::Feature::StoreMatrix),
                     .hasPredicates = true,
                     .delaysLoads = true,
                     .convertsOperandsLate = true,
                     .registers = TargetTraits::Registers{.least = chips::leastGroupRegisters,
                                                          .most = chips::mostGroupRegisters,
                                                          .unit = chips::groupRegisterStep}}),
      chip_(chip) {}

const HandlerTable& NvidiaTarget::handlers() const {
  return nvidia::handlers();
}

std::string NvidiaTarget::lacks(Feature feature) const {
  auto unless = [&](chips::Feature needed) {
    return has(needed) ? std::string() : chips::oldestWith(needed).str() + " or later";
  };
  switch (feature) {
  case Feature::ClusterMemory:
    return unless(chips::Feature::Clusters);
  case Feature::WarpSpecialization:
    return unless(chips::Feature::WarpRegisters);
  }
  return "";
}

void NvidiaTarget::declareKernel(const ModuleState& state, mlir::TypeRange arguments,
                                 llvm::Function& kernel) const {
  kernel.setCallingConv(llvm::CallingConv::PTX_Kernel);
  kernel.addFnAttr("nvvm.reqntid", std::to_string(state.warps * state.threadsPerWarp));
  if (state.ctas > 1) kernel.addFnAttr("nvvm.cluster_dim", std::to_string(state.ctas));
  constexpr unsigned registersOfThread = 256; // as many as there are for a thread anyhow
  if (state.maxRegisters && state.maxRegisters < registersOfThread)
    kernel.addFnAttr("nvvm.maxnreg", std::to_string(state.maxRegisters));
  auto* descriptor = llvm::ArrayType::get(llvm::Type::getInt8Ty(state.context), 128);
  for (auto [i, type] : llvm::enumerate(arguments)) {
    if (!mlir::isa<tt::TensorDescInterface>(type)) continue;
    kernel.addParamAttr(i, llvm::Attribute::getWithByValType(state.context, descriptor));
    kernel.addParamAttr(i, llvm::Attribute::getWithAlignment(state.context, llvm::Align(64)));
    kernel.addParamAttr(i, llvm::Attribute::get(state.context, "nvvm.grid_constant"));
  }
}

// ---- Instructions.h

const chips::Chip& chipOf(FunctionEmitter& e) {
  return static_cast<const NvidiaTarget&>(e.target()).chip();
}

bool has(FunctionEmitter& e, chips::Feature feature) {
  return chipOf(e).has(feature);
}

bool needs(FunctionEmitter& e, mlir::Operation* op, chips::Feature feature, llvm::Twine what) {
  return has(e, feature) || e.fail(op, what + " " + chips::oldestWith(feature) + " or later");
}

bool hasTwoCtas(FunctionEmitter& e) {
  auto module = e.source()->getParentOfType<mlir::ModuleOp>();
  auto two = module ? module->getAttrOfType<mlir::BoolAttr>(ttng::twoCTAsAttr) : nullptr;
  return two && two.getValue();
}

llvm::Value* elect(FunctionEmitter& e) {
  if (!has(e, chips::Feature::Elect)) return e.b.CreateICmpEQ(e.lane(), e.i32(0));
  return e.b.CreateExtractValue(e.intrinsic(llvm::Intrinsic::nvvm_elect_sync, {}, {e.i32(-1)}), 1);
}

llvm::Value* electOne(FunctionEmitter& e) {
  if (!has(e, chips::Feature::Elect)) return e.b.CreateICmpEQ(e.thread(), e.i32(0));
  llvm::Value* isFirstWarp = e.b.CreateICmpEQ(e.warp(), e.i32(0));
  return e.b.CreateAnd(isFirstWarp, elect(e));
}

std::string bracedOperands(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return text + "}";
}

std::string operandList(unsigned first, unsigned count) {
  return count > 1 ? bracedOperands(first, count) : "$" + std::to_string(first);
}

llvm::StringRef scopeName(tt::MemSyncScope scope) {
  return scope == tt::MemSyncScope::CTA ? "cta" : scope == tt::MemSyncScope::SYSTEM ? "sys" : "gpu";
}

} // namespace gluond::lowering::nvidia
