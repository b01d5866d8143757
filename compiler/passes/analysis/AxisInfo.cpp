#include "passes/analysis/AxisInfo.h"

#include "ir/tt/Ops.h"
#include "passes/analysis/AxisRules.h"
#include "passes/analysis/ConstantSolution.h"
#include "passes/analysis/LoopBounds.h"
#include "support/Allowance.h"

#include <llvm/ADT/SetVector.h>
#include <mlir/IR/SymbolTable.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>

namespace gluond::passes {
using namespace mlir;

namespace {

constexpr llvm::StringLiteral contiguityHint = "tt.contiguity",
                              divisibilityHint = "tt.divisibility", constancyHint = "tt.constancy";

// A hint is one number for a scalar, or one for each axis. Hints of another rank are not believed,
// nor those by which nothing can be divided.
void applyHint(Attribute hint, AxisInfo::Axes& axes) {
  AxisInfo::Axes hinted;
  if (auto integer = dyn_cast_or_null<IntegerAttr>(hint); integer && axes.size() == 1)
    hinted = {static_cast<int64_t>(integer.getValue().getZExtValue())};
  if (auto dense = dyn_cast_or_null<DenseIntElementsAttr>(hint);
      dense && dense.getNumElements() == static_cast<int64_t>(axes.size())) {
    hinted.clear();
    for (const APInt& value : dense.getValues<APInt>())
      hinted.push_back(value.getSExtValue());
  }
  auto isDivisor = [](int64_t number) { return number > 0 && number <= maxDivisor; };
  if (!hinted.empty() && llvm::all_of(hinted, isDivisor)) axes = std::move(hinted);
}

// Takes hints from an op, or from a function's argument.
template <class Lookup> AxisInfo withHints(AxisInfo info, Lookup lookup) {
  applyHint(lookup(contiguityHint), info.contiguity);
  applyHint(lookup(divisibilityHint), info.divisibility);
  applyHint(lookup(constancyHint), info.constancy);
  return {info.contiguity, info.divisibility, info.constancy, info.constant};
}

unsigned rankOf(Type type) {
  if (auto pointer = dyn_cast<tt::PointerType>(type)) type = pointer.getPointeeType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getRank() : 1;
}

} // namespace

AxisInfo::AxisInfo(Axes contiguityOf, Axes divisibilityOf, Axes constancyOf,
                   std::optional<int64_t> constantOf)
    : contiguity(std::move(contiguityOf)), divisibility(std::move(divisibilityOf)),
      constancy(std::move(constancyOf)), constant(constantOf) {
  int64_t global = globalDivisibility();
  for (int64_t& divisor : divisibility)
    divisor = std::max(divisor, global);
}

int64_t AxisInfo::globalDivisibility() const {
  int64_t global = 1;
  for (unsigned axis = 0; axis < rank(); ++axis)
    if (contiguity[axis] == 1) global = std::max(global, divisibility[axis]);
  return global;
}

AxisInfo AxisInfo::splat(int64_t value, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  unsigned rank = tensor ? tensor.getRank() : 1;
  return {Axes(rank, 1), Axes(rank, powerOfTwoDivisor(value)),
          tensor ? Axes(tensor.getShape()) : Axes(1, 1), value};
}

AxisInfo AxisInfo::pessimistic(Value value) {
  Axes ones(rankOf(value.getType()), 1);
  AxisInfo info(ones, ones, ones);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    if (!function || !argument.getOwner()->isEntryBlock()) return info;
    return withHints(
        info, [&](StringRef name) { return function.getArgAttr(argument.getArgNumber(), name); });
  }
  return withHints(info,
                   [&](StringRef name) { return value.getDefiningOp()->getDiscardableAttr(name); });
}

AxisInfo AxisInfo::join(const AxisInfo& a, const AxisInfo& b) {
  if (!a.rank()) return b;
  if (!b.rank()) return a;
  Axes contiguity, divisibility, constancy;
  for (unsigned axis = 0; axis < std::min(a.rank(), b.rank()); ++axis) {
    contiguity.push_back(gcd(a.contiguity[axis], b.contiguity[axis]));
    divisibility.push_back(joinDivisibility(a, b, axis));
    constancy.push_back(gcd(a.constancy[axis], b.constancy[axis]));
  }
  return {contiguity, divisibility, constancy,
          a.constant == b.constant ? a.constant : std::nullopt};
}

//===----------------------------------------------------------------------===//
// One function: optimistic, until nothing changes
//===----------------------------------------------------------------------===//

namespace {

class FunctionAxisInfo {
public:
  FunctionAxisInfo(FunctionOpInterface function, llvm::DenseMap<Value, AxisInfo>& infos)
      : constants_(ConstantSolution::of(function)), infos_(infos) {
    Region& body = function.getFunctionBody();
    if (body.empty()) return;
    for (BlockArgument argument : body.getArguments())
      join(argument, AxisInfo::pessimistic(argument));
    do {
      changed_ = false;
      sweep(body);
    } while (changed_ && !isStopped_);
    if (isStopped_) infos_.clear(); // what is found first is not yet true
  }

private:
  // A region is first visited after the ops after its op: in Triton too the results of a loop
  // have the information of its initial values before its body is visited, and joining keeps
  // that.
  void sweep(Region& region) {
    for (Block& block : region) {
      if (!constants_.canRun(&block)) continue;
      for (Operation& op : block) {
        if (++steps_ % 64 == 0) isStopped_ |= Spending::isSpent();
        if (isStopped_) return;
        visit(&op);
        for (Region& nested : op.getRegions()) {
          if (entered_.insert(&nested).second)
            changed_ = true;
          else
            sweep(nested);
        }
      }
    }
  }

  void join(Value value, const AxisInfo& info) {
    if (!info.rank()) return;
    const AxisInfo& known = know(value);
    AxisInfo joined = AxisInfo::join(known, info);
    if (joined == known) return;
    infos_[value] = std::move(joined); // neither `known` nor `info` need be there any more
    changed_ = true;
  }
  const AxisInfo& know(Value value) const {
    static const AxisInfo nothing;
    auto found = infos_.find(value);
    return found == infos_.end() ? nothing : found->second;
  }
  void beAnything(ValueRange values) {
    for (Value value : values)
      join(value, AxisInfo::pessimistic(value));
  }

  void visit(Operation* op) {
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) return visitRegionBranch(branch);
    if (auto branch = dyn_cast<BranchOpInterface>(op)) return visitBranch(branch);
    if (auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op))
      if (auto parent = dyn_cast<RegionBranchOpInterface>(op->getParentOp()))
        return visitTerminator(terminator, parent);
    for (Region& region : op->getRegions())
      beAnything(region.getArguments());
    if (op->getNumResults()) visitPlain(op);
  }

  void visitPlain(Operation* op) {
    SmallVector<AxisInfo, 4> operands;
    for (Value operand : op->getOperands()) {
      operands.push_back(know(operand));
      if (!operands.back().rank()) return; // not yet
    }
    AxisInfo info = inferAxisInfo(op, operands);
    if (!info.rank()) return beAnything(op->getResults());
    info = withHints(std::move(info), [&](StringRef name) { return op->getDiscardableAttr(name); });
    for (Value result : op->getResults())
      join(result, info);
  }

  void visitRegionBranch(RegionBranchOpInterface op) {
    SmallVector<RegionSuccessor> successors;
    op.getEntrySuccessorRegions(constantsOf(op), successors);
    auto loop = dyn_cast<scf::ForOp>(op.getOperation());
    auto count = loop ? tripCount(loop) : std::nullopt;
    for (RegionSuccessor& successor : successors) {
      if (count && (*count == 0) != successor.isParent()) continue;
      enter(op, successor, op.getEntrySuccessorOperands(successor));
    }
  }

  void visitTerminator(RegionBranchTerminatorOpInterface terminator, RegionBranchOpInterface op) {
    SmallVector<RegionSuccessor> successors;
    terminator.getSuccessorRegions(constantsOf(terminator), successors);
    auto loop = dyn_cast<scf::ForOp>(op.getOperation());
    auto count = loop ? tripCount(loop) : std::nullopt;
    for (RegionSuccessor& successor : successors) {
      if (count && *count == 1 && !successor.isParent()) continue;
      enter(op, successor, terminator.getSuccessorOperands(successor));
    }
  }

  // Returns the operands that determine control flow, if they are constant.
  SmallVector<Attribute> constantsOf(Operation* op) const {
    SmallVector<Attribute> attributes;
    for (Value operand : op->getOperands()) {
      const Knowledge* knowledge = constants_.find(operand);
      attributes.push_back(knowledge ? knowledge->constant : Attribute());
    }
    return attributes;
  }

  void enter(RegionBranchOpInterface op, RegionSuccessor& successor, ValueRange operands) {
    ValueRange inputs = successor.getSuccessorInputs();
    if (Region* region = successor.getSuccessor()) {
      for (BlockArgument argument : region->getArguments()) {
        if (llvm::is_contained(inputs, argument)) continue;
        auto loop = dyn_cast<scf::ForOp>(op.getOperation());
        join(argument, loop ? inductionVariable(loop) : AxisInfo::pessimistic(argument));
      }
    }
    for (auto [operand, input] : llvm::zip(operands, inputs))
      join(input, know(operand));
  }

  AxisInfo inductionVariable(scf::ForOp loop) {
    const AxisInfo &lower = know(loop.getLowerBound()), &step = know(loop.getStep());
    if (!lower.rank() || !step.rank()) return {};
    return {{1}, {gcd(lower.divisibility[0], step.divisibility[0])}, {1}};
  }

  void visitBranch(BranchOpInterface branch) {
    for (unsigned i = 0, e = branch->getNumSuccessors(); i < e; ++i) {
      Block* target = branch->getSuccessor(i);
      if (!constants_.canRun(target)) continue;
      SuccessorOperands passed = branch.getSuccessorOperands(i);
      for (unsigned k = 0, n = target->getNumArguments(); k < n; ++k) {
        BlockArgument argument = target->getArgument(k);
        join(argument, passed[k] ? know(passed[k]) : AxisInfo::pessimistic(argument));
      }
    }
  }

  ConstantSolution constants_;
  llvm::DenseMap<Value, AxisInfo>& infos_;
  llvm::DenseSet<Region*> entered_;
  bool changed_ = false, isStopped_ = false;
  unsigned steps_ = 0;
};

// Facts about a call's arguments become the callee's hints.
void passHints(CallOpInterface call, FunctionOpInterface callee, const ModuleAxisInfo& module) {
  auto i64 = IntegerType::get(callee.getContext(), 64);
  for (auto [index, operand] : llvm::enumerate(call.getArgOperands())) {
    AxisInfo info = module.at(operand);
    if (info.rank() != 1) continue;
    auto pass = [&, index = index](StringRef name, int64_t value) {
      auto given = callee.getArgAttrOfType<IntegerAttr>(index, name);
      callee.setArgAttr(index, name,
                        IntegerAttr::get(i64, gcd(value, given ? given.getInt() : maxDivisor)));
    };
    pass(contiguityHint, info.contiguity[0]);
    pass(divisibilityHint, info.divisibility[0]);
    pass(constancyHint, info.constancy[0]);
  }
}

// Callees after all their callers.
class CallOrder {
public:
  explicit CallOrder(ModuleOp module) {
    for (auto function : module.getOps<FunctionOpInterface>())
      visit(function);
  }
  auto callersFirst() const { return llvm::reverse(done_); }
  FunctionOpInterface calleeOf(CallOpInterface call) {
    return dyn_cast_or_null<FunctionOpInterface>(call.resolveCallableInTable(&tables_));
  }

private:
  void visit(FunctionOpInterface function) {
    if (!seen_.insert(function).second) return;
    function.walk([&](CallOpInterface call) {
      if (auto callee = calleeOf(call)) visit(callee);
    });
    done_.push_back(function);
  }
  SymbolTableCollection tables_;
  llvm::DenseSet<Operation*> seen_;
  SmallVector<FunctionOpInterface> done_;
};

} // namespace

ModuleAxisInfo::ModuleAxisInfo(ModuleOp module) {
  CallOrder order(module);
  for (FunctionOpInterface function : order.callersFirst()) {
    [[maybe_unused]] FunctionAxisInfo ofFunction(function, infos_);
    function.walk([&](CallOpInterface call) {
      if (auto callee = order.calleeOf(call)) passHints(call, callee, *this);
    });
  }
}

AxisInfo ModuleAxisInfo::at(Value value) const {
  auto found = infos_.find(value);
  return found == infos_.end() ? AxisInfo::pessimistic(value) : found->second;
}

} // namespace gluond::passes
