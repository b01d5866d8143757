#include "layout/picture/Picture.h"

#include "layout/tolinear/ToLinearLayout.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/raw_ostream.h>

#include <cmath>

namespace gluond::layout {

OrError<LayoutPicture> makePicture(const Layout& layout, Shape shape, std::string title,
                                   std::string dtype, unsigned elementBits) {
  OrError<LinearLayout> linear = toLinearLayout(layout, shape);
  if (!linear) return tl::make_unexpected(linear.error());
  return LayoutPicture{layout, std::move(*linear), std::move(title), std::move(dtype), elementBits};
}

LayoutReport report(const LayoutPicture& picture) {
  LayoutReport result;
  llvm::append_range(result.shape, picture.linear.outSizes());
  result.dtype = picture.dtype;
  result.dims = picture.linear.inDims();
  for (Dim dim : result.dims)
    result.bases.push_back(picture.linear.bases(dim));
  for (const Replication& r : replicationOf(picture.linear))
    result.replication.push_back(r.copies);
  return result;
}

OwnerMap::OwnerMap(const LinearLayout& linear) : linear_(linear) {
  for (uint64_t column : linear.columns())
    basis_.insert(column);
  copies_ = int64_t(1) << std::min(62u, linear.totalInBits() - basis_.rank());
}

Owner OwnerMap::at(llvm::ArrayRef<int32_t> coordinates) const {
  std::optional<uint64_t> place = basis_.express(linear_.pack(coordinates));
  return place ? Owner{*place, copies_} : Owner{0, 0};
}

int64_t OwnerMap::value(uint64_t place, Dim in) const {
  unsigned bits = linear_.hasIn(in) ? linear_.inBits(in) : 0;
  if (!bits) return 0;
  return static_cast<int64_t>(place >> linear_.inShift(in) &
                              (bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0)));
}

std::string summary(const LayoutPicture& picture) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const LinearLayout& linear = picture.linear;
  auto plural = [](Dim dim) -> llvm::StringRef {
    static constexpr std::pair<Dim, llvm::StringLiteral> names[] = {
        {Dim::Register, "registers"}, {Dim::Lane, "lanes"},     {Dim::Warp, "warps"},
        {Dim::Block, "CTAs"},         {Dim::Offset, "offsets"}, {Dim::Partition, "partitions"},
        {Dim::Row, "rows"},           {Dim::Col, "columns"}};
    for (const auto& [d, plural] : names)
      if (d == dim) return plural;
    return name(dim);
  };
  // Slowest first, without dimensions of size one.
  bool first = true;
  for (DimBits in : llvm::reverse(linear.ins())) {
    if (in.bits == 0 && in.dim != Dim::Register && in.dim != Dim::Offset) continue;
    os << (first ? "" : " x ") << in.size() << " " << (in.bits ? plural(in.dim) : name(in.dim));
    first = false;
  }
  os << ", ";
  int64_t all = 1;
  for (const Replication& r : replicationOf(linear))
    all *= r.copies;
  if (all == 1) {
    os << "each element once";
  } else {
    os << "each element in " << all << " places (";
    first = true;
    for (const Replication& r : replicationOf(linear)) {
      if (r.copies == 1) continue;
      os << (first ? "" : " x ") << r.copies << " " << plural(r.dim);
      first = false;
    }
    os << ")";
  }
  if (double holes = holesOf(linear); holes > 0)
    os << ", " << std::lround(holes * 100) << "% of the elements nowhere";
  return text;
}

} // namespace gluond::layout
