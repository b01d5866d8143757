// The state of one worker thread, which it never shares: above all its MLIR context. It is created
// when first needed, because creating it and loading the dialects takes milliseconds that `gluond
// --version` and files without kernels need not spend.
#pragma once

#include "releases/Release.h"
#include "support/Interner.h"

#include <array>
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

  // Returns the context for one run over a kernel of a program for a release of Triton; everything
  // made in it may be gone at the next call. MLIR keeps what it interns (including locations of
  // every edit) as long as its context lives, so after some thousand runs a new context replaces
  // it. Releases have contexts of their own, because a context keeps the types that it found valid.
  // `names` must be the same in every call and outlive the worker.
  codegen::CodegenContext& codegen(Interner& names, releases::Release release = releases::newest);
  // The context that codegen() returned last, for callers that keep its IR beyond the next run.
  std::shared_ptr<codegen::CodegenContext> share() const { return last_->codegen; }
  // The resources that belong to the context codegen() returned last.
  const passes::PassResources& passes() const { return *last_->passes; }

private:
  struct Kept {
    std::shared_ptr<codegen::CodegenContext> codegen;
    std::unique_ptr<passes::PassResources> passes;
    unsigned runs = 0;
  };
  std::array<Kept, static_cast<size_t>(releases::newest) + 1> kept_;
  Kept* last_ = nullptr;
};

} // namespace gluond::driver
