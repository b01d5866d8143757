// Inline assembly: what kernels write, against values worked out by hand.
#include "Kernel.h"

namespace gluond::simulate {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

class AssemblyTest : public KernelTest {
protected:
  // Runs the text on single registers: words in, words out.
  std::vector<uint32_t> words(const std::string& text, std::vector<uint32_t> in, size_t results = 1,
                              const std::string& target = "cuda:100") {
    std::string operands, types, names, constraints, stores, resultTypes;
    std::vector<Value> arguments;
    size_t first = tensors;
    std::string parameters;
    for (size_t i = 0; i < results; ++i) {
      constraints += (i ? ",=r" : "=r");
      parameters += (i ? ", %o" : "%o") + std::to_string(i) + ": !tt.ptr<i32>";
      resultTypes += i ? ", i32" : "i32";
      stores += "    tt.store %o" + std::to_string(i) + ", %r" +
                (results > 1 ? "#" + std::to_string(i) : "") + " : !tt.ptr<i32>\n";
      arguments.push_back(tensor("o", std::vector<uint32_t>(1)));
      ++tensors;
    }
    for (size_t i = 0; i < in.size(); ++i) {
      constraints += ",r";
      parameters += ", %a" + std::to_string(i) + ": i32";
      operands += (i ? ", %a" : "%a") + std::to_string(i);
      types += i ? ", i32" : "i32";
      arguments.push_back(i32(static_cast<int32_t>(in[i])));
    }
    std::string assembly;
    for (char c : text)
      assembly += c == '\n' ? std::string("\\0A") : std::string(1, c);
    outcome = runModule(
        "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, ttg.target = "
        "\"" +
            target + "\", \"ttg.threads-per-warp\" = 32 : i32} {\n  tt.func public @kernel(" +
            parameters + ") {\n    %r" + (results > 1 ? ":" + std::to_string(results) : "") +
            " = tt.elementwise_inline_asm \"" + assembly + "\" {constraints = \"" + constraints +
            "\", packed_element = 1 : i32, pure = true} " + operands + " : " + types + " -> " +
            resultTypes + "\n" + stores + "    tt.return\n  }\n}\n",
        arguments);
    std::vector<uint32_t> all;
    for (size_t i = 0; i < results; ++i)
      all.push_back(contents<uint32_t>(first + i)[0]);
    return all;
  }
  uint32_t word(const std::string& text, std::vector<uint32_t> in,
                const std::string& target = "cuda:100") {
    uint32_t result = words(text, std::move(in), 1, target)[0];
    EXPECT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
    return result;
  }
  static uint32_t f(float value) { return std::bit_cast<uint32_t>(value); }
  Outcome outcome;
  size_t tensors = 0;
};

TEST_F(AssemblyTest, Arithmetic) {
  EXPECT_EQ(word("add.u32 $0, $1, $2;", {5, 7}), 12u);
  EXPECT_EQ(word("mul.hi.u32 $0, $1, $2;", {0x80000000u, 6}), 3u);
  EXPECT_EQ(word("mad.lo.s32 $0, $1, $2, -3;", {4, 5}), 17u);
  EXPECT_EQ(word("min.s32 $0, $1, $2;", {static_cast<uint32_t>(-2), 1}), 0xfffffffeu);
  EXPECT_EQ(word("fma.rn.f32 $0, $1, $2, 0f3F800000;", {f(2), f(3)}), f(7));
  EXPECT_EQ(word("mul.f32 $0, $1, 0.5;", {f(3)}), f(1.5f));
  EXPECT_EQ(word("ex2.approx.ftz.f32 $0, $1;", {f(3)}), f(8));
  EXPECT_EQ(word("rcp.approx.ftz.f32 $0, $1;", {f(4)}), f(0.25f));
  EXPECT_EQ(word("tanh.approx.f32 $0, $1;", {f(0)}), f(0));
  EXPECT_EQ(word("fma.rn.relu.f16x2 $0, $1, $2, $3;", {0x40003c00u, 0xc000c000u, 0x48004000u}),
            0x44000000u); // 1 * -2 + 2 = 0, 2 * -2 + 8 = 4
  EXPECT_EQ(word("max.NaN.f32 $0, $1, $2;", {f(1), 0x7fc00000u}) & 0x7f800000u, 0x7f800000u);
  EXPECT_EQ(word("add.rz.f32 $0, $1, $2;", {f(1), f(0x1p-24f)}), f(1));
  EXPECT_EQ(word("add.rp.f32 $0, $1, $2;", {f(1), f(0x1p-24f)}), f(1) + 1);
}

TEST_F(AssemblyTest, Bits) {
  EXPECT_EQ(word("lop3.b32 $0, $1, $2, $3, 0xe8;", {0b1100, 0b1010, 0b0110}), 0b1110u); // majority
  EXPECT_EQ(word("prmt.b32 $0, $1, $2, 0x5410;", {0x11223344u, 0xaabbccddu}), 0xccdd3344u);
  EXPECT_EQ(word("shl.b32 $0, $1, 33;", {1}), 0u);
  EXPECT_EQ(word("shr.s32 $0, $1, 4;", {0x80000000u}), 0xf8000000u);
  EXPECT_EQ(word("shr.u32 $0, $1, 4;", {0x80000000u}), 0x08000000u);
  EXPECT_EQ(word("bfe.u32 $0, $1, 8, 4;", {0xabcdefu}), 0xdu);
  EXPECT_EQ(word("bfe.s32 $0, $1, 8, 4;", {0xabcdefu}), 0xfffffffdu);
  EXPECT_EQ(word("bfi.b32 $0, $1, $2, 8, 8;", {0x12, 0xffffffffu}), 0xffff12ffu);
  EXPECT_EQ(word("shf.l.wrap.b32 $0, $1, $2, 8;", {0x11223344u, 0xaabbccddu}), 0xbbccdd11u);
  EXPECT_EQ(word("popc.b32 $0, $1;", {0xf0f0u}), 8u);
  EXPECT_EQ(word("clz.b32 $0, $1;", {1}), 31u);
  EXPECT_EQ(word("dp4a.s32.s32 $0, $1, $2, $3;", {0x01ff0203u, 0x01010101u, 10}), 15u);
}

TEST_F(AssemblyTest, Conversions) {
  EXPECT_EQ(word("cvt.rn.f16x2.f32 $0, $1, $2;", {f(2), f(1)}), 0x40003c00u);
  EXPECT_EQ(word("cvt.rn.bf16x2.f32 $0, $1, $2;", {f(2), f(1)}), 0x40003f80u);
  EXPECT_EQ(word("{ .reg .b16 t; cvt.rn.satfinite.e4m3x2.f32 t, $1, $2; mov.b32 $0, {t, t}; }",
                 {f(1000), f(1)}),
            0x7e387e38u);
  EXPECT_EQ(
      word("{ .reg .b16 lo; .reg .b16 hi; mov.b32 {lo, hi}, $1; cvt.rn.f16x2.e4m3x2 $0, lo; }",
           {0x00003840u}),
      0x3c004000u);
  EXPECT_EQ(word("{ .reg .b8 b; cvt.rn.satfinite.e2m1x2.f32 b, $1, $2; cvt.u32.u8 $0, b; }",
                 {f(6), f(-0.5f)}),
            0x79u);
  EXPECT_EQ(word("cvt.rna.tf32.f32 $0, $1;", {0x3f801000u}), 0x3f802000u);
  EXPECT_EQ(word("cvt.rzi.s32.f32 $0, $1;", {f(-2.7f)}), 0xfffffffeu);
  EXPECT_EQ(word("cvt.rpi.s32.f32 $0, $1;", {f(2.1f)}), 3u);
  EXPECT_EQ(word("cvt.rn.f32.s32 $0, $1;", {static_cast<uint32_t>(-3)}), f(-3));
  EXPECT_EQ(word("cvt.sat.u8.s32 $0, $1;", {300}), 255u);
}

TEST_F(AssemblyTest, RegistersPredicatesAndBranches) {
  // Collatz's steps, with a loop.
  EXPECT_EQ(word(R"({
    .reg .pred p, odd;
    .reg .b32 x, n<2>;
    mov.u32 x, $1;        // what is left
    mov.u32 n0, 0;
  again:
    setp.eq.u32 p, x, 1;
    @p bra done;
    and.b32 n1, x, 1;
    setp.ne.u32 odd, n1, 0;
    @odd mad.lo.u32 x, x, 3, 1;
    @!odd shr.u32 x, x, 1;
    add.u32 n0, n0, 1;
    bra again;
  done:
    mov.u32 $0, n0;
  })",
                 {27}),
            111u);
  EXPECT_THAT(words("{ .reg .pred p; setp.gt.f32 p, $2, $3; selp.b32 $0, $2, $3, p; "
                    "selp.b32 $1, $3, $2, p; }",
                    {f(2), f(5)}, 2),
              ElementsAre(f(5), f(2)));
}

TEST_F(AssemblyTest, OfAmd) {
  EXPECT_EQ(word("v_add_f32 $0, $1, $2", {f(1), f(2)}, "hip:gfx942"), f(3));
  EXPECT_EQ(word("v_fma_f32 $0, $1, -$2, |$3|", {f(2), f(3), f(-10)}, "hip:gfx942"), f(4));
  EXPECT_EQ(word("v_lshlrev_b32_e32 $0, 4, $1\nv_or_b32 $0, $0, $2", {1, 2}, "hip:gfx942"), 18u);
  EXPECT_EQ(word("s_nop 0\nv_perm_b32 $0, $1, $2, $3", {0x11223344u, 0xaabbccddu, 0x07060100u},
                 "hip:gfx950"),
            0x1122ccddu);
  EXPECT_EQ(word("v_cvt_pk_bf16_f32 $0, $1, $2", {f(1), f(2)}, "hip:gfx950"), 0x40003f80u);
  EXPECT_EQ(word("v_med3_f32 $0, $1, 0, 1.0", {f(7)}, "hip:gfx942"), f(1));
}

// An address so large that its end is small again is beyond shared memory as well.
TEST_F(AssemblyTest, AddressesBeyondSharedMemory) {
  for (const char* address : {"0x7fffffff", "0xfffffffffffffffc", "-4", "-1"}) {
    std::string to = std::string("[$1 + ") + address + "]";
    for (const std::string& text :
         {"ld.shared.b32 $0, " + to + ";", "st.shared.b32 " + to + ", $1;",
          "atom.shared.add.u32 $0, " + to + ", $1;"}) {
      words(text, {0});
      EXPECT_FALSE(outcome.findings.empty()) << text;
    }
  }
}

// Four int8 in a word become two words of bf16 pairs: each element where it belongs.
TEST_F(AssemblyTest, PacksOfElements) {
  std::vector<int8_t> in(128);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int8_t>(i * 5 % 128);
  std::vector<Value> arguments{tensor("x", in), tensor("y", std::vector<int8_t>(128))};
  // Bytes 0 and 2 doubled, 1 and 3 plus 1.
  Outcome result = run("%x: !tt.ptr<i8>, %y: !tt.ptr<i8>", R"(
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #wide}>>
    %xs = tt.splat %x : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>, #ttg.slice<{dim = 0, parent = #wide}>>
    %xp = tt.addptr %xs, %r : tensor<128x!tt.ptr<i8>, #ttg.slice<{dim = 0, parent = #wide}>>, tensor<128xi32, #ttg.slice<{dim = 0, parent = #wide}>>
    %ys = tt.splat %y : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>, #ttg.slice<{dim = 0, parent = #wide}>>
    %yp = tt.addptr %ys, %r : tensor<128x!tt.ptr<i8>, #ttg.slice<{dim = 0, parent = #wide}>>, tensor<128xi32, #ttg.slice<{dim = 0, parent = #wide}>>
    %v = tt.load %xp : tensor<128x!tt.ptr<i8>, #ttg.slice<{dim = 0, parent = #wide}>>
    %w = tt.elementwise_inline_asm "{ .reg .b32 a; and.b32 a, $1, 0x00ff00ff; add.u32 $0, a, $1; add.u32 $0, $0, 0x01000100; }" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %v : tensor<128xi8, #ttg.slice<{dim = 0, parent = #wide}>> -> tensor<128xi8, #ttg.slice<{dim = 0, parent = #wide}>>
    tt.store %yp, %w : tensor<128x!tt.ptr<i8>, #ttg.slice<{dim = 0, parent = #wide}>>)",
                       arguments);
  EXPECT_TRUE(result.findings.empty());
  std::vector<int8_t> out = contents<int8_t>(1);
  for (size_t i = 0; i < in.size(); i += 4) {
    uint32_t word = 0, expected;
    std::memcpy(&word, &in[i], 4);
    expected = word + (word & 0x00ff00ff) + 0x01000100;
    EXPECT_EQ(std::memcmp(&expected, &out[i], 4), 0) << i;
  }
}

} // namespace
} // namespace gluond::simulate
