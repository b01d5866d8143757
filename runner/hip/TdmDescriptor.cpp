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

// Writes fields of the descriptor's groups by their first bit.
struct Group {
  uint32_t* words;
  void set(unsigned bit, unsigned width, uint64_t value) const {
    for (unsigned i = 0; i < width; ++i)
      if (value >> i & 1) words[(bit + i) / 32] |= 1u << (bit + i) % 32;
  }
};

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
  Group first{made.data()}, second{made.data() + 4}, third{made.data() + 12},
      fourth{made.data() + 16};
  first.set(0, 32, 1);     // the predicate
  first.set(64, 57, base); // bits 32 to 63 are for the address in shared memory
  first.set(126, 2, 2);    // the type
  second.set(16, 2, static_cast<uint64_t>(std::countr_zero(descriptor.elementBytes)));
  uint64_t interval = uint64_t{descriptor.padInterval} * descriptor.elementBytes / 4,
           amount = uint64_t{descriptor.padAmount} * descriptor.elementBytes / 4;
  if (interval > 0 && amount > 0) {
    second.set(20, 1, 1);
    second.set(22, 3, static_cast<uint64_t>(std::bit_width(interval)) - 2);
    second.set(25, 7, amount - 1);
  }
  second.set(48, 32, extent(0));
  second.set(112, 16, part(0));
  if (rank >= 2) {
    second.set(80, 32, extent(1));
    second.set(128, 16, part(1));
    second.set(160, 48, stride(1));
  }
  if (rank >= 3) {
    second.set(144, 16, part(2));
    second.set(208, 48, stride(2));
    third.set(0, 32, extent(2));
  }
  if (rank >= 4) {
    third.set(32, 32, extent(3));
    third.set(64, 48, stride(3));
    third.set(112, 16, part(3));
  }
  if (rank >= 5) {
    fourth.set(0, 48, stride(4));
    fourth.set(48, 32, extent(4));
    fourth.set(80, 16, part(4));
  }
  return made;
}

} // namespace gluond::runner::hip
