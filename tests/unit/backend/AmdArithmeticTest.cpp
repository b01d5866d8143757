// AMD's instructions for arithmetic on small types, and for loads that are not waited for one by
// one.
#include "AmdCode.h"
#include "LoweredTtgir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// A program's block of `elements` for each thread, one beside those of the others; `body` uses
// their indices %i.
std::string spread(const char* target, unsigned elements, llvm::StringRef arguments,
                   llvm::StringRef body) {
  unsigned lanes = chips::findChip(target)->warpSize;
  std::string text = ("tt.func public @k(" + arguments +
                      ") {\n%pid = tt.get_program_id x : i32\n"
                      "%size = arith.constant SIZE : i32\n%first = arith.muli %pid, %size : i32\n"
                      "%range = tt.make_range {end = SIZE : i32, start = 0 : i32} : "
                      "tensor<SIZExi32, #b>\n"
                      "%firsts = tt.splat %first : i32 -> tensor<SIZExi32, #b>\n"
                      "%i = arith.addi %firsts, %range : tensor<SIZExi32, #b>\n" +
                      body + "tt.return\n}")
                         .str();
  std::string size = std::to_string(lanes * 4 * elements);
  for (size_t at = 0; (at = text.find("SIZE", at)) != std::string::npos;)
    text.replace(at, 4, size);
  return amdModule(target, lanes,
                   "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [" +
                       std::to_string(lanes) + "], warpsPerCTA = [4], order = [0]}>",
                   text);
}
std::string at(llvm::StringRef name, llvm::StringRef pointer, llvm::StringRef element) {
  std::string type = ("tensor<SIZEx!tt.ptr<" + element + ">, #b>").str(), own = name.str();
  return "%" + own + "s = tt.splat %" + pointer.str() + " : !tt.ptr<" + element.str() + "> -> " +
         type + "\n%" + own + " = tt.addptr %" + own + "s, %i : " + type +
         ", tensor<SIZExi32, #b>\n";
}

// A chip without instructions for OCP's 8-bit floats: those with five bits of exponent are the
// upper bytes of halves, and no conversion of an 8-bit float has to be rounded.
TEST(AmdArithmetic, EightBitFloatsOfOtherChipsTakeFewInstructions) {
  struct {
    const char *from, *to;
    unsigned most;
  } cases[] = {{"f8E5M2", "f16", 26},   {"f8E5M2", "f32", 40},    {"f8E5M2", "bf16", 40},
               {"f8E4M3FN", "f16", 60}, {"f8E4M3FN", "bf16", 70}, {"f16", "f8E5M2", 80}};
  for (auto [from, to, most] : cases) {
    std::string source = from, target = to;
    auto pointers = [](llvm::StringRef name, const std::string& element) {
      return at(name, name == "pa" ? "a" : "c", element);
    };
    std::string text =
        spread("hip:gfx942", 8, "%a: !tt.ptr<" + source + ">, %c: !tt.ptr<" + target + ">",
               pointers("pa", source) + "%v = tt.load %pa : tensor<SIZEx!tt.ptr<" + source +
                   ">, #b>\n%w = tt.fp_to_fp %v" + (target == "f8E5M2" ? ", rounding = rtne" : "") +
                   " : tensor<SIZEx" + source + ", #b> -> tensor<SIZEx" + target + ", #b>\n" +
                   pointers("pc", target) + "tt.store %pc, %w : tensor<SIZEx!tt.ptr<" + target +
                   ">, #b>\n");
    // Each thread's elements are neighbors.
    text.replace(text.find("sizePerThread = [1]"), 19, "sizePerThread = [8]");
    AmdCode code = codeOf(text);
    EXPECT_GT(count(code.assembly, "v_"), 0u) << code.problem;
    EXPECT_LT(count(code.assembly, "v_"), most) << from << " to " << to << code.assembly;
  }
}

// What is done to an element is done behind all loads, not where it is loaded.
TEST(AmdArithmetic, MaskedLoadsAreNotWaitedForOneByOne) {
  for (const char* element : {"f16", "bf16"}) {
    std::string half = "tensor<SIZEx" + std::string(element) + ", #b>";
    AmdCode code = codeOf(spread(
        "hip:gfx942", 16, "%a: !tt.ptr<" + std::string(element) + ">, %c: !tt.ptr<f32>, %n: i32",
        "%ns = tt.splat %n : i32 -> tensor<SIZExi32, #b>\n"
        "%m = arith.cmpi slt, %i, %ns : tensor<SIZExi32, #b>\n" +
            at("x", "a", element) + "%z = arith.constant dense<1.0> : " + half +
            "\n%v = tt.load %x, %m, %z : tensor<SIZEx!tt.ptr<" + element +
            ">, #b>\n%w = arith.extf %v : " + half + " to tensor<SIZExf32, #b>\n" +
            at("y", "c", "f32") + "tt.store %y, %w : tensor<SIZEx!tt.ptr<f32>, #b>\n"));
    ASSERT_TRUE(code.problem.empty()) << code.problem;
    EXPECT_EQ(count(code.assembly, "global_load"), 16u) << code.assembly;
    llvm::StringRef loads =
        llvm::StringRef(code.assembly)
            .slice(code.assembly.find("global_load"), code.assembly.rfind("global_load"));
    EXPECT_FALSE(loads.contains("s_waitcnt")) << loads.str();
  }
}

TEST(AmdArithmetic, HalvesAreWidenedByTheSumsAndProductsThatUseThem) {
  std::string half = "tensor<SIZExf16, #b>", single = "tensor<SIZExf32, #b>";
  for (const char* operation : {"addf", "subf", "mulf"}) {
    AmdCode code =
        codeOf(spread("hip:gfx1200", 4, "%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>",
                      at("x", "a", "f16") + at("y", "b", "f16") + at("z", "c", "f32") +
                          "%u = tt.load %x : tensor<SIZEx!tt.ptr<f16>, #b>\n"
                          "%v = tt.load %y : tensor<SIZEx!tt.ptr<f16>, #b>\n%p = arith.extf %u : " +
                          half + " to " + single + "\n%q = arith.extf %v : " + half + " to " +
                          single + "\n%r = arith." + operation + " %p, %q : " + single +
                          "\ntt.store %z, %r : tensor<SIZEx!tt.ptr<f32>, #b>\n"));
    EXPECT_EQ(count(code.assembly, "v_fma_mix_f32"), 4u) << code.problem << code.assembly;
    EXPECT_EQ(count(code.assembly, "v_cvt_f32_f16"), 0u) << code.assembly;
  }
}

// The larger of two numbers and whether the first is: both of halves, nothing is widened.
TEST(AmdArithmetic, ComparedMaximaOfHalvesStayNarrow) {
  const std::string single = "tensor<SIZExf32, #b>", word = "tensor<SIZExi32, #b>";
  AmdCode code = codeOf(spread(
      "hip:gfx942", 1, "%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f16>, %d: !tt.ptr<i32>",
      at("x", "a", "f16") + at("y", "b", "f16") + at("z", "c", "f16") + at("w", "d", "i32") +
          "%u = tt.load %x : tensor<SIZEx!tt.ptr<f16>, #b>\n"
          "%v = tt.load %y : tensor<SIZEx!tt.ptr<f16>, #b>\n"
          "%p = arith.extf %u : tensor<SIZExf16, #b> to " +
          single + "\n%q = arith.extf %v : tensor<SIZExf16, #b> to " + single +
          "\n%none = arith.constant dense<0xFF800000> : " + single +
          "\n%larger = arith.maxnumf %p, %none : " + single +
          "\n%take = arith.cmpf ogt, %q, %larger : " + single +
          "\n%one = arith.constant dense<1> : " + word + "\n%zero = arith.constant dense<0> : " +
          word + "\n%which = arith.select %take, %one, %zero : tensor<SIZExi1, #b>, " + word +
          "\n%largest = arith.maxnumf %larger, %q : " + single +
          "\n%n = arith.truncf %largest : " + single + " to tensor<SIZExf16, #b>\n" +
          "tt.store %z, %n : tensor<SIZEx!tt.ptr<f16>, #b>\n"
          "tt.store %w, %which : tensor<SIZEx!tt.ptr<i32>, #b>\n"));
  EXPECT_EQ(count(code.assembly, "v_cvt_f32_f16"), 0u) << code.problem << code.assembly;
  EXPECT_EQ(count(code.assembly, "v_cvt_f16_f32"), 0u) << code.assembly;
}

// The largest of widened bfloats is one of them: it is not rounded, and the chip has no instruction
// that chooses among bfloats.
TEST(AmdArithmetic, MaximaOfBfloatsAreNotRounded) {
  const std::string single = "tensor<SIZExf32, #b>", narrow = "tensor<SIZExbf16, #b>";
  for (const char* target :
       {"hip:gfx942", "hip:gfx950", "hip:gfx1100", "hip:gfx1201", "hip:gfx1250"}) {
    AmdCode code = codeOf(
        spread(target, 1, "%a: !tt.ptr<bf16>, %b: !tt.ptr<bf16>, %c: !tt.ptr<f32>",
               at("x", "a", "bf16") + at("y", "b", "bf16") + at("z", "c", "f32") +
                   "%u = tt.load %x : tensor<SIZEx!tt.ptr<bf16>, #b>\n"
                   "%v = tt.load %y : tensor<SIZEx!tt.ptr<bf16>, #b>\n"
                   "%p = arith.extf %u : " +
                   narrow + " to " + single + "\n%q = arith.extf %v : " + narrow + " to " + single +
                   "\n%r = math.absf %p : " + single + "\n%s = math.absf %q : " + single +
                   "\n%largest = arith.maxnumf %r, %s : " + single +
                   "\ntt.store %z, %largest : tensor<SIZEx!tt.ptr<f32>, #b>\n"));
    EXPECT_EQ(count(code.assembly, "v_max_"), 1u) << target << code.problem << code.assembly;
    for (const char* rounding : {"v_cndmask", "v_bfe_u32", "v_cvt_pk_bf16", "v_add3_u32"})
      EXPECT_EQ(count(code.assembly, rounding), 0u) << target << code.assembly;
  }
}

// Packed instructions take signs, but none subtracts.
TEST(AmdArithmetic, DifferencesOfHalvesAreOfPairs) {
  for (const char* target : {"hip:gfx942", "hip:gfx1201"}) {
    std::string half = "tensor<SIZExf16, #b>";
    std::string text = spread(target, 8, "%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f16>",
                              at("x", "a", "f16") + at("y", "b", "f16") + at("z", "c", "f16") +
                                  "%u = tt.load %x : tensor<SIZEx!tt.ptr<f16>, #b>\n"
                                  "%v = tt.load %y : tensor<SIZEx!tt.ptr<f16>, #b>\n"
                                  "%p = arith.mulf %u, %v : " +
                                  half + "\n%q = arith.subf %u, %v : " + half +
                                  "\n%r = arith.addf %p, %q : " + half +
                                  "\ntt.store %z, %r : tensor<SIZEx!tt.ptr<f16>, #b>\n");
    text.replace(text.find("sizePerThread = [1]"), 19, "sizePerThread = [8]");
    AmdCode code = codeOf(text);
    ASSERT_TRUE(code.problem.empty()) << code.problem;
    EXPECT_EQ(count(code.assembly, "v_sub_f16"), 0u) << code.assembly;
    EXPECT_GE(count(code.assembly, "v_pk_"), 8u) << code.assembly;
  }
}

// A distance that no instruction has a place for is added to the offset of 32 bits, not to the
// address.
TEST(AmdArithmetic, LargeDistancesStayInTheOffset) {
  std::string text =
      spread("hip:gfx942", 8, "%a: !tt.ptr<f32>, %c: !tt.ptr<f32>",
             "%xs = tt.splat %a : !tt.ptr<f32> -> tensor<SIZEx!tt.ptr<f32>, #b>\n"
             "%x = tt.addptr %xs, %range : tensor<SIZEx!tt.ptr<f32>, #b>, tensor<SIZExi32, #b>\n"
             "%zs = tt.splat %c : !tt.ptr<f32> -> tensor<SIZEx!tt.ptr<f32>, #b>\n"
             "%z = tt.addptr %zs, %range : tensor<SIZEx!tt.ptr<f32>, #b>, tensor<SIZExi32, #b>\n"
             "%u = tt.load %x : tensor<SIZEx!tt.ptr<f32>, #b>\n"
             "tt.store %z, %u : tensor<SIZEx!tt.ptr<f32>, #b>\n");
  text.replace(text.find("sizePerThread = [1]"), 19, "sizePerThread = [4]");
  AmdCode code = codeOf(text);
  ASSERT_TRUE(code.problem.empty()) << code.problem;
  EXPECT_EQ(count(code.assembly, "v_addc_co_u32"), 0u) << code.assembly;
  EXPECT_EQ(count(code.assembly, "v_lshl_add_u64"), 0u) << code.assembly;
}

// Sums of two tensors of which a thread has more than registers.
TEST(AmdArithmetic, SumsTakeThePlaceOfTheirOperands) {
  AmdCode code =
      codeOf(spread("hip:gfx942", 256, "%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>",
                    at("x", "a", "f32") + at("y", "b", "f32") + at("z", "c", "f32") +
                        "%u = tt.load %x : tensor<SIZEx!tt.ptr<f32>, #b>\n"
                        "%v = tt.load %y : tensor<SIZEx!tt.ptr<f32>, #b>\n"
                        "%r = arith.addf %u, %v : tensor<SIZExf32, #b>\n"
                        "tt.store %z, %r : tensor<SIZEx!tt.ptr<f32>, #b>\n"));
  EXPECT_EQ(code.resources.scratchBytes, 0u) << code.problem;
  EXPECT_LE(code.resources.vectorRegisters, 400u);
}

// Bytes of four columns are stored as words.
TEST(AmdArithmetic, WordsArePutTogetherFromBytesByPermutations) {
  const std::string row = "#ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [8, 4], "
                          "warpsPerCTA = [4, 1], order = [1, 0]}>",
                    buffer = "!ttg.memdesc<128x16xi8, #s, #smem, mutable>";
  AmdCode code = codeOf(amdModule(
      "hip:gfx1250", 32,
      "#b = " + row +
          "\n#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, "
          "1]}>\n#smem = #ttg.shared_memory",
      "tt.func public @k(%a: !tt.ptr<i8> {tt.divisibility = 16 : i32}) {\n"
      "%c = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, "
      "parent = #b}>>\n%c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = "
      "0, parent = #b}>> -> tensor<1x16xi32, #b>\n"
      "%r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = "
      "1, "
      "parent = #b}>>\n%r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim "
      "= "
      "1, parent = #b}>> -> tensor<128x1xi32, #b>\n%k = arith.constant dense<16> : "
      "tensor<128x1xi32, #b>\n%f = arith.muli %r1, %k : tensor<128x1xi32, #b>\n"
      "%r2 = tt.broadcast %f : tensor<128x1xi32, #b> -> tensor<128x16xi32, #b>\n"
      "%c2 = tt.broadcast %c1 : tensor<1x16xi32, #b> -> tensor<128x16xi32, #b>\n"
      "%at = arith.addi %r2, %c2 : tensor<128x16xi32, #b>\n"
      "%v = amdg.buffer_load %a[%at] : !tt.ptr<i8> -> tensor<128x16xi8, #b>\n"
      "%m = ttg.local_alloc : () -> " +
          buffer + "\nttg.local_store %v, %m : tensor<128x16xi8, #b> -> " + buffer +
          "\ntt.return\n}"));
  EXPECT_LE(count(code.assembly, "v_perm_b32"), 12u) << code.problem << code.assembly;
  EXPECT_GE(count(code.assembly, "v_perm_b32"), 8u) << code.assembly;
  EXPECT_EQ(count(code.assembly, "v_lshlrev_b16"), 0u) << code.assembly;
}

// Products that only exponentials take are computed in pairs, as what they multiply was loaded so.
TEST(Amd, LanesOfLoadsStayTogether) {
  auto exponentials = [](llvm::StringRef target, unsigned lanes) {
    return codeOf(
        amdModule(target, lanes, amdBlocked(lanes),
                  "tt.func public @k(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {\n"
                  "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>\n"
                  "%x = amdg.buffer_load %a[%r] : !tt.ptr<f32> -> tensor<1024xf32, #b>\n"
                  "%c = arith.constant dense<3.5> : tensor<1024xf32, #b>\n"
                  "%m = arith.mulf %x, %c : tensor<1024xf32, #b>\n"
                  "%e = math.exp2 %m : tensor<1024xf32, #b>\n"
                  "%s = \"tt.reduce\"(%e) <{axis = 0 : i32}> ({\n^bb0(%p: f32, %q: f32):\n"
                  "%t = arith.maximumf %p, %q : f32\ntt.reduce.return %t : f32\n"
                  "}) : (tensor<1024xf32, #b>) -> f32\n"
                  "tt.store %a, %s : !tt.ptr<f32>\ntt.return\n}"));
  };
  EXPECT_EQ(count(exponentials("hip:gfx942", 64).assembly, "v_pk_mul_f32"), 2u);
  EXPECT_EQ(count(exponentials("hip:gfx1201", 32).assembly, "v_pk_mul_f32"), 0u);
}

} // namespace
} // namespace gluond::test
