#include "lints/synchronization/Machine.h"

#include "ir/amdg/Ops.h"
#include "ir/ttg/Ops.h"
#include "passes/analysis/IntegerArithmetic.h"
#include "passes/analysis/ScalarValue.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>
#include <mlir/IR/Matchers.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::lints::synchronization {
using namespace mlir;

static uint64_t u(int64_t value) {
  return static_cast<uint64_t>(value);
}
// From a number to a larger one, which may be more than an int64_t holds.
static uint64_t distance(int64_t from, int64_t to) {
  return u(to) - u(from);
}

static bool isScalarOrMemory(Type type) {
  return type.isIntOrIndex() || isa<ttg::MemDescType>(type);
}

static bool touchesMemory(mlir::Operation& op) {
  if (Machine::executes(op.getName()) || isa<ttg::WarpSpecializeOp, CallOpInterface>(op))
    return true;
  auto isMemory = [](Type type) { return isa<ttg::MemDescType>(type); };
  return llvm::any_of(op.getOperandTypes(), isMemory) ||
         llvm::any_of(op.getResultTypes(), isMemory);
}

// How the machine executes an operation, or nullopt if it does not.
static std::optional<RelevantOps::Kind> kindOf(mlir::Operation& op) {
  using Kind = RelevantOps::Kind;
  if (op.hasTrait<OpTrait::IsTerminator>()) return Kind::Terminator;
  if (isa<scf::ForOp>(op)) return Kind::For;
  if (isa<scf::IfOp>(op)) return Kind::If;
  if (isa<scf::WhileOp>(op)) return Kind::While;
  if (isa<ttg::WarpSpecializeOp>(op)) return Kind::Specialize;
  if (isa<CallOpInterface>(op)) return Kind::Call;
  if (op.getNumRegions()) return Kind::Region;
  if (touchesMemory(op)) return Kind::Effect;
  return llvm::any_of(op.getResultTypes(), isScalarOrMemory) ? std::optional(Kind::Scalar)
                                                             : std::nullopt;
}

ArrayRef<RelevantOps::Op> RelevantOps::of(Block& block) {
  auto [it, isNew] = blocks_.try_emplace(&block);
  if (!isNew) return it->second;
  for (mlir::Operation& op : block)
    if (auto kind = kindOf(op)) it->second.push_back({&op, *kind});
  return it->second;
}

bool RelevantOps::hasEffects(mlir::Operation& op) {
  auto it = effects_.find(&op);
  if (it != effects_.end()) return it->second;
  bool has = op.walk([&](mlir::Operation* inner) {
                 return touchesMemory(*inner) ? WalkResult::interrupt() : WalkResult::advance();
               }).wasInterrupted();
  return effects_[&op] = has;
}

Machine::Value Machine::get(Thread& thread, mlir::Value value) {
  auto it = thread.values.find(value);
  return it == thread.values.end() ? Value{} : it->second;
}

std::optional<int64_t> Machine::knownOrGuessed(Thread& thread, mlir::Value value) {
  Value v = get(thread, value);
  return v.kind == Value::Kind::Integer ? std::optional(v.integer) : std::nullopt;
}

std::optional<int64_t> Machine::integer(Thread& thread, mlir::Value value) {
  return isGuess(thread, value) ? std::nullopt : knownOrGuessed(thread, value);
}

std::optional<int64_t> Machine::decided(Thread& thread, mlir::Value value) {
  auto number = knownOrGuessed(thread, value);
  usesGuess_ |= number && isGuess(thread, value);
  return number;
}

std::optional<int64_t> Machine::guess(Thread& thread, tt::LoadOp load) {
  unsigned bits = load.getType().isIntOrIndex() ? passes::integerBits(load.getType()) : 0;
  if (bits == 0) return std::nullopt;
  auto known = [&](mlir::Value value) { return knownOrGuessed(thread, value); };
  if (load.getMask()) {
    auto isOn = known(load.getMask());
    if (!isOn) return std::nullopt;
    if (!*isOn) return load.getOther() ? known(load.getOther()) : std::nullopt;
  }
  uint64_t position = 1;
  mlir::Value pointer = load.getPtr();
  while (auto moved = pointer.getDefiningOp<tt::AddPtrOp>()) {
    auto offset = known(moved.getOffset());
    if (!offset) return std::nullopt;
    position += u(*offset);
    pointer = moved.getPtr();
  }
  // A pointer that a loop moves has another position in each iteration.
  auto argument = dyn_cast<BlockArgument>(pointer);
  if (!argument || isa<LoopLikeOpInterface>(argument.getOwner()->getParentOp()))
    return std::nullopt;
  if (bits <= 8) return 1; // a flag
  return llvm::SignExtend64(position * u(sample_.argument), bits);
}

const Region* Machine::region(Thread& thread, mlir::Value value) {
  Value v = get(thread, value);
  if (v.kind == Value::Kind::PastTheEnd && !usesGuess_) {
    const BadView& view = views_[v.region];
    findings_(Id::SharedOutOfRange, view.op->getLoc(), view.index, view.count)
        .related(NoteId::AllocatedHere, allocations_[view.alloc].op->getLoc());
  }
  return v.kind == Value::Kind::Memory ? &regions_[v.region] : nullptr;
}

void Machine::setRegion(Thread& thread, mlir::Value value, Region region) {
  regions_.push_back(std::move(region));
  set(thread, value, {Value::Kind::Memory, 0, static_cast<uint32_t>(regions_.size() - 1)});
}

std::optional<bool> Machine::predicate(Thread& thread, mlir::Value value) {
  if (!value) return true;
  auto known = decided(thread, value);
  return known ? std::optional(*known != 0) : std::nullopt;
}

std::optional<Machine::Step> Machine::stepUnlessOn(Thread& thread, mlir::Value value) {
  auto isOn = predicate(thread, value);
  if (!isOn) return Step::Stop;
  return *isOn ? std::nullopt : std::optional(Step::Next);
}

void Machine::push(Thread& thread, Block& block, mlir::Operation* owner) {
  Frame frame;
  frame.ops = relevant_.of(block);
  frame.owner = owner;
  thread.frames.push_back(frame);
}

bool isFlag(BlockArgument argument) {
  return !argument.use_empty() && llvm::all_of(argument.getUsers(), [](mlir::Operation* user) {
    auto isConstant = [](mlir::Value value) { return matchPattern(value, m_Constant()); };
    return isa<arith::CmpIOp>(user) && llvm::any_of(user->getOperands(), isConstant);
  });
}

Outcome Machine::run(FunctionOpInterface kernel) {
  outcome_.fewestIterations = std::numeric_limits<int64_t>::max();
  left_ = sample_.steps;
  auto ctas = kernel->getParentOfType<ModuleOp>()->getAttrOfType<IntegerAttr>("ttg.num-ctas");
  isCluster_ = ctas && ctas.getInt() > 1;
  Thread& main = threads_.emplace_back();
  main.clock.times.assign(1, 0);
  for (BlockArgument argument : kernel.getArguments()) {
    if (argument.getType().isInteger(1))
      setInteger(main, argument, 1);
    else if (argument.getType().isIntOrIndex())
      setInteger(main, argument, isFlag(argument) ? sample_.flag : sample_.argument);
  }
  main.body = &kernel.getFunctionBody();
  push(main, kernel.getFunctionBody().front(), nullptr);
  while (true) {
    bool moved = false;
    for (size_t i = 0; i < threads_.size(); ++i) { // threads may be added meanwhile
      Thread& thread = threads_[i];
      while (!thread.isFinished && !isConfirmed_) {
        Step result = step(thread);
        if (result == Step::Stop) {
          reportExcess();
          return outcome_;
        }
        if (result != Step::Next) break;
        moved = true;
      }
    }
    if (isConfirmed_) {
      outcome_.isComplete = true;
      reportOvertaken();
      return outcome_;
    }
    if (threads_.front().isFinished) {
      outcome_.isComplete = true;
      reportExcess();
      reportOvertaken();
      size_t told = findings_.all().size();
      // The CTAs of a cluster end together, and the last of them with its stores.
      if (!isCluster_) reportLeftOver();
      reportIdleWaits();
      if (findings_.all().size() != told) outcome_.overtaken.clear();
      return outcome_;
    }
    if (!moved && !completeOne()) {
      reportExcess();
      if (!usesGuess_) reportHang();
      return outcome_;
    }
  }
}

void Machine::completeLater(std::pair<uint32_t, int64_t> barrier, int64_t bytes, int64_t arrivals,
                            std::optional<uint32_t> operation, Clock clock) {
  if (operation) clock.complete(*operation);
  completions_.push_back({{bytes, arrivals, std::move(clock)}, barrier});
}

bool Machine::completeOne() {
  if (completions_.empty()) return false;
  CompletionAt next = std::move(completions_.front());
  completions_.pop_front();
  arriveAt(next.barrier, next);
  return true;
}

Machine::Step Machine::step(Thread& thread) {
  if (thread.isJoining) {
    for (uint32_t child : thread.children)
      if (!threads_[child].isFinished) return Step::Blocked;
    thread.isJoining = false;
    for (uint32_t child : thread.children)
      thread.clock.join(threads_[child].clock);
    thread.children.clear();
    thread.frames.pop_back();
    return Step::Next;
  }
  Frame& frame = thread.frames.back();
  if (frame.next >= frame.ops.size()) return Step::Stop; // a block without a terminator
  if (left_-- == 0) {
    outcome_.ranOut = true;
    left_ = 0;
    return Step::Stop;
  }
  ++tick_;
  RelevantOps::Op next = frame.ops[frame.next];
  Step result =
      next.kind == RelevantOps::Kind::Terminator ? leave(thread, *next.op) : execute(thread, next);
  thread.blocked = result == Step::Blocked ? next.op : nullptr;
  // Frames may have been pushed: the op belongs to `depth`.
  return result;
}

Machine::Step Machine::execute(Thread& thread, RelevantOps::Op relevant) {
  using Kind = RelevantOps::Kind;
  mlir::Operation& op = *relevant.op;
  size_t depth = thread.frames.size() - 1;
  auto done = [&](Step result) {
    if (result != Step::Blocked) ++thread.frames[depth].next;
    return result;
  };
  switch (relevant.kind) {
  case Kind::For:
    return done(enterFor(thread, cast<scf::ForOp>(op)));
  case Kind::If:
    return done(enterIf(thread, cast<scf::IfOp>(op)));
  case Kind::While: {
    auto loop = cast<scf::WhileOp>(op);
    Block& before = loop.getBefore().front();
    for (auto [argument, init] : llvm::zip(before.getArguments(), loop.getInits()))
      set(thread, argument, get(thread, init));
    ++thread.frames[depth].next;
    push(thread, before, &op);
    return Step::Next;
  }
  case Kind::Specialize:
    return done(specialize(thread, cast<ttg::WarpSpecializeOp>(op)));
  case Kind::Terminator: // left, not executed
  case Kind::Call:
    return Step::Stop;
  case Kind::Region:
    return done(relevant_.hasEffects(op) ? Step::Stop : (skip(thread, op), Step::Next));
  case Kind::Effect:
    return done(effect(thread, op));
  case Kind::Scalar:
    evaluate(thread, op);
    break;
  }
  return done(Step::Next);
}

void Machine::evaluate(Thread& thread, mlir::Operation& op) {
  if (isa<tt::GetProgramIdOp>(op))
    setInteger(thread, op.getResult(0), sample_.programId);
  else if (isa<tt::GetNumProgramsOp>(op))
    setInteger(thread, op.getResult(0), sample_.programs);
  else if (auto canceled = dyn_cast<ttng::CLCIsCanceledOp>(op)) {
    auto request = integer(thread, canceled.getClcResult());
    if (request)
      setInteger(thread, op.getResult(0), *request < 4);
    else
      skip(thread, op);
  } else if (auto id = dyn_cast<ttng::CLCGetProgramIdOp>(op)) {
    auto request = integer(thread, id.getClcResult());
    if (request)
      setInteger(thread, op.getResult(0), *request + 1);
    else
      skip(thread, op);
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Value condition = get(thread, select.getCondition());
    Value value =
        condition.kind == Value::Kind::Integer
            ? get(thread, condition.integer ? select.getTrueValue() : select.getFalseValue())
            : Value{};
    value.isGuess |= condition.isGuess;
    set(thread, select.getResult(), value);
  } else if (auto load = dyn_cast<tt::LoadOp>(op)) {
    auto value = guess(thread, load);
    set(thread, load.getResult(), value ? Value{Value::Kind::Integer, *value, 0, true} : Value{});
  } else if (bool dependsOnGuess = false;
             auto value = passes::evaluateScalar(op, [&](mlir::Value operand) {
               dependsOnGuess |= isGuess(thread, operand);
               return knownOrGuessed(thread, operand);
             })) {
    set(thread, op.getResult(0), {Value::Kind::Integer, *value, 0, dependsOnGuess});
  } else {
    skip(thread, op);
  }
}

bool Machine::skip(Thread& thread, mlir::Operation& op) {
  for (mlir::Value result : op.getResults())
    if (isScalarOrMemory(result.getType())) set(thread, result, {});
  return true;
}

Machine::Step Machine::enterFor(Thread& thread, scf::ForOp loop) {
  bool isRelevant = relevant_.hasEffects(*loop);
  auto bound = [&](mlir::Value value) {
    return isRelevant ? decided(thread, value) : integer(thread, value);
  };
  auto lower = bound(loop.getLowerBound()), upper = bound(loop.getUpperBound()),
       step = bound(loop.getStep());
  if (!lower || !upper || !step || *step <= 0) {
    if (isRelevant) return undecided();
    skip(thread, *loop);
    return Step::Next;
  }
  bool isCounted = !loop.getUpperBound().getDefiningOp<arith::ConstantOp>() ||
                   !loop.getLowerBound().getDefiningOp<arith::ConstantOp>();
  if (*lower >= *upper) {
    if (isCounted) outcome_.fewestIterations = 0;
    for (auto [result, init] : llvm::zip(loop.getResults(), loop.getInitArgs()))
      set(thread, result, get(thread, init));
    return Step::Next;
  }
  // A loop with only scalars need not run: it just makes values unknown.
  if (!isRelevant && distance(*lower, *upper) / u(*step) > 64) {
    skip(thread, *loop);
    return Step::Next;
  }
  bool isGuessed = isGuess(thread, loop.getLowerBound()) || isGuess(thread, loop.getStep());
  set(thread, loop.getInductionVar(), {Value::Kind::Integer, *lower, 0, isGuessed});
  for (auto [argument, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
    set(thread, argument, get(thread, init));
  push(thread, *loop.getBody(), loop);
  Frame& frame = thread.frames.back();
  frame.iv = *lower, frame.upper = *upper, frame.step = *step;
  frame.isCounted = isCounted && isRelevant;
  return Step::Next;
}

Machine::Step Machine::enterIf(Thread& thread, scf::IfOp branch) {
  bool isRelevant = relevant_.hasEffects(*branch);
  auto condition =
      isRelevant ? decided(thread, branch.getCondition()) : integer(thread, branch.getCondition());
  if (!condition) {
    if (isRelevant) return undecided();
    skip(thread, *branch);
    return Step::Next;
  }
  mlir::Region* region = *condition ? &branch.getThenRegion() : &branch.getElseRegion();
  if (!region->empty()) push(thread, region->front(), branch);
  return Step::Next;
}

// The blocks of a function that may return early.
Machine::Step Machine::branch(Thread& thread, mlir::Operation& op) {
  unsigned taken = 0;
  if (auto either = dyn_cast<cf::CondBranchOp>(op)) {
    // A kernel that skips some programs is of interest where it does not.
    auto onlyReturns = [](Block* block) {
      return block->without_terminator().empty() && block->getNumSuccessors() == 0;
    };
    auto condition = decided(thread, either.getCondition());
    if (condition)
      taken = *condition == 0;
    else if (onlyReturns(either.getTrueDest()) || onlyReturns(either.getFalseDest()))
      taken = onlyReturns(either.getTrueDest());
    else
      return undecided();
  } else if (!isa<cf::BranchOp>(op)) {
    return undecided();
  }
  Block* to = op.getSuccessor(taken);
  auto given = cast<BranchOpInterface>(op).getSuccessorOperands(taken).getForwardedOperands();
  llvm::SmallVector<Value, 4> values;
  for (mlir::Value value : given)
    values.push_back(get(thread, value));
  for (auto [argument, value] : llvm::zip(to->getArguments(), values))
    set(thread, argument, value);
  thread.frames.pop_back();
  push(thread, *to, nullptr);
  if (!to->empty()) reportReads(thread, to->getArguments(), &to->front());
  return Step::Next;
}

Machine::Step Machine::specialize(Thread& thread, ttg::WarpSpecializeOp op) {
  auto partitions = op.getPartitionOp();
  uint32_t parent = thread.id;
  for (mlir::Region& region : partitions.getPartitionRegions()) {
    uint32_t id = static_cast<uint32_t>(threads_.size());
    threads_.emplace_back(); // a deque keeps `thread` in place
    Thread& child = threads_.back();
    Thread& from = threads_[parent];
    child.id = id;
    child.clock = from.clock;
    child.clock.times.resize(id + 1, 0);
    for (auto [argument, capture] :
         llvm::zip(region.getArguments(), partitions.getExplicitCaptures()))
      set(child, argument, get(from, capture));
    from.children.push_back(id);
    child.body = &region;
    push(child, region.front(), partitions);
  }
  memory_.forEach([](Access& access) { access.isFenced = true; });
  push(threads_[parent], op.getDefaultRegion().front(), op);
  return Step::Next;
}

Machine::Step Machine::leave(Thread& thread, mlir::Operation& op) {
  Frame& frame = thread.frames.back();
  mlir::Operation* owner = frame.owner;
  llvm::SmallVector<Value, 8> values;
  auto gather = [&](OperandRange operands) {
    for (mlir::Value operand : operands)
      values.push_back(get(thread, operand));
  };
  auto give = [&](auto&& to) {
    for (auto [target, value] : llvm::zip(to, values))
      set(thread, target, value);
  };
  auto giveResults = [&](mlir::Operation* left) {
    give(left->getResults());
    reportReads(thread, left->getResults(), left->getNextNode());
  };
  if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(owner);
    auto goesOn = integer(thread, condition.getCondition());
    // A loop that waits for other programs and uses no buffer is assumed to end.
    if (!goesOn && relevant_.hasEffects(*loop)) return undecided();
    if (!goesOn) {
      thread.frames.pop_back();
      skip(thread, *loop);
      return Step::Next;
    }
    gather(condition.getArgs());
    bool isFirstTest = frame.iterations == 0;
    outcome_.hasIdleWhile |= !*goesOn && isFirstTest && relevant_.hasEffects(*loop);
    thread.frames.pop_back();
    if (*goesOn) {
      give(loop.getAfterArguments());
      push(thread, loop.getAfter().front(), owner);
    } else {
      giveResults(loop);
    }
    return Step::Next;
  }
  if (isa<BranchOpInterface>(op)) return branch(thread, op);
  if (isa<ttg::WarpReturnOp>(op) || !owner) {
    thread.isFinished = true;
    return Step::Done;
  }
  gather(op.getOperands());
  if (auto loop = dyn_cast<scf::ForOp>(owner)) {
    ++frame.iterations;
    // The bounds are known to be ordered and the step to be positive.
    if (distance(frame.iv, frame.upper) > u(frame.step)) {
      frame.iv += frame.step;
      bool isGuessed = isGuess(thread, loop.getInductionVar());
      set(thread, loop.getInductionVar(), {Value::Kind::Integer, frame.iv, 0, isGuessed});
      give(loop.getRegionIterArgs());
      reportReads(thread, loop.getRegionIterArgs(), &loop.getBody()->front());
      frame.next = 0;
      return Step::Next;
    }
    if (frame.isCounted)
      outcome_.fewestIterations = std::min(outcome_.fewestIterations, frame.iterations);
    giveResults(loop);
  } else if (auto loop = dyn_cast<scf::WhileOp>(owner)) {
    Block& before = loop.getBefore().front();
    give(before.getArguments());
    thread.frames.pop_back();
    push(thread, before, owner);
    thread.frames.back().iterations = 1; // at least
    return Step::Next;
  } else if (isa<ttg::WarpSpecializeOp>(owner)) {
    give(owner->getResults());
    thread.isJoining = true;
    return Step::Next;
  } else {
    giveResults(owner);
  }
  thread.frames.pop_back();
  return Step::Next;
}

} // namespace gluond::lints::synchronization
