// AMD's stages.
#include "chips/Target.h"
#include "driver/stages/Stages.h"
#include "lowering/Handlers.h"
#include "lowering/Scratch.h"

namespace gluond::driver {

namespace {

passes::Result toTtgir(mlir::ModuleOp module, const chips::Target&,
                       const passes::PassResources& resources) {
  return passes::runPasses(module, passes::gluonToTtgir(passes::Backend::Amd), resources);
}

constexpr Stage stages[] = {
    sourceStage,
    {"ttgir", "TritonGPU IR, layouts resolved", "mlir", "source", toTtgir},
};

int64_t scratchBytes(mlir::Operation* op) {
  return lowering::scratchBytes(lowering::sharedHandlers(), op);
}

bool isRunnable(const chips::Target& target) {
  const chips::Chip* chip = chips::findChip(target.name());
  return chip && chip->isComplete;
}

// HIP has no compiler for code of other chips, as CUDA has for PTX.
llvm::StringRef loaded(const chips::Target& target, llvm::StringRef device, WorkspaceFolders) {
  return target.name() == device ? "hsaco" : "";
}

} // namespace

const Toolchain amdToolchain{stages, scratchBytes, isRunnable, loaded};

} // namespace gluond::driver
