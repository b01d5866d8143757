#include "simulate/machine/Machine.h"

#include "diagnostics/Traits.h"
#include "simulate/machine/OperationNames.h"
#include "simulate/values/Formats.h"
#include "support/Plural.h"

#include <bit>

namespace gluond::simulate {

// ---------------------------------------------------------------- what handlers see

int64_t Execution::integer(unsigned i) const {
  const Scalar& value = scalar(i);
  return integerAt(value.element, &value.bits);
}

const std::byte* Execution::data(unsigned i) const {
  const Value& value = in(i);
  if (const auto* tensor = std::get_if<TensorRef>(&value)) return (*tensor)->data();
  return reinterpret_cast<const std::byte*>(&std::get<Scalar>(value).bits);
}

void Execution::note(Finding finding) {
  finding.program = state.program;
  for (const Finding& other : state.findings)
    if (other.id == finding.id && other.at == finding.at && other.isEnd == finding.isEnd) return;
  state.findings.push_back(std::move(finding));
}

bool Execution::isInside(const View& view) {
  if (!view.isOutside()) return true;
  fail(Id::SimulatedIndexOutOfBounds, view.index, view.count);
  return false;
}

Step Execution::unsupported(const std::string& why) {
  return fail(Id::SimulationUnsupported, operationName(*instruction.op), why);
}

// ---------------------------------------------------------------- the machine

uint64_t Setting::programs() const {
  uint64_t all = 1;
  for (int64_t extent : grid)
    all = __builtin_mul_overflow(all, static_cast<uint64_t>(extent), &all) ? UINT64_MAX : all;
  return all;
}
uint64_t Setting::numberOf(const ProgramId& id) const {
  return static_cast<uint64_t>(id[0] + grid[0] * (id[1] + grid[1] * id[2]));
}
ProgramId Setting::idOf(uint64_t number) const {
  auto width = static_cast<uint64_t>(grid[0]), height = static_cast<uint64_t>(grid[1]);
  return {static_cast<int64_t>(number % width), static_cast<int64_t>(number / width % height),
          static_cast<int64_t>(number / width / height)};
}

State Machine::begin(ProgramId id) const {
  State state;
  state.program = id;
  state.shared = SharedMemory(code_.sharedBytes, code_.ctas);
  state.tensorMemory = SharedMemory(code_.tensorMemoryBytes, code_.ctas);
  Thread& main = state.threads.emplace_back();
  main.warps = code_.warps;
  Frame& frame = main.frames.emplace_back();
  const Function& kernel = code_.functions.front();
  frame.registers.resize(kernel.registerCount);
  for (size_t i = 0; i < kernel.arguments.size() && i < setting_.arguments.size(); ++i)
    frame.registers[kernel.arguments[i]] = setting_.arguments[i];
  return state;
}

void Machine::push(State& state, Thread& thread, uint32_t function, std::vector<Value> arguments,
                   std::vector<uint32_t> results) {
  const Function& callee = code_.functions[function];
  Frame frame;
  frame.function = function;
  frame.registers.resize(callee.registerCount);
  for (size_t i = 0; i < arguments.size() && i < callee.arguments.size(); ++i)
    frame.registers[callee.arguments[i]] = std::move(arguments[i]);
  frame.results = std::move(results);
  thread.frames.push_back(std::move(frame));
}

std::optional<std::vector<Value>> Machine::call(State& state, uint32_t function,
                                                std::vector<Value> arguments) {
  Thread helper;
  push(state, helper, function, std::move(arguments));
  while (!helper.isFinished)
    if (stepThread(state, helper) != Progress::Running || helper.blockedAt) return std::nullopt;
  return std::move(helper.returned);
}

AsyncOperation Machine::makeOperation(State& state, const Instruction& instruction,
                                      Action perform) {
  AsyncOperation operation;
  operation.id = state.operations++;
  operation.thread = state.current;
  operation.actor = ordering::actorOf(instruction.op);
  operation.instruction = &instruction;
  operation.perform = std::move(perform);
  return operation;
}

uint32_t Machine::issue(State& state, Thread& thread, AsyncOperation operation) {
  operation.step = state.steps;
  if (operation.barrier)
    if (auto barrier = state.barriers.find(*operation.barrier); barrier != state.barriers.end())
      operation.phase = barrier->second.phase;
  operation.crosses &= code_.ctas > 1;
  if (checksRaces_) {
    operation.clock = released(thread);
    noteIssued(state, operation);
  }
  if (observer_) observer_->began(state, thread, operation);
  uint32_t id = operation.id;
  state.underWay.push_back(std::move(operation));
  return id;
}

Step Machine::finish(State& state, AsyncOperation operation) {
  Thread& thread = state.threads[operation.thread < state.threads.size() ? operation.thread : 0];
  if (operation.perform) {
    Execution execution(*this, state, thread, *operation.instruction, &operation);
    if (Step step = operation.perform(execution); step == Step::Failed) return step;
  }
  if (observer_) observer_->ended(state, operation);
  if (checksRaces_) {
    // An end in order tells of all before it.
    if (ordering::isInOrder(operation.actor)) {
      Clock& ended = thread.ended[static_cast<size_t>(operation.actor)];
      ended.complete(operation.id);
      if (operation.barrier) operation.clock.join(ended);
    }
    operation.clock.complete(operation.id);
    if (operation.crosses) operation.clock.meet();
    if (operation.actor == Actor::TmaLoad) state.waitedFor.insert(operation.instruction);
  }
  for (uint32_t rest = operation.barrier ? operation.ctas : 0; rest; rest &= rest - 1) {
    uint32_t address =
        state.shared.address(static_cast<uint32_t>(std::countr_zero(rest)), *operation.barrier);
    auto barrier = state.barriers.find(address);
    if (barrier == state.barriers.end()) continue; // no longer one
    if (operation.arrivals > barrier->second.pending) {
      state.findings.push_back(tooManyArrivals(state, operation.instruction->op, barrier->second));
      return Step::Failed;
    }
    operation.tell(barrier->second);
    changed(state, address);
  }
  return Step::Next;
}

Finding Machine::tooManyArrivals(const State& state, mlir::Operation* op, const Barrier& barrier) {
  Finding finding = makeFinding(Id::SimulatedArrivals, op->getLoc(), barrier.count);
  if (barrier.init) finding.event(NoteId::InitializedHere, barrier.init->getLoc(), barrier.count);
  finding.isEnd = true;
  finding.program = state.program;
  return finding;
}

Step Machine::await(State& state, Thread& thread, uint32_t id) {
  auto found = llvm::partition_point(
      state.underWay, [&](const AsyncOperation& operation) { return operation.id < id; });
  if (found != state.underWay.end() && found->id == id) {
    AsyncOperation operation = std::move(*found);
    state.underWay.erase(found);
    if (finish(state, std::move(operation)) == Step::Failed) return Step::Failed;
  }
  if (checksRaces_) thread.clock.complete(id);
  return Step::Next;
}

Step Machine::finishProduct(Execution& execution) {
  Thread& thread = execution.thread;
  Product product = std::move(thread.products.front());
  thread.products.pop_front();
  TensorRef result;
  if (Step step = product.compute(execution, product.operands, result); step == Step::Failed)
    return step;
  auto keep = [&](Value& value) {
    auto* tensor = std::get_if<TensorRef>(&value);
    if (tensor && *tensor == product.promised) *tensor = result;
  };
  for (Frame& frame : thread.frames)
    llvm::for_each(frame.registers, keep);
  for (Product& later : thread.products)
    llvm::for_each(later.operands, keep);
  return Step::Next;
}

std::byte* Machine::at(State& state, uint64_t address, size_t bytes, Use use) const {
  if (!(address & scratchAddress)) {
    std::byte* memory = memory_.at(address, bytes);
    if (memory && observer_ && use == Use::Write) observer_->writes(state, address, bytes);
    return memory;
  }
  uint64_t place = address & ~scratchAddress, index = place >> scratchRange;
  uint64_t offset = place & ((uint64_t(1) << scratchRange) - 1);
  if (index >= state.scratch.size()) return nullptr;
  std::vector<std::byte>& memory = state.scratch[index];
  if (offset > memory.size() || bytes > memory.size() - offset) return nullptr;
  return memory.data() + offset;
}

std::string Machine::describe(uint64_t address) const {
  if (address & scratchAddress) return "an address in the program's scratch memory";
  return memory_.describe(address);
}

// Operations under way may show why it came to this: a barrier that gets too many arrivals is often
// one that somebody did not wait for.
void Machine::explainFailure(State& state) {
  if (!checksRaces_) return;
  Finding failure = std::move(state.findings.back());
  state.findings.pop_back();
  size_t before = state.findings.size();
  while (!state.underWay.empty()) {
    AsyncOperation operation = std::move(state.underWay.front());
    state.underWay.pop_front();
    if (operation.actor == Actor::WorkRequest) continue;
    if (finish(state, std::move(operation)) == Step::Failed) {
      state.findings.resize(before, failure);
      break;
    }
  }
  bool isExplained = state.findings.size() > before && failure.id == Id::SimulatedArrivals;
  if (!isExplained) state.findings.push_back(std::move(failure));
}

Machine::Progress Machine::stepThread(State& state, Thread& thread) {
  Frame& frame = thread.frames.back();
  const Function& function = code_.functions[frame.function];
  const Instruction& instruction = function.instructions[frame.next];
  ++state.steps;
  Execution execution(*this, state, thread, instruction);
  // Handlers may push frames: where this one goes on is set before.
  uint32_t at = frame.next++;
  size_t depth = thread.frames.size();
  if (checksRaces_ && !thread.products.empty()) checkProducts(execution);
  Step step = instruction.action(execution);
  bool wasBlocked = thread.blockedAt;
  thread.blockedAt = nullptr;
  switch (step) {
  case Step::Next:
    if (watchesNumbers_ && thread.frames.size() == depth) checkNumbers(execution);
    [[fallthrough]];
  case Step::Jump:
    if (observer_) observer_->executed(state, thread, instruction);
    return Progress::Running;
  case Step::Blocked:
    thread.frames.back().next = at;
    thread.blockedAt = &instruction;
    if (observer_ && !wasBlocked) observer_->blocked(state, thread, instruction);
    return Progress::Running;
  case Step::Failed:
    break;
  }
  explainFailure(state);
  state.isFinished = true;
  return Progress::Failed;
}

Machine::Progress Machine::complete(State& state, size_t index) {
  const AsyncOperation& chosen = state.underWay[index];
  if (ordering::isInOrder(chosen.actor))
    for (size_t i = 0; i < index; ++i)
      if (state.underWay[i].actor == chosen.actor && state.underWay[i].thread == chosen.thread) {
        index = i;
        break;
      }
  AsyncOperation operation = std::move(state.underWay[index]);
  state.underWay.erase(state.underWay.begin() + static_cast<ptrdiff_t>(index));
  if (finish(state, std::move(operation)) != Step::Failed) return Progress::Running;
  state.isFinished = true;
  return Progress::Failed;
}

// What was issued ends, waited for or not; a request for more work is not answered any more.
Machine::Progress Machine::end(State& state) {
  std::erase_if(state.underWay, [](const AsyncOperation& operation) {
    return operation.actor == Actor::WorkRequest;
  });
  if (checksRaces_) noteUnfinished(state);
  while (!state.underWay.empty())
    if (complete(state, 0) == Progress::Failed) return Progress::Failed;
  // Findings about numbers that were stored in ways that are not followed.
  auto isTold = [](const Finding& finding) {
    return diagnostics::has(finding.id, diagnostics::Trait::UnusualNumber);
  };
  if (watchesNumbers_ && !state.origins.empty() && !state.origins.front().isInput &&
      llvm::none_of(state.findings, isTold)) {
    Finding first = state.origins.front().finding;
    first.rank = 2;
    first.program = state.program;
    state.findings.push_back(std::move(first));
  }
  state.isFinished = true;
  return Progress::Finished;
}

Machine::Progress Machine::step(State& state) {
  if (!state.underWay.empty() && schedule_.completesEarly(state))
    return complete(state, schedule_.nextCompletion(state));
  if (state.threads.size() > 1 && schedule_.interrupts(state))
    state.current = schedule_.nextThread(state);
  // The current thread, then all of them in turn from the one that the schedule names.
  size_t most = state.threads.size() + (state.threads.size() > 1);
  for (size_t tried = 0; tried < most; ++tried) {
    Thread& thread = state.threads[state.current];
    if (!thread.isFinished) {
      if (stepThread(state, thread) == Progress::Failed) return Progress::Failed;
      if (thread.id == 0 && thread.isFinished) return end(state);
      if (!thread.blockedAt) {
        if (thread.isFinished) state.current = schedule_.nextThread(state);
        return Progress::Running;
      }
    }
    state.current = tried == 0 ? schedule_.nextThread(state)
                               : (state.current + 1) % static_cast<uint32_t>(state.threads.size());
  }
  if (!state.underWay.empty()) return complete(state, schedule_.nextCompletion(state));
  reportHang(state);
  state.isFinished = true;
  return Progress::Failed;
}

Machine::Progress Machine::run(State& state, uint64_t steps) {
  for (uint64_t i = 0; i < steps; ++i)
    if (Progress progress = step(state); progress != Progress::Running) return progress;
  return Progress::Running;
}

void Machine::reportHang(State& state) {
  // The first that waits for a barrier is told, the others as what belongs to it.
  std::optional<Finding> finding;
  for (const Thread& thread : state.threads) {
    if (thread.isFinished || !thread.blockedAt || !thread.waiting) continue;
    const Barrier& barrier = state.barriers[thread.waiting->barrier];
    std::string who = thread.who();
    std::string missing;
    if (barrier.pending > 0) missing = counted(static_cast<uint64_t>(barrier.pending), "arrival");
    if (barrier.bytes != 0)
      missing += (missing.empty() ? "" : " and ") + std::to_string(barrier.bytes) + " bytes";
    if (missing.empty()) missing = "an arrival";
    std::string awaited = "parity " + std::to_string(thread.waiting->parity) +
                          " of a barrier, but its phase " + std::to_string(barrier.phase) +
                          " still needs " + missing;
    auto last = llvm::find_if(thread.waits, [&](const PassedWait& each) {
      return each.barrier == thread.waiting->barrier;
    });
    if (std::string missed = barrier.missedSince(last == thread.waits.end() ? 0 : last->phase);
        checksRaces_ && !missed.empty())
      awaited += "; " + missed;
    mlir::Location at = thread.blockedAt->op->getLoc();
    // Bytes that are not accounted for explain a hang.
    if (!finding && barrier.copy && barrier.issued != barrier.expected) {
      finding = makeFinding(Id::SimulatedBytes,
                            (barrier.expect ? barrier.expect : barrier.copy)->getLoc(),
                            barrier.expected, barrier.issued, "the wait never ends");
      finding->event(NoteId::WaitedHere, at);
      finding->event(NoteId::IssuedHere, barrier.copy->getLoc(), "a copy");
    } else if (!finding) {
      finding = makeFinding(Id::SimulatedHang, at, who, awaited);
      if (barrier.init)
        finding->event(NoteId::InitializedHere, barrier.init->getLoc(), barrier.count);
      if (barrier.expect)
        finding->event(NoteId::ExpectedHere, barrier.expect->getLoc(), barrier.expected);
    } else {
      finding->event(NoteId::AlsoWaits, at, who, awaited);
    }
  }
  if (!finding)
    for (const Thread& thread : state.threads)
      if (!thread.isFinished && thread.blockedAt && !finding)
        finding = makeFinding(Id::SimulatedHang, thread.blockedAt->op->getLoc(), "the program",
                              "a partition that does not end");
  if (!finding) return;
  finding->isEnd = true;
  finding->program = state.program;
  state.findings.push_back(std::move(*finding));
}

} // namespace gluond::simulate
