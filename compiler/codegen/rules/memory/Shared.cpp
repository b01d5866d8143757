// Shared memory: allocation, loads and stores, views, atomics.
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/rules/common/Args.h"
#include "codegen/rules/common/Memory.h"
#include "ir/ttg/Ops.h"
#include "layout/named/FieldNames.h"

#include <numeric>

namespace gluond::codegen {

using language::LayoutFamily;

// A view of shared memory whose layout is read off the IR.
static Value viewOf(IrBuilder& emit, mlir::Value handle, const Type* element,
                    llvm::ArrayRef<int64_t> allocShape, const Node* at) {
  auto type = llvm::cast<ttg::MemDescType>(handle.getType());
  const LayoutObject* layout = emit.layoutOf(type.getEncoding());
  if (!layout) return emit.unsupported(at, "the layout of this view");
  return emit.value(handle,
                    emit.types().sharedMemory(element, type.getShape(), layout, allocShape));
}

namespace rules {

// Shared memory may have one dimension more than its layout (the buffers), but none less.
static Value sharedRankMismatch(IrBuilder& emit, const Node* at, llvm::ArrayRef<int64_t> shape,
                                const LayoutObject* layout, size_t rank) {
  auto reported = emit.error(Id::SharedRank, at,
                             "the shared memory has " + std::to_string(shape.size()) +
                                 (shape.size() == 1 ? " dimension" : " dimensions") +
                                 ", but its layout has " + std::to_string(rank));
  auto place = emit.placeOf(layout, layout::fields::order);
  auto* order = place ? llvm::dyn_cast_if_present<syntax::List>(place->argument) : nullptr;
  if (!order || place->location().file != place->use.file) return reported;
  std::string text;
  const text::SourceText& source = *place->layout.locations->file().text;
  for (const syntax::Expr* each : order->elements) {
    auto* dim = llvm::dyn_cast<syntax::Constant>(each);
    llvm::StringRef number = dim ? source.slice(dim->range) : llvm::StringRef();
    size_t value = 0;
    if (number.getAsInteger(10, value)) return reported;
    if (value < shape.size()) text += (text.empty() ? "" : ", ") + number.str();
  }
  text = "[" + text + "]";
  return reported.fix(FixId::TryText, {{order->range, text}}, text);
}

Value allocateSharedMemory(IrBuilder& emit, const Arguments& args) {
  const Type* element = dtypeArgument(emit, args, 0, "element_ty");
  auto shape = element ? intsArgument(emit, args, 1, "shape") : std::nullopt;
  if (!shape) return Value::unknown();
  const LayoutObject* layout = layoutArgument(emit, args, 2, LayoutFamily::Shared, "layout");
  if (!layout) return Value::unknown();
  if (auto rank = language::rankOf(*layout); rank && *rank > shape->size())
    return sharedRankMismatch(emit, args.node(2), *shape, layout, *rank);
  const Type* type = emit.types().sharedMemory(element, *shape, layout, *shape);
  mlir::Type ir = emit.irType(type);
  if (!ir) return Value::unknown();
  auto value = initialValue(emit, args, 3, type);
  if (!value) return Value::unknown();
  return emit.value(emit.create<ttg::LocalAllocOp>(ir, *value), type);
}

static Tensor loadShared(IrBuilder& emit, const Arguments& args, size_t memory, size_t layout) {
  Memory smem = sharedArgument(emit, args, memory, "self");
  const LayoutObject* to =
      smem ? layoutArgument(emit, args, layout, LayoutFamily::Distributed, "layout") : nullptr;
  if (!to) return {};
  const Type* type =
      tensorType(emit, smem.type->element(), smem.type->shape(), to, args.node(layout));
  if (!type || emit.doubtsElements(smem.handle)) return {};
  return {emit.create<ttg::LocalLoadOp>(emit.irType(type), smem.handle), type};
}

Value sharedLoad(IrBuilder& emit, const Arguments& args) {
  return wrap(emit, loadShared(emit, args, 0, 1));
}

// amd.cdna4.async_copy.load_shared_relaxed
Value loadSharedRelaxed(IrBuilder& emit, const Arguments& args) {
  Tensor loaded = loadShared(emit, args, 0, 1);
  if (!loaded) return Value::unknown();
  loaded.handle.getDefiningOp()->setAttr("ttg.amdg.syncedViaAsyncWait",
                                         emit.opBuilder().getBoolAttr(true));
  return wrap(emit, loaded);
}

Value sharedStore(IrBuilder& emit, const Arguments& args) {
  Memory smem = sharedArgument(emit, args, 0, "self");
  Tensor value = smem ? tensorArgument(emit, args, 1, "value") : Tensor();
  if (!value || !fitsBuffer(emit, args, 1, value, smem)) return Value::unknown();
  emit.create<ttg::LocalStoreOp>(value.handle, smem.handle);
  return Value::none();
}

// The axis of a gather or scatter with these indices; nullopt after reporting.
static std::optional<int64_t> indexedAxis(IrBuilder& emit, const Arguments& args, Memory smem,
                                          size_t indices, size_t axis, Tensor& out) {
  out = tensorArgument(emit, args, indices, "indices");
  auto value = out ? intArgument(emit, args, axis, "axis") : std::nullopt;
  if (!value) return std::nullopt;
  size_t rank = smem.type->rank();
  if (out.shape().size() != rank) {
    emit.error(Id::SharedRank, args.node(indices),
               "the indices have rank " + std::to_string(out.shape().size()) +
                   ", but the shared memory has rank " + std::to_string(rank));
    return std::nullopt;
  }
  if (*value < 0 || *value >= static_cast<int64_t>(rank)) {
    invalidAxis(emit, args.node(axis), *value, static_cast<int64_t>(rank));
    return std::nullopt;
  }
  if (!out.scalar()->isInt()) {
    emit.error(Id::DtypeMismatch, args.node(indices), "indices", "an integer type", out.scalar());
    return std::nullopt;
  }
  return value;
}

Value sharedGather(IrBuilder& emit, const Arguments& args) {
  Memory smem = sharedArgument(emit, args, 0, "self");
  Tensor indices;
  auto axis = smem ? indexedAxis(emit, args, smem, 1, 2, indices) : std::nullopt;
  if (!axis) return Value::unknown();
  const Type* type = emit.types().withElement(indices.type, smem.type->element());
  return emit.value(emit.create<ttg::LocalGatherOp>(emit.irType(type), smem.handle, indices.handle,
                                                    static_cast<uint32_t>(*axis), mlir::Value()),
                    type);
}

static bool scatterOperands(IrBuilder& emit, const Arguments& args, Memory smem, Tensor& values,
                            Tensor& indices, Tensor& mask) {
  values = tensorArgument(emit, args, 1, "values");
  if (!values) return false;
  if (!same(values.scalar(), smem.type->element())) {
    emit.error(Id::SharedDtypeMismatch, args.node(1), values.scalar(), smem.type->element());
    return false;
  }
  Tensor tensors[] = {values, indices, mask};
  const Node* at[] = {args.node(1), args.node(2), args.size() > 4 ? args.node(4) : args.call};
  size_t count = mask ? 3 : 2;
  if (!broadcast(emit, llvm::MutableArrayRef(tensors, count), llvm::ArrayRef(at, count)))
    return false;
  values = tensors[0];
  indices = tensors[1];
  mask = tensors[2];
  return !mask || checkMask(emit, mask, at[2]);
}

Value sharedScatter(IrBuilder& emit, const Arguments& args) {
  Memory smem = sharedArgument(emit, args, 0, "self");
  Tensor values, indices, mask;
  auto axis = smem ? indexedAxis(emit, args, smem, 2, 3, indices) : std::nullopt;
  if (!axis || !scatterOperands(emit, args, smem, values, indices, mask)) return Value::unknown();
  emit.create<ttg::LocalScatterOp>(smem.handle, values.handle, indices.handle,
                                   static_cast<uint32_t>(*axis), mlir::Value());
  return Value::none();
}

Value sharedAtomicScatter(IrBuilder& emit, const Arguments& args, AtomicKind kind) {
  Memory smem = sharedArgument(emit, args, 0, "self");
  Tensor values, indices, mask;
  if (!smem || !maskArgument(emit, args, 4, mask)) return Value::unknown();
  auto axis = indexedAxis(emit, args, smem, 2, 3, indices);
  if (!axis || !scatterOperands(emit, args, smem, values, indices, mask)) return Value::unknown();
  const Type* scalar = values.scalar();
  bool bitwiseOp = kind == AtomicKind::And || kind == AtomicKind::Or || kind == AtomicKind::Xor;
  bool integerOnly = bitwiseOp || kind == AtomicKind::Max || kind == AtomicKind::Min;
  if (!scalar->isInt() && (integerOnly || !scalar->isFloat()))
    return emit.error(Id::UnexpectedType, args.node(1), "this atomic scatter", scalar);
  auto result = emit.create<ttg::LocalAtomicScatterRMWOp>(
      values.handle.getType(), rmwOp(kind, scalar), smem.handle, values.handle, indices.handle,
      mask.handle, static_cast<uint32_t>(*axis));
  return emit.value(result, values.type);
}

// ---------------------------------------------------------------- views

Value sharedSlice(IrBuilder& emit, const Arguments& args) {
  Memory smem = sharedArgument(emit, args, 0, "self");
  auto start = smem ? intArgument(emit, args, 1, "start") : std::nullopt;
  auto length = start ? intArgument(emit, args, 2, "length") : std::nullopt;
  auto dim = length ? intArgument(emit, args, 3, "dim") : std::nullopt;
  if (!dim) return Value::unknown();
  auto rank = static_cast<int64_t>(smem.type->rank());
  if (*dim < 0) *dim += rank;
  if (*dim < 0 || *dim >= rank) return invalidAxis(emit, args.node(3), *dim, rank);
  llvm::SmallVector<int64_t, 4> shape(smem.type->shape());
  llvm::SmallVector<int32_t, 4> offsets(shape.size(), 0);
  offsets[static_cast<size_t>(*dim)] = static_cast<int32_t>(*start);
  shape[static_cast<size_t>(*dim)] = *length;
  const Type* type = emit.types().sharedMemory(smem.type->element(), shape, smem.type->layout(),
                                               smem.type->allocShape());
  mlir::Type ir = emit.irType(type);
  if (!ir) return Value::unknown();
  return emit.value(emit.create<ttg::MemDescSubsliceOp>(ir, smem.handle, offsets), type);
}

Value sharedIndex(IrBuilder& emit, const Arguments& args) {
  Memory smem = sharedArgument(emit, args, 0, "self");
  Tensor index = smem ? toTensorArgument(emit, args, 1) : Tensor();
  if (!index) return Value::unknown();
  if (index.isBlock() || !index.type->isScalar(ScalarKind::Int32))
    return emit.error(Id::DtypeMismatch, args.node(1), "index", scalarType(ScalarKind::Int32),
                      index.type);
  if (smem.type->rank() == 0)
    return emit.error(Id::SharedRank, args.call, "shared memory of rank 0 has no entries");
  auto shape = smem.type->shape().drop_front();
  const Type* type =
      emit.types().sharedMemory(smem.type->element(), shape, smem.type->layout(), shape);
  mlir::Type ir = emit.irType(type);
  if (!ir) return Value::unknown();
  return emit.value(emit.create<ttg::MemDescIndexOp>(ir, smem.handle, index.handle), type);
}

Value sharedPermute(IrBuilder& emit, const Arguments& args) {
  Memory smem = sharedArgument(emit, args, 0, "self");
  auto order = smem ? intsArgument(emit, args, 1, "order") : std::nullopt;
  if (!order) return Value::unknown();
  size_t rank = smem.type->rank();
  llvm::SmallVector<int64_t, 4> sorted(*order);
  llvm::sort(sorted);
  bool valid = order->size() == rank;
  for (size_t i = 0; i < sorted.size(); ++i)
    valid &= sorted[i] == static_cast<int64_t>(i);
  if (!valid)
    return emit.error(Id::BadPermutation, args.node(1), shapeText(*order),
                      static_cast<int64_t>(rank) - 1);
  llvm::SmallVector<int32_t, 4> dims(order->begin(), order->end());
  auto type = ttg::inferMemDescTransType(llvm::cast<ttg::MemDescType>(smem.handle.getType()), dims,
                                         std::nullopt);
  if (failed(type))
    return emit.error(Id::SharedRank, args.call,
                      "this layout cannot be permuted: " + emit.text(smem.type->layout()));
  auto alloc = smem.type->allocShape();
  size_t prefix = alloc.size() - rank;
  llvm::SmallVector<int64_t, 4> allocShape(alloc.take_front(prefix));
  for (int64_t dim : *order)
    allocShape.push_back(alloc[prefix + static_cast<size_t>(dim)]);
  return viewOf(emit, emit.create<ttg::MemDescTransOp>(*type, smem.handle, dims),
                smem.type->element(), allocShape, args.call);
}

Value sharedReshape(IrBuilder& emit, const Arguments& args) {
  Memory smem = sharedArgument(emit, args, 0, "self");
  auto shape = smem ? intsArgument(emit, args, 1, "shape") : std::nullopt;
  if (!shape) return Value::unknown();
  auto count = [](llvm::ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
  };
  if (count(*shape) != count(smem.type->shape()))
    return emit.error(Id::ReshapeCount, args.node(1), shapeText(smem.type->shape()),
                      count(smem.type->shape()), shapeText(*shape), count(*shape));
  auto type = ttg::inferMemDescReshapeType(llvm::cast<ttg::MemDescType>(smem.handle.getType()),
                                           *shape, std::nullopt);
  if (failed(type))
    return emit.error(Id::SharedRank, args.call,
                      "this layout cannot be reshaped to " + shapeText(*shape) + ": " +
                          emit.text(smem.type->layout()));
  llvm::SmallVector<int64_t, 4> allocShape(smem.type->allocShape().drop_back(smem.type->rank()));
  allocShape.append(*shape);
  return viewOf(emit, emit.create<ttg::MemDescReshapeOp>(*type, smem.handle), smem.type->element(),
                allocShape, args.call);
}

Value sharedReinterpret(IrBuilder& emit, const Arguments& args) {
  Memory smem = sharedArgument(emit, args, 0, "self");
  if (!smem || refusesNone(emit, args, 1, "dtype") || refusesNone(emit, args, 2, "shape") ||
      refusesNone(emit, args, 3, "layout"))
    return Value::unknown();
  const Type* element =
      isNone(args, 1) ? smem.type->element() : dtypeArgument(emit, args, 1, "dtype");
  if (!element) return Value::unknown();
  llvm::SmallVector<int64_t, 4> shape(smem.type->shape());
  if (!isNone(args, 2)) {
    auto given = intsArgument(emit, args, 2, "shape");
    if (!given) return Value::unknown();
    shape = *given;
  }
  const LayoutObject* layout = isNone(args, 3)
                                   ? smem.type->layout()
                                   : layoutArgument(emit, args, 3, LayoutFamily::Shared, "layout");
  if (!layout) return Value::unknown();
  const Type* type = emit.types().sharedMemory(element, shape, layout, shape);
  mlir::Type ir = emit.irType(type);
  if (!ir) return Value::unknown();
  return emit.value(emit.create<ttg::MemDescReinterpretOp>(ir, smem.handle), type);
}

Value sharedKeepAlive(IrBuilder& emit, const Arguments& args) {
  Memory smem = sharedArgument(emit, args, 0, "self");
  if (!smem) return Value::unknown();
  emit.create<ttg::LocalDeallocOp>(smem.handle);
  return Value::none();
}

} // namespace rules

} // namespace gluond::codegen
