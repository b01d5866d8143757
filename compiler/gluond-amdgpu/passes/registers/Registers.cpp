#include "gluond-amdgpu/passes/registers/Registers.h"

#include "chips/Occupancy.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::amdgpu {

bool isLarge(const llvm::BasicBlock& block) {
  constexpr size_t instructions = 500;
  return block.size() > instructions;
}

bool isCheap(const llvm::Instruction& instruction) {
  llvm::Type* type = instruction.getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64) return false;
  if (instruction.isIntDivRem()) return false;
  return llvm::isa<llvm::BinaryOperator, llvm::ICmpInst, llvm::SelectInst, llvm::ZExtInst,
                   llvm::SExtInst, llvm::TruncInst>(instruction);
}

int64_t vectorWords(const llvm::Value& value, const llvm::UniformityInfo& uniformity) {
  llvm::Type* type = value.getType();
  if (type->isVoidTy() || type->isIntegerTy(1) || uniformity.isUniform(&value)) return 0;
  const llvm::DataLayout& layout = llvm::cast<llvm::Instruction>(value).getDataLayout();
  auto bits = static_cast<int64_t>(layout.getTypeSizeInBits(type).getKnownMinValue());
  return static_cast<int64_t>(llvm::divideCeil(bits, 32));
}

unsigned registersOf(const llvm::Function& function, const chips::Chip& chip) {
  llvm::StringRef threads =
      function.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString().split(',').second;
  unsigned count = 0;
  if (threads.getAsInteger(10, count) || count == 0) return chip.limits->registersPerThread;
  return static_cast<unsigned>(
      chips::registersOfProgram(chip, llvm::divideCeil(count, chip.warpSize)));
}

} // namespace gluond::amdgpu
