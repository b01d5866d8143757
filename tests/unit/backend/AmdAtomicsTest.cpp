// AMD's back end: atomic updates through buffers.
#include "AmdCode.h"
#include "LoweredTtgir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// An update through a buffer of the elements' own offsets.
std::string bufferAtomic(llvm::StringRef target, unsigned lanes, llvm::StringRef kind,
                         llvm::StringRef type) {
  return amdModule(
      target, lanes, amdBlocked(lanes),
      ("tt.func public @k(%a: !tt.ptr<" + type +
       "> {tt.divisibility = 16 : i32}) {\n"
       "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>\n"
       "%z = arith.constant dense<1> : tensor<1024x" +
       (type == "f64" ? "i64" : type) + ", #b>\n" +
       (type == "f64" ? "%v = arith.sitofp %z : tensor<1024xi64, #b> to tensor<1024xf64, #b>\n"
                      : "%v = arith.addi %z, %z : tensor<1024xi32, #b>\n") +
       "%o = amdg.buffer_atomic_rmw " + kind + ", acq_rel, gpu, %v, %a[%r] : !tt.ptr<" + type +
       "> -> tensor<1024x" + type + ", #b>\ntt.return\n}")
          .str());
}

TEST(Amd, BufferAtomics) {
  AmdCode doubles = codeOf(bufferAtomic("hip:gfx942", 64, "max", "f64"));
  EXPECT_GE(count(doubles.assembly, "buffer_atomic_max_f64"), 4u) << doubles.problem;
  AmdCode integers = codeOf(bufferAtomic("hip:gfx942", 64, "max", "i32"));
  EXPECT_GE(count(integers.assembly, "buffer_atomic_smax"), 4u) << integers.problem;
  for (llvm::StringRef target : {"hip:gfx1100", "hip:gfx1201"}) {
    AmdCode none = codeOf(bufferAtomic(target, 32, "max", "f64"));
    EXPECT_TRUE(none.isRefused) << target.str();
    EXPECT_THAT(none.problem, HasSubstr("has no buffer atomics on f64")) << target.str();
  }
  // Where instructions have scopes, they are atomic for the chip.
  for (llvm::StringRef target : {"hip:gfx1201", "hip:gfx1250"}) {
    AmdCode scoped = codeOf(bufferAtomic(target, 32, "max", "i32"));
    EXPECT_GE(count(scoped.assembly, "buffer_atomic_max_i32"), 4u) << scoped.problem;
    EXPECT_THAT(scoped.assembly, Not(testing::ContainsRegex("buffer_atomic[^\n]*(offen|[0-9])\n")));
  }
}

// 16-bit floats of which no thread is certain to have a neighbor are added beside -0.0.
TEST(Amd, BufferAtomicsOnSingleHalves) {
  auto scattered = [](llvm::StringRef target, unsigned lanes, llvm::StringRef hints) {
    return codeOf(
        amdModule(target, lanes, amdBlocked(lanes),
                  ("tt.func public @k(%a: !tt.ptr<f16>" + hints +
                   ", %i: !tt.ptr<i32> {tt.divisibility = 16 : i32}) {\n"
                   "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>\n"
                   "%at = amdg.buffer_load %i[%r] : !tt.ptr<i32> -> tensor<1024xi32, #b>\n"
                   "%v = arith.constant dense<1.0> : tensor<1024xf16, #b>\n"
                   "%o = amdg.buffer_atomic_rmw fadd, relaxed, gpu, %v, %a[%at] : !tt.ptr<f16> -> "
                   "tensor<1024xf16, #b>\ntt.return\n}")
                      .str()));
  };
  AmdCode code = scattered("hip:gfx942", 64, " {tt.divisibility = 16 : i32}");
  EXPECT_EQ(count(code.assembly, "buffer_atomic_pk_add_f16"), 4u) << code.problem;
  // A buffer that need not begin at a word.
  code = scattered("hip:gfx1250", 32, "");
  EXPECT_EQ(count(code.assembly, "buffer_atomic_pk_add_f16"), 8u) << code.problem;
}

// RDNA 3 has no instruction for sums of 16-bit floats: a loop swaps a word, with both of its
// halves.
TEST(Amd, AtomicsOnPairsOfHalvesAreOneLoop) {
  for (llvm::StringRef type : {"f16", "bf16"}) {
    AmdCode code = codeOf(amdModule(
        "hip:gfx1100", 32, amdBlocked(32),
        ("tt.func public @k(%a: !tt.ptr<" + type + "> {tt.divisibility = 16 : i32}) {\n" +
         "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>\n" +
         "%s = tt.splat %a : !tt.ptr<" + type + "> -> tensor<1024x!tt.ptr<" + type + ">, #b>\n" +
         "%p = tt.addptr %s, %r : tensor<1024x!tt.ptr<" + type + ">, #b>, tensor<1024xi32, #b>\n" +
         "%v = arith.constant dense<1.0> : tensor<1024x" + type + ", #b>\n" +
         "%t = arith.constant dense<true> : tensor<1024xi1, #b>\n" +
         "%o = tt.atomic_rmw fadd, relaxed, gpu, %p, %v, %t : (tensor<1024x!tt.ptr<" + type +
         ">, #b>, tensor<1024x" + type + ", #b>, tensor<1024xi1, #b>) -> tensor<1024x" + type +
         ", #b>\ntt.return\n}")
            .str()));
    EXPECT_EQ(count(code.assembly, "global_atomic_cmpswap_b32"), 4u) << type.str() << code.problem;
  }
}

} // namespace
} // namespace gluond::test
