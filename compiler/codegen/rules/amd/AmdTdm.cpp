// The tensor data mover of gfx1250: descriptors and the copies they drive.
#include "codegen/rules/common/Memory.h"
#include "ir/amdg/Ops.h"
#include "ir/tt/Ops.h"
#include "layout/named/FieldNames.h"

namespace gluond::codegen {

using language::field;
using language::isA;

namespace rules {

// Padded, or swizzled without phases.
static bool isTdmLayout(const LayoutObject* layout) {
  if (isA(layout, LayoutKind::PaddedSharedLayout)) return true;
  return isA(layout, LayoutKind::SwizzledSharedLayout) &&
         field(*layout, layout::fields::maxPhase)->isIntegral() &&
         field(*layout, layout::fields::maxPhase)->asInt() == 1;
}

// (base, shape, strides, block_shape, layout)
Value makeTdmDescriptor(IrBuilder& emit, const Arguments& args) {
  auto parts = descriptorParts(emit, args);
  if (!parts) return Value::unknown();
  const LayoutObject* layout =
      layoutArgument(emit, args, 4, language::LayoutFamily::Shared, "layout");
  if (!layout) return Value::unknown();
  bool fits = isTdmLayout(layout) ||
              (isA(layout, LayoutKind::PartitionedSharedLayout) &&
               isTdmLayout(field(*layout, layout::fields::partitionLayout)->as<LayoutObject>()));
  if (!fits)
    return emit.error(
        Id::NotALayout, args.node(4), "layout",
        "padded shared, or swizzled shared with max_phase = 1, or a partitioned one of these",
        args[4]);
  llvm::SmallVector<mlir::Value, 5> sizeHandles, stepHandles;
  if (!coordinates(emit, args, 1, false, sizeHandles) ||
      !coordinates(emit, args, 2, true, stepHandles) ||
      !checkShape(emit, parts->block, args.node(3)))
    return Value::unknown();
  // The descriptor keeps sizes and strides as they were given: constants stay constants.
  language::TypeContext& types = emit.types();
  llvm::SmallVector<mlir::Value, 10> handles(1);
  auto keep = [&](language::Items items) {
    llvm::SmallVector<const Type*, 5> result;
    for (Value item : items) {
      Value kept = IrBuilder::isIr(item) ? item : item.wrapped();
      result.push_back(emit.typeOf(kept));
      emit.flatten(kept, handles);
    }
    return types.tuple(result);
  };
  const Type *shapeType = keep(parts->sizes), *strideType = keep(parts->steps);
  const Type* type = types.descriptor(language::DescriptorKind::Tdm,
                                      types.tensor(parts->element(), parts->block, nullptr),
                                      shapeType, strideType, layout);
  mlir::Type ir = emit.irType(type);
  if (!ir) return Value::unknown();
  handles[0] = emit.create<tt::MakeTensorDescOp>(ir, parts->base.handle, sizeHandles, stepHandles,
                                                 tt::PaddingOption::PAD_ZERO);
  return emit.value(mlir::ValueRange(handles), type);
}

// _handle_i32_pred
static Tensor wordPredicate(IrBuilder& emit, Value value, const Node* at) {
  Value number = value.unwrapped();
  if (number.is(ValueKind::Bool)) number = Value::integer(number.asBool());
  auto operand = asOperand(emit, number, at);
  Tensor pred = operand ? toTensor(emit, *operand) : Tensor();
  if (pred && pred.type->isBool()) pred = cast(emit, pred, scalarType(ScalarKind::Int32), at);
  if (pred && !pred.type->isScalar(ScalarKind::Int32))
    return emit.error(Id::DtypeMismatch, at, "pred", "int32 or int1", pred.type), Tensor();
  return pred;
}

// A copy of a descriptor's value with another handle.
static Value withHandle(IrBuilder& emit, Value descriptor, mlir::Value handle) {
  llvm::SmallVector<mlir::Value, 10> handles;
  emit.flatten(descriptor, handles);
  handles[0] = handle;
  return emit.value(mlir::ValueRange(handles), descriptor.as<language::IrObject>()->type);
}

// Moves a descriptor; `offsets` and `bounds` are indices of arguments, -1 for none. Absent pred:
// none.
static mlir::Value update(IrBuilder& emit, const Arguments& args, Memory desc, int offsets,
                          int bounds, Value pred, const Node* predAt, bool clamp) {
  llvm::SmallVector<mlir::Value, 5> moved, limits;
  for (auto [index, out] : {std::pair(offsets, &moved), std::pair(bounds, &limits)}) {
    if (index < 0) continue;
    auto i = static_cast<size_t>(index);
    if (!coordinates(emit, args, i, false, *out)) return {};
    if (out->size() != desc.type->element()->rank())
      return emit.error(Id::BadArgument, args.node(i),
                        std::to_string(desc.type->element()->rank()) +
                            " items are expected, one per dimension, but got " +
                            std::to_string(out->size()));
  }
  mlir::Value predicate;
  if (!pred.isAbsent()) {
    Tensor word = wordPredicate(emit, pred, predAt);
    if (!word) return {};
    predicate = word.handle;
  }
  return emit.create<amdg::UpdateTensorDescriptorOp>(desc.handle.getType(), desc.handle, moved,
                                                     limits, predicate, clamp);
}

// (desc, add_offsets, set_bounds, pred, clamp_bounds)
Value updateTdmDescriptor(IrBuilder& emit, const Arguments& args) {
  Memory desc = descriptorArgument(emit, args, 0, "desc");
  auto clamp = desc ? boolArgument(emit, args, 4, "clamp_bounds") : std::nullopt;
  if (!clamp) return Value::unknown();
  if (refusesNone(emit, args, 1, "add_offsets") || refusesNone(emit, args, 2, "set_bounds") ||
      refusesNone(emit, args, 3, "pred"))
    return Value::unknown();
  bool moves = !isNone(args, 1), bounds = !isNone(args, 2), pred = !isNone(args, 3);
  if (!moves && !bounds && !pred)
    return emit.error(Id::BadArgument, args.call,
                      "there is nothing to update: pass add_offsets, set_bounds or pred");
  if (*clamp && !moves)
    return emit.error(Id::BadArgument, args.node(4), "clamp_bounds requires add_offsets");
  if (*clamp && bounds)
    return emit.error(Id::BadArgument, args.node(4),
                      "clamp_bounds and set_bounds cannot be combined");
  mlir::Value result = update(emit, args, desc, moves ? 1 : -1, bounds ? 2 : -1,
                              pred ? args[3] : Value::absent(), args.node(3), *clamp);
  return result ? withHandle(emit, args[0], result) : Value::unknown();
}

// The descriptor of a copy, moved first where offsets are given.
static mlir::Value positioned(IrBuilder& emit, const Arguments& args, Memory desc, size_t offsets,
                              Value pred, const Node* predAt) {
  bool moves = !isNone(args, offsets) &&
               !(language::isSequence(args[offsets]) && language::itemsOf(args[offsets]).empty());
  if (moves) return update(emit, args, desc, static_cast<int>(offsets), -1, pred, predAt, true);
  if (!pred.isAbsent() && !pred.isNone())
    return update(emit, args, desc, -1, -1, pred, predAt, false);
  return desc.handle;
}

// A barrier or None; false after reporting.
static bool barrierArgument(IrBuilder& emit, const Arguments& args, size_t i, mlir::Value& out) {
  if (isNone(args, i)) return true;
  out = sharedArgument(emit, args, i, "mbarrier").handle;
  return static_cast<bool>(out);
}

// (src, offsets, dest, pred, mbarrier, warp_used_hint, cache_modifier)
Value tdmLoad(IrBuilder& emit, const Arguments& args) {
  Memory desc = descriptorArgument(emit, args, 0, "src");
  Memory dest = desc ? sharedArgument(emit, args, 2, "dest") : Memory();
  if (!dest || refusesNone(emit, args, 3, "pred")) return Value::unknown();
  bool given = !isNone(args, 3);
  bool moves =
      !isNone(args, 1) && !(language::isSequence(args[1]) && language::itemsOf(args[1]).empty());
  Value pred = given ? args[3] : moves ? Value::boolean(true) : Value::absent();
  mlir::Value handle = positioned(emit, args, desc, 1, pred, args.node(3)), barrier;
  if (!handle || !barrierArgument(emit, args, 4, barrier)) return Value::unknown();
  auto modifier = cacheModifier(emit, args, 6, CacheUse::Load);
  if (!modifier) return Value::unknown();
  mlir::IntegerAttr hint;
  if (!isNone(args, 5)) {
    auto mask = intArgument(emit, args, 5, "warp_used_hint");
    if (!mask) return Value::unknown();
    hint = emit.opBuilder().getI32IntegerAttr(static_cast<int32_t>(*mask));
  }
  emit.create<amdg::AsyncTDMCopyGlobalToLocalOp>(handle, dest.handle, barrier, *modifier, hint);
  return Value::none();
}

// (members, cache_modifier)
Value tdmLoadFused(IrBuilder& emit, const Arguments& args) {
  language::Items members = language::itemsOf(args[0]);
  if (members.size() < 2 || members.size() > 4)
    return emit.error(Id::BadArgument, args.node(0),
                      "expected two to four members, but got " + std::to_string(members.size()));
  llvm::SmallVector<mlir::Value, 4> descs, dests;
  llvm::SmallVector<int32_t, 4> hints;
  std::optional<unsigned> rank;
  for (Value member : members) {
    language::Items parts = language::itemsOf(member);
    if (parts.size() != 3)
      return emit.error(
          Id::BadArgument, args.node(0),
          "each member must be a tuple of descriptor, destination and warp_used_hint");
    auto *desc = parts[0].as<language::IrObject>(), *dest = parts[1].as<language::IrObject>();
    if (!desc || !desc->type->is(TypeKind::TensorDescriptor))
      return emit.error(Id::WrongArgument, args.node(0), "member", "a tensor descriptor", parts[0]);
    if (!dest || !dest->type->is(TypeKind::SharedMemoryDescriptor))
      return emit.error(Id::WrongArgument, args.node(0), "member", "shared memory", parts[1]);
    Value hint = parts[2].unwrapped();
    if (!hint.isIntegral())
      return emit.error(Id::NotAnInteger, args.node(0), "warp_used_hint", "an integer", parts[2]);
    if (rank && *rank != desc->type->element()->rank())
      return emit.error(Id::BadArgument, args.node(0), "the descriptors have different ranks");
    rank = desc->type->element()->rank();
    descs.push_back(IrBuilder::handle(parts[0]));
    dests.push_back(IrBuilder::handle(parts[1]));
    hints.push_back(static_cast<int32_t>(hint.asInt()));
  }
  auto modifier = cacheModifier(emit, args, 1, CacheUse::Load);
  if (!modifier) return Value::unknown();
  emit.create<amdg::AsyncTDMFusedCopyGlobalToLocalOp>(
      emit.opBuilder().getType<ttg::AsyncTokenType>(), descs, dests, hints, *modifier);
  return Value::none();
}

// (dest, offsets, src, mbarrier, cache_modifier)
Value tdmStore(IrBuilder& emit, const Arguments& args) {
  Memory desc = descriptorArgument(emit, args, 0, "dest");
  Memory src = desc ? sharedArgument(emit, args, 2, "src") : Memory();
  mlir::Value handle =
                  src ? positioned(emit, args, desc, 1, Value::absent(), args.call) : mlir::Value(),
              barrier;
  if (!handle || !barrierArgument(emit, args, 3, barrier)) return Value::unknown();
  auto modifier = cacheModifier(emit, args, 4, CacheUse::Store);
  if (!modifier) return Value::unknown();
  emit.create<amdg::AsyncTDMCopyLocalToGlobalOp>(handle, src.handle, barrier, *modifier);
  return Value::none();
}

Value tdmWait(IrBuilder& emit, const Arguments& args) {
  auto outstanding = intArgument(emit, args, 0, "num_outstanding");
  if (!outstanding) return Value::unknown();
  emit.create<amdg::AsyncTDMWait>(mlir::ValueRange(), static_cast<uint32_t>(*outstanding));
  return Value::none();
}

// (desc, row_indices, memory, mbarrier): both of two dimensions.
static bool rowOperands(IrBuilder& emit, const Arguments& args, Memory& desc, Tensor& rows,
                        Memory& memory, mlir::Value& barrier) {
  if (!(desc = descriptorArgument(emit, args, 0, "desc")) ||
      !(rows = blockArgument(emit, args, 1, "row indices")) ||
      !(memory = sharedArgument(emit, args, 2, "memory")))
    return false;
  if (desc.type->element()->rank() != 2)
    return emit.error(Id::BadArgument, args.node(0), "the descriptor must have two dimensions"),
           false;
  if (memory.type->rank() != 2)
    return emit.error(Id::SharedRank, args.node(2), "the shared memory must have two dimensions"),
           false;
  return barrierArgument(emit, args, 3, barrier);
}

Value tdmScatter(IrBuilder& emit, const Arguments& args) {
  Memory desc, src;
  Tensor rows;
  mlir::Value barrier;
  if (!rowOperands(emit, args, desc, rows, src, barrier)) return Value::unknown();
  emit.create<amdg::AsyncTDMScatterOp>(desc.handle, rows.handle, src.handle, barrier);
  return Value::none();
}

Value tdmGather(IrBuilder& emit, const Arguments& args) {
  Memory desc, dst;
  Tensor rows;
  mlir::Value barrier;
  if (!rowOperands(emit, args, desc, rows, dst, barrier)) return Value::unknown();
  emit.create<amdg::AsyncTDMGatherOp>(desc.handle, rows.handle, dst.handle, barrier);
  return Value::none();
}

// (src, offsets, pred, speculative)
Value tdmPrefetch(IrBuilder& emit, const Arguments& args, bool returnsOffsets) {
  Memory desc = descriptorArgument(emit, args, 0, "src");
  llvm::SmallVector<mlir::Value, 5> offsets;
  if (!desc || !coordinates(emit, args, 1, false, offsets)) return Value::unknown();
  Tensor pred = toTensorArgument(emit, args, 2);
  auto speculative = pred ? flagArgument(emit, args, 3, "speculative") : std::nullopt;
  if (!speculative) return Value::unknown();
  auto op = emit.create<amdg::TDMPrefetchOp>(
      desc.handle, offsets, pred.handle, emit.opBuilder().getBoolAttr(*speculative),
      returnsOffsets ? emit.opBuilder().getUnitAttr() : mlir::UnitAttr());
  if (!returnsOffsets) return Value::none();
  return wrap(emit, inferLayout(emit, op->getResult(0), scalarType(ScalarKind::Int64), args.call));
}

} // namespace rules

} // namespace gluond::codegen
