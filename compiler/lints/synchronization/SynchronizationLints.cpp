#include "lints/synchronization/SynchronizationLints.h"

#include "chips/Vendor.h"
#include "ir/amdg/Ops.h"
#include "ir/ttg/ModuleTarget.h"
#include "lints/synchronization/Machine.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::lints::synchronization {
using namespace mlir;

namespace {

// With fewer iterations there is little information about loops; then larger arguments are tried.
constexpr int64_t enoughIterations = 3;
constexpr unsigned tries = 5;

using Waits = llvm::SmallVector<Operation*, 2>;

struct Run {
  Findings findings;
  Waits overtaken; // of which the findings tell, if they tell of nothing else
  bool isUndecided = false;
  bool hasIdleLoop = false;  // a loop whose bounds depend on arguments ran no iteration
  bool hasIdleWhile = false; // the same of a `while`
};

// Runs with arguments that give every loop a few iterations, starting from `sample`. Ends when all
// of the `expected` waits are known to be overtaken, if there are any.
std::optional<Run> runGrowing(FunctionOpInterface kernel, RelevantOps& relevant, Sample sample,
                              const Waits& expected) {
  bool hasShrunk = false;
  for (unsigned i = 0; i < tries; ++i) {
    Findings found;
    Outcome outcome = Machine(sample, relevant, found, expected).run(kernel);
    bool isLast = i + 1 == tries;
    if (outcome.ranOut && !isLast) {
      sample.argument /= 4;
      hasShrunk = true;
      if (sample.argument < 8) return std::nullopt;
      continue;
    }
    if (!outcome.ranOut && outcome.fewestIterations < enoughIterations && !hasShrunk && !isLast &&
        sample.argument < 16384) {
      sample.argument *= 2;
      continue;
    }
    return Run{std::move(found), std::move(outcome.overtaken), outcome.isUndecided,
               outcome.fewestIterations == 0, outcome.hasIdleWhile};
  }
  return std::nullopt;
}

// Runs a program that has something to do: of kernels that split their work, the second program has
// none if one program was launched.
std::optional<Run> runOnce(FunctionOpInterface kernel, RelevantOps& relevant, Sample sample,
                           const Waits& expected = {}) {
  std::optional<Run> run = runGrowing(kernel, relevant, sample, expected);
  if (run && (run->hasIdleWhile || (run->hasIdleLoop && !run->findings.empty()))) {
    sample.programId = 0;
    std::optional<Run> first = runGrowing(kernel, relevant, sample, expected);
    if (first && !first->hasIdleLoop && !first->hasIdleWhile) run = std::move(first);
  }
  return run;
}

// Whether every CTA of a cluster completes its own barriers: there are no partitions that may
// belong to one CTA alone, and no arrivals from other CTAs.
bool isSymmetric(FunctionOpInterface kernel) {
  return !kernel
              .walk([](Operation* op) {
                bool isShared =
                    llvm::TypeSwitch<Operation*, bool>(op)
                        .Case<ttng::InitBarrierOp>([](auto init) { return init.getCount() != 1; })
                        .Case<ttng::BarrierExpectOp>(
                            [](auto expect) { return expect.getFromCTA().has_value(); })
                        .Case<ttng::TCGen5CommitOp>(
                            [](auto commit) { return !commit.getDescs().empty(); })
                        .Case<ttng::MMAv5OpInterface>(
                            [](auto mma) { return mma->hasAttr("multicast"); })
                        .Case<ttg::WarpSpecializeOp, ttng::ArriveBarrierOp, ttng::CLCTryCancelOp>(
                            [](auto) { return true; })
                        .Case<ttng::AsyncSharedStoreOp>([](auto) { return true; })
                        .Default([](auto) { return false; });
                return isShared ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

// Samples of which the first and one of the others must show a mistake.
struct Trial {
  Sample first;
  llvm::SmallVector<Sample, 2> others;
};

// Tried in order until one shows a mistake.
llvm::SmallVector<Trial, 3> trialsFor(FunctionOpInterface kernel) {
  auto sample = [](int64_t argument, int64_t programs, int64_t flag) {
    Sample made;
    made.argument = argument, made.programs = programs, made.flag = flag;
    return made;
  };
  llvm::SmallVector<Trial, 3> trials = {{sample(1024, 8, 1024), {sample(1536, 6, 1536)}}};
  // The state that a loop leaves for its next run is visible if it has an odd number of iterations:
  // so it has one more than a power of two, whatever power of two its step is. A mistake shows as
  // another one if the iterations leave another rest when they go around a ring of buffers: those
  // of the first and the last sample leave the same for most rings.
  bool hasNestedLoops = kernel
                            .walk([](scf::ForOp loop) {
                              auto outer = loop->getParentOfType<LoopLikeOpInterface>();
                              return outer ? WalkResult::interrupt() : WalkResult::advance();
                            })
                            .wasInterrupted();
  if (hasNestedLoops)
    trials.push_back({sample(1025, 20, 1025), {sample(513, 10, 513), sample(2561, 150, 2561)}});
  auto isFlagged = [](BlockArgument argument) {
    return argument.getType().isIntOrIndex() && isFlag(argument);
  };
  if (llvm::any_of(kernel.getArguments(), isFlagged))
    trials.push_back({sample(1024, 8, 0), {sample(1536, 6, 0)}});
  return trials;
}

} // namespace

void checkSynchronization(ModuleOp module, Findings& findings) {
  bool isAmd = chips::isAmd(ttg::targetOf(module));
  auto ctas = module->getAttrOfType<IntegerAttr>("ttg.num-ctas");
  bool isCluster = ctas && ctas.getInt() > 1;
  RelevantOps relevant;
  for (auto kernel : module.getOps<FunctionOpInterface>()) {
    if (kernel.isDeclaration() || !kernel.isPublic()) continue;
    if (isCluster && !isSymmetric(kernel)) continue;
    // AMD's own barriers, and its partitions, which meet at them, are not followed.
    if (isAmd && kernel
                     .walk([](Operation* op) {
                       return isa<ttg::WarpSpecializeOp, amdg::WaitBarrierOp>(op)
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted())
      continue;
    for (const Trial& trial : trialsFor(kernel)) {
      auto found = runOnce(kernel, relevant, trial.first);
      if (found && found->isUndecided) findings.noteUndecided();
      if (!found || found->findings.empty()) continue;
      bool isFound = false;
      for (const Sample& other : trial.others) {
        auto again = runOnce(kernel, relevant, other, found->overtaken);
        if (!again) continue;
        Findings common = found->findings;
        common.keepCommon(again->findings);
        common.keepOneOfEachCause();
        isFound = !common.empty();
        findings.append(std::move(common));
        if (isFound) break;
      }
      if (isFound) break;
    }
  }
}

} // namespace gluond::lints::synchronization
