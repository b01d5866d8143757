// Whole launches: control flow, grids, memory, findings.
#include "Kernel.h"

#include <numeric>

namespace gluond::simulate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* addVectors = R"(
    %c = arith.constant 128 : i32
    %p = tt.get_program_id x : i32
    %b = arith.muli %p, %c : i32
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : i32 -> tensor<128xi32, #blocked>
    %o = arith.addi %s, %r : tensor<128xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #blocked>
    %m = arith.cmpi slt, %o, %ns : tensor<128xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %xp = tt.addptr %xs, %o : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %v = tt.load %xp, %m : tensor<128x!tt.ptr<f32>, #blocked>
    %w = arith.addf %v, %v : tensor<128xf32, #blocked>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %yp = tt.addptr %ys, %o : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %yp, %w, %m : tensor<128x!tt.ptr<f32>, #blocked>)";
constexpr const char* addParameters = "%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32";

TEST_F(KernelTest, AddsWithMasks) {
  std::vector<float> x(1000);
  std::iota(x.begin(), x.end(), 1.0f);
  std::vector<Value> arguments{tensor("x", x), tensor("y", std::vector<float>(1000, -1)),
                               i32(1000)};
  Outcome outcome = run(addParameters, addVectors, arguments, {8, 1, 1});
  EXPECT_EQ(outcome.end, Outcome::End::Finished);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(outcome.programs, 8u);
  std::vector<float> y = contents<float>(1);
  for (size_t i = 0; i < y.size(); ++i)
    ASSERT_EQ(y[i], 2 * x[i]) << i;
}

TEST_F(KernelTest, TellsWhatIsOutOfBounds) {
  std::vector<Value> arguments{tensor("x", std::vector<float>(1000)),
                               tensor("y", std::vector<float>(1000)), i32(1024)};
  Outcome outcome = run(addParameters, addVectors, arguments, {8, 1, 1});
  EXPECT_EQ(outcome.end, Outcome::End::Failed);
  ASSERT_THAT(codes(outcome), ElementsAre("run-out-of-bounds"));
  EXPECT_EQ(outcome.findings[0].message, "this access reads out of bounds: byte 4000 of 'x', which "
                                         "has 4000 bytes (element 104 of the access)");
  EXPECT_EQ(outcome.findings[0].program, (ProgramId{7, 0, 0}));
}

TEST_F(KernelTest, FindsTheFirstNan) {
  options.watchNumbers = true;
  std::vector<Value> arguments{tensor("x", std::vector<float>(128, INFINITY)),
                               tensor("y", std::vector<float>(128))};
  Outcome outcome = run("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>", R"(
    %v = tt.load %x : !tt.ptr<f32>
    %w = arith.addf %v, %v : f32
    %d = arith.subf %w, %v : f32
    %e = arith.mulf %d, %d : f32
    tt.store %y, %e : !tt.ptr<f32>)",
                        arguments);
  ASSERT_THAT(codes(outcome), ElementsAre("run-first-nan"));
  EXPECT_THAT(outcome.findings[0].message, HasSubstr("this subtraction produces the first NaN"));
}

} // namespace
} // namespace gluond::simulate
