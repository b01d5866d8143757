#include "layout/picture/PictureCells.h"

#include "chips/MemorySizes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::layout {

CellMap::CellMap(const LayoutPicture& picture) : picture_(picture), owners_(picture.linear) {
  const LinearLayout& linear = picture.linear;
  llvm::append_range(shape_, linear.outSizes());
  if (shape_.empty()) shape_.push_back(1);
  for (const Replication& r : replicationOf(linear))
    copies_ *= r.copies;
  // Consecutive elements of a row in consecutive registers or offsets: the owners' own numbering
  // decides, so try it on the first row and let linearity extend it.
  Dim fastest = linear.hasIn(Dim::Register) ? Dim::Register
                : linear.hasIn(Dim::Offset) ? Dim::Offset
                                            : Dim::Col;
  if (!linear.hasIn(fastest) || linear.outs().empty()) return;
  unsigned shift = linear.outShift(linear.outs().back().dim);
  f2::Basis basis;
  for (uint64_t column : linear.columns())
    basis.insert(column);
  int64_t most = 16;
  if (const auto* padded = picture.layout.as<PaddedShared>())
    for (int32_t interval : padded->intervals)
      most = std::min<int64_t>(most, interval);
  most = std::min(most, linear.inSize(fastest));
  while (run_ < most && run_ < columns()) {
    std::optional<uint64_t> place = basis.express(static_cast<uint64_t>(run_) << shift);
    if (!place || *place != static_cast<uint64_t>(run_) << linear.inShift(fastest)) break;
    run_ *= 2;
  }
  // The other steps must not carry into the run.
  for (DimBits out : linear.outs())
    for (unsigned bit = 0; bit < out.bits; ++bit) {
      if (out.dim == linear.outs().back().dim && int64_t(1) << bit < run_) continue;
      std::optional<uint64_t> place =
          basis.express(uint64_t(1) << (linear.outShift(out.dim) + bit));
      while (run_ > 1 && place &&
             (*place >> linear.inShift(fastest) & static_cast<uint64_t>(run_ - 1)))
        run_ /= 2;
    }
}

int64_t CellMap::slices() const {
  int64_t count = 1;
  for (unsigned i = 0; i + 2 < rank(); ++i)
    count *= shape_[i];
  return count;
}

Coordinates CellMap::coordinates(int64_t slice, int64_t row, int64_t column) const {
  Coordinates result(rank(), 0);
  if (picture_.linear.outs().empty()) return {};
  result.back() = static_cast<int32_t>(column);
  if (rank() > 1) result[rank() - 2] = static_cast<int32_t>(row);
  for (unsigned i = rank() > 2 ? rank() - 2 : 0; i-- > 0;) {
    result[i] = static_cast<int32_t>(slice % shape_[i]);
    slice /= shape_[i];
  }
  return result;
}

int64_t CellMap::place(const Owner& owner) const {
  int64_t offset = owners_.value(owner.place, Dim::Offset);
  const auto* padded = picture_.layout.as<PaddedShared>();
  return padded ? paddedOffset(*padded, offset) : offset;
}

std::string CellMap::label(const Owner& owner, int64_t length) const {
  if (owner.copies == 0) return "--";
  std::string text;
  llvm::raw_string_ostream os(text);
  const LinearLayout& linear = picture_.linear;
  auto range = [&](int64_t first) {
    os << first;
    if (length > 1) os << "-" << first + length - 1;
  };
  if (linear.hasIn(Dim::Block) && linear.inBits(Dim::Block))
    os << "B" << owners_.value(owner.place, Dim::Block) << " ";
  if (linear.hasIn(Dim::Lane)) {
    os << "T"
       << owners_.value(owner.place, Dim::Warp) * linear.inSize(Dim::Lane) +
              owners_.value(owner.place, Dim::Lane)
       << ":";
    range(owners_.value(owner.place, Dim::Register));
  } else if (linear.hasIn(Dim::Row)) {
    os << owners_.value(owner.place, Dim::Row) << ",";
    range(owners_.value(owner.place, Dim::Col));
  } else {
    if (linear.hasIn(Dim::Partition))
      os << "P" << owners_.value(owner.place, Dim::Partition) << ":";
    range(place(owner));
  }
  return text;
}

int64_t CellMap::colour(const Owner& owner) const {
  const LinearLayout& linear = picture_.linear;
  if (linear.hasIn(Dim::Warp)) return owners_.value(owner.place, Dim::Warp);
  if (linear.hasIn(Dim::Row))
    return owners_.value(owner.place, Dim::Row) / chips::tensorMemoryRowsOfWarp;
  // Groups of four banks, which one lane reads at most.
  int64_t bytes = std::max<int64_t>(1, picture_.elementBits / 8);
  return picture_.elementBits ? place(owner) * bytes / chips::widestAccessBytes % 8
                              : owners_.value(owner.place, Dim::Block);
}

std::string CellMap::colourName(int64_t colour) const {
  const LinearLayout& linear = picture_.linear;
  if (linear.hasIn(Dim::Warp)) return "warp " + std::to_string(colour);
  if (linear.hasIn(Dim::Row))
    return "rows " + std::to_string(chips::tensorMemoryRowsOfWarp * colour) + "-" +
           std::to_string(chips::tensorMemoryRowsOfWarp * (colour + 1) - 1);
  if (!picture_.elementBits) return "CTA " + std::to_string(colour);
  return "banks " + std::to_string(4 * colour) + "-" + std::to_string(4 * colour + 3);
}

} // namespace gluond::layout
