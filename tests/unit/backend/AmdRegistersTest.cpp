// How many of AMD's vector registers values take, and what is computed for all lanes alike.
#include "AmdCode.h"
#include "LoweredTtgir.h"

#include <gtest/gtest.h>

namespace gluond::test {
namespace {

// A tile of rows with 64 columns, eight neighbors of a row in each thread. `body` uses the offsets
// %at of the elements, whose rows are `stride` apart.
std::string tile(const char* target, const std::string& from, const std::string& to,
                 llvm::StringRef arguments, llvm::StringRef body, unsigned rows = 64) {
  unsigned lanes = chips::findChip(target)->warpSize;
  std::string n = std::to_string(rows),
              row = "tensor<" + n + "xi32, #ttg.slice<{dim = 1, parent = #b}>>",
              first = "tensor<" + n + "x1xi32, #b>", all = "tensor<" + n + "x64xi32, #b>";
  std::string text =
      ("tt.func public @k(%a: !tt.ptr<" + from + "> {tt.divisibility = 16 : i32}, %o: !tt.ptr<" +
       to + "> {tt.divisibility = 16 : i32}, " + arguments +
       "%stride: i32 {tt.divisibility = 16 : i32}) {\n%r = tt.make_range {end = " + n +
       " : i32, start = 0 : i32} : " + row +
       "\n%c = tt.make_range {end = 64 : i32, start = 0 : i32} : "
       "tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>\n"
       "%r1 = tt.expand_dims %r {axis = 1 : i32} : " +
       row + " -> " + first +
       "\n%c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = "
       "#b}>> -> tensor<1x64xi32, #b>\n"
       "%s = tt.splat %stride : i32 -> " +
       first + "\n%first = arith.muli %r1, %s : " + first + "\n%r2 = tt.broadcast %first : " +
       first + " -> " + all + "\n%c2 = tt.broadcast %c1 : tensor<1x64xi32, #b> -> " + all +
       "\n%at = arith.addi %r2, %c2 : " + all + "\n" + body + "tt.return\n}")
          .str();
  return amdModule(target, lanes,
                   "#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [" +
                       std::to_string(lanes / 8) + ", 8], warpsPerCTA = [4, 1], order = [1, 0]}>",
                   text);
}

std::string load(llvm::StringRef name, llvm::StringRef at, llvm::StringRef element) {
  return ("%" + name + " = amdg.buffer_load %a[%" + at + "] : !tt.ptr<" + element +
          "> -> tensor<64x64x" + element + ", #b>\n")
      .str();
}
std::string store(llvm::StringRef name, llvm::StringRef at, llvm::StringRef element,
                  llvm::StringRef shape = "64x64x", llvm::StringRef layout = "#b") {
  return ("amdg.buffer_store %" + name + ", %o[%" + at + "] : !tt.ptr<" + element + "> -> tensor<" +
          shape + element + ", " + layout + ">\n")
      .str();
}

constexpr const char* everyKind[] = {"hip:gfx942", "hip:gfx950", "hip:gfx1201", "hip:gfx1250"};

// A loop stores what it loaded a step before: pairs of halves are never taken apart.
TEST(AmdRegisters, NarrowValuesOfALoopStayTogether) {
  for (const char* target : everyKind)
    for (std::string element : {"f16", "bf16", "i8"}) {
      std::string type = "tensor<64x64x" + element + ", #b>";
      AmdCode code =
          codeOf(tile(target, element, element, "%n: i32, ",
                      "%0 = arith.constant 0 : i32\n%1 = arith.constant 1 : i32\n"
                      "%step = arith.constant dense<64> : tensor<64x64xi32, #b>\n" +
                          load("x", "at", element) +
                          "%e:2 = scf.for %i = %0 to %n step %1 iter_args(%v = %x, %w = %at) -> (" +
                          type + ", tensor<64x64xi32, #b>) : i32 {\n" + store("v", "w", element) +
                          "%m = arith.addi %w, %step : tensor<64x64xi32, #b>\n" +
                          load("l", "m", element) + "scf.yield %l, %m : " + type +
                          ", tensor<64x64xi32, #b>\n}\n" + store("e#0", "e#1", element)));
      ASSERT_TRUE(code.problem.empty()) << code.problem;
      EXPECT_EQ(count(code.assembly, "v_perm_b32"), 0u) << target << element << code.assembly;
      EXPECT_EQ(count(code.assembly, "v_and_b16"), 0u) << target << element << code.assembly;
    }
}

// Rows of a thread are a multiple of the stride apart, which the scalar unit computes.
TEST(AmdRegisters, RowsOfAThreadShareOneProduct) {
  for (const char* target : everyKind) {
    AmdCode code =
        codeOf(tile(target, "f32", "f32", "", load("x", "at", "f32") + store("x", "at", "f32")));
    ASSERT_TRUE(code.problem.empty()) << code.problem;
    unsigned products = count(code.assembly, "v_mul_lo_u32") + count(code.assembly, "v_mad_u") +
                        count(code.assembly, "v_mad_co_u64");
    EXPECT_EQ(products, 1u) << target << code.assembly;
  }
}

// Rounding to bfloat16 takes the lowest bit that is kept by one instruction.
TEST(AmdRegisters, RoundingToBfloatTakesOneBitAtOnce) {
  for (const char* target : {"hip:gfx1100", "hip:gfx1201"}) {
    AmdCode code =
        codeOf(tile(target, "f32", "bf16", "",
                    load("x", "at", "f32") +
                        "%y = arith.truncf %x : tensor<64x64xf32, #b> to tensor<64x64xbf16, #b>\n" +
                        store("y", "at", "bf16")));
    ASSERT_TRUE(code.problem.empty()) << code.problem;
    EXPECT_EQ(count(code.assembly, "v_bfe_u32"), 32u) << target << code.assembly;
  }
}

// Offsets of many rows in a loop: constants are parts of instructions, and no scalar register is
// spilled.
TEST(AmdRegisters, DistancesOfManyRowsSpillNoScalarRegisters) {
  for (const char* target : everyKind) {
    std::string type = "tensor<64x64xf32, #b>";
    AmdCode code = codeOf(
        tile(target, "f32", "f32", "%n: i32, ",
             "%0 = arith.constant 0 : i32\n%1 = arith.constant 1 : i32\n"
             "%eight = arith.constant dense<8> : tensor<64x64xi32, #b>\n"
             "%z = arith.constant dense<0.0> : " +
                 type + "\n%e = scf.for %i = %0 to %n step %1 iter_args(%v = %z) -> (" + type +
                 ") : i32 {\n%is = tt.splat %i : i32 -> tensor<64x64xi32, #b>\n"
                 "%f = arith.addi %at, %is : tensor<64x64xi32, #b>\n" +
                 load("l", "f", "f32") + "%g = arith.shrui %f, %eight : tensor<64x64xi32, #b>\n" +
                 "%m = arith.addi %f, %eight : tensor<64x64xi32, #b>\n" + store("l", "m", "f32") +
                 "%h = arith.addf %v, %l : " + type + "\nscf.yield %h : " + type + "\n}\n" +
                 store("e", "at", "f32")));
    ASSERT_TRUE(code.problem.empty()) << code.problem;
    EXPECT_EQ(count(code.assembly, "v_writelane_b32"), 0u) << target << code.assembly;
    EXPECT_EQ(code.resources.scalarSpills, 0u) << target;
  }
}

// A softmax of the rows of such a tile.
std::string softmax(unsigned rows) {
  std::string n = std::to_string(rows), type = "tensor<" + n + "x64xf32, #b>",
              row = "tensor<" + n + "xf32, #ttg.slice<{dim = 1, parent = #b}>>";
  auto reduced = [&](const std::string& name, llvm::StringRef from, llvm::StringRef op) {
    return ("%" + name + " = \"tt.reduce\"(%" + from + ") <{axis = 1 : i32}> ({\n" +
            "^bb0(%p: f32, %q: f32):\n%t = " + op +
            " %p, %q : f32\ntt.reduce.return %t : f32\n}) : (" + type + ") -> " + row + "\n%" +
            name + "1 = tt.expand_dims %" + name + " {axis = 1 : i32} : " + row + " -> tensor<" +
            n + "x1xf32, #b>\n%" + name + "2 = tt.broadcast %" + name + "1 : tensor<" + n +
            "x1xf32, #b> -> " + type + "\n")
        .str();
  };
  return "%x = amdg.buffer_load %a[%at] : !tt.ptr<f32> -> " + type + "\n" +
         reduced("m", "x", "arith.maxnumf") + "%d = arith.subf %x, %m2 : " + type +
         "\n%e = math.exp2 %d : " + type + "\n" + reduced("n", "e", "arith.addf") +
         "%y = arith.divf %e, %n2 : " + type + "\n" + store("y", "at", "f32", n + "x64x");
}

// Kernels without products of matrices on CDNA: the order that counts registers.
TEST(AmdRegisters, OrderIsThatOfFewerRegisters) {
  for (const char* target : {"hip:gfx942", "hip:gfx950"}) {
    AmdCode code = codeOf(tile(target, "f32", "f32", "", softmax(64)));
    ASSERT_TRUE(code.problem.empty()) << code.problem;
    // Registers are handed out by eights.
    EXPECT_LE(code.resources.vectorRegisters, 32u) << target << code.assembly;
  }
}

// LLVM takes 99 registers, enough for 12 programs; with 96 there are 16.
TEST(AmdRegisters, AFewRegistersLessLetAnotherProgramRun) {
  AmdCode code = codeOf(tile("hip:gfx1201", "f32", "f32", "", softmax(128), 128));
  ASSERT_TRUE(code.problem.empty()) << code.problem;
  EXPECT_LE(code.resources.vectorRegisters, 96u) << code.assembly;
  EXPECT_EQ(code.resources.vectorSpills, 0u);
}

// Sums of floats round by their order, which is Triton's: neighbors in the two halves of a pair.
TEST(AmdRegisters, SumsWithinAThreadAreInPairsAsInTriton) {
  struct {
    const char *target, *element, *instruction;
  } cases[] = {{"hip:gfx942", "f32", "v_pk_add_f32"},
               {"hip:gfx950", "f32", "v_pk_add_f32"},
               {"hip:gfx1250", "f32", "v_pk_add_f32"},
               {"hip:gfx942", "f16", "v_pk_add_f16"},
               {"hip:gfx1201", "f16", "v_pk_add_f16"}};
  for (auto [target, name, instruction] : cases) {
    std::string element = name, type = "tensor<64x64x" + element + ", #b>",
                row = "tensor<64x" + element + ", #ttg.slice<{dim = 1, parent = #b}>>";
    AmdCode code = codeOf(tile(
        target, element, element, "",
        load("x", "at", element) + "%sum = \"tt.reduce\"(%x) <{axis = 1 : i32}> ({\n^bb0(%p: " +
            element + ", %q: " + element + "):\n%t = arith.addf %p, %q : " + element +
            "\ntt.reduce.return %t : " + element + "\n}) : (" + type + ") -> " + row + "\n" +
            store("sum", "r", element, "64x", "#ttg.slice<{dim = 1, parent = #b}>")));
    ASSERT_TRUE(code.problem.empty()) << code.problem;
    // Eight elements of a row are four pairs, of which three sums are one. Those of two rows across
    // lanes may be pairs, too.
    unsigned rows = 64 / 4 / (chips::findChip(target)->warpSize / 8);
    EXPECT_GE(count(code.assembly, instruction), 3 * rows) << target << name << code.assembly;
  }
}

} // namespace
} // namespace gluond::test
