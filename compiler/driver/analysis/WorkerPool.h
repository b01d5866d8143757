// Workers for results that do not depend on each other: the specializations of a file that is
// checked once. Each is used by one thread at a time.
#pragma once

#include "driver/analysis/Worker.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/thread.h>

#include <memory>
#include <vector>

namespace gluond::driver {

class WorkerPool {
public:
  // Uses a single worker, on the owner's thread.
  explicit WorkerPool(Worker& own) : workers_{&own} {}
  // Uses the given number of workers. Their MLIR contexts are created at once, on other threads,
  // while the owner still parses and evaluates. `names` is as in Worker::codegen().
  WorkerPool(Interner& names, unsigned workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;

  size_t size() const { return workers_.size(); }
  Worker& worker(size_t member) { return *workers_[member]; }
  // Calls task(i, member) for each i below `count`, with one thread at a time for each member, and
  // returns when all are done.
  void forEach(size_t count, llvm::function_ref<void(size_t i, size_t member)> task);

private:
  void joinMakers();

  std::vector<Worker*> workers_;
  std::vector<std::unique_ptr<Worker>> owned_;
  std::vector<llvm::thread> makers_; // create the contexts
};

} // namespace gluond::driver
