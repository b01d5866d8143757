#include "lints/bounds/Reach.h"

#include "passes/analysis/SameElements.h"

#include <llvm/ADT/STLExtras.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Matchers.h>

namespace gluond::lints {
using namespace mlir;

bool isAlwaysReached(Operation* access, Operation* kernel) {
  return access->getParentOp() == kernel && access->getBlock()->isEntryBlock();
}

std::optional<int64_t> elementsOf(unsigned argument, const LaunchSizes& sizes) {
  return argument < sizes.arguments.size() ? sizes.arguments[argument].elements : std::nullopt;
}

namespace {

// How far a loop has moved a pointer that it carries when its last iteration begins. `pointer`
// becomes the one before the loop.
std::optional<__int128> movedByLoop(Value& pointer, LargestIntegers& integers) {
  auto carried = dyn_cast<BlockArgument>(pointer);
  auto loop = carried ? dyn_cast<scf::ForOp>(carried.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || carried.getArgNumber() < loop.getNumInductionVars()) return std::nullopt;
  size_t number = carried.getArgNumber() - loop.getNumInductionVars();
  auto last = integers.largest(loop.getInductionVar());
  int64_t first = constantOf(loop.getLowerBound()), step = constantOf(loop.getStep());
  auto next = loop.getYieldedValues()[number].getDefiningOp<tt::AddPtrOp>();
  auto offset = next && next.getPtr() == carried ? integers.largest(next.getOffset())
                                                 : std::optional<__int128>();
  constexpr __int128 most = std::numeric_limits<int64_t>::max();
  if (!last || step <= 0 || !offset || *offset < 0 || *offset > most) return std::nullopt;
  pointer = loop.getInitArgs()[number];
  return *offset * std::max<__int128>(0, (*last - first) / step);
}

Value withoutShape(Value value) {
  while (Operation* op = value.getDefiningOp()) {
    if (!passes::hasSameElements(op)) break;
    value = op->getOperand(0);
  }
  return value;
}

// Reads the conjunction that a mask is.
class Mask {
public:
  Mask(LargestIntegers& integers) : integers_(integers) {}

  // What the mask lets pass of each index.
  LargestIntegers::Caps caps;

  // Returns false if the mask has a part that is not understood.
  bool read(Value mask, unsigned depth = 0) {
    Operation* op = withoutShape(mask).getDefiningOp();
    if (!op || depth > 8) return false;
    if (isa<arith::AndIOp>(op))
      return read(op->getOperand(0), depth + 1) && read(op->getOperand(1), depth + 1);
    auto compared = dyn_cast<arith::CmpIOp>(op);
    if (!compared) return false;
    Value left = withoutShape(compared.getLhs()), right = withoutShape(compared.getRhs());
    switch (compared.getPredicate()) {
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::ult:
      return bound(left, right, 1);
    case arith::CmpIPredicate::sle:
    case arith::CmpIPredicate::ule:
      return bound(left, right, 0);
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::ugt:
      return bound(right, left, 1);
    case arith::CmpIPredicate::sge:
    case arith::CmpIPredicate::uge:
      return bound(right, left, 0);
    default:
      return false;
    }
  }

private:
  bool bound(Value index, Value limit, int64_t less) {
    if (!isConsecutive(index)) return false;
    bool isNumber = kernelArgument(limit) || matchPattern(limit, m_Constant());
    auto most = isNumber ? integers_.largest(limit) : std::nullopt;
    if (!most) return false;
    __int128 cap = *most - less;
    auto [it, isNew] = caps.try_emplace(index, LargestIntegers::Cap{cap});
    if (!isNew) it->second.most = std::min(it->second.most, cap);
    return true;
  }

  // A range from 0, or one after the other for each program: every number up to the largest one is
  // an index of some program.
  static bool isConsecutive(Value index) {
    auto isRange = [](Value value) {
      auto range = withoutShape(value).getDefiningOp<tt::MakeRangeOp>();
      return range && range.getStart() == 0;
    };
    if (isRange(index)) return true;
    auto sum = index.getDefiningOp<arith::AddIOp>();
    if (!sum) return false;
    for (auto [block, range] :
         {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())}) {
      if (!isRange(range)) continue;
      int64_t size = withoutShape(range).getDefiningOp<tt::MakeRangeOp>().getEnd();
      auto product = withoutShape(block).getDefiningOp<arith::MulIOp>();
      if (!product) continue;
      for (auto [id, factor] : {std::pair(product.getLhs(), product.getRhs()),
                                std::pair(product.getRhs(), product.getLhs())})
        if (withoutShape(id).getDefiningOp<tt::GetProgramIdOp>() && constantOf(factor) > 0 &&
            constantOf(factor) <= size)
          return true;
    }
    return false;
  }

  LargestIntegers& integers_;
};

} // namespace

std::optional<Reach> reachOf(const GlobalAccess& access, LargestIntegers& integers,
                             const LaunchSizes& sizes) {
  __int128 last = 0;
  Value pointer = access.pointers;
  if (access.base) {
    auto offset = integers.largest(pointer);
    if (!offset) return std::nullopt;
    last = *offset;
    pointer = access.base;
  }
  while (!kernelArgument(pointer)) {
    std::optional<__int128> offset = 0;
    if (Operation* op = pointer.getDefiningOp()) {
      if (auto add = dyn_cast<tt::AddPtrOp>(op))
        offset = integers.largest(add.getOffset());
      else if (!passes::hasSameElements(op))
        return std::nullopt;
      pointer = op->getOperand(0);
    } else {
      offset = movedByLoop(pointer, integers);
    }
    if (!offset || *offset < 0) return std::nullopt;
    last += *offset;
  }
  auto number = kernelArgument(pointer);
  auto elements = number ? elementsOf(*number, sizes) : std::nullopt;
  if (!elements || last > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return Reach{static_cast<int64_t>(last), *elements};
}

std::optional<Reach> reachUnderMask(const GlobalAccess& access, LargestIntegers& integers,
                                    const CallsInModule& calls, const LaunchSizes& launch) {
  auto whole = reachOf(access, integers, launch);
  if (!whole || whole->isInside()) return std::nullopt;
  Mask mask(integers);
  if (!mask.read(access.mask)) return std::nullopt;
  // Indices of one axis are not at their largest together.
  unsigned axes = 0;
  for (auto& [index, cap] : mask.caps) {
    unsigned own = axesOf(index);
    if (axes & own) return std::nullopt;
    axes |= own;
  }
  LargestIntegers capped(calls, &launch, &mask.caps);
  auto reach = reachOf(access, capped, launch);
  if (!reach || reach->isInside()) return std::nullopt;
  for (auto& [index, cap] : mask.caps)
    if (!cap.isUsed) return std::nullopt; // it bounds the address in another way
  return reach;
}

} // namespace gluond::lints
