// What the runner makes and reads for AMD's GPUs without HIP: code objects, TDM descriptors, ROCm's
// last words.
#include "CodeObjects.h"
#include "runner/hip/CodeObject.h"
#include "runner/hip/HipDriver.h"
#include "runner/hip/TdmDescriptor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::runner::hip {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(CodeObject, saysWhatItIsFor) {
  auto object = readCodeObject(codeObject("gfx942", "copy", {8, 8, 4, 8, 8}));
  ASSERT_TRUE(object);
  EXPECT_EQ(object->arch, "gfx942");
  const CodeObject::Kernel* kernel = object->find("copy");
  ASSERT_TRUE(kernel);
  EXPECT_THAT(kernel->arguments, ElementsAre(8, 8, 4, 8, 8)) << "without the hidden one";
  EXPECT_EQ(kernel->vectorRegisters, 84u);
  EXPECT_EQ(kernel->accumulatorRegisters, 16u);
  EXPECT_EQ(kernel->scalarRegisters, 30u);
  EXPECT_EQ(kernel->spilledVectors, 3u);
  EXPECT_EQ(kernel->warpSize, 64u);
  EXPECT_FALSE(object->find("other"));
}

TEST(CodeObject, targetsAreWrittenInSeveralWays) {
  auto archOf = [](const std::string& arch, const std::string& triple) {
    return readCodeObject(codeObject(arch, "k", {8}, triple))->arch;
  };
  EXPECT_EQ(archOf("gfx942:sramecc+:xnack-", "amdgcn-amd-amdhsa--"), "gfx942");
  EXPECT_EQ(archOf("gfx1250", "amdgpu12.50-amd-amdhsa-unknown-"), "gfx1250"); // Triton 3.9.0
  EXPECT_EQ(archOf("gfx9-4-generic", "amdgcn-amd-amdhsa--"), "gfx9-4-generic");
}

TEST(CodeObject, otherBytesAreNone) {
  EXPECT_FALSE(readCodeObject(""));
  EXPECT_FALSE(readCodeObject("FAKE copy"));
  std::string whole = codeObject("gfx942", "copy", {8});
  std::string ofOtherMachine = whole;
  ofOtherMachine[18] = 62;
  EXPECT_FALSE(readCodeObject(ofOtherMachine));
  // Cut off anywhere, or with any byte changed, it is read as something or as nothing.
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_FALSE(readCodeObject(whole.substr(0, i))) << i;
    for (char byte : {'\0', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[i] = byte;
      if (auto object = readCodeObject(changed)) EXPECT_LE(object->kernels.size(), 1u);
    }
  }
}

std::vector<uint32_t> encoded(std::vector<int64_t> shape, std::vector<int64_t> strides,
                              std::vector<int64_t> block, unsigned warps, unsigned elementBytes = 2,
                              unsigned interval = 0, unsigned amount = 0) {
  Descriptor descriptor;
  descriptor.box = std::move(block);
  descriptor.elementBytes = elementBytes;
  descriptor.padInterval = interval;
  descriptor.padAmount = amount;
  auto made = encodeTdm(descriptor, shape, strides, 0x123456789a00, warps);
  EXPECT_TRUE(made);
  return made ? std::vector<uint32_t>(made->begin(), made->end()) : std::vector<uint32_t>();
}

// What encodeTDMDescriptor of Triton 3.9.0 (backends/amd/driver.c) makes of the same.
TEST(TdmDescriptor, isTritons) {
  EXPECT_THAT(encoded({512, 512}, {512, 1}, {64, 32}, 4, 2, 0, 0),
              ElementsAre(0x1u, 0x0u, 0x56789a00u, 0x80001234u, 0x10000u, 0x2000000u, 0x2000000u,
                          0x200000u, 0x10u, 0x200u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u,
                          0x0u, 0x0u));
  EXPECT_THAT(encoded({100}, {1}, {1024}, 8, 4, 0, 0),
              ElementsAre(0x1u, 0x0u, 0x56789a00u, 0x80001234u, 0x20000u, 0x640000u, 0x0u,
                          0x800000u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u,
                          0x0u, 0x0u));
  EXPECT_THAT(encoded({3, 5, 70000}, {int64_t{1099511627776}, 70000, 1}, {1, 4, 128}, 4, 2, 64, 8),
              ElementsAre(0x1u, 0x0u, 0x56789a00u, 0x80001234u, 0x7110000u, 0x11700000u, 0x50001u,
                          0x800000u, 0x10001u, 0x11170u, 0x0u, 0x1000000u, 0x3u, 0x0u, 0x0u, 0x0u,
                          0x0u, 0x0u, 0x0u, 0x0u));
  EXPECT_THAT(
      encoded({9, 8, 7, 600}, {int64_t{8589934592}, 4200, 600, 1}, {1, 2, 16, 64}, 8, 1, 256, 16),
      ElementsAre(0x1u, 0x0u, 0x56789a00u, 0x80001234u, 0x7500000u, 0x2580000u, 0x70000u, 0x400000u,
                  0x10004u, 0x258u, 0x10680000u, 0x0u, 0x8u, 0x9u, 0x0u, 0x10002u, 0x0u, 0x0u, 0x0u,
                  0x0u));
  EXPECT_THAT(encoded({2, 3, 4, 5, 66000},
                      {int64_t{60129542144}, int64_t{21474836480}, 333333, 66000, 1},
                      {1, 1, 2, 8, 64}, 2, 4, 32, 4),
              ElementsAre(0x1u, 0x0u, 0x56789a00u, 0x80001234u, 0x7120000u, 0x1d00000u, 0x50001u,
                          0x400000u, 0x10008u, 0x101d0u, 0x16150000u, 0x5u, 0x4u, 0x3u, 0x0u,
                          0x10005u, 0x0u, 0x2000eu, 0x10000u, 0x0u));
}

// The sizes of the parameters of Triton 3.9.0's code for descriptors of 1 to 5 dimensions.
TEST(TdmDescriptor, kernelsTakeAsMuchAsTheRankNeeds) {
  EXPECT_THAT((std::array{tdmBytes(1), tdmBytes(2), tdmBytes(3), tdmBytes(4), tdmBytes(5)}),
              ElementsAre(48, 48, 80, 80, 80));
}

TEST(TdmDescriptor, whatItCannotHoldIsRefused) {
  Descriptor descriptor;
  descriptor.box = {16};
  EXPECT_THAT(encodeTdm(descriptor, {64, 64}, {64, 1}, 0, 4).error(), HasSubstr("another rank"));
  descriptor.box = {16, 16};
  EXPECT_THAT(encodeTdm(descriptor, {64, 64}, {int64_t{1} << 48, 1}, 0, 4).error(),
              HasSubstr("stride beyond 48 bits"));
  EXPECT_THAT(encodeTdm(descriptor, {int64_t{1} << 33, 64}, {64, 1}, 0, 4).error(),
              HasSubstr("extent beyond 32 bits"));
  descriptor.isIm2Col = true;
  EXPECT_THAT(encodeTdm(descriptor, {64, 64}, {64, 1}, 0, 4).error(), HasSubstr("im2col"));
}

TEST(Abort, isExplained) {
  EXPECT_THAT(explainAbort("Memory access fault by GPU node-1 (Agent handle: 0x55) on address "
                           "0x7f. Reason: Unknown."),
              HasSubstr("invalid address"));
  EXPECT_THAT(explainAbort("Queue aborting with error : HSA_STATUS_ERROR_EXCEPTION: ..."),
              HasSubstr("a trap"));
  EXPECT_EQ(explainAbort("free(): invalid pointer"), "");
}

} // namespace
} // namespace gluond::runner::hip
