// The accesses of buffers in the machine: their order, races, and what waits are for.
#include "lints/synchronization/Machine.h"

namespace gluond::lints::synchronization {
using namespace mlir;

void Machine::access(Thread& thread, Access now) {
  now.thread = thread.id;
  if (now.actor == Actor::Thread || now.actor == Actor::Wgmma || now.actor == Actor::Tcgen05)
    ++thread.work;
  now.time = thread.clock.tick(thread.id);
  memory_.overlapping(now.region, [&](Access& earlier) {
    if (!needOrder(earlier, now)) return;
    if (!happenedBefore(earlier, thread.clock)) {
      reportRace(thread, earlier, now);
    } else if (needsFence(earlier, now, thread.clock) && isa<ttg::LocalStoreOp>(earlier.op)) {
      Suggestion fence{Suggestion::Kind::InsertAfter, earlier.op->getLoc(),
                       diagnostics::fixTitle(FixId::InsertFence, "fence_async_shared()"),
                       "fence_async_shared()"};
      findings_(Id::MissingFence, earlier.op->getLoc(), name(now.actor))
          .related(NoteId::AccessedHere, now.op->getLoc(), "read")
          .suggest(std::move(fence));
    }
  });
  memory_.record(std::move(now), thread.clock);
}

void Machine::read(Thread& thread, mlir::Operation& op, mlir::Value value, Actor actor,
                   std::optional<uint32_t> operation) {
  const Region* at = region(thread, value);
  if (!at) return;
  noteRead(thread, op, *at);
  if (!memory_.isEverWritten(*at)) {
    if (isMisled(thread.clock)) return memory_.noteWritten(*at);
    // After a wait for a phase before the first, the wait is wrong: the buffer is filled
    // later.
    auto last = llvm::max_element(
        thread.waits, [](const LastWait& a, const LastWait& b) { return a.tick < b.tick; });
    if (threads_.size() > 1 && last != thread.waits.end() && last->wasFresh) {
      findings_(Id::WrongPhase, last->op->getLoc(), "the operation that fills the buffer",
                last->parity, 0, 0)
          .related(NoteId::AccessedHere, op.getLoc(), "read")
          .suggest({Suggestion::Kind::OtherPhase, last->op->getLoc(), {}, ""});
      noteMisled(thread, *last);
      memory_.noteWritten(*at);
      return;
    }
    findings_(Id::ReadBeforeWrite, op.getLoc(), describe(*at))
        .related(NoteId::AllocatedHere, allocations_[at->alloc].op->getLoc());
    memory_.noteWritten(*at); // reported once
    return;
  }
  access(thread, {&op, *at, actor, false, 0, 0, operation, false, {}});
}

void Machine::write(Thread& thread, mlir::Operation& op, mlir::Value value, Actor actor,
                    std::optional<uint32_t> operation) {
  if (const Region* at = region(thread, value))
    access(thread, {&op, *at, actor, true, 0, 0, operation, false, {}});
}

void Machine::noteWait(Thread& thread, mlir::Operation& wait) {
  bool isBusy = !thread.dots.empty() || thread.clock.lacksAnyOf(thread.mmas);
  for (FetchedAhead& each : thread.ahead)
    if (each.wait == &wait && each.turns++ == 0) ++waitRecords_[&wait].early;
  if (thread.copies.empty()) return;
  auto loop = wait.getParentOfType<LoopLikeOpInterface>();
  std::erase_if(thread.copies, [&](const CopyUnderWay& copy) {
    if (!thread.clock.isComplete(copy.operation)) return false;
    WaitRecord& record = waitRecords_[&wait];
    bool isIdle = !isBusy && copy.work == thread.work;
    ++(isIdle ? record.idle : record.busy);
    record.actor = operations_[copy.operation].actor;
    if (auto slot = std::pair(copy.region.alloc, copy.region.begin);
        !llvm::is_contained(record.slots, slot))
      record.slots.push_back(slot);
    if (isIdle && record.actor != Actor::TmaStore && loop &&
        loop->isAncestor(operations_[copy.operation].op))
      thread.ahead.push_back({&wait, copy.region});
    return true;
  });
}

void Machine::noteRead(Thread& thread, mlir::Operation& op, const Region& region) {
  std::erase_if(thread.ahead, [&](const FetchedAhead& each) {
    if (!touches(each.region, region)) return false;
    auto loop = each.wait->getParentOfType<LoopLikeOpInterface>();
    if (!loop || !loop->isAncestor(&op)) return true;
    WaitRecord& record = waitRecords_[each.wait];
    if (!each.turns) ++record.wanted;
    if (each.turns) record.turns = record.turns ? std::min(record.turns, each.turns) : each.turns;
    return true;
  });
}

} // namespace gluond::lints::synchronization
