#include "driver/Stages.h"

#include "codegen/Source.h"

namespace gluond::driver {

namespace {

constexpr Stage stages[] = {
    {"source", "Source: as the frontend makes it", "mlir", nullptr},
};

} // namespace

llvm::ArrayRef<Stage> stagesOf(const codegen::Target&) { return stages; }

const Stage* findStage(const codegen::Target& target, llvm::StringRef id) {
  for (const Stage& stage : stagesOf(target))
    if (stage.id == id) return &stage;
  return nullptr;
}

} // namespace gluond::driver
