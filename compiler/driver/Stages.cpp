#include "driver/Stages.h"

#include "codegen/Target.h"

namespace gluond::driver {

namespace {

passes::Result toTtgir(mlir::ModuleOp module, const codegen::Target& target,
                       const passes::PassResources& resources) {
  auto backend = target.isCuda() ? passes::Backend::Nvidia : passes::Backend::Amd;
  return passes::runPasses(module, passes::gluonToTtgir(backend), resources);
}

constexpr Stage stages[] = {
    {"source", "Source, as the frontend makes it", "mlir", nullptr},
    {"ttgir", "TritonGPU IR, layouts resolved", "mlir", toTtgir},
};

} // namespace

llvm::ArrayRef<Stage> stagesOf(const codegen::Target&) {
  return stages;
}

const Stage* findStage(const codegen::Target& target, llvm::StringRef id) {
  for (const Stage& stage : stagesOf(target))
    if (stage.id == id) return &stage;
  return nullptr;
}

} // namespace gluond::driver
