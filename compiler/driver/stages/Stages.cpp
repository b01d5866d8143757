#include "driver/stages/Stages.h"

#include "codegen/targets/Target.h"
#include "lowering/Scratch.h"
#include "lowering/nvidia/NvidiaTarget.h"

namespace gluond::driver {

namespace {

passes::Result toTtgir(mlir::ModuleOp module, const codegen::Target& target,
                       const passes::PassResources& resources) {
  auto backend = target.isCuda() ? passes::Backend::Nvidia : passes::Backend::Amd;
  return passes::runPasses(module, passes::gluonToTtgir(backend), resources);
}

constexpr Stage source{"source", "Source, as the frontend makes it", "mlir", nullptr};
constexpr Stage ttgir{"ttgir", "TritonGPU IR, layouts resolved", "mlir", toTtgir};
constexpr Stage nvidia[] = {
    source,
    ttgir,
    {"llir", "LLVM IR, optimized", "llvm", nullptr, true},
    {"ptx", "PTX", "ptx", nullptr, true},
    {"cubin", "Machine code", "elf", nullptr, true, false},
    {"sass", "Machine code, disassembled", "sass", nullptr, true},
};
constexpr Stage amd[] = {source, ttgir};

} // namespace

llvm::ArrayRef<Stage> stagesOf(const codegen::Target& target) {
  if (target.isCuda()) return nvidia;
  return amd;
}

int64_t scratchBytes(const codegen::Target& target, mlir::Operation* op) {
  return lowering::scratchBytes(
      target.isCuda() ? lowering::nvidia::handlers() : lowering::sharedHandlers(), op);
}

const Stage* findStage(const codegen::Target& target, llvm::StringRef id) {
  for (const Stage& stage : stagesOf(target))
    if (stage.id == id) return &stage;
  return nullptr;
}

} // namespace gluond::driver
