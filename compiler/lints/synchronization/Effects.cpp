// The effects of ops on memory and barriers in the machine: a function for each, and the table of
// them.
#include "chips/Vendor.h"
#include "ir/amdg/Ops.h"
#include "ir/ttg/ModuleTarget.h"
#include "lints/synchronization/Machine.h"
#include "passes/memory/BufferAccesses.h"

#include <mlir/IR/Matchers.h>

namespace gluond::lints::synchronization {
using namespace mlir;

uint32_t Machine::begin(Thread& thread, mlir::Operation& op, Actor actor) {
  operations_.push_back({&op, actor, tick_, {}, 0, nullptr, isMisled(thread.clock)});
  return static_cast<uint32_t>(operations_.size() - 1);
}

void Machine::track(Thread& thread, uint32_t operation, mlir::Value memory) {
  if (const Region* at = region(thread, memory))
    thread.copies.push_back({operation, *at, thread.work});
}

void Machine::completeAllBut(Thread& thread, std::deque<uint32_t>& inFlight, size_t left) {
  InFlight::takeAllBut(inFlight, left, [&](uint32_t id) { thread.clock.complete(id); });
}

void Machine::completeGroups(Thread& thread, size_t left) {
  InFlight::takeAllBut(thread.groups, left, [&](const std::vector<uint32_t>& group) {
    for (uint32_t id : group)
      thread.clock.complete(id);
  });
}

std::pair<uint32_t, int64_t> Machine::keyOf(Thread& thread, mlir::Value barrier) {
  const Region* at = region(thread, barrier);
  return {at->alloc, at->begin};
}

Barrier* Machine::barrierOf(Thread& thread, mlir::Operation& op, mlir::Value value) {
  const Region* at = region(thread, value);
  if (!at || at->kind != Region::Kind::Whole) return nullptr;
  Barrier& barrier = barriers_[{at->alloc, at->begin}];
  if (barrier.init || barrier.isVague) return &barrier;
  Location allocation = allocations_[at->alloc].op->getLoc();
  auto finding = findings_(Id::BarrierNotInitialized, op.getLoc());
  finding.related(NoteId::AllocatedHere, allocation);
  if (value == op.getOperand(0) && !barrier.wasInvalidated) {
    std::string call = "{other.module}init({other.0}, count=1)";
    Suggestion init{Suggestion::Kind::InsertAfter, allocation,
                    diagnostics::fixTitle(FixId::InsertInit, call), call};
    init.argumentsAt = op.getLoc();
    finding.suggest(std::move(init));
  }
  return nullptr;
}

Machine::Step Machine::waitForPhase(Thread& thread, mlir::Operation& operation) {
  auto op = cast<ttng::WaitBarrierOp>(operation);
  if (auto step = stepUnlessOn(thread, op.getPred())) return *step;
  Barrier* barrier = barrierOf(thread, *op, op.getAlloc());
  auto parity = integer(thread, op.getPhase());
  if (!barrier || !parity) return Step::Stop;
  if (*parity != 0 && *parity != 1) {
    auto finding = findings_(Id::PhaseNotParity, op.getLoc(), *parity);
    std::string lowest = "{group.1:phase} & 1";
    bool isLast = !op.getPred() || matchPattern(op.getPred(), m_One()); // of the arguments
    if (isLast && op.getDeps().empty())
      finding.suggest({Suggestion::Kind::ReplaceLast, op.getLoc(),
                       diagnostics::fixTitle(diagnostics::FixId::TryText, lowest), lowest});
  }
  if (!barrier->isVague && !barrier->isPast(*parity)) return Step::Blocked;
  thread.clock.join(barrier->completed);
  if (barrier->isVague) thread.clock.join(barrier->arriving);
  auto key = keyOf(thread, op.getAlloc());
  auto it = llvm::find_if(thread.waits, [&](const LastWait& wait) { return wait.barrier == key; });
  if (it == thread.waits.end()) it = thread.waits.insert(it, LastWait{});
  bool isRepeat = it->op == op && it->phase == barrier->phase && !barrier->isVague;
  *it = {op,
         key,
         *parity & 1,
         tick_,
         barrier->phase,
         !barrier->isVague && barrier->phase == 0,
         thread.clock.tick(thread.id)};
  if (isRepeat &&
      llvm::none_of(thread.repeats, [&](const LastWait& wait) { return wait.op == op; }))
    thread.repeats.push_back(*it);
  noteWait(thread, *op);
  return Step::Next;
}

Machine::Step Machine::copyToShared(Thread& thread, mlir::Operation& operation) {
  auto op = cast<ttng::TMALoadLikeOpInterface>(operation);
  if (auto step = stepUnlessOn(thread, op.getPred())) return *step;
  Barrier* barrier = barrierOf(thread, *op, op.getBarrier());
  if (!barrier) return Step::Stop;
  auto type = cast<ttg::MemDescType>(op.getResult().getType());
  int64_t bytes = extent(type);
  uint32_t id = begin(thread, *op, Actor::TmaLoad);
  auto key = keyOf(thread, op.getBarrier());
  operations_[id].barrier = key;
  operations_[id].phase = barrier->phase;
  barrier->issued += bytes;
  barrier->copy = op;
  if (barrier->isVague) barrier->arriving.complete(id);
  write(thread, *op, op.getResult(), Actor::TmaLoad, id);
  track(thread, id, op.getResult());
  completeLater(key, bytes, 0, id, thread.clock);
  return Step::Next;
}

Machine::Step Machine::accessBuffers(Thread& thread, mlir::Operation& op) {
  Actor actor = gluond::ordering::actorOf(&op);
  std::optional<uint32_t> id;
  if (actor != Actor::Thread) id = begin(thread, op, actor);
  for (auto [buffer, isWrite] : passes::bufferAccessesOf(&op)) {
    if (passes::isOfBarriers(buffer)) continue;
    if (isWrite)
      write(thread, op, buffer, actor, id);
    else
      read(thread, op, buffer, actor, id);
    if (actor == Actor::AsyncCopy || actor == Actor::TmaStore || actor == Actor::TdmLoad)
      track(thread, *id, buffer);
  }
  switch (actor) {
  case Actor::AsyncCopy:
    thread.uncommitted.push_back(*id);
    break;
  case Actor::TmaStore:
    thread.stores.push_back(*id);
    break;
  case Actor::TdmLoad:
  case Actor::TdmStore:
    thread.tdms.push_back(*id);
    break;
  case Actor::Tcgen05:
    noteProduct(thread, *id);
    break;
  default:
    break;
  }
  return Step::Next;
}

bool Machine::isUnderWay(Thread& thread, mlir::Value value) {
  Value result = get(thread, value);
  return result.kind == Value::Kind::Result &&
         !thread.clock.isComplete(static_cast<uint32_t>(result.integer));
}

void Machine::noteProduct(Thread& thread, uint32_t operation) {
  thread.mmas.resize(std::max<unsigned>(thread.mmas.size(), operation + 1));
  thread.mmas.set(operation);
  thread.unsignaled.push_back(operation);
}

void Machine::arriveAt(std::pair<uint32_t, int64_t> key, const Completion& arrival) {
  Barrier& barrier = barriers_[key];
  int64_t before = barrier.phase;
  arrival.tell(barrier);
  if (barrier.phase != before) noteOvertaken(key);
}

Machine::Step Machine::signal(Thread& thread, mlir::Operation& op, mlir::Value value, Clock clock) {
  Barrier* barrier = barrierOf(thread, op, value);
  if (!barrier) return Step::Stop;
  auto key = keyOf(thread, value);
  // Earlier ones may not have arrived yet: they complete phases before.
  int64_t queued = 0;
  for (const CompletionAt& earlier : completions_)
    if (earlier.barrier == key) queued += earlier.arrivals;
  int64_t arrived = barrier->count - barrier->pending + queued;
  int64_t phase = barrier->phase + (barrier->count > 0 ? arrived / barrier->count : 0);
  for (uint32_t id : thread.unsignaled) {
    operations_[id].barrier = key;
    operations_[id].phase = phase;
  }
  thread.unsignaled.clear();
  clock.done.resize(std::max(clock.done.size(), thread.mmas.size()));
  clock.done |= thread.mmas;
  completeLater(key, 0, 1, {}, std::move(clock));
  return Step::Next;
}

Machine::Step Machine::multiply(Thread& thread, mlir::Operation& operation) {
  auto op = cast<ttng::MMAv5OpInterface>(operation);
  if (auto step = stepUnlessOn(thread, op.getPred())) return *step;
  uint32_t id = begin(thread, *op, Actor::Tcgen05);
  for (auto [buffer, isWrite] : passes::bufferAccessesOf(op))
    if (!isWrite && buffer != op.getD()) read(thread, *op, buffer, Actor::Tcgen05, id);
  // The declared read of the accumulator is one that may happen.
  auto usesAccumulator = integer(thread, op.getUseD());
  if (usesAccumulator && *usesAccumulator) read(thread, *op, op.getD(), Actor::Tcgen05, id);
  write(thread, *op, op.getD(), Actor::Tcgen05, id);
  noteProduct(thread, id);
  auto predicates = op.getBarrierPreds();
  for (auto [i, barrier] : llvm::enumerate(op.getBarriers())) {
    auto signals = predicate(thread, i < predicates.size() ? predicates[i] : mlir::Value());
    if (!signals) return Step::Stop;
    if (*signals && signal(thread, *op, barrier, thread.clock) == Step::Stop) return Step::Stop;
  }
  return Step::Next;
}

Machine::Step Machine::deallocate(Thread&, mlir::Operation&) {
  return Step::Next;
}

Machine::Step Machine::storeToTensorMemory(Thread& thread, mlir::Operation& op) {
  auto step = stepUnlessOn(thread, cast<ttng::TMEMStoreOp>(op).getPred());
  return step ? *step : accessBuffers(thread, op);
}

// It counts instructions, of which a copy may need several: assumed to wait for all.
Machine::Step Machine::waitForTdmInstructions(Thread& thread, mlir::Operation& op) {
  completeAllBut(thread, thread.tdms, 0);
  noteWait(thread, op);
  return Step::Next;
}

Machine::Step Machine::waitForTdm(Thread& thread, mlir::Operation& op) {
  completeAllBut(thread, thread.tdms, cast<amdg::AsyncTDMWait>(op).getNum());
  noteWait(thread, op);
  return Step::Next;
}

Machine::Step Machine::waitForInstructions(Thread& thread, mlir::Operation&) {
  thread.commit();
  completeGroups(thread, 0);
  return Step::Next;
}

Machine::Step Machine::commitCopies(Thread& thread, mlir::Operation&) {
  thread.commit();
  return Step::Next;
}

Machine::Step Machine::waitForCopies(Thread& thread, mlir::Operation& op) {
  auto wait = cast<ttg::AsyncWaitOp>(op);
  thread.copyWait = wait;
  // AMD's hardware counts copies, not groups: a wait that leaves nothing is for all of them.
  if (wait.getNum() == 0 && chips::isAmd(ttg::targetOf(wait))) thread.commit();
  for (uint32_t id : thread.uncommitted)
    operations_[id].missedBy = wait;
  size_t under = thread.groups.size();
  completeGroups(thread, wait.getNum());
  // The first iteration has more, from before the loop.
  if (WaitRecord& record = waitRecords_[wait]; record.early)
    record.groups = std::max(record.groups, static_cast<unsigned>(under - thread.groups.size()));
  noteWait(thread, op);
  return Step::Next;
}

Machine::Step Machine::arriveAfterCopies(Thread& thread, mlir::Operation& op) {
  auto arrive = cast<ttng::AsyncCopyMbarrierArriveOp>(op);
  const Region* at = region(thread, arrive.getBarrier());
  if (!at) return Step::Stop;
  Barrier& barrier = barriers_[{at->alloc, at->begin}];
  Clock clock = thread.clock;
  thread.forEachCopy([&](uint32_t id) { clock.complete(id); });
  // Every thread of the partition arrives when its copies have completed; this counts unless
  // it was compensated by an additional arrival that the phase then needs.
  if (arrive.getNoIncrement() && barrier.init) {
    thread.forEachCopy([&](uint32_t id) {
      Operation& operation = operations_[id];
      if (operation.barrier) return;
      operation.barrier = {at->alloc, at->begin};
      operation.phase = barrier.phase;
    });
    completeLater({at->alloc, at->begin}, 0,
                  ttg::lookupNumWarps(&op).value_or(4) * int64_t(ttg::lookupThreadsPerWarp(&op)),
                  {}, std::move(clock));
    return Step::Next;
  }
  barrier.isVague = true;
  barrier.arriving.join(clock);
  return Step::Next;
}

Machine::Step Machine::initialize(Thread& thread, mlir::Operation& op) {
  auto init = cast<ttng::InitBarrierOp>(op);
  const Region* at = region(thread, init.getAlloc());
  if (!at || at->kind != Region::Kind::Whole) return Step::Stop;
  Barrier& barrier = barriers_[{at->alloc, at->begin}];
  barrier = Barrier();
  barrier.init = &op;
  barrier.count = barrier.pending = init.getCount();
  return Step::Next;
}

Machine::Step Machine::invalidate(Thread& thread, mlir::Operation& op) {
  auto inval = cast<ttng::InvalBarrierOp>(op);
  if (!barrierOf(thread, op, inval.getAlloc())) return Step::Stop;
  Barrier& barrier = barriers_[keyOf(thread, inval.getAlloc())];
  noteUnannounced(barrier);
  // A phase that ended too early is told where the buffer is used, which may be later.
  std::optional<Barrier::Uneven> uneven = barrier.uneven;
  barrier = Barrier();
  barrier.uneven = uneven;
  barrier.wasInvalidated = true;
  return Step::Next;
}

Machine::Step Machine::announceBytes(Thread& thread, mlir::Operation& op) {
  auto expect = cast<ttng::BarrierExpectOp>(op);
  if (auto step = stepUnlessOn(thread, expect.getPred())) return *step;
  Barrier* barrier = barrierOf(thread, op, expect.getAlloc());
  if (!barrier) return Step::Stop;
  noteArrival(op, *barrier, 1);
  barrier->bytes += expect.getSize();
  barrier->expected += expect.getSize();
  barrier->expect = &op;
  arriveAt(keyOf(thread, expect.getAlloc()), {0, 1, thread.clock});
  return Step::Next;
}

Machine::Step Machine::arrive(Thread& thread, mlir::Operation& op) {
  auto arrival = cast<ttng::ArriveBarrierOp>(op);
  if (auto step = stepUnlessOn(thread, arrival.getPred())) return *step;
  Barrier* barrier = barrierOf(thread, op, arrival.getAlloc());
  if (!barrier) return Step::Stop;
  noteArrival(op, *barrier, arrival.getCount());
  thread.clock.tick(thread.id); // threads that wait for this know that it has happened
  arriveAt(keyOf(thread, arrival.getAlloc()), {0, arrival.getCount(), thread.clock});
  return Step::Next;
}

Machine::Step Machine::commitProducts(Thread& thread, mlir::Operation& op) {
  auto commit = cast<ttng::TCGen5CommitOp>(op);
  auto step = stepUnlessOn(thread, commit.getPred());
  return step ? *step : signal(thread, op, commit.getBarrier(), thread.clock);
}

Machine::Step Machine::waitForStores(Thread& thread, mlir::Operation& op) {
  completeAllBut(thread, thread.stores, cast<ttng::TMAStoreWaitOp>(op).getPendings());
  noteWait(thread, op);
  return Step::Next;
}

// Whatever is under way meanwhile overlaps with it.
Machine::Step Machine::multiplyInRegisters(Thread& thread, mlir::Operation& op) {
  ++thread.work;
  return executeUnknown(thread, op);
}

Machine::Step Machine::multiplyByWarpGroup(Thread& thread, mlir::Operation& op) {
  std::optional<uint32_t> id;
  if (cast<ttng::WarpGroupDotOp>(op).getIsAsync()) {
    id = begin(thread, op, Actor::Wgmma);
    thread.dots.push_back(*id);
  }
  for (auto [operand, isWrite] : passes::bufferAccessesOf(&op))
    read(thread, op, operand, Actor::Wgmma, id);
  set(thread, op.getResult(0), id ? Value{Value::Kind::Result, *id, 0} : Value{});
  return Step::Next;
}

Machine::Step Machine::waitForWarpGroup(Thread& thread, mlir::Operation& op) {
  auto wait = cast<ttng::WarpGroupDotWaitOp>(op);
  completeAllBut(thread, thread.dots, wait.getPendings());
  for (auto [input, output] : llvm::zip(wait.getInputs(), wait.getOutputs())) {
    Value value = get(thread, input);
    set(thread, output, value);
    if (isUnderWay(thread, output) && llvm::any_of(output.getUsers(), readsResult))
      findings_(Id::MmaNotAwaited, op.getLoc(), "the accumulator of this wait", "read",
                name(Actor::Wgmma))
          .related(NoteId::IssuedHere, operations_[static_cast<size_t>(value.integer)].op->getLoc(),
                   name(Actor::Wgmma));
  }
  return Step::Next;
}

Machine::Step Machine::fence(Thread& thread, mlir::Operation&) {
  memory_.fence(thread.id, thread.clock);
  return Step::Next;
}

Machine::Step Machine::requestWork(Thread& thread, mlir::Operation& op) {
  auto request = cast<ttng::CLCTryCancelOp>(op);
  Barrier* barrier = barrierOf(thread, op, request.getMbarrier());
  const Region* at = region(thread, request.getResult());
  if (!barrier || !at) return Step::Stop;
  uint32_t id = begin(thread, op, Actor::WorkRequest);
  auto key = keyOf(thread, request.getMbarrier());
  operations_[id].barrier = key;
  operations_[id].phase = barrier->phase;
  constexpr int64_t bytes = 16; // of an answer
  barrier->issued += bytes;
  barrier->copy = &op;
  requests_[at->alloc] = requestsMade_++;
  write(thread, op, request.getResult(), Actor::WorkRequest, id);
  completeLater(key, bytes, 0, id, thread.clock);
  return Step::Next;
}

Machine::Step Machine::loadWork(Thread& thread, mlir::Operation& op) {
  auto load = cast<ttng::CLCLoadResultOp>(op);
  read(thread, op, load.getSrc());
  const Region* at = region(thread, load.getSrc());
  auto it = at ? requests_.find(at->alloc) : requests_.end();
  if (it == requests_.end()) return Step::Stop;
  setInteger(thread, load.getClcResult(), it->second);
  return Step::Next;
}

// It is not simulated, and may write all of its arguments.
Machine::Step Machine::executeUnknown(Thread& thread, mlir::Operation& op) {
  if (isa<CallOpInterface>(op)) return Step::Stop;
  for (mlir::Value operand : op.getOperands())
    if (isa<ttg::MemDescType>(operand.getType()))
      if (const Region* at = region(thread, operand)) memory_.noteWritten(*at);
  skip(thread, op);
  return Step::Next;
}

Machine::EffectTable Machine::makeEffects() {
  EffectTable table;
  auto add = [&]<typename... Ops>(Effect effect) {
    (table.try_emplace(TypeID::get<Ops>(), effect), ...);
  };
  // Buffers and views.
  add.operator()<ttg::LocalAllocOp, ttng::TMEMAllocOp>(&Machine::allocate);
  add.operator()<ttg::LocalDeallocOp>(&Machine::deallocate);
  add.operator()<ttg::MemDescIndexOp, ttg::MemDescSubsliceOp, ttg::MemDescTransOp,
                 ttg::MemDescReshapeOp, ttg::MemDescReinterpretOp, ttng::TMEMSubSliceOp>(
      &Machine::view);
  // Accesses, by the threads or by an engine.
  add.operator()<ttg::LocalLoadOp, ttg::LocalGatherOp, ttg::LocalStoreOp, ttng::TMEMLoadOp,
                 ttng::TMEMCopyOp, ttg::AsyncCopyGlobalToLocalOp, amdg::BufferLoadToLocalOp>(
      &Machine::accessBuffers);
  add.operator()<ttng::TMEMStoreOp>(&Machine::storeToTensorMemory);
  add.operator()<ttng::AsyncTMACopyGlobalToLocalOp, ttng::AsyncTMAGatherOp>(&Machine::copyToShared);
  add.operator()<ttng::AsyncTMACopyLocalToGlobalOp, ttng::AsyncTMAReduceOp,
                 ttng::AsyncTMAScatterOp>(&Machine::accessBuffers);
  add.operator()<amdg::AsyncTDMCopyGlobalToLocalOp, amdg::AsyncTDMFusedCopyGlobalToLocalOp,
                 amdg::AsyncTDMGatherOp, amdg::AsyncTDMCopyLocalToGlobalOp,
                 amdg::AsyncTDMScatterOp>(&Machine::accessBuffers);
  // Waits for them.
  add.operator()<ttg::AsyncCommitGroupOp>(&Machine::commitCopies);
  add.operator()<ttg::AsyncWaitOp>(&Machine::waitForCopies);
  add.operator()<ttng::TMAStoreWaitOp>(&Machine::waitForStores);
  add.operator()<amdg::AsyncWaitOp>(&Machine::waitForInstructions);
  add.operator()<amdg::AsyncTDMWait>(&Machine::waitForTdm);
  add.operator()<amdg::AsyncTDMIntrinsicWait>(&Machine::waitForTdmInstructions);
  add.operator()<ttng::FenceAsyncSharedOp>(&Machine::fence);
  // Barriers.
  add.operator()<ttng::InitBarrierOp>(&Machine::initialize);
  add.operator()<ttng::InvalBarrierOp>(&Machine::invalidate);
  add.operator()<ttng::BarrierExpectOp>(&Machine::announceBytes);
  add.operator()<ttng::ArriveBarrierOp>(&Machine::arrive);
  add.operator()<ttng::AsyncCopyMbarrierArriveOp>(&Machine::arriveAfterCopies);
  add.operator()<ttng::WaitBarrierOp>(&Machine::waitForPhase);
  // Products.
  add.operator()<tt::DotOp, tt::DotScaledOp>(&Machine::multiplyInRegisters);
  add.operator()<ttng::WarpGroupDotOp>(&Machine::multiplyByWarpGroup);
  add.operator()<ttng::WarpGroupDotWaitOp>(&Machine::waitForWarpGroup);
  add.operator()<ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp>(&Machine::multiply);
  add.operator()<ttng::TCGen5CommitOp>(&Machine::commitProducts);
  // Work of other programs.
  add.operator()<ttng::CLCTryCancelOp>(&Machine::requestWork);
  add.operator()<ttng::CLCLoadResultOp>(&Machine::loadWork);
  return table;
}

const Machine::EffectTable& Machine::effects() {
  static const EffectTable table = makeEffects();
  return table;
}

bool Machine::executes(mlir::OperationName operation) {
  return effects().contains(operation.getTypeID());
}

Machine::Step Machine::effect(Thread& thread, mlir::Operation& op) {
  auto row = effects().find(op.getName().getTypeID());
  return row == effects().end() ? executeUnknown(thread, op) : (this->*row->second)(thread, op);
}

} // namespace gluond::lints::synchronization
