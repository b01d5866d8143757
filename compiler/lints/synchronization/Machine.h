// Runs a kernel's control flow, buffers and barriers on sample arguments, without its arithmetic on
// tensors.
//
// Every partition of a warp_specialize is a thread; a thread runs until it waits for a phase that
// is not complete. Asynchronous operations (TMA copies, commits of tcgen05) complete as late as
// possible: only when no thread can continue. So a wait for the wrong phase passes and later
// accesses race; a wait for a phase that never completes hangs. Loops, indices `i % n` and phases
// `(i // n) & 1` need no special treatment: they are computed.
//
// One CTA of a cluster is simulated and performs all arrivals and copies itself, as if all CTAs did
// the same. That is valid if no CTA arrives on another's barriers (Protocol.cpp).
//
// Scalars read from memory are guesses (lengths, offsets, numbers of experts): an element is as
// many times the sample's argument as its position, counted from 1, so that two loads of one
// element agree and the distance between neighbors is a length. Only control flow uses guesses, for
// a kernel may rely on more than that: indices of buffers and phases that depend on one are
// unknown, and no hang is reported. If control flow depends on something else that is unknown, the
// machine stops: then `isComplete` is false, and findings up to there are valid.
#pragma once

#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "lints/findings/Findings.h"
#include "lints/synchronization/Memory.h"
#include "simulate/ordering/Barriers.h"
#include "simulate/ordering/InFlight.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

#include <deque>
#include <memory>

namespace gluond::lints::synchronization {

using gluond::ordering::Barrier;
using gluond::ordering::Completion;
using gluond::ordering::InFlight;

// The assumptions of a run: every integer argument, program id and number of programs.
struct Sample {
  int64_t argument = 1024;
  int64_t flag = 1024; // value of an integer that isFlag()
  int64_t programId = 1, programs = 8;
  unsigned steps = 20'000;
};

// Whether an argument is only compared with constants: it selects a behavior and is not an
// amount.
bool isFlag(mlir::BlockArgument argument);

// Whether an op that uses the result of a wgmma reads it; further products may add to a result that
// is not complete.
inline bool readsResult(mlir::Operation* user) {
  return !mlir::isa<ttng::WarpGroupDotOp, ttng::WarpGroupDotWaitOp>(user) &&
         !user->hasTrait<mlir::OpTrait::IsTerminator>();
}

struct Outcome {
  bool isComplete = false;      // it ran to the end, or into a reported hang
  bool ranOut = false;          // it exhausted its steps
  bool isUndecided = false;     // it stopped at a branch or loop that depends on an unknown value
  bool hasIdleWhile = false;    // a `while` that uses buffers ran no iteration
  int64_t fewestIterations = 0; // of loops whose bounds are not constant; large if there are none
  llvm::SmallVector<mlir::Operation*, 2> overtaken; // waits of which the findings tell, if of
                                                    // nothing else
};

// The ops of a block that the machine executes. Shared by all runs of a function.
class RelevantOps {
public:
  enum class Kind : uint8_t {
    Terminator,
    For,
    If,
    While,
    Specialize,
    Call,
    Region,
    Effect,
    Scalar
  };
  struct Op {
    mlir::Operation* op;
    Kind kind;
  };
  llvm::ArrayRef<Op> of(mlir::Block& block);
  // Whether the op or an op within it uses memory descriptors or barriers.
  bool hasEffects(mlir::Operation& op);

private:
  llvm::DenseMap<mlir::Block*, std::vector<Op>> blocks_;
  llvm::DenseMap<mlir::Operation*, bool> effects_;
};

class Machine {
public:
  // Ends when all of the `expected` waits are known to be overtaken, if there are any.
  Machine(const Sample& sample, RelevantOps& relevant, Findings& findings,
          llvm::ArrayRef<mlir::Operation*> expected = {})
      : sample_(sample), relevant_(relevant), findings_(findings),
        expected_(expected.begin(), expected.end()) {}
  Outcome run(mlir::FunctionOpInterface kernel);
  // Whether the table of effects has a row for the operation. Others that use buffers may write
  // them: nothing is known of these buffers afterwards.
  static bool executes(mlir::OperationName operation);

private:
  // A value: an integer, a piece of memory, the result of a wgmma, or unknown.
  struct Value {
    enum class Kind : uint8_t { Unknown, Integer, Memory, PastTheEnd, Result } kind = Kind::Unknown;
    int64_t integer = 0;  // Result: its operation
    uint32_t region = 0;  // into regions_; PastTheEnd: into views_
    bool isGuess = false; // an integer that depends on one read from memory
  };
  struct Frame {
    llvm::ArrayRef<RelevantOps::Op> ops;
    size_t next = 0;
    mlir::Operation* owner = nullptr; // the op with the region
    int64_t iv = 0, upper = 0, step = 1;
    int64_t iterations = 0;
    bool isCounted = false; // an scf.for whose bounds are not constant
  };
  struct LastWait {
    mlir::Operation* op = nullptr;
    std::pair<uint32_t, int64_t> barrier{};
    int64_t parity = 0;
    uint64_t tick = 0;
    int64_t phase = 0;     // number of completed phases when it passed
    bool wasFresh = false; // it passed because no phase had completed yet
    uint32_t time = 0;     // of its thread
  };
  // A copy into or out of shared memory that its thread has not waited for.
  struct CopyUnderWay {
    uint32_t operation;
    Region region;
    uint64_t work; // of the thread when the copy was issued
  };
  // A copy that was waited for immediately after it was issued, and how often the wait was executed
  // again before the copied data was read.
  struct FetchedAhead {
    mlir::Operation* wait;
    Region region;
    unsigned turns = 0;
  };
  // The history of a wait: copies issued just before it while nothing else was in flight, and
  // others.
  struct WaitRecord {
    unsigned idle = 0, busy = 0;
    // Counts of idle ones within the loop: read before the next wait; read later, and after how
    // many iterations at least (0 if none was read).
    unsigned wanted = 0, early = 0, turns = 0;
    unsigned groups = 0; // the most that one iteration waited for
    Actor actor = Actor::Thread;
    llvm::SmallVector<std::pair<uint32_t, int64_t>, 4> slots; // destinations of the copies
  };
  struct Thread : InFlight {
    uint32_t id = 0;
    mlir::Region* body = nullptr; // the code that it runs, without other threads' partitions
    std::vector<Frame> frames;
    llvm::DenseMap<mlir::Value, Value> values;
    Clock clock;
    llvm::BitVector mmas;             // all tcgen05 work so far
    std::vector<uint32_t> unsignaled; // of it, what no barrier will tell of yet
    std::vector<CopyUnderWay> copies;
    std::vector<FetchedAhead> ahead;
    uint64_t work = 0;                   // accesses so far, except for copies
    mlir::Operation* copyWait = nullptr; // the last wait for groups
    std::vector<LastWait> waits;         // the last one for each barrier
    std::vector<LastWait> repeats;       // waits in a loop for a phase that was waited for before
    mlir::Operation* blocked = nullptr;
    bool isFinished = false, isJoining = false;
    std::vector<uint32_t> children;
  };
  struct Allocation {
    mlir::Operation* op;
    std::string text;
  };
  // A view beyond the end of its buffer, which is a mistake if it is used.
  struct BadView {
    mlir::Operation* op;
    int64_t index, count;
    uint32_t alloc;
  };
  // An arrival beyond the barrier's count.
  struct Excess {
    mlir::Operation *op, *init;
    int64_t count, arrivals;
  };
  // A wait that the phase after its own may precede, because nothing orders them.
  struct Overtaken {
    mlir::Operation *wait, *init;
    int64_t count, phase;
  };
  // An asynchronous operation, and the phase of the barrier that signals its completion.
  struct Operation {
    mlir::Operation* op = nullptr;
    Actor actor = Actor::Thread;
    uint64_t tick = 0;
    std::optional<std::pair<uint32_t, int64_t>> barrier;
    int64_t phase = 0;
    mlir::Operation* missedBy = nullptr; // the last wait for groups that did not include it
    bool isMisled = false;               // what it does may follow from a wait for the wrong phase
  };
  // A thread that has passed a wait for the wrong phase: since then, it and all that know of it do
  // their work in the wrong order, which is no further mistake.
  struct Misled {
    uint32_t thread, time;
    mlir::Operation* wait;
  };
  struct CompletionAt : Completion {
    std::pair<uint32_t, int64_t> barrier;
  };
  enum class Step : uint8_t { Next, Blocked, Done, Stop };

  // Execution (Machine.cpp).
  Step step(Thread& thread);
  Step execute(Thread& thread, RelevantOps::Op relevant);
  void evaluate(Thread& thread, mlir::Operation& op); // a scalar
  Step leave(Thread& thread, mlir::Operation& terminator);
  Step enterFor(Thread& thread, mlir::scf::ForOp loop);
  Step enterIf(Thread& thread, mlir::scf::IfOp branch);
  Step branch(Thread& thread, mlir::Operation& op); // to another block of the function
  Step specialize(Thread& thread, ttg::WarpSpecializeOp op);
  bool skip(Thread& thread, mlir::Operation& op); // an op without effects whose results are unknown
  void push(Thread& thread, mlir::Block& block, mlir::Operation* owner);
  // Issues an operation that later delivers bytes and arrivals to a barrier. When it does,
  // `operation` is complete.
  void completeLater(std::pair<uint32_t, int64_t> barrier, int64_t bytes, int64_t arrivals,
                     std::optional<uint32_t> operation, Clock clock);
  bool completeOne();
  Value get(Thread& thread, mlir::Value value);
  std::optional<int64_t> knownOrGuessed(Thread& thread, mlir::Value value);
  // Returns the value of an integer that is no guess.
  std::optional<int64_t> integer(Thread& thread, mlir::Value value);
  // Returns the value of an integer that control flow depends on, which may be a guess.
  std::optional<int64_t> decided(Thread& thread, mlir::Value value);
  bool isGuess(Thread& thread, mlir::Value value) { return get(thread, value).isGuess; }
  // Returns the guess for a scalar that is read from memory, or nullopt.
  std::optional<int64_t> guess(Thread& thread, tt::LoadOp load);
  Step undecided() { return outcome_.isUndecided = true, Step::Stop; }
  const Region* region(Thread& thread, mlir::Value value);
  void set(Thread& thread, mlir::Value value, Value to) { thread.values[value] = to; }
  void setInteger(Thread& thread, mlir::Value value, int64_t to) {
    set(thread, value, {Value::Kind::Integer, to, 0});
  }
  void setRegion(Thread& thread, mlir::Value value, Region region);
  // Returns nullopt if it is not known. Absent predicates are true.
  std::optional<bool> predicate(Thread& thread, mlir::Value value);
  // Returns how the machine goes on after an operation that its predicate turns off, or whose
  // predicate is unknown; nullopt if the operation is executed.
  std::optional<Step> stepUnlessOn(Thread& thread, mlir::Value predicate);

  // Memory and views (Views.cpp).
  // Returns bytes of one CTA, or columns of tensor memory; 0 if they are not known.
  int64_t extent(ttg::MemDescType type);
  Step allocate(Thread& thread, mlir::Operation& op);
  Step view(Thread& thread, mlir::Operation& op);

  // What operations do, by the table of effects (Effects.cpp).
  using Effect = Step (Machine::*)(Thread&, mlir::Operation&);
  using EffectTable = llvm::DenseMap<mlir::TypeID, Effect>;
  static EffectTable makeEffects();
  static const EffectTable& effects();
  Step effect(Thread& thread, mlir::Operation& op);
  Step executeUnknown(Thread& thread, mlir::Operation& op);
  Step deallocate(Thread& thread, mlir::Operation& op);
  Step storeToTensorMemory(Thread& thread, mlir::Operation& op);
  Step waitForTdmInstructions(Thread& thread, mlir::Operation& op);
  Step waitForTdm(Thread& thread, mlir::Operation& op);
  Step waitForInstructions(Thread& thread, mlir::Operation& op);
  Step waitForCopies(Thread& thread, mlir::Operation& op);
  Step waitForStores(Thread& thread, mlir::Operation& op);
  Step waitForPhase(Thread& thread, mlir::Operation& op);
  Step waitForWarpGroup(Thread& thread, mlir::Operation& op);
  Step commitCopies(Thread& thread, mlir::Operation& op);
  Step commitProducts(Thread& thread, mlir::Operation& op);
  Step arriveAfterCopies(Thread& thread, mlir::Operation& op);
  Step arrive(Thread& thread, mlir::Operation& op);
  Step initialize(Thread& thread, mlir::Operation& op);
  Step invalidate(Thread& thread, mlir::Operation& op);
  Step announceBytes(Thread& thread, mlir::Operation& op);
  Step fence(Thread& thread, mlir::Operation& op);
  Step copyToShared(Thread& thread, mlir::Operation& op);
  Step multiply(Thread& thread, mlir::Operation& op);
  Step multiplyInRegisters(Thread& thread, mlir::Operation& op);
  Step multiplyByWarpGroup(Thread& thread, mlir::Operation& op);
  Step requestWork(Thread& thread, mlir::Operation& op);
  Step loadWork(Thread& thread, mlir::Operation& op);
  // Accesses the buffers that the operation declares, now or, if an engine does it, later.
  Step accessBuffers(Thread& thread, mlir::Operation& op);
  void noteProduct(Thread& thread, uint32_t operation);
  // Whether the value is the result of a wgmma that may still be under way.
  bool isUnderWay(Thread& thread, mlir::Value value);
  void arriveAt(std::pair<uint32_t, int64_t> barrier, const Completion& arrival);
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

  // Reports of mistakes (Reports.cpp).
  void reportRace(Thread& thread, const Access& earlier, const Access& now);
  void reportHang();
  bool reportCause(Thread& thread);
  bool reportCount(Thread& thread);
  bool reportRepeat();
  // Reports reads of values that are results of a wgmma and may still be under way, from `begin` to
  // the end of its block.
  void reportReads(Thread& thread, mlir::ValueRange values, mlir::Operation* begin);
  // Reports rings of buffers of which only one is ever in use.
  void reportIdleWaits();
  // Reports operations that the program issued and never waited for.
  void reportLeftOver();
  // Records that no `expect` announced the bytes of a phase in which there will be none. It is
  // reported at the end, because it may be the consequence of another mistake.
  void noteUnannounced(const Barrier& barrier);
  void reportUnannounced();
  // Records that a phase gets more arrivals than the barrier was initialized for. It is reported at
  // the end, because it may be the consequence of another mistake.
  void noteArrival(mlir::Operation& op, const Barrier& barrier, int64_t number);
  void reportExcess();
  // Records the waits that were for the phase before the one that just completed, of threads of
  // which the arrivals did not know that they had waited. Such a wait may come too late: it is then
  // for the next phase. Reported at the end, because other mistakes have this consequence.
  void noteOvertaken(std::pair<uint32_t, int64_t> barrier);
  void reportOvertaken();
  // How a thread's code, executed or not, contributes to the phases of a barrier: not at all, by
  // arriving, or by filling a buffer.
  enum class Feeding : uint8_t { None, Arrives, Fills };
  Feeding feeds(Thread& thread, uint32_t barrier);
  // Visits the ops of a thread's code that arrive on a barrier or transfer bytes to it.
  void forEachFeeder(Thread& thread, uint32_t barrier,
                     llvm::function_ref<void(mlir::Operation*)> visit);
  // A wait for a buffer that another waiting thread would refill is a consequence of that wait.
  // Strictly, so is one for an arrival of a waiting thread, unless they wait for each other.
  bool isConsequence(Thread& thread, bool isStrict);
  llvm::SmallVector<Thread*, 4> stuckFeeders(Thread& thread, Feeding least);
  // Reports a wait in a loop that lets a thread's own copies overtake those before. Returns whether
  // there is one.
  bool reportOverrun(Thread& thread);
  // Returns the wait of this thread that passed too early: on the operation's barrier, after it was
  // issued.
  const LastWait* staleWait(const Thread& thread, const Operation& operation) const;
  void noteMisled(Thread& thread, const LastWait& wait);
  // Whether a clock knows of a thread that a wait misled, other than `except`.
  bool isMisled(const Clock& clock, const mlir::Operation* except = nullptr) const;
  // Returns the copies issued for a phase of a barrier.
  std::vector<mlir::Location> copiesOf(std::pair<uint32_t, int64_t> barrier, int64_t phase) const;
  std::string describe(const Region& region) const;

  Sample sample_;
  bool isCluster_ = false;
  llvm::DenseMap<mlir::Type, int64_t> shares_; // number of pieces into which a cluster divides it
  RelevantOps& relevant_;
  Findings& findings_;
  Outcome outcome_;
  std::deque<Thread> threads_;
  std::deque<Region> regions_;
  std::vector<BadView> views_;
  std::vector<Excess> excess_;
  std::vector<Overtaken> overtaken_;
  llvm::SmallDenseSet<mlir::Operation*, 4> expected_; // those that no phase has overtaken yet
  bool isConfirmed_ = false;                          // there were some, and all were overtaken
  llvm::SetVector<mlir::Operation*> unannounced_;     // copies
  std::vector<Allocation> allocations_;
  std::vector<Operation> operations_;
  std::vector<Misled> misled_;
  std::deque<CompletionAt> completions_;
  llvm::MapVector<mlir::Operation*, WaitRecord> waitRecords_;
  llvm::DenseMap<std::pair<uint32_t, int64_t>, Barrier> barriers_;
  llvm::DenseMap<uint32_t, int64_t> requests_; // work requests by allocation: the current one
  int64_t requestsMade_ = 0;
  Memory memory_;
  uint64_t tick_ = 0;
  unsigned left_ = 0;
  bool usesGuess_ = false; // control flow depended on one
};

} // namespace gluond::lints::synchronization
