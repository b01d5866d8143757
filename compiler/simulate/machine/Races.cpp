// Which accesses nothing orders: every thread and every asynchronous operation has a clock of what
// it knows (ordering/Clock.h), and every access is compared with those before it that share a byte.
#include "ir/ttng/Ops.h"
#include "simulate/machine/Machine.h"
#include "simulate/machine/OperationNames.h"

#include <mlir/IR/BuiltinTypes.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>

namespace gluond::simulate {

Clock Machine::released(Thread& thread) {
  if (!checksRaces_) return {};
  thread.clock.tick(thread.id);
  return thread.clock;
}

void Machine::use(Thread& thread, Barrier& barrier, mlir::Operation* op) {
  if (!checksRaces_) return;
  auto own =
      llvm::find_if(barrier.uses, [&](const Barrier::Use& use) { return use.thread == thread.id; });
  if (own == barrier.uses.end()) own = barrier.uses.insert(own, Barrier::Use{});
  *own = {op, thread.id, thread.clock.tick(thread.id)};
}

void Execution::checkIdle(uint32_t address, const char* action) {
  auto found = state.barriers.find(address);
  if (!checksRaces() || found == state.barriers.end() || !found->second.init) return;
  constexpr uint64_t barrierBytes = 8;
  uint32_t alloc =
      machine.sharedAllocOf(static_cast<uint32_t>(address % state.shared.bytesPerCta()));
  auto tell = [&](const std::string& user, llvm::StringRef missing) {
    Finding finding = makeFinding(Id::SimulatedRace, instruction.op->getLoc(), action,
                                  machine.describe(alloc, {address, address + barrierBytes}), user,
                                  "write", missing.str());
    finding.touched = {alloc, address, address + barrierBytes};
    return finding;
  };
  for (const Barrier::Telling& each : found->second.telling)
    if (!thread.clock.isComplete(each.operation)) {
      Actor actor = ordering::actorOf(each.op);
      std::string what = ordering::name(actor).str();
      note(tell(what, ordering::orderedBy(actor))
               .event(NoteId::IssuedHere, each.op->getLoc(), what));
      return;
    }
  for (const Barrier::Use& use : found->second.uses)
    if (use.thread != thread.id && thread.clock.at(use.thread) < use.time) {
      note(tell("another partition", ordering::orderedBy(Actor::Thread))
               .event(NoteId::AccessedHere, use.op->getLoc(), "used"));
      return;
    }
}

// Operations on the program's shared memory that nobody waited for. The CTAs of a cluster end
// together, and a pipeline may drop some of the loads that it prefetched.
void Machine::noteUnfinished(State& state) {
  if (code_.ctas > 1) return;
  const Thread& main = state.threads.front();
  for (const AsyncOperation& operation : state.underWay) {
    Actor actor = operation.actor;
    bool isLoad = actor == Actor::TmaLoad && !state.waitedFor.contains(operation.instruction);
    if ((actor != Actor::TmaStore && !isLoad) || main.clock.isComplete(operation.id)) continue;
    mlir::Operation* op = operation.instruction->op;
    std::string what = ordering::name(actor).str();
    Finding finding = makeFinding(Id::NeverAwaited, op->getLoc(), what);
    // While other partitions go on, one of a worker has time to end.
    if (operation.thread != 0) finding.severity = diagnostics::Severity::Information;
    finding.program = state.program;
    // Another mistake is the reason that a wait did not serve it, or that nobody came to one.
    bool isKnown = llvm::any_of(state.findings, [&](const Finding& other) {
      return other.id == Id::NeverAwaited ? other.at == finding.at
                                          : other.severity <= diagnostics::Severity::Warning;
    });
    if (!isKnown) state.findings.push_back(std::move(finding));
  }
}

void Machine::began(State& state, Thread& parent, Thread& child) {
  if (!checksRaces_) return;
  child.clock = released(parent);
  child.clock.tick(child.id);
  state.accesses.forEach([](simulate::Access& access) { access.isFenced = true; });
}

void Machine::passed(State& state, Thread& thread, const Instruction& instruction, uint32_t address,
                     int64_t parity) {
  if (!checksRaces_) return;
  const Barrier& barrier = state.barriers.at(address);
  thread.clock.join(barrier.completed);
  auto wait =
      llvm::find_if(thread.waits, [&](const PassedWait& each) { return each.barrier == address; });
  if (wait == thread.waits.end()) wait = thread.waits.insert(wait, PassedWait{});
  *wait = {address, parity, barrier.phase, &instruction, state.steps};
}

void Machine::noteIssued(State& state, const AsyncOperation& operation) {
  size_t at = operation.id - state.firstIssued;
  if (state.issued.size() <= at) state.issued.resize(at + 1);
  state.issued[at] = {operation.barrier, operation.phase};
  if (operation.barrier && operation.actor != Actor::Thread) {
    auto barrier = state.barriers.find(*operation.barrier);
    if (barrier != state.barriers.end()) {
      auto& telling = barrier->second.telling;
      constexpr size_t most = 64; // later ones end later
      if (telling.size() == most) telling.erase(telling.begin());
      telling.push_back({operation.instruction->op, operation.id});
    }
  }
  constexpr size_t often = 4096;
  if (state.issued.size() % often == 0) forgetOld(state);
}

// Clocks hold a bit for each operation that somebody may still ask for. Accesses of operations that
// are long over are forgotten, so that a run without end has room.
void Machine::forgetOld(State& state) {
  constexpr uint32_t kept = 8192;
  uint32_t first = state.operations < kept ? 0 : state.operations - kept;
  for (const AsyncOperation& operation : state.underWay)
    first = std::min(first, operation.id);
  if (first <= state.firstIssued) return;
  state.accesses.eraseIf([&](const simulate::Access& access) {
    return access.operation && *access.operation < first;
  });
  state.issued.erase(state.issued.begin(),
                     state.issued.begin() + static_cast<ptrdiff_t>(first - state.firstIssued));
  state.firstIssued = first;
  for (Thread& thread : state.threads) {
    thread.clock.forgetOperationsBefore(first);
    for (Clock& ended : thread.ended)
      ended.forgetOperationsBefore(first);
  }
  for (auto& [address, barrier] : state.barriers) {
    barrier.arriving.forgetOperationsBefore(first);
    barrier.completed.forgetOperationsBefore(first);
  }
  for (AsyncOperation& operation : state.underWay)
    operation.clock.forgetOperationsBefore(first);
}

void Execution::access(Bytes bytes, How how) {
  if (!machine.checksRaces() || bytes.begin == bytes.end) return;
  Access now;
  now.op = instruction.op;
  now.region = std::move(bytes);
  now.isWrite = how.isWrite;
  now.isAtomic = how.isAtomic;
  now.isWhole = how.isWhole;
  now.distance = how.distance;
  now.thread = thread.id;
  if (operation) {
    now.actor = operation->actor;
    now.operation = operation->id;
    now.time = operation->clock.at(thread.id);
    now.step = operation->step;
  } else {
    now.time = thread.clock.tick(thread.id);
    now.step = state.steps;
  }
  if (machine.observer_) machine.observer_->accessed(state, now);
  const Clock& clock = operation ? operation->clock : thread.clock;
  state.accesses.overlapping(now.region, [&](Access& earlier) {
    if (!needOrder(earlier, now)) return;
    if (!happenedBefore(earlier, clock, now.distance)) {
      bool isSwapped = earlier.step > now.step;
      reportRace(isSwapped ? now : earlier, isSwapped ? earlier : now,
                 common(earlier.region, now.region));
    } else if (needsFence(earlier, now, clock) && now.region.alloc < Machine::tensorAlloc) {
      note(makeFinding(Id::SimulatedMissingFence, instruction.op->getLoc(),
                       ordering::name(now.actor).str())
               .event(NoteId::StoredHere, earlier.op->getLoc()));
    }
  });
  state.accesses.add(std::move(now), clock);
}

void Execution::reportRace(const Access& first, const Access& second, Bytes::Run shared) {
  // A read before the write is explained by its race with that write.
  std::erase_if(state.findings, [&](const Finding& finding) {
    return finding.id == Id::SimulatedReadBeforeWrite && finding.at == second.op->getLoc();
  });
  std::string what = ordering::name(first.actor).str();
  auto firstEvent = [&](Finding finding) {
    if (first.operation)
      finding.event(NoteId::IssuedHere, first.op->getLoc(), what);
    else
      finding.event(NoteId::AccessedHere, first.op->getLoc(), first.isWrite ? "written" : "read");
    return finding;
  };
  const Thread& other = state.threads[second.thread < state.threads.size() ? second.thread : 0];
  if (first.operation && *first.operation >= state.firstIssued) {
    const IssuedOperation& issued = state.issued[*first.operation - state.firstIssued];
    if (issued.barrier) {
      // The thread did wait, but for another phase, or for fewer bytes.
      auto barrier = state.barriers.find(*issued.barrier);
      if (barrier != state.barriers.end() && barrier->second.uneven &&
          barrier->second.uneven->phase == issued.phase) {
        const Barrier::Uneven& uneven = *barrier->second.uneven;
        note(firstEvent(makeFinding(Id::SimulatedBytes, uneven.expect->getLoc(), uneven.expected,
                                    uneven.issued, "the wait ends before all data has arrived"))
                 .event(NoteId::AccessedHere, second.op->getLoc(),
                        second.isWrite ? "written" : "read"));
        return;
      }
      for (const PassedWait& wait : other.waits)
        if (wait.barrier == *issued.barrier && wait.parity != (issued.phase & 1) &&
            wait.step > first.step && wait.step < second.step) {
          note(firstEvent(makeFinding(Id::SimulatedWrongPhase, wait.instruction->op->getLoc(), what,
                                      wait.parity, issued.phase, issued.phase & 1))
                   .event(NoteId::AccessedHere, second.op->getLoc(),
                          second.isWrite ? "written" : "read"));
          return;
        }
    }
  }
  std::string missing = ordering::orderedBy(first.actor).str();
  if (first.distance != second.distance && !first.operation)
    missing =
        "a barrier of the cluster, or an arrival on the other CTA's barrier and a wait for it";
  if (first.operation && llvm::is_contained(other.uncommitted, *first.operation))
    missing = "a `commit_group` before the `wait_group`";
  std::string access = second.operation ? ordering::name(second.actor).str() : "this access";
  access += second.isWrite ? " writes" : " reads";
  std::string who = first.operation                     ? what
                    : first.distance != second.distance ? "another CTA"
                    : first.thread == second.thread     ? "the partition"
                                                        : "another partition";
  Finding finding = makeFinding(Id::SimulatedRace, second.op->getLoc(), access,
                                machine.describe(first.region.alloc, shared), who,
                                first.isWrite ? "write" : "read", missing);
  finding.touched = {first.region.alloc, shared.from, shared.to};
  note(firstEvent(std::move(finding)));
}

// Whether the operation reads the registers of its operand: a wait and the next product take an
// accumulator over, and control flow only passes it on.
static bool readsOperand(mlir::Operation* op, unsigned operand) {
  if (llvm::isa<mlir::CallOpInterface, mlir::RegionBranchOpInterface>(op) ||
      op->hasTrait<mlir::OpTrait::IsTerminator>() || llvm::isa<ttng::WarpGroupDotWaitOp>(op))
    return false;
  auto dot = llvm::dyn_cast<ttng::WarpGroupDotOp>(op);
  return !dot || dot.getC() != op->getOperand(operand);
}

// Notes a read of a result that a wgmma has yet to write.
void Machine::checkProducts(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const auto& products = execution.thread.products;
  if (instruction.role != Role::Operation) return;
  for (unsigned i = 0; i < instruction.operands; ++i) {
    const auto* tensor = std::get_if<TensorRef>(&execution.in(i));
    if (!tensor) continue;
    auto product =
        llvm::find_if(products, [&](const Product& each) { return each.promised == *tensor; });
    if (product == products.end() || !readsOperand(instruction.op, i)) continue;
    auto later = static_cast<size_t>(products.end() - product) - 1;
    std::string what = ordering::name(Actor::Wgmma).str();
    execution.note(
        makeFinding(
            Id::SimulatedRace, instruction.op->getLoc(),
            "this " + operationName(*instruction.op) + " reads",
            "elements 0 to " + std::to_string((*tensor)->count() - 1) + " of the accumulator", what,
            "write", "a `warpgroup_mma_wait(num_outstanding=" + std::to_string(later) + ")`")
            .event(NoteId::IssuedHere, product->op->getLoc(), what));
  }
}

// "bytes 0 to 2047 of the 16x32xf32 buffer"
std::string Machine::describe(uint32_t alloc, Bytes::Run run) const {
  auto bytes = [&](uint64_t base) {
    return "bytes " + std::to_string(run.from - base) + " to " + std::to_string(run.to - 1 - base);
  };
  if (alloc >= globalAlloc)
    return bytes(run.from - GlobalMemory::offsetOf(run.from)) + " of " + memory_.nameOf(run.from);
  bool isTensor = alloc >= tensorAlloc;
  const std::vector<Buffer>& buffers = isTensor ? code_.tensors : code_.shared;
  size_t index = alloc - (isTensor ? tensorAlloc : 0);
  if (index >= buffers.size()) return bytes(0) + " of the memory";
  auto type = llvm::cast<mlir::ShapedType>(buffers[index].op->getResult(0).getType());
  std::string text;
  llvm::raw_string_ostream out(text);
  for (int64_t extent : type.getShape())
    out << extent << "x";
  out << type.getElementType();
  uint64_t cta = run.from - run.from % (isTensor ? code_.tensorMemoryBytes : code_.sharedBytes);
  return bytes(cta + buffers[index].base) + " of the " + text + " buffer" +
         (isTensor ? " in tensor memory" : "");
}

} // namespace gluond::simulate
