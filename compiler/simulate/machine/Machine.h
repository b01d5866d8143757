// Advances the state of a program, step by step.
//
// A step is one instruction of one thread, or the end of one asynchronous operation. The threads of
// a program (its partitions) take turns: one goes on until it waits. When none can, an operation
// under way ends; when there is none either, the program hangs.
#pragma once

#include "simulate/machine/AccessLog.h"
#include "simulate/machine/Observer.h"
#include "simulate/machine/Schedule.h"
#include "simulate/memory/GlobalMemory.h"
#include "support/Cancellation.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::simulate {

struct Setting { // of a launch: the same for all its programs
  ProgramId grid = {1, 1, 1};
  std::vector<Value> arguments;
  // Programs may take over the work of others that have not begun: program i that of i + stride,
  // i + 2 * stride and so on. The stride is 0 if there is nothing to take over.
  uint64_t claimStride = 0;

  uint64_t programs() const;
  uint64_t numberOf(const ProgramId& id) const;
  ProgramId idOf(uint64_t number) const;
};

class Machine {
public:
  Machine(const KernelCode& code, const Setting& setting, const GlobalMemory& memory,
          Schedule& schedule, Observer* observer = nullptr)
      : code_(code), setting_(setting), memory_(memory), schedule_(schedule), observer_(observer) {}

  // Finds where the first NaN and the first infinity come from that are stored.
  void watchNumbers() { watchesNumbers_ = true; }
  // Finds accesses of shared and tensor memory, and of the program's own in global memory, that
  // nothing orders.
  void checkRaces() { checksRaces_ = true; }
  bool checksRaces() const { return checksRaces_; }
  // Notes what the program does to memory that it shares with others.
  void keep(AccessLog* log) { log_ = log; }
  AccessLog* log() const { return log_; }

  State begin(ProgramId id) const;
  enum class Progress : uint8_t { Running, Finished, Failed };
  // One step.
  Progress step(State& state);
  // Runs the program for at most this many steps.
  Progress run(State& state, uint64_t steps);

  const KernelCode& code() const { return code_; }
  const Setting& setting() const { return setting_; }
  const GlobalMemory& memory() const { return memory_; }

  // For handlers.
  void push(State& state, Thread& thread, uint32_t function, std::vector<Value> arguments,
            std::vector<uint32_t> results = {});
  // Runs a function without memory or waits to its end, on values or on whole tensors of them.
  // Returns nullopt if that was not possible.
  std::optional<std::vector<Value>> call(State& state, uint32_t function,
                                         std::vector<Value> arguments);
  // An operation of the thread that is at work; issue() starts it.
  AsyncOperation makeOperation(State& state, const Instruction& instruction, Action perform);
  // Under way from now on. Its number is what waits are for.
  uint32_t issue(State& state, Thread& thread, AsyncOperation operation);
  // An operation that the thread has waited for is over, and the thread knows it.
  Step await(State& state, Thread& thread, uint32_t operation);
  // The clock that a thread passes on by an arrival, and the one that it receives by a wait.
  Clock released(Thread& thread);
  // The CTAs of the cluster meet at what the thread does.
  void meet(Thread& thread) {
    if (checksRaces_ && code_.ctas > 1) thread.clock.meet();
  }
  // The thread uses a barrier.
  void use(Thread& thread, Barrier& barrier, mlir::Operation* op);
  void learn(Thread& thread, const Clock& clock) {
    if (checksRaces_) thread.clock.join(clock);
  }
  // A thread goes on after a wait for a phase of the barrier.
  void passed(State& state, Thread& thread, const Instruction& instruction, uint32_t barrier,
              int64_t parity);
  // A partition begins, knowing what its parent knows, and ends, when its parent knows all of it.
  void began(State& state, Thread& parent, Thread& child);
  void joined(Thread& parent, const Thread& child) { learn(parent, child.clock); }
  // Stores so far are seen by the async proxy.
  void fence(State& state, Thread& thread) {
    if (checksRaces_) state.accesses.fence(thread.id, thread.clock);
  }
  // The oldest product of the thread ends: what it promised becomes its result.
  Step finishProduct(Execution& execution);
  void changed(State& state, uint32_t address) {
    if (observer_) observer_->barrierChanged(state, address, state.barriers.at(address));
  }
  // Returns a pointer to bytes of global memory that are about to be read or written, or null if
  // they are not all in one allocation.
  enum class Use : uint8_t { Read, Write };
  std::byte* at(State& state, uint64_t address, size_t bytes, Use use = Use::Write) const;
  std::string describe(uint64_t address) const;
  std::string describe(uint32_t alloc, Bytes::Run run) const;
  // Allocations of shared and of tensor memory have the numbers of their buffers; those of global
  // memory follow from their addresses.
  static constexpr uint32_t tensorAlloc = 1u << 30, globalAlloc = 1u << 31;
  static uint32_t allocOf(uint64_t globalAddress) {
    return globalAlloc | static_cast<uint32_t>(globalAddress >> GlobalMemory::range);
  }
  uint32_t sharedAllocOf(uint32_t address) const { return bufferAt(code_.shared, address); }
  uint32_t tensorAllocOf(uint32_t address) const {
    return tensorAlloc | bufferAt(code_.tensors, address);
  }

  // The finding for an arrival that the barrier's phase does not count.
  static Finding tooManyArrivals(const State& state, mlir::Operation* op, const Barrier& barrier);

  static constexpr uint64_t scratchAddress = uint64_t(1) << 62;
  static constexpr unsigned scratchRange = 32;

private:
  static uint32_t bufferAt(const std::vector<Buffer>& buffers, uint32_t address) {
    auto next = llvm::partition_point(buffers,
                                      [&](const Buffer& buffer) { return buffer.base <= address; });
    return static_cast<uint32_t>(next - buffers.begin()) - 1;
  }
  Progress stepThread(State& state, Thread& thread);
  Progress complete(State& state, size_t index);
  Step finish(State& state, AsyncOperation operation);
  Progress end(State& state);
  void explainFailure(State& state);
  void noteIssued(State& state, const AsyncOperation& operation);
  void noteUnfinished(State& state);
  void forgetOld(State& state);
  friend class Execution;
  void reportHang(State& state);
  void checkNumbers(Execution& execution);
  void checkProducts(Execution& execution);
  void tellOrigin(Execution& execution, bool isNan, const std::vector<bool>& elements,
                  unsigned rank);

  const KernelCode& code_;
  const Setting& setting_;
  const GlobalMemory& memory_;
  Schedule& schedule_;
  Observer* observer_;
  AccessLog* log_ = nullptr;
  bool watchesNumbers_ = false, checksRaces_ = false;
};

// The context in which the handler of an instruction executes it.
class Execution {
public:
  Execution(Machine& machine, State& state, Thread& thread, const Instruction& instruction,
            const AsyncOperation* operation = nullptr)
      : machine(machine), state(state), thread(thread), instruction(instruction),
        operation(operation) {}

  Machine& machine;
  State& state;
  Thread& thread;
  const Instruction& instruction;
  const AsyncOperation* operation; // the operation that ends; null if the thread itself is at work

  const Function& function() const {
    return machine.code().functions[thread.frames.back().function];
  }
  uint32_t operandRegister(unsigned i) const {
    return function().registers[instruction.firstOperand + i];
  }
  uint32_t resultRegister(unsigned i) const {
    return function().registers[instruction.firstResult + i];
  }
  const Value& in(unsigned i) const { return thread.frames.back().registers[operandRegister(i)]; }
  // These are for operands of that kind.
  const Tensor& tensor(unsigned i) const { return *std::get<TensorRef>(in(i)); }
  bool isTensor(unsigned i) const { return std::holds_alternative<TensorRef>(in(i)); }
  const Scalar& scalar(unsigned i) const { return std::get<Scalar>(in(i)); }
  int64_t integer(unsigned i) const;
  bool flag(unsigned i) const { return scalar(i).bits & 1; }
  // Returns the number of threads that the partition has in each CTA.
  int64_t threads() const { return int64_t(thread.warps) * machine.code().threadsPerWarp; }
  const View& view(unsigned i) const { return std::get<View>(in(i)); }
  const DescriptorRef& descriptor(unsigned i) const { return std::get<DescriptorRef>(in(i)); }
  // The bytes of a number or a tensor.
  const std::byte* data(unsigned i) const;
  size_t count(unsigned i) const { return isTensor(i) ? tensor(i).count() : 1; }

  void set(unsigned i, Value value) {
    thread.frames.back().registers[resultRegister(i)] = std::move(value);
  }
  Step jump(uint32_t to) {
    thread.frames.back().next = to;
    return Step::Jump;
  }

  // Notes a finding and goes on; once at a place.
  template <typename... Args>
  void warn(diagnostics::IdFor<std::type_identity_t<const Args&>...> id, const Args&... args) {
    note(makeFinding(id, instruction.op->getLoc(), args...));
  }
  template <typename... Args>
  Step fail(diagnostics::IdFor<std::type_identity_t<const Args&>...> id, const Args&... args) {
    Finding finding = makeFinding(id, instruction.op->getLoc(), args...);
    finding.isEnd = true;
    note(std::move(finding));
    return Step::Failed;
  }
  Step unsupported(const std::string& why);
  void note(Finding finding);
  // Says which bytes this reads or writes. Two accesses that nothing orders are noted.
  struct How {
    bool isWrite = false, isAtomic = false, isWhole = false; // as in ordering/Accesses.h
    uint8_t distance = 0;
  };
  void access(Bytes bytes, How how);
  // Notes it where a barrier goes that somebody may still use.
  void checkIdle(uint32_t address, const char* action);
  void reportRace(const Access& first, const Access& second, Bytes::Run shared);
  bool checksRaces() const { return machine.checksRaces(); }
  // Notes it where a view is used that begins outside of its buffer.
  bool isInside(const View& view);
};

} // namespace gluond::simulate
