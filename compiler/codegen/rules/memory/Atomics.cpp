// Atomics on global memory.
#include "codegen/rules/common/Memory.h"

namespace gluond::codegen {

tt::RMWOp rmwOp(AtomicKind kind, const Type* scalar) {
  switch (kind) {
  case AtomicKind::Add:
    return scalar->isFloat() ? tt::RMWOp::FADD : tt::RMWOp::ADD;
  case AtomicKind::Max:
    return scalar->isSignedInt() ? tt::RMWOp::MAX : tt::RMWOp::UMAX;
  case AtomicKind::Min:
    return scalar->isSignedInt() ? tt::RMWOp::MIN : tt::RMWOp::UMIN;
  case AtomicKind::And:
    return tt::RMWOp::AND;
  case AtomicKind::Or:
    return tt::RMWOp::OR;
  case AtomicKind::Xor:
    return tt::RMWOp::XOR;
  case AtomicKind::Xchg:
    return tt::RMWOp::XCHG;
  }
  llvm_unreachable("an atomic");
}

namespace rules {

static constexpr llvm::StringLiteral atomicNames[] = {"atomic_add", "atomic_max", "atomic_min",
                                                      "atomic_and", "atomic_or",  "atomic_xor",
                                                      "atomic_xchg"};

// _atomic_typechecking_impl: pointer, value and mask of one shape, the value of the pointed-to
// type, and always a mask.
static bool checkAtomic(IrBuilder& emit, const Arguments& args, llvm::StringRef function,
                        Tensor& pointer, Tensor& value, Tensor& mask, int valueIndex,
                        int maskIndex) {
  auto node = [&](int i) { return i < 0 ? args.call : args.node(static_cast<size_t>(i)); };
  if (!pointer || !pointer.scalar()->isPointer()) {
    emit.error(Id::LoadNotAPointer, args.node(0), function, args[0]);
    return false;
  }
  if (value && pointer.scalar()->isConstPointer()) {
    emit.error(Id::StoreToConst, args.node(0));
    return false;
  }
  if (!pointer.isBlock()) {
    if (value && value.isBlock())
      return emit.error(Id::BlockForScalarPointer, node(valueIndex), "value"), false;
    if (mask && mask.isBlock())
      return emit.error(Id::BlockForScalarPointer, node(maskIndex), "mask"), false;
  } else if (!value) {
    if (mask && !broadcast(emit, pointer, mask, args.node(0), node(maskIndex))) return false;
  } else {
    llvm::SmallVector<int64_t, 4> shape(pointer.shape());
    Tensor tensors[] = {pointer, value, mask};
    const Node* at[] = {args.node(0), node(valueIndex), node(maskIndex)};
    size_t count = mask ? 3 : 2;
    if (!broadcast(emit, llvm::MutableArrayRef(tensors, count), llvm::ArrayRef(at, count)))
      return false;
    pointer = tensors[0];
    value = tensors[1];
    mask = tensors[2];
    if (!keepsShape(emit, pointer, shape, args.node(0))) return false;
  }
  const Type* element = pointer.scalar()->element();
  bool plain = function == "atomic_load" || function == "atomic_store";
  if (plain && element->isBool()) {
    element = scalarType(ScalarKind::Int8);
    pointer = cast(emit, pointer, emit.types().pointer(element), args.node(0));
  }
  if (value && !(value = cast(emit, value, element, node(valueIndex)))) return false;
  if (!mask) {
    mask = {emit.constantInt(1, 1), scalarType(ScalarKind::Int1)};
    if (pointer.isBlock())
      mask = splat(emit, mask, emit.types().withElement(pointer.type, mask.type));
  } else if (!checkMask(emit, mask, node(maskIndex))) {
    return false;
  }
  return true;
}

// Reads the mask argument, which is empty for None; returns nullopt after reporting. With a value
// and a block of pointers, it may be a constant.
static std::optional<Tensor> maskArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                          Tensor pointer, bool hasValue) {
  if (isNone(args, i)) return Tensor();
  bool mayBeConstant = hasValue && pointer && pointer.isBlock() && pointer.scalar()->isPointer();
  Tensor mask =
      mayBeConstant ? toTensorArgument(emit, args, i) : tensorArgument(emit, args, i, "mask");
  return mask ? std::optional(mask) : std::nullopt;
}

static Tensor rmw(IrBuilder& emit, tt::RMWOp op, Tensor pointer, Tensor value, mlir::Value mask,
                  tt::MemSemantic sem, tt::MemSyncScope scope) {
  const Type* type = emit.types().withElement(pointer.type, pointer.scalar()->element());
  return {emit.create<tt::AtomicRMWOp>(emit.irType(type), op, pointer.handle, value.handle, mask,
                                       sem, scope),
          value.type};
}

// Floats order like integers with the same bits if both are positive, and in reverse order if
// negative: so two integer atomics are emitted, one for each sign.
static Tensor floatExtreme(IrBuilder& emit, bool isMax, Tensor pointer, Tensor value, Tensor mask,
                           tt::MemSemantic sem, tt::MemSyncScope scope, const Node* at) {
  bool single = value.scalar()->isScalar(ScalarKind::Fp32);
  const Type* scalar = value.scalar();
  const Type* i = scalarType(single ? ScalarKind::Int32 : ScalarKind::Int64);
  const Type* u = scalarType(single ? ScalarKind::UInt32 : ScalarKind::UInt64);
  Tensor iValue = bitcast(emit, value, i, at),
         iPointer = bitcast(emit, pointer, emit.types().pointer(i), at);
  Tensor uValue = bitcast(emit, value, u, at),
         uPointer = bitcast(emit, pointer, emit.types().pointer(u), at);
  Tensor bits = bitcast(emit, value, u, at);
  Tensor sign =
      bitwise(emit, Bitwise::ShiftRightLogical, operand(bits, at), number(scalar->bits() - 1), at);
  Tensor negative = cast(emit, sign, scalarType(ScalarKind::Int1), at);
  Tensor positive = logicalNot(emit, negative, at);
  Tensor whenPositive = bitwise(emit, Bitwise::And, operand(mask, at), operand(positive, at), at);
  Tensor a = rmw(emit, isMax ? tt::RMWOp::MAX : tt::RMWOp::MIN, iPointer, iValue,
                 whenPositive.handle, sem, scope);
  Tensor whenNegative = bitwise(emit, Bitwise::And, operand(mask, at), operand(negative, at), at);
  Tensor b = rmw(emit, isMax ? tt::RMWOp::UMIN : tt::RMWOp::UMAX, uPointer, uValue,
                 whenNegative.handle, sem, scope);
  Tensor result = select(emit, positive, operand(a, at), operand(b, at), at, at);
  return result ? bitcast(emit, result, scalar, at) : Tensor();
}

Value atomicRmw(IrBuilder& emit, const Arguments& args, AtomicKind kind) {
  llvm::StringRef function = atomicNames[static_cast<unsigned>(kind)];
  Tensor value = toTensorArgument(emit, args, 1), pointer = asTensor(args[0]);
  auto mask = value ? maskArgument(emit, args, 2, pointer, true) : std::nullopt;
  if (!mask || !checkAtomic(emit, args, function, pointer, value, *mask, 1, 2))
    return Value::unknown();
  const Type* element = pointer.scalar()->element();
  bool half = element->isScalar(ScalarKind::Fp16) || element->isScalar(ScalarKind::Bf16);
  if ((half && kind != AtomicKind::Add) || (element->isInt() && element->bits() <= 16) ||
      (element->isScalar() && element->bits() < 16))
    return emit.error(Id::UnexpectedType, args.node(0), function, element);
  auto sem = memSemantic(emit, args, 3, tt::MemSemantic::ACQUIRE_RELEASE);
  auto scope = sem ? memScope(emit, args, 4) : std::nullopt;
  if (!scope) return Value::unknown();
  const Type* scalar = value.scalar();
  bool isMax = kind == AtomicKind::Max;
  if ((isMax || kind == AtomicKind::Min) && !scalar->isInt()) {
    if (!scalar->isScalar(ScalarKind::Fp32) && !scalar->isScalar(ScalarKind::Fp64))
      return emit.error(Id::UnexpectedType, args.node(0), function, scalar);
    return wrap(emit, floatExtreme(emit, isMax, pointer, value, *mask, *sem, *scope, args.call));
  }
  return wrap(emit, rmw(emit, rmwOp(kind, scalar), pointer, value, mask->handle, *sem, *scope));
}

Value atomicCas(IrBuilder& emit, const Arguments& args) {
  Tensor expected = toTensorArgument(emit, args, 1),
         value = expected ? toTensorArgument(emit, args, 2) : Tensor();
  if (!value) return Value::unknown();
  auto sem = memSemantic(emit, args, 3, tt::MemSemantic::ACQUIRE_RELEASE);
  auto scope = sem ? memScope(emit, args, 4) : std::nullopt;
  if (!scope) return Value::unknown();
  Tensor pointer = asTensor(args[0]);
  if (!pointer || !pointer.scalar()->isPointer())
    return emit.error(Id::LoadNotAPointer, args.node(0), "atomic_cas", args[0]);
  const Type* element = pointer.scalar()->element();
  if (!element->isScalar() ||
      (element->bits() != 16 && element->bits() != 32 && element->bits() != 64))
    return emit.error(Id::UnexpectedType, args.node(0), "atomic_cas", element);
  const Type* type = emit.types().withElement(pointer.type, element);
  mlir::Type ir = emit.irType(type);
  if (expected.handle.getType() != ir || value.handle.getType() != ir)
    return emit.error(Id::DtypeMismatch, args.node(expected.handle.getType() != ir ? 1 : 2),
                      "atomic_cas", type,
                      expected.handle.getType() != ir ? expected.type : value.type);
  return emit.value(
      emit.create<tt::AtomicCASOp>(ir, pointer.handle, expected.handle, value.handle, *sem, *scope),
      value.type);
}

Value atomicLoad(IrBuilder& emit, const Arguments& args) {
  Tensor pointer = asTensor(args[0]), value;
  auto mask = maskArgument(emit, args, 1, pointer, false);
  if (!mask) return Value::unknown();
  bool isBool = pointer && pointer.scalar()->isPointer() && pointer.scalar()->element()->isBool();
  if (!checkAtomic(emit, args, "atomic_load", pointer, value, *mask, -1, 1))
    return Value::unknown();
  const Type* element = pointer.scalar()->element();
  if (!element->isInt() && !element->isFloat())
    return emit.error(Id::UnexpectedType, args.node(0), "atomic_load", element);
  auto sem = memSemantic(emit, args, 2, tt::MemSemantic::ACQUIRE);
  auto scope = sem ? memScope(emit, args, 3) : std::nullopt;
  if (!scope) return Value::unknown();
  if (*sem != tt::MemSemantic::ACQUIRE && *sem != tt::MemSemantic::RELAXED)
    return emit.error(Id::BadArgument, args.node(2),
                      "atomic_load supports only acquire and relaxed");
  const Type* type = emit.types().withElement(pointer.type, element);
  Tensor result{
      emit.create<tt::AtomicLoadOp>(emit.irType(type), pointer.handle, mask->handle, *sem, *scope),
      type};
  return wrap(emit, isBool ? cast(emit, result, scalarType(ScalarKind::Int1), args.call) : result);
}

Value atomicStore(IrBuilder& emit, const Arguments& args) {
  Tensor value = toTensorArgument(emit, args, 1), pointer = asTensor(args[0]);
  auto mask = value ? maskArgument(emit, args, 2, pointer, true) : std::nullopt;
  if (!mask || !checkAtomic(emit, args, "atomic_store", pointer, value, *mask, 1, 2))
    return Value::unknown();
  const Type* element = pointer.scalar()->element();
  if (!element->isInt() && !element->isFloat())
    return emit.error(Id::UnexpectedType, args.node(0), "atomic_store", element);
  auto sem = memSemantic(emit, args, 3, tt::MemSemantic::RELEASE);
  auto scope = sem ? memScope(emit, args, 4) : std::nullopt;
  if (!scope) return Value::unknown();
  if (*sem != tt::MemSemantic::RELEASE && *sem != tt::MemSemantic::RELAXED)
    return emit.error(Id::BadArgument, args.node(3),
                      "atomic_store supports only release and relaxed");
  emit.create<tt::AtomicStoreOp>(pointer.handle, value.handle, mask->handle, *sem, *scope);
  return Value::none();
}

Value atomicPoll(IrBuilder& emit, const Arguments& args) {
  Tensor expected = toTensorArgument(emit, args, 1), timeout;
  if (!expected) return Value::unknown();
  if (!isNone(args, 4)) {
    if (args[4].is(ValueKind::Int) && args[4].asInt() < 0)
      return emit.error(Id::BadArgument, args.node(4), "timeout_ns must not be negative");
    if (!(timeout = toTensorArgument(emit, args, 4))) return Value::unknown();
  }
  Tensor pointer = asTensor(args[0]);
  if (!pointer || !pointer.scalar()->isPointer())
    return emit.error(Id::LoadNotAPointer, args.node(0), "atomic_poll", args[0]);
  const Type* element = pointer.scalar()->element();
  if (!element->isInt() || element->bits() < 16)
    return emit.error(Id::UnexpectedType, args.node(0), "atomic_poll", element);
  expected = cast(emit, expected, element, args.node(1));
  if (!expected || !broadcast(emit, pointer, expected, args.node(0), args.node(1)))
    return Value::unknown();
  auto sem = memSemantic(emit, args, 2, tt::MemSemantic::ACQUIRE);
  if (!sem) return Value::unknown();
  if (*sem != tt::MemSemantic::ACQUIRE && *sem != tt::MemSemantic::RELAXED)
    return emit.error(Id::BadArgument, args.node(2),
                      "atomic_poll supports only acquire and relaxed");
  auto scope = memScope(emit, args, 3);
  if (!scope) return Value::unknown();
  if (timeout) {
    if (timeout.isBlock() || !timeout.scalar()->isInt())
      return emit.error(Id::NotAnInteger, args.node(4), "timeout_ns", "a scalar integer", args[4]);
    timeout = cast(emit, timeout, scalarType(ScalarKind::UInt64), args.node(4));
  }
  const Type* type = emit.types().withElement(expected.type, scalarType(ScalarKind::Int1));
  return emit.value(emit.create<tt::AtomicPollOp>(emit.irType(type), pointer.handle,
                                                  expected.handle, timeout.handle, *sem, *scope),
                    type);
}

} // namespace rules

} // namespace gluond::codegen
