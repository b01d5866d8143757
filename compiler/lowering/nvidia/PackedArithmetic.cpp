// Arithmetic of several floats in one instruction, as the program asks for it.
#include "ir/ttng/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/nvidia/Instructions.h"

namespace gluond::lowering::nvidia {

namespace {

// The letter of an operand in an assembly's constraints.
const char* constraintOf(const ttng::PackedType& type) {
  return type.bits == 64 ? "l" : type.bits == 32 ? "r" : "h";
}

// The element of a tensor with floats of 4 bits, two to a byte, that has the same place as each
// element of `full`: the register of its byte, for every second element. Empty if another thread
// has a byte.
llvm::SmallVector<unsigned> bytesOf(const LinearLayout& full, const LinearLayout& packed,
                                    unsigned axis) {
  llvm::DenseMap<uint64_t, unsigned> byPlace;
  for (auto [i, place] : llvm::enumerate(registerPlaces(packed)))
    byPlace.try_emplace(place, static_cast<unsigned>(i));
  llvm::SmallVector<unsigned> bytes;
  for (auto [i, place] : llvm::enumerate(registerPlaces(full))) {
    layout::Coordinates at = full.unpack(place);
    bool isHigh = at[axis] & 1;
    at[axis] >>= 1;
    auto found = byPlace.find(packed.pack(at));
    // An instruction takes neighbours: the halves of a byte follow each other.
    if (found == byPlace.end() || isHigh != (i % 2 == 1) ||
        (isHigh && bytes.back() != found->second))
      return {};
    if (!isHigh) bytes.push_back(found->second);
  }
  return bytes;
}

bool packedArithmetic(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::PackedArithOp>(operation);
  auto instruction = ttng::packedInstruction(op);
  if (!instruction) return e.fail(op, "no instruction does this packed arithmetic");
  const ttng::PackedType& type = *instruction->result;
  // Types that differ, and groups of four, are of Rubin's.
  if (instruction->operandSuffixes &&
      !needs(e, op, mixedPackedArithmetic, "packed arithmetic of these types needs"))
    return false;
  if (type.bits == 64 && !needs(e, op, packedFloats, "packed arithmetic of fp32 needs"))
    return false;

  std::string text = ttng::stringifyPackedArithOpKind(op.getOpKind()).str();
  if (!instruction->modifiers.empty()) text += "." + instruction->modifiers.str();
  text += "." + type.suffix.str();
  for (unsigned i = 0; i < instruction->operandSuffixes; ++i)
    text += "." + instruction->operands[i]->suffix.str();
  text += " $0";
  std::string constraints = std::string("=") + constraintOf(type);
  for (auto [i, operand] : llvm::enumerate(instruction->operands)) {
    text += ", $" + std::to_string(i + 1);
    constraints += std::string(",") + constraintOf(*operand);
  }

  const LinearLayout& full = e.layoutOf(op.getType());
  llvm::SmallVector<llvm::SmallVector<unsigned>> bytes(op.getNumOperands());
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    if (instruction->operands[i]->kind != '2') continue;
    bytes[i] = bytesOf(full, e.layoutOf(operand.getType()), *ttng::packedFp4Axis(op));
    if (bytes[i].empty())
      return e.fail(op, "the layout of an fp4 operand would move elements between threads");
  }
  auto wordOf = [&](size_t index, size_t first) -> llvm::Value* {
    const ttng::PackedType& kind = *instruction->operands[index];
    Registers values = e.get(op.getOperand(static_cast<unsigned>(index)));
    const bool isFp4 = kind.kind == '2';
    const unsigned parts = isFp4 ? kind.lanes / 2 : kind.lanes;
    llvm::Value* vector =
        llvm::PoisonValue::get(llvm::FixedVectorType::get(values.front()->getType(), parts));
    for (unsigned part = 0; part < parts; ++part)
      vector = e.b.CreateInsertElement(
          vector, values[isFp4 ? bytes[index][first / 2 + part] : first + part], part);
    return e.b.CreateBitCast(vector, e.b.getIntNTy(kind.bits));
  };
  auto* group = llvm::FixedVectorType::get(e.elementType(op.getType()), type.lanes);
  RegisterList results;
  const size_t count = e.registerCount(op.getType());
  for (size_t first = 0; first < count; first += type.lanes) {
    RegisterList operands;
    for (size_t index = 0; index < instruction->operands.size(); ++index)
      operands.push_back(wordOf(index, first));
    llvm::Value* all =
        e.b.CreateBitCast(e.assembly(e.b.getIntNTy(type.bits), text + ";", constraints, operands,
                                     /*sideEffects=*/false),
                          group);
    for (unsigned lane = 0; lane < type.lanes; ++lane)
      results.push_back(e.b.CreateExtractElement(all, lane));
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
