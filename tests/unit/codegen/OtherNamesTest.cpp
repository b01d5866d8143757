#include "codegen/suggestions/OtherNames.h"

#include "codegen/suggestions/Suggest.h"
#include "language/types/Builtin.h"

#include <llvm/ADT/StringExtras.h>

#include <gtest/gtest.h>

namespace gluond::codegen {
namespace {

// A name that Gluon gets is no longer another library's, what is offered must exist, and a name
// stands in one row.
TEST(OtherNames, StandForNamesOfGluon) {
  ASSERT_FALSE(otherNames().empty());
  llvm::SmallVector<llvm::StringRef, 0> seen;
  for (const OtherName& row : otherNames()) {
    for (llvm::StringRef name : llvm::split(row.names, ' ')) {
      EXPECT_EQ(language::findBuiltin(language::ModuleId::gl, name), nullptr) << name.str();
      EXPECT_FALSE(llvm::is_contained(seen, name)) << name.str();
      seen.push_back(name);
    }
    EXPECT_FALSE(row.gluon.empty() && row.advice.empty()) << row.names.data();
    if (!row.gluon.empty())
      EXPECT_NE(language::findBuiltin(language::ModuleId::gl, row.gluon), nullptr)
          << row.gluon.data();
  }
}

TEST(OtherNames, AreFoundWhole) {
  EXPECT_EQ(gluonNameFor("fp16"), "float16");
  EXPECT_EQ(gluonNameFor("ceildiv"), "cdiv");
  EXPECT_EQ(gluonNameFor("fp"), "");
}

llvm::StringRef nearest(llvm::StringRef wanted, std::initializer_list<llvm::StringRef> candidates) {
  Nearest nearest(wanted);
  for (llvm::StringRef each : candidates)
    nearest.offer(each);
  EXPECT_FALSE(nearest.isClear()) << wanted.str();
  return nearest.name();
}

TEST(Nearest, KnowsAbbreviatedWords) {
  EXPECT_EQ(nearest("next_pow2", {"cdiv", "next_power_of_2", "jit"}), "next_power_of_2");
  EXPECT_EQ(nearest("PaddedLayout", {"BlockedLayout", "PaddedSharedLayout"}), "PaddedSharedLayout");
  EXPECT_EQ(nearest("unsafe", {"fix", "unsafe-fixes"}), "unsafe-fixes");
  EXPECT_EQ(nearest("offs", {"offs_mm", "offs_nn"}), "");
  EXPECT_EQ(nearest("load_tile", {"loadings_of_everything_else"}), "");
}

} // namespace
} // namespace gluond::codegen
