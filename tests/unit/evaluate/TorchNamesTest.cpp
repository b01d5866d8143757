#include "evaluate/torch/TorchNames.h"

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

// A file may have tens of thousands of misspelt names, each of which is compared with these.
TEST(TorchNames, NamesOfOneLengthAreFew) {
  for (const char* owner : {"torch", "torch.Tensor"}) {
    size_t all = torchNames(owner).size(), found = 0;
    ASSERT_GT(all, 500u) << owner;
    for (size_t length = 0; length < 100; ++length) {
      auto names = torchNamesOfLength(owner, length);
      EXPECT_LT(names.size(), all / 5) << owner << ", " << length;
      for (llvm::StringRef name : names)
        EXPECT_EQ(name.size(), length) << name.str();
      found += names.size();
    }
    EXPECT_EQ(found, all) << owner;
  }
}

} // namespace
} // namespace gluond::evaluate
