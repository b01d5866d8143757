#include "driver/analysis/Worker.h"

#include "codegen/context/CodegenContext.h"
#include "passes/Pipeline.h"

namespace gluond::driver {

Worker::Worker() = default;
Worker::~Worker() = default;

codegen::CodegenContext& Worker::codegen(Interner& names) {
  constexpr unsigned mostRuns = 20'000;
  if (!codegen_ || ++runs_ > mostRuns) {
    passes_ = nullptr;
    codegen_ = nullptr;
    codegen_ = std::make_shared<codegen::CodegenContext>(names);
    passes_ = std::make_unique<passes::PassResources>(codegen_->mlir());
    runs_ = 0;
  }
  return *codegen_;
}

} // namespace gluond::driver
