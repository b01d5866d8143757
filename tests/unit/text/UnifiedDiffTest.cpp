#include "text/UnifiedDiff.h"

#include <gtest/gtest.h>

namespace gluond::text {

TEST(UnifiedDiff, namesAreQuotedAsInGit) {
  auto header = [](llvm::StringRef name) { return unifiedDiff(name, "a\n", "b\n"); };
  EXPECT_EQ(header("d/é 1.py"), "--- d/é 1.py\n+++ d/é 1.py\n@@ -1,1 +1,1 @@\n-a\n+b\n");
  std::string forged = header("a.py\n--- b\x1b[31m\"\\");
  EXPECT_TRUE(llvm::StringRef(forged).starts_with(R"(--- "a.py\012--- b\033[31m\"\\")"));
  EXPECT_EQ(llvm::StringRef(forged).count('\n'), 5u);
}

} // namespace gluond::text
