#include "runner/hip/TdmDescriptor.h"

#include <bit>

namespace gluond::runner::hip {

namespace {

// The part of the block that one warp copies: warps are dealt to the dimensions from the outermost
// on, as many as the extent takes.
std::array<uint32_t, 5> partOfWarp(const std::vector<int64_t>& block, unsigned warps) {
  std::array<uint32_t, 5> part = {};
  unsigned left = warps;
  for (size_t i = 0; i < block.size(); ++i) {
    auto extent = static_cast<uint64_t>(block[i]);
    uint64_t here = block.size() == 1 ? warps : 1;
    while (block.size() > 1 && left > 1 && here * 2 <= extent) {
      here *= 2;
      left /= 2;
    }
    part[i] = static_cast<uint32_t>((extent + here - 1) / here);
  }
  return part;
}

// Each part is written once.
void set(TdmDescriptor& words, tdm::Bits bits, uint64_t value) {
  for (unsigned i = 0; i < bits.width; ++i)
    if (value >> i & 1) words[(bits.first + i) / 32] |= 1u << (bits.first + i) % 32;
}

} // namespace

tl::expected<TdmDescriptor, std::string> encodeTdm(const Descriptor& descriptor,
                                                   const std::vector<int64_t>& shape,
                                                   const std::vector<int64_t>& strides,
                                                   uint64_t base, unsigned warps) {
  using Error = tl::unexpected<std::string>;
  size_t rank = shape.size();
  if (descriptor.isIm2Col) return Error("is for im2col, which AMD GPUs do not have");
  if (descriptor.box.size() != rank) return Error("has a block of another rank");
  for (size_t i = 0; i < rank; ++i) {
    if (shape[i] < 0 || shape[i] > UINT32_MAX) return Error("has an extent beyond 32 bits");
    if (strides[i] < 0 || strides[i] >> 48) return Error("has a stride beyond 48 bits");
    if (descriptor.box[i] < 1) return Error("has an empty block");
  }
  // Dimension 0 is the innermost from here on.
  std::array<uint32_t, 5> parts = partOfWarp(descriptor.box, std::max(warps, 1u));
  auto extent = [&](size_t i) { return static_cast<uint64_t>(shape[rank - 1 - i]); };
  auto stride = [&](size_t i) { return static_cast<uint64_t>(strides[rank - 1 - i]); };
  auto part = [&](size_t i) { return uint64_t{parts[rank - 1 - i]}; };

  TdmDescriptor made = {};
  set(made, tdm::predicate, 1);
  set(made, tdm::globalAddress, base);
  set(made, tdm::type, 2);
  set(made, tdm::elementSize, static_cast<uint64_t>(std::countr_zero(descriptor.elementBytes)));
  uint64_t interval = uint64_t{descriptor.padInterval} * descriptor.elementBytes / 4,
           amount = uint64_t{descriptor.padAmount} * descriptor.elementBytes / 4;
  if (interval > 0 && amount > 0) {
    set(made, tdm::isPadded, 1);
    set(made, tdm::interval, static_cast<uint64_t>(std::bit_width(interval)) - 2);
    set(made, tdm::amount, amount - 1);
  }
  for (size_t i = 0; i < rank; ++i) {
    set(made, tdm::size[i], extent(i));
    set(made, tdm::block[i], part(i));
    if (i > 0) set(made, tdm::stride[i], stride(i));
  }
  return made;
}

} // namespace gluond::runner::hip
