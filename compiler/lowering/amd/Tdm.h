// Tensor descriptors and the instructions of the tensor data mover (TDM) of gfx1250, for the files
// Tdm*.cpp.
#pragma once

#include "chips/TdmDescriptorBits.h"
#include "lowering/amd/Instructions.h"

namespace gluond::lowering::amd {

// A descriptor of a tensor, outermost dimension first. A thread holds it as one value, an array of
// words (descriptorType()). The innermost dimension has no stride: its elements are neighbors.
struct TensorDescriptor {
  llvm::Value *predicate, *address; // i32: whether it copies; i64
  RegisterList sizes, strides;      // i32; i64, in elements
};

// Takes descriptors from the form in which the host passes them to the kernel.
void takeDescriptors(FunctionEmitter& e, mlir::ValueRange arguments);
TensorDescriptor unpacked(FunctionEmitter& e, mlir::Value value);
llvm::Value* packed(FunctionEmitter& e, const TensorDescriptor& descriptor);
// Moves the beginning of the tensor by `offset` elements along a dimension.
void advance(FunctionEmitter& e, TensorDescriptor& descriptor, size_t dim, llvm::Value* offset,
             unsigned bytes, bool shrinks);
llvm::Value* atLeastZero(FunctionEmitter& e, llvm::Value* value);
unsigned elementBytesOf(FunctionEmitter& e, mlir::Type descriptor);
bool needsTdm(FunctionEmitter& e, mlir::Operation* op);

// A buffer, or a CTA's part of it, as boxes: parts of the tensor that lie in memory row by row,
// padding aside. A box has extents that are powers of two; each further bit of an offset is a bit
// of one coordinate.
struct Boxes {
  llvm::SmallVector<int64_t> extents; // of the box at offset 0
  struct Bit {
    unsigned dim;
    int64_t distance; // in the tensor
    int64_t offset;   // in the buffer, in elements without padding
  };
  llvm::SmallVector<Bit> others; // from one box to the others, lowest offset first
  int64_t elements() const;
};
// Returns the largest boxes, or nullopt if the buffer is not made of boxes.
std::optional<Boxes> boxesOf(const LinearLayout& layout, llvm::ArrayRef<int64_t> part);
// Halves the box.
void halve(Boxes& boxes);

// Returns the extents of a CTA's part of a tensor that the CTAs of a cluster divide.
llvm::SmallVector<int64_t> partOfCta(FunctionEmitter& e, const LinearLayout& layout,
                                     llvm::ArrayRef<int64_t> shape);
// The part itself: where it begins, and which CTAs have the same one.
struct Division {
  llvm::SmallVector<int64_t> part;
  RegisterList begin;             // i32; empty if it begins at 0
  llvm::Value* sharers = nullptr; // i32, a bit for each CTA; null if every CTA has its own part
};
Division divided(FunctionEmitter& e, const LinearLayout& layout, llvm::ArrayRef<int64_t> shape);
// Moves the beginning of the tensor to that part.
void advance(FunctionEmitter& e, TensorDescriptor& descriptor, const Division& division,
             unsigned bytes);

// Elements of padding after each interval of a buffer; an interval of 0 means none.
struct RowPadding {
  int64_t interval = 0, amount = 0;
  static constexpr llvm::StringLiteral notLoadable =
      "it pads after more than 1,024 bytes, or by more than 512";
  // Whether the words of a load have bits enough for them.
  bool isLoadable(unsigned elementBytes) const {
    namespace tdm = chips::tdm;
    constexpr int64_t wordBytes = tdm::wordBits / 8;
    return interval * elementBytes <= tdm::mostIntervalWords * wordBytes &&
           amount * elementBytes <= tdm::mostAmountWords * wordBytes;
  }
  int64_t padded(int64_t offset) const { // of a known offset
    return interval ? offset + offset / interval * amount : offset;
  }
};

// Returns the padding of a buffer, or nullopt, after fail(), if it has several.
std::optional<RowPadding> paddingOf(FunctionEmitter& e, mlir::Operation* op,
                                    ttg::MemDescType buffer);

// One instruction of a warp.
struct TensorCopy {
  bool isLoad = true;
  TensorDescriptor tensor; // begins where the box does
  llvm::SmallVector<int64_t> box;
  unsigned elementBytes = 4;
  RowPadding padding;
  llvm::Value* place = nullptr;   // address of the box in shared memory
  llvm::Value* barrier = nullptr; // address of the barrier that it arrives at
  llvm::Value* sharers = nullptr; // CTAs that get the same
  RegisterList rows = {};         // rows picked by number, two to a word if `areShort`
  unsigned rowCount = 0;          // 0 if they are the rows of the box
  bool areShort = false;
};

// Refuses an op with these words.
bool refuseCopy(FunctionEmitter& e, mlir::Operation* op, llvm::StringRef why);
// Whether the view is of a buffer as a whole, as these copies take them; false after fail().
bool isWholeBuffer(FunctionEmitter& e, mlir::Operation* op, mlir::Value buffer,
                   llvm::ArrayRef<int64_t> block);

// The operands of an instruction: words of four groups, of which one for up to two dimensions that
// picks no rows has the first two.
using TensorWords = RegisterList;
TensorWords wordsOf(FunctionEmitter& e, const TensorCopy& copy);
void issue(FunctionEmitter& e, const TensorWords& words, bool isLoad);

// Returns the number of instructions of each warp that a gather or scatter (TdmRows.cpp) takes, or
// 0 for another op.
unsigned rowInstructions(FunctionEmitter& e, mlir::Operation* op);

} // namespace gluond::lowering::amd
