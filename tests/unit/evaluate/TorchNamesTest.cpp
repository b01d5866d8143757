#include "evaluate/torch/TorchNames.h"

#include "support/ThreadClock.h"

#include <gtest/gtest.h>
#include <string>

namespace gluond::evaluate {
namespace {

TEST(TorchNames, TypingErrorsAreOneLetterOrTwoNeighbors) {
  for (const char* name : {"zeross", "zeos", "ezros", "zreos", "zeors", "zerso", "eros", "zerosx",
                           "emppty", "empt", "float61", "arnage", "randnn"})
    EXPECT_TRUE(isMisspeltInTorch("torch", name) || torchHas("torch", name)) << name;
  EXPECT_TRUE(isMisspeltInTorch("torch", "zeross"));
  EXPECT_TRUE(isMisspeltInTorch("torch", "emtpy"));
  EXPECT_TRUE(isMisspeltInTorch("torch", "flaot16"));
  EXPECT_TRUE(isMisspeltInTorch("torch.Tensor", "strid"));
  for (const char* name :
       {"zeros", "", "z", "ab", "_zeross", "zerosxx", "unheard_of", "float17", "float_16", "sorez"})
    EXPECT_FALSE(isMisspeltInTorch("torch", name)) << name;
  EXPECT_FALSE(isMisspeltInTorch("torch", std::string(1'000'000, 'z')));
  EXPECT_FALSE(isMisspeltInTorch("no.such.module", "zeross"));
}

// A file may have tens of thousands, which were compared with thousands of names each.
TEST(TorchNames, ManyNamesAreLookedUpQuickly) {
  constexpr int64_t most = 3'000'000'000; // in a build with sanitizers; usually a tenth
  int64_t began = threadNanoseconds();
  for (int i = 0; i < 300'000; ++i)
    isMisspeltInTorch("torch", "misspelt_name_" + std::to_string(i));
  EXPECT_LT(threadNanoseconds() - began, most);
}

} // namespace
} // namespace gluond::evaluate
