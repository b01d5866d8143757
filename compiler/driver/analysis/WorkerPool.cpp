#include "driver/analysis/WorkerPool.h"

#include "support/Parallel.h"

namespace gluond::driver {

WorkerPool::WorkerPool(Interner& names, unsigned workers) {
  for (unsigned i = 0; i < workers; ++i) {
    Worker* worker = owned_.emplace_back(std::make_unique<Worker>()).get();
    workers_.push_back(worker);
    makers_.emplace_back(std::optional<unsigned>(compilerStackBytes),
                         [worker, &names] { worker->codegen(names); });
  }
}

WorkerPool::~WorkerPool() {
  joinMakers();
}

void WorkerPool::joinMakers() {
  for (llvm::thread& maker : makers_)
    maker.join();
  makers_.clear();
}

void WorkerPool::forEach(size_t count, llvm::function_ref<void(size_t, size_t)> task) {
  joinMakers();
  forEachInParallel(count, static_cast<unsigned>(workers_.size()),
                    [&](size_t i, unsigned member) { task(i, member); });
}

} // namespace gluond::driver
