// The words of gfx1250's tensor data mover (TDM): where they hold the parts of a tensor descriptor.
// The host writes most of them into the descriptors that it passes to a kernel; the kernel reads
// them, and writes them into the words of its instructions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gluond::chips::tdm {

// Four groups of 4, 8, 4 and 4 words. Tensors of at most two dimensions need the first two.
constexpr unsigned secondGroup = 4, thirdGroup = 12, fourthGroup = 16;
constexpr unsigned wordsOfTwoGroups = 12, wordsOfAll = 20;
constexpr unsigned mostDims = 5;

// Returns how many words a descriptor has that the host passes.
constexpr unsigned wordsOf(size_t rank) {
  return rank <= 2 ? wordsOfTwoGroups : wordsOfAll;
}

// Bits of the words, counted from the lowest bit of the first word.
struct Bits {
  unsigned first, width;
};
constexpr Bits inGroup(unsigned firstWord, unsigned bit, unsigned width) {
  return {32 * firstWord + bit, width};
}

constexpr Bits predicate = {0, 1};
constexpr Bits hasLongIndices = {30, 1}, isGather = {31, 1}; // rows are given by their numbers
constexpr Bits sharedAddress = {32, 32};                     // in bytes
constexpr Bits globalAddress = {64, 57};
constexpr Bits type = {126, 2};                       // 2: an image, which a tensor is
constexpr Bits sharers = inGroup(secondGroup, 0, 16); // CTAs of the cluster that receive the block
constexpr Bits elementSize = inGroup(secondGroup, 16, 2); // log2 of its bytes
constexpr Bits hasBarrier = inGroup(secondGroup, 18, 1);
constexpr Bits barrier = inGroup(secondGroup, 32, 16); // its address in units of 8 bytes
// Padding: after 2^(interval + 1) words come amount + 1 words.
constexpr Bits isPadded = inGroup(secondGroup, 20, 1);
constexpr Bits interval = inGroup(secondGroup, 22, 3), amount = inGroup(secondGroup, 25, 7);
constexpr int64_t wordBits = 32, mostIntervalWords = 256, mostAmountWords = 128;
// The extents of the tensor and of the block, and the strides, by dimension, the innermost first.
// All are in elements. The innermost stride is 1.
constexpr Bits size[mostDims] = {inGroup(secondGroup, 48, 32), inGroup(secondGroup, 80, 32),
                                 inGroup(thirdGroup, 0, 32), inGroup(thirdGroup, 32, 32),
                                 inGroup(fourthGroup, 48, 32)};
constexpr Bits block[mostDims] = {inGroup(secondGroup, 112, 16), inGroup(secondGroup, 128, 16),
                                  inGroup(secondGroup, 144, 16), inGroup(thirdGroup, 112, 16),
                                  inGroup(fourthGroup, 80, 16)};
constexpr Bits stride[mostDims] = {{},
                                   inGroup(secondGroup, 160, 48),
                                   inGroup(secondGroup, 208, 48),
                                   inGroup(thirdGroup, 64, 48),
                                   inGroup(fourthGroup, 0, 48)};

} // namespace gluond::chips::tdm
