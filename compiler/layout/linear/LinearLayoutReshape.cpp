// New layouts from one: transposing, reshaping, cutting and renaming dimensions.
#include "layout/linear/LinearLayout.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::layout {

namespace {
uint64_t mask(unsigned bits) {
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}
} // namespace

uint64_t LinearLayout::repack(uint64_t packed, llvm::ArrayRef<DimBits> target) const {
  uint64_t result = 0;
  unsigned shift = 0;
  for (DimBits t : target) {
    unsigned from = 0;
    for (DimBits s : outs_) {
      if (s.dim == t.dim) {
        if (s.bits && t.bits) result |= (packed >> from & mask(std::min(s.bits, t.bits))) << shift;
        break;
      }
      from += s.bits;
    }
    shift += t.bits;
  }
  return result;
}

LinearLayout LinearLayout::transposeOuts(llvm::ArrayRef<Dim> order) const {
  if (!valid_ || order.size() != outs_.size()) return invalid();
  LinearLayout result;
  result.ins_ = ins_;
  bool same = true;
  for (auto [i, dim] : llvm::enumerate(order)) {
    if (!hasOut(dim) || result.hasOut(dim)) return invalid();
    result.outs_.push_back(*find(outs_, dim));
    same &= outs_[i].dim == dim;
  }
  if (same) {
    result.columns_ = columns_;
    return result;
  }
  result.columns_.reserve(columns_.size());
  for (uint64_t column : columns_)
    result.columns_.push_back(repack(column, result.outs_));
  return result;
}

LinearLayout LinearLayout::reshapeOuts(llvm::ArrayRef<DimSize> outs) const {
  LinearLayout result = *this;
  result.outs_.clear();
  unsigned total = 0;
  for (auto [dim, size] : outs) {
    std::optional<unsigned> bits = exactLog2(size);
    if (!bits || result.hasOut(dim)) return invalid();
    result.outs_.push_back({dim, static_cast<uint8_t>(*bits)});
    total += *bits;
  }
  return total == totalOutBits() ? result : invalid();
}

LinearLayout LinearLayout::squeezeOut(Dim dim) const {
  if (!valid_ || !hasOut(dim) || outBits(dim)) return invalid();
  LinearLayout result = *this;
  llvm::erase_if(result.outs_, [&](DimBits d) { return d.dim == dim; });
  return result;
}

LinearLayout LinearLayout::resizeIn(Dim dim, int64_t size) const {
  std::optional<unsigned> bits = exactLog2(size);
  if (!valid_ || !bits || !hasIn(dim)) return invalid();
  f2::ColumnVector resized(columns(dim).take_front(*bits));
  if (*bits > maxLayoutBits) return invalid();
  resized.resize(*bits, 0);
  return withColumns(dim, resized);
}

LinearLayout LinearLayout::withColumns(Dim in, f2::Columns replacement) const {
  if (!valid_ || !hasIn(in)) return invalid();
  unsigned begin = inShift(in), old = inBits(in);
  if (columns_.size() - old + replacement.size() > maxLayoutBits) return invalid();
  LinearLayout result;
  result.ins_ = ins_;
  result.outs_ = outs_;
  find(result.ins_, in)->bits = static_cast<uint8_t>(replacement.size());
  llvm::append_range(result.columns_, columns().take_front(begin));
  llvm::append_range(result.columns_, replacement);
  llvm::append_range(result.columns_, columns().drop_front(begin + old));
  return result;
}

LinearLayout LinearLayout::appendIn(Dim in, f2::Columns added) const {
  if (!valid_ || hasIn(in) || columns_.size() + added.size() > maxLayoutBits) return invalid();
  LinearLayout result = *this;
  result.ins_.push_back({in, static_cast<uint8_t>(added.size())});
  llvm::append_range(result.columns_, added);
  return result;
}

LinearLayout LinearLayout::resizeOut(Dim dim, int64_t size) const {
  std::optional<unsigned> bits = exactLog2(size);
  if (!valid_ || !bits || !hasOut(dim) || *bits > outBits(dim)) return invalid();
  unsigned shift = outShift(dim), old = outBits(dim);
  if (*bits == old) return *this;
  LinearLayout result = *this;
  find(result.outs_, dim)->bits = static_cast<uint8_t>(*bits);
  for (uint64_t& column : result.columns_) {
    uint64_t coordinate = column >> shift & mask(old);
    if (coordinate > mask(*bits)) coordinate = 0;
    uint64_t above = shift + old < 64 ? column >> (shift + old) : 0;
    uint64_t packed = column & mask(shift);
    if (coordinate) packed |= coordinate << shift;
    if (above) packed |= above << (shift + *bits);
    column = packed;
  }
  return result;
}

LinearLayout LinearLayout::growOut(Dim dim, int64_t size) const {
  std::optional<unsigned> bits = exactLog2(size);
  if (!valid_ || !bits || !hasOut(dim) || *bits < outBits(dim)) return invalid();
  LinearLayout result = *this;
  size_t index = static_cast<size_t>(find(result.outs_, dim) - result.outs_.data());
  return result.widenOut(index, *bits - outBits(dim)) ? result : invalid();
}

LinearLayout LinearLayout::renameOut(Dim from, Dim to) const {
  if (!valid_ || !hasOut(from) || (from != to && hasOut(to))) return invalid();
  LinearLayout result = *this;
  find(result.outs_, from)->dim = to;
  return result;
}

LinearLayout LinearLayout::sublayout(llvm::ArrayRef<Dim> ins, llvm::ArrayRef<Dim> outs) const {
  if (!valid_) return invalid();
  LinearLayout result;
  for (DimBits out : outs_)
    if (llvm::is_contained(outs, out.dim)) result.outs_.push_back(out);
  bool allOuts = result.outs_.size() == outs_.size();
  for (DimBits in : ins_) {
    if (!llvm::is_contained(ins, in.dim)) continue;
    result.ins_.push_back(in);
    for (uint64_t column : columns(in.dim))
      result.columns_.push_back(allOuts ? column : repack(column, result.outs_));
  }
  return result;
}

LinearLayout LinearLayout::removeZeroBases(Dim in) const {
  if (!valid_) return invalid();
  f2::ColumnVector kept;
  for (uint64_t column : columns(in))
    if (column) kept.push_back(column);
  return kept.size() == inBits(in) ? *this : withColumns(in, kept);
}

LinearLayout LinearLayout::selectBits(Dim in, llvm::ArrayRef<unsigned> bits) const {
  if (!valid_) return invalid();
  f2::ColumnVector chosen;
  for (unsigned bit : bits) {
    if (bit >= inBits(in)) return invalid();
    chosen.push_back(columns(in)[bit]);
  }
  return withColumns(in, chosen);
}

} // namespace gluond::layout
