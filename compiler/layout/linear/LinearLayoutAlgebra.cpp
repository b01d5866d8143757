// New layouts from two: products, composition, quotients, inverses.
#include "layout/linear/LinearLayout.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::layout {

namespace {
uint64_t mask(unsigned bits) {
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}
uint64_t shiftLeft(uint64_t v, unsigned bits) {
  return bits < 64 ? v << bits : 0;
}

// Returns the shortest list that has both lists' elements in both lists' orders; the first list
// takes precedence, and if the orders contradict, the dimension that is earlier in the other list
// does.
Dims mergeOrders(llvm::ArrayRef<DimBits> a, llvm::ArrayRef<DimBits> b) {
  auto position = [](llvm::ArrayRef<DimBits> list, Dim dim) {
    size_t i = 0;
    while (i < list.size() && list[i].dim != dim)
      ++i;
    return i; // list.size() for absent
  };
  Dims merged;
  size_t i = 0, j = 0;
  while (true) {
    while (i < a.size() && llvm::is_contained(merged, a[i].dim))
      ++i;
    while (j < b.size() && llvm::is_contained(merged, b[j].dim))
      ++j;
    if (i == a.size() && j == b.size()) return merged;
    if (j == b.size() || (i < a.size() && position(b, a[i].dim) == b.size())) {
      merged.push_back(a[i].dim);
    } else if (i == a.size() || position(a, b[j].dim) == a.size()) {
      merged.push_back(b[j].dim);
    } else {
      merged.push_back(position(b, a[i].dim) <= position(a, b[j].dim) ? a[i].dim : b[j].dim);
    }
  }
}

uint8_t bitsOf(llvm::ArrayRef<DimBits> dims, Dim dim) {
  for (DimBits d : dims)
    if (d.dim == dim) return d.bits;
  return 0;
}
} // namespace

// ---------------------------------------------------------------- products

bool LinearLayout::widenOut(size_t outIndex, unsigned bits) {
  if (bits == 0) return true;
  if (totalOutBits() + bits > maxLayoutBits) return false;
  unsigned end = 0;
  for (size_t i = 0; i <= outIndex; ++i)
    end += outs_[i].bits;
  outs_[outIndex].bits = static_cast<uint8_t>(outs_[outIndex].bits + bits);
  if (outIndex + 1 < outs_.size()) {
    uint64_t low = mask(end);
    for (uint64_t& column : columns_)
      column = (column & low) | shiftLeft(column & ~low, bits);
  }
  return true;
}

bool LinearLayout::appendZeroBits(int64_t size, Dim in, Dim out, unsigned& firstColumn,
                                  unsigned& bits) {
  std::optional<unsigned> log2 = exactLog2(size);
  if (!valid_ || !log2 || columns_.size() + *log2 > maxLayoutBits) {
    *this = invalid();
    return false;
  }
  bits = *log2;
  if (!hasOut(out)) outs_.push_back({out, 0});
  unsigned shift = 0;
  for (DimBits& d : ins_) {
    shift += d.bits;
    if (d.dim == in) {
      columns_.insert(columns_.begin() + shift, bits, 0);
      d.bits = static_cast<uint8_t>(d.bits + bits);
      firstColumn = shift;
      return true;
    }
  }
  ins_.push_back({in, static_cast<uint8_t>(bits)});
  firstColumn = shift;
  columns_.append(bits, 0);
  return true;
}

LinearLayout& LinearLayout::timesZeros(int64_t size, Dim in, Dim out) {
  if (size == 0) return *this;
  unsigned first, bits;
  appendZeroBits(size, in, out, first, bits);
  return *this;
}

LinearLayout& LinearLayout::timesIdentity(int64_t size, Dim in, Dim out) {
  if (size == 0) return *this;
  unsigned first, bits;
  if (!appendZeroBits(size, in, out, first, bits)) return *this;
  size_t index = static_cast<size_t>(find(outs_, out) - outs_.data());
  unsigned target = outShift(out) + outs_[index].bits;
  if (!widenOut(index, bits)) return *this = invalid();
  for (unsigned i = 0; i < bits; ++i)
    columns_[first + i] = uint64_t(1) << (target + i);
  return *this;
}

LinearLayout& LinearLayout::operator*=(const LinearLayout& outer) {
  if (!valid_ || !outer.valid_) return *this = invalid();
  if (columns_.size() + outer.columns_.size() > maxLayoutBits ||
      totalOutBits() + outer.totalOutBits() > maxLayoutBits)
    return *this = invalid();
  Dims inOrder = mergeOrders(ins_, outer.ins_), outOrder = mergeOrders(outs_, outer.outs_);
  LinearLayout result;
  for (Dim dim : outOrder)
    result.outs_.push_back(
        {dim, static_cast<uint8_t>(bitsOf(outs_, dim) + bitsOf(outer.outs_, dim))});
  // Outer coordinates go above the inner ones of the same dimension.
  auto repackOuter = [&](uint64_t column) {
    uint64_t packed = 0;
    unsigned from = 0;
    for (DimBits d : outer.outs_) {
      if (d.bits)
        packed |= (column >> from & mask(d.bits))
                  << (result.outShift(d.dim) + bitsOf(outs_, d.dim));
      from += d.bits;
    }
    return packed;
  };
  for (Dim dim : inOrder) {
    uint8_t inner = bitsOf(ins_, dim), more = bitsOf(outer.ins_, dim);
    result.ins_.push_back({dim, static_cast<uint8_t>(inner + more)});
    if (inner)
      for (uint64_t column : columns(dim))
        result.columns_.push_back(repack(column, result.outs_));
    if (more)
      for (uint64_t column : outer.columns(dim))
        result.columns_.push_back(repackOuter(column));
  }
  return *this = std::move(result);
}

LinearLayout LinearLayout::concatOuts(const LinearLayout& other) const {
  unsigned shift = totalOutBits();
  if (!valid_ || !other.valid_ || ins_ != other.ins_ ||
      shift + other.totalOutBits() > maxLayoutBits)
    return invalid();
  LinearLayout result = *this;
  for (DimBits d : other.outs_) {
    if (hasOut(d.dim)) return invalid();
    result.outs_.push_back(d);
  }
  for (auto [column, added] : llvm::zip_equal(result.columns_, other.columns_))
    column |= shiftLeft(added, shift);
  return result;
}

// ---------------------------------------------------------------- composition and quotients

LinearLayout LinearLayout::compose(const LinearLayout& outer) const {
  if (!valid_ || !outer.valid_ || outs_.size() != outer.ins_.size()) return invalid();
  for (DimBits d : outs_)
    if (!outer.hasIn(d.dim) || d.bits > outer.inBits(d.dim)) return invalid();
  LinearLayout result;
  result.ins_ = ins_;
  result.outs_ = outer.outs_;
  bool same = outs_ == outer.ins_;
  for (uint64_t column : columns_)
    result.columns_.push_back(outer.applyPacked(same ? column : repack(column, outer.ins_)));
  return result;
}

std::optional<LinearLayout> LinearLayout::divideLeft(const LinearLayout& inner) const {
  if (!valid_ || !inner.valid_) return std::nullopt;
  LinearLayout result;
  for (DimBits d : inner.ins_)
    if (!hasIn(d.dim) || d.bits > inBits(d.dim)) return std::nullopt;
  for (DimBits d : inner.outs_)
    if (!hasOut(d.dim) || d.bits > outBits(d.dim)) return std::nullopt;
  uint64_t innerBits = 0; // this layout's output bits that belong to `inner`
  for (DimBits d : outs_) {
    uint8_t below = bitsOf(inner.outs_, d.dim);
    if (below) innerBits |= mask(below) << outShift(d.dim);
    result.outs_.push_back({d.dim, static_cast<uint8_t>(d.bits - below)});
  }
  for (DimBits d : ins_) {
    uint8_t below = bitsOf(inner.ins_, d.dim);
    f2::Columns mine = columns(d.dim);
    for (unsigned i = 0; i < below; ++i)
      if (mine[i] != inner.repack(inner.columns(d.dim)[i], outs_)) return std::nullopt;
    for (uint64_t column : mine.drop_front(below)) {
      if (column & innerBits) return std::nullopt;
      uint64_t packed = 0;
      unsigned from = 0, to = 0;
      for (auto [whole, rest] : llvm::zip_equal(outs_, result.outs_)) {
        if (rest.bits)
          packed |= (column >> (from + whole.bits - rest.bits) & mask(rest.bits)) << to;
        from += whole.bits;
        to += rest.bits;
      }
      result.columns_.push_back(packed);
    }
    result.ins_.push_back({d.dim, static_cast<uint8_t>(d.bits - below)});
  }
  return result;
}

bool LinearLayout::isTrivialOver(llvm::ArrayRef<Dim> dims) const {
  if (!valid_) return false;
  for (Dim dim : dims)
    if (!hasIn(dim) || !hasOut(dim) || inBits(dim) != outBits(dim)) return false;
  // As a block matrix: identity from dims to dims, zero from dims to the rest and from the rest to
  // dims.
  uint64_t own = 0;
  for (Dim dim : dims)
    if (unsigned bits = outBits(dim)) own |= mask(bits) << outShift(dim);
  for (DimBits d : ins_) {
    bool inside = llvm::is_contained(dims, d.dim);
    for (auto [i, column] : llvm::enumerate(columns(d.dim)))
      if (inside ? column != uint64_t(1) << (outShift(d.dim) + i) : (column & own) != 0)
        return false;
  }
  return true;
}

std::optional<LinearLayout> LinearLayout::quotient(llvm::ArrayRef<Dim> dims) const {
  if (!isTrivialOver(dims)) return std::nullopt;
  Dims inRest, outRest;
  for (DimBits d : ins_)
    if (!llvm::is_contained(dims, d.dim)) inRest.push_back(d.dim);
  for (DimBits d : outs_)
    if (!llvm::is_contained(dims, d.dim)) outRest.push_back(d.dim);
  return sublayout(inRest, outRest);
}

// ---------------------------------------------------------------- inverses

std::optional<LinearLayout> LinearLayout::solve(const LinearLayout& a, const LinearLayout& b) {
  if (!a.valid_ || !b.valid_ || a.outs_.size() != b.outs_.size()) return std::nullopt;
  for (DimBits d : b.outs_)
    if (!a.hasOut(d.dim) || d.bits > a.outBits(d.dim)) return std::nullopt;
  f2::Basis basis;
  for (uint64_t column : a.columns_)
    basis.insert(column);
  bool same = a.outs_ == b.outs_;
  LinearLayout result;
  result.ins_ = b.ins_;
  result.outs_ = a.ins_; // a packed input word of `a` is a packed output word of the result
  for (uint64_t column : b.columns_) {
    std::optional<uint64_t> place = basis.express(same ? column : b.repack(column, a.outs_));
    if (!place) return std::nullopt;
    result.columns_.push_back(*place);
  }
  return result;
}

std::optional<LinearLayout> LinearLayout::invertAndCompose(const LinearLayout& outer) const {
  if (!valid_ || !outer.valid_ || outs_.size() != outer.outs_.size()) return std::nullopt;
  for (DimBits d : outs_)
    if (!outer.hasOut(d.dim) || d.bits > outer.outBits(d.dim)) return std::nullopt;
  bool same = outs_ == outer.outs_;
  f2::ColumnVector wanted(columns_); // in outer's packing
  if (!same)
    for (uint64_t& column : wanted)
      column = repack(column, outer.outs_);
  f2::Basis basis;
  for (uint64_t column : outer.columns_)
    basis.insert(column);

  LinearLayout result;
  result.ins_ = ins_;
  result.outs_ = outer.ins_;
  unsigned begin = 0;
  for (DimBits d : ins_) {
    llvm::ArrayRef mine = llvm::ArrayRef(wanted).slice(begin, d.bits);
    // A dimension that both have with the same bases, and whose output bits no other dimension of
    // either touches, is unchanged.
    bool stays = outer.hasIn(d.dim) && mine == outer.columns(d.dim);
    if (stays) {
      uint64_t own = 0, others = 0;
      for (uint64_t column : mine)
        own |= column;
      for (unsigned i = 0; i < wanted.size(); ++i)
        if (i < begin || i >= begin + d.bits) others |= wanted[i];
      for (DimBits o : outer.ins_)
        if (o.dim != d.dim)
          for (uint64_t column : outer.columns(o.dim))
            others |= column;
      stays = (own & others) == 0;
    }
    for (auto [i, column] : llvm::enumerate(mine)) {
      std::optional<uint64_t> place =
          stays ? uint64_t(1) << (outer.inShift(d.dim) + i) : basis.express(column);
      if (!place) return std::nullopt;
      result.columns_.push_back(*place);
    }
    begin += d.bits;
  }
  return result;
}

std::optional<LinearLayout> LinearLayout::pseudoInvert() const {
  if (!valid_) return std::nullopt;
  LinearLayout identity;
  for (DimBits d : outs_)
    identity.timesIdentity(d.size(), d.dim, d.dim);
  return identity.invertAndCompose(*this);
}

LinearLayout LinearLayout::invert() const {
  assert(isInvertible());
  return pseudoInvert().value_or(invalid());
}

} // namespace gluond::layout
