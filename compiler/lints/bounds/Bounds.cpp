#include "lints/bounds/Bounds.h"

#include "language/parameters/SpecializedDivisor.h"
#include "lints/access/Access.h"
#include "lints/bounds/LargestIntegers.h"
#include "lints/bounds/Reach.h"
#include "passes/analysis/SameElements.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/Hashing.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/Matchers.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/FunctionInterfaces.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

namespace gluond::lints {
using namespace mlir;

namespace {

// ---- Masks.

// The offsets of `splat(base) + offsets`; null for other addresses.
Value offsetsOf(Value pointers) {
  auto add = pointers.getDefiningOp<tt::AddPtrOp>();
  return add && add.getPtr().getDefiningOp<tt::SplatOp>() ? add.getOffset() : Value();
}

// The same for values computed alike, whatever their layout and their distribution over more
// dimensions: a tile's rows are made once for the load and once for the store.
class Alike {
public:
  uint64_t of(Value value) {
    auto [it, isNew] = keys_.try_emplace(value, 0);
    if (!isNew) return it->second;
    constexpr unsigned deepest = 1000; // beyond it values are like themselves only
    ++depth_;
    uint64_t key = depth_ > deepest ? llvm::hash_combine(3, value.getAsOpaquePointer())
                                    : llvm::hash_code(make(value));
    --depth_;
    keys_[value] = key;
    return key;
  }
  // Follows ops that only change a value's shape or layout.
  static Value inner(Value value) {
    while (Operation* op = value.getDefiningOp()) {
      if (!isa<tt::ExpandDimsOp, tt::BroadcastOp, ttg::ConvertLayoutOp, arith::ExtSIOp,
               arith::ExtUIOp>(op))
        break;
      value = op->getOperand(0);
    }
    return value;
  }

private:
  uint64_t make(Value value) {
    value = inner(value);
    Operation* op = value.getDefiningOp();
    Attribute constant;
    if (op && matchPattern(value, m_Constant(&constant))) {
      if (auto dense = dyn_cast<DenseIntElementsAttr>(constant); dense && dense.isSplat())
        return llvm::hash_combine(1, dense.getSplatValue<APInt>().getSExtValue());
      if (auto integer = dyn_cast<IntegerAttr>(constant))
        return llvm::hash_combine(1, integer.getValue().getSExtValue());
    }
    if (op && isa<tt::SplatOp>(op)) return of(op->getOperand(0));
    if (auto range = dyn_cast_if_present<tt::MakeRangeOp>(op))
      return llvm::hash_combine(2, range.getStart(), range.getEnd());
    if (!op || op->getNumRegions() || op->getNumResults() != 1 || !isMemoryEffectFree(op))
      return llvm::hash_combine(3, value.getAsOpaquePointer());
    llvm::hash_code key = llvm::hash_combine(4, op->getName().getAsOpaquePointer(),
                                             op->getPropertiesAsAttribute().getAsOpaquePointer());
    for (Value operand : op->getOperands())
      key = llvm::hash_combine(key, of(operand));
    return key;
  }

  llvm::DenseMap<Value, uint64_t> keys_;
  unsigned depth_ = 0;
};

using Indices = llvm::SmallDenseSet<uint64_t, 4>;

// An index that addresses are sums and multiples of.
struct Index {
  Value value;
  Indices parts; // itself, and the terms and factors that it consists of
};
using IndexMap = llvm::SmallDenseMap<uint64_t, Index, 8>;

Indices collectIndices(Value value, Alike& alike, IndexMap& into, unsigned depth = 0) {
  Indices parts;
  value = Alike::inner(value);
  Operation* op = value.getDefiningOp();
  if (!op || depth > 16 || !isa<RankedTensorType>(value.getType())) return parts;
  if (auto known = into.find(alike.of(value)); known != into.end()) return known->second.parts;
  parts.insert(alike.of(value));
  if (isa<tt::AddPtrOp, arith::AddIOp, arith::MulIOp>(op))
    for (Value operand : op->getOperands())
      for (uint64_t part : collectIndices(operand, alike, into, depth + 1))
        parts.insert(part);
  into.try_emplace(alike.of(value), Index{value, parts});
  return parts;
}

// An index compared with a bound.
struct Comparison {
  uint64_t index, bound;
  Indices parts; // of the index
};

struct Bounded {
  std::vector<Comparison> comparisons;
  Indices indices; // those that bound others like them
  Indices all;
  Indices parts; // the values that they consist of, including themselves
};

// Collects the indices that a mask compares with a bound that is the same for all elements. A
// constant bound of indices that are the same in every program gives the size of only one tensor.
// Returns false if the mask contains something of another kind, which may bound anything.
bool collectBounded(Value mask, Alike& alike, LargestIntegers& integers, Bounded& into,
                    unsigned depth = 0) {
  mask = Alike::inner(mask);
  Operation* op = mask.getDefiningOp();
  if (!op || depth > 8) return false;
  if (isa<arith::AndIOp>(op)) {
    bool isKnown = collectBounded(op->getOperand(0), alike, integers, into, depth + 1);
    return collectBounded(op->getOperand(1), alike, integers, into, depth + 1) && isKnown;
  }
  auto compared = dyn_cast<arith::CmpIOp>(op);
  if (!compared || compared.getPredicate() == arith::CmpIPredicate::eq ||
      compared.getPredicate() == arith::CmpIPredicate::ne)
    return isa<tt::SplatOp>(op); // a condition for all elements
  bool isKnown = false;
  for (auto [index, bound] : {std::pair(compared.getLhs(), compared.getRhs()),
                              std::pair(compared.getRhs(), compared.getLhs())}) {
    Operation* splat = Alike::inner(bound).getDefiningOp();
    bool isUniform = splat && isa<tt::SplatOp, arith::ConstantOp>(splat);
    Operation* own = Alike::inner(index).getDefiningOp();
    if (!isUniform || !own || isa<tt::SplatOp, arith::ConstantOp>(own)) continue;
    isKnown = true;
    into.all.insert(alike.of(index));
    IndexMap within;
    Indices parts = collectIndices(index, alike, within);
    for (uint64_t part : parts)
      into.parts.insert(part);
    into.comparisons.push_back({alike.of(index), alike.of(bound), std::move(parts)});
    if (!isa<arith::ConstantOp>(splat) || integers.dependsOnProgram(index))
      into.indices.insert(alike.of(index));
  }
  return isKnown;
}

// Whether a program id times `size`, or a multiple, is among the scalars that an address is the sum
// of: then blocks of that size belong to one program each, and need no bound.
bool isOwnBlock(Value value, int64_t size, LargestIntegers& integers,
                llvm::SmallPtrSetImpl<Operation*>& seen, unsigned depth = 0) {
  Operation* op = value.getDefiningOp();
  if (!op || depth > 16 || !seen.insert(op).second) return false;
  if (auto product = dyn_cast<arith::MulIOp>(op))
    for (auto [id, factor] : {std::pair(product.getLhs(), product.getRhs()),
                              std::pair(product.getRhs(), product.getLhs())})
      if (int64_t by = constantOf(factor); by >= size && by % size == 0)
        if (integers.dependsOnProgram(id)) return true;
  if (!passes::hasSameElements(op) && !isa<tt::AddPtrOp, arith::AddIOp, arith::ExtSIOp>(op))
    return false;
  return llvm::any_of(op->getOperands(), [&](Value each) {
    return isOwnBlock(each, size, integers, seen, depth + 1);
  });
}

// Returns the step of the loop in which an index advances in blocks up to a size of the kernel that
// is known not to be a multiple of 16 (otherwise the launch would have shown it): then the last
// block exceeds the size. Returns 0 if it is not of that kind.
int64_t stepBeyondEnd(Value index) {
  constexpr int64_t told = language::specializedDivisor;
  auto sum = index.getDefiningOp<arith::AddIOp>();
  if (!sum) return 0;
  for (auto [block, range] :
       {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())}) {
    auto made = Alike::inner(range).getDefiningOp<tt::MakeRangeOp>();
    auto splat = Alike::inner(block).getDefiningOp<tt::SplatOp>();
    if (!made || !splat || made.getStart() != 0) continue;
    Value start = splat.getSrc();
    int64_t factor = 1;
    if (auto product = start.getDefiningOp<arith::MulIOp>()) {
      factor = constantOf(product.getRhs());
      start = product.getLhs();
    }
    auto iv = dyn_cast<BlockArgument>(start);
    auto loop = iv ? dyn_cast<scf::ForOp>(iv.getOwner()->getParentOp()) : scf::ForOp();
    if (!loop || loop.getInductionVar() != iv) continue;
    int64_t step = 0;
    if (__builtin_mul_overflow(constantOf(loop.getStep()), factor, &step)) continue;
    Value upper = loop.getUpperBound();
    if (factor != 1) { // as many iterations as there are blocks
      auto blocks = upper.getDefiningOp<arith::DivSIOp>();
      if (!blocks || constantOf(blocks.getRhs()) != step) continue;
      auto rounded = blocks.getLhs().getDefiningOp<arith::AddIOp>();
      if (!rounded || constantOf(rounded.getRhs()) != step - 1) continue;
      upper = rounded.getLhs();
    }
    auto size = dyn_cast<BlockArgument>(upper);
    auto kernel = size ? dyn_cast<FunctionOpInterface>(size.getOwner()->getParentOp())
                       : FunctionOpInterface();
    bool startsAtBlock = matchPattern(loop.getLowerBound(), m_Zero());
    if (!kernel || !kernel.isPublic() || !startsAtBlock || step % told ||
        static_cast<int64_t>(made.getEnd()) != step || !size.getType().isInteger(32) ||
        kernel.getArgAttr(size.getArgNumber(), "tt.divisibility"))
      continue;
    return step;
  }
  return 0;
}

// The bytes that a buffer instruction of AMD's reaches from its pointer.
constexpr int64_t bufferBytes = int64_t{1} << 31;

int64_t elementBytes(Value pointer) {
  return std::max(8u, tt::bitWidth(tt::pointeeType(pointer.getType()))) / 8;
}

} // namespace

// The comparisons in a mask that let their bound through.
static void collectInclusive(Value mask, llvm::SetVector<Operation*>& into, unsigned depth = 0) {
  using Predicate = arith::CmpIPredicate;
  Operation* op = mask ? mask.getDefiningOp() : nullptr;
  constexpr unsigned deepest = 12;
  if (!op || depth > deepest) return;
  if (auto compared = dyn_cast<arith::CmpIOp>(op)) {
    if (llvm::is_contained({Predicate::sle, Predicate::ule, Predicate::sge, Predicate::uge},
                           compared.getPredicate()))
      into.insert(op);
    return;
  }
  for (Value operand : op->getOperands())
    collectInclusive(operand, into, depth + 1);
}

void lintMasks(ModuleOp module, KnownSizes sizes, Findings& findings) {
  CallsInModule calls(module);
  LargestIntegers integers(calls);
  for (auto kernel : module.getOps<FunctionOpInterface>()) {
    if (!kernel.isPublic() || kernel.isDeclaration()) continue;
    struct Seen {
      Operation* op = nullptr;
      GlobalAccess access;
      IndexMap indices;
      Bounded bounded;
      bool isKnown = true;         // whether all values that bound it are known
      std::optional<Reach> reach;  // of an access without a mask
      std::optional<Reach> beyond; // of one whose mask lets it go beyond the end
    };
    std::vector<Seen> all;
    Alike alike;
    // Facts about another function's arguments do not apply to this one's.
    LaunchSizes known;
    LargestIntegers launched(calls, &known);
    auto isLaunchKnown = [&] {
      if (!known.arguments.empty()) return true;
      const LaunchSizes& launch = sizes();
      if (launch.arguments.size() == kernel.getNumArguments()) known = launch;
      return launch.arguments.size() == kernel.getNumArguments();
    };
    auto reach = [&](const GlobalAccess& access) {
      isLaunchKnown();
      return reachOf(access, launched, known);
    };
    kernel.walk([&](Operation* op) {
      auto access = globalAccessOf(*op);
      if (!access) return;
      Seen& seen = all.emplace_back();
      seen.op = op;
      seen.access = *access;
      collectIndices(access->pointers, alike, seen.indices);
      if (access->mask)
        seen.isKnown = collectBounded(access->mask, alike, integers, seen.bounded);
      else
        seen.reach = reach(*access);
      if (access->mask && isAlwaysReached(op, kernel) && isLaunchKnown())
        seen.beyond = reachUnderMask(*access, launched, calls, known);
    });
    constexpr size_t most = 2000; // all are compared with all
    if (all.size() > most) continue;
    // Whether nothing bounds an index of an access, nor the indices it consists of or is part of.
    auto isOpen = [](const Seen& seen, uint64_t key, const Index& index) {
      return seen.isKnown && !seen.bounded.parts.contains(key) &&
             llvm::none_of(index.parts,
                           [&](uint64_t part) { return seen.bounded.all.contains(part); });
    };
    // Whether another range has a bound for it further on: the range covers a longer tensor in
    // blocks, of which this is the first, and does not concern other tensors.
    auto isOneOfBlocks = [&](uint64_t range, const Bounded& bounded) {
      return llvm::any_of(bounded.comparisons, [&](const Comparison& first) {
        return first.index == range && llvm::any_of(all, [&](const Seen& seen) {
                 return llvm::any_of(seen.bounded.comparisons, [&](const Comparison& each) {
                   return each.bound == first.bound && each.index != range &&
                          each.parts.contains(range);
                 });
               });
      });
    };
    bool hasMask = false;
    for (const Seen& seen : all) {
      hasMask |= static_cast<bool>(seen.access.mask);
      if (seen.beyond) {
        auto finding = findings(Id::WideMask, seen.op->getLoc(), seen.access.name,
                                seen.beyond->last, seen.beyond->elements);
        llvm::SetVector<Operation*> inclusive;
        collectInclusive(seen.access.mask, inclusive);
        if (!inclusive.empty()) {
          Suggestion exclude{Suggestion::Kind::ExcludeBound, inclusive.front()->getLoc(), {}, ""};
          for (Operation* each : inclusive)
            exclude.copies.push_back(each->getLoc());
          finding.suggest(std::move(exclude));
        }
        continue;
      }
      // An index that others of the same are masked by and this is not. A mask of
      // anything but the indices of the address is there for something else.
      auto isOfAddress = [&](uint64_t key) { return seen.indices.contains(key); };
      // An access in a branch or in a loop may not happen.
      bool isInside = seen.reach && seen.reach->isInside();
      if (seen.reach && !isInside && isAlwaysReached(seen.op, kernel)) {
        hasMask = true;
        findings(Id::MissingMask, seen.op->getLoc(), seen.access.name,
                 ": in this launch it accesses element " + std::to_string(seen.reach->last) +
                     " of a tensor with " + std::to_string(seen.reach->elements) + " elements");
        continue;
      }
      if (seen.access.mask &&
          (seen.bounded.indices.empty() || !llvm::all_of(seen.bounded.all, isOfAddress)))
        continue;
      // Without a mask, another access with the index stays inside its tensor in this launch.
      auto isProven = [&](uint64_t key) {
        return llvm::any_of(all, [&](const Seen& each) {
          return each.reach && each.reach->isInside() && each.indices.contains(key);
        });
      };
      auto isMissing = [&](const Seen& other) {
        return llvm::any_of(other.bounded.indices, [&](uint64_t key) {
          auto index = seen.indices.find(key);
          if (index == seen.indices.end() || !isOpen(seen, key, index->second) || isProven(key))
            return false;
          auto range = index->second.value.getDefiningOp<tt::MakeRangeOp>();
          llvm::SmallPtrSet<Operation*, 16> visited;
          return !range ||
                 (!isOneOfBlocks(key, other.bounded) &&
                  !isOwnBlock(seen.access.pointers, int64_t(range.getEnd()) - range.getStart(),
                              integers, visited));
        });
      };
      if (auto masked = llvm::find_if(all, isMissing); !isInside && masked != all.end()) {
        findings(Id::MissingMask, seen.op->getLoc(), seen.access.name,
                 seen.access.mask
                     ? " for one of its indices, but other accesses with the same index have one"
                     : ", but other accesses with the same indices have one")
            .related(NoteId::MaskedHere, masked->op->getLoc());
        continue;
      }
      for (const auto& [key, index] : seen.indices)
        if (int64_t step = isOpen(seen, key, index) ? stepBeyondEnd(index.value) : 0) {
          hasMask = true;
          findings(Id::MissingMask, seen.op->getLoc(), seen.access.name,
                   ": the bound of the loop is not a multiple of 16 in this launch, so its last "
                   "block of " +
                       std::to_string(step) + " exceeds the bound");
          break;
        }
    }
    if (hasMask) continue;
    // A size that the kernel gets and does not use. With many parameters, it is common that some
    // specializations do not need all.
    constexpr unsigned few = 4;
    auto sizeArguments = llvm::make_filter_range(kernel.getArguments(), [](BlockArgument argument) {
      return argument.getType().isInteger();
    });
    bool hasIdleSize =
        llvm::any_of(sizeArguments, [](BlockArgument size) { return size.use_empty(); });
    bool hasDescriptor = llvm::any_of(kernel.getArguments(), [](BlockArgument argument) {
      return isa<tt::TensorDescInterface>(argument.getType());
    });
    // The sizes of descriptors are arguments as well.
    if (!hasIdleSize || hasDescriptor || llvm::range_size(sizeArguments) > few) continue;
    for (const Seen& seen : all)
      if (Value offsets = offsetsOf(seen.access.pointers);
          offsets && !(seen.reach && seen.reach->isInside()) && integers.dependsOnProgram(offsets))
        findings(Id::MissingMask, seen.op->getLoc(), seen.access.name,
                 ": its last block may exceed the end of the tensor, and the kernel does not use "
                 "one of its size parameters");
  }
}

bool isBeyondBuffers(Value pointer, KnownSizes sizes) {
  while (Operation* op = pointer.getDefiningOp())
    if (passes::hasSameElements(op) || isa<tt::AddPtrOp>(op))
      pointer = op->getOperand(0);
    else
      return false;
  auto number = kernelArgument(pointer);
  auto elements = number ? elementsOf(*number, sizes()) : std::nullopt;
  return elements && *elements * elementBytes(pointer) > bufferBytes;
}

void lintBuffers(ModuleOp module, KnownSizes sizes, Findings& findings) {
  CallsInModule calls(module);
  std::optional<LargestIntegers> launched;
  module.walk([&](Operation* op) {
    auto access = globalAccessOf(*op);
    auto number = access && access->base ? kernelArgument(access->base) : std::nullopt;
    if (!number || !isBeyondBuffers(access->base, sizes)) return;
    if (!launched) launched.emplace(calls, &sizes());
    auto last = launched->largest(access->pointers);
    if (!last) return;
    int64_t bytes = elementBytes(access->base), elements = *elementsOf(*number, sizes());
    auto reached = static_cast<int64_t>(std::min<__int128>(*last, elements - 1));
    if ((reached + 1) * bytes > bufferBytes)
      findings(Id::BufferLimit, op->getLoc(), access->name, reached * bytes,
               access->isStore ? "does nothing" : "gives zeros");
  });
}

void lintOverflow(ModuleOp module, Findings& findings) {
  constexpr size_t mostCalls = 10; // that a finding names
  CallsInModule calls(module);
  LargestIntegers integers(calls);
  module.walk([&](Operation* op) {
    if (!isa<arith::MulIOp, arith::AddIOp>(op)) return;
    auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(op->getResult(0).getType()));
    if (!type || type.getWidth() != 32 || !integers.dependsOnProgram(op->getResult(0))) return;
    auto value = integers.largest(op->getResult(0));
    if (!value || *value <= std::numeric_limits<int32_t>::max() ||
        *value > std::numeric_limits<int64_t>::max())
      return;
    // In a chain of them the first is reported.
    auto isOver = [&](Value operand) {
      auto v = integers.largest(operand);
      return v && *v > std::numeric_limits<int32_t>::max();
    };
    if (llvm::any_of(op->getOperands(), isOver)) return;
    auto finding = findings(Id::OffsetOverflow, op->getLoc(), 32,
                            isa<arith::MulIOp>(op) ? "multiplication" : "addition", 1,
                            static_cast<int64_t>(*value));
    for (CallOpInterface call :
         calls.of(op->getParentOfType<FunctionOpInterface>()).take_front(mostCalls))
      finding.related(NoteId::CalledFrom, call->getLoc());
  });
}

} // namespace gluond::lints
