// Workers for results that do not depend on each other: the specializations of a file that is
// checked once. One thread owns a workers.
#pragma once

#include "driver/analysis/Worker.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/thread.h>

#include <memory>
#include <vector>

namespace gluond::driver {

class WorkerPool {
public:
  // One worker alone; the owner's thread works.
  explicit WorkerPool(Worker& own) : workers_{&own} {}
  // So many. Their MLIR contexts are made at once, on other threads, while the owner still parses
  // and evaluates. `names` as in Worker::codegen().
  WorkerPool(Interner& names, unsigned workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;

  size_t size() const { return workers_.size(); }
  Worker& worker(size_t member) { return *workers_[member]; }
  // Calls task(i, member) for each i below `count`, for each member on one thread at a time;
  // returns when all are done.
  void forEach(size_t count, llvm::function_ref<void(size_t i, size_t member)> task);

private:
  void joinMakers();

  std::vector<Worker*> workers_;
  std::vector<std::unique_ptr<Worker>> owned_;
  std::vector<llvm::thread> makers_; // of contexts
};

} // namespace gluond::driver
