// AMD: buffer accesses, slices, scaled conversions and products.
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/rules/common/Memory.h"
#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"
#include "ir/ttg/Ops.h"
#include "language/types/LayoutBridge.h"
#include "layout/named/FieldNames.h"
#include "releases/Rules.h"

#include <numeric>

namespace gluond::codegen {

using language::field;
using language::isA;

namespace rules {

// ---------------------------------------------------------------- buffers

// _verify_buffer_ops: a scalar pointer, offsets of 32-bit integers, `other` only with a mask.
static bool bufferOperands(IrBuilder& emit, const Arguments& args, size_t pointer, size_t offsets,
                           int mask, int other, Tensor& base, Tensor& at) {
  base = tensorArgument(emit, args, pointer, "ptr");
  if (!base) return false;
  if (base.isBlock() || !base.type->isPointer()) {
    bool hasOffsets = base.scalar()->isPointer(); // x + offsets, as gl.load takes them
    Reported reported = emit.error(
        Id::LoadNotAPointer, args.node(pointer),
        hasOffsets ? "a buffer operation takes the offsets separately: it" : "a buffer operation",
        args[pointer]);
    offerSwap(emit, reported, args.call, args.node(pointer));
    return false;
  }
  at = blockArgument(emit, args, offsets, "offsets");
  if (!at) return false;
  if (!at.scalar()->isScalar(ScalarKind::Int32) && !at.scalar()->isScalar(ScalarKind::UInt32)) {
    Reported reported = emit.error(Id::DtypeMismatch, args.node(offsets), "offsets",
                                   "int32 or uint32", at.scalar());
    if (at.scalar()->isInt())
      offerCast(emit, reported, args.node(offsets), scalarType(ScalarKind::Int32));
    return false;
  }
  if (other >= 0 && !isNone(args, static_cast<size_t>(other)) &&
      isNone(args, static_cast<size_t>(mask)))
    return otherWithoutMask(emit, args, static_cast<size_t>(other), at), false;
  return true;
}

// Whether a value has the type that the pointer points to. Unlike gl.store, a buffer operation does
// not convert it; the sign of an integer does not matter.
static bool isOfPointer(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name,
                        Tensor value, size_t pointer, Tensor base) {
  auto type = llvm::cast<tt::PointerType>(base.handle.getType());
  if (emit.irType(value.scalar()) == type.getPointeeType()) return true;
  Reported reported =
      emit.error(Id::DtypeMismatch, args.node(i), name, base.type->element(), value.scalar());
  if (value.isBlock()) // a number has no method
    offerCast(emit, reported, args.node(i), base.type->element(), args.node(pointer));
  return false;
}

// mask and other of a load, broadcast with the offsets.
static bool maskAndOther(IrBuilder& emit, const Arguments& args, size_t offsets, size_t maskIndex,
                         size_t otherIndex, Tensor base, Tensor& at, Tensor& mask, Tensor& other) {
  if (!booleanMask(emit, args, maskIndex, mask)) return false;
  if (mask && !broadcast(emit, at, mask, args.node(offsets), args.node(maskIndex))) return false;
  if (isNone(args, otherIndex)) return true;
  other = toTensorArgument(emit, args, otherIndex);
  if (other) other = cast(emit, other, base.type->element(), args.node(otherIndex));
  return other && broadcast(emit, at, other, args.node(offsets), args.node(otherIndex));
}

static mlir::Attribute policyOf(IrBuilder& emit, tt::CacheModifier modifier) {
  if (modifier == tt::CacheModifier::NONE) return {};
  return tt::CachePolicyAttr::get(emit.context(), modifier, tt::EvictionPolicy::NORMAL);
}

// (ptr, offsets, mask, other, cache)
Value bufferLoad(IrBuilder& emit, const Arguments& args) {
  Tensor base, at, mask, other;
  if (!bufferOperands(emit, args, 0, 1, 2, 3, base, at) ||
      !maskAndOther(emit, args, 1, 2, 3, base, at, mask, other))
    return Value::unknown();
  auto modifier = cacheModifier(emit, args, 4, CacheUse::Load);
  if (!modifier) return Value::unknown();
  const Type* type = emit.types().withElement(at.type, base.type->element());
  auto op =
      emit.create<amdg::BufferLoadOp>(emit.irType(type), base.handle, at.handle, mlir::Value(),
                                      policyOf(emit, *modifier), mask.handle, other.handle);
  return emit.value(op, type);
}

// (stored_value, ptr, offsets, mask, cache)
Value bufferStore(IrBuilder& emit, const Arguments& args) {
  Tensor base, at, value, mask;
  if (!bufferOperands(emit, args, 1, 2, 3, -1, base, at) ||
      !(value = tensorArgument(emit, args, 0, "stored_value")))
    return Value::unknown();
  if (!isOfPointer(emit, args, 0, "stored_value", value, 1, base)) return Value::unknown();
  llvm::SmallVector<int64_t, 4> shape(at.shape());
  llvm::SmallVector<Tensor, 3> tensors{at, value};
  llvm::SmallVector<const Node*, 3> nodes{args.node(2), args.node(0)};
  if (!booleanMask(emit, args, 3, mask)) return Value::unknown();
  if (mask) {
    tensors.push_back(mask);
    nodes.push_back(args.node(3));
  }
  if (!broadcast(emit, tensors, nodes)) return Value::unknown();
  if (tensors[0].shape() != llvm::ArrayRef<int64_t>(shape))
    return emit.error(Id::BadArgument, args.node(2),
                      "the offsets must have the shape of the broadcast operands: expected " +
                          shapeText(shape) + ", but got " + shapeText(tensors[0].shape()));
  auto modifier = cacheModifier(emit, args, 4, CacheUse::Store);
  if (!modifier) return Value::unknown();
  emit.create<amdg::BufferStoreOp>(tensors[1].handle, base.handle, tensors[0].handle, mlir::Value(),
                                   policyOf(emit, *modifier),
                                   mask ? tensors[2].handle : mlir::Value());
  return Value::none();
}

// (dest, ptr, offsets, mask, other, cache_modifier)
Value bufferLoadToShared(IrBuilder& emit, const Arguments& args) {
  Memory dest = sharedArgument(emit, args, 0, "dest");
  Tensor base, at, mask, other;
  if (!dest || !bufferOperands(emit, args, 1, 2, 3, 4, base, at) ||
      !maskAndOther(emit, args, 2, 3, 4, base, at, mask, other))
    return Value::unknown();
  auto modifier = cacheModifier(emit, args, 5, CacheUse::Load);
  if (!modifier) return Value::unknown();
  emit.create<amdg::BufferLoadToLocalOp>(dest.handle, base.handle, at.handle, mask.handle,
                                         other.handle, mlir::Value(), policyOf(emit, *modifier));
  return Value::none();
}

// _verify_element_type_and_dispatch_op; nullopt after reporting.
static std::optional<tt::RMWOp> atomicOp(IrBuilder& emit, const Arguments& args, AtomicKind kind,
                                         const Type* type, bool cdna4) {
  auto is = [&](ScalarKind scalar) { return type->isScalar(scalar); };
  bool isSigned = is(ScalarKind::Int32) || is(ScalarKind::Int64),
       isUnsigned = is(ScalarKind::UInt32) || is(ScalarKind::UInt64);
  switch (kind) {
  case AtomicKind::And:
    if (isSigned) return tt::RMWOp::AND;
    break;
  case AtomicKind::Or:
    if (isSigned) return tt::RMWOp::OR;
    break;
  case AtomicKind::Xor:
    if (isSigned) return tt::RMWOp::XOR;
    break;
  case AtomicKind::Xchg:
    if (isSigned) return tt::RMWOp::XCHG;
    break;
  case AtomicKind::Max:
    if (isSigned || is(ScalarKind::Fp64)) return tt::RMWOp::MAX;
    if (isUnsigned) return tt::RMWOp::UMAX;
    break;
  case AtomicKind::Min:
    if (isSigned || is(ScalarKind::Fp64)) return tt::RMWOp::MIN;
    if (isUnsigned) return tt::RMWOp::UMIN;
    break;
  case AtomicKind::Add:
    if (isUnsigned) return tt::RMWOp::ADD;
    if (is(ScalarKind::Fp16) || is(ScalarKind::Fp32) || is(ScalarKind::Fp64) ||
        (is(ScalarKind::Bf16) && cdna4))
      return tt::RMWOp::FADD;
    break;
  }
  emit.error(Id::UnexpectedType, args.node(0), "this buffer atomic", type);
  return std::nullopt;
}

// (ptr, offsets, value, mask, sem, scope)
static Value bufferAtomic(IrBuilder& emit, const Arguments& args, AtomicKind kind, bool cdna4) {
  Tensor base, at, mask;
  if (!bufferOperands(emit, args, 0, 1, 3, -1, base, at)) return Value::unknown();
  auto op = atomicOp(emit, args, kind, base.type->element(), cdna4);
  if (!op) return Value::unknown();
  if (!isNone(args, 3)) {
    mask = toTensorArgument(emit, args, 3);
    if (mask) mask = cast(emit, mask, scalarType(ScalarKind::Int1), args.node(3));
    Tensor unused = at;
    if (!mask || !broadcast(emit, unused, mask, args.node(1), args.node(3)))
      return Value::unknown();
  }
  Tensor value = toTensorArgument(emit, args, 2), unused = at;
  if (!value || !isOfPointer(emit, args, 2, "value", value, 0, base) ||
      !broadcast(emit, unused, value, args.node(1), args.node(2)))
    return Value::unknown();
  auto sem = memSemantic(emit, args, 4, tt::MemSemantic::ACQUIRE_RELEASE);
  auto scope = sem ? memScope(emit, args, 5) : std::nullopt;
  if (!scope) return Value::unknown();
  auto result =
      emit.create<amdg::BufferAtomicRMWOp>(value.handle.getType(), *op, base.handle, at.handle,
                                           value.handle, mlir::Value(), *sem, *scope, mask.handle);
  return emit.value(result, value.type);
}

Value bufferAtomicCdna3(IrBuilder& emit, const Arguments& args, AtomicKind kind) {
  return bufferAtomic(emit, args, kind, false);
}
Value bufferAtomicCdna4(IrBuilder& emit, const Arguments& args, AtomicKind kind) {
  return bufferAtomic(emit, args, kind, true);
}

// ---------------------------------------------------------------- tensors

// (source, shape, offsets)
Value extractSlice(IrBuilder& emit, const Arguments& args) {
  Tensor source = blockArgument(emit, args, 0, "source");
  auto shape = source ? intsArgument(emit, args, 1, "shape") : std::nullopt;
  auto offsets = shape ? intsArgument(emit, args, 2, "offsets") : std::nullopt;
  if (!offsets) return Value::unknown();
  size_t rank = source.shape().size();
  for (size_t i : {1, 2})
    if ((i == 1 ? *shape : *offsets).size() != rank)
      return emit.error(Id::BadArgument, args.node(i),
                        std::string(i == 1 ? "the shape" : "the offsets") + " must have rank " +
                            std::to_string(rank));
  for (size_t i = 0; i < rank; ++i)
    if ((*offsets)[i] + (*shape)[i] > source.shape()[i])
      return emit.error(Id::BadArgument, args.node(2),
                        "a slice of shape " + shapeText(*shape) + " at " + shapeText(*offsets) +
                            " exceeds shape " + shapeText(source.shape()));
  const Type* type = tensorType(emit, source.scalar(), *shape, source.type->layout(), args.node(1));
  if (!type) return Value::unknown();
  return emit.value(emit.create<amdg::ExtractSliceOp>(emit.irType(type), source.handle, *offsets),
                    type);
}

// E8M0 scales are raw bytes.
static bool isByte(const Type* scalar) {
  return scalar->isScalar(ScalarKind::Int8) || scalar->isScalar(ScalarKind::UInt8);
}
static bool byteArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name,
                         Tensor tensor) {
  if (isByte(tensor.scalar())) return true;
  emit.error(Id::DtypeMismatch, args.node(i), name, "int8 or uint8", tensor.scalar());
  return false;
}

static std::optional<int64_t> axisArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                           size_t rank) {
  auto axis = intArgument(emit, args, i, "axis");
  if (!axis) return std::nullopt;
  auto count = static_cast<int64_t>(rank);
  if (*axis >= -count && *axis < count) return *axis < 0 ? *axis + count : *axis;
  emit.error(Id::InvalidAxis, args.node(i), *axis, count);
  return std::nullopt;
}

// Returns the layout of fp4 values after unpacking along an axis, or after packing. Triton passes
// the unpacked shape in both cases.
static mlir::Attribute fp4Layout(IrBuilder& emit, Tensor tensor, int64_t axis, bool unpack,
                                 const Node* at) {
  auto type = llvm::cast<mlir::RankedTensorType>(tensor.handle.getType());
  llvm::SmallVector<int64_t, 4> shape(type.getShape());
  if (unpack) shape[static_cast<size_t>(axis)] *= 2;
  auto* infer = tt::inferLayout(type.getEncoding());
  auto layout = infer ? infer->fp4ToFp(shape, static_cast<unsigned>(axis), type.getEncoding(),
                                       unpack, std::nullopt)
                      : mlir::FailureOr<mlir::Attribute>(mlir::failure());
  if (succeeded(layout)) return *layout;
  emit.error(Id::BadArgument, at,
             "this layout cannot hold packed fp4 along axis " + std::to_string(axis) + ": " +
                 emit.text(tensor.type->layout()));
  return {};
}

static bool sameButAxis(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b, size_t axis) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (i != axis && a[i] != b[i]) return false;
  return true;
}

// E8M0 scales as bfloat16, whose exponent has the same bits.
static Tensor scalesAsBfloat16(IrBuilder& emit, Tensor scale, const Node* at) {
  if (scale.scalar()->isScalar(ScalarKind::Int8))
    scale = bitcast(emit, scale, scalarType(ScalarKind::UInt8), at);
  const Type* wide = scalarType(ScalarKind::UInt16);
  scale = cast(emit, scale, wide, at);
  Tensor shift = cast(emit, toTensor(emit, number(7, at)), wide, at);
  scale = bitwise(emit, Bitwise::ShiftLeft, operand(scale, at), operand(shift, at), at);
  return scale ? bitcast(emit, scale, scalarType(ScalarKind::Bf16), at) : Tensor();
}

// (src, scale, elem_type, axis)
Value scaledUpcast(IrBuilder& emit, const Arguments& args) {
  Tensor src = blockArgument(emit, args, 0, "src"),
         scale = src ? blockArgument(emit, args, 1, "scale") : Tensor();
  const Type* element = scale ? dtypeArgument(emit, args, 2, "elem_type") : nullptr;
  if (!element || !byteArgument(emit, args, 1, "scale", scale)) return Value::unknown();
  const bool perElement = emit.follows(releases::Rule::ScalesAreBfloat16);
  if (perElement && emit.target().has(chips::Feature::Mfma)) {
    scale = scalesAsBfloat16(emit, scale, args.node(1));
    if (!scale) return Value::unknown();
  }
  if (!element->isScalar(ScalarKind::Fp16) && !element->isScalar(ScalarKind::Bf16))
    return emit.error(Id::DtypeMismatch, args.node(2), "elem_type", "float16 or bfloat16", element);
  if (src.scalar()->isScalar(ScalarKind::Fp8e4nv) || src.scalar()->isScalar(ScalarKind::Fp8e5)) {
    if (!isNone(args, 3))
      return emit.error(Id::BadArgument, args.node(3), "axis must be None for fp8");
    if (scale.shape() != src.shape())
      return emit.error(Id::BadArgument, args.node(1),
                        "the scales of fp8 must have shape " + shapeText(src.shape()) + ", not " +
                            shapeText(scale.shape()));
    if (!language::equal(*scale.type->layout(), *src.type->layout()))
      return emit.error(Id::OperandLayoutMismatch, args.node(1), "scale",
                        emit.text(scale.type->layout()), "src", emit.text(src.type->layout()));
    const Type* type = emit.types().withElement(scale.type, element);
    return wrap(emit, inferLayout(emit,
                                  emit.create<amdg::ScaledUpcastFp8Op>(emit.irType(type),
                                                                       src.handle, scale.handle),
                                  element, args.call));
  }
  if (!byteArgument(emit, args, 0, "src", src)) return Value::unknown();
  if (isNone(args, 3))
    return emit.error(Id::BadArgument, args.call, "packed fp4 requires the argument 'axis'");
  auto axis = axisArgument(emit, args, 3, src.shape().size());
  if (!axis) return Value::unknown();
  auto at = static_cast<size_t>(*axis);
  llvm::SmallVector<int64_t, 4> shape(src.shape());
  shape[at] *= 2;
  if (!sameButAxis(scale.shape(), shape, at) || (perElement && scale.shape()[at] != shape[at]) ||
      scale.shape()[at] <= 0 || shape[at] % scale.shape()[at])
    return emit.error(Id::BadArgument, args.node(1),
                      "scales of shape " + shapeText(scale.shape()) +
                          " do not match values of shape " + shapeText(shape));
  mlir::Attribute layout = fp4Layout(emit, src, *axis, true, args.node(0));
  if (!layout) return Value::unknown();
  auto type = mlir::RankedTensorType::get(shape, emit.irType(element), layout);
  return wrap(emit, inferLayout(emit,
                                emit.create<amdg::ScaledUpcastFp4Op>(type, src.handle, scale.handle,
                                                                     static_cast<uint32_t>(*axis)),
                                element, args.call));
}

// (src, scale_factor, elem_type, axis): the layout of scales that scaledUpcast takes.
Value scaledUpcastFp4ScaleLayout(IrBuilder& emit, const Arguments& args) {
  Tensor src = blockArgument(emit, args, 0, "src");
  auto factor = src ? intArgument(emit, args, 1, "scale_factor") : std::nullopt;
  const Type* element = factor ? dtypeArgument(emit, args, 2, "elem_type") : nullptr;
  if (!element || !byteArgument(emit, args, 0, "src", src)) return Value::unknown();
  // Triton looks for the argument as it is among the two dtypes.
  if (args[2].isConstexpr())
    return emit.error(Id::BadArgument, args.node(2),
                      "elem_type must be the dtype itself, and Triton does not take it out of a "
                      "constexpr: write gl.float16 or gl.bfloat16 here");
  if (!element->isScalar(ScalarKind::Fp16) && !element->isScalar(ScalarKind::Bf16))
    return emit.error(Id::DtypeMismatch, args.node(2), "elem_type", "float16 or bfloat16", element);
  auto axis = axisArgument(emit, args, 3, src.shape().size());
  if (!axis) return Value::unknown();
  llvm::SmallVector<int64_t, 4> shape(src.shape());
  int64_t& size = shape[static_cast<size_t>(*axis)];
  size *= 2;
  if (*factor <= 0 || size % *factor)
    return emit.error(Id::BadArgument, args.node(1),
                      "the unpacked size " + std::to_string(size) + " is not a multiple of " +
                          std::to_string(*factor));
  mlir::Attribute unpacked = fp4Layout(emit, src, *axis, true, args.node(0));
  if (!unpacked) return Value::unknown();
  auto values =
      ir::toLinearLayout(mlir::RankedTensorType::get(shape, emit.irType(element), unpacked));
  auto scales = amdg::scaleLayout(values, static_cast<unsigned>(*axis), *factor);
  auto layout = scales
                    ? layout::Layout::make(
                          layout::Linear{scales->removeZeroBases(layout::Dim::Register), false})
                    : layout::OrError<layout::Layout>(tl::make_unexpected(layout::LayoutError{}));
  if (!layout)
    return emit.error(Id::BadArgument, args.node(1), "no layout supports scales of this shape");
  return Value::object(ValueKind::Layout, language::toObject(*layout, emit.heap()));
}

// (input, scale, format, axis)
Value scaledDowncast(IrBuilder& emit, const Arguments& args) {
  Tensor input = blockArgument(emit, args, 0, "input"),
         scale = input ? blockArgument(emit, args, 1, "scale") : Tensor();
  auto format = scale ? stringArgument(emit, args, 2, "format") : std::nullopt;
  if (!format) return Value::unknown();
  const Type* element = *format == "e4m3"   ? scalarType(ScalarKind::Fp8e4nv)
                        : *format == "e5m2" ? scalarType(ScalarKind::Fp8e5)
                        : *format == "e2m1" ? scalarType(ScalarKind::UInt8)
                                            : nullptr;
  if (!element)
    return emit.error(Id::BadArgument, args.node(2),
                      "format '" + format->str() + "' is not one of e4m3, e5m2, e2m1");
  const Type* from = input.scalar();
  if (!from->isScalar(ScalarKind::Fp16) && !from->isScalar(ScalarKind::Bf16) &&
      !from->isScalar(ScalarKind::Fp32))
    return emit.error(Id::DtypeMismatch, args.node(0), "input", "float16, bfloat16 or float32",
                      from);
  if (!byteArgument(emit, args, 1, "scale", scale)) return Value::unknown();
  auto axis = axisArgument(emit, args, 3, input.shape().size());
  if (!axis) return Value::unknown();
  auto at = static_cast<size_t>(*axis);
  bool packed = element->isInt();
  int64_t size = input.shape()[at];
  if (packed && size % 2)
    return emit.error(Id::BadArgument, args.node(0),
                      "packing requires an even size along axis " + std::to_string(*axis));
  int64_t extent = packed ? size / 2 : size,
          blocks = scale.shape().size() > at ? scale.shape()[at] : 0;
  if (!sameButAxis(scale.shape(), input.shape(), at) || blocks <= 0 || extent % blocks ||
      blocks >= extent || size / blocks % 8)
    return emit.error(Id::BadArgument, args.node(1),
                      "each scale must apply to a block of 8, 16, 24, ... elements along axis " +
                          std::to_string(*axis) + ": " + shapeText(scale.shape()) +
                          " does not divide " + shapeText(input.shape()) + " in this way");
  if (!packed) {
    const Type* type = emit.types().withElement(input.type, element);
    return emit.value(emit.create<amdg::ScaledDowncastFp8Op>(emit.irType(type), input.handle,
                                                             scale.handle,
                                                             static_cast<uint32_t>(*axis)),
                      type);
  }
  llvm::SmallVector<int64_t, 4> shape(input.shape());
  shape[at] /= 2;
  mlir::Attribute layout = fp4Layout(emit, input, *axis, false, args.node(0));
  if (!layout) return Value::unknown();
  auto type = mlir::RankedTensorType::get(shape, emit.opBuilder().getI8Type(), layout);
  return wrap(emit, inferLayout(emit,
                                emit.create<amdg::ScaledDowncastFp4Op>(
                                    type, input.handle, scale.handle, static_cast<uint32_t>(*axis)),
                                element, args.call));
}

Value loadSharedFp4Repacked(IrBuilder& emit, const Arguments& args, LayoutKind parent) {
  Memory memory = sharedArgument(emit, args, 0, "mem_desc");
  const LayoutObject* layout =
      memory ? layoutArgument(emit, args, 1, language::LayoutFamily::Distributed, "layout")
             : nullptr;
  if (!layout) return Value::unknown();
  if (!isA(layout, LayoutKind::DotOperandLayout) ||
      !isA(field(*layout, layout::fields::parent)->as<LayoutObject>(), parent))
    return emit.error(Id::NotALayout, args.node(1), "layout",
                      "dot operand of " + language::layoutClass(parent).name.str(), args[1]);
  if (!isByte(memory.type->element()))
    return emit.error(Id::DtypeMismatch, args.node(0), "mem_desc", "int8 or uint8",
                      memory.type->element());
  size_t rank = memory.type->rank();
  if (rank != 2 && rank != 3)
    return emit.error(Id::SharedRank, args.node(0),
                      "expected two or three dimensions, but got " + std::to_string(rank));
  // K is unpacked by half, the other dimension packed.
  int64_t operand = field(*layout, layout::fields::opIdx)->asInt();
  llvm::SmallVector<int64_t, 4> shape(memory.type->shape());
  size_t k = operand == 0 ? rank - 1 : rank - 2, other = operand == 0 ? rank - 2 : rank - 1;
  if (shape[k] % 2)
    return emit.error(Id::BadArgument, args.node(0),
                      "K must be even, not " + std::to_string(shape[k]));
  shape[k] /= 2;
  shape[other] *= 2;
  const Type* type = tensorType(emit, memory.type->element(), shape, layout, args.node(1));
  if (!type) return Value::unknown();
  return emit.value(emit.create<amdg::LocalLoadPackedTransposedOp>(emit.irType(type), memory.handle,
                                                                   mlir::Value()),
                    type);
}

} // namespace rules

} // namespace gluond::codegen
