#include "layout/linear/LinearLayout.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::layout {

namespace {
uint64_t mask(unsigned bits) {
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

unsigned sumBits(llvm::ArrayRef<DimBits> dims) {
  unsigned sum = 0;
  for (DimBits d : dims)
    sum += d.bits;
  return sum;
}

unsigned shiftOf(llvm::ArrayRef<DimBits> dims, Dim dim) {
  unsigned shift = 0;
  for (DimBits d : dims) {
    if (d.dim == dim) return shift;
    shift += d.bits;
  }
  return 0;
}

std::string listText(llvm::ArrayRef<int32_t> values) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os);
  os << "]";
  return text;
}
} // namespace

const DimBits* LinearLayout::find(llvm::ArrayRef<DimBits> dims, Dim dim) {
  for (const DimBits& d : dims)
    if (d.dim == dim) return &d;
  return nullptr;
}

// ---------------------------------------------------------------- making

LinearLayout LinearLayout::invalid() {
  LinearLayout result;
  result.valid_ = false;
  return result;
}

LinearLayout LinearLayout::identity1D(int64_t size, Dim in, Dim out) {
  LinearLayout result;
  result.timesIdentity(size, in, out);
  return result;
}

LinearLayout LinearLayout::zeros1D(int64_t size, Dim in, Dim out, int64_t outSize) {
  LinearLayout result;
  result.timesZeros(size, in, out);
  if (size == 0 || !result.valid_) return result;
  std::optional<unsigned> bits = exactLog2(outSize);
  if (!bits || *bits > maxLayoutBits) return invalid();
  result.outs_.front().bits = static_cast<uint8_t>(*bits);
  return result;
}

LinearLayout LinearLayout::strided1D(int64_t size, int64_t stride, Dim in, Dim out) {
  std::optional<unsigned> strideBits = exactLog2(stride);
  LinearLayout result = identity1D(size, in, out);
  if (size == 0 || !result.valid_) return result;
  if (!strideBits || result.totalOutBits() + *strideBits > maxLayoutBits) return invalid();
  result.outs_.front().bits = static_cast<uint8_t>(result.outs_.front().bits + *strideBits);
  for (uint64_t& column : result.columns_)
    column <<= *strideBits;
  return result;
}

LinearLayout LinearLayout::identityND(Dim in, llvm::ArrayRef<int32_t> shape,
                                      llvm::ArrayRef<unsigned> order) {
  assert(shape.size() == order.size());
  LinearLayout result;
  for (unsigned dim : order)
    result.timesIdentity(shape[dim], in, tensorDim(dim));
  return result;
}

tl::expected<LinearLayout, std::string> LinearLayout::fromBases(llvm::ArrayRef<InBases> ins,
                                                                llvm::ArrayRef<DimSize> outs) {
  auto fail = [](auto&&... parts) {
    std::string text;
    llvm::raw_string_ostream os(text);
    (os << ... << parts);
    return tl::make_unexpected(std::move(text));
  };
  LinearLayout result;
  unsigned total = 0;
  for (auto [dim, size] : outs) {
    std::optional<unsigned> bits = exactLog2(size);
    if (!bits) return fail("the size of ", name(dim), ", ", size, ", is not a power of two");
    total += *bits;
    if (*bits > 31 || total > maxLayoutBits) return fail("the layout is too large");
    if (result.hasOut(dim)) return fail(name(dim), " is given twice");
    result.outs_.push_back({dim, static_cast<uint8_t>(*bits)});
  }
  for (const InBases& in : ins) {
    if (result.hasIn(in.dim)) return fail(name(in.dim), " is given twice");
    if (result.columns_.size() + in.bases.size() > maxLayoutBits)
      return fail("the layout has too many bases");
    for (const Coordinates& basis : in.bases) {
      if (basis.size() != outs.size())
        return fail("basis ", listText(basis), " of ", name(in.dim), " has ", basis.size(),
                    " coordinates, but the tensor has ", outs.size());
      uint64_t packed = 0;
      unsigned shift = 0;
      for (auto [coordinate, out] : llvm::zip_equal(basis, result.outs_)) {
        if (coordinate < 0)
          return fail("basis ", listText(basis), " of ", name(in.dim), " is negative");
        if (coordinate >= out.size())
          return fail("basis ", listText(basis), " of ", name(in.dim), " lies outside ",
                      name(out.dim), ", whose size is ", out.size());
        if (coordinate) packed |= static_cast<uint64_t>(coordinate) << shift;
        shift += out.bits;
      }
      result.columns_.push_back(packed);
    }
    result.ins_.push_back({in.dim, static_cast<uint8_t>(in.bases.size())});
  }
  return result;
}

tl::expected<LinearLayout, std::string> LinearLayout::fromBases(llvm::ArrayRef<InBases> ins,
                                                                llvm::ArrayRef<Dim> outs) {
  llvm::SmallVector<DimSize, 4> sizes;
  for (Dim dim : outs)
    sizes.push_back({dim, 1});
  for (const InBases& in : ins)
    for (const Coordinates& basis : in.bases)
      for (size_t i = 0; i < std::min(basis.size(), sizes.size()); ++i)
        if (basis[i] > 0)
          sizes[i].size =
              std::max(sizes[i].size,
                       static_cast<int64_t>(llvm::NextPowerOf2(static_cast<uint64_t>(basis[i]))));
  return fromBases(ins, sizes);
}

// ---------------------------------------------------------------- shape

Dims LinearLayout::inDims() const {
  Dims dims;
  for (DimBits d : ins_)
    dims.push_back(d.dim);
  return dims;
}

Dims LinearLayout::outDims() const {
  Dims dims;
  for (DimBits d : outs_)
    dims.push_back(d.dim);
  return dims;
}

unsigned LinearLayout::inBits(Dim dim) const {
  const DimBits* d = find(ins_, dim);
  assert((d || !valid_) && "input dimension is not in the layout");
  return d ? d->bits : 0;
}

unsigned LinearLayout::outBits(Dim dim) const {
  const DimBits* d = find(outs_, dim);
  assert((d || !valid_) && "output dimension is not in the layout");
  return d ? d->bits : 0;
}

unsigned LinearLayout::totalOutBits() const {
  return sumBits(outs_);
}
unsigned LinearLayout::inShift(Dim dim) const {
  assert((hasIn(dim) || !valid_) && "input dimension is not in the layout");
  return shiftOf(ins_, dim);
}
unsigned LinearLayout::outShift(Dim dim) const {
  assert((hasOut(dim) || !valid_) && "output dimension is not in the layout");
  return shiftOf(outs_, dim);
}

llvm::SmallVector<int64_t, 4> LinearLayout::outSizes() const {
  llvm::SmallVector<int64_t, 4> sizes;
  for (DimBits d : outs_)
    sizes.push_back(d.size());
  return sizes;
}

// ---------------------------------------------------------------- reading

f2::Columns LinearLayout::columns(Dim in) const {
  return columns().slice(inShift(in), inBits(in));
}

int32_t LinearLayout::basis(Dim in, unsigned bit, Dim out) const {
  return static_cast<int32_t>(columns(in)[bit] >> outShift(out) & mask(outBits(out)));
}

Bases LinearLayout::bases(Dim in) const {
  Bases result;
  for (uint64_t column : columns(in))
    result.push_back(unpack(column));
  return result;
}

Coordinates LinearLayout::unpack(uint64_t packed) const {
  Coordinates result;
  for (DimBits d : outs_) {
    result.push_back(static_cast<int32_t>(packed & mask(d.bits)));
    packed = d.bits < 64 ? packed >> d.bits : 0;
  }
  return result;
}

uint64_t LinearLayout::pack(llvm::ArrayRef<int32_t> coordinates) const {
  uint64_t packed = 0;
  unsigned shift = 0;
  for (auto [coordinate, out] : llvm::zip_equal(coordinates, outs_)) {
    if (out.bits) packed |= (static_cast<uint64_t>(coordinate) & mask(out.bits)) << shift;
    shift += out.bits;
  }
  return packed;
}

uint64_t LinearLayout::packInput(llvm::ArrayRef<Place> place) const {
  uint64_t packed = 0;
  for (auto [dim, value] : place)
    if (unsigned bits = inBits(dim)) packed |= (value & mask(bits)) << inShift(dim);
  return packed;
}

Coordinates LinearLayout::apply(llvm::ArrayRef<Place> place) const {
  return unpack(applyPacked(packInput(place)));
}

uint64_t LinearLayout::outputMask(llvm::ArrayRef<Dim> ins, Dim out) const {
  uint64_t seen = 0;
  for (Dim in : ins)
    for (uint64_t column : columns(in))
      seen |= column;
  unsigned bits = outBits(out);
  return bits ? seen >> outShift(out) & mask(bits) : 0;
}

uint64_t LinearLayout::inputMask(Dim in, llvm::ArrayRef<Dim> outs) const {
  uint64_t wanted = 0;
  for (Dim out : outs)
    if (unsigned bits = outBits(out)) wanted |= mask(bits) << outShift(out);
  uint64_t result = 0;
  for (auto [i, column] : llvm::enumerate(columns(in)))
    if (column & wanted) result |= uint64_t(1) << i;
  return result;
}

// ---------------------------------------------------------------- properties

bool LinearLayout::isPermutation() const {
  uint64_t seen = 0;
  for (uint64_t column : columns_) {
    if (column & (column - 1) || seen & column) return false;
    seen |= column;
  }
  return static_cast<unsigned>(llvm::popcount(seen)) == totalOutBits();
}

llvm::SmallVector<std::pair<Dim, uint64_t>, 4> LinearLayout::freeMasks() const {
  f2::Basis basis;
  for (uint64_t column : columns_)
    basis.insert(column);
  uint64_t dependent = ~basis.independent();
  llvm::SmallVector<std::pair<Dim, uint64_t>, 4> result;
  unsigned shift = 0;
  for (DimBits d : ins_) {
    result.push_back({d.dim, d.bits ? dependent >> shift & mask(d.bits) : 0});
    shift += d.bits;
  }
  return result;
}

uint64_t LinearLayout::freeMask(Dim in) const {
  for (auto [dim, free] : freeMasks())
    if (dim == in) return free;
  assert(!valid_ && "input dimension is not in the layout");
  return 0;
}

// ---------------------------------------------------------------- comparison and text

llvm::hash_code hash_value(const LinearLayout& layout) {
  auto hashDims = [](llvm::ArrayRef<DimBits> dims) {
    llvm::hash_code hash = llvm::hash_value(dims.size());
    for (DimBits d : dims)
      hash = llvm::hash_combine(hash, static_cast<unsigned>(d.dim), d.bits);
    return hash;
  };
  return llvm::hash_combine(
      hashDims(layout.ins_), hashDims(layout.outs_),
      llvm::hash_combine_range(layout.columns_.begin(), layout.columns_.end()));
}

std::string LinearLayout::toString() const {
  if (!valid_) return "invalid";
  std::string text = "{";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(ins_, os, [&](DimBits in) {
    os << name(in.dim) << " = [";
    llvm::interleaveComma(bases(in.dim), os,
                          [&](const Coordinates& basis) { os << listText(basis); });
    os << "]";
  });
  os << "} -> ";
  if (outs_.empty()) os << "()";
  bool standard = outDims() == tensorDims(static_cast<unsigned>(outs_.size()));
  llvm::interleave(
      outs_, os,
      [&](DimBits out) {
        if (!standard) os << name(out.dim) << ":";
        os << out.size();
      },
      "x");
  return text;
}

} // namespace gluond::layout
