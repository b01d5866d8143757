#include "backend/nvidia/ByteFloats.h"

#include "backend/PassHelpers.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/Local.h>

namespace gluond::backend::nvidia {

namespace {

constexpr unsigned bitsOfByte = 8, bytesOfWord = 4, signOfByte = 0x80, signsOfWord = 0x80808080;

// The number that a byte is the lowest bits of: its bits above the byte, and its value. Both types
// have zeros between the byte and its uppermost byte.
struct Base {
  uint32_t upperByte;
  double value;
};
constexpr Base ofSingle{0x4b, 8388608}, ofHalf{0x64, 1024};

// A byte of a vector, and the word of the vector that it is part of.
struct Place {
  llvm::Value* vector;
  unsigned word, byte;
};

// Where a vector has an element that others before it may hand on.
Place placeIn(llvm::Value* vector, unsigned index) {
  while (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector)) {
    int from = shuffle->getMaskValue(index);
    auto* first = llvm::dyn_cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType());
    if (from < 0 || !first) break;
    auto count = static_cast<int>(first->getNumElements());
    vector = shuffle->getOperand(from < count ? 0 : 1);
    index = static_cast<unsigned>(from < count ? from : from - count);
  }
  return {vector, index / bytesOfWord, index % bytesOfWord};
}

std::optional<Place> placeOf(llvm::Value* byte) {
  auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(byte);
  auto* index = extract ? llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand()) : nullptr;
  if (!index) return std::nullopt;
  Place place = placeIn(extract->getVectorOperand(), static_cast<unsigned>(index->getZExtValue()));
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(place.vector->getType());
  unsigned count = type ? type->getNumElements() : 0;
  bool isOfWords = count == 2 || (count && count % bytesOfWord == 0);
  return isOfWords && place.word * bytesOfWord + place.byte < count ? std::optional(place)
                                                                    : std::nullopt;
}

// Makes the floats of a cast.
class Maker {
public:
  explicit Maker(llvm::CastInst& cast)
      : b_(&cast), type_(cast.getType()->getScalarType()),
        isSigned_(cast.getOpcode() == llvm::Instruction::SIToFP) {}

  llvm::Value* make(llvm::Value* byte) {
    bool isHalf = type_->isHalfTy();
    const Base& base = isHalf ? ofHalf : ofSingle;
    double added = base.value + (isSigned_ ? signOfByte : 0);
    std::optional<Place> place = placeOf(byte);
    if (!place) return b_.CreateFSub(alone(byte, base), llvm::ConstantFP::get(type_, added));
    llvm::Value* word = wordOf(*place);
    if (!isHalf) {
      llvm::Value* number = permuted(word, base, 0x4550 + place->byte);
      return b_.CreateFSub(b_.CreateBitCast(number, type_), llvm::ConstantFP::get(type_, added));
    }
    // Both bytes of a half of the word: the other one is most likely converted, too.
    const unsigned first = place->byte & ~1u;
    llvm::Value* numbers = permuted(word, base, 0x4040 + first + ((first + 1) << 8));
    auto* pair = llvm::FixedVectorType::get(type_, 2);
    llvm::Value* both =
        b_.CreateFSub(b_.CreateBitCast(numbers, pair), llvm::ConstantFP::get(pair, added));
    return b_.CreateExtractElement(both, uint64_t{place->byte & 1});
  }

private:
  // A byte in the lowest bits of the number, without the word that it comes from.
  llvm::Value* alone(llvm::Value* byte, const Base& base) {
    llvm::Type* bits = b_.getIntNTy(type_->getPrimitiveSizeInBits());
    uint64_t number = uint64_t{base.upperByte} << (type_->getPrimitiveSizeInBits() - bitsOfByte);
    llvm::Value* moved =
        b_.CreateXor(b_.CreateZExt(byte, bits), number | (isSigned_ ? signOfByte : 0));
    return b_.CreateBitCast(moved, type_);
  }

  // The word with its bytes as numbers without a sign.
  llvm::Value* wordOf(const Place& place) {
    auto* type = llvm::cast<llvm::FixedVectorType>(place.vector->getType());
    llvm::Value* word = nullptr;
    if (type->getNumElements() < bytesOfWord) {
      word = b_.CreateZExt(b_.CreateBitCast(place.vector, b_.getInt16Ty()), b_.getInt32Ty());
    } else if (unsigned count = type->getNumElements() / bytesOfWord; count == 1) {
      word = b_.CreateBitCast(place.vector, b_.getInt32Ty());
    } else {
      word = b_.CreateBitCast(place.vector, llvm::FixedVectorType::get(b_.getInt32Ty(), count));
      word = b_.CreateExtractElement(word, uint64_t{place.word});
    }
    return isSigned_ ? b_.CreateXor(word, signsOfWord) : word;
  }

  // Four bytes of eight: those of the word, then the upper byte of the number and three zeros.
  llvm::Value* permuted(llvm::Value* word, const Base& base, unsigned selection) {
    return b_.CreateIntrinsic(llvm::Intrinsic::nvvm_prmt, {},
                              {word, b_.getInt32(base.upperByte), b_.getInt32(selection)});
  }

  llvm::IRBuilder<> b_;
  llvm::Type* type_;
  bool isSigned_;
};

bool makesFloatOfByte(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(instruction)) return false;
  llvm::Type *from = instruction.getOperand(0)->getType(), *to = instruction.getType();
  return from->getScalarType()->isIntegerTy(bitsOfByte) &&
         (to->getScalarType()->isFloatTy() || to->getScalarType()->isHalfTy());
}

llvm::Value* withoutConversion(llvm::CastInst& cast) {
  Maker maker(cast);
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(cast.getType());
  if (!type) return maker.make(cast.getOperand(0));
  llvm::IRBuilder<> builder(&cast);
  llvm::Value* floats = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    llvm::Value* byte = llvm::findScalarElement(cast.getOperand(0), i);
    if (!byte) byte = builder.CreateExtractElement(cast.getOperand(0), i);
    floats = builder.CreateInsertElement(floats, maker.make(byte), i);
  }
  return floats;
}

} // namespace

llvm::PreservedAnalyses ByteFloats::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::CastInst*> casts;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (makesFloatOfByte(instruction)) casts.push_back(llvm::cast<llvm::CastInst>(&instruction));
  for (llvm::CastInst* cast : casts) {
    cast->replaceAllUsesWith(withoutConversion(*cast));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(cast);
  }
  return keptAfter(!casts.empty());
}

} // namespace gluond::backend::nvidia
