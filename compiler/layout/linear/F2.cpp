#include "layout/linear/F2.h"

#include <llvm/ADT/STLExtras.h>

#include <cassert>

namespace gluond::layout::f2 {

namespace {
unsigned highestBit(Vector v) {
  return 63u - static_cast<unsigned>(llvm::countl_zero(v));
}
bool isUnit(Vector v) {
  return llvm::has_single_bit(v);
}
} // namespace

std::pair<Vector, Vector> Basis::reduce(Vector v) const {
  Vector combination = 0;
  while (v) {
    unsigned top = highestBit(v);
    if (!(leading_ >> top & 1)) break;
    v ^= rows_[top];
    combination ^= combinations_[top];
  }
  return {v, combination};
}

bool Basis::insert(Vector v) {
  auto [rest, combination] = reduce(v);
  Vector own = inserted_ < 64 ? Vector(1) << inserted_ : 0;
  ++inserted_;
  if (!rest) return false;
  unsigned top = highestBit(rest);
  rows_[top] = rest;
  combinations_[top] = combination | own;
  leading_ |= Vector(1) << top;
  independent_ |= own;
  return true;
}

std::optional<Vector> Basis::express(Vector v) const {
  assert(inserted_ <= 64 && "later vectors have no bit in a combination");
  auto [rest, combination] = reduce(v);
  if (rest) return std::nullopt;
  return combination;
}

unsigned rank(Columns columns) {
  // No combinations are kept: this is cheaper than Basis, and called often.
  std::array<Vector, 64> rows;
  Vector leading = 0;
  for (Vector v : columns) {
    while (v) {
      unsigned top = highestBit(v);
      if (leading >> top & 1) {
        v ^= rows[top];
        continue;
      }
      rows[top] = v;
      leading |= Vector(1) << top;
      break;
    }
  }
  return static_cast<unsigned>(llvm::popcount(leading));
}

ColumnVector reducedRows(Columns input) {
  ColumnVector rows(input);
  Vector present = 0;
  for (Vector v : rows)
    present |= v;
  size_t done = 0;
  for (; present && done < rows.size(); present &= present - 1) {
    unsigned bit = static_cast<unsigned>(llvm::countr_zero(present));
    size_t pivot = done;
    while (pivot < rows.size() && !(rows[pivot] >> bit & 1))
      ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[done], rows[pivot]);
    for (size_t i = 0; i < rows.size(); ++i)
      if (i != done && (rows[i] >> bit & 1)) rows[i] ^= rows[done];
    ++done;
  }
  rows.truncate(done);
  return rows;
}

ColumnVector nullspace(Columns rows, unsigned dimension) {
  ColumnVector reduced = reducedRows(rows);
  Vector pivots = 0;
  for (Vector row : reduced)
    pivots |= row & -row;
  ColumnVector result;
  for (unsigned bit = 0; bit < dimension; ++bit) {
    if (pivots >> bit & 1) continue;
    Vector v = Vector(1) << bit;
    for (Vector row : reduced)
      if (row >> bit & 1) v ^= row & -row;
    result.push_back(v);
  }
  return result;
}

ColumnVector complement(Columns vectors, unsigned dimension) {
  Vector pivots = 0;
  for (Vector row : reducedRows(vectors))
    pivots |= row & -row;
  ColumnVector result;
  for (unsigned bit = 0; bit < dimension; ++bit)
    if (!(pivots >> bit & 1)) result.push_back(Vector(1) << bit);
  return result;
}

ColumnVector intersection(Columns a, Columns b, unsigned dimension) {
  if (llvm::all_of(a, isUnit) && llvm::all_of(b, isUnit)) {
    ColumnVector result;
    for (Vector v : a)
      if (llvm::is_contained(b, v)) result.push_back(v);
    return result;
  }
  // The intersection is orthogonal to everything that is orthogonal to a or to b.
  ColumnVector both = nullspace(a, dimension);
  both.append(nullspace(b, dimension));
  return nullspace(both, dimension);
}

} // namespace gluond::layout::f2
