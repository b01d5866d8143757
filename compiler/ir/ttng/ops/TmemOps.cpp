// Effects, checks and canonicalization of tensor memory ops.
#include "chips/MemorySizes.h"
#include "ir/layouts/Layouts.h"
#include "ir/ttng/Ops.h"
#include "ir/ttng/Tcgen05Target.h"
#include "ir/ttng/ops/Patterns.h"

using namespace mlir;

namespace gluond::ttng {

using layout::Dim;
using layout::LinearLayout;

static bool isTensorMemoryLayout(Attribute layout) {
  return isa_and_nonnull<TensorMemoryEncodingAttr, TensorMemoryScalesEncodingAttr>(layout);
}

static LogicalResult verifyRegisters(Operation* op, RankedTensorType type, ttg::MemDescType memory,
                                     StringRef name) {
  if (type.getRank() != 2) return op->emitOpError(name) << " must be a 2D tensor";
  if (!type.getEncoding() || isTMemCompatible(op, type, memory)) return success();
  InFlightDiagnostic diag = op->emitOpError(name);
  diag.attachNote() << "Got: " << type.getEncoding();
  for (Attribute layout : tmemCompatibleLayouts(op, memory))
    diag.attachNote() << "potential TMEM layout: " << layout;
  return diag;
}

LogicalResult TMEMWaitOp::verify() {
  return verifyTcgen05Target(*this);
}

LogicalResult TMEMLoadOp::verify() {
  if (failed(verifyTcgen05Target(*this))) return failure();
  auto memory = getSrc().getType();
  if (!isa<TensorMemorySpaceAttr>(memory.getMemorySpace()))
    return emitOpError("source must be a tensor memory buffer.");
  if (!isa<TensorMemoryEncodingAttr>(memory.getEncoding()))
    return emitOpError("should use tensor memory encoding.");
  if (failed(verifyRegisters(*this, getType(), memory, "result"))) return failure();

  bool reduces = getRedOp().has_value(), abs = getAbs().value_or(false),
       nan = getNaN().value_or(false);
  if (reduces && !getRed()) return emitOpError("redOp is set but 'red' result is not present");
  if (!reduces && getRed()) return emitOpError("'red' result is present but redOp is not set");
  if (abs && !reduces) return emitOpError("'abs' requires 'redOp' to be set");
  if (nan && !reduces) return emitOpError("'NaN' requires 'redOp' to be set");
  bool f32 = memory.getElementType().isF32();
  if (abs && !f32) return emitOpError("'abs' requires floating-point element type (f32)");
  if (nan && !f32) return emitOpError("'NaN' requires floating-point element type (f32)");
  if (reduces && getType().getEncoding() &&
      failed(checkTMemLoadReduce(getType(), memory, maxRegisters(*this),
                                 [&] { return emitOpError(); })))
    return failure();
  return ttg::verifyMemoryOpTypes(*this, memory, getType());
}

LogicalResult TMEMStoreOp::verify() {
  if (failed(verifyTcgen05Target(*this))) return failure();
  auto memory = getDst().getType();
  if (!isTensorMemoryLayout(memory.getEncoding()))
    return emitOpError("should use tensor memory encoding.");
  if (!memory.getMutableMemory()) return emitOpError("Cannot store into an immutable alloc");
  if (failed(verifyRegisters(*this, getSrc().getType(), memory, "source"))) return failure();
  return ttg::verifyMemoryOpTypes(*this, getSrc().getType(), memory);
}
LogicalResult TMEMStoreOp::canonicalize(TMEMStoreOp op, PatternRewriter& rewriter) {
  return eraseIfIdle(op, rewriter);
}

namespace {
struct StoreOfConvert : OpRewritePattern<TMEMStoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TMEMStoreOp op, PatternRewriter& rewriter) const final {
    auto convert = op.getSrc().getDefiningOp<ttg::ConvertLayoutOp>();
    if (!convert || !isTMemCompatible(op, convert.getSrc().getType(), op.getDst().getType()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getSrcMutable().assign(convert.getSrc()); });
    return success();
  }
};
} // namespace

void addTensorMemoryStoreOfConvert(RewritePatternSet& patterns) {
  patterns.add<StoreOfConvert>(patterns.getContext());
}

LogicalResult TMEMAllocOp::verify() {
  if (failed(verifyTcgen05Target(*this))) return failure();
  if (!isTensorMemoryLayout(getType().getEncoding()))
    return emitOpError("should use tensor memory encoding");
  if (getSrc() && failed(verifyRegisters(*this, getSrc().getType(), getType(), "source")))
    return failure();
  return ttg::verifyAllocOp(*this, getSrc(), getType());
}

void TMEMAllocOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>& effects) {
  // An immutable buffer that has no place yet is a value like any other.
  if (!getType().getMutableMemory() && !(*this)->hasAttr("tensor_memory_col_offset")) return;
  OpResult buffer = (*this)->getOpResult(0);
  effects.emplace_back(MemoryEffects::Allocate::get(), buffer, TensorMemory::get());
  if (getSrc()) effects.emplace_back(MemoryEffects::Write::get(), buffer, TensorMemory::get());
}

LogicalResult TMEMCopyOp::verify() {
  if (failed(verifyTcgen05Target(*this))) return failure();
  auto source = getSrc().getType(), destination = getDst().getType();
  if (!isa<ttg::SharedMemorySpaceAttr>(source.getMemorySpace()))
    return emitOpError("The source must be a shared memory buffer");
  if (source.getShape() != destination.getShape())
    return emitOpError("source shape ")
           << source.getShape() << " must match destination shape " << destination.getShape();
  if (!destination.getMutableMemory()) return emitOpError("Cannot copy into an immutable alloc");
  auto shared = dyn_cast<ttg::SharedEncodingTrait>(source.getEncoding());
  if (!shared || shared.getAlignment() < chips::tmaAlignment)
    return emitOpError("Source must have at least 16-byte alignment to be representable in a "
                       "matrix descriptor.");
  LinearLayout offsets = ir::toLinearLayout(source), cells = ir::toLinearLayout(destination);
  if (!offsets.valid() || !cells.valid()) return success();
  auto map = cells.invertAndCompose(offsets);
  if (map && !map->isTrivialOver({Dim::Block}))
    return emitOpError("The source and destination must have the same cga layout. Got source: ")
           << offsets.toString() << " and destination: " << cells.toString();

  auto nvmma = dyn_cast<ttg::NVMMASharedEncodingAttr>(source.getEncoding());
  if (nvmma && (nvmma.getTransposed() || nvmma.getFp4Padded()))
    return emitOpError("The source should not be transposed or padded");
  if (isa<TensorMemoryScalesEncodingAttr>(destination.getEncoding())) {
    if (nvmma && nvmma.getSwizzlingByteWidth() != 0)
      return emitOpError("The source should not be swizzled for now");
    return success();
  }
  auto layout = dyn_cast<TensorMemoryEncodingAttr>(destination.getEncoding());
  if (!layout) return emitOpError("Incorrect tmem layout.");
  if (layout.getBlockM() != chips::tensorMemoryRows)
    return emitOpError("Tmem layout must have blockM=") << chips::tensorMemoryRows << '.';
  if (nvmma && nvmma.getSwizzlingByteWidth() == 0)
    return emitOpError("Source layout should be swizzled.");
  if (tt::bitWidth(source.getElementType()) != 32)
    return emitOpError("Source element type should be 32-bit.");
  auto columns = cells.columns(Dim::Col);
  if (columns.size() < 2 || columns[0] == 0 || columns[1] == 0)
    return emitOpError("The destination must have at least 128 contiguous bits per TMEM row.");
  return success();
}

LogicalResult TMEMSubSliceOp::verify() {
  if (failed(verifyTcgen05Target(*this))) return failure();
  auto source = getSrc().getType(), result = getResult().getType();
  if (!isa<TensorMemorySpaceAttr>(source.getMemorySpace()))
    return emitOpError("The source must be a tensor memory buffer.");
  if (!isa<TensorMemorySpaceAttr>(result.getMemorySpace()))
    return emitOpError("The destination must be a tensor memory buffer.");
  if (source.getElementType() != result.getElementType())
    return emitOpError("The source and result must have the same element type.");
  if (source.getEncoding() != result.getEncoding())
    return emitOpError("The source and result must have the same encoding.");
  if (source.getAllocShape() != result.getAllocShape())
    return emitOpError("The source and result must have the same alloc shape.");
  int64_t rank = source.getRank();
  if (rank != result.getRank() || (rank != 2 && rank != 3))
    return emitOpError("The source and result must both be 2D or 3D tensor memory buffers.");
  int64_t dim = static_cast<int32_t>(getDim()), offset = static_cast<int32_t>(getOffset());
  if (dim < 0 || dim >= rank)
    return emitOpError("The slice dimension must be within the descriptor rank.");
  for (unsigned i = 0; i < rank; ++i)
    if (i != dim && result.getDimSize(i) != source.getDimSize(i))
      return emitOpError("The result must have the same size as the source in the dimensions that "
                         "are not being sliced.");
  int64_t size = result.getShape()[static_cast<size_t>(dim)];
  if (offset < 0 || offset + size > source.getShape()[static_cast<size_t>(dim)])
    return emitError("The split offset may not exceed the source shape");
  if (rank == 3 && dim == 0) return success();

  // Along a dimension of the layout.
  dim -= rank - static_cast<int64_t>(
                    ttg::dropPipeliningDim(source.getShape(), source.getEncoding()).size());
  LinearLayout cells = ir::toLinearLayout(source);
  if (dim < 0 || !cells.valid() || cells.outs().size() != 2) return success();
  Dim along = layout::tensorDim(static_cast<unsigned>(dim)),
      across = layout::tensorDim(static_cast<unsigned>(1 - dim));
  if (offset & (size - 1)) {
    // For unaligned offsets, the address of an element is still the offset's plus its own if the
    // bits affected by carries are adjacent in a row or a column.
    auto first = static_cast<unsigned>(llvm::countr_zero(static_cast<uint64_t>(offset)));
    unsigned last = llvm::Log2_64(static_cast<uint64_t>(offset ^ (offset + size - 1)));
    unsigned count = last - first + 1;
    auto sideBySide = [&](Dim in) {
      for (unsigned start = 0; start + count <= cells.inBits(in); ++start)
        if (llvm::all_of(llvm::seq(count), [&](unsigned i) {
              return cells.basis(in, start + i, across) == 0 &&
                     cells.basis(in, start + i, along) == int64_t(1) << (first + i);
            }))
          return true;
      return false;
    };
    if (!sideBySide(Dim::Row) && !sideBySide(Dim::Col))
      return emitError("The split offset may not touch the tile");
  }
  for (unsigned i = 0; i < cells.inBits(Dim::Block); ++i)
    if (cells.basis(Dim::Block, i, along) >= size)
      return emitOpError("The result may not be sliced across CTAs.");
  auto toCells = cells.pseudoInvert();
  if (!toCells) return success();
  auto place = toCells->apply({{along, static_cast<uint64_t>(offset)}});
  int64_t column = 0;
  for (auto [out, value] : llvm::zip(toCells->outDims(), place))
    if (out == Dim::Col) column = value;
  if (column * tt::bitWidth(source.getElementType()) % 32 != 0)
    return emitOpError("The split offset must be 32-bit aligned in tensor memory.");
  return success();
}

void TMEMSubSliceOp::build(OpBuilder& builder, OperationState& state, Value alloc, int offset,
                           int size, int dim) {
  auto type = cast<ttg::MemDescType>(alloc.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[static_cast<size_t>(dim)] = size;
  auto result =
      ttg::MemDescType::get(shape, type.getElementType(), type.getEncoding(), type.getMemorySpace(),
                            type.getMutableMemory(), type.getAllocShape());
  build(builder, state, result, alloc, static_cast<uint32_t>(offset), static_cast<uint32_t>(dim));
}

} // namespace gluond::ttng
