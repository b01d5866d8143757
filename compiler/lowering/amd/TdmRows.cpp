// Gathers and scatters of the tensor data mover: rows of a tensor, picked by number, are neighbors
// in shared memory.
//
// An instruction takes eight numbers of 32 bits or sixteen of 16. Its rows lie one after the other
// in shared memory, so that the numbers of an instruction are neighbors in their tensor.
#include "ir/amdg/Ops.h"
#include "ir/ttg/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/amd/Tdm.h"
#include "lowering/memory/SharedAccess.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::lowering::amd {

namespace {

struct RowCopy {
  mlir::Value descriptor, numbers, buffer, barrier;
  bool isLoad;
};

std::optional<RowCopy> copyOf(mlir::Operation* operation) {
  if (auto op = mlir::dyn_cast<amdg::AsyncTDMGatherOp>(operation))
    return RowCopy{op.getDesc(), op.getSrcRowIndices(), op.getDst(), op.getBarrier(), true};
  if (auto op = mlir::dyn_cast<amdg::AsyncTDMScatterOp>(operation))
    return RowCopy{op.getDesc(), op.getDstRowIndices(), op.getSrc(), op.getBarrier(), false};
  return std::nullopt;
}

bool areShort(const RowCopy& copy) {
  return mlir::getElementTypeOrSelf(copy.numbers.getType()).isInteger(16);
}

// Returns how many numbers an instruction gets.
unsigned runOf(const LinearLayout& layout, bool isShort) {
  // The numbers that a thread holds in a row, in a place that is a multiple of their count.
  uint64_t ofOthers = 0;
  for (layout::DimBits in : layout.ins())
    if (in.dim != Dim::Register) ofOthers |= layout.outputMask({in.dim}, Dim::Dim0);
  unsigned run = 1, most = isShort ? 16 : 8;
  llvm::ArrayRef<uint64_t> registers = layout.columns(Dim::Register);
  while (run < most && llvm::is_contained(registers, uint64_t(run)) &&
         !(ofOthers & (2 * uint64_t(run) - 1)))
    run *= 2;
  return run;
}

bool copyRows(FunctionEmitter& e, mlir::Operation* op) {
  RowCopy copy = *copyOf(op);
  if (!needsTdm(e, op)) return false;
  auto type = mlir::cast<ttg::MemDescType>(copy.buffer.getType());
  llvm::ArrayRef<int64_t> shape =
      mlir::cast<tt::TensorDescInterface>(copy.descriptor.getType()).getShape();
  if (!isWholeBuffer(e, op, copy.buffer, type.getShape())) return false;
  std::optional<RowPadding> padding = paddingOf(e, op, type);
  if (!padding) return false;
  LinearLayout buffer = bufferLayout(type);
  Division division = divided(e, buffer, type.getShape());
  std::optional<Boxes> boxes = boxesOf(buffer, division.part);
  if (shape.size() != 2 || !boxes || !boxes->others.empty())
    return refuseCopy(e, op, "the buffer does not hold its rows one after the other");
  int64_t columns = boxes->extents.back();
  unsigned bytes = elementBytesOf(e, copy.descriptor.getType());
  if (padding->interval &&
      (columns % padding->interval || padding->interval * bytes % 8 || padding->amount * bytes % 4))
    return refuseCopy(e, op, "its padding is not within rows, or no multiple of 4 bytes");
  if (copy.isLoad && !padding->isLoadable(bytes)) return refuseCopy(e, op, RowPadding::notLoadable);

  const LinearLayout& layout = e.layoutOf(copy.numbers.getType());
  if (layout.freeMask(Dim::Lane) + 1 != uint64_t(layout.inSize(Dim::Lane)))
    return refuseCopy(e, op, "the lanes of a warp hold different rows' numbers");
  TensorDescriptor tensor = unpacked(e, copy.descriptor);
  division.begin.front() = nullptr; // rows are numbered from the tensor's beginning
  advance(e, tensor, division, bytes);
  for (llvm::Value*& size : tensor.sizes)
    size = atLeastZero(e, size);
  // Of warps with the same numbers, the first copies.
  if (uint64_t free = layout.freeMask(Dim::Warp)) {
    llvm::Value* isFirst =
        e.b.CreateICmpEQ(e.b.CreateAnd(e.warp(), e.i32(static_cast<int64_t>(free))), e.i32(0));
    tensor.predicate =
        e.b.CreateSelect(isFirst, e.b.CreateAnd(tensor.predicate, e.i32(1)), e.i32(0));
  }
  int64_t rowBytes = padding->padded(columns) * bytes;
  llvm::Value* ofWarp = e.apply(layout, {{Dim::Register, e.i32(0)},
                                         {Dim::Lane, e.i32(0)},
                                         {Dim::Warp, e.warp()},
                                         {Dim::Block, e.i32(0)}})
                            .front();
  llvm::Value* first = e.b.CreateGEP(e.b.getInt8Ty(), e.viewBase(copy.buffer),
                                     e.b.CreateMul(ofWarp, e.i32(rowBytes)));

  Registers numbers = e.get(copy.numbers);
  bool isShort = areShort(copy);
  unsigned run = runOf(layout, isShort);
  auto byPlace = registersByPlace(layout);
  llvm::SmallVector<uint64_t> starts;
  for (auto [place, number] : byPlace)
    if (place % run == 0) starts.push_back(place);
  llvm::sort(starts);
  for (uint64_t start : starts) {
    TensorCopy one{.isLoad = copy.isLoad,
                   .tensor = tensor,
                   .box = {1, columns},
                   .elementBytes = bytes,
                   .padding = *padding};
    RegisterList chosen;
    for (uint64_t i = 0; i < run; ++i)
      chosen.push_back(numbers[byPlace.lookup(start + i)]);
    if (isShort && chosen.size() % 2) chosen.push_back(e.b.getInt16(0));
    for (llvm::Value* word : isShort ? pack(e, chosen) : chosen)
      one.rows.push_back(e.target().uniform(e, e.b.CreateBitCast(word, e.b.getInt32Ty())));
    one.rowCount = run;
    one.areShort = isShort;
    one.place =
        e.b.CreateGEP(e.b.getInt8Ty(), first, e.i32(static_cast<int64_t>(start) * rowBytes));
    if (copy.barrier) one.barrier = e.viewBase(copy.barrier);
    issue(e, wordsOf(e, one), copy.isLoad);
  }
  return true;
}

} // namespace

unsigned rowInstructions(FunctionEmitter& e, mlir::Operation* op) {
  std::optional<RowCopy> copy = copyOf(op);
  if (!copy) return 0;
  const LinearLayout& layout = e.layoutOf(copy->numbers.getType());
  return static_cast<unsigned>(layout.inSize(Dim::Register)) / runOf(layout, areShort(*copy));
}

llvm::ArrayRef<OpRow> tdmRowOps() {
  static constexpr OpRow rows[] = {{"amdg.async_tdm_gather", copyRows},
                                   {"amdg.async_tdm_scatter", copyRows}};
  return rows;
}

} // namespace gluond::lowering::amd
