// Where a thread is: its number, lane, warp and CTA, the elements that it has there, and the
// barriers at which it meets others.
#include "lowering/FunctionEmitter.h"
#include "lowering/WarpSpecialize.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::lowering {

namespace {

// The distances by which the bits of a dimension move to the bits of an output, each in its own bit
// of the result. `first` is the number of the dimension's first bit among the thread's.
uint64_t distances(const LinearLayout& layout, Dim dim, unsigned first, Dim out) {
  constexpr int origin = 32;
  uint64_t found = 0;
  for (unsigned bit = 0; layout.hasIn(dim) && bit < layout.inBits(dim); ++bit)
    for (uint64_t basis = static_cast<uint32_t>(layout.basis(dim, bit, out)); basis;
         basis &= basis - 1)
      found |= uint64_t{1} << (origin + llvm::countr_zero(basis) - static_cast<int>(first + bit));
  return found;
}

} // namespace

void FunctionEmitter::beginPlace() {
  llvm::Value* tid = target().threadOfCta(*this);
  llvm::Value* own = tid;
  warp_ = target().warpOfCta(*this, tid);
  if (group_.firstWarp) {
    warp_ = b.CreateSub(warp_, i32(group_.firstWarp));
    own = b.CreateSub(tid, i32(int64_t{group_.firstWarp} * state_.threadsPerWarp));
  }
  thread_ = own;
  lane_ = b.CreateAnd(tid, i32(state_.threadsPerWarp - 1));
  ownWarp_ = b.CreateLShr(thread_, i32(llvm::Log2_32(state_.threadsPerWarp)));
  block_ = state_.ctas == 1 ? i32(0) : target().blockOfCluster(*this);
}

llvm::Value* FunctionEmitter::thread() {
  return thread_;
}

llvm::Value* FunctionEmitter::lane() {
  return lane_;
}

llvm::Value* FunctionEmitter::warp() {
  return warp_;
}

llvm::Value* FunctionEmitter::ownWarp() {
  return ownWarp_;
}

llvm::Value* FunctionEmitter::block() {
  return block_;
}

FunctionEmitter::Place FunctionEmitter::enterGroup(WarpGroup group) {
  Place before{group_, thread_, lane_, warp_, ownWarp_, block_};
  group_ = group;
  beginPlace();
  return before;
}

void FunctionEmitter::leaveGroup(Place place) {
  group_ = place.group;
  thread_ = place.thread;
  lane_ = place.lane;
  warp_ = place.warp;
  ownWarp_ = place.ownWarp;
  block_ = place.block;
}

// Each output coordinate is a xor of input bits. Bits of a number that move by the same distance go
// together: one `and`, one shift. The lane and the warp are bits of one number, the thread's.
RegisterList FunctionEmitter::apply(const LinearLayout& layout,
                                    llvm::ArrayRef<std::pair<Dim, llvm::Value*>> place) {
  uint64_t constant = 0;
  struct Bits {
    Dim dim;
    unsigned first; // of the dimension's bits in the number
  };
  llvm::SmallMapVector<llvm::Value*, llvm::SmallVector<Bits, 2>, 4> variable; // by the number
  for (auto [dim, value] : place) {
    if (!layout.hasIn(dim)) continue;
    if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(value))
      constant ^= layout::f2::multiply(layout.columns(dim),
                                       number->getZExtValue() & (uint64_t(layout.inSize(dim)) - 1));
    else if (dim == Dim::Lane && value == lane_)
      variable[thread_].push_back({dim, 0});
    else if (dim == Dim::Warp && value == ownWarp_)
      variable[thread_].push_back({dim, llvm::Log2_32(state_.threadsPerWarp)});
    else
      variable[value].push_back({dim, 0});
  }
  layout::Coordinates constants = layout.unpack(constant);
  RegisterList result;
  for (auto [index, out] : llvm::enumerate(layout.outs())) {
    llvm::Value* sum = nullptr;
    uint64_t reached = 0;
    auto add = [&](llvm::Value* term, uint64_t bits) {
      if (!sum)
        sum = term;
      else if (reached & bits)
        sum = b.CreateXor(sum, term);
      else
        sum = disjointOr(sum, term);
      reached |= bits;
    };
    for (auto& [value, parts] : variable) {
      llvm::SmallMapVector<int, uint64_t, 8> moves; // distance -> bits that move so
      for (auto [dim, first] : parts)
        for (unsigned bit = 0; bit < layout.inBits(dim); ++bit)
          for (uint64_t basis = static_cast<uint32_t>(layout.basis(dim, bit, out.dim)); basis;
               basis &= basis - 1)
            moves[llvm::countr_zero(basis) - static_cast<int>(first + bit)] |= uint64_t(1)
                                                                               << (first + bit);
      for (auto [distance, bits] : moves) {
        llvm::Value* term = b.CreateAnd(value, i32(static_cast<int64_t>(bits)));
        if (distance > 0) term = b.CreateShl(term, i32(distance), "", true, true);
        if (distance < 0) term = b.CreateLShr(term, i32(-distance), "", true);
        add(term, distance > 0 ? bits << distance : bits >> -distance);
      }
    }
    if (constants[index] || !sum) {
      if (!sum)
        sum = i32(constants[index]);
      else
        add(i32(constants[index]), static_cast<uint32_t>(constants[index]));
    }
    result.push_back(sum);
  }
  return result;
}

// Where warps go on as lanes began, one part of the thread's number is both. Elsewhere a scalar
// unit computes the warp's part.
llvm::Value* FunctionEmitter::warpFor(const LinearLayout& layout) {
  if (!target().traits().hasScalarUnit) return ownWarp();
  const unsigned lanes = llvm::Log2_32(state_.threadsPerWarp);
  bool goesOn = llvm::any_of(layout.outs(), [&](const auto& out) {
    return distances(layout, Dim::Lane, 0, out.dim) & distances(layout, Dim::Warp, lanes, out.dim);
  });
  return goesOn ? ownWarp() : warp();
}

RegisterList FunctionEmitter::applyHere(const LinearLayout& layout, llvm::Value* registerNumber) {
  return apply(layout, {{Dim::Register, registerNumber},
                        {Dim::Lane, lane()},
                        {Dim::Warp, warpFor(layout)},
                        {Dim::Block, block()}});
}

llvm::Value* FunctionEmitter::isFirstCopy(const LinearLayout& layout, bool ofOwnCta) {
  llvm::Value* first = nullptr;
  for (auto [dim, value] :
       {std::pair(Dim::Lane, lane()), {Dim::Warp, ownWarp()}, {Dim::Block, block()}}) {
    if (!layout.hasIn(dim) || (ofOwnCta && dim == Dim::Block)) continue;
    uint64_t mask = layout.freeMask(dim);
    if (!mask) continue;
    llvm::Value* here = b.CreateICmpEQ(b.CreateAnd(value, i32(static_cast<int64_t>(mask))), i32(0));
    first = first ? b.CreateAnd(first, here) : here;
  }
  return first ? first : i1(true);
}

void FunctionEmitter::barrier() {
  if (group_.warps == 1 && !group_.isWholeCta)
    warpBarrier();
  else
    target().barrier(*this, group_);
}

void FunctionEmitter::warpBarrier() {
  target().warpBarrier(*this);
}

void FunctionEmitter::clusterBarrier(bool relaxed) {
  if (group_.isWholeCta)
    wholeClusterBarrier(relaxed);
  else
    meetGroupsOfCluster(*this);
}

void FunctionEmitter::wholeClusterBarrier(bool relaxed) {
  target().clusterBarrier(*this, relaxed);
}

} // namespace gluond::lowering
