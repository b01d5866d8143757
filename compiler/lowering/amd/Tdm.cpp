// Copies of blocks between global and shared memory by the tensor data mover of gfx1250.
//
// A copy is one instruction for each box that the buffer is made of (Tdm.h), and the warps of a CTA
// share the boxes: where there are fewer boxes than warps, boxes are halved.
#include "lowering/amd/Tdm.h"

#include "chips/MemorySizes.h"
#include "ir/amdg/Ops.h"
#include "ir/ttg/Ops.h"
#include "lowering/memory/SharedAccess.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

// The warps of a group that take part in a copy: all, or those whose bits are set in `mask`. They
// are 2^k warps whose numbers differ in exactly k bits.
struct Team {
  Team(unsigned warps, std::optional<uint32_t> mask) {
    differ = warps - 1;
    if (!mask) return;
    first = static_cast<uint32_t>(llvm::countr_zero(*mask));
    differ = 0;
    for (uint32_t warp = 0; warp < warps; ++warp)
      if (*mask >> warp & 1) differ |= warp ^ first;
    others = (warps - 1) & ~differ;
  }
  uint32_t first = 0, differ = 0, others = 0; // bits of the warp's number
  unsigned bits() const { return static_cast<unsigned>(llvm::popcount(differ)); }
};

// Where this warp is in the team: a number below 2^bits; null where it is known to take part.
struct Member {
  llvm::Value *number, *takesPart = nullptr; // i32, i1
};

Member memberOf(FunctionEmitter& e, const Team& team) {
  llvm::Value* warp = e.warp();
  Member made{e.i32(0)};
  if (team.others)
    made.takesPart = e.b.CreateICmpEQ(e.b.CreateAnd(warp, e.i32(team.others)), e.i32(team.first));
  if (uint32_t low = static_cast<uint32_t>(llvm::countr_zero(team.differ));
      team.differ && llvm::isShiftedMask_32(team.differ)) {
    made.number = e.b.CreateLShr(e.b.CreateAnd(warp, e.i32(team.differ)), low);
    return made;
  }
  unsigned to = 0;
  for (unsigned bit = 0; bit < 32; ++bit)
    if (team.differ >> bit & 1) {
      llvm::Value* alone = e.b.CreateAnd(e.b.CreateLShr(warp, bit), e.i32(1));
      made.number = e.disjointOr(made.number, e.b.CreateShl(alone, to++));
    }
  return made;
}

// The boxes of a copy after as many are made as there are warps, if possible. The last `shared` of
// their bits are the warps'.
struct Plan {
  Boxes boxes;
  unsigned shared = 0;
  llvm::ArrayRef<Boxes::Bit> ofWarps() const {
    return llvm::ArrayRef(boxes.others).take_back(shared);
  }
  llvm::ArrayRef<Boxes::Bit> ofInstructions() const {
    return llvm::ArrayRef(boxes.others).drop_back(shared);
  }
};

std::optional<Plan> planOf(FunctionEmitter& e, ttg::MemDescType buffer, unsigned elementBytes,
                           const RowPadding& padding, unsigned warpBits) {
  LinearLayout layout = bufferLayout(buffer);
  std::optional<Boxes> boxes = boxesOf(layout, partOfCta(e, layout, buffer.getShape()));
  if (!boxes) return std::nullopt;
  // Padding comes after whole intervals of a box, and memory is addressed by words.
  constexpr int64_t wordBytes = 4;
  int64_t least = std::max(padding.interval, wordBytes / elementBytes);
  while (boxes->others.size() < warpBits && boxes->elements() / 2 >= std::max<int64_t>(least, 1))
    halve(*boxes);
  Plan made{std::move(*boxes)};
  made.shared = std::min(warpBits, static_cast<unsigned>(made.boxes.others.size()));
  return made;
}

// The sum of those values whose bits are set in `number`.
llvm::Value* sumOfBits(FunctionEmitter& e, llvm::Value* number, llvm::ArrayRef<int64_t> values) {
  bool isProduct = true;
  for (auto [bit, value] : llvm::enumerate(values))
    isProduct &= value == values.front() << bit;
  if (values.empty()) return e.i32(0);
  if (isProduct) return e.b.CreateMul(number, e.i32(values.front()));
  llvm::Value* sum = e.i32(0);
  for (auto [bit, value] : llvm::enumerate(values))
    if (value)
      sum = e.b.CreateAdd(
          sum, e.b.CreateMul(e.b.CreateAnd(e.b.CreateLShr(number, bit), e.i32(1)), e.i32(value)));
  return sum;
}

struct BlockCopy {
  mlir::Value descriptor, buffer, barrier;
  std::optional<uint32_t> warps; // that take part; nothing: all
  bool isLoad;
};

Team teamOf(FunctionEmitter& e, const BlockCopy& copy) {
  return Team(e.group().warps, copy.warps);
}

// The words of the copy's instructions; nothing after fail().
std::optional<llvm::SmallVector<TensorWords>>
instructionsOf(FunctionEmitter& e, mlir::Operation* op, const BlockCopy& copy) {
  auto type = mlir::cast<ttg::MemDescType>(copy.buffer.getType());
  llvm::ArrayRef<int64_t> shape =
      mlir::cast<tt::TensorDescInterface>(copy.descriptor.getType()).getShape();
  if (!needsTdm(e, op) || !isWholeBuffer(e, op, copy.buffer, shape)) return std::nullopt;
  unsigned bytes = elementBytesOf(e, copy.descriptor.getType());
  std::optional<RowPadding> padding = paddingOf(e, op, type);
  if (!padding) return std::nullopt;
  Team team = teamOf(e, copy);
  std::optional<Plan> plan = planOf(e, type, bytes, *padding, team.bits());
  auto refuse = [&](llvm::StringRef why) {
    refuseCopy(e, op, why);
    return std::nullopt;
  };
  if (!plan) return refuse("the buffer does not hold it row by row");
  const Boxes& boxes = plan->boxes;
  if (padding->interval &&
      (boxes.elements() % padding->interval || padding->interval * bytes % 8 ||
       padding->amount * bytes % 4 || (!copy.isLoad && padding->interval != boxes.extents.back())))
    return refuse("its padding is not at the ends of rows, or no multiple of 4 bytes");
  if (copy.isLoad && !padding->isLoadable(bytes)) return refuse(RowPadding::notLoadable);

  Member member = memberOf(e, team);
  if (plan->shared < team.bits()) {
    llvm::Value* hasBox = e.b.CreateICmpULT(member.number, e.i32(int64_t(1) << plan->shared));
    member.takesPart = member.takesPart ? e.b.CreateAnd(member.takesPart, hasBox) : hasBox;
  }
  Division division = divided(e, bufferLayout(type), shape);
  TensorDescriptor whole = unpacked(e, copy.descriptor);
  advance(e, whole, division, bytes);
  llvm::SmallVector<int64_t> places;
  for (const Boxes::Bit& bit : plan->ofWarps())
    places.push_back(padding->padded(bit.offset) * bytes);
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    llvm::SmallVector<int64_t> distances;
    for (const Boxes::Bit& bit : plan->ofWarps())
      distances.push_back(bit.dim == dim ? bit.distance : 0);
    if (llvm::any_of(distances, [](int64_t distance) { return distance != 0; }))
      advance(e, whole, dim, sumOfBits(e, member.number, distances), bytes, /*shrinks=*/true);
    else
      whole.sizes[dim] = atLeastZero(e, whole.sizes[dim]);
  }
  if (member.takesPart)
    whole.predicate =
        e.b.CreateSelect(member.takesPart, e.b.CreateAnd(whole.predicate, e.i32(1)), e.i32(0));
  llvm::Value* first =
      e.b.CreateGEP(e.b.getInt8Ty(), e.viewBase(copy.buffer), sumOfBits(e, member.number, places));

  llvm::SmallVector<TensorWords> made;
  llvm::ArrayRef<Boxes::Bit> others = plan->ofInstructions();
  for (uint32_t number = 0; number < 1u << others.size(); ++number) {
    TensorCopy one{.isLoad = copy.isLoad,
                   .tensor = whole,
                   .box = boxes.extents,
                   .elementBytes = bytes,
                   .padding = *padding};
    int64_t place = 0;
    for (auto [i, bit] : llvm::enumerate(others))
      if (number >> i & 1) {
        place += padding->padded(bit.offset) * bytes;
        advance(e, one.tensor, bit.dim, e.i32(bit.distance), bytes, /*shrinks=*/true);
      }
    one.place = e.b.CreateGEP(e.b.getInt8Ty(), first, e.i32(place));
    if (copy.barrier) one.barrier = e.viewBase(copy.barrier);
    one.sharers = division.sharers;
    made.push_back(wordsOf(e, one));
  }
  return made;
}

BlockCopy copyOf(amdg::AsyncTDMCopyGlobalToLocalOp op) {
  return {op.getDesc(), op.getResult(), op.getBarrier(), op.getWarpUsedHint(), true};
}
BlockCopy copyOf(amdg::AsyncTDMCopyLocalToGlobalOp op) {
  return {op.getDesc(), op.getSrc(), op.getBarrier(), std::nullopt, false};
}

bool issueAll(FunctionEmitter& e, mlir::Operation* op, const BlockCopy& copy) {
  auto instructions = instructionsOf(e, op, copy);
  if (!instructions) return false;
  for (const TensorWords& words : *instructions)
    issue(e, words, copy.isLoad);
  return true;
}
bool load(FunctionEmitter& e, mlir::Operation* op) {
  return issueAll(e, op, copyOf(mlir::cast<amdg::AsyncTDMCopyGlobalToLocalOp>(op)));
}
bool store(FunctionEmitter& e, mlir::Operation* op) {
  return issueAll(e, op, copyOf(mlir::cast<amdg::AsyncTDMCopyLocalToGlobalOp>(op)));
}

// One instruction, by which each warp copies what its member of the copy says.
bool loadSeveral(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::AsyncTDMFusedCopyGlobalToLocalOp>(operation);
  TensorWords chosen;
  for (auto [descriptor, buffer, warps] :
       llvm::zip(op.getDescs(), op.getDests(), op.getWarpUsedHints())) {
    BlockCopy copy{descriptor, buffer, nullptr, static_cast<uint32_t>(warps), true};
    auto instructions = instructionsOf(e, op, copy);
    if (!instructions) return false;
    if (instructions->size() != 1)
      return refuseCopy(e, op, "one of its members takes several instructions");
    TensorWords& words = instructions->front();
    if (chosen.empty()) {
      chosen = std::move(words);
      continue;
    }
    llvm::Value* isThis = memberOf(e, teamOf(e, copy)).takesPart;
    for (auto [known, word] : llvm::zip(chosen, words))
      if (known != word) known = e.b.CreateSelect(isThis, word, known);
  }
  issue(e, chosen, /*isLoad=*/true);
  return true;
}

// ---- Waiting. Instructions of a warp complete in order.

// Returns how many instructions each warp issues, or 0 if it is no copy.
unsigned instructionCount(FunctionEmitter& e, mlir::Operation* op) {
  if (mlir::isa<amdg::AsyncTDMFusedCopyGlobalToLocalOp>(op)) return 1;
  std::optional<BlockCopy> copy;
  if (auto load = mlir::dyn_cast<amdg::AsyncTDMCopyGlobalToLocalOp>(op)) copy = copyOf(load);
  if (auto store = mlir::dyn_cast<amdg::AsyncTDMCopyLocalToGlobalOp>(op)) copy = copyOf(store);
  if (!copy) return rowInstructions(e, op);
  auto type = mlir::cast<ttg::MemDescType>(copy->buffer.getType());
  std::optional<RowPadding> padding = paddingOf(e, op, type);
  std::optional<Plan> plan;
  if (padding)
    plan = planOf(e, type, elementBytesOf(e, copy->descriptor.getType()), *padding,
                  Team(ttg::lookupNumWarps(op).value_or(1), copy->warps).bits());
  return plan ? 1u << plan->ofInstructions().size() : 1;
}

// The least number of any copy: so many operations in flight are at least so many instructions.
unsigned leastInstructions(FunctionEmitter& e) {
  std::optional<unsigned> least;
  e.source()->walk([&](mlir::Operation* op) {
    if (unsigned count = instructionCount(e, op)) least = std::min(least.value_or(count), count);
  });
  return least.value_or(1);
}

void waitUntil(FunctionEmitter& e, int64_t inFlight) {
  constexpr int64_t mostCounted = 63;
  e.intrinsic(In::amdgcn_s_wait_tensorcnt, {},
              {e.b.getInt16(static_cast<uint16_t>(std::min(inFlight, mostCounted)))});
}
bool wait(FunctionEmitter& e, mlir::Operation* op) {
  int64_t operations = mlir::cast<amdg::AsyncTDMWait>(op).getNum();
  waitUntil(e, operations ? operations * leastInstructions(e) : 0);
  return true;
}
bool waitForInstructions(FunctionEmitter& e, mlir::Operation* op) {
  waitUntil(e, mlir::cast<amdg::AsyncTDMIntrinsicWait>(op).getCount());
  return true;
}

// ---- Bringing a block to the L2 cache: the threads share its rows, in pieces. One
// that is speculative may read beyond the tensor: it is dropped where the page is not known.
bool prefetch(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::TDMPrefetchOp>(operation);
  if (!needsTdm(e, op)) return false;
  constexpr int64_t pieceBytes = chips::tdmPrefetchBytes;
  constexpr int64_t toL2 = 8, isCertain = 1; // of the instruction's cache policy
  unsigned bytes = elementBytesOf(e, op.getDesc().getType());
  TensorDescriptor tensor = unpacked(e, op.getDesc());
  llvm::SmallVector<int64_t> shape(op.getDesc().getType().getShape());
  shape.back() = static_cast<int64_t>(
      llvm::divideCeil(static_cast<uint64_t>(shape.back() * bytes), uint64_t(pieceBytes)));
  mlir::Type places = op.getMaybeOffsets() ? op.getMaybeOffsets().getType() : mlir::Type();
  if (!places) {
    auto encoding = ttg::getDefaultBlockedEncoding(op.getContext(), shape, e.group().warps,
                                                   e.state().threadsPerWarp, e.state().ctas);
    places =
        mlir::RankedTensorType::get(shape, mlir::IntegerType::get(op.getContext(), 64), encoding);
  }
  const LinearLayout& layout = e.layoutOf(places);
  llvm::Type* i64 = e.b.getInt64Ty();
  // Where the last element is.
  llvm::Value* last = e.b.CreateSub(
      e.b.CreateMul(e.b.CreateZExt(tensor.sizes.front(), i64), tensor.strides.front()), e.i64(1));
  RegisterList offsets;
  for (int64_t number = 0; number < layout.inSize(Dim::Register); ++number) {
    llvm::Value* offset = e.i64(0);
    for (auto [dim, at] : llvm::enumerate(e.applyHere(layout, e.i32(number)))) {
      bool isInnermost = dim + 1 == shape.size();
      llvm::Value* element =
          isInnermost ? e.b.CreateMul(at, e.i32(pieceBytes / static_cast<int64_t>(bytes))) : at;
      element = e.b.CreateAdd(element, e.scalar(op.getIndices()[dim]));
      offset =
          e.b.CreateAdd(offset, e.b.CreateMul(e.b.CreateSExt(element, i64), tensor.strides[dim]));
    }
    llvm::Value* isInside = e.b.CreateICmpSLE(offset, last);
    llvm::Value* from = op.getSpeculative() ? offset : e.b.CreateSelect(isInside, offset, last);
    llvm::Value* address =
        e.b.CreateIntToPtr(e.b.CreateAdd(tensor.address, e.b.CreateMul(from, e.i64(bytes))),
                           e.b.getPtrTy(globalSpace));
    where(e, e.scalar(op.getPred()), {}, [&]() -> RegisterList {
      e.intrinsic(In::amdgcn_global_prefetch, {},
                  {address, e.i32(op.getSpeculative() ? toL2 : toL2 | isCertain)});
      return {};
    });
    offsets.push_back(op.getSpeculative() ? offset : e.b.CreateSelect(isInside, offset, e.i64(0)));
  }
  if (op.getMaybeOffsets()) e.set(op.getMaybeOffsets(), offsets);
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> tdmOps() {
  static constexpr OpRow rows[] = {
      {"amdg.async_tdm_copy_global_to_local", load},
      {"amdg.async_tdm_copy_local_to_global", store},
      {"amdg.async_tdm_fused_copy_global_to_local", loadSeveral},
      {"amdg.async_tdm_wait", wait},
      {"amdg.async_tdm_intrinsic_wait", waitForInstructions},
      {"amdg.tdm_prefetch", prefetch},
  };
  return rows;
}

} // namespace gluond::lowering::amd
