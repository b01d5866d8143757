#include "driver/analysis/Worker.h"

#include "codegen/context/CodegenContext.h"
#include "passes/Pipeline.h"

namespace gluond::driver {

Worker::Worker() = default;
Worker::~Worker() = default;

codegen::CodegenContext& Worker::codegen(Interner& names, releases::Release release) {
  constexpr unsigned mostRuns = 2'000; // types and locations of some ten megabytes
  Kept& kept = kept_[static_cast<size_t>(release)];
  if (!kept.codegen || ++kept.runs > mostRuns) {
    kept = {};
    kept.codegen = std::make_shared<codegen::CodegenContext>(names);
    kept.passes = std::make_unique<passes::PassResources>(kept.codegen->mlir());
  }
  last_ = &kept;
  return *kept.codegen;
}

} // namespace gluond::driver
