// Runs a kernel's control flow, buffers and barriers on sample arguments, and nothing of its
// arithmetic on tensors.
//
// Every partition of a warp_specialize is a thread of its own; a thread runs until it waits for a
// phase that is not complete. Asynchronous operations (TMA copies, commits of tcgen05) complete as
// late as can be: only when nobody can go on. So a wait that does not wait for what it should is
// seen to pass, and what follows it to race; a wait that nothing ends is seen to hang. Loops,
// indices `i % n` and phases `(i // n) & 1` need no special treatment: they are computed.
//
// Of a cluster one CTA is followed, as if every other did the same at the same time: what all bring
// it, it brings itself. That holds as long as no CTA arrives on another's barriers (Protocol.cpp).
//
// What the machine cannot follow (values read from memory that decide something) makes it stop:
// then `isComplete` is false, and what was found up to there holds, but no hang is claimed.
#pragma once

#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "lints/findings/Findings.h"
#include "lints/protocol/Memory.h"
#include "simulate/protocol/Barriers.h"
#include "simulate/protocol/InFlight.h"

#include <llvm/ADT/MapVector.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

#include <deque>
#include <memory>

namespace gluond::lints::protocol {

using gluond::protocol::Barrier;
using gluond::protocol::Completion;
using gluond::protocol::InFlight;

// What the run assumes: every integer argument, program id and number of programs.
struct Sample {
  int64_t argument = 1024;
  int64_t flag = 1024; // of an integer that isFlag()
  int64_t programId = 1, programs = 8;
  unsigned steps = 20'000;
};

// Whether an argument is compared with constants and nothing else: it says what to do, not how
// much.
bool isFlag(mlir::BlockArgument argument);

struct Outcome {
  bool isComplete = false;      // ran to the end, or into a hang that was reported
  bool ranOut = false;          // of steps
  int64_t fewestIterations = 0; // of loops whose bounds are not constant; large when there is none
};

// The ops of a block that the machine looks at. Shared by all runs over a function.
class RelevantOps {
public:
  llvm::ArrayRef<mlir::Operation*> of(mlir::Block& block);
  // Whether something within the op touches memory descriptors or barriers.
  bool hasEffects(mlir::Operation& op);

private:
  llvm::DenseMap<mlir::Block*, std::vector<mlir::Operation*>> blocks_;
  llvm::DenseMap<mlir::Operation*, bool> effects_;
};

class Machine {
public:
  Machine(const Sample& sample, RelevantOps& relevant, Findings& findings)
      : sample_(sample), relevant_(relevant), findings_(findings) {}
  Outcome run(mlir::FunctionOpInterface kernel);

private:
  // A value: an integer, a piece of memory, what a wgmma computes, or not known.
  struct Value {
    enum class Kind : uint8_t { Unknown, Integer, Memory, PastTheEnd, Result } kind = Kind::Unknown;
    int64_t integer = 0; // Result: its operation
    uint32_t region = 0; // into regions_; PastTheEnd: into views_
  };
  struct Frame {
    llvm::ArrayRef<mlir::Operation*> ops;
    size_t next = 0;
    mlir::Operation* owner = nullptr; // of the region
    int64_t iv = 0, upper = 0, step = 1;
    int64_t iterations = 0;
    bool isCounted = false; // an scf.for whose bounds are not constant
  };
  struct LastWait {
    mlir::Operation* op = nullptr;
    std::pair<uint32_t, int64_t> barrier{};
    int64_t parity = 0;
    uint64_t tick = 0;
    int64_t phase = 0;     // how many were complete when it passed
    bool wasFresh = false; // it passed because no phase had been completed yet
  };
  // A copy into or out of shared memory that its thread has not waited for.
  struct CopyUnderWay {
    uint32_t operation;
    Region region;
    uint64_t work; // of the thread when it was issued
  };
  // A copy that was waited for as soon as it was issued, and how often the wait came again before
  // somebody read what it brought.
  struct FetchedAhead {
    mlir::Operation* wait;
    Region region;
    unsigned turns = 0;
  };
  // What a wait found to do: copies issued just before it, while nothing else was under way, and
  // others.
  struct WaitRecord {
    unsigned idle = 0, busy = 0;
    // Of the idle, those before and behind the loop left out: read before the wait came again; read
    // later, by so many turns at least (0: none was read).
    unsigned wanted = 0, early = 0, turns = 0;
    unsigned groups = 0; // the most that one turn waited for
    Actor actor = Actor::Thread;
    llvm::SmallVector<std::pair<uint32_t, int64_t>, 4> slots; // where the copies went
  };
  struct Thread : InFlight {
    uint32_t id = 0;
    mlir::Region* body = nullptr; // what it runs, partitions of others left out
    std::vector<Frame> frames;
    llvm::DenseMap<mlir::Value, Value> values;
    Clock clock;
    llvm::BitVector mmas; // all tcgen05 work so far
    std::vector<CopyUnderWay> copies;
    std::vector<FetchedAhead> ahead;
    uint64_t work = 0;                   // accesses so far, copies left out
    mlir::Operation* copyWait = nullptr; // the last wait for groups
    std::vector<LastWait> waits;         // the last one on every barrier
    std::vector<LastWait> repeats;       // in a loop, for what they had waited for before
    mlir::Operation* blocked = nullptr;
    bool isFinished = false, isJoining = false;
    std::vector<uint32_t> children;
  };
  struct Allocation {
    mlir::Operation* op;
    std::string text;
  };
  // A view past the end of its buffer: a mistake once somebody uses it.
  struct BadView {
    mlir::Operation* op;
    int64_t index, count;
    uint32_t alloc;
  };
  // An arrival too many.
  struct Excess {
    mlir::Operation *op, *init;
    int64_t count, arrivals;
  };
  // An asynchronous operation: what it was, and the phase of the barrier that tells of its end.
  struct Operation {
    mlir::Operation* op = nullptr;
    Actor actor = Actor::Thread;
    uint64_t tick = 0;
    std::optional<std::pair<uint32_t, int64_t>> barrier;
    int64_t phase = 0;
    mlir::Operation* missedBy = nullptr; // the last wait for groups before it was in one
  };
  struct CompletionAt : Completion {
    std::pair<uint32_t, int64_t> barrier;
  };
  enum class Step : uint8_t { Next, Blocked, Done, Stop };

  // Execution (Machine.cpp).
  Step step(Thread& thread);
  Step execute(Thread& thread, mlir::Operation& op);
  Step leave(Thread& thread, mlir::Operation& terminator);
  Step enterFor(Thread& thread, mlir::scf::ForOp loop);
  Step enterIf(Thread& thread, mlir::scf::IfOp branch);
  Step specialize(Thread& thread, ttg::WarpSpecializeOp op);
  bool skip(Thread& thread, mlir::Operation& op); // what has no effects and is not known
  void push(Thread& thread, mlir::Block& block, mlir::Operation* owner);
  // `operation` is complete then.
  void completeLater(std::pair<uint32_t, int64_t> barrier, int64_t bytes, int64_t arrivals,
                     std::optional<uint32_t> operation, Clock clock);
  bool completeOne();
  Value get(Thread& thread, mlir::Value value);
  std::optional<int64_t> integer(Thread& thread, mlir::Value value);
  const Region* region(Thread& thread, mlir::Value value);
  void set(Thread& thread, mlir::Value value, Value to) { thread.values[value] = to; }
  void setInteger(Thread& thread, mlir::Value value, int64_t to) {
    set(thread, value, {Value::Kind::Integer, to, 0});
  }
  void setRegion(Thread& thread, mlir::Value value, Region region);
  // nullopt: not known. Absent predicates are true.
  std::optional<bool> predicate(Thread& thread, mlir::Value value);

  // Memory and views (Effects.cpp).
  // Bytes of one CTA, or columns of tensor memory; 0 where that cannot be told.
  int64_t extent(ttg::MemDescType type);
  Step allocate(Thread& thread, mlir::Operation& op, mlir::Value result, mlir::Value contents);
  Step view(Thread& thread, mlir::Operation& op);
  Step effect(Thread& thread, mlir::Operation& op);
  Step wait(Thread& thread, ttng::WaitBarrierOp op);
  Step copyInGroup(Thread& thread, mlir::Operation& op, mlir::Value memory);
  Step copyToShared(Thread& thread, ttng::TMALoadLikeOpInterface op);
  Step multiply(Thread& thread, ttng::MMAv5OpInterface op);
  Step signal(Thread& thread, mlir::Operation& op, mlir::Value barrier, Clock clock);
  std::pair<uint32_t, int64_t> keyOf(Thread& thread, mlir::Value barrier);
  Barrier* barrierOf(Thread& thread, mlir::Operation& op, mlir::Value value);
  uint32_t begin(Thread& thread, mlir::Operation& op, Actor actor);
  void read(Thread& thread, mlir::Operation& op, mlir::Value memory, Actor actor = Actor::Thread,
            std::optional<uint32_t> operation = {});
  void write(Thread& thread, mlir::Operation& op, mlir::Value memory, Actor actor = Actor::Thread,
             std::optional<uint32_t> operation = {});
  void access(Thread& thread, Access access);
  void track(Thread& thread, uint32_t operation, mlir::Value memory);
  void noteWait(Thread& thread, mlir::Operation& wait);
  void noteRead(Thread& thread, mlir::Operation& op, const Region& region);
  void completeAllBut(Thread& thread, std::deque<uint32_t>& inFlight, size_t left);
  void completeGroups(Thread& thread, size_t left);

  // What is wrong (Reports.cpp).
  void reportRace(Thread& thread, const Access& earlier, const Access& now);
  void reportHang();
  bool reportCause(Thread& thread);
  bool reportCount(Thread& thread);
  bool reportRepeat();
  // Rings of buffers of which only one is ever in use.
  void reportIdleWaits();
  // What the program issued and never waited for.
  void reportLeftOver();
  // Remembers when a phase gets more arrivals than the barrier was initialised for, and says so at
  // the end: it may be the consequence of something else.
  void noteArrival(mlir::Operation& op, const Barrier& barrier, int64_t number);
  void reportExcess();
  // How a thread's code, run or not, lets the phases of a barrier complete: not at all, by
  // arriving, by filling a buffer.
  enum class Feeding : uint8_t { None, Arrives, Fills };
  Feeding feeds(Thread& thread, uint32_t barrier);
  // The ops of a thread's code that arrive on a barrier or bring it bytes.
  void forEachFeeder(Thread& thread, uint32_t barrier,
                     llvm::function_ref<void(mlir::Operation*)> visit);
  // A wait for a buffer that somebody else waits to refill is a consequence of that.
  bool isConsequence(Thread& thread);
  // The wait of this thread that let it go on too early: on the operation's barrier, after it was
  // issued.
  const LastWait* staleWait(const Thread& thread, const Operation& operation) const;
  std::string describe(const Region& region) const;

  Sample sample_;
  bool isCluster_ = false;
  llvm::DenseMap<mlir::Type, int64_t> shares_; // into how many pieces a cluster cuts it
  RelevantOps& relevant_;
  Findings& findings_;
  Outcome outcome_;
  std::deque<Thread> threads_;
  std::deque<Region> regions_;
  std::vector<BadView> views_;
  std::vector<Excess> excess_;
  std::vector<Allocation> allocations_;
  std::vector<Operation> operations_;
  std::deque<CompletionAt> completions_;
  llvm::MapVector<mlir::Operation*, WaitRecord> waitRecords_;
  llvm::DenseMap<std::pair<uint32_t, int64_t>, Barrier> barriers_;
  llvm::DenseMap<uint32_t, int64_t> requests_; // work requests by allocation: which one is there
  int64_t requestsMade_ = 0;
  Memory memory_;
  uint64_t tick_ = 0;
  unsigned left_ = 0;
};

} // namespace gluond::lints::protocol
