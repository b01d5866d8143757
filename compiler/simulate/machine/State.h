// Everything that one program of a grid is at one moment. A copy of it is a checkpoint: running the
// copy does what running the original would have done, as long as global memory is the same.
#pragma once

#include "simulate/machine/Findings.h"
#include "simulate/machine/KernelCode.h"
#include "simulate/machine/Printed.h"
#include "simulate/memory/Bytes.h"
#include "simulate/memory/SharedMemory.h"
#include "simulate/ordering/Accesses.h"
#include "simulate/ordering/Barriers.h"
#include "simulate/ordering/InFlight.h"

#include <llvm/ADT/SmallPtrSet.h>

#include <deque>
#include <map>
#include <optional>

namespace gluond::simulate {

using ordering::Actor;
using ordering::Barrier;
using ordering::Clock;
using Access = ordering::Access<Bytes>;

struct Frame {
  uint32_t function = 0, next = 0; // the instruction that comes next
  std::vector<Value> registers;
  std::vector<uint32_t> results; // where the caller wants them
};

// Something that goes on while threads do. `perform` does all of it at once; it holds the values
// that the instruction had.
struct AsyncOperation : ordering::Completion {
  uint32_t id = 0;
  uint32_t thread = 0; // that issued it
  Actor actor = Actor::Thread;
  const Instruction* instruction = nullptr;
  Action perform;
  // The barriers at this address of the CTAs in the mask hear of its end.
  std::optional<uint32_t> barrier;
  uint32_t ctas = 1;
  int64_t phase = 0;    // how many phases of the barrier were complete when it was issued
  uint64_t step = 0;    // when it was issued
  bool crosses = false; // it moves data between CTAs: who hears of its end knows what they knew
};

// The part of an operation that is kept after its end.
struct IssuedOperation {
  std::optional<uint32_t> barrier;
  int64_t phase = 0;
};

// A matrix product under way whose result is a register (wgmma). It reads its operands when it
// ends; until then its result holds NaN.
struct Product {
  using Operands = std::array<Value, 3>; // a, b and c: tensors and views
  std::function<Step(Execution&, const Operands&, TensorRef& result)> compute;
  Operands operands;  // c may be what another product promised
  TensorRef promised; // what registers hold until then
  mlir::Operation* op = nullptr;
};

// What a blocked thread waits for.
struct Waiting {
  uint32_t barrier = 0;
  int64_t parity = 0;
};

// A wait that a thread has passed, the last one on its barrier.
struct PassedWait {
  uint32_t barrier = 0;
  int64_t parity = 0, phase = 0; // phase: how many were complete
  const Instruction* instruction = nullptr;
  uint64_t step = 0;
};

// One partition: warps that run the same code.
struct Thread : ordering::InFlight {
  uint32_t id = 0, parent = 0;
  unsigned warps = 4;
  std::vector<Frame> frames;
  bool isFinished = false;
  const Instruction* blockedAt = nullptr;
  uint64_t tries = 0; // of an instruction that looks again and again
  std::optional<Waiting> waiting;
  std::vector<Value> returned;    // by the outermost frame
  std::vector<uint32_t> children; // that a warp_specialize started and has not joined
  std::deque<Product> products;   // of `dots`
  // Kept where races are looked for: what it knows, and what is complete of its operations by
  // actors that work in order.
  Clock clock;
  std::array<Clock, ordering::actorCount> ended;
  std::vector<PassedWait> waits;

  bool isDefault() const { return id == 0; }
  std::string name() const {
    return isDefault() ? "default partition" : "partition " + std::to_string(id - 1);
  }
  // Returns the name as the subject of a sentence.
  std::string who() const { return isDefault() ? "the default partition" : name(); }
};

// An op that made NaN, or infinity, of operands without: in which elements, and how to tell it.
struct NumberOrigin {
  const Instruction* instruction = nullptr;
  bool isNan = false;
  bool isInput = false; // it was loaded so
  uint64_t step = 0;    // when it was made
  std::vector<bool> elements;
  Finding finding;
};

struct State {
  ProgramId program = {};
  std::deque<Thread> threads; // places stay when some are added
  uint32_t current = 0;       // the thread that goes on
  SharedMemory shared, tensorMemory;
  std::map<uint32_t, Barrier> barriers;        // by address in shared memory
  std::deque<AsyncOperation> underWay;         // in the order of issue: by number
  std::vector<std::vector<std::byte>> scratch; // global memory of the program's own
  uint64_t steps = 0;
  uint32_t operations = 0; // begun so far
  uint32_t claims = 0;     // programs that it took over
  bool isFinished = false;
  // Kept only if races are checked: accesses, and operations from number `firstIssued` on.
  ordering::Accesses<Bytes> accesses{256};
  std::deque<IssuedOperation> issued;
  uint32_t firstIssued = 0;
  std::vector<NumberOrigin> origins;                  // where they are looked for
  llvm::SmallPtrSet<const Instruction*, 8> waitedFor; // of copies, those with an end so far
  std::vector<Finding> findings;
  Printed printed;
};

} // namespace gluond::simulate
