// Linear algebra over F2, the field of one bit: addition is xor, multiplication is `and`.
//
// A vector is a uint64_t (one bit a component), a matrix is a list of columns. Multiplying a matrix
// by a vector x means: xor the columns whose bit is set in x. Everything a layout needs (is it
// onto? invert it, solve A*x = b, intersect two subspaces) is Gaussian elimination, which with
// 64-bit columns is a handful of xors.
//
// Pure functions and a small value type; no allocation for the common sizes. Thread-safe.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/bit.h>

#include <array>
#include <cstdint>
#include <optional>

namespace gluond::layout::f2 {

using Vector = uint64_t;
using Columns = llvm::ArrayRef<Vector>;
using ColumnVector = llvm::SmallVector<Vector, 24>;

// matrix * x
inline Vector multiply(Columns matrix, Vector x) {
  Vector result = 0;
  for (; x; x &= x - 1)
    result ^= matrix[llvm::countr_zero(x)];
  return result;
}

// A basis grown one vector at a time. It remembers how each of its elements was combined from the
// vectors given to insert(), so it can express any vector of the span by the *earliest* independent
// ones, which is a pseudo-inverse with its free variables set to zero.
class Basis {
public:
  // Returns true if `v` is independent of the vectors before it. The layouts of one conversion may
  // have more than 64 columns together; express() and independent() are for 64 at most.
  bool insert(Vector v);

  // Returns the set of inserted vectors (bit i: the i-th insert) whose xor is `v`, or nullopt if
  // `v` is outside the span. Only vectors whose insert() returned true are used, so it is unique.
  std::optional<Vector> express(Vector v) const;

  bool contains(Vector v) const { return reduce(v).first == 0; }
  unsigned rank() const { return static_cast<unsigned>(llvm::popcount(leading_)); }
  // Returns the set of vectors (bit i: the i-th insert) that were independent of those inserted
  // before them.
  Vector independent() const { return independent_; }

private:
  std::pair<Vector, Vector> reduce(Vector v) const; // remainder, combination
  std::array<Vector, 64> rows_,
      combinations_; // by highest set bit; valid if leading_ has that bit
  Vector leading_ = 0;
  Vector independent_ = 0;
  unsigned inserted_ = 0;
};

// Number of linearly independent columns.
unsigned rank(Columns columns);

// Returns the reduced row echelon form of `rows`, pivots at the lowest set bit, in order of
// increasing pivot; zero rows are dropped.
ColumnVector reducedRows(Columns rows);

// Returns a basis of {x : row . x = 0 for every row}, within the first `dimension` bits; one vector
// for each free bit, in increasing order.
ColumnVector nullspace(Columns rows, unsigned dimension);

// Returns unit vectors that together with `vectors` span all `dimension` bits.
ColumnVector complement(Columns vectors, unsigned dimension);

// Returns a basis of span(a) intersected with span(b). If both consist of unit vectors, the result
// keeps a's order.
ColumnVector intersection(Columns a, Columns b, unsigned dimension);

} // namespace gluond::layout::f2
