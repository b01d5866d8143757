#include "lints/bounds/Coverage.h"

#include "ir/tt/Ops.h"
#include "ir/ttng/Ops.h"
#include "lints/access/Access.h"
#include "lints/bounds/LargestIntegers.h"
#include "lints/bounds/Reach.h"
#include "passes/analysis/SameElements.h"

#include <llvm/ADT/MapVector.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Matchers.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

namespace gluond::lints {
using namespace mlir;

namespace {

Value withoutShape(Value value) {
  while (Operation* op = value.getDefiningOp()) {
    if (!passes::hasSameElements(op)) break;
    value = op->getOperand(0);
  }
  return value;
}

// Whether every element of a condition is true.
bool isTrue(Value condition) {
  DenseIntElementsAttr elements;
  if (matchPattern(condition, m_Constant(&elements)))
    return elements.isSplat() && elements.getSplatValue<APInt>().isAllOnes();
  return matchPattern(condition, m_One());
}

// `index < bound`, of every element with one argument of the kernel.
struct Below {
  Value index;
  unsigned bound;
};

// A comparison with an argument of the kernel: `index < bound` or its opposite, `index >= bound`;
// `index` is null for other comparisons.
struct WithArgument {
  unsigned bound;
  Value index;
  bool isBelow;
};
std::optional<WithArgument> withArgument(arith::CmpIOp compared) {
  using Predicate = arith::CmpIPredicate;
  auto read = [](unsigned bound, Value index, bool isBelow, bool isOpposite) {
    return WithArgument{bound, isBelow || isOpposite ? index : Value(), isBelow};
  };
  Predicate predicate = compared.getPredicate();
  Value left = withoutShape(compared.getLhs()), right = withoutShape(compared.getRhs());
  if (auto bound = kernelArgument(right))
    return read(*bound, left, predicate == Predicate::slt || predicate == Predicate::ult,
                predicate == Predicate::sge || predicate == Predicate::uge);
  if (auto bound = kernelArgument(left))
    return read(*bound, right, predicate == Predicate::sgt || predicate == Predicate::ugt,
                predicate == Predicate::sle || predicate == Predicate::ule);
  return std::nullopt;
}

// The comparisons of which a mask is the conjunction: with `isOpposite`, its opposite is.
void collect(Value mask, llvm::SmallVectorImpl<Below>& into, bool isOpposite = false,
             unsigned depth = 0) {
  Operation* op = withoutShape(mask).getDefiningOp();
  if (!op || depth > 8) return;
  auto goOn = [&](unsigned operand, bool opposite) {
    collect(op->getOperand(operand), into, opposite, depth + 1);
  };
  if (isOpposite ? isa<arith::OrIOp>(op) : isa<arith::AndIOp>(op)) {
    goOn(0, isOpposite);
    goOn(1, isOpposite);
  } else if (isa<arith::XOrIOp>(op) && isTrue(op->getOperand(1))) {
    goOn(0, !isOpposite);
  } else if (auto compared = dyn_cast<arith::CmpIOp>(op)) {
    auto found = withArgument(compared);
    if (found && found->index && found->isBelow != isOpposite)
      into.push_back({found->index, found->bound});
  }
}

// Whether an address depends on a product with an argument: a row's length.
bool multipliesBy(unsigned argument, Value address, unsigned depth = 0) {
  Operation* op = withoutShape(address).getDefiningOp();
  constexpr unsigned deepest = 12;
  if (!op || depth > deepest) return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return (isa<arith::MulIOp>(op) && kernelArgument(withoutShape(operand)) == argument) ||
           multipliesBy(argument, operand, depth + 1);
  });
}

// Why a grid that leaves out whole blocks is no choice of its writer, as the end of the message; ""
// if it may be one.
std::string whyTooFew(const LaunchSizes& launch, Value index, int64_t bound, int64_t block) {
  unsigned axes = axesOf(index);
  if (!axes) return "; the index is the same in all programs";
  for (unsigned axis = 0; axis < launch.quotients.size(); ++axis) {
    if (!(axes & 1u << axis)) continue;
    if (axis >= launch.gridNumbers)
      return "; its index needs program_id(" + std::to_string(axis) + "), but the grid has only " +
             (launch.gridNumbers == 1 ? std::string("one number")
                                      : std::to_string(launch.gridNumbers) + " numbers");
    if (axes != 1u << axis) continue; // blocks along several axes
    for (const LaunchSizes::Quotient& each : launch.quotients[axis])
      if (each.divisor > block && (each.number == bound || each.number == bound + each.divisor - 1))
        return "; the grid is computed for blocks of " + std::to_string(each.divisor) +
               ", but this one has " + std::to_string(block);
  }
  return {};
}

// What all comparisons with one argument show.
struct Bound {
  bool isKnown = true;
  __int128 reached = 0; // the largest index in any program
};

// Reports an axis along which all programs of the launch do the same.
void lintIdleAxes(ModuleOp module, FunctionOpInterface kernel, const LaunchSizes& launch,
                  Findings& findings) {
  if (!launch.grid) return;
  unsigned read = 0;
  Operation* store = nullptr;
  bool mayShareWork = false; // programs that draw numbers need no ids
  module.walk([&](Operation* op) {
    if (auto id = dyn_cast<tt::GetProgramIdOp>(op))
      read |= 1u << static_cast<unsigned>(id.getAxis());
    else if (auto access = globalAccessOf(*op); access && access->isStore)
      store = store ? store : op;
    else if (!isa<tt::GetNumProgramsOp>(op))
      mayShareWork |= isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::ElementwiseInlineAsmOp,
                          ttng::CLCGetProgramIdOp>(op);
  });
  if (!read || !store || mayShareWork) return;
  for (unsigned axis = 0; axis < launch.gridNumbers; ++axis)
    if (int64_t programs = (*launch.grid)[axis]; programs > 1 && !(read & 1u << axis))
      findings(Id::UnusualGrid, store->getLoc(), kernel.getName(),
               "has " + std::to_string(programs) + " programs along axis " + std::to_string(axis) +
                   ", which all do the same, because the kernel does not read program_id(" +
                   std::to_string(axis) + ")");
}

} // namespace

void lintCoverage(ModuleOp module, KnownSizes sizes, Findings& findings) {
  CallsInModule calls(module);
  for (auto kernel : module.getOps<FunctionOpInterface>()) {
    if (!kernel.isPublic() || kernel.isDeclaration()) continue;
    struct Store {
      Operation* op;
      llvm::StringRef name;
      llvm::SmallVector<Below, 2> within;
      Value loadedFrom = {}; // of loads: the pointers
    };
    // What its functions read counts as well.
    bool isOnly = llvm::count_if(module.getOps<FunctionOpInterface>(),
                                 [](FunctionOpInterface each) { return each.isPublic(); }) == 1;
    if (isOnly) lintIdleAxes(module, kernel, sizes(), findings);
    std::vector<Store> stores;
    kernel.walk([&](Operation* op) {
      auto access = globalAccessOf(*op);
      if (!access || !access->mask || !isAlwaysReached(op, kernel)) return;
      Store store{op, access->name, {}, access->isStore ? Value() : access->pointers};
      collect(access->mask, store.within);
      if (!store.within.empty()) stores.push_back(std::move(store));
    });
    if (stores.empty()) continue;
    const LaunchSizes& launch = sizes();
    if (!launch.grid || launch.arguments.size() != kernel.getNumArguments()) continue;
    LargestIntegers integers(calls, &launch);
    llvm::SmallMapVector<unsigned, Bound, 4> bounds;
    kernel.walk([&](arith::CmpIOp compared) {
      auto found = withArgument(compared);
      if (!found) return;
      Bound& bound = bounds[found->bound];
      auto last = found->index ? integers.largest(found->index) : std::nullopt;
      bound.isKnown &= last.has_value();
      if (last) bound.reached = std::max(bound.reached, *last);
    });
    // What a loop runs up to, programs need not cover.
    kernel.walk([&](scf::ForOp loop) {
      if (auto number = kernelArgument(loop.getUpperBound())) bounds[*number].isKnown = false;
    });
    // Counts from the first index that no program reaches; negative if programs reach beyond.
    auto leftOf = [&](const Below& below) -> std::optional<__int128> {
      auto size = launch.arguments[below.bound].integer;
      const Bound& bound = bounds[below.bound];
      if (!size || !bound.isKnown || !isa<RankedTensorType>(below.index.getType()))
        return std::nullopt;
      return *size - 1 - bound.reached;
    };
    auto blockOf = [](const Below& below) {
      return cast<RankedTensorType>(below.index.getType()).getNumElements();
    };
    // A row of which no program stores anything: elements that are loaded by the same index in all
    // programs, and that are reduced, perhaps. Only where the bound is certainly the row's length.
    auto isPartOfRow = [&](const Store& load, const Below& below) {
      return !axesOf(below.index) && multipliesBy(below.bound, load.loadedFrom) &&
             llvm::none_of(stores, [&](const Store& other) {
               return !other.loadedFrom && llvm::any_of(other.within, [&](const Below& each) {
                 return each.bound == below.bound;
               });
             });
    };
    for (const Store& store : stores) {
      // Where one axis of the grid has whole programs with nothing to do, another one that is too
      // short has got its number: the axes are swapped.
      bool hasIdlePrograms = llvm::any_of(store.within, [&](const Below& below) {
        auto left = leftOf(below);
        return left && -*left >= blockOf(below);
      });
      for (const Below& below : store.within) {
        auto left = leftOf(below);
        if (!left || *left <= 0) continue;
        if (store.loadedFrom && !isPartOfRow(store, below)) continue;
        int64_t size = *launch.arguments[below.bound].integer;
        std::string why;
        if (*left >= blockOf(below) && !hasIdlePrograms) {
          why = whyTooFew(launch, below.index, size, blockOf(below));
          if (why.empty()) continue;
        }
        findings(Id::UncoveredEnd, store.op->getLoc(),
                 static_cast<int64_t>(bounds[below.bound].reached), size, store.name,
                 static_cast<int64_t>(*left), why);
      }
    }
  }
}

} // namespace gluond::lints
