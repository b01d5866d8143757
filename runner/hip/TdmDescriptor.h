// Tensor descriptors of gfx1250 for the tensor data mover (TDM), in the form that Triton's launcher
// passes them to kernels.
#pragma once

#include "chips/TdmDescriptorBits.h"
#include "runner/protocol/Messages.h"

#include <tl/expected.hpp>

#include <array>

namespace gluond::runner::hip {

namespace tdm = chips::tdm;

using TdmDescriptor = std::array<uint32_t, tdm::wordsOfAll>;
// A kernel takes the first two groups of a descriptor for two dimensions, and else all of it.
constexpr size_t tdmBytes(size_t rank) {
  return tdm::wordsOf(rank) * sizeof(uint32_t);
}

// Shapes, strides and the block of `descriptor` count elements, outermost dimension first; `warps`
// is the number of warps of a CTA, which share the block. The error ends the sentence "the tensor
// descriptor ...".
tl::expected<TdmDescriptor, std::string> encodeTdm(const Descriptor& descriptor,
                                                   const std::vector<int64_t>& shape,
                                                   const std::vector<int64_t>& strides,
                                                   uint64_t base, unsigned warps);

} // namespace gluond::runner::hip
