// arith and tt: numbers, comparisons, constants.
#include "ir/tt/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::lowering {

namespace {

namespace arith = mlir::arith;
using Maker = llvm::Value* (*)(FunctionEmitter & e, Registers v);

template <Maker make> bool each(FunctionEmitter& e, mlir::Operation* op) {
  return elementwise(e, op, make);
}

template <llvm::Instruction::BinaryOps opcode>
llvm::Value* binary(FunctionEmitter& e, Registers v) {
  return e.b.CreateBinOp(opcode, v[0], v[1]);
}
template <llvm::Intrinsic::ID id> llvm::Value* binaryIntrinsic(FunctionEmitter& e, Registers v) {
  return e.b.CreateBinaryIntrinsic(id, v[0], v[1]);
}

llvm::Value* negate(FunctionEmitter& e, Registers v) {
  return e.b.CreateFNeg(v[0]);
}
llvm::Value* choose(FunctionEmitter& e, Registers v) {
  return e.b.CreateSelect(v[0], v[1], v[2]);
}

llvm::Value* multiplyHigh(FunctionEmitter& e, Registers v) {
  unsigned bits = v[0]->getType()->getIntegerBitWidth();
  llvm::Type* wide = e.b.getIntNTy(2 * bits);
  llvm::Value* product = e.b.CreateMul(e.b.CreateZExt(v[0], wide), e.b.CreateZExt(v[1], wide));
  return e.b.CreateTrunc(e.b.CreateLShr(product, bits), v[0]->getType());
}

bool compareIntegers(FunctionEmitter& e, mlir::Operation* op) {
  static constexpr llvm::CmpInst::Predicate predicates[] = {
      llvm::CmpInst::ICMP_EQ,  llvm::CmpInst::ICMP_NE,  llvm::CmpInst::ICMP_SLT,
      llvm::CmpInst::ICMP_SLE, llvm::CmpInst::ICMP_SGT, llvm::CmpInst::ICMP_SGE,
      llvm::CmpInst::ICMP_ULT, llvm::CmpInst::ICMP_ULE, llvm::CmpInst::ICMP_UGT,
      llvm::CmpInst::ICMP_UGE};
  auto predicate = predicates[static_cast<size_t>(mlir::cast<arith::CmpIOp>(op).getPredicate())];
  return elementwise(e, op, [&](FunctionEmitter& e, Registers v) {
    return e.b.CreateICmp(predicate, v[0], v[1]);
  });
}

bool compareFloats(FunctionEmitter& e, mlir::Operation* op) {
  static constexpr llvm::CmpInst::Predicate predicates[] = {
      llvm::CmpInst::FCMP_FALSE, llvm::CmpInst::FCMP_OEQ, llvm::CmpInst::FCMP_OGT,
      llvm::CmpInst::FCMP_OGE,   llvm::CmpInst::FCMP_OLT, llvm::CmpInst::FCMP_OLE,
      llvm::CmpInst::FCMP_ONE,   llvm::CmpInst::FCMP_ORD, llvm::CmpInst::FCMP_UEQ,
      llvm::CmpInst::FCMP_UGT,   llvm::CmpInst::FCMP_UGE, llvm::CmpInst::FCMP_ULT,
      llvm::CmpInst::FCMP_ULE,   llvm::CmpInst::FCMP_UNE, llvm::CmpInst::FCMP_UNO,
      llvm::CmpInst::FCMP_TRUE};
  auto predicate = predicates[static_cast<size_t>(mlir::cast<arith::CmpFOp>(op).getPredicate())];
  return elementwise(e, op, [&](FunctionEmitter& e, Registers v) {
    return e.b.CreateFCmp(predicate, v[0], v[1]);
  });
}

llvm::Constant* constantOf(FunctionEmitter& e, mlir::Attribute attribute, llvm::Type* type) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerAttr>(attribute)) {
    llvm::APInt value = integer.getValue();
    return llvm::ConstantInt::get(type, value.sextOrTrunc(type->getIntegerBitWidth()));
  }
  if (auto number = mlir::dyn_cast<mlir::FloatAttr>(attribute)) {
    if (type->isIntegerTy())
      return llvm::ConstantInt::get(type, number.getValue().bitcastToAPInt());
    return llvm::ConstantFP::get(type, number.getValue());
  }
  return nullptr;
}

bool constant(FunctionEmitter& e, mlir::Operation* op) {
  auto constant = mlir::cast<arith::ConstantOp>(op);
  llvm::Type* type = e.elementType(constant.getType());
  mlir::Attribute value = constant.getValue();
  unsigned count = e.registerCount(constant.getType());
  if (auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(value)) {
    if (!dense.isSplat()) return e.fail(op, "constants with different elements cannot be compiled");
    value = dense.getSplatValue<mlir::Attribute>();
  }
  llvm::Constant* made = constantOf(e, value, type);
  if (!made) return e.fail(op, "a constant of this type cannot be compiled");
  e.set(constant, RegisterList(count, made));
  return true;
}

bool clamp(FunctionEmitter& e, mlir::Operation* op) {
  bool propagates = mlir::cast<tt::ClampFOp>(op).getPropagateNan() == tt::PropagateNan::ALL;
  return elementwise(e, op, [&](FunctionEmitter& e, Registers v) -> llvm::Value* {
    auto most = propagates ? llvm::Intrinsic::maximum : llvm::Intrinsic::maxnum;
    auto least = propagates ? llvm::Intrinsic::minimum : llvm::Intrinsic::minnum;
    return e.b.CreateBinaryIntrinsic(least, e.b.CreateBinaryIntrinsic(most, v[0], v[1]), v[2]);
  });
}

bool movePointer(FunctionEmitter& e, mlir::Operation* op) {
  auto move = mlir::cast<tt::AddPtrOp>(op);
  mlir::Type pointer = mlir::getElementTypeOrSelf(move.getPtr().getType());
  llvm::Type* pointee = e.memoryType(mlir::cast<tt::PointerType>(pointer).getPointeeType());
  return elementwise(e, op, [&](FunctionEmitter& e, Registers v) {
    llvm::Value* offset = v[1];
    if (offset->getType()->getIntegerBitWidth() < 64)
      offset = e.b.CreateSExt(offset, e.b.getInt64Ty());
    return e.b.CreateGEP(pointee, v[0], offset);
  });
}

bool getProgramId(FunctionEmitter& e, mlir::Operation* op) {
  auto axis = static_cast<unsigned>(mlir::cast<tt::GetProgramIdOp>(op).getAxis());
  e.set(op->getResult(0), e.target().gridNumber(e, GridNumber::Program, axis));
  return true;
}

bool getNumPrograms(FunctionEmitter& e, mlir::Operation* op) {
  auto axis = static_cast<unsigned>(mlir::cast<tt::GetNumProgramsOp>(op).getAxis());
  e.set(op->getResult(0), e.target().gridNumber(e, GridNumber::Programs, axis));
  return true;
}

// For operations that only tell analyses something: they need no code.
bool nothing(FunctionEmitter&, mlir::Operation*) {
  return true;
}

bool poison(FunctionEmitter& e, mlir::Operation* op) {
  llvm::SmallVector<llvm::Type*> types;
  e.registerTypes(op->getResult(0).getType(), types);
  RegisterList values;
  for (llvm::Type* type : types)
    values.push_back(llvm::UndefValue::get(type));
  e.set(op->getResult(0), values);
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> arithmeticOps() {
  using I = llvm::Instruction;
  namespace In = llvm::Intrinsic;
  static constexpr OpRow rows[] = {
      {"arith.constant", constant},
      {"arith.addi", each<binary<I::Add>>},
      {"arith.subi", each<binary<I::Sub>>},
      {"arith.muli", each<binary<I::Mul>>},
      {"arith.divsi", each<binary<I::SDiv>>},
      {"arith.divui", each<binary<I::UDiv>>},
      {"arith.remsi", each<binary<I::SRem>>},
      {"arith.remui", each<binary<I::URem>>},
      {"arith.andi", each<binary<I::And>>},
      {"arith.ori", each<binary<I::Or>>},
      {"arith.xori", each<binary<I::Xor>>},
      {"arith.shli", each<binary<I::Shl>>},
      {"arith.shrsi", each<binary<I::AShr>>},
      {"arith.shrui", each<binary<I::LShr>>},
      {"arith.minsi", each<binaryIntrinsic<In::smin>>},
      {"arith.maxsi", each<binaryIntrinsic<In::smax>>},
      {"arith.minui", each<binaryIntrinsic<In::umin>>},
      {"arith.maxui", each<binaryIntrinsic<In::umax>>},
      {"arith.addf", each<binary<I::FAdd>>},
      {"arith.subf", each<binary<I::FSub>>},
      {"arith.mulf", each<binary<I::FMul>>},
      {"arith.negf", each<negate>},
      {"arith.minimumf", each<binaryIntrinsic<In::minimum>>},
      {"arith.maximumf", each<binaryIntrinsic<In::maximum>>},
      {"arith.minnumf", each<binaryIntrinsic<In::minnum>>},
      {"arith.maxnumf", each<binaryIntrinsic<In::maxnum>>},
      {"arith.select", each<choose>},
      {"arith.cmpi", compareIntegers},
      {"arith.cmpf", compareFloats},
      {"tt.mulhiui", each<multiplyHigh>},
      {"tt.clampf", clamp},
      {"tt.addptr", movePointer},
      {"tt.get_program_id", getProgramId},
      {"tt.get_num_programs", getNumPrograms},
      {"llvm.intr.assume", nothing},
      {"ub.poison", poison},
  };
  return rows;
}

} // namespace gluond::lowering
