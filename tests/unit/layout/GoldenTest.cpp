// Our answers against those recorded from Triton 3.9.0.
#include "Goldens.h"
#include "layout/access/SharedAccess.h"
#include "layout/exchange/ConvertLayout.h"
#include "layout/instructions/AmdSharedLayouts.h"
#include "layout/instructions/ScaleLayouts.h"
#include "layout/instructions/TmemRegisters.h"

#include <gtest/gtest.h>

namespace gluond::layout::test {
namespace {

bool rejected(const Json& golden) {
  return golden.value("rejected", false);
}

OrError<LinearLayout> linearFrom(const Json& layout, const Json& shape) {
  return layoutFrom(layout).and_then(
      [&](const Layout& l) { return toLinearLayout(l, shapeFrom(shape)); });
}

TEST(Golden, Conversions) {
  size_t compared = 0;
  for (const Json& golden : goldens("conversions")) {
    SCOPED_TRACE(golden["layout"].dump() + " for " + golden["shape"].dump());
    OrError<Layout> layout = layoutFrom(golden["layout"]);
    OrError<LinearLayout> linear = linearFrom(golden["layout"], golden["shape"]);
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

TEST(Golden, BankConflicts) {
  size_t compared = 0;
  for (const Json& golden : goldens("bank-conflicts")) {
    if (rejected(golden))
      continue; // mostly buffers smaller than a row of banks, which Triton does not answer for
    SCOPED_TRACE(golden.dump());
    OrError<LinearLayout> registers = linearFrom(golden["registers"], golden["shape"]);
    OrError<LinearLayout> shared = linearFrom(golden["shared"], golden["shape"]);
    ASSERT_TRUE(registers && shared);
    OrError<SharedAccessCost> cost = sharedAccessCost(*registers, *shared, golden["bits"]);
    ASSERT_TRUE(cost);
    EXPECT_EQ(cost->conflicts, golden["conflicts"].get<int64_t>());
    ++compared;
  }
  EXPECT_GT(compared, 300u);
}

TEST(Golden, TrivialConversions) {
  for (const Json& golden : goldens("convert-trivial")) {
    SCOPED_TRACE(golden.dump());
    ASSERT_FALSE(rejected(golden));
    OrError<LinearLayout> from = linearFrom(golden["from"], golden["shape"]);
    OrError<LinearLayout> to = linearFrom(golden["to"], golden["shape"]);
    ASSERT_TRUE(from && to);
    OrError<ConversionCost> cost = conversionCost(*from, *to, 32);
    ASSERT_TRUE(cost);
    EXPECT_EQ(cost->kind <= ConversionKind::Registers, golden["trivial"].get<bool>())
        << name(cost->kind).str();
  }
}

Json distributedFields(const LinearLayout& layout) {
  Json bases = basesOf(layout);
  llvm::SmallVector<int64_t, 4> sizes = layout.outSizes();
  std::vector<int64_t> shape(sizes.begin(), sizes.end());
  return {{"$layout", "DistributedLinearLayout"}, {"reg_bases", bases["register"]},
          {"lane_bases", bases["lane"]},          {"warp_bases", bases["warp"]},
          {"block_bases", bases["block"]},        {"shape", shape}};
}

TEST(Golden, TmemRegisterLayouts) {
  size_t compared = 0;
  for (const Json& golden : goldens("tmem-reg-layouts")) {
    SCOPED_TRACE(golden.dump());
    OrError<Layout> layout = layoutFrom(golden["layout"]);
    ASSERT_TRUE(layout);
    std::vector<int64_t> shape = shapeFrom(golden["shape"]),
                         allocShape = shapeFrom(golden["alloc_shape"]);
    std::string dtype = golden["dtype"];
    MemoryView view{shape, allocShape, dtype == "fp32" ? 32u : dtype == "fp16" ? 16u : 8u};
    std::optional<LayoutError> error = checkMemory(*layout, view);
    if (rejected(golden)) {
      EXPECT_TRUE(error || golden["why"] == "assertion");
      continue;
    }
    EXPECT_FALSE(error) << error->field << ": " << error->message;
    OrError<LinearLayout> memory = viewToLinearLayout(*layout, view);
    ASSERT_TRUE(memory) << memory.error().message;
    std::optional<LinearLayout> registers =
        tmemRegisterLayout(*memory, *tmemAtomNamed(golden["variant"].get<std::string>()),
                           golden["num_warps"], view.elementBits);
    EXPECT_EQ(registers ? distributedFields(*registers) : Json(nullptr), golden["result"]);
    ++compared;
  }
  EXPECT_GT(compared, 200u);
}

TEST(Golden, ScaleLayouts) {
  for (const Json& golden : goldens("scale-layouts")) {
    SCOPED_TRACE(golden.dump());
    ASSERT_FALSE(rejected(golden));
    auto ints = [](const Json& json) {
      auto v = json.get<std::vector<int32_t>>();
      return Ints(v.begin(), v.end());
    };
    OrError<LinearLayout> ours = tl::make_unexpected(LayoutError{});
    if (golden["op"] == "mfma") {
      ours = mfmaScaleLayout({golden["operand"], golden["m"], ints(golden["tiles_per_warp"]),
                              ints(golden["warps_per_cta"])},
                             shapeFrom(golden["shape"]));
    } else {
      Bases registers = basesFrom(golden["reg_bases"]), warps = basesFrom(golden["warp_bases"]);
      auto tiles = LinearLayout::fromBases({{Dim::Register, registers}, {Dim::Warp, warps}},
                                           llvm::ArrayRef(tensorDims(2)));
      ASSERT_TRUE(tiles) << tiles.error();
      ours = wmmaScaleLayout({golden["operand"], golden["m"], golden["n"], golden["transposed"],
                              golden["scale_factor"], *tiles,
                              *makeCga(basesFrom(golden["cga_layout"]), 2)},
                             shapeFrom(golden["shape"]));
    }
    ASSERT_TRUE(ours) << ours.error().message;
    EXPECT_EQ(distributedFields(*ours), golden["result"]);
  }
}

TEST(Golden, AmdPaddedLayouts) {
  size_t found = 0;
  for (const Json& golden : goldens("amd-padded")) {
    if (rejected(golden)) continue; // an assertion inside Triton's chooser
    SCOPED_TRACE(golden.dump());
    unsigned operand = golden["operand"];
    Bases cga = basesFrom(golden["cga_layout"]); // of the product: an operand is not cut along K
    for (Coordinates& basis : cga)
      basis[1 - operand] = 0;
    std::optional<Layout> ours = cdna4PaddedLayout(
        {operand, golden["k_width"], golden["instr_shape"][operand], *makeCga(cga, 2)},
        shapeFrom(golden["shape"]), golden["bits"], golden["k_contiguous"]);
    ASSERT_EQ(ours.has_value(), !golden["result"].is_null());
    if (!ours) continue;
    const auto* padded = ours->as<PaddedShared>();
    Json pairs = {{padded->intervals[0], padded->paddings[0]}};
    EXPECT_EQ(pairs, golden["result"]["interval_padding_pairs"]);
    EXPECT_EQ(basesOf(padded->linearComponent)["offset"], golden["result"]["offset_bases"]);
    ++found;
  }
  EXPECT_GT(found, 100u);
}

} // namespace
} // namespace gluond::layout::test
