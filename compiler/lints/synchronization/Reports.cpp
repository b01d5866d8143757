// Finds the responsible line for a race or a hang in the machine, and explains it.
#include "ir/Locations.h"
#include "lints/synchronization/Machine.h"

#include <mlir/Interfaces/LoopLikeInterface.h>

#include <array>

namespace gluond::lints::synchronization {
using namespace mlir;

// Operations that transfer bytes to a barrier.
static bool isFiller(mlir::Operation* op) {
  return isa<ttng::TMALoadLikeOpInterface, ttng::BarrierExpectOp, ttng::CLCTryCancelOp>(op);
}

std::string Machine::describe(const Region& region) const {
  const Allocation& allocation = allocations_[region.alloc];
  return ("the " + allocation.text +
          (isa<ttng::TMEMAllocOp>(allocation.op) ? " accumulator" : " buffer"));
}

const Machine::LastWait* Machine::staleWait(const Thread& thread,
                                            const Operation& operation) const {
  if (!operation.barrier) return nullptr;
  // A wait for the right parity returned because the phase had completed without the operation:
  // the mistake is elsewhere.
  for (const LastWait& wait : thread.waits)
    if (wait.barrier == *operation.barrier && wait.tick > operation.tick &&
        wait.parity != (operation.phase & 1))
      return &wait;
  return nullptr;
}

void Machine::noteMisled(Thread& thread, const LastWait& wait) {
  if (llvm::any_of(misled_, [&](const Misled& each) {
        return each.thread == thread.id && each.wait == wait.op;
      }))
    return;
  misled_.push_back({thread.id, wait.time, wait.op});
}

bool Machine::isMisled(const Clock& clock, const mlir::Operation* except) const {
  return llvm::any_of(misled_, [&](const Misled& each) {
    return each.wait != except && clock.at(each.thread) >= each.time;
  });
}

// Expect what the copies of a phase transfer.
static std::array<Suggestion, 2> expectBytes(mlir::Operation* expect, int64_t bytes,
                                             std::vector<Location> copies) {
  std::string number = std::to_string(bytes);
  Suggestion sum{Suggestion::Kind::ReplaceLast, expect->getLoc(),
                 diagnostics::fixTitle(FixId::ExpectCopies, "{bytes}"), "{bytes}"};
  sum.copies = std::move(copies);
  return {std::move(sum),
          {Suggestion::Kind::ReplaceNumber, expect->getLoc(),
           diagnostics::fixTitle(FixId::ReplaceNumber, number), number}};
}

std::vector<Location> Machine::copiesOf(std::pair<uint32_t, int64_t> barrier, int64_t phase) const {
  std::vector<Location> copies;
  for (const Operation& operation : operations_)
    if (operation.barrier == barrier && operation.phase == phase)
      copies.push_back(operation.op->getLoc());
  return copies;
}

// Whether no other wait comes from the same place of the source, and no loop repeats this one.
static bool isAlone(mlir::Operation* wait) {
  if (wait->getParentOfType<LoopLikeOpInterface>()) return false;
  Location place = ir::withoutCalls(wait->getLoc());
  return !wait->getParentOfType<ModuleOp>()
              ->walk([&](ttng::WaitBarrierOp other) {
                return other != wait && ir::withoutCalls(other.getLoc()) == place
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

// Other parities for a wait: as a number, or by a variable that changes with each phase.
static std::vector<Suggestion> otherParity(mlir::Operation* wait, int64_t phase) {
  std::string parity = std::to_string(phase & 1);
  if (isAlone(wait))
    return {{Suggestion::Kind::ReplaceNumber, wait->getLoc(),
             diagnostics::fixTitle(FixId::ReplaceNumber, parity), parity}};
  return {{Suggestion::Kind::FlipAfter, wait->getLoc(),
           diagnostics::fixTitle(FixId::FlipPhase, "{1:phase} ^= 1"), "{1:phase} ^= 1"},
          {Suggestion::Kind::OtherPhase, wait->getLoc(), {}, ""}};
}

void Machine::reportRace(Thread& thread, const Access& earlier, const Access& now) {
  if (earlier.operation) {
    const Operation& operation = operations_[*earlier.operation];
    const LastWait* wait = staleWait(thread, operation);
    if (isMisled(thread.clock, wait ? wait->op : nullptr) && (!wait || operation.isMisled)) return;
  } else if (isMisled(thread.clock)) {
    return;
  }
  if (!earlier.operation) { // another partition's load or store
    // The writer has waited for the reader, which had released the buffer before reading it.
    if (now.isWrite && !earlier.isWrite && thread.clock.at(earlier.thread)) {
      findings_(Id::PartitionRace, earlier.op->getLoc(), describe(now.region), "read", "write")
          .related(NoteId::AccessedHere, now.op->getLoc(), "written");
      return;
    }
    findings_(Id::PartitionRace, now.op->getLoc(), describe(now.region),
              now.isWrite ? "written" : "read", earlier.isWrite ? "write" : "read")
        .related(NoteId::AccessedHere, earlier.op->getLoc(), earlier.isWrite ? "written" : "read");
    return;
  }
  const Operation& operation = operations_[*earlier.operation];
  std::string what = name(operation.actor).str();
  auto issued = [&](Findings::InFlight finding) {
    finding.related(NoteId::IssuedHere, operation.op->getLoc(), what);
  };
  if (operation.barrier) {
    const Barrier& barrier = barriers_[*operation.barrier];
    // Other phases that complete early are consequences.
    if (barrier.uneven) {
      auto finding = findings_(Id::WrongExpectedBytes, barrier.uneven->expect->getLoc(),
                               barrier.uneven->expected, barrier.uneven->issued,
                               "the wait ends before all data has arrived");
      if (!finding) return; // said before: thousands of accesses may have one cause
      for (Suggestion& each : expectBytes(barrier.uneven->expect, barrier.uneven->issued,
                                          copiesOf(*operation.barrier, barrier.uneven->phase)))
        finding.suggest(std::move(each));
      issued(finding);
      return;
    }
    if (const LastWait* wait = staleWait(thread, operation)) {
      auto finding = findings_(Id::WrongPhase, wait->op->getLoc(), what, wait->parity,
                               operation.phase, operation.phase & 1);
      noteMisled(thread, *wait);
      if (!finding) return;
      for (Suggestion& each : otherParity(wait->op, operation.phase))
        finding.suggest(std::move(each));
      issued(finding);
      return;
    }
  }
  if (now.operation && earlier.isWrite && reportOverrun(thread)) return;
  const char* verb = now.isWrite ? "overwritten" : "read";
  // One wait orders all accesses to what completes the same barrier, and one wait for groups of
  // copies all accesses after it.
  const void* cause = nullptr;
  if (operation.barrier)
    cause = barriers_[*operation.barrier].init;
  else if (operation.actor == Actor::AsyncCopy)
    cause = now.op->getBlock();
  if (!earlier.isWrite) {
    issued(findings_(Id::OverwrittenInFlight, now.op->getLoc(), describe(now.region), what)
               .cause(cause));
  } else if (operation.actor == Actor::Tcgen05) {
    issued(findings_(Id::MmaNotAwaited, now.op->getLoc(), describe(now.region), verb, what)
               .cause(cause));
  } else if (operation.actor == Actor::AsyncCopy && operation.missedBy &&
             operation.missedBy == thread.copyWait) {
    Suggestion commit{Suggestion::Kind::InsertBefore, thread.copyWait->getLoc(),
                      diagnostics::fixTitle(FixId::InsertCommit, "commit_group()"),
                      "{module}commit_group()"};
    issued(findings_(Id::CopyNotCommitted, thread.copyWait->getLoc()).suggest(std::move(commit)));
  } else {
    auto finding =
        findings_(Id::CopyNotAwaited, now.op->getLoc(), describe(now.region), verb, what);
    if (!finding) return;
    std::string parity = std::to_string(operation.phase & 1),
                call = operation.actor == Actor::AsyncCopy ? "{other.module}wait_group(0)"
                       : operation.barrier
                           ? "mbarrier.wait({other.2:barrier}, phase=" + parity + ")"
                           : "";
    if (!call.empty()) {
      Suggestion wait{Suggestion::Kind::InsertBefore, now.op->getLoc(),
                      diagnostics::fixTitle(FixId::InsertWaitBefore, call), call};
      wait.argumentsAt = operation.op->getLoc();
      finding.suggest(std::move(wait));
    }
    issued(finding.cause(cause));
  }
}

// Copies of a thread that go around a ring without stopping: a wait for the others' next release
// returned because of the last one.
bool Machine::reportOverrun(Thread& thread) {
  for (const LastWait& wait : thread.repeats) {
    bool isOfOthers = llvm::any_of(threads_, [&](Thread& other) {
      return other.id != thread.id && feeds(other, wait.barrier.first) != Feeding::None;
    });
    if (!isOfOthers) continue;
    auto finding = findings_(Id::WrongPhase, wait.op->getLoc(), "the next operation", wait.parity,
                             wait.phase, wait.phase & 1);
    if (finding)
      for (Suggestion& each : otherParity(wait.op, wait.phase))
        finding.suggest(std::move(each));
    noteMisled(thread, wait);
    return true;
  }
  return false;
}

bool Machine::reportCause(Thread& thread) {
  auto op = cast<ttng::WaitBarrierOp>(thread.blocked);
  const Barrier& barrier = barriers_[keyOf(thread, op.getAlloc())];
  if (barrier.issued && !barrier.expected) {
    auto key = keyOf(thread, op.getAlloc());
    std::string call = "{other.module}expect({2:barrier}, {bytes}{pred})";
    std::vector<Location> copies = copiesOf(key, barrier.phase);
    Suggestion expect{Suggestion::Kind::InsertBefore,
                      copies.empty() ? barrier.copy->getLoc() : copies.front(),
                      diagnostics::fixTitle(FixId::InsertExpect, call), call};
    expect.argumentsAt = op.getLoc();
    expect.copies = std::move(copies);
    findings_(Id::MissingExpect, barrier.copy->getLoc(), barrier.issued,
              "the wait for the copy never ends or ends too early")
        .related(NoteId::WaitedHere, op.getLoc())
        .suggest(std::move(expect));
    return true;
  }
  if (barrier.expected && barrier.issued && barrier.expected != barrier.issued) {
    auto finding = findings_(Id::WrongExpectedBytes, barrier.expect->getLoc(), barrier.expected,
                             barrier.issued, "the wait never ends");
    finding.related(NoteId::WaitedHere, op.getLoc())
        .related(NoteId::IssuedHere, barrier.copy->getLoc(), "a copy");
    for (Suggestion& each : expectBytes(barrier.expect, barrier.issued,
                                        copiesOf(keyOf(thread, op.getAlloc()), barrier.phase)))
      finding.suggest(std::move(each));
    return true;
  }
  if (barrier.expected && !barrier.issued) {
    findings_(Id::WaitNeverEnds, op.getLoc(),
              std::to_string(barrier.expected) + " bytes are expected, but no copy delivers them")
        .related(NoteId::ExpectedHere, barrier.expect->getLoc(), barrier.expected);
    return true;
  }
  bool isAlone = llvm::all_of(threads_, [&](Thread& other) {
    if (other.id == thread.id || other.isFinished || !other.blocked) return true;
    auto wait = dyn_cast<ttng::WaitBarrierOp>(other.blocked);
    return wait && keyOf(other, wait.getAlloc()) == keyOf(thread, op.getAlloc());
  });
  if (isAlone && barrier.arrivals && barrier.pending > 0) {
    findings_(Id::ArrivalCount, barrier.init->getLoc(), barrier.count, barrier.arrivals)
        .related(NoteId::WaitedHere, op.getLoc())
        .suggest({Suggestion::Kind::ReplaceNumber, barrier.init->getLoc(),
                  diagnostics::fixTitle(FixId::ReplaceNumber, std::to_string(barrier.arrivals)),
                  std::to_string(barrier.arrivals)});
    return true;
  }
  return false;
}

void Machine::forEachFeeder(Thread& thread, uint32_t barrier,
                            llvm::function_ref<void(mlir::Operation*)> visit) {
  auto isThis = [&](mlir::Value value) {
    while (mlir::Operation* op = value.getDefiningOp()) {
      if (!isa<ttg::MemDescIndexOp, ttg::MemDescSubsliceOp, ttg::MemDescReinterpretOp>(op)) break;
      value = op->getOperand(0);
    }
    Value root = get(thread, value);
    return root.kind == Value::Kind::Memory && regions_[root.region].alloc == barrier;
  };
  thread.body->walk<WalkOrder::PreOrder>([&](mlir::Operation* op) {
    if (isa<ttg::WarpSpecializePartitionsOp>(op)) return WalkResult::skip();
    if (isFiller(op) ||
        isa<ttng::ArriveBarrierOp, ttng::TCGen5CommitOp, ttng::MMAv5OpInterface>(op))
      if (llvm::any_of(op->getOperands(), isThis)) visit(op);
    return WalkResult::advance();
  });
}

Machine::Feeding Machine::feeds(Thread& thread, uint32_t barrier) {
  Feeding feeding = Feeding::None;
  forEachFeeder(thread, barrier, [&](mlir::Operation* op) {
    feeding = std::max(feeding, isFiller(op) ? Feeding::Fills : Feeding::Arrives);
  });
  return feeding;
}

// The threads that wait and without which the thread's own wait cannot end.
llvm::SmallVector<Machine::Thread*, 4> Machine::stuckFeeders(Thread& thread, Feeding least) {
  llvm::SmallVector<Thread*, 4> found;
  uint32_t barrier = keyOf(thread, cast<ttng::WaitBarrierOp>(thread.blocked).getAlloc()).first;
  for (Thread& other : threads_)
    if (other.id != thread.id && !other.isFinished &&
        isa_and_nonnull<ttng::WaitBarrierOp>(other.blocked) && feeds(other, barrier) >= least)
      found.push_back(&other);
  return found;
}

bool Machine::isConsequence(Thread& thread, bool isStrict) {
  if (!stuckFeeders(thread, Feeding::Fills).empty()) return true;
  if (!isStrict) return false;
  // It waits for others, none of which waits for it.
  llvm::SmallVector<Thread*, 4> ahead = stuckFeeders(thread, Feeding::Arrives);
  if (ahead.empty()) return false;
  for (size_t i = 0; i < ahead.size(); ++i)
    for (Thread* next : stuckFeeders(*ahead[i], Feeding::Arrives)) {
      if (next == &thread) return false;
      if (!llvm::is_contained(ahead, next)) ahead.push_back(next);
    }
  return true;
}

// Fewer arrivals in all of the program's code than a phase needs.
bool Machine::reportCount(Thread& thread) {
  auto key = keyOf(thread, cast<ttng::WaitBarrierOp>(thread.blocked).getAlloc());
  const Barrier& barrier = barriers_[key];
  if (barrier.isVague || !barrier.arrivals) return false;
  int64_t arrivals = 0;
  for (Thread& other : threads_)
    forEachFeeder(other, key.first, [&](mlir::Operation* op) {
      if (auto arrive = dyn_cast<ttng::ArriveBarrierOp>(op))
        arrivals += arrive.getCount();
      else if (!isa<ttng::TMALoadLikeOpInterface>(op))
        ++arrivals;
    });
  if (arrivals >= barrier.count) return false;
  std::string number = std::to_string(arrivals);
  findings_(Id::ArrivalCount, barrier.init->getLoc(), barrier.count, arrivals)
      .related(NoteId::WaitedHere, thread.blocked->getLoc())
      .suggest({Suggestion::Kind::ReplaceNumber, barrier.init->getLoc(),
                diagnostics::fixTitle(FixId::ReplaceNumber, number), number});
  return true;
}

// A wait in a loop that continued without a new phase, on a barrier that a thread which is now
// stuck completes.
bool Machine::reportRepeat() {
  bool isExplained = false;
  for (Thread& thread : threads_)
    for (const LastWait& wait : thread.repeats) {
      bool isFedByStuck = llvm::any_of(threads_, [&](Thread& other) {
        return other.id != thread.id && !other.isFinished &&
               isa_and_nonnull<ttng::WaitBarrierOp>(other.blocked) &&
               feeds(other, wait.barrier.first) != Feeding::None;
      });
      if (!isFedByStuck) continue;
      findings_(Id::WrongPhase, wait.op->getLoc(), "the next operation", wait.parity, wait.phase,
                wait.phase & 1);
      isExplained = true;
    }
  return isExplained;
}

static bool multiplies(mlir::Operation* loop) {
  return loop
      ->walk([](mlir::Operation* op) {
        return isa<tt::DotOp, tt::DotScaledOp, ttng::WarpGroupDotOp, ttng::MMAv5OpInterface>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void Machine::reportIdleWaits() {
  constexpr unsigned enough = 3;
  if (threads_.size() > 1) return; // the others may be at work
  for (auto& [wait, record] : waitRecords_) {
    auto loop = wait->getParentOfType<LoopLikeOpInterface>();
    if (record.idle < enough || !loop) continue;
    // Data that is fetched for a later iteration need not be there in this one.
    bool isEarly = record.early && !record.wanted;
    // If nothing is prefetched and nothing multiplied, the memory system is the limit, and other
    // programs keep it busy.
    if (!isEarly && (record.busy || !multiplies(loop))) continue;
    llvm::SmallDenseMap<uint32_t, int64_t, 4> slots; // by allocation
    int64_t most = 0;
    for (auto [alloc, begin] : record.slots)
      most = std::max(most, ++slots[alloc]);
    if (most < 2) continue;
    auto finding = findings_(Id::SerializedPipeline, wait->getLoc(), name(record.actor), most);
    if (isEarly && record.turns && record.groups <= 1 && isa<ttg::AsyncWaitOp>(wait)) {
      std::string number = std::to_string(record.turns);
      finding.suggest({Suggestion::Kind::ReplaceNumber, wait->getLoc(),
                       diagnostics::fixTitle(FixId::ReplaceNumber, number), number});
    }
  }
}

void Machine::reportLeftOver() {
  reportUnannounced();
  for (Thread& thread : threads_) {
    for (uint32_t id : thread.stores) {
      mlir::Operation* op = operations_[id].op;
      auto finding = findings_(Id::NeverAwaited, op->getLoc(), name(Actor::TmaStore));
      finding.suggest({Suggestion::Kind::InsertAfter, op->getLoc(),
                       diagnostics::fixTitle(FixId::InsertWait, "store_wait(0)"),
                       "{module}store_wait(0)"});
      // While other partitions go on, a store of this one has time to end.
      if (thread.id) finding.severity(Severity::Hint);
    }
  }
  // Loads none of which was waited for: it is different if a pipeline prefetches and drops
  // some.
  llvm::DenseMap<mlir::Operation*, bool> awaited;
  for (auto [id, operation] : llvm::enumerate(operations_)) {
    if (operation.actor != Actor::TmaLoad && operation.actor != Actor::AsyncCopy) continue;
    bool& isAwaited = awaited.try_emplace(operation.op, false).first->second;
    isAwaited |= llvm::any_of(threads_, [id = static_cast<uint32_t>(id)](const Thread& thread) {
      return thread.clock.isComplete(id);
    });
  }
  for (const Operation& operation : operations_)
    if (auto it = awaited.find(operation.op); it != awaited.end() && !it->second)
      if (findings_.empty())
        findings_(Id::NeverAwaited, operation.op->getLoc(), name(operation.actor));
}

void Machine::reportReads(Thread& thread, ValueRange values, mlir::Operation* begin) {
  for (mlir::Value value : values) {
    if (!isa<RankedTensorType>(value.getType()) || !isUnderWay(thread, value)) continue;
    auto product = static_cast<size_t>(get(thread, value).integer);
    for (mlir::Operation* op = begin; op; op = op->getNextNode()) {
      bool hasWait = false; // which may leave nothing in flight
      mlir::Operation* reader = nullptr;
      op->walk([&](mlir::Operation* inner) {
        hasWait |= isa<ttng::WarpGroupDotWaitOp>(inner);
        if (!reader && llvm::is_contained(inner->getOperands(), value) && readsResult(inner))
          reader = inner;
      });
      if (hasWait) break;
      if (!reader) continue;
      findings_(Id::MmaNotAwaited, reader->getLoc(), "the accumulator", "read", name(Actor::Wgmma))
          .cause(operations_[product].op)
          .related(NoteId::IssuedHere, operations_[product].op->getLoc(), name(Actor::Wgmma));
      break;
    }
  }
}

void Machine::noteUnannounced(const Barrier& barrier) {
  if (barrier.init && !barrier.isVague && !isCluster_ && barrier.issued && !barrier.expected)
    unannounced_.insert(barrier.copy);
}

void Machine::reportUnannounced() {
  for (const auto& entry : barriers_)
    noteUnannounced(entry.second);
  if (!findings_.empty()) return;
  for (mlir::Operation* copy : unannounced_)
    if (auto load = dyn_cast<ttng::TMALoadLikeOpInterface>(copy))
      findings_(Id::MissingExpect, copy->getLoc(),
                extent(cast<ttg::MemDescType>(load.getResult().getType())),
                "nothing waits for this copy, which may still write when the program has ended");
}

void Machine::noteArrival(mlir::Operation& op, const Barrier& barrier, int64_t number) {
  // All threads have arrived, and bytes are still missing: the count would become negative.
  if (barrier.isVague || barrier.arrivals + number <= barrier.count) return;
  excess_.push_back({&op, barrier.init, barrier.count, barrier.arrivals + number});
}

void Machine::reportExcess() {
  if (!findings_.empty()) return;
  for (const Excess& each : excess_)
    findings_(Id::ArrivalCount, each.op->getLoc(), each.count, each.arrivals)
        .related(NoteId::InitializedHere, each.init->getLoc(), each.count);
}

void Machine::noteOvertaken(std::pair<uint32_t, int64_t> key) {
  const Barrier& barrier = barriers_[key];
  if (barrier.isVague || isCluster_) return;
  int64_t completed = barrier.phase - 1; // the wait was for the one before
  for (const Thread& thread : threads_)
    for (const LastWait& wait : thread.waits)
      if (wait.barrier == key && wait.phase == completed &&
          barrier.completed.at(thread.id) < wait.time) {
        overtaken_.push_back({wait.op, barrier.init, barrier.count, completed});
        isConfirmed_ |= expected_.erase(wait.op) && expected_.empty();
      }
}

void Machine::reportOvertaken() {
  if (!findings_.empty() || usesGuess_) return;
  for (const Overtaken& each : overtaken_) {
    outcome_.overtaken.push_back(each.wait);
    findings_(Id::PartitionRace, each.wait->getLoc(),
              "the barrier (a wait knows only its latest phase)", "waited on",
              "complete phase " + std::to_string(each.phase) + " of")
        .cause(each.init)
        .related(NoteId::InitializedHere, each.init->getLoc(), each.count);
  }
}

void Machine::reportHang() {
  // A race explains later findings.
  if (!findings_.empty()) return;
  bool isExplained = false;
  for (Thread& thread : threads_)
    if (!thread.isFinished && isa_and_nonnull<ttng::WaitBarrierOp>(thread.blocked))
      isExplained |= reportCause(thread) || reportCount(thread);
  if (!isExplained) isExplained = reportRepeat();
  outcome_.isComplete = true;
  if (isExplained) return;
  auto isCause = [&](Thread& thread, bool isStrict) {
    return !thread.isFinished && isa_and_nonnull<ttng::WaitBarrierOp>(thread.blocked) &&
           !isConsequence(thread, isStrict);
  };
  bool hasCause = llvm::any_of(threads_, [&](Thread& thread) { return isCause(thread, true); });
  for (Thread& thread : threads_) {
    if (!isCause(thread, hasCause)) continue;
    auto op = cast<ttng::WaitBarrierOp>(thread.blocked);
    const Barrier& barrier = barriers_[keyOf(thread, op.getAlloc())];
    auto last = llvm::find_if(thread.waits, [&](const LastWait& wait) {
      return wait.barrier == keyOf(thread, op.getAlloc());
    });
    std::string phase = std::to_string(barrier.phase);
    std::string reason = barrier.missedSince(last == thread.waits.end() ? 0 : last->phase);
    if (reason.empty())
      reason = barrier.arrivals
                   ? std::to_string(barrier.arrivals) + " of the " + std::to_string(barrier.count) +
                         " arrivals that phase " + phase + " needs reach the barrier"
                   : "no arrive, expect or commit reaches the barrier in phase " + phase;
    auto finding = findings_(Id::WaitNeverEnds, op.getLoc(), reason);
    finding.related(NoteId::InitializedHere, barrier.init->getLoc(), barrier.count);
    bool hasWork = llvm::any_of(operations_, [](const Operation& each) {
      return each.actor == Actor::Tcgen05 && isa<ttng::MMAv5OpInterface>(each.op);
    });
    // The barrier is for what another partition does.
    bool isOfOthers = llvm::any_of(threads_, [&](Thread& other) {
      return other.id != thread.id &&
             feeds(other, keyOf(thread, op.getAlloc()).first) != Feeding::None;
    });
    if (!barrier.phase && !barrier.arrivals)
      finding.suggest({Suggestion::Kind::OtherPhase, op.getLoc(), {}, ""});
    if (hasWork && !barrier.arrivals && !isOfOthers)
      finding.suggest({Suggestion::Kind::InsertBefore, op.getLoc(),
                       diagnostics::fixTitle(FixId::InsertCommit, "tcgen05_commit({0})"),
                       "tcgen05_commit({0})"});
  }
}

} // namespace gluond::lints::synchronization
