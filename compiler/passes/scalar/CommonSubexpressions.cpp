#include "passes/scalar/CommonSubexpressions.h"

#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttng/Dialect.h"
#include "support/Allowance.h"

#include <llvm/ADT/ScopedHashTable.h>
#include <llvm/Support/RecyclingAllocator.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

namespace gluond::passes {
using namespace mlir;

namespace {

// Triton's memories share nothing with each other or with the default resource, below which all
// other resources are.
bool isDisjoint(const SideEffects::Resource* a, const SideEffects::Resource* b) {
  auto isMemory = [](const SideEffects::Resource* resource) {
    return isa<tt::GlobalMemory, ttg::SharedMemory, ttng::TensorMemory>(resource);
  };
  if (a->getResourceID() == b->getResourceID()) return false;
  if (isMemory(a) || isMemory(b)) return true;
  return !isa<SideEffects::DefaultResource>(a) && !isa<SideEffects::DefaultResource>(b);
}

struct EqualOps : llvm::DenseMapInfo<Operation*> {
  static unsigned getHashValue(const Operation* op) {
    llvm::hash_code hash = OperationEquivalence::computeHash(
        const_cast<Operation*>(op), OperationEquivalence::directHashValue,
        OperationEquivalence::ignoreHashValue, OperationEquivalence::IgnoreLocations);
    return llvm::hash_combine(hash, hashOfRegions(const_cast<Operation*>(op)));
  }
  // The first ops in the regions and their operands from outside. Without these, thousands of ifs
  // with one condition would be compared with each other.
  static size_t hashOfRegions(Operation* op) {
    constexpr unsigned most = 8;
    size_t hash = 0;
    for (Region& region : op->getRegions()) {
      if (region.empty()) continue;
      unsigned count = 0;
      for (Operation& inner : region.front()) {
        if (++count > most) break;
        size_t operands = 0; // a sum: commutative ops are equal in any order
        for (Value operand : inner.getOperands())
          if (!op->isAncestor(operand.getParentRegion()->getParentOp()))
            operands += llvm::hash_value(operand.getAsOpaquePointer());
        hash = llvm::hash_combine(hash, inner.getName().getAsOpaquePointer(), operands);
      }
    }
    return hash;
  }
  static bool isEqual(const Operation* a, const Operation* b) {
    if (a == b) return true;
    if (a == getTombstoneKey() || a == getEmptyKey() || b == getTombstoneKey() ||
        b == getEmptyKey())
      return false;
    return OperationEquivalence::isEquivalentTo(const_cast<Operation*>(a),
                                                const_cast<Operation*>(b),
                                                OperationEquivalence::IgnoreLocations);
  }
};

using Known = llvm::ScopedHashTable<
    Operation*, Operation*, EqualOps,
    llvm::RecyclingAllocator<llvm::BumpPtrAllocator,
                             llvm::ScopedHashTableVal<Operation*, Operation*>>>;

class Eliminator {
public:
  explicit Eliminator(DominanceInfo& dominance) : dominance_(dominance) {}
  ~Eliminator() {
    for (Operation* op : dead_)
      op->erase();
  }

  void visit(Region& region, Known& known) {
    if (region.hasOneBlock()) {
      Known::ScopeTy scope(known);
      visit(region.front(), known);
      return;
    }
    if (region.empty() || !dominance_.hasSSADominance(&region)) return;
    struct Open { // a block on the way from the entry to where we are
      Open(Known& known, DominanceInfoNode* node)
          : scope(known), next(node->begin()), end(node->end()) {}
      Known::ScopeTy scope;
      DominanceInfoNode::const_iterator next, end;
    };
    std::vector<std::unique_ptr<Open>> path;
    auto open = [&](DominanceInfoNode* node) {
      path.push_back(std::make_unique<Open>(known, node));
      visit(*node->getBlock(), known);
    };
    open(dominance_.getRootNode(&region));
    while (!path.empty())
      if (path.back()->next == path.back()->end)
        path.pop_back();
      else
        open(*path.back()->next++);
  }

private:
  void visit(Block& block, Known& known) {
    DenseMap<Operation*, Scan> around; // which goes on after this block
    std::swap(around, scans_);
    for (Operation& op : block) {
      isStopped_ |= (++steps_ & 63) == 0 && Spending::isSpent();
      if (isStopped_) break; // out of all blocks around this one, too
      if (isOpTriviallyDead(&op)) {
        dead_.push_back(&op);
        continue;
      }
      for (Region& region : op.getRegions())
        if (op.mightHaveTrait<OpTrait::IsIsolatedFromAbove>()) {
          Known own; // values known here cannot be used in there
          visit(region, own);
        } else {
          visit(region, known);
        }
      merge(op, known);
    }
    scans_ = std::move(around);
  }

  void merge(Operation& op, Known& known) {
    if (op.hasTrait<OpTrait::IsTerminator>()) return;
    bool isPure = isMemoryEffectFree(&op);
    if (!isPure && !hasSingleEffect<MemoryEffects::Read>(&op)) return;
    for (Region& region : op.getRegions())
      if (!region.empty() && !region.hasOneBlock()) return;
    Operation* first = known.lookup(&op);
    if (!first || (!isPure && (first->getBlock() != op.getBlock() || mayChange(first, &op)))) {
      known.insert(&op, &op);
      return;
    }
    op.replaceAllUsesWith(first);
    dead_.push_back(&op);
  }

  // Whether the memory that `read` reads may be written before the equal `again`.
  bool mayChange(Operation* read, Operation* again) {
    auto [it, isNew] = scans_.try_emplace(read, Scan{read->getNextNode(), false});
    Scan& scan = it->second;
    if (scan.isChanged) return true;
    SmallVector<MemoryEffects::EffectInstance> reads;
    cast<MemoryEffectOpInterface>(read).getEffects(reads);
    for (; scan.seenUntil != again; scan.seenUntil = scan.seenUntil->getNextNode()) {
      auto effects = getEffectsRecursively(scan.seenUntil);
      if (!effects || llvm::any_of(*effects, [&](const MemoryEffects::EffectInstance& effect) {
            return isa<MemoryEffects::Write>(effect.getEffect()) &&
                   llvm::any_of(reads, [&](const MemoryEffects::EffectInstance& read) {
                     return !isDisjoint(effect.getResource(), read.getResource());
                   });
          }))
        return scan.isChanged = true;
    }
    return false;
  }

  struct Scan {
    Operation* seenUntil; // no op before it writes the memory that was read
    bool isChanged;
  };

  DominanceInfo& dominance_;
  unsigned steps_ = 0;
  bool isStopped_ = false;
  std::vector<Operation*> dead_;     // still in place: iterators and known ops stay valid
  DenseMap<Operation*, Scan> scans_; // of the block being visited
};

} // namespace

void mergeEqualOps(Operation* top, DominanceInfo& dominance) {
  Eliminator eliminator(dominance);
  Known known;
  for (Region& region : top->getRegions())
    eliminator.visit(region, known);
}

} // namespace gluond::passes
