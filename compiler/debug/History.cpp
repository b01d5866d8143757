#include "debug/History.h"

#include <llvm/ADT/DenseSet.h>

#include <algorithm>

namespace gluond::debug {

using Clock = std::chrono::steady_clock;
using simulate::State;

// Looking at the clock costs as much as some steps.
static constexpr uint64_t stepsBetweenLooks = 16;

History::History(const simulate::KernelCode& code, const simulate::Setting& setting,
                 const simulate::GlobalMemory& memory, simulate::Schedule& schedule,
                 simulate::ProgramId id, HistoryLimits limits)
    : machine_(code, setting, memory, schedule, this), memory_(memory), limits_(limits),
      state_(machine_.begin(id)), since_(Clock::now()) {
  machine_.checkRaces();
  machine_.watchNumbers();
  checkpoints_.push_back({0, state_, bytesOf(state_), {}});
  bytes_ = checkpoints_.back().bytes;
}

void History::executed(const State& state, const simulate::Thread& thread,
                       const simulate::Instruction& instruction) {
  if (watcher_) watcher_->executed(state, thread, instruction);
  // Combiners of reductions run in threads that belong to nobody.
  if (thread.id >= state.threads.size() || &state.threads[thread.id] != &thread) return;
  done_.instruction = &instruction;
  done_.thread = thread.id;
  const auto& functions = machine_.code().functions;
  for (size_t i = 0; i < functions.size(); ++i) {
    const auto& all = functions[i].instructions;
    if (!all.empty() && &instruction >= &all.front() && &instruction <= &all.back())
      done_.function = static_cast<uint32_t>(i);
  }
}

void History::ended(const State& state, const simulate::AsyncOperation& operation) {
  done_.ended = operation.instruction;
  if (watcher_) watcher_->ended(state, operation);
}

void History::blocked(const State& state, const simulate::Thread& thread,
                      const simulate::Instruction& instruction) {
  if (watcher_) watcher_->blocked(state, thread, instruction);
}
void History::barrierChanged(const State& state, uint32_t address,
                             const simulate::Barrier& barrier) {
  if (watcher_) watcher_->barrierChanged(state, address, barrier);
}
void History::accessed(const State& state, const simulate::Access& access) {
  if (watcher_) watcher_->accessed(state, access);
}
void History::began(const State& state, const simulate::Thread& thread,
                    const simulate::AsyncOperation& operation) {
  if (watcher_) watcher_->began(state, thread, operation);
}

void History::writes(const State&, uint64_t address, size_t bytes) {
  written_.keep(memory_, address, bytes);
}

void History::forward() {
  if (state_.isFinished) return;
  done_ = {};
  machine_.step(state_);
  ++now_;
  reached_ = std::max(reached_, now_);
  check();
}

// Whether it is time for another checkpoint, or one is reached.
void History::check() {
  if (current_ + 1 < checkpoints_.size() && checkpoints_[current_ + 1].moment == now_) {
    checkpoints_[current_].log = std::move(written_);
    written_ = {};
    ++current_;
    since_ = Clock::now();
    untilLook_ = stepsBetweenLooks;
    return;
  }
  bool isFar = now_ - checkpoints_[current_].moment >= limits_.steps;
  if (!isFar) {
    if (untilLook_ > 0) {
      --untilLook_;
      return;
    }
    untilLook_ = stepsBetweenLooks;
    // Checkpoints take a fifth of the time at most.
    if (Clock::now() - since_ < std::max<Clock::duration>(limits_.every, 4 * cost_)) return;
  }
  auto start = Clock::now();
  // The pages of the stretch that is cut in two: those of its second part are as at its end.
  MemoryLog after = std::move(checkpoints_[current_].log);
  checkpoints_[current_].log = std::move(written_);
  written_ = {};
  ++current_;
  size_t bytes = bytesOf(state_);
  checkpoints_.insert(checkpoints_.begin() + static_cast<ptrdiff_t>(current_),
                      {now_, state_, bytes, std::move(after)});
  bytes_ += bytes;
  thin();
  since_ = Clock::now();
  cost_ = since_ - start;
}

// The memory that a copy of the state takes beyond that of the checkpoint before it.
size_t History::bytesOf(const State& state) const {
  llvm::DenseSet<const void*> known;
  auto forEachTensor = [](const State& each, auto visit) {
    for (const simulate::Thread& thread : each.threads)
      for (const simulate::Frame& frame : thread.frames)
        for (const simulate::Value& value : frame.registers)
          if (const auto* tensor = std::get_if<simulate::TensorRef>(&value))
            if (*tensor) visit(**tensor);
  };
  if (!checkpoints_.empty())
    forEachTensor(checkpoints_[current_ ? current_ - 1 : 0].state,
                  [&](const simulate::Tensor& tensor) { known.insert(&tensor); });
  size_t bytes = sizeof(State) + 2 * (state.shared.size() + state.tensorMemory.size());
  for (const simulate::Thread& thread : state.threads)
    for (const simulate::Frame& frame : thread.frames)
      bytes += frame.registers.size() * sizeof(simulate::Value);
  for (const auto& scratch : state.scratch)
    bytes += scratch.size();
  bytes += state.findings.size() * sizeof(simulate::Finding) +
           state.underWay.size() * sizeof(simulate::AsyncOperation) +
           state.issued.size() * sizeof(simulate::IssuedOperation);
  for (const simulate::NumberOrigin& origin : state.origins)
    bytes += sizeof origin + origin.elements.size() / 8;
  forEachTensor(state, [&](const simulate::Tensor& tensor) {
    if (known.insert(&tensor).second) bytes += tensor.bytes();
  });
  return bytes;
}

void History::thin() {
  auto total = [&] {
    size_t sum = bytes_ + written_.bytes();
    for (const Checkpoint& each : checkpoints_)
      sum += each.log.bytes();
    return sum;
  };
  while (checkpoints_.size() > 3 && total() > limits_.bytes) {
    // The one whose loss costs least, seen from the present. The first one and the current one
    // stay.
    size_t least = 0;
    double leastCost = 0;
    for (size_t i = 1; i < checkpoints_.size(); ++i) {
      if (i == current_) continue;
      uint64_t moment = checkpoints_[i].moment;
      uint64_t end = i + 1 < checkpoints_.size() ? checkpoints_[i + 1].moment : reached_;
      double gap = static_cast<double>(end - checkpoints_[i - 1].moment);
      double distance = static_cast<double>(moment > now_ ? moment - now_ : now_ - moment) + 1;
      if (double cost = gap / distance; least == 0 || cost < leastCost) {
        least = i;
        leastCost = cost;
      }
    }
    if (least == 0) return;
    Checkpoint& gone = checkpoints_[least];
    Checkpoint& before = checkpoints_[least - 1];
    if (least < current_) { // pages as they were: the earlier stretch has the word
      before.log.add(std::move(gone.log));
    } else if (least + 1 == checkpoints_.size()) {
      before.log = {}; // where the stretch ends is not known any more
    } else {           // as they are at the end: the later one
      gone.log.add(std::move(before.log));
      before.log = std::move(gone.log);
    }
    bytes_ -= gone.bytes;
    checkpoints_.erase(checkpoints_.begin() + static_cast<ptrdiff_t>(least));
    if (least < current_) --current_;
  }
}

size_t History::indexAt(uint64_t moment) const {
  auto after =
      std::upper_bound(checkpoints_.begin(), checkpoints_.end(), moment,
                       [](uint64_t value, const Checkpoint& each) { return value < each.moment; });
  return static_cast<size_t>(after - checkpoints_.begin()) - 1;
}

void History::restore(size_t index) {
  written_.exchange(memory_); // back to the current checkpoint
  written_ = {};
  while (current_ > index)
    checkpoints_[--current_].log.exchange(memory_);
  while (current_ < index)
    checkpoints_[current_++].log.exchange(memory_);
  state_ = checkpoints_[current_].state;
  now_ = checkpoints_[current_].moment;
  done_ = {};
  since_ = Clock::now();
  untilLook_ = stepsBetweenLooks;
}

bool History::seek(uint64_t moment, const CancellationToken& token) {
  size_t index = indexAt(moment);
  // The step that leads to a moment is made, so that done() tells it.
  if (index > 0 && checkpoints_[index].moment == moment) --index;
  if (moment < now_ || index > current_)
    restore(index);
  else if (moment == now_)
    return true;
  while (now_ < moment && !state_.isFinished) {
    forward();
    if ((now_ & 0xff) == 0 && token.isCancelled()) return false;
  }
  return true;
}

bool History::seekBack(llvm::function_ref<void()> begins, llvm::function_ref<bool()> holds,
                       const CancellationToken& token) {
  uint64_t start = now_;
  // Moments below `end` are left to look at, a stretch after a checkpoint at a time.
  for (uint64_t end = start; end >= 2;) {
    restore(indexAt(end - 2));
    begins();
    uint64_t first = now_;
    std::optional<uint64_t> last;
    while (now_ + 1 < end) {
      forward();
      if ((now_ & 0xff) == 0 && token.isCancelled()) return seek(start), false;
      if (holds()) last = now_;
    }
    if (last) return seek(*last, token);
    end = first + 1;
  }
  seek(start);
  return false;
}

} // namespace gluond::debug
