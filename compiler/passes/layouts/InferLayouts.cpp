#include "passes/layouts/InferLayouts.h"

#include "ir/tt/Ops.h"
#include "passes/layouts/EncodingFlow.h"
#include "support/Allowance.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PriorityWorklist.h>
#include <llvm/Support/xxhash.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace gluond::passes {
using namespace mlir;

namespace {

std::string textOf(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os);
  return text;
}

struct Choice {
  Attribute encoding;
  bool givesWay = false;
};

class Inference {
public:
  explicit Inference(IsUnknown isUnknown) : isUnknown_(isUnknown) {}

  // Values keep the first encoding they get; a later one only has to be compatible with it, as in
  // Triton.
  Result choose(ValueRange values, Choice choice) {
    for (Value value : values) {
      if (!isUnknown_(value.getType())) continue;
      auto [it, isNew] = choices_.insert({value, choice});
      if (isNew)
        pending_.insert(value);
      else if (areInConflict(it->second, choice))
        return tl::unexpected(conflict(it->second.encoding, choice.encoding, value));
    }
    return {};
  }

  Result spread() {
    while (!pending_.empty()) {
      if ((++steps_ & 63) == 0 && Spending::isSpent()) break; // whoever runs the pass stops, too
      Value value = pending_.pop_back_val();
      Choice choice = choices_[value];
      for (OpOperand& use : value.getUses())
        if (auto result = toUser(use, choice); !result) return result;
      if (auto result = toDefinition(value, choice); !result) return result;
    }
    return {};
  }

  // Gives the values their types. Constants change with theirs.
  void apply() {
    for (auto& [value, choice] : choices_) {
      auto type = cast<RankedTensorType>(value.getType()).cloneWithEncoding(choice.encoding);
      value.setType(type);
      auto constant = value.getDefiningOp<arith::ConstantOp>();
      if (!constant) continue;
      if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValueAttr()))
        constant.setValueAttr(SplatElementsAttr::get(type, splat.getSplatValue<Attribute>()));
    }
  }

private:
  static bool areInConflict(const Choice& a, const Choice& b) {
    return !a.givesWay && !b.givesWay && a.encoding != b.encoding;
  }
  // Named in the order that Triton gives them, by a hash of their text.
  static PassFailure conflict(Attribute a, Attribute b, Value value) {
    std::string textA = textOf(a), textB = textOf(b);
    if (llvm::xxh3_64bits(textA) > llvm::xxh3_64bits(textB)) {
      std::swap(a, b);
      std::swap(textA, textB);
    }
    Operation* definition = value.getDefiningOp();
    return {FailureKind::LayoutConflict,
            definition ? definition->getLoc() : value.getLoc(),
            "found conflicting encodings for value:\n  " + textA + "\nand\n  " + textB,
            a,
            b,
            {},
            {}};
  }

  Result toUser(OpOperand& use, Choice choice) {
    Operation* user = use.getOwner();
    unsigned number = use.getOperandNumber();
    if (isa<scf::ForOp>(user)) return choose(tied(user, number - 3), choice);
    if (isa<scf::WhileOp>(user)) return choose(tied(user, number), choice);
    if (isa<scf::YieldOp>(user)) return choose(tied(user->getParentOp(), number), choice);
    if (tiesOperands(user))
      if (Result result = choose(tensorOperands(user), choice); !result) return result;
    Attribute encoding = resultEncoding(user, choice.encoding);
    if (!encoding) return {};
    return choose(user->getResults(), {encoding, choice.givesWay || encodingMayVary(user)});
  }

  // Ops whose operands all have one encoding whatever the results have: stores, reductions.
  static bool tiesOperands(Operation* op) {
    return op->hasTrait<tt::SameOperandsEncoding>() ||
           op->hasTrait<tt::SameLoadStoreOperandsEncoding>();
  }
  static SmallVector<Value> tensorOperands(Operation* op) {
    return llvm::to_vector(llvm::make_filter_range(
        op->getOperands(), [](Value operand) { return isa<RankedTensorType>(operand.getType()); }));
  }

  Result toDefinition(Value value, Choice choice) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation* parent = argument.getOwner()->getParentOp();
      if (isa<scf::ForOp>(parent)) return choose(tied(parent, argument.getArgNumber() - 1), choice);
      if (isa<scf::WhileOp>(parent)) return choose(tied(parent, argument.getArgNumber()), choice);
      return {};
    }
    Operation* op = value.getDefiningOp();
    if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
      return choose(tied(op, cast<OpResult>(value).getResultNumber()), choice);
    Attribute encoding = operandEncoding(op, choice.encoding);
    if (!encoding) return {};
    return choose(tensorOperands(op), {encoding, choice.givesWay || encodingMayVary(op)});
  }

  // Returns all values that must agree along the edges of a structured op: its result at `index`,
  // the yielded values, ...
  static SmallVector<Value> tied(Operation* op, unsigned index) {
    auto at = [index](auto&& range, SmallVector<Value>& into) {
      if (index < range.size()) into.push_back(range[index]);
    };
    SmallVector<Value> values;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      at(loop.getRegionIterArgs(), values);
      at(loop.getResults(), values);
      at(loop.getYieldedValues(), values);
      at(loop.getInitArgs(), values);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      at(loop.getBeforeArguments(), values);
      at(loop.getResults(), values);
      at(loop.getConditionOp().getArgs(), values);
      at(loop.getInits(), values);
      at(loop.getAfterArguments(), values);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Region& region : branch->getRegions())
        for (Block& block : region)
          if (isa<scf::YieldOp>(block.getTerminator()))
            at(block.getTerminator()->getOperands(), values);
      at(branch.getResults(), values);
    }
    return values;
  }

  IsUnknown isUnknown_;
  llvm::MapVector<Value, Choice> choices_;
  llvm::PriorityWorklist<Value> pending_;
  unsigned steps_ = 0;
};

PassFailure failureAt(Location location, FailureKind kind, std::string message) {
  return {kind, location, std::move(message), {}, {}, {}, {}};
}

} // namespace

Result inferLayouts(FunctionOpInterface function, IsUnknown isUnknown, ArrayRef<LayoutSeed> seeds) {
  if (llvm::any_of(function.getArgumentTypes(), isUnknown))
    return tl::unexpected(failureAt(function.getLoc(), FailureKind::LayoutAcrossCall,
                                    "Functions taking auto encoding must be fully inlined"));
  if (llvm::any_of(function.getResultTypes(), isUnknown))
    return tl::unexpected(failureAt(function.getLoc(), FailureKind::LayoutAcrossCall,
                                    "Functions returning auto encoding must be fully inlined"));
  if (seeds.empty()) return {};
  Inference inference(isUnknown);
  for (const LayoutSeed& seed : seeds)
    if (auto result = inference.choose(seed.value, {seed.encoding}); !result) return result;
  if (auto result = inference.spread(); !result) return result;
  inference.apply();
  return {};
}

namespace {

// Values whose layouts are not known, grouped by what would decide them together: an op's operands,
// results and the arguments of its blocks.
class OpenLayouts {
public:
  OpenLayouts(ModuleOp module, IsUnknown isUnknown) : isUnknown_(isUnknown) {
    module.walk([&](Operation* op) {
      Value first;
      auto join = [&](auto values) {
        for (Value value : values) {
          if (!isUnknown_(value.getType())) continue;
          groups_.insert(value);
          if (first)
            groups_.unionSets(first, value);
          else
            first = value;
        }
      };
      join(op->getOperands());
      join(op->getResults());
      for (Region& region : op->getRegions())
        for (Block& block : region) {
          if (isa<FunctionOpInterface>(op)) first = {};
          join(block.getArguments());
          // The terminator's operands become the op's results, or the next iteration's arguments.
          if (!isa<FunctionOpInterface, ModuleOp>(op) && block.mightHaveTerminator())
            join(block.getTerminator()->getOperands());
        }
    });
  }
  // True once for each group.
  bool isNew(Value value) { return told_.insert(groups_.getLeaderValue(value)).second; }

private:
  IsUnknown isUnknown_;
  llvm::EquivalenceClasses<Value> groups_;
  llvm::DenseSet<Value> told_;
};

} // namespace

Result checkLayoutsKnown(ModuleOp module, IsUnknown isUnknown) {
  std::vector<PassFailure> failures;
  auto fail = [&](Operation* op, llvm::StringRef message) {
    failures.push_back(failureAt(op->getLoc(), FailureKind::LayoutUndetermined, message.str()));
  };
  std::optional<OpenLayouts> open;
  auto isNew = [&](ValueRange values) {
    auto value = llvm::find_if(values, [&](Value each) { return isUnknown(each.getType()); });
    if (value == values.end()) return false;
    if (!open) open.emplace(module, isUnknown);
    return open->isNew(*value);
  };
  module.walk([&](Operation* op) {
    if (isNew(op->getResults())) fail(op, "Failed to infer return type");
  });
  module.walk([&](Block* block) {
    if (isNew(block->getArguments()))
      fail(block->getParentOp(), "Failed to infer block argument type");
  });
  if (failures.empty()) return {};
  PassFailure first = std::move(failures.front());
  first.others.assign(std::make_move_iterator(failures.begin() + 1),
                      std::make_move_iterator(failures.end()));
  return tl::unexpected(std::move(first));
}

} // namespace gluond::passes
