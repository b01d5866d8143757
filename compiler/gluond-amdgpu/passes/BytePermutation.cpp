#include "gluond-amdgpu/passes/BytePermutation.h"

#include "backend/PassHelpers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

namespace gluond::amdgpu {

namespace {

constexpr unsigned bytesOfWord = 4;

bool isVectorOfBytes(llvm::Type* type, unsigned multiple) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getElementType()->isIntegerTy(8) &&
         vector->getNumElements() % multiple == 0;
}

// A byte of a vector of bytes, or of a word.
struct Byte {
  llvm::Value* from;
  unsigned number;
};

using Bytes = llvm::SmallVector<Byte, 2 * bytesOfWord>;

// The element of a vector of bytes, through what the vector is put together from.
std::optional<Byte> elementOf(llvm::Value* vector, unsigned number);

std::optional<Byte> byteOf(llvm::Value* byte) {
  if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(byte)) {
    auto* number = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
    if (!number || !isVectorOfBytes(extract->getVectorOperandType(), 1)) return std::nullopt;
    return elementOf(extract->getVectorOperand(), static_cast<unsigned>(number->getZExtValue()));
  }
  using namespace llvm::PatternMatch;
  llvm::Value* word = nullptr;
  uint64_t shift = 0;
  if (!match(byte, m_Trunc(m_LShr(m_Value(word), m_ConstantInt(shift)))) &&
      !match(byte, m_Trunc(m_Value(word))))
    return std::nullopt;
  if (!word->getType()->isIntegerTy(8 * bytesOfWord) || shift % 8 || shift / 8 >= bytesOfWord)
    return std::nullopt;
  // Of a word whose lowest byte alone counts, LLVM makes shifts that put it in its place.
  if (llvm::none_of(word->users(), [](llvm::User* user) {
        return match(user, m_LShr(m_Value(), m_ConstantInt()));
      }))
    return std::nullopt;
  return Byte{word, static_cast<unsigned>(shift / 8)};
}

std::optional<Byte> elementOf(llvm::Value* vector, unsigned number) {
  while (true) {
    if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(vector)) {
      auto* at = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
      if (!at) return std::nullopt;
      if (at->getZExtValue() == number) return byteOf(insert->getOperand(1));
      vector = insert->getOperand(0);
    } else if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector)) {
      int from = shuffle->getMaskValue(number);
      if (from < 0) return std::nullopt;
      auto count =
          llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements();
      number = static_cast<unsigned>(from);
      vector = shuffle->getOperand(number < count ? 0 : 1);
      if (number >= count) number -= count;
    } else if (isVectorOfBytes(vector->getType(), bytesOfWord) &&
               !llvm::isa<llvm::Constant>(vector)) {
      return Byte{vector, number};
    } else {
      return std::nullopt;
    }
  }
}

// The bytes that a vector is put together from; nothing where some are of other kinds.
std::optional<Bytes> bytesOf(llvm::Value* vector) {
  unsigned count = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  Bytes bytes;
  for (unsigned i = 0; i < count; ++i) {
    std::optional<Byte> byte = elementOf(vector, i);
    if (!byte) return std::nullopt;
    bytes.push_back(*byte);
  }
  return bytes;
}

bool isPutTogether(const llvm::Value* value) {
  return llvm::isa<llvm::InsertElementInst, llvm::ShuffleVectorInst>(value);
}

// Puts a word together. Bytes 0 to 3 of the instruction are those of its second operand, 4 to 7
// those of its first.
llvm::Value* permuted(llvm::IRBuilder<>& b, llvm::ArrayRef<Byte> bytes) {
  llvm::SmallVector<std::pair<llvm::Value*, unsigned>, bytesOfWord> words;
  llvm::SmallVector<unsigned, bytesOfWord> wordOf, byteOf;
  for (const Byte& byte : bytes) {
    std::pair<llvm::Value*, unsigned> word(byte.from, byte.number / bytesOfWord);
    if (!llvm::is_contained(words, word)) words.push_back(word);
    wordOf.push_back(static_cast<unsigned>(llvm::find(words, word) - words.begin()));
    byteOf.push_back(byte.number % bytesOfWord);
  }
  llvm::SmallVector<llvm::Value*, bytesOfWord> values;
  for (auto [vector, number] : words) {
    if (!vector->getType()->isVectorTy()) {
      values.push_back(vector);
      continue;
    }
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
  // Whole vectors: those of which no other one is put together.
  llvm::SmallVector<llvm::WeakVH> whole;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (isPutTogether(&instruction) && isVectorOfBytes(instruction.getType(), bytesOfWord) &&
        llvm::none_of(instruction.users(), [](const llvm::User* user) {
          return isPutTogether(user) || llvm::isa<llvm::ExtractElementInst>(user);
        }))
      whole.push_back(&instruction);
  bool hasChanged = false;
  for (llvm::Value* value : whole) {
    if (!value) continue; // another one's bytes were its only use
    auto* last = llvm::cast<llvm::Instruction>(value);
    std::optional<Bytes> bytes = bytesOf(last);
    if (!bytes) continue;
    hasChanged = true;
    llvm::IRBuilder<> b(last->getNextNode());
    b.SetCurrentDebugLocation(last->getDebugLoc());
    auto count = static_cast<unsigned>(bytes->size()) / bytesOfWord;
    llvm::Value* words = permuted(b, llvm::ArrayRef(*bytes).take_front(bytesOfWord));
    if (count > 1) {
      auto* type = llvm::FixedVectorType::get(b.getInt32Ty(), count);
      words = b.CreateInsertElement(llvm::PoisonValue::get(type), words, uint64_t{0});
      for (unsigned i = 1; i < count; ++i)
        words = b.CreateInsertElement(
            words, permuted(b, llvm::ArrayRef(*bytes).slice(size_t{i} * bytesOfWord, bytesOfWord)),
            uint64_t{i});
    }
    last->replaceAllUsesWith(b.CreateBitCast(words, last->getType()));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(last);
  }
  return backend::keptAfter(hasChanged);
}

} // namespace gluond::amdgpu
