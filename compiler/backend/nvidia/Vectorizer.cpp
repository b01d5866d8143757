#include "backend/nvidia/Vectorizer.h"

#include "backend/Analyses.h"
#include "backend/nvidia/rounding/LibraryBranches.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/NVPTXAddrSpace.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

namespace gluond::backend::nvidia {

namespace {

// What a load brings, in the words that the registers of Triton's assembly have: of 32 bits, or as
// wide as one element if that is more, or as the whole if that is less.
struct Words {
  llvm::Type* word;
  unsigned count;
};

std::optional<Words> wordsOf(const llvm::LoadInst& load) {
  const llvm::DataLayout& layout = load.getDataLayout();
  llvm::Type* type = load.getType();
  if (!type->getScalarType()->isFloatingPointTy()) return std::nullopt;
  uint64_t whole = layout.getTypeSizeInBits(type).getFixedValue();
  uint64_t element = layout.getTypeSizeInBits(type->getScalarType()).getFixedValue();
  uint64_t word = std::min(whole, std::max<uint64_t>(32, element));
  if (word > 64 || whole % word != 0) return std::nullopt;
  return Words{llvm::Type::getIntNTy(load.getContext(), static_cast<unsigned>(word)),
               static_cast<unsigned>(whole / word)};
}

bool isTakenApart(const llvm::LoadInst& load) {
  return !load.getType()->isVectorTy() || llvm::all_of(load.users(), [](const llvm::User* user) {
    auto* part = llvm::dyn_cast<llvm::ExtractElementInst>(user);
    return part && llvm::isa<llvm::ConstantInt>(part->getIndexOperand());
  });
}

// Hides that numbers were loaded side by side from global memory. To the vectorizers, Triton's
// loads are assembly of which they know nothing, so that a vector of what it loads costs an
// instruction for each element.
class HiddenLoads {
public:
  explicit HiddenLoads(llvm::Function& function) {
    llvm::SmallVector<llvm::LoadInst*> loads;
    for (llvm::Instruction& each : llvm::instructions(function))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&each);
          load && load->getPointerAddressSpace() == llvm::NVPTXAS::ADDRESS_SPACE_GLOBAL &&
          isTakenApart(*load))
        loads.push_back(load);
    for (llvm::LoadInst* load : loads)
      if (auto words = wordsOf(*load)) hide(*load, *words);
  }

  void show() {
    for (auto [assembly, load, words] : hidden_) {
      llvm::IRBuilder<> b(assembly);
      llvm::Type* type =
          words.count == 1 ? words.word : llvm::FixedVectorType::get(words.word, words.count);
      llvm::Value* whole = b.CreateBitCast(load, type);
      if (words.count == 1) assembly->replaceAllUsesWith(whole);
      for (llvm::User* user : llvm::make_early_inc_range(assembly->users())) {
        auto* part = llvm::cast<llvm::ExtractValueInst>(user);
        part->replaceAllUsesWith(b.CreateExtractElement(whole, part->getIndices().front()));
        part->eraseFromParent();
      }
      assembly->eraseFromParent();
    }
  }

private:
  struct Hidden {
    llvm::CallInst* assembly;
    llvm::LoadInst* load;
    Words words;
  };

  void hide(llvm::LoadInst& load, const Words& words) {
    llvm::SmallVector<llvm::User*> users(load.users());
    llvm::IRBuilder<> b(load.getParent(), std::next(load.getIterator()));
    b.SetCurrentDebugLocation(load.getDebugLoc());
    llvm::SmallVector<llvm::Type*> parts(words.count, words.word);
    llvm::Type* results =
        words.count == 1 ? words.word : llvm::StructType::get(b.getContext(), parts);
    std::string constraints;
    for (unsigned i = 0; i < words.count; ++i)
      constraints += "=r,";
    auto* type = llvm::FunctionType::get(results, {load.getType()}, false);
    llvm::CallInst* assembly =
        b.CreateCall(type, llvm::InlineAsm::get(type, "", constraints + "r", true), {&load});
    hidden_.push_back({assembly, &load, words});

    // The words, and each number from its own.
    unsigned bits = words.word->getIntegerBitWidth(),
             perWord = bits / load.getType()->getScalarSizeInBits();
    llvm::Type* element = load.getType()->getScalarType();
    llvm::Type* contents = perWord == 1 ? element : llvm::FixedVectorType::get(element, perWord);
    llvm::SmallVector<llvm::Value*> apart;
    for (unsigned i = 0; i < words.count; ++i)
      apart.push_back(b.CreateBitCast(
          words.count == 1 ? assembly : b.CreateExtractValue(assembly, i), contents));
    if (!load.getType()->isVectorTy()) {
      for (llvm::User* user : users)
        user->replaceUsesOfWith(&load, apart.front());
      return;
    }
    for (llvm::User* user : users) {
      auto* part = llvm::cast<llvm::ExtractElementInst>(user);
      uint64_t index = llvm::cast<llvm::ConstantInt>(part->getIndexOperand())->getZExtValue();
      llvm::Value* one = apart[index / perWord];
      if (perWord > 1) {
        b.SetInsertPoint(part);
        one = b.CreateExtractElement(one, index % perWord);
      }
      part->replaceAllUsesWith(one);
      part->eraseFromParent();
    }
  }

  llvm::SmallVector<Hidden> hidden_;
};

// Two floats that are narrowed by one instruction. Triton narrows them one by one: its vectorizers
// begin with the pair, and go from there to what the two numbers are computed of.
void narrowOneByOne(llvm::Function& function) {
  for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* narrow = llvm::dyn_cast<llvm::FPTruncInst>(&each);
    auto* type = narrow ? llvm::dyn_cast<llvm::FixedVectorType>(narrow->getType()) : nullptr;
    if (!type) continue;
    llvm::IRBuilder<> b(narrow);
    llvm::Value* all = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
      llvm::Value* one = llvm::findScalarElement(narrow->getOperand(0), i);
      if (!one) one = b.CreateExtractElement(narrow->getOperand(0), i);
      all = b.CreateInsertElement(all, b.CreateFPTrunc(one, type->getElementType()), i);
    }
    llvm::Value* wide = narrow->getOperand(0);
    narrow->replaceAllUsesWith(all);
    narrow->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(wide);
  }
}

// Gives each function of NVIDIA's library a block of its own (rounding/LibraryBranches.h): numbers
// of different blocks do not become a vector.
class Borders {
public:
  explicit Borders(llvm::Function& function) {
    llvm::SmallVector<llvm::Instruction*> found;
    for (llvm::Instruction& each : llvm::instructions(function))
      if (isFoundByBranch(each)) found.push_back(&each);
    for (llvm::Instruction* each : llvm::reverse(found)) {
      after_.push_back(llvm::SplitBlock(each->getParent(), std::next(each->getIterator())));
      after_.push_back(llvm::SplitBlock(each->getParent(), each->getIterator()));
    }
  }
  void remove() {
    for (llvm::BasicBlock* block : llvm::reverse(after_))
      llvm::MergeBlockIntoPredecessor(block);
  }

private:
  llvm::SmallVector<llvm::BasicBlock*> after_;
};

// A sum of pairs of which one number is used is that number's sum: a pair takes two registers side
// by side for each operand. VectorCombine makes them of the last sum of a reduction.
void sumOneNumber(llvm::Function& function) {
  llvm::SmallVector<llvm::WeakTrackingVH> unused;
  for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* part = llvm::dyn_cast<llvm::ExtractElementInst>(&each);
    if (!part || !llvm::isa<llvm::ConstantInt>(part->getIndexOperand())) continue;
    auto* pairs = llvm::dyn_cast<llvm::BinaryOperator>(part->getVectorOperand());
    if (!pairs || !pairs->hasOneUse() || !pairs->getType()->isFPOrFPVectorTy()) continue;
    unsigned index = static_cast<unsigned>(
        llvm::cast<llvm::ConstantInt>(part->getIndexOperand())->getZExtValue());
    llvm::IRBuilder<> b(part);
    auto number = [&](llvm::Value* operand) {
      llvm::Value* one = llvm::findScalarElement(operand, index);
      if (one) return one;
      if (auto* moved = llvm::dyn_cast<llvm::ShuffleVectorInst>(operand))
        if (int from = moved->getMaskValue(index); from >= 0) {
          int count =
              llvm::cast<llvm::FixedVectorType>(moved->getOperand(0)->getType())->getNumElements();
          return b.CreateExtractElement(moved->getOperand(from < count ? 0 : 1),
                                        uint64_t(from % count));
        }
      return b.CreateExtractElement(operand, index);
    };
    llvm::Value* one = b.CreateBinOp(pairs->getOpcode(), number(pairs->getOperand(0)),
                                     number(pairs->getOperand(1)));
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(one)) made->copyIRFlags(pairs);
    part->replaceAllUsesWith(one);
    unused.push_back(part);
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
}

} // namespace

llvm::PreservedAnalyses Vectorizer::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  // Analyses of its own: those of the pipeline know the target's costs.
  llvm::PassBuilder builder;
  Analyses analyses(builder);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SLPVectorizerPass());
  passes.addPass(llvm::VectorCombinePass());
  narrowOneByOne(function);
  HiddenLoads loads(function);
  Borders borders(function);
  passes.run(function, analyses.functions);
  borders.remove();
  loads.show();
  sumOneNumber(function);
  return llvm::PreservedAnalyses::none();
}

// x - a * 3 of pairs is x + a * -3, which rounds alike: no instruction for pairs changes the signs
// of its operands, and a number whose sign is changed apart takes a register more.
void negateConstantsOfPairs(llvm::Function& function) {
  for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (each.getOpcode() != llvm::Instruction::FSub || !each.getType()->isVectorTy()) continue;
    auto* product = llvm::dyn_cast<llvm::BinaryOperator>(each.getOperand(1));
    if (!product || product->getOpcode() != llvm::Instruction::FMul || !product->hasOneUse())
      continue;
    auto* factor = llvm::dyn_cast<llvm::Constant>(product->getOperand(1));
    llvm::Constant* negative = factor ? llvm::ConstantFoldUnaryOpOperand(
                                            llvm::Instruction::FNeg, factor, each.getDataLayout())
                                      : nullptr;
    if (!negative) continue;
    product->setOperand(1, negative);
    llvm::IRBuilder<> b(&each);
    llvm::Value* sum = b.CreateFAddFMF(each.getOperand(0), product, &each);
    each.replaceAllUsesWith(sum);
    each.eraseFromParent();
  }
}

} // namespace gluond::backend::nvidia
