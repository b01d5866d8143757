// Rows of a matrix that are chosen one by one, between global and shared memory: each message has
// four of them.
#include "ir/ttng/Ops.h"
#include "lowering/nvidia/Barriers.h"
#include "lowering/nvidia/Instructions.h"

namespace gluond::lowering::nvidia {

namespace {

constexpr unsigned rowsOfMessage = 4;

struct Rows {
  llvm::Value* predicate; // null: always
  mlir::Value numbers;    // of the rows, a tensor
  llvm::Value* column;
  mlir::Value buffer;
};

// Calls `issue` with the predicate, the address in shared memory, the first column and the numbers
// of the rows of each message that this warp sends.
using Issue = llvm::function_ref<void(llvm::Value* predicate, llvm::Value* address,
                                      llvm::Value* column, Registers rows)>;
bool forEachMessage(FunctionEmitter& e, mlir::Operation* op, const Rows& rows, Issue issue) {
  auto numbersType = mlir::cast<mlir::RankedTensorType>(rows.numbers.getType());
  const LinearLayout& numbers = e.layoutOf(numbersType);
  Registers registers = e.get(rows.numbers);
  if (registers.size() < rowsOfMessage || numbers.basis(Dim::Register, 0, Dim::Dim0) != 1 ||
      numbers.basis(Dim::Register, 1, Dim::Dim0) != 2)
    return e.fail(op, "the numbers of the rows need a layout in which each thread has four "
                      "neighboring ones");
  uint64_t lanes = numbers.freeMask(Dim::Lane);
  if (lanes + 1 != e.state().threadsPerWarp)
    return e.fail(op, "the numbers of the rows need a layout in which all threads of a warp have "
                      "the same ones");
  auto type = mlir::cast<ttg::MemDescType>(rows.buffer.getType());
  auto encoding = mlir::dyn_cast<ttg::NVMMASharedEncodingAttr>(type.getEncoding());
  if (!encoding || type.getRank() != 2)
    return e.fail(op, "TMA moves rows of buffers of two dimensions in an NVMMASharedLayout only");
  unsigned bits = tt::bitWidth(type.getElementType()), bytes = std::max(1u, bits / 8);
  llvm::SmallVector<int64_t> perCta = ttg::getShapePerCTA(encoding, type.getShape());
  auto block =
      ttg::getTMABlockShape(perCta, bits, encoding.getSwizzlingByteWidth(), encoding.getFp4Padded(),
                            encoding.getTransposed(), true, ttg::TMAMode::Tiled, nullptr);
  if (mlir::failed(block))
    return e.fail(op, "the block is too small for the swizzle of its layout");
  const int64_t width = (*block)[1], messages = perCta[1] / width;

  // register, lane, warp, block and message -> where the message begins in the matrix, and in
  // shared memory. Its rows lie one after the other there, so that it begins where it would without
  // the swizzle.
  LinearLayout toMatrix = numbers;
  toMatrix *= LinearLayout::strided1D(messages, width, Dim::Message, Dim::Dim1);
  LinearLayout columnsOfBlock =
      encoding.getCGALayout().getLinearLayout().sublayout({Dim::Block}, {Dim::Dim1});
  LinearLayout shared = ir::toLinearLayout(type);
  for (layout::DimBits out : shared.outs())
    if (toMatrix.outSize(out.dim) < out.size()) toMatrix = toMatrix.growOut(out.dim, out.size());
  auto places = toMatrix.invertAndCompose(shared);
  if (!places) return e.fail(op, "the buffer does not hold the rows that TMA moves");
  LinearLayout offsets = places->sublayout(places->inDims(), {Dim::Offset});
  uint64_t swizzled = std::max<uint64_t>(1, encoding.getSwizzlingByteWidth() / bytes) - 1;
  for (Dim in : offsets.inDims()) {
    layout::f2::ColumnVector columns(offsets.columns(in));
    for (uint64_t& column : columns)
      column &= ~swizzled;
    offsets = offsets.withColumns(in, columns);
  }

  llvm::Value* predicate = elect(e);
  if (rows.predicate) predicate = e.b.CreateAnd(predicate, rows.predicate);
  if (uint64_t copies = numbers.freeMask(Dim::Warp))
    predicate = e.b.CreateAnd(
        predicate,
        e.b.CreateICmpEQ(e.b.CreateAnd(e.warp(), e.i32(static_cast<int64_t>(copies))), e.i32(0)));
  llvm::Value* view = e.viewOffset(rows.buffer);
  llvm::Value* ofBlock =
      columnsOfBlock.hasIn(Dim::Block) && columnsOfBlock.outBits(Dim::Dim1)
          ? e.b.CreateMul(e.apply(columnsOfBlock, {{Dim::Block, e.block()}}).front(),
                          e.i32(perCta[1]))
          : e.i32(0);
  for (size_t first = 0; first < registers.size(); first += rowsOfMessage)
    for (int64_t message = 0; message < messages; ++message) {
      llvm::Value* offset = e.apply(offsets, {{Dim::Register, e.i32(static_cast<int64_t>(first))},
                                              {Dim::Message, e.i32(message)},
                                              {Dim::Warp, e.warp()},
                                              {Dim::Block, e.block()}})
                                .front();
      offset = e.b.CreateMul(e.b.CreateXor(offset, view), e.i32(bytes));
      llvm::Value* column =
          e.b.CreateAdd(e.b.CreateAdd(rows.column, ofBlock), e.i32(message * width));
      issue(predicate, e.b.CreateGEP(e.b.getInt8Ty(), e.viewBase(rows.buffer), offset), column,
            registers.slice(first, rowsOfMessage));
    }
  return true;
}

bool gather(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::AsyncTMAGatherOp>(operation);
  // All of Blackwell's chips gather rows for the CTA itself; those with tensor memory for other
  // CTAs, too, and only these scatter rows.
  if (!needs(e, op, chips::Feature::LaunchControl, "a gather of rows needs")) return false;
  uint32_t copies = op.getMulticast() ? sharedBlocks(op.getResult()) : 0;
  llvm::Value* predicate = e.scalar(op.getPred());
  if (copies)
    predicate = e.b.CreateAnd(predicate,
                              e.b.CreateICmpEQ(e.b.CreateAnd(e.block(), e.i32(copies)), e.i32(0)));
  bool isOfCluster = copies || sharedBlocks(op.getBarrier());
  if (isOfCluster &&
      !needs(e, op, chips::Feature::TensorMemory, "a gather of rows for several CTAs needs"))
    return false;
  if (isOfCluster) e.state().touchesOtherCtas = true;
  llvm::StringRef pair = copyGroup(e, op.getBarrier());
  llvm::Value* barrier = leaderAddress(e, op.getBarrier());
  CacheHint hint = e.target().cacheHint(e, op.getCachePolicyAttr(), true);
  return forEachMessage(
      e, op, {predicate, op.getXOffsets(), e.scalar(op.getYOffset()), op.getResult()},
      [&](llvm::Value* predicate, llvm::Value* address, llvm::Value* column, Registers rows) {
        std::string text = std::string("@$0 cp.async.bulk.tensor.2d.tile::gather4.") + pair.str() +
                           "shared::" + (isOfCluster ? "cluster" : "cta") +
                           ".global.mbarrier::complete_tx::bytes";
        if (copies) text += ".multicast::cluster";
        std::string operandsText =
            " [$1], [$2, " + bracedOperands(3, 1 + rowsOfMessage) + "], [$8]";
        RegisterList operands{predicate, address, e.scalar(op.getDesc()), column};
        operands.append(rows.begin(), rows.end());
        operands.push_back(barrier);
        std::string constraints = "b,r,l,r,r,r,r,r,r";
        unsigned next = 9;
        if (copies) {
          operandsText += ", $" + std::to_string(next++);
          operands.push_back(e.b.CreateTrunc(multicastMask(e, copies), e.b.getInt16Ty()));
          constraints += ",h";
        }
        if (hint.value) {
          text += ".L2::cache_hint";
          operandsText += ", $" + std::to_string(next++);
          operands.push_back(hint.value);
          constraints += ",l";
        }
        e.assembly(text + operandsText + ";", constraints, operands);
      });
}

bool scatter(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::AsyncTMAScatterOp>(operation);
  if (!needs(e, op, chips::Feature::TensorMemory, "a scatter of rows needs")) return false;
  llvm::Value* predicate = nullptr;
  if (uint32_t copies = sharedBlocks(op.getSrc()))
    predicate = e.b.CreateICmpEQ(e.b.CreateAnd(e.block(), e.i32(copies)), e.i32(0));
  CacheHint hint = e.target().cacheHint(e, op.getCachePolicyAttr(), false);
  bool isFine = forEachMessage(
      e, op, {predicate, op.getXOffsets(), e.scalar(op.getYOffset()), op.getSrc()},
      [&](llvm::Value* predicate, llvm::Value* address, llvm::Value* column, Registers rows) {
        std::string text =
            "@$0 cp.async.bulk.tensor.2d.tile::scatter4.global.shared::cta.bulk_group";
        if (hint.value) text += ".L2::cache_hint";
        text += " [$1, " + bracedOperands(2, 1 + rowsOfMessage) + "], [$7]";
        RegisterList operands{predicate, e.scalar(op.getDesc()), column};
        operands.append(rows.begin(), rows.end());
        operands.push_back(address);
        std::string constraints = "b,l,r,r,r,r,r,r";
        if (hint.value) {
          text += ", $8";
          operands.push_back(hint.value);
          constraints += ",l";
        }
        e.assembly(text + ";", constraints, operands);
      });
  if (isFine) e.assembly("cp.async.bulk.commit_group;", "", {});
  return isFine;
}

} // namespace

llvm::ArrayRef<OpRow> tmaRowOps() {
  static constexpr OpRow rows[] = {
      {"ttng.async_tma_gather", gather},
      {"ttng.async_tma_scatter", scatter},
  };
  return rows;
}

} // namespace gluond::lowering::nvidia
