// Arithmetic of several floats in one instruction, as the program asks for it.
#include "ir/ttng/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/nvidia/Instructions.h"

namespace gluond::lowering::nvidia {

namespace {

bool packedArithmetic(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::PackedArithOp>(operation);
  auto instruction = ttng::packedInstruction(op);
  if (!instruction) return e.fail(op, "no instruction does this packed arithmetic");
  const ttng::PackedType& type = *instruction->result;
  // Types that differ, and groups of four, are of Rubin's.
  if (instruction->operandSuffixes)
    return e.fail(op, "packed arithmetic of these types needs sm_107 or later");
  bool isFloat = type.bits == 64;
  if (isFloat && !needs(e, op, packedFloats, "packed arithmetic of fp32 needs")) return false;

  std::string text = ttng::stringifyPackedArithOpKind(op.getOpKind()).str();
  if (!instruction->modifiers.empty()) text += "." + instruction->modifiers.str();
  text += "." + type.suffix.str() + " $0";
  std::string constraints = isFloat ? "=l" : "=r";
  for (size_t i = 0; i < instruction->operands.size(); ++i) {
    text += ", $" + std::to_string(i + 1);
    constraints += isFloat ? ",l" : ",r";
  }
  llvm::Type* element = e.elementType(op.getType());
  auto* pair = llvm::FixedVectorType::get(element, type.lanes);
  llvm::Type* word = e.b.getIntNTy(type.bits);
  RegisterList results;
  const size_t count = e.registerCount(op.getType());
  for (size_t first = 0; first < count; first += type.lanes) {
    RegisterList operands;
    for (mlir::Value operand : op.getOperands()) {
      llvm::Value* both = llvm::PoisonValue::get(pair);
      for (unsigned lane = 0; lane < type.lanes; ++lane)
        both = e.b.CreateInsertElement(both, e.get(operand)[first + lane], lane);
      operands.push_back(e.b.CreateBitCast(both, word));
    }
    llvm::Value* both = e.b.CreateBitCast(
        e.assembly(word, text + ";", constraints, operands, /*sideEffects=*/false), pair);
    for (unsigned lane = 0; lane < type.lanes; ++lane)
      results.push_back(e.b.CreateExtractElement(both, lane));
  }
  e.set(op.getResult(), results);
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> packedArithmeticOps() {
  static constexpr OpRow rows[] = {{"ttng.packed_arith", packedArithmetic}};
  return rows;
}

} // namespace gluond::lowering::nvidia
