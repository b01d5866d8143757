// What one worker thread owns and never shares: above all its MLIR context, made when first needed
// (making one and loading the dialects costs a few milliseconds, which `gluond --version` and a
// file without kernels do not pay).
#pragma once

#include <memory>

namespace mlir {
class MLIRContext;
}

namespace gluond::driver {

class Worker {
public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace gluond::driver
