#include "support/Parallel.h"

#include "support/Allowance.h"
#include "support/SignalStack.h"

#include <llvm/Support/thread.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace gluond {

unsigned machineThreads() {
  return std::max(1u, std::thread::hardware_concurrency());
}

void forEachInParallel(size_t count, unsigned threads,
                       llvm::function_ref<void(size_t index, unsigned worker)> work) {
  threads = static_cast<unsigned>(std::min<size_t>(std::max(threads, 1u), count));
  if (threads <= 1) {
    for (size_t index = 0; index < count; ++index)
      work(index, 0);
    return;
  }
  std::atomic<size_t> next{0};
  Payers payers = Spending::payers(); // all work for the same task
  auto run = [&next, count, work, payers](unsigned worker) {
    SignalStack stack;
    Spending spending(payers);
    for (size_t index; (index = next.fetch_add(1, std::memory_order_relaxed)) < count;)
      work(index, worker);
  };
  std::vector<llvm::thread> running;
  for (unsigned worker = 0; worker < threads; ++worker)
    running.emplace_back(std::optional<unsigned>(compilerStackBytes), run, worker);
  for (llvm::thread& thread : running)
    thread.join();
}

} // namespace gluond
