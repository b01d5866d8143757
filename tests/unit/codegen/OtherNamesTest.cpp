#include "codegen/suggestions/OtherNames.h"

#include "language/types/Builtin.h"

#include <gtest/gtest.h>

namespace gluond::codegen {
namespace {

// A name that Gluon gets is no longer another library's, and what is offered must exist.
TEST(OtherNames, StandForNamesOfGluon) {
  ASSERT_FALSE(otherNames().empty());
  for (const OtherName& row : otherNames()) {
    EXPECT_EQ(language::findBuiltin(language::ModuleId::gl, row.name), nullptr) << row.name.data();
    EXPECT_NE(language::findBuiltin(language::ModuleId::gl, row.gluon), nullptr)
        << row.gluon.data();
  }
}

TEST(OtherNames, AreFoundWhole) {
  EXPECT_EQ(gluonNameFor("fp16"), "float16");
  EXPECT_EQ(gluonNameFor("ceildiv"), "cdiv");
  EXPECT_EQ(gluonNameFor("fp"), "");
}

} // namespace
} // namespace gluond::codegen
