// What one worker thread owns and never shares: above all its MLIR context, made when first needed
// (making one and loading the dialects costs milliseconds, which `gluond --version` and a file
// without kernels do not pay).
#pragma once

#include "support/Interner.h"

#include <memory>

namespace gluond::codegen {
class CodegenContext;
}
namespace gluond::passes {
class PassResources;
}

namespace gluond::driver {

class Worker {
public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // For one run over a kernel: everything made in it may be gone at the next call. MLIR keeps what
  // it interns (locations of every edit among it) as long as its context lives, so after some
  // thousand runs a fresh context takes its place. `names` must be the same in every call and
  // outlive the worker.
  codegen::CodegenContext& codegen(Interner& names);
  // The context that codegen() returned last, for who keeps IR of it beyond the next run.
  std::shared_ptr<codegen::CodegenContext> share() const { return codegen_; }
  // Of the context that codegen() returned last.
  const passes::PassResources& passes() const { return *passes_; }

private:
  std::shared_ptr<codegen::CodegenContext> codegen_;
  std::unique_ptr<passes::PassResources> passes_;
  unsigned runs_ = 0;
};

} // namespace gluond::driver
