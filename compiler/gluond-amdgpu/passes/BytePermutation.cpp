#include "gluond-amdgpu/passes/BytePermutation.h"

#include "backend/PassHelpers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Transforms/Utils/Local.h>

namespace gluond::amdgpu {

namespace {

constexpr unsigned bytesOfWord = 4;

bool isVectorOfBytes(llvm::Type* type, unsigned multiple) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getElementType()->isIntegerTy(8) &&
         vector->getNumElements() % multiple == 0;
}

// A byte of a vector.
struct Byte {
  llvm::Value* vector;
  unsigned number;
};

using Bytes = llvm::SmallVector<Byte, bytesOfWord>;

// The bytes that a vector of four is put together from; nothing where some are not bytes of
// vectors.
std::optional<Bytes> bytesOf(llvm::Value* vector) {
  Bytes bytes(bytesOfWord, {nullptr, 0});
  while (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(vector)) {
    auto* at = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    auto* from = llvm::dyn_cast<llvm::ExtractElementInst>(insert->getOperand(1));
    auto* number = from ? llvm::dyn_cast<llvm::ConstantInt>(from->getIndexOperand()) : nullptr;
    if (!at || !number || !isVectorOfBytes(from->getVectorOperandType(), bytesOfWord))
      return std::nullopt;
    Byte& byte = bytes[at->getZExtValue()];
    if (!byte.vector)
      byte = {from->getVectorOperand(), static_cast<unsigned>(number->getZExtValue())};
    vector = insert->getOperand(0);
  }
  bool isWhole = llvm::isa<llvm::PoisonValue>(vector) &&
                 llvm::all_of(bytes, [](const Byte& byte) { return byte.vector; });
  return isWhole ? std::optional(bytes) : std::nullopt;
}

// Puts a word together. Bytes 0 to 3 of the instruction are those of its second operand, 4 to 7
// those of its first.
llvm::Value* permuted(llvm::IRBuilder<>& b, llvm::ArrayRef<Byte> bytes) {
  llvm::SmallVector<std::pair<llvm::Value*, unsigned>, bytesOfWord> words; // vectors' words
  llvm::SmallVector<unsigned, bytesOfWord> wordOf, byteOf;
  for (const Byte& byte : bytes) {
    std::pair<llvm::Value*, unsigned> word(byte.vector, byte.number / bytesOfWord);
    if (!llvm::is_contained(words, word)) words.push_back(word);
    wordOf.push_back(static_cast<unsigned>(llvm::find(words, word) - words.begin()));
    byteOf.push_back(byte.number % bytesOfWord);
  }
  llvm::SmallVector<llvm::Value*, bytesOfWord> values;
  for (auto [vector, number] : words) {
    unsigned count =
        llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements() / bytesOfWord;
    llvm::Type* word = b.getInt32Ty();
    values.push_back(
        count == 1 ? b.CreateBitCast(vector, word)
                   : b.CreateExtractElement(
                         b.CreateBitCast(vector, llvm::FixedVectorType::get(word, count)), number));
  }
  auto permute = [&](llvm::Value* high, llvm::Value* low, uint32_t selector) {
    return b.CreateIntrinsic(llvm::Intrinsic::amdgcn_perm, {}, {high, low, b.getInt32(selector)});
  };
  // The bytes that come from the words from `first` on, of two; zeros elsewhere.
  auto selectorOf = [&](unsigned first) {
    constexpr uint32_t zero = 12;
    uint32_t selector = 0;
    for (unsigned i = 0; i < bytesOfWord; ++i) {
      bool isHere = wordOf[i] / 2 * 2 == first;
      selector |= (isHere ? byteOf[i] + bytesOfWord * (wordOf[i] % 2) : zero) << 8 * i;
    }
    return selector;
  };
  auto ofTwo = [&](unsigned first) {
    llvm::Value *low = values[first], *high = first + 1 < values.size() ? values[first + 1] : low;
    constexpr uint32_t inOrder = 0x03020100;
    uint32_t selector = selectorOf(first);
    return selector == inOrder ? low : permute(high, low, selector);
  };
  if (values.size() <= 2) return ofTwo(0);
  return b.CreateOr(ofTwo(0), ofTwo(2));
}

} // namespace

llvm::PreservedAnalyses BytePermutationPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<std::pair<llvm::BitCastInst*, Bytes>> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
    if (!cast || !cast->getType()->isIntegerTy(32) ||
        !isVectorOfBytes(cast->getSrcTy(), bytesOfWord))
      continue;
    if (auto bytes = bytesOf(cast->getOperand(0))) found.push_back({cast, std::move(*bytes)});
  }
  for (auto& [cast, bytes] : found) {
    llvm::IRBuilder<> b(cast);
    cast->replaceAllUsesWith(permuted(b, bytes));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(cast);
  }
  return backend::keptAfter(!found.empty());
}

} // namespace gluond::amdgpu
