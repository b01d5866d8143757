#include "backend/nvidia/MadWide.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Pass.h>

#include <map>
#include <optional>
#include <tuple>

namespace gluond::backend::nvidia {

namespace {

// What an address adds to its base: factor * extended(number), where `number` has 32 bits.
struct Product {
  llvm::Value* number;
  uint64_t factor;
  bool isSigned;

  auto key() const { return std::make_tuple(number, factor, isSigned); }
};

// Skips freezes, which become no instruction.
llvm::Value* unfrozen(llvm::Value* value) {
  while (auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(value))
    value = frozen->getOperand(0);
  return value;
}

// The product that the address adds to its base, if one instruction can make both.
std::optional<Product> productOf(const llvm::GetElementPtrInst& address) {
  const llvm::DataLayout& layout = address.getDataLayout();
  if (address.getNumIndices() != 1 || !address.getType()->isPointerTy() ||
      layout.getPointerTypeSizeInBits(address.getType()) != 64 ||
      llvm::isa<llvm::Constant>(address.getPointerOperand()))
    return std::nullopt;
  uint64_t factor = layout.getTypeAllocSize(address.getSourceElementType()).getFixedValue();
  llvm::Value* index = unfrozen(address.getOperand(1));
  if (auto* multiple = llvm::dyn_cast<llvm::BinaryOperator>(index)) {
    auto* by = llvm::dyn_cast<llvm::ConstantInt>(multiple->getOperand(1));
    if (!by || by->isNegative() || by->getValue().getActiveBits() > 31) return std::nullopt;
    if (multiple->getOpcode() == llvm::Instruction::Mul)
      factor *= by->getZExtValue();
    else if (multiple->getOpcode() == llvm::Instruction::Shl && by->getZExtValue() < 31)
      factor <<= by->getZExtValue();
    else
      return std::nullopt;
    if (multiple->getParent() != address.getParent()) return std::nullopt;
    index = unfrozen(multiple->getOperand(0));
  }
  // A number of another block is extended already.
  auto* extended = llvm::dyn_cast<llvm::CastInst>(index);
  if (!extended || extended->getParent() != address.getParent() ||
      !extended->getSrcTy()->isIntegerTy(32))
    return std::nullopt;
  bool isSigned = extended->getOpcode() == llvm::Instruction::SExt;
  if ((!isSigned && extended->getOpcode() != llvm::Instruction::ZExt) || factor < 2 ||
      factor > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return Product{extended->getOperand(0), factor, isSigned};
}

class MadWide : public llvm::FunctionPass {
public:
  static char id;
  MadWide() : FunctionPass(id) {}

  bool runOnFunction(llvm::Function& function) override {
    llvm::SmallVector<std::pair<llvm::GetElementPtrInst*, Product>> found;
    std::map<decltype(std::declval<Product>().key()), unsigned> uses;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
        if (std::optional<Product> product = productOf(*address)) {
          found.emplace_back(address, *product);
          ++uses[product->key()];
        }
    bool isChanged = false;
    for (auto& [address, product] : found) {
      if (uses[product.key()] > 1) continue; // made once for all of these addresses
      fuse(*address, product);
      isChanged = true;
    }
    return isChanged;
  }
  llvm::StringRef getPassName() const override { return "sums of addresses and wide products"; }

private:
  static void fuse(llvm::GetElementPtrInst& address, const Product& product) {
    llvm::IRBuilder<> b(&address);
    llvm::Value* base = address.getPointerOperand();
    auto* type =
        llvm::FunctionType::get(address.getType(), {b.getInt32Ty(), base->getType()}, false);
    std::string text = std::string("mad.wide.") + (product.isSigned ? "s32" : "u32") + " $0, $1, " +
                       std::to_string(product.factor) + ", $2;";
    llvm::CallInst* sum =
        b.CreateCall(llvm::InlineAsm::get(type, text, "=l,r,l", false), {product.number, base});
    sum->setDoesNotAccessMemory();
    sum->setDoesNotThrow();
    address.replaceAllUsesWith(sum);
    address.eraseFromParent(); // instructions are selected for what has uses alone
  }
};

char MadWide::id = 0;

} // namespace

llvm::FunctionPass* createMadWidePass() {
  return new MadWide;
}

} // namespace gluond::backend::nvidia
