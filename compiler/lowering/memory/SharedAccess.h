// Copies between registers and shared memory, over linear layouts.
#pragma once

#include "layout/access/MatrixAccess.h"
#include "layout/access/Padding.h"
#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

// One access: `registers` are the numbers of the tensor's registers that lie one after the other
// from `address`.
using AccessShared =
    llvm::function_ref<void(llvm::Value* address, llvm::ArrayRef<unsigned> registers)>;

struct SharedPlace {
  // Maps register, lane, warp and block to the CTA whose memory holds the element. Without it, that
  // is this CTA.
  std::optional<LinearLayout> blocks = std::nullopt;
  llvm::Value* otherBlock = nullptr; // combined with that CTA by xor; null for none
  LinearLayout offsets;              // register, lane, warp (and block) -> offset, in elements
  llvm::Value* base = nullptr;       // address of offset 0
  llvm::Value* view = nullptr;       // offset of the view, combined by xor; null for none
  ttg::PaddedSharedEncodingAttr padding = nullptr;
  unsigned elementBits = 32;
  // The most elements of one access, for which registers are taken in order.
  std::optional<int64_t> mostElements = std::nullopt;
  layout::Padding paddings() const {
    return padding ? layout::paddingOf(ir::toLayout(padding)) : layout::Padding{};
  }
};

// The addresses of elements that a thread accesses, by their offsets from the element of its
// register 0, combined by xor. `blocks` are the bits in which their CTAs differ.
class SharedAddresses {
public:
  SharedAddresses(FunctionEmitter& e, const SharedPlace& place);
  llvm::Value* at(uint64_t offset, uint64_t block = 0);

private:
  llvm::Value* flipped(uint64_t bits) const; // the address of register 0 with these bits flipped

  FunctionEmitter& e_;
  const SharedPlace& place_;
  int64_t bytes_;        // of an element
  uint64_t reached_ = 0; // the bits of offsets in which threads differ
  llvm::Value *here_, *hereBytes_, *hereAddress_;
  llvm::Value* blockHere_ = nullptr; // the CTA of register 0, where it may be another
  // By the bits in which they differ from `here_`, and in which the CTA differs from `blockHere_`.
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, llvm::Value*> flippedAddresses_;
};

// Calls `access` for accesses that together cover all registers (or those of `only`), each as wide
// as the layouts allow.
void forEachAccess(FunctionEmitter& e, const SharedPlace& place, AccessShared access,
                   OnlyOffsets onlyOffsets = {});

// For accesses in which lanes name the addresses of whole rows (or runs): calls `access` with the
// address that this lane names for each instruction, and the instruction's number.
void forEachRow(FunctionEmitter& e, const SharedPlace& place, const layout::MatrixAccess& rows,
                llvm::function_ref<void(llvm::Value* address, unsigned instruction)> access,
                OnlyOffsets onlyOffsets = {});
// Whether the view begins with a run of this many elements.
bool beginsWithRun(const SharedPlace& place, unsigned elements);

// Returns the offset with padding of the element that would be at `offset` without it.
llvm::Value* padded(FunctionEmitter& e, ttg::PaddedSharedEncodingAttr padding, llvm::Value* offset);

// Returns which element lies where in a buffer. Partitions, which may be anywhere in the hardware's
// memory, lie one after another.
LinearLayout bufferLayout(ttg::MemDescType type);
// Returns the place of a tensor of `layout` in a buffer, or nullopt, after fail(), if its elements
// are in other CTAs' memory and the chip has no clusters.
std::optional<SharedPlace> placeIn(FunctionEmitter& e, mlir::Operation* op,
                                   const LinearLayout& layout, mlir::Value buffer);

// Returns the numbers by which CTAs differ from one in bits of `mask`: 0, which is the CTA itself,
// first.
llvm::SmallVector<uint64_t> differences(uint64_t mask);

void storeShared(FunctionEmitter& e, const SharedPlace& place, Registers values,
                 OnlyOffsets onlyOffsets = {});
// Stores the values of the threads for which the predicate holds: under predicates where
// instructions have them, because ptxas orders instructions within a block, and a branch would part
// the loads and shuffles before the stores from those behind. In a loop only single words:
// wider values would cost registers there that other threads can use.
void storeSharedWhere(FunctionEmitter& e, const SharedPlace& place, Registers values,
                      llvm::Value* predicate, bool isInLoop);
void loadShared(FunctionEmitter& e, const SharedPlace& place, llvm::Type* element,
                llvm::MutableArrayRef<llvm::Value*> values, OnlyOffsets onlyOffsets = {});

// Returns the alignment of an element in a row of elements. LLVM assumes less of 64-bit integers
// before the target is known, and makes two accesses of one.
llvm::Align ownAlignment(FunctionEmitter& e, llvm::Type* element);

} // namespace gluond::lowering
