#include "gluond-amdgpu/passes/registers/PackedPhis.h"

#include "backend/PassHelpers.h"

#include <llvm/ADT/SmallVectorExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace gluond::amdgpu {

namespace {

constexpr unsigned bitsOfWord = 32;

using Phis = llvm::ArrayRef<llvm::PHINode*>;

// The elements of a word; 1 where the type has no part in it.
unsigned elementsOfWord(const llvm::Type& type) {
  unsigned bits = type.getPrimitiveSizeInBits().getFixedValue();
  bool isPart = (type.isIntegerTy() || type.isFloatingPointTy()) && (bits == 16 || bits == 8);
  return isPart ? bitsOfWord / bits : 1;
}

llvm::ExtractElementInst* elementAt(llvm::Value* value, uint64_t number) {
  auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(value);
  if (!extract || !llvm::isa<llvm::FixedVectorType>(extract->getVectorOperandType()))
    return nullptr;
  auto* index = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
  return index && index->getValue() == number ? extract : nullptr;
}

// The vector of one word that the values are the elements of, in this order.
llvm::Value* wordOf(llvm::ArrayRef<llvm::Value*> values) {
  llvm::Value* word = nullptr;
  for (auto [number, value] : llvm::enumerate(values)) {
    auto* element = elementAt(value, number);
    if (!element || (word && element->getVectorOperand() != word)) return nullptr;
    word = element->getVectorOperand();
  }
  auto count = llvm::cast<llvm::FixedVectorType>(word->getType())->getNumElements();
  return count == values.size() ? word : nullptr;
}

llvm::SmallVector<llvm::Value*> incoming(Phis phis, const llvm::BasicBlock* from) {
  return llvm::map_to_vector(
      phis, [&](llvm::PHINode* phi) { return phi->getIncomingValueForBlock(from); });
}

// Whether elements of one word come from some block, and from the others what is as good.
bool isWord(Phis phis) {
  bool found = false;
  for (const llvm::BasicBlock* from : phis.front()->blocks()) {
    auto values = incoming(phis, from);
    if (wordOf(values))
      found = true;
    else if (!llvm::all_of(values, llvm::IsaPred<llvm::Constant>) &&
             !llvm::all_of(values, llvm::IsaPred<llvm::PHINode>))
      return false;
  }
  return found;
}

void pack(Phis phis) {
  llvm::PHINode* first = phis.front();
  auto* type = llvm::FixedVectorType::get(first->getType(), static_cast<unsigned>(phis.size()));
  llvm::PHINode* all =
      llvm::PHINode::Create(type, first->getNumIncomingValues(), "", first->getIterator());
  all->setDebugLoc(first->getDebugLoc());
  for (llvm::BasicBlock* from : first->blocks()) {
    auto values = incoming(phis, from);
    llvm::Value* word = wordOf(values);
    if (!word) {
      llvm::IRBuilder<> b(from->getTerminator());
      word = llvm::PoisonValue::get(type);
      for (auto [number, value] : llvm::enumerate(values))
        word = b.CreateInsertElement(word, value, number);
    }
    all->addIncoming(word, from);
  }
  llvm::BasicBlock* block = first->getParent();
  llvm::IRBuilder<> b(block, block->getFirstInsertionPt());
  b.SetCurrentDebugLocation(first->getDebugLoc());
  for (auto [number, phi] : llvm::enumerate(phis)) {
    phi->replaceAllUsesWith(b.CreateExtractElement(all, number));
    phi->eraseFromParent();
  }
}

bool packBlock(llvm::BasicBlock& block) {
  llvm::SmallVector<llvm::PHINode*> phis;
  for (llvm::PHINode& phi : block.phis())
    phis.push_back(&phi);
  bool hasChanged = false;
  for (size_t at = 0; at < phis.size();) {
    unsigned count = elementsOfWord(*phis[at]->getType());
    Phis next = Phis(phis).drop_front(at).take_front(count);
    bool isSame = next.size() == count && llvm::all_of(next, [&](llvm::PHINode* phi) {
                    return phi->getType() == phis[at]->getType();
                  });
    if (count == 1 || !isSame || !isWord(next)) {
      ++at;
      continue;
    }
    pack(next);
    hasChanged = true;
    at += count;
  }
  return hasChanged;
}

} // namespace

llvm::PreservedAnalyses PackedPhisPass::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager&) {
  bool hasChanged = false;
  for (llvm::BasicBlock& block : function)
    hasChanged |= packBlock(block);
  return backend::keptAfter(hasChanged);
}

} // namespace gluond::amdgpu
