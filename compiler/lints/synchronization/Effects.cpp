// The effects of ops on memory and barriers in the machine.
#include "chips/Vendor.h"
#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttng/MemorySpace.h"
#include "layout/access/MemoryCheck.h"
#include "lints/synchronization/Machine.h"
#include "passes/memory/BufferAccesses.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/IR/Matchers.h>

namespace gluond::lints::synchronization {
using namespace mlir;

namespace {

int64_t elements(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t size : shape)
    product *= size;
  return product;
}

// Returns the number of pieces into which the CTAs of a cluster divide a tensor.
int64_t shares(ttg::MemDescType type) {
  layout::LinearLayout linear = ir::toLinearLayout(type);
  if (!linear.valid()) return 1;
  unsigned bits = linear.inBits(layout::Dim::Block);
  return int64_t(1) << (bits - llvm::popcount(linear.freeMask(layout::Dim::Block)));
}

std::string textOf(ttg::MemDescType type) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (int64_t size : type.getShape())
    out << size << "x";
  out << type.getElementType();
  return text;
}

} // namespace

int64_t Machine::extent(ttg::MemDescType type) {
  unsigned bits = tt::bitWidth(type.getElementType());
  if (!ttng::isTensorMemory(type)) {
    int64_t bytes = elements(type.getShape()) * bits / 8;
    if (!isCluster_) return bytes;
    auto [known, isNew] = shares_.try_emplace(type, 1);
    if (isNew) known->second = shares(type);
    return bytes / known->second;
  }
  const layout::Layout& encoding = ir::toLayout(type.getEncoding());
  if (!encoding) return 0;
  auto size = layout::tensorMemorySize(encoding, {type.getShape(), type.getShape(), bits});
  return size ? size->columns : 0;
}

uint32_t Machine::begin(Thread& thread, mlir::Operation& op, Actor actor) {
  operations_.push_back({&op, actor, tick_, {}, 0, nullptr});
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

Machine::Step Machine::allocate(Thread& thread, mlir::Operation& op, mlir::Value result,
                                mlir::Value contents) {
  auto type = cast<ttg::MemDescType>(result.getType());
  Region all;
  all.alloc = static_cast<uint32_t>(allocations_.size());
  all.end = extent(type);
  allocations_.push_back({&op, textOf(type)});
  if (all.end <= 0) {
    set(thread, result, {});
    return Step::Next;
  }
  setRegion(thread, result, all);
  if (contents) write(thread, op, result);
  return Step::Next;
}

Machine::Step Machine::view(Thread& thread, mlir::Operation& op) {
  mlir::Value result = op.getResult(0);
  Value viewed = get(thread, op.getOperand(0));
  const Region* source = viewed.kind == Value::Kind::Memory ? &regions_[viewed.region] : nullptr;
  if (!source) {
    set(thread, result, viewed.kind == Value::Kind::PastTheEnd ? viewed : Value{});
    return Step::Next;
  }
  auto from = cast<ttg::MemDescType>(op.getOperand(0).getType()),
       to = cast<ttg::MemDescType>(result.getType());
  Region next = *source;
  bool isWhole = source->kind == Region::Kind::Whole;
  auto fuzzy = [&] {
    next.kind = Region::Kind::Fuzzy;
    next.box.clear();
  };
  if (auto index = dyn_cast<ttg::MemDescIndexOp>(op)) {
    int64_t count = from.getShape().front();
    auto i = integer(thread, index.getIndex());
    if (i && (*i < 0 || *i >= count)) {
      views_.push_back({&op, *i, count, source->alloc});
      set(thread, result, {Value::Kind::PastTheEnd, 0, static_cast<uint32_t>(views_.size() - 1)});
      return Step::Next;
    }
    int64_t each = extent(to);
    if (!i || !isWhole || each <= 0) {
      fuzzy();
    } else {
      next.begin += *i * each;
      next.end = std::min(next.begin + each, source->end);
    }
  } else if (auto slice = dyn_cast<ttg::MemDescSubsliceOp>(op)) {
    if (to.getShape() != from.getShape()) {
      if (source->kind == Region::Kind::Fuzzy) {
        fuzzy();
      } else {
        next.kind = Region::Kind::Box;
        llvm::SmallVector<Region::Side, 4> box;
        for (auto [i, size] : llvm::enumerate(to.getShape()))
          box.push_back({slice.getOffsets()[i] + (isWhole ? 0 : source->box[i].offset), size});
        next.box = std::move(box);
      }
    }
  } else if (auto slice = dyn_cast<ttng::TMEMSubSliceOp>(op)) {
    int64_t columns = extent(to), all = from.getShape().back(), per = all ? extent(from) : 0;
    if (!isWhole || columns <= 0 || slice.getDim() != 1 ||
        per * slice.getOffset() % std::max<int64_t>(all, 1)) {
      fuzzy();
    } else {
      next.begin += per * slice.getOffset() / all;
      next.end = std::min(next.begin + columns, source->end);
    }
  } else if (isa<ttg::MemDescReinterpretOp>(op)) {
    int64_t size = extent(to);
    if (!isWhole || size <= 0)
      fuzzy();
    else
      next.end = std::min(next.begin + size, source->end);
  } else if (!isWhole) { // transposed, reshaped: another box
    fuzzy();
  }
  setRegion(thread, result, std::move(next));
  return Step::Next;
}

Machine::Step Machine::wait(Thread& thread, ttng::WaitBarrierOp op) {
  auto isOn = predicate(thread, op.getPred());
  if (!isOn) return Step::Stop;
  if (!*isOn) return Step::Next;
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
  *it = {op, key, *parity & 1, tick_, barrier->phase, !barrier->isVague && barrier->phase == 0};
  if (isRepeat &&
      llvm::none_of(thread.repeats, [&](const LastWait& wait) { return wait.op == op; }))
    thread.repeats.push_back(*it);
  noteWait(thread, *op);
  return Step::Next;
}

Machine::Step Machine::copyToShared(Thread& thread, ttng::TMALoadLikeOpInterface op) {
  auto isOn = predicate(thread, op.getPred());
  if (!isOn) return Step::Stop;
  if (!*isOn) return Step::Next;
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
    if (actor == Actor::AsyncCopy || actor == Actor::TmaStore) track(thread, *id, buffer);
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
}

Machine::Step Machine::signal(Thread& thread, mlir::Operation& op, mlir::Value value, Clock clock) {
  Barrier* barrier = barrierOf(thread, op, value);
  if (!barrier) return Step::Stop;
  auto key = keyOf(thread, value);
  for (int id = thread.mmas.find_first(); id >= 0; id = thread.mmas.find_next(id))
    if (Operation& operation = operations_[static_cast<size_t>(id)]; !operation.barrier) {
      operation.barrier = key;
      operation.phase = barrier->phase;
    }
  clock.done.resize(std::max(clock.done.size(), thread.mmas.size()));
  clock.done |= thread.mmas;
  completeLater(key, 0, 1, {}, std::move(clock));
  return Step::Next;
}

Machine::Step Machine::multiply(Thread& thread, ttng::MMAv5OpInterface op) {
  auto isOn = predicate(thread, op.getPred());
  if (!isOn) return Step::Stop;
  if (!*isOn) return Step::Next;
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

Machine::Step Machine::effect(Thread& thread, mlir::Operation& op) {
  using Result = Step;
  return llvm::TypeSwitch<mlir::Operation*, Result>(&op)
      .Case<ttg::LocalAllocOp>(
          [&](auto alloc) { return allocate(thread, op, alloc.getResult(), alloc.getSrc()); })
      .Case<ttng::TMEMAllocOp>(
          [&](auto alloc) { return allocate(thread, op, alloc.getResult(), alloc.getSrc()); })
      .Case<ttg::MemDescIndexOp, ttg::MemDescSubsliceOp, ttg::MemDescTransOp, ttg::MemDescReshapeOp,
            ttg::MemDescReinterpretOp, ttng::TMEMSubSliceOp>([&](auto) { return view(thread, op); })
      .Case<ttg::LocalDeallocOp>([&](auto) { return Step::Next; })
      .Case<ttg::LocalLoadOp, ttg::LocalGatherOp, ttg::LocalStoreOp, ttng::TMEMLoadOp,
            ttng::TMEMCopyOp, ttg::AsyncCopyGlobalToLocalOp, amdg::BufferLoadToLocalOp,
            amdg::AsyncTDMCopyGlobalToLocalOp, amdg::AsyncTDMFusedCopyGlobalToLocalOp,
            amdg::AsyncTDMGatherOp, amdg::AsyncTDMCopyLocalToGlobalOp, amdg::AsyncTDMScatterOp>(
          [&](auto) { return accessBuffers(thread, op); })
      .Case<ttng::TMEMStoreOp>([&](auto store) {
        auto isOn = predicate(thread, store.getPred());
        if (!isOn) return Step::Stop;
        return *isOn ? accessBuffers(thread, op) : Step::Next;
      })
      // It counts instructions, of which a copy may need several: assumed to wait for all.
      .Case<amdg::AsyncTDMIntrinsicWait>([&](auto) {
        completeAllBut(thread, thread.tdms, 0);
        return Step::Next;
      })
      .Case<amdg::AsyncWaitOp>([&](auto) {
        thread.commit();
        completeGroups(thread, 0);
        return Step::Next;
      })
      .Case<amdg::AsyncTDMWait>([&](auto wait) {
        completeAllBut(thread, thread.tdms, wait.getNum());
        return Step::Next;
      })
      .Case<ttg::AsyncCommitGroupOp>([&](auto) {
        thread.commit();
        return Step::Next;
      })
      .Case<ttg::AsyncWaitOp>([&](auto wait) {
        thread.copyWait = wait;
        // AMD's hardware counts copies, not groups: a wait that leaves nothing is for all of them.
        if (wait.getNum() == 0 && chips::isAmd(ttg::targetOf(wait))) thread.commit();
        for (uint32_t id : thread.uncommitted)
          operations_[id].missedBy = wait;
        size_t under = thread.groups.size();
        completeGroups(thread, wait.getNum());
        // The first iteration has more, from before the loop.
        if (WaitRecord& record = waitRecords_[wait]; record.early)
          record.groups =
              std::max(record.groups, static_cast<unsigned>(under - thread.groups.size()));
        noteWait(thread, op);
        return Step::Next;
      })
      .Case<ttng::AsyncCopyMbarrierArriveOp>([&](auto arrive) {
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
                        ttg::lookupNumWarps(&op).value_or(4) *
                            int64_t(ttg::lookupThreadsPerWarp(&op)),
                        {}, std::move(clock));
          return Step::Next;
        }
        barrier.isVague = true;
        barrier.arriving.join(clock);
        return Step::Next;
      })
      .Case<ttng::InitBarrierOp>([&](auto init) {
        const Region* at = region(thread, init.getAlloc());
        if (!at || at->kind != Region::Kind::Whole) return Step::Stop;
        Barrier& barrier = barriers_[{at->alloc, at->begin}];
        barrier = Barrier();
        barrier.init = &op;
        barrier.count = barrier.pending = init.getCount();
        return Step::Next;
      })
      .Case<ttng::InvalBarrierOp>([&](auto inval) {
        if (!barrierOf(thread, op, inval.getAlloc())) return Step::Stop;
        Barrier& barrier = barriers_[keyOf(thread, inval.getAlloc())];
        noteUnannounced(barrier);
        // A phase that ended too early is told where the buffer is used, which may be later.
        std::optional<Barrier::Uneven> uneven = barrier.uneven;
        barrier = Barrier();
        barrier.uneven = uneven;
        barrier.wasInvalidated = true;
        return Step::Next;
      })
      .Case<ttng::BarrierExpectOp>([&](auto expect) {
        auto isOn = predicate(thread, expect.getPred());
        if (!isOn) return Step::Stop;
        if (!*isOn) return Step::Next;
        Barrier* barrier = barrierOf(thread, op, expect.getAlloc());
        if (!barrier) return Step::Stop;
        noteArrival(op, *barrier, 1);
        barrier->bytes += expect.getSize();
        barrier->expected += expect.getSize();
        barrier->expect = &op;
        barrier->arrive(1, thread.clock);
        return Step::Next;
      })
      .Case<ttng::ArriveBarrierOp>([&](auto arrive) {
        auto isOn = predicate(thread, arrive.getPred());
        if (!isOn) return Step::Stop;
        if (!*isOn) return Step::Next;
        Barrier* barrier = barrierOf(thread, op, arrive.getAlloc());
        if (!barrier) return Step::Stop;
        noteArrival(op, *barrier, arrive.getCount());
        thread.clock.tick(thread.id); // threads that wait for this know that it has happened
        barrier->arrive(arrive.getCount(), thread.clock);
        return Step::Next;
      })
      .Case<ttng::WaitBarrierOp>([&](auto op) { return wait(thread, op); })
      .Case<ttng::TCGen5CommitOp>([&](auto commit) {
        auto isOn = predicate(thread, commit.getPred());
        if (!isOn) return Step::Stop;
        return *isOn ? signal(thread, op, commit.getBarrier(), thread.clock) : Step::Next;
      })
      .Case<ttng::TMALoadLikeOpInterface>([&](auto copy) { return copyToShared(thread, copy); })
      .Case<ttng::TMAStoreLikeOpInterface>([&](auto) { return accessBuffers(thread, op); })
      .Case<ttng::TMAStoreWaitOp>([&](auto wait) {
        completeAllBut(thread, thread.stores, wait.getPendings());
        noteWait(thread, op);
        return Step::Next;
      })
      .Case<ttng::MMAv5OpInterface>([&](auto mma) { return multiply(thread, mma); })
      .Case<ttng::WarpGroupDotOp>([&](auto dot) {
        std::optional<uint32_t> id;
        if (dot.getIsAsync()) {
          id = begin(thread, op, Actor::Wgmma);
          thread.dots.push_back(*id);
        }
        for (auto [operand, isWrite] : passes::bufferAccessesOf(&op))
          read(thread, op, operand, Actor::Wgmma, id);
        set(thread, op.getResult(0), id ? Value{Value::Kind::Result, *id, 0} : Value{});
        return Step::Next;
      })
      .Case<ttng::WarpGroupDotWaitOp>([&](auto wait) {
        completeAllBut(thread, thread.dots, wait.getPendings());
        for (auto [input, output] : llvm::zip(wait.getInputs(), wait.getOutputs())) {
          Value value = get(thread, input);
          set(thread, output, value);
          if (isUnderWay(thread, output) && llvm::any_of(output.getUsers(), readsResult))
            findings_(Id::MmaNotAwaited, op.getLoc(), "the accumulator of this wait", "read",
                      name(Actor::Wgmma))
                .related(NoteId::IssuedHere,
                         operations_[static_cast<size_t>(value.integer)].op->getLoc(),
                         name(Actor::Wgmma));
        }
        return Step::Next;
      })
      .Case<ttng::FenceAsyncSharedOp>([&](auto) {
        memory_.fence(thread.clock);
        return Step::Next;
      })
      .Case<ttng::CLCTryCancelOp>([&](auto request) {
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
      })
      .Case<ttng::CLCLoadResultOp>([&](auto load) {
        read(thread, op, load.getSrc());
        const Region* at = region(thread, load.getSrc());
        auto it = at ? requests_.find(at->alloc) : requests_.end();
        if (it == requests_.end()) return Step::Stop;
        setInteger(thread, load.getClcResult(), it->second);
        return Step::Next;
      })
      .Default([&](mlir::Operation*) {
        // It is not simulated, and may write all of its arguments.
        if (isa<CallOpInterface>(op)) return Step::Stop;
        for (mlir::Value operand : op.getOperands())
          if (isa<ttg::MemDescType>(operand.getType()))
            if (const Region* at = region(thread, operand)) memory_.noteWritten(*at);
        skip(thread, op);
        return Step::Next;
      });
}

} // namespace gluond::lints::synchronization
