#include "backend/nvidia/StoreOrder.h"

#include "backend/PassHelpers.h"
#include "backend/nvidia/Assembly.h"
#include "backend/nvidia/registers/RegisterPressure.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace gluond::backend::nvidia {

namespace {

// How many registers the block's own values take.
struct Registers {
  unsigned most = 0; // at once
  uint64_t sum = 0;  // over all instructions
};

// Whether a product becomes part of the sum that uses it: of both, one instruction is made, and the
// product takes no register.
bool isPartOfSum(const llvm::Instruction& product) {
  if (product.getOpcode() != llvm::Instruction::FMul || !product.hasOneUse()) return false;
  auto* sum = llvm::cast<llvm::Instruction>(*product.user_begin());
  return sum->getParent() == product.getParent() && (sum->getOpcode() == llvm::Instruction::FAdd ||
                                                     sum->getOpcode() == llvm::Instruction::FSub);
}

Registers registersIn(llvm::BasicBlock& block, bool fusesMultiplyAdd) {
  const llvm::DataLayout& layout = block.getDataLayout();
  llvm::SmallPtrSet<llvm::Instruction*, 32> live;
  unsigned now = 0;
  auto hasNone = [&](const llvm::Instruction& value) {
    return fusesMultiplyAdd && isPartOfSum(value);
  };
  auto need = [&](llvm::Instruction& value) {
    if (live.insert(&value).second) now += registersOf(value.getType(), layout);
  };
  auto needOf = [&](auto& self, llvm::Instruction& user) -> void {
    for (llvm::Value* operand : user.operands())
      if (auto* value = llvm::dyn_cast<llvm::Instruction>(operand);
          value && value->getParent() == &block)
        hasNone(*value) ? self(self, *value) : need(*value);
  };
  for (llvm::Instruction& instruction : block)
    if (instruction.isUsedOutsideOfBlock(&block)) need(instruction);
  Registers taken{now, 0};
  for (llvm::Instruction& instruction : llvm::reverse(block)) {
    if (live.erase(&instruction)) now -= registersOf(instruction.getType(), layout);
    if (llvm::isa<llvm::PHINode>(instruction) || hasNone(instruction)) continue;
    needOf(needOf, instruction);
    taken.most = std::max(taken.most, now);
    taken.sum += now;
  }
  return taken;
}

// What is put into the order of the stores.
enum class Moved : uint8_t {
  Data,      // what is made of loaded values
  AllOfData, // also what only that is made of, such as random numbers
};

// Whether code with `after` is better than with `before`: by far, because ptxas orders a block of
// few registers well by itself, and is led to delay loads until after stores by an order that gains
// nothing. (Measured on an H200: an outer product that is added to a matrix takes 77 registers and
// 544 us in the order of the stores, 56 and 342 us in the order of the operations.) While a
// multiprocessor has enough registers for all of its threads, the sum counts instead of the most.
bool isBetter(const Registers& after, const Registers& before, bool exchanges, Moved moved) {
  constexpr unsigned enoughForAllThreads = 32, many = 64;
  if (moved == Moved::AllOfData)
    return before.most > enoughForAllThreads && after.most * 100 <= before.most * 80;
  if (before.most > many || exchanges) return after.most * 100 <= before.most * 90;
  return std::max(before.most, after.most) <= enoughForAllThreads &&
         after.sum * 100 <= before.sum * 95;
}

// The place that a store writes: `offset` bytes after `base`.
struct Place {
  llvm::Value* base = nullptr;
  int64_t offset = 0;

  bool isInSectorOf(const Place& other) const {
    constexpr int64_t bytesOfSector = 32;
    return base && base == other.base && std::abs(offset - other.offset) < bytesOfSector;
  }
};

Place placeOf(llvm::Instruction& store) {
  const llvm::DataLayout& layout = store.getDataLayout();
  Place place;
  if (auto* plain = llvm::dyn_cast<llvm::StoreInst>(&store)) {
    place.base = plain->getPointerOperand();
  } else {
    auto& call = llvm::cast<llvm::CallInst>(store);
    auto* address = llvm::find_if(
        call.args(), [](llvm::Value* value) { return value->getType()->isPointerTy(); });
    if (address == call.arg_end()) return {};
    place = {*address, offsetOf(call)};
  }
  llvm::APInt offset(layout.getIndexTypeSizeInBits(place.base->getType()), 0);
  place.base = place.base->stripAndAccumulateConstantOffsets(layout, offset, true);
  place.offset += offset.getSExtValue();
  return place;
}

// Whether the instruction gives a thread what others have.
bool isExchange(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->isConvergent() && !call->isInlineAsm();
}

class Order {
public:
  Order(llvm::BasicBlock& block, Moved moved, bool fusesMultiplyAdd)
      : block_(block), moved_(moved), fusesMultiplyAdd_(fusesMultiplyAdd) {}

  // Returns the registers of the new order, also where it was given up because it is no better than
  // `before`, the order of the block or another one that was tried.
  Registers run(Registers before) {
    collect();
    if (waiting_.empty()) return before;
    llvm::SmallVector<llvm::Instruction*> original;
    for (llvm::Instruction& instruction : block_) {
      numbers_[&instruction] = static_cast<unsigned>(original.size());
      original.push_back(&instruction);
    }
    place(original);
    Registers after = registersIn(block_, fusesMultiplyAdd_);
    if (!isBetter(after, before, exchanges_, moved_))
      for (llvm::Instruction* instruction : original)
        if (!llvm::isa<llvm::PHINode>(instruction)) instruction->moveBefore(block_, block_.end());
    return after;
  }

private:
  // An instruction and how many of its operands have been visited.
  using Visit = std::pair<llvm::Instruction*, unsigned>;

  // What is made of loaded values, or of others that stay where they are, and only for stores.
  // Addresses and masks stay: ptxas merges loads and stores by them.
  void collect() {
    llvm::SmallPtrSet<llvm::Instruction*, 32> ofData;
    auto isData = [&](llvm::Value* value) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
      return instruction && ofData.contains(instruction);
    };
    for (llvm::Instruction& instruction : block_)
      if (!llvm::isa<llvm::PHINode>(instruction) &&
          (!isMovable(instruction) || llvm::any_of(instruction.operands(), isData))) {
        exchanges_ |= isExchange(instruction) && llvm::any_of(instruction.operands(), isData);
        ofData.insert(&instruction);
      }
    for (llvm::Instruction& instruction : llvm::reverse(block_)) {
      bool mayBeStored = ofData.contains(&instruction);
      if (!isMovable(instruction) || (!mayBeStored && moved_ == Moved::Data)) continue;
      if (llvm::all_of(instruction.users(), [&](llvm::User* user) {
            auto* at = llvm::cast<llvm::Instruction>(user);
            return at->getParent() == &block_ &&
                   ((mayBeStored && storesGlobally(*at)) || waiting_.contains(at));
          }))
        waiting_.insert(&instruction);
    }
  }

  // Stores of one sector stay together: a sector that is written in parts apart is written twice.
  void place(llvm::ArrayRef<llvm::Instruction*> original) {
    llvm::Instruction* first = nullptr; // store of a sector
    Place sector;
    for (llvm::Instruction* instruction : original) {
      if (isMovable(*instruction)) continue;
      if (!storesGlobally(*instruction)) {
        first = nullptr;
        continue;
      }
      if (Place here = placeOf(*instruction); !first || !here.isInSectorOf(sector)) {
        first = instruction;
        sector = here;
      }
      for (llvm::Value* operand : instruction->operands())
        if (auto* needed = llvm::dyn_cast<llvm::Instruction>(operand)) place(*needed, *first);
    }
  }

  // Whether the instruction does not stand before the store yet. Between stores of a sector there
  // are only instructions that can be moved.
  bool isMissing(llvm::Instruction& instruction, unsigned store) {
    if (waiting_.contains(&instruction)) return true;
    auto number = numbers_.find(&instruction); // none: of another block
    return number != numbers_.end() && number->second > store;
  }

  void place(llvm::Instruction& last, llvm::Instruction& before) {
    unsigned store = numbers_.lookup(&before);
    llvm::SmallVector<Visit> visits{{&last, 0}};
    while (!visits.empty()) {
      auto& [instruction, next] = visits.back();
      if (!isMissing(*instruction, store)) {
        visits.pop_back();
        continue;
      }
      if (next < instruction->getNumOperands()) {
        if (auto* needed = llvm::dyn_cast<llvm::Instruction>(instruction->getOperand(next++)))
          visits.emplace_back(needed, 0);
        continue;
      }
      waiting_.erase(instruction);
      numbers_[instruction] = store;
      instruction->moveBefore(before.getIterator());
      visits.pop_back();
    }
  }

  llvm::BasicBlock& block_;
  Moved moved_;
  bool fusesMultiplyAdd_;
  llvm::SmallPtrSet<llvm::Instruction*, 32> waiting_; // for the stores that need them
  // In the original order; a moved one has the number of the store that it moved to.
  llvm::DenseMap<llvm::Instruction*, unsigned> numbers_;
  bool exchanges_ = false; // threads pass on what is made of loaded values
};

} // namespace

void orderByStores(llvm::Function& function, bool fusesMultiplyAdd) {
  for (llvm::BasicBlock& block : function) {
    Registers before = registersIn(block, fusesMultiplyAdd),
              data = Order(block, Moved::Data, fusesMultiplyAdd).run(before);
    // What comes of moving everything counts beside what the order of the data alone would give.
    if (data.most < before.most) before = data;
    Order(block, Moved::AllOfData, fusesMultiplyAdd).run(before);
  }
}

} // namespace gluond::backend::nvidia
