// From a race or a hang that the machine ran into to the line that is to blame, and why.
#include "lints/protocol/Machine.h"

namespace gluond::lints::protocol {
using namespace mlir;

std::string Machine::describe(const Region& region) const {
  const Allocation& allocation = allocations_[region.alloc];
  return ("the " + allocation.text +
          (isa<ttng::TMEMAllocOp>(allocation.op) ? " accumulator" : " buffer"));
}

const Machine::LastWait* Machine::staleWait(const Thread& thread,
                                            const Operation& operation) const {
  if (!operation.barrier) return nullptr;
  for (const LastWait& wait : thread.waits)
    if (wait.barrier == *operation.barrier && wait.tick > operation.tick) return &wait;
  return nullptr;
}

void Machine::reportRace(Thread& thread, const Access& earlier, const Access& now) {
  if (!earlier.operation) { // another partition's load or store
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
    if (barrier.uneven && barrier.uneven->phase == operation.phase) {
      std::string number = std::to_string(barrier.uneven->issued);
      issued(findings_(Id::WrongExpectedBytes, barrier.uneven->expect->getLoc(),
                       barrier.uneven->expected, barrier.uneven->issued,
                       "the wait ends before all data are there")
                 .suggest({Suggestion::Kind::ReplaceNumber, barrier.uneven->expect->getLoc(),
                           diagnostics::note(NoteId::ReplaceWith, number), number}));
      return;
    }
    if (const LastWait* wait = staleWait(thread, operation)) {
      issued(findings_(Id::WrongPhase, wait->op->getLoc(), what, wait->parity, operation.phase,
                       operation.phase & 1));
      return;
    }
  }
  const char* verb = now.isWrite ? "overwritten" : "read";
  if (!earlier.isWrite) {
    issued(findings_(Id::OverwrittenInFlight, now.op->getLoc(), describe(now.region), what));
  } else if (operation.actor == Actor::Tcgen05) {
    issued(findings_(Id::MmaNotAwaited, now.op->getLoc(), describe(now.region), verb, what));
  } else if (operation.actor == Actor::AsyncCopy && !operation.isCommitted && thread.copyWait &&
             thread.copyWaitTick > operation.tick) {
    Suggestion commit{Suggestion::Kind::InsertBefore, thread.copyWait->getLoc(),
                      diagnostics::note(NoteId::InsertText, "commit_group()"),
                      "{module}commit_group()"};
    issued(findings_(Id::CopyNotCommitted, thread.copyWait->getLoc()).suggest(std::move(commit)));
  } else {
    auto finding =
        findings_(Id::CopyNotAwaited, now.op->getLoc(), describe(now.region), verb, what);
    issued(std::move(finding));
  }
}

bool Machine::reportCause(Thread& thread) {
  auto op = cast<ttng::WaitBarrierOp>(thread.blocked);
  const Barrier& barrier = barriers_[keyOf(thread, op.getAlloc())];
  if (barrier.issued && !barrier.expected) {
    findings_(Id::MissingExpect, barrier.copy->getLoc(), barrier.issued)
        .related(NoteId::WaitedHere, op.getLoc());
    return true;
  }
  if (barrier.expected && barrier.issued && barrier.expected != barrier.issued) {
    std::string number = std::to_string(barrier.issued);
    findings_(Id::WrongExpectedBytes, barrier.expect->getLoc(), barrier.expected, barrier.issued,
              "the wait never ends")
        .related(NoteId::WaitedHere, op.getLoc())
        .related(NoteId::IssuedHere, barrier.copy->getLoc(), "a copy")
        .suggest({Suggestion::Kind::ReplaceNumber, barrier.expect->getLoc(),
                  diagnostics::note(NoteId::ReplaceWith, number), number});
    return true;
  }
  if (barrier.expected && !barrier.issued) {
    findings_(Id::WaitNeverEnds, op.getLoc(),
              std::to_string(barrier.expected) + " bytes are expected and no copy brings them")
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
                  diagnostics::note(NoteId::ReplaceWith, std::to_string(barrier.arrivals)),
                  std::to_string(barrier.arrivals)});
    return true;
  }
  return false;
}

Machine::Feeding Machine::feeds(Thread& thread, uint32_t barrier) {
  auto isThis = [&](mlir::Value value) {
    while (mlir::Operation* op = value.getDefiningOp()) {
      if (!isa<ttg::MemDescIndexOp, ttg::MemDescSubsliceOp, ttg::MemDescReinterpretOp>(op)) break;
      value = op->getOperand(0);
    }
    Value root = get(thread, value);
    return root.kind == Value::Kind::Memory && regions_[root.region].alloc == barrier;
  };
  Feeding feeding = Feeding::None;
  thread.body->walk<WalkOrder::PreOrder>([&](mlir::Operation* op) {
    if (isa<ttg::WarpSpecializePartitionsOp>(op)) return WalkResult::skip();
    bool fills = isa<ttng::TMALoadLikeOpInterface, ttng::BarrierExpectOp, ttng::CLCTryCancelOp>(op);
    if (!fills && !isa<ttng::ArriveBarrierOp, ttng::TCGen5CommitOp, ttng::MMAv5OpInterface>(op))
      return WalkResult::advance();
    if (!llvm::any_of(op->getOperands(), isThis)) return WalkResult::advance();
    feeding = fills ? Feeding::Fills : std::max(feeding, Feeding::Arrives);
    return fills ? WalkResult::interrupt() : WalkResult::advance();
  });
  return feeding;
}

bool Machine::isConsequence(Thread& thread) {
  uint32_t barrier = keyOf(thread, cast<ttng::WaitBarrierOp>(thread.blocked).getAlloc()).first;
  return llvm::any_of(threads_, [&](Thread& other) {
    return other.id != thread.id && !other.isFinished &&
           isa_and_nonnull<ttng::WaitBarrierOp>(other.blocked) &&
           feeds(other, barrier) == Feeding::Fills;
  });
}

void Machine::reportHang() {
  // A race explains what follows from it.
  if (!findings_.empty()) return;
  bool isExplained = false;
  for (Thread& thread : threads_)
    if (!thread.isFinished && isa_and_nonnull<ttng::WaitBarrierOp>(thread.blocked))
      isExplained |= reportCause(thread);
  outcome_.isComplete = true;
  if (isExplained) return;
  for (Thread& thread : threads_) {
    auto op = dyn_cast_if_present<ttng::WaitBarrierOp>(thread.blocked);
    if (thread.isFinished || !op || isConsequence(thread)) continue;
    const Barrier& barrier = barriers_[keyOf(thread, op.getAlloc())];
    std::string phase = std::to_string(barrier.phase);
    std::string reason = barrier.arrivals
                             ? std::to_string(barrier.arrivals) + " of the " +
                                   std::to_string(barrier.count) + " arrivals that phase " + phase +
                                   " needs reach its barrier"
                             : "no arrive, expect or commit reaches its barrier in phase " + phase;
    findings_(Id::WaitNeverEnds, op.getLoc(), reason)
        .related(NoteId::InitializedHere, barrier.init->getLoc(), barrier.count);
  }
}

} // namespace gluond::lints::protocol
