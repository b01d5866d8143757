#include "backend/nvidia/Assembly.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

namespace gluond::backend::nvidia {

llvm::StringRef onlyInstruction(const llvm::CallInst& call) {
  auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  if (!assembly) return {};
  llvm::StringRef text = llvm::StringRef(assembly->getAsmString()).trim();
  if (!text.consume_back(";") || text.contains(';')) return {};
  if (text.starts_with("@")) text = text.drop_until([](char c) { return c == ' '; }).ltrim();
  return text;
}

bool storesGlobally(const llvm::Instruction& instruction) {
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->isSimple() && store->getPointerAddressSpace() == globalSpace;
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && onlyInstruction(*call).starts_with("st.global.");
}

bool isShuffle(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("llvm.nvvm.shfl.");
}

int64_t offsetOf(const llvm::CallInst& access) {
  llvm::StringRef address = onlyInstruction(access).split('[').second.split(']').first;
  llvm::StringRef number = address.substr(std::min(address.size(), address.find_first_of("+-")));
  number.consume_front("+");
  int64_t offset = 0;
  return number.trim().getAsInteger(10, offset) ? 0 : offset;
}

} // namespace gluond::backend::nvidia
