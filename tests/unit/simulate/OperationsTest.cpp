// Arithmetic, shapes, reductions and scans on tensors of registers, against values computed here.
#include "Kernel.h"

#include <numeric>

namespace gluond::simulate {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

// A kernel over one block: loads `count` elements of each input, stores the result.
class BlockTest : public KernelTest {
protected:
  static std::string vector(size_t count, const std::string& element) {
    return "tensor<" + std::to_string(count) + "x" + element + ", #blocked>";
  }
  // Pointers to `count` elements from %name on, as %name_p.
  static std::string pointers(const std::string& name, const std::string& element, size_t count) {
    std::string pointer = vector(count, "!tt.ptr<" + element + ">");
    return "%" + name + "_r = tt.make_range {start = 0 : i32, end = " + std::to_string(count) +
           " : i32} : " + vector(count, "i32") + "\n%" + name + "_s = tt.splat %" + name +
           " : !tt.ptr<" + element + "> -> " + pointer + "\n%" + name + "_p = tt.addptr %" + name +
           "_s, %" + name + "_r : " + pointer + ", " + vector(count, "i32") + "\n";
  }
  static std::string load(const std::string& name, const std::string& element, size_t count) {
    return pointers(name, element, count) + "%" + name + "_v = tt.load %" + name +
           "_p : " + vector(count, "!tt.ptr<" + element + ">") + "\n";
  }
  static std::string store(const std::string& name, const std::string& value,
                           const std::string& element, size_t count) {
    return pointers(name, element, count) + "tt.store %" + name + "_p, " + value + " : " +
           vector(count, "!tt.ptr<" + element + ">") + "\n";
  }
  // r = OP a, b
  template <typename T, typename R = T>
  std::vector<R> binary(const std::string& op, const std::string& element, std::vector<T> a,
                        std::vector<T> b) {
    size_t n = a.size(), result = tensors;
    tensors += 3;
    std::vector<Value> arguments{tensor("a", a), tensor("b", b), tensor("r", std::vector<R>(n))};
    outcome = run("%a: !tt.ptr<" + element + ">, %b: !tt.ptr<" + element + ">, %r: !tt.ptr<" +
                      element + ">",
                  load("a", element, n) + load("b", element, n) + "%v = " + op +
                      " %a_v, %b_v : " + vector(n, element) + "\n" + store("r", "%v", element, n),
                  arguments);
    return contents<R>(result + 2);
  }
  Outcome outcome;
  size_t tensors = 0;
};

TEST_F(BlockTest, IntegersWrapAround) {
  std::vector<int32_t> a{INT32_MAX, INT32_MIN, -7, 7}, b{1, -1, 2, -2};
  EXPECT_THAT((binary<int32_t>("arith.addi", "i32", a, b)),
              ElementsAre(INT32_MIN, INT32_MAX, -5, 5));
  EXPECT_THAT((binary<int32_t>("arith.muli", "i32", a, b)),
              ElementsAre(INT32_MAX, INT32_MIN, -14, -14));
  EXPECT_THAT((binary<int32_t>("arith.divsi", "i32", a, b)),
              ElementsAre(INT32_MAX, INT32_MIN, -3, -3));
  EXPECT_THAT((binary<int32_t>("arith.remsi", "i32", a, b)), ElementsAre(0, 0, -1, 1));
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_THAT((binary<int32_t>("arith.shrsi", "i32", {-8, 8, -1, 1}, {1, 1, 31, 31})),
              ElementsAre(-4, 4, -1, 0));
  EXPECT_THAT((binary<int32_t>("arith.shrui", "i32", {-8, 8, -1, 1}, {1, 1, 31, 31})),
              ElementsAre(0x7ffffffc, 4, 1, 0));
  EXPECT_THAT((binary<int8_t>("arith.addi", "i8", {127, -128, 1, 2}, {1, -1, 2, 3})),
              ElementsAre(-128, 127, 3, 5));
  EXPECT_THAT((binary<int64_t>("tt.mulhiui", "i64", {INT64_MIN, 4}, {4, INT64_MIN})),
              ElementsAre(2, 2));
}

TEST_F(BlockTest, DivisionByZeroIsTold) {
  binary<int32_t>("arith.divsi", "i32", {1, 2, 3, 4}, {1, 0, 1, 1});
  EXPECT_THAT(codes(outcome), ElementsAre("run-division-by-zero"));
  EXPECT_EQ(outcome.end, Outcome::End::Finished);
}

TEST_F(BlockTest, HalvesRoundOnce) {
  // 2048 + 1 has no half; 2048 + 2 has.
  EXPECT_THAT((binary<uint16_t>("arith.addf", "f16", {floatToHalf(2048), floatToHalf(2048)},
                                {floatToHalf(1), floatToHalf(2)})),
              ElementsAre(floatToHalf(2048), floatToHalf(2050)));
  EXPECT_THAT((binary<uint16_t>("arith.mulf", "bf16", {floatToBfloat(3), floatToBfloat(1e38f)},
                                {floatToBfloat(7), floatToBfloat(1e38f)})),
              ElementsAre(floatToBfloat(21), 0x7f80));
}

TEST_F(BlockTest, MinimaAndNan) {
  std::vector<float> a{1, NAN, -0.0f, 5}, b{2, 3, 0.0f, NAN};
  std::vector<float> number = binary<float>("arith.minnumf", "f32", a, b);
  EXPECT_THAT(number, ElementsAre(1, 3, 0, 5));
  EXPECT_TRUE(std::signbit(number[2]));
  std::vector<float> nan = binary<float>("arith.maximumf", "f32", a, b);
  EXPECT_EQ(nan[0], 2);
  EXPECT_TRUE(std::isnan(nan[1]) && std::isnan(nan[3]));
}

TEST_F(BlockTest, Casts) {
  std::vector<Value> arguments{tensor("a", std::vector<float>{1.5f, -2.5f, 1e10f, NAN}),
                               tensor("r", std::vector<int32_t>(4)),
                               tensor("s", std::vector<uint8_t>(4))};
  run("%a: !tt.ptr<f32>, %r: !tt.ptr<i32>, %s: !tt.ptr<f8E4M3FN>",
      load("a", "f32", 4) + "%i = arith.fptosi %a_v : " + vector(4, "f32") + " to " +
          vector(4, "i32") + "\n%f = tt.fp_to_fp %a_v, rounding = rtne : " + vector(4, "f32") +
          " -> " + vector(4, "f8E4M3FN") + "\n" + store("r", "%i", "i32", 4) +
          store("s", "%f", "f8E4M3FN", 4),
      arguments);
  EXPECT_THAT(contents<int32_t>(1), ElementsAre(1, -2, INT32_MAX, 0));
  EXPECT_THAT(contents<uint8_t>(2), ElementsAre(0x3c, 0xc2, 0x7e, 0x7f));
}

TEST_F(BlockTest, ReducesWithAnyCombiner) {
  std::vector<float> a(64);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<float>((i * 37) % 64);
  std::vector<Value> arguments{tensor("a", a), tensor("r", std::vector<float>(1)),
                               tensor("k", std::vector<int32_t>(1))};
  // The largest element and its index: the combiner is a tuple of two.
  run("%a: !tt.ptr<f32>, %r: !tt.ptr<f32>, %k: !tt.ptr<i32>",
      load("a", "f32", 64) + R"(%m:2 = "tt.reduce"(%a_v, %a_r) <{axis = 0 : i32}> ({
    ^bb0(%x: f32, %i: i32, %y: f32, %j: i32):
      %c = arith.cmpf ogt, %x, %y : f32
      %v = arith.select %c, %x, %y : f32
      %n = arith.select %c, %i, %j : i32
      tt.reduce.return %v, %n : f32, i32
    }) : (tensor<64xf32, #blocked>, tensor<64xi32, #blocked>) -> (f32, i32)
    tt.store %r, %m#0 : !tt.ptr<f32>
    tt.store %k, %m#1 : !tt.ptr<i32>)",
      arguments);
  EXPECT_EQ(contents<float>(1)[0], 63);
  EXPECT_EQ(contents<int32_t>(2)[0], std::max_element(a.begin(), a.end()) - a.begin());
}

TEST_F(BlockTest, CombinersMayHaveTensorsAndEffects) {
  std::vector<int32_t> a(32);
  std::iota(a.begin(), a.end(), 1);
  std::vector<Value> arguments{tensor("a", a), tensor("r", std::vector<int32_t>(1)),
                               tensor("n", std::vector<int32_t>(1))};
  // Each pair makes a tensor of its own, splits it again and counts itself.
  Outcome outcome = run("%a: !tt.ptr<i32>, %r: !tt.ptr<i32>, %n: !tt.ptr<i32>",
                        load("a", "i32", 32) + R"(%m = "tt.reduce"(%a_v) <{axis = 0 : i32}> ({
    ^bb0(%x: i32, %y: i32):
      %xs = tt.splat %x : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #wide}>>
      %ys = tt.splat %y : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #wide}>>
      %sum = arith.addi %xs, %ys : tensor<32xi32, #ttg.slice<{dim = 1, parent = #wide}>>
      %v = "tt.reduce"(%sum) <{axis = 0 : i32}> ({
      ^bb0(%p: i32, %q: i32):
        %larger = arith.maxsi %p, %q : i32
        tt.reduce.return %larger : i32
      }) : (tensor<32xi32, #ttg.slice<{dim = 1, parent = #wide}>>) -> i32
      %yes = arith.constant true
      tt.assert %yes, "fine" : i1
      tt.reduce.return %v : i32
    }) : (tensor<32xi32, #blocked>) -> i32
    tt.store %r, %m : !tt.ptr<i32>)",
                        arguments);
  EXPECT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
  EXPECT_EQ(contents<int32_t>(1)[0], 32 * 33 / 2);
}

TEST_F(BlockTest, ScansBothWays) {
  std::vector<int32_t> a(32);
  std::iota(a.begin(), a.end(), 1);
  for (bool isReversed : {false, true}) {
    std::vector<Value> arguments{tensor("a", a), tensor("r", std::vector<int32_t>(32))};
    size_t result = isReversed ? 3 : 1;
    run("%a: !tt.ptr<i32>, %r: !tt.ptr<i32>",
        load("a", "i32", 32) + "%m = \"tt.scan\"(%a_v) <{axis = 0 : i32, reverse = " +
            (isReversed ? "true" : "false") + R"(}> ({
    ^bb0(%x: i32, %y: i32):
      %v = arith.addi %x, %y : i32
      tt.scan.return %v : i32
    }) : (tensor<32xi32, #blocked>) -> tensor<32xi32, #blocked>
)" + store("r", "%m", "i32", 32),
        arguments);
    std::vector<int32_t> expected = a;
    if (isReversed)
      std::partial_sum(a.rbegin(), a.rend(), expected.rbegin());
    else
      std::partial_sum(a.begin(), a.end(), expected.begin());
    EXPECT_THAT(contents<int32_t>(result), ElementsAreArray(expected));
  }
}

TEST_F(BlockTest, LoopsCarryValues) {
  std::vector<Value> arguments{tensor("r", std::vector<int32_t>(3)), i32(10)};
  // Fibonacci's numbers, and Collatz's steps of 27.
  run("%r: !tt.ptr<i32>, %n: i32", R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %start = arith.constant 27 : i32
    %f:2 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one) -> (i32, i32)  : i32 {
      %c = arith.addi %a, %b : i32
      scf.yield %b, %c : i32, i32
    }
    %w:2 = scf.while (%x = %start, %k = %zero) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi ne, %x, %one : i32
      scf.condition(%go) %x, %k : i32, i32
    } do {
    ^bb0(%x: i32, %k: i32):
      %bit = arith.andi %x, %one : i32
      %odd = arith.cmpi eq, %bit, %one : i32
      %next = scf.if %odd -> (i32) {
        %t = arith.muli %x, %three : i32
        %u = arith.addi %t, %one : i32
        scf.yield %u : i32
      } else {
        %h = arith.divsi %x, %two : i32
        scf.yield %h : i32
      }
      %k1 = arith.addi %k, %one : i32
      scf.yield %next, %k1 : i32, i32
    }
    tt.store %r, %f#0 : !tt.ptr<i32>
    %r1 = tt.addptr %r, %one : !tt.ptr<i32>, i32
    tt.store %r1, %w#1 : !tt.ptr<i32>
    %r2 = tt.addptr %r, %two : !tt.ptr<i32>, i32
    tt.store %r2, %w#0 : !tt.ptr<i32>)",
      arguments);
  EXPECT_THAT(contents<int32_t>(0), ElementsAre(55, 111, 1));
}

TEST_F(BlockTest, FunctionsAreCalled) {
  std::vector<Value> arguments{tensor("r", std::vector<int32_t>(1)), i32(6)};
  runModule(
      R"(module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%r: !tt.ptr<i32>, %n: i32) {
    %a = tt.call @twice(%n) : (i32) -> i32
    %b = tt.call @twice(%a) : (i32) -> i32
    tt.store %r, %b : !tt.ptr<i32>
    tt.return
  }
  tt.func private @twice(%x: i32) -> i32 attributes {noinline = true} {
    %y = arith.addi %x, %x : i32
    tt.return %y : i32
  }
})",
      arguments);
  EXPECT_EQ(contents<int32_t>(0)[0], 24);
}

TEST_F(BlockTest, AssertionsThatDoNotHold) {
  std::vector<Value> arguments{tensor("a", std::vector<int32_t>{3, 2, 1, 0})};
  Outcome result = run("%a: !tt.ptr<i32>", load("a", "i32", 4) + R"(
    %zero = arith.constant dense<0> : tensor<4xi32, #blocked>
    %c = arith.cmpi sgt, %a_v, %zero : tensor<4xi32, #blocked>
    tt.assert %c, "positive" : tensor<4xi1, #blocked>)",
                       arguments);
  ASSERT_THAT(codes(result), ElementsAre("run-assertion"));
  EXPECT_EQ(result.findings[0].message, "the assertion does not hold: positive (element 3)");
}

TEST_F(BlockTest, AnUnknownOpEndsTheRun) {
  Outcome result = run("%n: i32", R"(
    %r = tt.elementwise_inline_asm "shfl.sync.bfly.b32 $0, $1, 1, 31, -1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %n : i32 -> i32)",
                       {i32(1)});
  EXPECT_EQ(result.end, Outcome::End::Failed);
  ASSERT_THAT(codes(result), ElementsAre("run-unsupported"));
  EXPECT_THAT(result.findings[0].message, testing::HasSubstr("this inline assembly"));
  EXPECT_THAT(result.findings[0].message, testing::HasSubstr("shfl.sync.bfly.b32"));
}

TEST_F(BlockTest, AKernelWithoutEndIsStopped) {
  options.steps = 100'000;
  Outcome result = run("%n: i32", R"(
    scf.while : () -> () {
      %true = arith.constant true
      scf.condition(%true)
    } do {
      scf.yield
    })",
                       {i32(1)}, {1'000'000, 1'000'000, 1});
  EXPECT_EQ(result.end, Outcome::End::OutOfSteps);
  ASSERT_EQ(result.findings.size(), 1u); // of many programs
  EXPECT_EQ(diagnostics::row(result.findings[0].id).slug, "run-unfinished");
  EXPECT_THAT(result.findings[0].message,
              testing::HasSubstr("the run was stopped while the program was here"));
}

TEST_F(BlockTest, AtomicsCountInOrder) {
  std::vector<Value> arguments{tensor("r", std::vector<int32_t>(1)),
                               tensor("t", std::vector<int32_t>(100))};
  // Each program takes a ticket and writes its number there.
  run("%r: !tt.ptr<i32>, %t: !tt.ptr<i32>", R"(
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %p = tt.get_program_id x : i32
    %k = tt.atomic_rmw add, acq_rel, gpu, %r, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %at = tt.addptr %t, %k : !tt.ptr<i32>, i32
    tt.store %at, %p : !tt.ptr<i32>)",
      arguments, {100, 1, 1});
  std::vector<int32_t> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(contents<int32_t>(0)[0], 100);
  EXPECT_THAT(contents<int32_t>(1), ElementsAreArray(expected));
}

TEST_F(BlockTest, ProgramsMayWaitForLaterOnes) {
  std::vector<Value> arguments{tensor("r", std::vector<int32_t>(1))};
  // The first program spins until the second one has stored.
  Outcome result = run("%r: !tt.ptr<i32>", R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %p = tt.get_program_id x : i32
    %isFirst = arith.cmpi eq, %p, %zero : i32
    scf.if %isFirst {
      scf.while : () -> () {
        %v = tt.atomic_load acquire, gpu, %r : (!tt.ptr<i32>) -> i32
        %go = arith.cmpi eq, %v, %zero : i32
        scf.condition(%go)
      } do {
        scf.yield
      }
    } else {
      tt.store %r, %one : !tt.ptr<i32>
    })",
                       arguments, {2, 1, 1});
  EXPECT_EQ(result.end, Outcome::End::Finished);
}

} // namespace
} // namespace gluond::simulate
