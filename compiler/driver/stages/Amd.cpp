// AMD's stages.
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

} // namespace

const Toolchain amdToolchain{stages, scratchBytes};

} // namespace gluond::driver
