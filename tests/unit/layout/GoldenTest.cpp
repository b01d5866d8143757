// Our answers against those recorded from Triton 3.9.0.
#include "Goldens.h"
#include "layout/ToLinearLayout.h"

#include <gtest/gtest.h>

namespace gluond::layout::test {
namespace {

bool rejected(const Json& golden) {
  return golden.value("rejected", false);
}

TEST(Golden, Conversions) {
  size_t compared = 0;
  for (const Json& golden : goldens("conversions")) {
    SCOPED_TRACE(golden["layout"].dump() + " for " + golden["shape"].dump());
    OrError<Layout> layout = layoutFrom(golden["layout"]);
    OrError<LinearLayout> linear = layout.and_then(
        [&](const Layout& l) { return toLinearLayout(l, shapeFrom(golden["shape"])); });
    if (rejected(golden)) {
      // Gluon's class for the answer wants at least one offset; the layout of a single element is
      // fine.
      if (golden["why"] == "SharedLinearLayout offset_bases must not be empty") continue;
      EXPECT_FALSE(linear) << linear->toString();
      continue;
    }
    ASSERT_TRUE(linear) << linear.error().field << ": " << linear.error().message;
    Json ours = basesOf(*linear);
    // What Triton's Python object does not show.
    if (!golden["bases"].contains("block")) ours.erase("block");
    ours.erase("partition");
    EXPECT_EQ(ours, golden["bases"]);
    // Tensor memory may be split over more CTAs than it has elements, which only its descriptor
    // type refuses.
    if (!layout->isTensorMemory())
      EXPECT_EQ(linear->outSizes(), llvm::ArrayRef(shapeFrom(golden["shape"])));
    ++compared;
  }
  EXPECT_GT(compared, 2500u);
}

TEST(Golden, Algebra) {
  for (const Json& golden : goldens("algebra")) {
    std::string op = golden["op"];
    SCOPED_TRACE(golden.dump());
    LinearLayout a = matrixFrom(golden["a"]);
    if (op == "facts") {
      EXPECT_EQ(a.isSurjective(), golden["surjective"].get<bool>());
      EXPECT_EQ(a.isInjective(), golden["injective"].get<bool>());
      EXPECT_EQ(a.isInvertible(), golden["invertible"].get<bool>());
      continue;
    }
    std::optional<LinearLayout> ours;
    LinearLayout b = golden.contains("b") ? matrixFrom(golden["b"]) : LinearLayout();
    if (op == "invert_and_compose") ours = a.invertAndCompose(b);
    if (op == "pseudoinvert") ours = a.pseudoInvert();
    if (op == "compose") ours = a.compose(b);
    if (op == "mul") ours = a * b;
    if (rejected(golden)) {
      EXPECT_FALSE(ours && ours->valid());
      continue;
    }
    ASSERT_TRUE(ours);
    EXPECT_EQ(ours->toString(), matrixFrom(golden["result"]).toString());
  }
}

} // namespace
} // namespace gluond::layout::test
