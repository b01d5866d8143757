#include "lowering/amd/AmdTarget.h"

#include "ir/amdg/Ops.h"
#include "lowering/amd/Instructions.h"
#include "lowering/amd/Tdm.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <mlir/IR/BuiltinOps.h>

namespace gluond::lowering::amd {

const HandlerTable& handlers() {
  static const HandlerTable table =
      withSharedHandlers({asyncCopyOps(), barrierOps(), bufferOps(), dotOps(), floatConversionOps(),
                          laneSwapOps(), libraryOps(), sliceOps(), tdmOps(), tdmRowOps(),
                          tensorDescriptorOps(), transposedLoadOps()});
  return table;
}

std::unique_ptr<TargetEmitter> makeTarget(const chips::Chip& chip, const chips::CodeOptions& code) {
  return std::make_unique<AmdTarget>(chip, code);
}

// ds_write2_b32 and _b64: two offsets of 8 bits, in units of the size or of 64 times the size.
static bool storesTogether(int64_t bytes, int64_t distance) {
  if ((bytes != 4 && bytes != 8) || distance % bytes) return false;
  constexpr int64_t places = 256, wide = 64;
  int64_t units = std::abs(distance / bytes);
  return units < places || (units % wide == 0 && units / wide < places);
}

AmdTarget::AmdTarget(const chips::Chip& chip, const chips::CodeOptions& code)
    : TargetEmitter({.warpSize = chip.warpSize,
                     .branchesByUniformValues = true,
                     .hasScalarUnit = true,
                     .storesTogether = storesTogether}),
      chip_(chip), code_(code) {}

const HandlerTable& AmdTarget::handlers() const {
  return amd::handlers();
}

std::string AmdTarget::lacks(Feature feature) const {
  switch (feature) {
  case Feature::ClusterMemory:
    return "a chip whose CTAs reach each other's shared memory; AMD's do not";
  case Feature::WarpSpecialization:
    return has(chips::Feature::Clusters)
               ? ""
               : cdna5Words.str() + ", whose barriers can be for some of the warps";
  }
  return "";
}

void AmdTarget::declareKernel(const ModuleState& state, mlir::TypeRange arguments,
                              llvm::Function& kernel) const {
  kernel.setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
  kernel.addFnAttr("amdgpu-flat-work-group-size",
                   "1," + std::to_string(state.warps * state.threadsPerWarp));
  kernel.addFnAttr("uniform-work-group-size", "true");
  kernel.addFnAttr("denormal-fp-math-f32", code_.flushesDenormals ? "preserve-sign" : "ieee");
  if (code_.wavesPerUnit) {
    std::string waves = std::to_string(code_.wavesPerUnit);
    kernel.addFnAttr("amdgpu-waves-per-eu", waves + "," + waves);
  }
  // The attribute replaces the machine's own features.
  if (code_.isCuMode)
    kernel.addFnAttr("target-features",
                     (chip_.processorFeatures + (chip_.processorFeatures.empty() ? "" : ",") +
                      llvm::Twine("+cumode"))
                         .str());
  for (const auto& [name, value] : code_.functionAttributes)
    kernel.addFnAttr(name, value);
  if (has(chips::Feature::Clusters)) {
    kernel.addFnAttr("amdgpu-cluster-dims", std::to_string(state.ctas) + ",1,1");
    return;
  }
  // The firmware puts what is marked so into scalar registers before the kernel starts.
  for (llvm::Argument& argument : kernel.args())
    argument.addAttr(llvm::Attribute::InReg);
}

// A bit of the mode register makes conversions to 8-bit floats return the largest number for
// numbers that are too large.
bool AmdTarget::beginKernel(FunctionEmitter& e) const {
  takeDescriptors(e, mlir::cast<tt::FuncOp>(e.source()).getArguments());
  constexpr int64_t mode = 1, overflowBit = 23, width = 1, // hwreg(HW_REG_MODE, 23, 1)
      overflowMode = mode | overflowBit << 6 | (width - 1) << 11;
  bool makesSmallFloats =
      e.source()
          ->getParentOfType<mlir::ModuleOp>()
          ->walk([](mlir::Operation* op) {
            bool makes =
                op->getNumResults() == 1 &&
                fp8Of(mlir::getElementTypeOrSelf(op->getResult(0).getType())) != Fp8::None &&
                mlir::isa<tt::FpToFpOp, amdg::ScaledDowncastFp8Op>(op);
            return makes ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
          })
          .wasInterrupted();
  if (makesSmallFloats) { // in all warps, those of partitions too
    llvm::BasicBlock& entry = e.function()->getEntryBlock();
    llvm::IRBuilder<>::InsertPointGuard guard(e.b);
    e.b.SetInsertPoint(&entry, entry.getFirstInsertionPt());
    e.intrinsic(llvm::Intrinsic::amdgcn_s_setreg, {}, {e.i32(overflowMode), e.i32(1)});
  }
  return true;
}

// ---- Instructions.h

// Triton's compiler refuses these operations for other chips, too, or ends at them.
bool needsCdna5(FunctionEmitter& e, mlir::Operation* op, llvm::Twine what) {
  return generationOf(e) == Generation::Cdna5 || e.reject(op, what + " " + cdna5Words);
}

const chips::Chip& chipOf(FunctionEmitter& e) {
  return static_cast<const AmdTarget&>(e.target()).chip();
}

bool has(FunctionEmitter& e, chips::Feature feature) {
  return chipOf(e).has(feature);
}

llvm::SyncScope::ID syncScope(FunctionEmitter& e, tt::MemSyncScope scope) {
  switch (scope) {
  case tt::MemSyncScope::CTA:
    return e.state().context.getOrInsertSyncScopeID("workgroup");
  case tt::MemSyncScope::GPU:
    return e.state().context.getOrInsertSyncScopeID("agent");
  default:
    return llvm::SyncScope::System;
  }
}

llvm::Value* vectorOf(FunctionEmitter& e, Registers elements) {
  if (elements.size() == 1) return elements.front();
  llvm::Value* vector = llvm::PoisonValue::get(llvm::FixedVectorType::get(
      elements.front()->getType(), static_cast<unsigned>(elements.size())));
  for (auto [i, element] : llvm::enumerate(elements))
    vector = e.b.CreateInsertElement(vector, element, i);
  return vector;
}

RegisterList elementsOf(FunctionEmitter& e, llvm::Value* vector) {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
  if (!type) return {vector};
  RegisterList elements;
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    elements.push_back(e.b.CreateExtractElement(vector, i));
  return elements;
}

llvm::DenseMap<uint64_t, unsigned> registersByPlace(const LinearLayout& layout) {
  llvm::DenseMap<uint64_t, unsigned> byPlace;
  for (auto [i, place] : llvm::enumerate(registerPlaces(layout)))
    byPlace.try_emplace(place, static_cast<unsigned>(i));
  return byPlace;
}

Fp8 fp8Of(mlir::Type type) {
  if (mlir::isa<mlir::Float8E4M3FNType>(type)) return Fp8::E4M3;
  if (mlir::isa<mlir::Float8E5M2Type>(type)) return Fp8::E5M2;
  if (mlir::isa<mlir::Float8E4M3FNUZType>(type)) return Fp8::E4M3Fnuz;
  if (mlir::isa<mlir::Float8E5M2FNUZType>(type)) return Fp8::E5M2Fnuz;
  return Fp8::None;
}

} // namespace gluond::lowering::amd
