// Tensor memory (Blackwell): allocation, loads and stores, views.
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/rules/common/Args.h"
#include "codegen/rules/common/Memory.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "language/types/ComputedLayouts.h"

namespace gluond::codegen {

using language::LayoutFamily;

static Value made(IrBuilder& emit, mlir::Value handle, const Type* type) {
  return emit.value(handle, type);
}

// The layout of registers for a load or store; null after reporting.
static const LayoutObject* registerLayout(IrBuilder& emit, const Type* memory, int64_t numWarps,
                                          llvm::StringRef variant, const Node* at) {
  auto layout = language::tmemRegisterLayout(memory, numWarps, variant, emit.heap());
  if (layout) return *layout;
  emit.error(Id::BadArgument, at, layout.error().message);
  return nullptr;
}

// Whether a shape in the kernel is a gl.tuple, which shows in names of callees.
static bool isKernelTuple(Value value) {
  auto* tuple = value.as<language::TupleObject>();
  return tuple && (!value.isConstexpr() || tuple->triton);
}

namespace rules {

Value allocateTensorMemory(IrBuilder& emit, const Arguments& args) {
  const Type* element = dtypeArgument(emit, args, 0, "element_ty");
  auto shape = element ? intsArgument(emit, args, 1, "shape") : std::nullopt;
  const LayoutObject* layout =
      shape ? layoutArgument(emit, args, 2, LayoutFamily::TensorMemory, "layout") : nullptr;
  if (!layout) return Value::unknown();
  const Type* type =
      emit.types().tensorMemory(element, *shape, layout, *shape, isKernelTuple(args[1]));
  mlir::Type ir = emit.irType(type);
  if (!ir) return Value::unknown();
  auto value = initialValue(emit, args, 3, type);
  if (!value) return Value::unknown();
  return made(emit, emit.create<ttng::TMEMAllocOp>(ir, mlir::Type(), *value).getResult(), type);
}

Value tmemRegLayout(IrBuilder& emit, const Arguments& args) {
  Memory memory = tensorMemoryArgument(emit, args, 0, "self");
  auto variant = memory ? stringArgument(emit, args, 2, "instr_variant") : std::nullopt;
  std::optional<int64_t> numWarps;
  if (refusesNone(emit, args, 1, "num_warps")) return Value::unknown();
  if (variant && (!isNone(args, 1) || emit.knowsNumWarps()))
    numWarps = isNone(args, 1) ? std::optional<int64_t>(emit.numWarps())
                               : intArgument(emit, args, 1, "num_warps");
  if (!numWarps) return Value::unknown();
  const LayoutObject* layout = registerLayout(emit, memory.type, *numWarps, *variant, args.call);
  if (!layout) return Value::unknown();
  return Value::object(ValueKind::Layout, layout);
}

// The result type of a load: with the layout argument, or the layout of get_reg_layout().
static const Type* loadedType(IrBuilder& emit, const Arguments& args, Memory memory) {
  if (refusesNone(emit, args, 1, "layout") || (isNone(args, 1) && !emit.knowsNumWarps()))
    return nullptr;
  const LayoutObject* layout =
      isNone(args, 1) ? registerLayout(emit, memory.type, emit.numWarps(), "32x32b", args.call)
                      : layoutArgument(emit, args, 1, LayoutFamily::Distributed, "layout");
  return layout
             ? tensorType(emit, memory.type->element(), memory.type->shape(), layout, args.node(1))
             : nullptr;
}

Value tmemLoad(IrBuilder& emit, const Arguments& args) {
  Memory memory = tensorMemoryArgument(emit, args, 0, "self");
  const Type* type = memory ? loadedType(emit, args, memory) : nullptr;
  if (!type) return Value::unknown();
  return made(emit, emit.create<ttng::TMEMLoadOp>(emit.irType(type), memory.handle).getResult(),
              type);
}

Value tmemLoadReduce(IrBuilder& emit, const Arguments& args, bool isMax) {
  Memory memory = tensorMemoryArgument(emit, args, 0, "self");
  const Type* type = memory ? loadedType(emit, args, memory) : nullptr;
  auto abs = type ? boolArgument(emit, args, 2, "abs") : std::nullopt;
  auto nan = abs ? propagatesNan(emit, args, 3) : std::nullopt;
  if (!nan) return Value::unknown();
  auto result = llvm::cast<mlir::RankedTensorType>(emit.irType(type));
  auto slice = ttg::SliceEncodingAttr::get(
      emit.context(), 1, llvm::cast<ttg::DistributedEncodingTrait>(result.getEncoding()));
  auto reduced =
      mlir::RankedTensorType::get({result.getShape()[0]}, result.getElementType(), slice);
  auto op = ttng::TMEMLoadReduceModifierAttr::get(emit.context(),
                                                  isMax ? ttng::TMEMLoadReduceModifier::MAX
                                                        : ttng::TMEMLoadReduceModifier::MIN);
  auto set = [&](bool flag) {
    return flag ? emit.opBuilder().getBoolAttr(true) : mlir::BoolAttr();
  };
  auto load = emit.create<ttng::TMEMLoadOp>(result, mlir::Type(), reduced, memory.handle,
                                            mlir::Value(), op, set(*abs), set(*nan));
  Tensor rows = inferLayout(emit, load.getRed(), type->element(), args.call);
  if (!rows) return Value::unknown();
  Value parts[] = {emit.value(load.getResult(), type), wrap(emit, rows)};
  return emit.heap().tuple(parts);
}

Value tmemStore(IrBuilder& emit, const Arguments& args) {
  Memory memory = tensorMemoryArgument(emit, args, 0, "self");
  Tensor value = memory ? tensorArgument(emit, args, 1, "value") : Tensor();
  Tensor pred = value ? toTensorArgument(emit, args, 2) : Tensor();
  if (!pred || !fitsBuffer(emit, args, 1, value, memory)) return Value::unknown();
  emit.create<ttng::TMEMStoreOp>(memory.handle, value.handle, pred.handle);
  return Value::none();
}

Value tmemSlice(IrBuilder& emit, const Arguments& args) {
  Memory memory = tensorMemoryArgument(emit, args, 0, "self");
  auto start = memory ? intArgument(emit, args, 1, "start") : std::nullopt;
  auto length = start ? intArgument(emit, args, 2, "length") : std::nullopt;
  auto dim = length ? intArgument(emit, args, 3, "dim") : std::nullopt;
  if (!dim) return Value::unknown();
  if (*dim < 0 || *dim >= static_cast<int64_t>(memory.type->rank()))
    return invalidAxis(emit, args.node(3), *dim, static_cast<int64_t>(memory.type->rank()));
  llvm::SmallVector<int64_t, 4> shape(memory.type->shape());
  shape[static_cast<size_t>(*dim)] = *length;
  const Type* type =
      emit.types().tensorMemory(memory.type->element(), shape, memory.type->layout(),
                                memory.type->allocShape(), memory.type->allocShapeIsTuple());
  mlir::Type ir = emit.irType(type);
  if (!ir) return Value::unknown();
  return made(emit,
              emit.create<ttng::TMEMSubSliceOp>(ir, memory.handle, static_cast<uint32_t>(*start),
                                                static_cast<uint32_t>(*dim)),
              type);
}

Value tmemIndex(IrBuilder& emit, const Arguments& args) {
  Memory memory = tensorMemoryArgument(emit, args, 0, "self");
  Tensor index = memory ? toTensorArgument(emit, args, 1) : Tensor();
  if (!index) return Value::unknown();
  if (index.isBlock() || !index.type->isScalar(ScalarKind::Int32))
    return emit.error(Id::DtypeMismatch, args.node(1), "index", scalarType(ScalarKind::Int32),
                      index.type);
  auto shape = memory.type->shape().drop_front();
  const Type* type = emit.types().tensorMemory(memory.type->element(), shape, memory.type->layout(),
                                               shape, memory.type->allocShapeIsTuple());
  mlir::Type ir = emit.irType(type);
  if (!ir) return Value::unknown();
  return made(emit, emit.create<ttg::MemDescIndexOp>(ir, memory.handle, index.handle), type);
}

Value tmemReinterpret(IrBuilder& emit, const Arguments& args) {
  Memory memory = tensorMemoryArgument(emit, args, 0, "self");
  if (refusesNone(emit, args, 1, "dtype") || refusesNone(emit, args, 2, "shape") ||
      refusesNone(emit, args, 3, "layout"))
    return Value::unknown();
  const Type* element = !memory           ? nullptr
                        : isNone(args, 1) ? memory.type->element()
                                          : dtypeArgument(emit, args, 1, "dtype");
  if (!element) return Value::unknown();
  llvm::SmallVector<int64_t, 4> shape(memory.type->shape());
  bool isTuple = false;
  if (!isNone(args, 2)) {
    auto given = intsArgument(emit, args, 2, "shape");
    if (!given) return Value::unknown();
    shape = *given;
  }
  const LayoutObject* layout =
      isNone(args, 3) ? memory.type->layout()
                      : layoutArgument(emit, args, 3, LayoutFamily::TensorMemory, "layout");
  if (!layout) return Value::unknown();
  if (isNone(args, 2)) isTuple = memory.type->allocShapeIsTuple();
  const Type* type = emit.types().tensorMemory(element, shape, layout, shape, isTuple);
  mlir::Type ir = emit.irType(type);
  if (!ir) return Value::unknown();
  return made(emit, emit.create<ttg::MemDescReinterpretOp>(ir, memory.handle), type);
}

} // namespace rules

} // namespace gluond::codegen
