#include "lints/bounds/Coverage.h"

#include "lints/access/Access.h"
#include "lints/bounds/LargestIntegers.h"
#include "passes/analysis/SameElements.h"

#include <llvm/ADT/MapVector.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
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

// `index < bound`, of every element with one argument of the kernel.
struct Below {
  Value index;
  unsigned bound;
};

// Returns the argument of the kernel that a comparison compares with, and, if the comparison is
// true below it, the index; nothing for other comparisons.
struct WithArgument {
  unsigned bound;
  std::optional<Below> below;
};
std::optional<WithArgument> withArgument(arith::CmpIOp compared) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compared.getPredicate();
  Value left = withoutShape(compared.getLhs()), right = withoutShape(compared.getRhs());
  if (auto bound = kernelArgument(right)) {
    bool isBelow = predicate == Predicate::slt || predicate == Predicate::ult;
    return WithArgument{*bound, isBelow ? std::optional(Below{left, *bound}) : std::nullopt};
  }
  if (auto bound = kernelArgument(left)) {
    bool isBelow = predicate == Predicate::sgt || predicate == Predicate::ugt;
    return WithArgument{*bound, isBelow ? std::optional(Below{right, *bound}) : std::nullopt};
  }
  return std::nullopt;
}

// The comparisons of which a mask is the conjunction.
void collect(Value mask, llvm::SmallVectorImpl<Below>& into, unsigned depth = 0) {
  Operation* op = withoutShape(mask).getDefiningOp();
  if (!op || depth > 8) return;
  if (isa<arith::AndIOp>(op)) {
    collect(op->getOperand(0), into, depth + 1);
    collect(op->getOperand(1), into, depth + 1);
  } else if (auto compared = dyn_cast<arith::CmpIOp>(op)) {
    if (auto found = withArgument(compared); found && found->below) into.push_back(*found->below);
  }
}

// What all comparisons with one argument show.
struct Bound {
  bool isKnown = true;
  __int128 reached = 0; // the largest index in any program
};

} // namespace

void lintCoverage(ModuleOp module, KnownSizes sizes, Findings& findings) {
  for (auto kernel : module.getOps<FunctionOpInterface>()) {
    if (!kernel.isPublic() || kernel.isDeclaration()) continue;
    struct Store {
      Operation* op;
      llvm::StringRef name;
      llvm::SmallVector<Below, 2> within;
    };
    std::vector<Store> stores;
    kernel.walk([&](Operation* op) {
      auto access = globalAccessOf(*op);
      if (!access || !access->isStore || !access->mask || op->getParentOp() != kernel) return;
      Store store{op, access->name, {}};
      collect(access->mask, store.within);
      if (!store.within.empty()) stores.push_back(std::move(store));
    });
    if (stores.empty()) continue;
    const LaunchSizes& launch = sizes();
    if (!launch.grid || launch.arguments.size() != kernel.getNumArguments()) continue;
    LargestIntegers integers(module, &launch);
    llvm::SmallMapVector<unsigned, Bound, 4> bounds;
    kernel.walk([&](arith::CmpIOp compared) {
      auto found = withArgument(compared);
      if (!found) return;
      Bound& bound = bounds[found->bound];
      auto last = found->below ? integers.largest(found->below->index) : std::nullopt;
      bound.isKnown &= last.has_value();
      if (last) bound.reached = std::max(bound.reached, *last);
    });
    // What a loop runs up to, programs need not cover.
    kernel.walk([&](scf::ForOp loop) {
      if (auto number = kernelArgument(loop.getUpperBound())) bounds[*number].isKnown = false;
    });
    for (const Store& store : stores)
      for (const Below& below : store.within) {
        auto size = launch.arguments[below.bound].integer;
        auto block = dyn_cast<RankedTensorType>(below.index.getType());
        const Bound& bound = bounds[below.bound];
        __int128 left = size ? *size - 1 - bound.reached : 0;
        if (!block || !bound.isKnown || left <= 0 || left >= block.getNumElements()) continue;
        findings(Id::UncoveredEnd, store.op->getLoc(), static_cast<int64_t>(bound.reached), *size,
                 store.name, static_cast<int64_t>(left));
      }
  }
}

} // namespace gluond::lints
