// What floats become: products and sums in one instruction, remainders, matrices of doubles.
#include "LoweredTtgir.h"

#include <gtest/gtest.h>

namespace gluond::test {
namespace {

constexpr llvm::StringLiteral layouts = R"(
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#c = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>
)";

PtxOf compiled(const std::string& body, const std::string& parameters, const std::string& target) {
  return ptxOf(layouts.str() +
               "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, "
               "ttg.target = \"" +
               target + "\", \"ttg.threads-per-warp\" = 32 : i32} {\ntt.func public @k(" +
               parameters + ") {\n" + body + "\ntt.return\n}\n}\n");
}

// `body` makes %z of %x and %y, four numbers of each thread; `element` is their type.
PtxOf elementwise(const std::string& body, const std::string& element, const std::string& target) {
  std::string pointer = "!tt.ptr<" + element + ">", addresses = "tensor<512x" + pointer + ", #b>";
  std::string text =
      "%r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #b>\n";
  for (const std::string name : {"x", "y", "z"}) {
    text += "%s" + name + " = tt.splat %p" + name + " : " + pointer + " -> " + addresses + "\n%a" +
            name + " = tt.addptr %s" + name + ", %r : " + addresses + ", tensor<512xi32, #b>\n";
    if (name != "z") text += "%" + name + " = tt.load %a" + name + " : " + addresses + "\n";
  }
  text += body + "\ntt.store %az, %z : " + addresses;
  std::string parameter = ": " + pointer + " {tt.divisibility = 16 : i32}";
  return compiled(text, "%px" + parameter + ", %py" + parameter + ", %pz" + parameter + ", %n: i32",
                  target);
}

TEST(Floats, ARemainderNeedsNoLibrary) {
  for (const char* element : {"f16", "bf16", "f32", "f64"}) {
    std::string type = "tensor<512x" + std::string(element) + ", #b>";
    PtxOf kernel = elementwise("%z = arith.remf %x, %y : " + type, element, "cuda:90");
    // x - trunc(x / y) y
    EXPECT_EQ(count(kernel.ptx, element == std::string("f64") ? "div.rn.f64" : "div.rn.f32"), 4u)
        << element << kernel.problem << kernel.ptx;
    EXPECT_EQ(count(kernel.ptx, "cvt.rzi.f"), 4u) << kernel.ptx;
  }
}

// A clamp between -x and x is one instruction since Hopper, as in Triton's code: for a NaN it gives
// x or -x, by the NaN's sign, where a maximum and a minimum give -x.
// As those of NVIDIA's library in Triton's code: of a denormal number below zero it is -0.
TEST(Floats, IntegersOfDenormalNumbersAreZero) {
  PtxOf made = elementwise(R"(
%f = math.floor %x : tensor<512xf32, #b>
%c = math.ceil %y : tensor<512xf32, #b>
%z = arith.addf %f, %c : tensor<512xf32, #b>)",
                           "f32", "cuda:90");
  EXPECT_EQ(count(made.ptx, "cvt.rmi.ftz.f32.f32"), 4u) << made.problem << made.ptx;
  EXPECT_EQ(count(made.ptx, "cvt.rpi.ftz.f32.f32"), 4u) << made.ptx;
}

TEST(Floats, AClampOfTheMagnitudeIsOneInstruction) {
  auto clamped = [](const std::string& element, const std::string& least, const std::string& nan,
                    const std::string& target) {
    std::string type = "tensor<512x" + element + ", #b>";
    return elementwise(
        "%most = arith.constant dense<3.0> : " + type + "\n%least = " + least + " : " + type +
            "\n%z = tt.clampf %x, %least, %most, propagateNan = " + nan + " : " + type,
        element, target);
  };
  for (std::string element : {"f32", "f16", "bf16"})
    for (std::string least : {"arith.constant dense<-3.0>", "arith.negf %most"}) {
      PtxOf one = clamped(element, least, "none", "cuda:90");
      EXPECT_EQ(count(one.ptx, "min.xorsign.abs." + element), 4u) << one.problem << one.ptx;
      EXPECT_EQ(count(one.ptx, "max."), 0u) << one.ptx;
      PtxOf propagates = clamped(element, least, "all", "cuda:100");
      EXPECT_EQ(count(propagates.ptx, "min.NaN.xorsign.abs." + element), 4u)
          << propagates.problem << propagates.ptx;
    }
  PtxOf other = clamped("f32", "arith.constant dense<-2.0>", "none", "cuda:90");
  EXPECT_EQ(count(other.ptx, "max.f32"), 4u) << other.problem << other.ptx;
  PtxOf before = clamped("f32", "arith.constant dense<-3.0>", "none", "cuda:80");
  EXPECT_EQ(count(before.ptx, "max.f32"), 4u) << before.problem << before.ptx;
  PtxOf doubles = clamped("f64", "arith.constant dense<-3.0>", "none", "cuda:90");
  EXPECT_EQ(count(doubles.ptx, "max.f64"), 4u) << doubles.problem << doubles.ptx;
}

// As in Triton's code: the same numbers.
TEST(Floats, ProductsAndSumsThatAreRoundedBackAreNarrow) {
  for (const char* element : {"f16", "bf16"})
    for (const char* operation : {"mulf", "addf", "subf"}) {
      std::string narrow = "tensor<512x" + std::string(element) + ", #b>";
      PtxOf kernel = elementwise(
          "%xw = arith.extf %x : " + narrow + " to tensor<512xf32, #b>\n%yw = arith.extf %y : " +
              narrow + " to tensor<512xf32, #b>\n%w = arith." + operation +
              " %xw, %yw : tensor<512xf32, #b>\n%z = arith.truncf %w : tensor<512xf32, #b> to " +
              narrow,
          element, "cuda:90");
      EXPECT_EQ(count(kernel.ptx, "cvt."), 0u) << operation << kernel.problem << kernel.ptx;
    }
}

TEST(Floats, AProductWithASmallIntegerIsNarrow) {
  auto ptx = [](const std::string& integer) {
    return elementwise("%i = arith.bitcast %x : tensor<512xf16, #b> to tensor<512xi16, #b>\n"
                       "%mask = arith.constant dense<15> : tensor<512xi16, #b>\n"
                       "%low = arith.andi %i, %mask : tensor<512xi16, #b>\n"
                       "%xw = arith.sitofp " +
                           integer +
                           " : tensor<512xi16, #b> to tensor<512xf32, #b>\n"
                           "%yw = arith.extf %y : tensor<512xf16, #b> to tensor<512xf32, #b>\n"
                           "%w = arith.mulf %xw, %yw : tensor<512xf32, #b>\n"
                           "%z = arith.truncf %w : tensor<512xf32, #b> to tensor<512xf16, #b>",
                       "f16", "cuda:90");
  };
  PtxOf small = ptx("%low");
  EXPECT_EQ(count(small.ptx, "cvt.rn.f16.s16") + count(small.ptx, "cvt.rn.f16.u16"), 4u)
      << small.problem << small.ptx;
  EXPECT_EQ(count(small.ptx, "f32"), 0u) << small.ptx;
  PtxOf any = ptx("%i"); // up to 2^15: not exact in a half
  EXPECT_EQ(count(any.ptx, "mul.f32"), 4u) << any.problem << any.ptx;
}

// Bytes become floats by arithmetic: the unit for conversions is slower than memory.
TEST(Floats, BytesAreNotConverted) {
  for (const std::string conversion : {"sitofp", "uitofp"})
    for (const std::string to : {"f16", "f32"}) {
      std::string floats = "tensor<512x" + to + ", #b>";
      PtxOf kernel =
          elementwise("%f = arith." + conversion + " %x : tensor<512xi8, #b> to " + floats +
                          "\n%g = arith.addf %f, %f : " + floats +
                          "\n%z = arith.fptosi %g : " + floats + " to tensor<512xi8, #b>",
                      "i8", "cuda:80");
      bool isHalf = to == "f16";
      EXPECT_EQ(count(kernel.ptx, "cvt.rn." + to), 0u) << kernel.problem << kernel.ptx;
      EXPECT_EQ(llvm::StringRef(kernel.ptx).count(isHalf ? ", 100, 0x4" : ", 75, 0x4"),
                isHalf ? 2u : 4u)
          << kernel.ptx;
      EXPECT_EQ(count(kernel.ptx, isHalf ? "sub.f16x2" : "sub.f32"), isHalf ? 2u : 4u)
          << kernel.ptx;
      EXPECT_EQ(count(kernel.ptx, "xor.b32"), conversion == "sitofp" ? 1u : 0u) << kernel.ptx;
    }
}

// Which products and sums are packed on Blackwell, and therefore which are fused: as in Triton's
// code.
TEST(Floats, PairsOfSinglesAreFusedWhereTritonFusesThem) {
  const std::string body = R"(
%xw = arith.extf %x : tensor<512xbf16, #b> to tensor<512xf32, #b>
%yw = arith.extf %y : tensor<512xbf16, #b> to tensor<512xf32, #b>
%m = arith.mulf %xw, %yw : tensor<512xf32, #b>
%s = arith.addf %m, %xw : tensor<512xf32, #b>
%z = arith.truncf %s : tensor<512xf32, #b> to tensor<512xbf16, #b>)";
  PtxOf kernel = elementwise(body, "bf16", "cuda:100");
  EXPECT_EQ(count(kernel.ptx, "fma.rn.f32x2"), 2u) << kernel.problem << kernel.ptx;
  EXPECT_EQ(count(elementwise(body, "bf16", "cuda:90").ptx, "f32x2"), 0u);
}

// x - y * 3: no instruction for pairs changes a sign.
TEST(Floats, ConstantsOfPairsTakeTheSign) {
  PtxOf made = elementwise(R"(
%xw = arith.extf %x : tensor<512xbf16, #b> to tensor<512xf32, #b>
%yw = arith.extf %y : tensor<512xbf16, #b> to tensor<512xf32, #b>
%three = arith.constant dense<3.0> : tensor<512xf32, #b>
%m = arith.mulf %yw, %three : tensor<512xf32, #b>
%s = arith.subf %xw, %m : tensor<512xf32, #b>
%z = arith.truncf %s : tensor<512xf32, #b> to tensor<512xbf16, #b>)",
                           "bf16", "cuda:100");
  EXPECT_EQ(count(made.ptx, "fma.rn.f32x2"), 2u) << made.problem << made.ptx;
  EXPECT_EQ(count(made.ptx, "xor.b32") + count(made.ptx, "neg.f32"), 0u) << made.ptx;
}

TEST(Floats, AnExactQuotientIsNotPackedWithTheSumsOfItsOperands) {
  PtxOf kernel = elementwise(R"(
%xw = arith.extf %x : tensor<512xf16, #b> to tensor<512xf32, #b>
%m = arith.mulf %xw, %xw : tensor<512xf32, #b>
%sum = "tt.reduce"(%m) <{axis = 0 : i32}> ({
^bb0(%a: f32, %c: f32):
  %both = arith.addf %a, %c : f32
  tt.reduce.return %both : f32
}) : (tensor<512xf32, #b>) -> f32
%sums = tt.splat %sum : f32 -> tensor<512xf32, #b>
%q = tt.precise_divf %xw, %sums : tensor<512xf32, #b>
%z = arith.truncf %q : tensor<512xf32, #b> to tensor<512xf16, #b>)",
                             "f16", "cuda:100");
  EXPECT_EQ(count(kernel.ptx, "mul.f32 "), 4u) << kernel.problem << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "fma.rn.f32"), 0u) << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "div.rn.f32"), 4u) << kernel.ptx;
}

TEST(Floats, NumbersOf64BitsAreLoadedAsWords) {
  for (const std::string element : {"f64", "i64"}) {
    std::string addresses = "tensor<512x!tt.ptr<" + element + ">, #b>";
    PtxOf kernel = elementwise("%c0 = arith.constant 0 : i32\n%some = arith.cmpi sgt, %n, %c0 : "
                               "i32\n%m = tt.splat %some : "
                               "i1 -> tensor<512xi1, #b>\n%z = tt.load %ax, %m : " +
                                   addresses + "\ntt.store %ay, %z, %m : " + addresses,
                               element, "cuda:90");
    EXPECT_EQ(count(kernel.ptx, "ld.global.v2.b64"), 2u) << kernel.problem << kernel.ptx;
    EXPECT_EQ(count(kernel.ptx, "st.global.v2.b64"), 4u) << kernel.ptx;
    EXPECT_EQ(count(kernel.ptx, "shl.b64"), 0u) << kernel.ptx;
  }
}

// A root mean square's products are pairs from the bf16 that are stored back to those that were
// loaded, so that squares become part of the sums: Triton's code has these counts.
TEST(Floats, NumbersThatAreNarrowedOneByOneBeginPairs) {
  PtxOf kernel = elementwise(R"(
%xw = arith.extf %x : tensor<512xbf16, #b> to tensor<512xf32, #b>
%yw = arith.extf %y : tensor<512xbf16, #b> to tensor<512xf32, #b>
%q = arith.mulf %xw, %xw : tensor<512xf32, #b>
%s = "tt.reduce"(%q) <{axis = 0 : i32}> ({
^bb0(%l: f32, %r2: f32):
  %t = arith.addf %l, %r2 : f32
  tt.reduce.return %t : f32
}) : (tensor<512xf32, #b>) -> f32
%ss = tt.splat %s : f32 -> tensor<512xf32, #b>
%m = arith.mulf %xw, %ss : tensor<512xf32, #b>
%w = arith.mulf %m, %yw : tensor<512xf32, #b>
%z = arith.truncf %w : tensor<512xf32, #b> to tensor<512xbf16, #b>)",
                             "bf16", "cuda:100");
  EXPECT_EQ(count(kernel.ptx, "fma.rn.f32x2"), 1u) << kernel.problem << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "mul.f32x2"), 5u) << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "mul.f32 "), 0u) << kernel.ptx;
}

// Functions for which Triton calls NVIDIA's library do not begin pairs: their operands stay single.
TEST(Floats, OperandsOfTheLibrarysFunctionsAreSingle) {
  PtxOf kernel = elementwise(R"(
%m = arith.mulf %x, %y : tensor<512xf32, #b>
%f = math.floor %m : tensor<512xf32, #b>
%z = arith.mulf %f, %y : tensor<512xf32, #b>)",
                             "f32", "cuda:100");
  EXPECT_EQ(count(kernel.ptx, "mul.f32 "), 4u) << kernel.problem << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "mul.f32x2"), 2u) << kernel.ptx;
}

// Two sums that are one instruction take their products with them: a * b + c is rounded once, for
// two numbers as for one.
TEST(Floats, PackedSumsKeepTheirProducts) {
  std::string type = "tensor<512xf32, #b>";
  std::string body =
      "%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\n%zero = arith.constant "
      "dense<0.0> : " +
      type + "\n%z = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (" + type +
      ") : i32 {\n%f = arith.sitofp %i : i32 to f32\n%g = tt.splat %f : f32 -> " + type +
      "\n%xg = arith.mulf %x, %g : " + type + "\n%xgy = arith.mulf %xg, %g : " + type +
      "\n%t = arith.addf %sum, %xgy : " + type + "\nscf.yield %t : " + type + "\n}";
  for (const char* target : {"cuda:90", "cuda:100", "cuda:120"}) {
    PtxOf kernel = elementwise(body, "f32", target);
    EXPECT_EQ(count(kernel.ptx, "fma.rn.f32 ") + 2 * count(kernel.ptx, "fma.rn.f32x2 "), 4u)
        << target << kernel.problem << kernel.ptx;
    EXPECT_EQ(count(kernel.ptx, "add.f32"), 0u) << target << kernel.ptx;
  }
}

// As in Triton: LLVM cannot move assembly, and orders the operands of sums by that.
TEST(Floats, ApproximationsAreNoAssembly) {
  PtxOf kernel = elementwise("%e = math.exp %x : tensor<512xf32, #b>\n%f = math.exp2 %x : "
                             "tensor<512xf32, #b>\n%g = math.sqrt %y : tensor<512xf32, #b>\n%h = "
                             "arith.addf %e, %f : tensor<512xf32, #b>\n%z = arith.addf %g, %h : "
                             "tensor<512xf32, #b>",
                             "f32", "cuda:90");
  for (const char* name : {"ex2.approx.f32", "ex2.approx.ftz.f32", "sqrt.approx.ftz.f32"})
    EXPECT_EQ(count(kernel.ptx, name), 4u) << name << kernel.problem << kernel.ptx;
  EXPECT_EQ(count(kernel.ptx, "ld.global.v4.b32"), 2u) << kernel.ptx;
  EXPECT_EQ(kernel.ptx.find("inline asm"), std::string::npos) << kernel.ptx;
}

TEST(Floats, MatricesOfDoublesAreMultiplied) { // four times along K; all tiles are alike
  std::string result = "tensor<32x32xf64, #mma>";
  for (const char* target : {"cuda:80", "cuda:90", "cuda:100"}) {
    PtxOf kernel = compiled(
        "%x = arith.constant dense<1.0> : tensor<32x16xf64, #a>\n%y = arith.constant dense<2.0> : "
        "tensor<16x32xf64, #c>\n%zero = arith.constant dense<0.0> : " +
            result +
            "\n%d = tt.dot %x, %y, %zero : tensor<32x16xf64, #a> * tensor<16x32xf64, #c> "
            "-> " +
            result +
            "\n%s = tt.splat %p : !tt.ptr<f64> -> tensor<32x32x!tt.ptr<f64>, #mma>\n"
            "tt.store %s, %d : tensor<32x32x!tt.ptr<f64>, #mma>",
        "%p: !tt.ptr<f64>", target);
    EXPECT_EQ(count(kernel.ptx, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"), 4u)
        << target << kernel.problem << kernel.ptx;
  }
}

} // namespace
} // namespace gluond::test
