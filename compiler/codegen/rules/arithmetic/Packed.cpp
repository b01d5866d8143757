// Arithmetic on two or four elements per instruction (Blackwell, Rubin).
#include "codegen/rules/common/Args.h"
#include "ir/ttng/Ops.h"
#include "releases/Rules.h"

namespace gluond::codegen {

namespace rules {

static ttng::PackedArithOpKind opKind(PackedKind kind) {
  switch (kind) {
  case PackedKind::Add:
    return ttng::PackedArithOpKind::ADD;
  case PackedKind::Sub:
    return ttng::PackedArithOpKind::SUB;
  case PackedKind::Mul:
    return ttng::PackedArithOpKind::MUL;
  case PackedKind::Fma:
    return ttng::PackedArithOpKind::FMA;
  case PackedKind::Min:
    return ttng::PackedArithOpKind::MIN;
  case PackedKind::Max:
    return ttng::PackedArithOpKind::MAX;
  }
  return ttng::PackedArithOpKind::ADD;
}

// (lhs, rhs, [acc,] dtype)
Value packedArithmetic(IrBuilder& emit, const Arguments& args, PackedKind kind) {
  size_t count = args.size() - 1;
  llvm::SmallVector<Operand, 3> operands;
  llvm::SmallVector<const Type*, 3> scalars;
  Tensor reference; // the largest float tensor: the result has its shape
  bool anyBlock = false;
  for (size_t i = 0; i < count; ++i) {
    auto operand = asOperand(emit, args[i].unwrapped(), args.node(i));
    if (!operand) return Value::unknown();
    if (!takeTensors(emit, *operand)) return Value::unknown();
    operands.push_back(*operand);
    scalars.push_back(operand->isNumber() ? typeOfNumber(operand->number)
                                          : operand->tensor.scalar());
    if (!scalars.back()) return emit.error(Id::NonRepresentable, args.node(i), args[i], "64 bits");
    if (operand->isNumber() || !operand->tensor.isBlock()) continue;
    anyBlock = true;
    if (scalars.back()->isFloat() &&
        (!reference || operand->tensor.type->numel() > reference.type->numel()))
      reference = operand->tensor;
  }
  if (!anyBlock) return emit.error(Id::NotATensor, args.node(0), "lhs", args[0]);
  const Type* dtype = nullptr;
  if (!isNone(args, count) && !(dtype = dtypeArgument(emit, args, count, "dtype")))
    return Value::unknown();
  llvm::SmallVector<int64_t, 4> shape;
  if (!reference) {
    if (!dtype)
      return emit.error(Id::BadArgument, args.call,
                        "if all operands are packed fp4, the dtype of the result is required");
    if (operands[0].isNumber() || !operands[0].tensor.isBlock())
      return emit.error(Id::NotATensor, args.node(0), "lhs", args[0]);
    shape.assign(operands[0].tensor.shape().begin(), operands[0].tensor.shape().end());
    shape.back() *= 2;
  } else {
    shape.assign(reference.shape().begin(), reference.shape().end());
    if (!dtype) {
      bool adds = kind == PackedKind::Add || kind == PackedKind::Sub || kind == PackedKind::Fma;
      dtype = adds && scalars.back()->isFp8() ? scalars.back() : reference.scalar();
      for (size_t i = 0; i < count; ++i) {
        if (!scalars[i]->isFloat() || (dtype->isFp8() && scalars[i]->isFp8())) continue;
        bool isScalar =
            operands[i].isNumber() ||
            (emit.follows(releases::Rule::FunctionsTakeTensors) && !operands[i].tensor.isBlock());
        dtype = computationType(emit, dtype, false, scalars[i], isScalar, false, args.node(i));
        if (!dtype) return Value::unknown();
      }
    }
  }
  llvm::SmallVector<mlir::Value, 3> handles;
  for (size_t i = 0; i < count; ++i) {
    Tensor tensor = operands[i].isNumber() ? constant(emit, operands[i].number, dtype, args.node(i))
                                           : operands[i].tensor;
    if (!tensor) return Value::unknown();
    bool isPacked = tensor.isBlock() && tensor.scalar()->isInt() && tensor.scalar()->bits() == 8 &&
                    tensor.shape() != llvm::ArrayRef<int64_t>(shape);
    if (!isPacked) {
      if (!reference)
        return emit.error(Id::BadArgument, args.node(i),
                          "packed fp4 must be combined with a floating-point tensor");
      if (!tensor.isBlock()) tensor = cast(emit, tensor, dtype, args.node(i));
      Tensor other = reference;
      if (!tensor || !broadcast(emit, other, tensor, args.call, args.node(i)))
        return Value::unknown();
    }
    handles.push_back(tensor.handle);
  }
  mlir::RankedTensorType type;
  if (reference) {
    type = llvm::cast<mlir::RankedTensorType>(
        emit.irType(emit.types().withElement(reference.type, dtype)));
  } else {
    auto packed = llvm::cast<mlir::RankedTensorType>(handles[0].getType());
    auto* infer = tt::inferLayout(packed.getEncoding());
    auto layout =
        infer ? infer->fp4ToFp(packed.getShape(), static_cast<unsigned>(packed.getRank() - 1),
                               packed.getEncoding(), true, std::nullopt)
              : mlir::FailureOr<mlir::Attribute>(mlir::failure());
    if (failed(layout))
      return emit.error(Id::BadArgument, args.node(0),
                        "this layout cannot hold packed fp4: " +
                            emit.text(operands[0].tensor.type->layout()));
    type = mlir::RankedTensorType::get(shape, emit.irType(dtype), *layout);
  }
  return wrap(emit, inferLayout(emit, emit.create<ttng::PackedArithOp>(type, opKind(kind), handles),
                                dtype, args.call));
}

} // namespace rules

} // namespace gluond::codegen
