// Linear layouts: where the elements of a tensor are in the hardware, as one small matrix of bits.
//
// THE IDEA. A layout is a function from a place in the hardware to a coordinate of the tensor. A
// register file is addressed by (register, lane, warp, block), shared memory by (offset, block),
// tensor memory by (row, col, block). All these sizes are powers of two, so a place is a string of
// bits, and so is a coordinate. In every layout that GPUs like (tiles, transposes, swizzles,
// matrix-unit fragments, replication), each bit of the place flips a fixed set of bits of the
// coordinate, independently of the other bits. Such a function is linear over F2, the field of one
// bit in which addition is xor:
//
//     L(a ^ b) = L(a) ^ L(b),   hence L(0) = 0
//
// and it is known completely once it is known where each single bit goes. Those images are the
// *bases*.
//
// EXAMPLE 1, a tile. 4x8 elements over 2 registers x 4 lanes x 4 warps, columns fastest (dim1):
//
//     register  1 -> (0,1)                        so register 1 of lane 2 of warp 3 holds
//     lane      1 -> (0,2)   2 -> (0,4)           (0,1) ^ (0,4) ^ (1,0) ^ (2,0) = (3,5)
//     warp      1 -> (1,0)   2 -> (2,0)
//
// EXAMPLE 2, a swizzle. A 4x4 buffer whose row r is stored with its columns xored with r:
//
//     offset    1 -> (0,1)   2 -> (0,2)   4 -> (1,1)   8 -> (2,2)
//
// Offset 6 = 4 ^ 2 holds (1,1) ^ (0,2) = (1,3), and offset 13 = 8 ^ 4 ^ 1 holds (2,2) ^ (1,1) ^
// (0,1) = (3,2). A swizzle costs nothing here: it is a basis with two coordinates that are not
// zero.
//
// EXAMPLE 3, replication. A basis that is all zero says that flipping this bit changes nothing:
// both places hold the same element.  `lane 16 -> (0,0)` means lanes 16..31 repeat lanes 0..15.
//
// WHY HARDWARE -> TENSOR and not the other way? One element may live in many places (example 3), so
// the opposite direction is not a function. The price is that a question such as "at which offset
// is element (3,2)?" needs an inverse, and where the layout replicates, a choice: pseudoInvert()
// takes the place whose free bits are zero.
//
// THE REPRESENTATION. All output coordinates are packed side by side into one 64-bit word, the
// first output dimension lowest, each with as many bits as its size needs. Then a layout is a list
// of such words, one for each input bit: the columns of a matrix over F2. The implementation relies
// on these consequences:
//   - applying it is xor-ing the columns selected by the input bits;
//   - composing is applying the outer layout to every column;
//   - reshaping inputs or outputs (flatten, cut elsewhere) does not touch the columns at all;
//   - onto / one-to-one / invertible are statements about the rank of at most 64 words (see F2.h);
//   - A*X = B ("which place of A holds what this place of B holds?") is one elimination.
// There are no maps, strings or heap blocks on this path: a layout of up to 24 input bits is a flat
// value.
//
// ORDER. Input and output dimensions are ordered, first = fastest (most minor). The order matters
// to reshape, to operator* and to equality, but not to where an element is.
//
// PRODUCT. A * B puts two layouts side by side: the bits of B's inputs follow those of A's, and its
// outputs are shifted above A's in every dimension the two share. A tile of tiles is a product:
//
//     identity1D(4, Lane, Dim0) * identity1D(8, Lane, Dim1)      lane l -> (l % 4, l / 4)
//     identity1D(4, Lane, Dim0) * zeros1D(8, Lane, Dim0)         lane l -> l % 4: eight copies
//     zeros1D(8, Lane, Dim0) * identity1D(4, Lane, Dim0)         lane l -> l / 8: runs of 8 copies
//     identity1D(2, Register, Dim0) * identity1D(32, Lane, Dim0) two consecutive elements a lane
//
// LIMITS AND ERRORS. At most 62 input bits and 62 output bits, so that sizes fit an int64_t.
// Unsupported values (a size that is no power of two, too many bits, dimensions that do not match)
// give an *invalid* layout, on which every operation again gives an invalid layout: check valid()
// once, at the end. Operations that may have no result (divideLeft, quotient, solve, ...) return an
// optional. Naming a dimension that does not exist is a bug and asserts.
//
// A plain value; any thread may use its own copy or share a const one.
#pragma once

#include "layout/linear/Dim.h"
#include "layout/linear/F2.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/Hashing.h>
#include <llvm/ADT/SmallVector.h>
#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <utility>

namespace gluond::layout {

// The maximum number of bits of all inputs, or of all outputs, together.
constexpr unsigned maxLayoutBits = 62;

using Coordinates = llvm::SmallVector<int32_t, 4>;
// Basis vectors as users write them: [[0, 1], [0, 2]].
using Bases = llvm::SmallVector<Coordinates, 0>;

// A dimension and how many bits it has; its size is 1 << bits.
struct DimBits {
  Dim dim;
  uint8_t bits;
  int64_t size() const { return int64_t(1) << bits; }
  friend bool operator==(DimBits, DimBits) = default;
};

struct DimSize {
  Dim dim;
  int64_t size;
};

class LinearLayout {
public:
  // ---- Construction.

  // A layout without dimensions: the unit of operator*.
  LinearLayout() = default;
  static LinearLayout invalid();
  // x -> x, x -> 0, x -> stride * x; size is a power of two, or 0 for the empty layout.
  static LinearLayout identity1D(int64_t size, Dim in, Dim out);
  static LinearLayout zeros1D(int64_t size, Dim in, Dim out, int64_t outSize = 1);
  static LinearLayout strided1D(int64_t size, int64_t stride, Dim in, Dim out);
  // x -> coordinates of the x-th element of a box of `shape`, dimension order[0] fastest; outputs
  // dim0, dim1, ... appear in that order.
  static LinearLayout identityND(Dim in, llvm::ArrayRef<int32_t> shape,
                                 llvm::ArrayRef<unsigned> order);
  // Makes a layout from bases that people write. Errors say which basis is wrong: its length, a
  // negative coordinate, or one not below the size.
  struct InBases {
    Dim dim;
    llvm::ArrayRef<Coordinates> bases;
  };
  static tl::expected<LinearLayout, std::string> fromBases(llvm::ArrayRef<InBases> ins,
                                                           llvm::ArrayRef<DimSize> outs);
  // The same, with each output as large as its largest coordinate needs.
  static tl::expected<LinearLayout, std::string> fromBases(llvm::ArrayRef<InBases> ins,
                                                           llvm::ArrayRef<Dim> outs);

  bool valid() const { return valid_; }

  // ---- Shape.

  llvm::ArrayRef<DimBits> ins() const { return ins_; }
  llvm::ArrayRef<DimBits> outs() const { return outs_; }
  Dims inDims() const;
  Dims outDims() const;
  bool hasIn(Dim dim) const { return find(ins_, dim) != nullptr; }
  bool hasOut(Dim dim) const { return find(outs_, dim) != nullptr; }
  unsigned inBits(Dim dim) const;
  unsigned outBits(Dim dim) const;
  int64_t inSize(Dim dim) const { return int64_t(1) << inBits(dim); }
  int64_t outSize(Dim dim) const { return int64_t(1) << outBits(dim); }
  unsigned totalInBits() const { return static_cast<unsigned>(columns_.size()); }
  unsigned totalOutBits() const;
  // Returns the sizes of the outputs, in order: the shape of the tensor if the outputs are dim0,
  // dim1, ...
  llvm::SmallVector<int64_t, 4> outSizes() const;
  // Returns where a dimension's bits begin in a packed input or output word.
  unsigned inShift(Dim dim) const;
  unsigned outShift(Dim dim) const;

  // ---- Evaluation.

  // Returns one packed column for each input bit: of all dimensions in order, or of one dimension.
  f2::Columns columns() const { return columns_; }
  f2::Columns columns(Dim in) const;
  // Returns the image of bit `bit` of `in`: one coordinate, or all of them in output order.
  int32_t basis(Dim in, unsigned bit, Dim out) const;
  Coordinates basis(Dim in, unsigned bit) const { return unpack(columns(in)[bit]); }
  Bases bases(Dim in) const;
  // Unpacks an output word to coordinates, in output order; and the inverse.
  Coordinates unpack(uint64_t packed) const;
  uint64_t pack(llvm::ArrayRef<int32_t> coordinates) const;

  uint64_t applyPacked(uint64_t packedInput) const { return f2::multiply(columns_, packedInput); }
  // Applies the layout. Inputs that are not named are 0. The result is in output order.
  using Place = std::pair<Dim, uint64_t>;
  Coordinates apply(llvm::ArrayRef<Place> place) const;
  uint64_t packInput(llvm::ArrayRef<Place> place) const;

  // Returns the union of the bases of `ins`: the bits of output `out` that they reach.
  uint64_t outputMask(llvm::ArrayRef<Dim> ins, Dim out) const;
  // Returns the bits of `in` whose basis is not zero in some of `outs`.
  uint64_t inputMask(Dim in, llvm::ArrayRef<Dim> outs) const;

  // ---- Properties.

  bool isSurjective() const {
    return f2::rank(columns_) == totalOutBits();
  } // onto: every coordinate has a place
  bool isInjective() const { return f2::rank(columns_) == totalInBits(); } // no coordinate has two
  bool isInvertible() const { return totalInBits() == totalOutBits() && isSurjective(); }
  // Whether the bases that are not zero are distinct single bits of the packed output and reach
  // every output bit: up to replication the layout only permutes bits.
  bool isPermutation() const;
  // Returns the bits of an input that can be flipped without changing the element, possibly
  // together with lower bits: the copies.
  uint64_t freeMask(Dim in) const;
  llvm::SmallVector<std::pair<Dim, uint64_t>, 4> freeMasks() const;

  // ---- New layouts from one.

  LinearLayout transposeOuts(llvm::ArrayRef<Dim> order) const;
  // Flattens in order, then splits into the given sizes (with the same product).
  LinearLayout reshapeOuts(llvm::ArrayRef<DimSize> outs) const;
  // Drops a dimension of size 1.
  LinearLayout squeezeOut(Dim dim) const;
  // Keeps the lower bits, or adds bits that replicate.
  LinearLayout resizeIn(Dim dim, int64_t size) const;
  // Shrinks; a coordinate that no longer fits becomes 0.
  LinearLayout resizeOut(Dim dim, int64_t size) const;
  // Enlarges; the new coordinates are not reached.
  LinearLayout growOut(Dim dim, int64_t size) const;
  LinearLayout renameOut(Dim from, Dim to) const;
  // Keeps only these dimensions, in this layout's order: other inputs are held at 0, other outputs
  // are dropped.
  LinearLayout sublayout(llvm::ArrayRef<Dim> ins, llvm::ArrayRef<Dim> outs) const;
  LinearLayout removeZeroBases(Dim in) const;
  // Replaces the bases of one input by some of them, in this order: result bit i is the old bit
  // `bits[i]`.
  LinearLayout selectBits(Dim in, llvm::ArrayRef<unsigned> bits) const;
  // Replaces the bases of one input (packed in this layout's outputs).
  LinearLayout withColumns(Dim in, f2::Columns columns) const;
  // Appends an input dimension with these bases.
  LinearLayout appendIn(Dim in, f2::Columns columns) const;

  // ---- New layouts from two.

  // The product, see PRODUCT above. Dimensions keep their order; those only in `outer` are added in
  // its order.
  LinearLayout& operator*=(const LinearLayout& outer);
  friend LinearLayout operator*(LinearLayout inner, const LinearLayout& outer) {
    inner *= outer;
    return inner;
  }
  // *= identity1D / zeros1D without constructing them. Size 0 changes nothing.
  LinearLayout& timesIdentity(int64_t size, Dim in, Dim out);
  LinearLayout& timesZeros(int64_t size, Dim in, Dim out);
  // Combines two layouts with the same inputs to one with the outputs of both.
  LinearLayout concatOuts(const LinearLayout& other) const;
  // Applies this, then `outer`, whose inputs are this layout's outputs (any order, not smaller).
  LinearLayout compose(const LinearLayout& outer) const;
  // Returns C with *this == inner * C.
  std::optional<LinearLayout> divideLeft(const LinearLayout& inner) const;
  // Whether it is the identity on `dims`, which neither affect nor depend on other dimensions; then
  // quotient() drops them.
  bool isTrivialOver(llvm::ArrayRef<Dim> dims) const;
  std::optional<LinearLayout> quotient(llvm::ArrayRef<Dim> dims) const;

  // Returns X from b's inputs to a's inputs with a(X(y)) = b(y), or nullopt if some b(y) is not in
  // `a`. Among several solutions, it is the one that uses the lowest bits of `a`.
  static std::optional<LinearLayout> solve(const LinearLayout& a, const LinearLayout& b);
  // Returns the place in `outer` of the element at a place of this layout. For registers R and
  // shared memory S, R.invertAndCompose(S) is the offset to store each register to. It differs from
  // solve() if both replicate: a dimension that both have with equal bases, and whose output bits
  // no other dimension touches, is mapped to itself, so that a copy stays in place.
  std::optional<LinearLayout> invertAndCompose(const LinearLayout& outer) const;
  // Requires isInvertible().
  LinearLayout invert() const;
  // Returns a right inverse, (*this)(pseudoInvert()(x)) = x, or nullopt if this is not onto.
  std::optional<LinearLayout> pseudoInvert() const;

  // ---- Comparison and text.

  friend bool operator==(const LinearLayout& a, const LinearLayout& b) {
    return a.valid_ == b.valid_ && a.ins_ == b.ins_ && a.outs_ == b.outs_ &&
           a.columns_ == b.columns_;
  }
  friend llvm::hash_code hash_value(const LinearLayout& layout);
  // Prints {register = [[0, 1]], lane = [[0, 2], [0, 4]]} -> 4x8.
  std::string toString() const;

private:
  using DimList = llvm::SmallVector<DimBits, 4>;
  static const DimBits* find(llvm::ArrayRef<DimBits> dims, Dim dim);
  static DimBits* find(DimList& dims, Dim dim) {
    return const_cast<DimBits*>(find(llvm::ArrayRef(dims), dim));
  }
  bool appendZeroBits(int64_t size, Dim in, Dim out, unsigned& firstColumn, unsigned& bits);
  bool widenOut(size_t outIndex, unsigned bits);
  // Re-packs `packed`, in this layout's outputs, for `target`; dimensions that target lacks are
  // dropped.
  uint64_t repack(uint64_t packed, llvm::ArrayRef<DimBits> target) const;

  DimList ins_, outs_;
  f2::ColumnVector columns_; // in the order of ins_, lowest bit first
  bool valid_ = true;
};

// Returns log2 of a positive power of two, or nullopt for any other number.
inline std::optional<unsigned> exactLog2(int64_t size) {
  if (size <= 0 || (size & (size - 1))) return std::nullopt;
  return static_cast<unsigned>(llvm::countr_zero(static_cast<uint64_t>(size)));
}

} // namespace gluond::layout
