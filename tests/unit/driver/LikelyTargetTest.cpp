#include "driver/launches/LikelyTarget.h"

#include "support/Interner.h"
#include "syntax/SyntaxTree.h"

#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

std::string of(const std::string& text) {
  Interner names;
  auto tree = syntax::SyntaxTree::parse(std::make_shared<text::SourceText>(text), {}, names);
  return likelyTarget(*tree).str();
}
const std::string gl = "triton.experimental.gluon.language";

TEST(LikelyTarget, isHopperWhereNothingSaysOtherwise) {
  EXPECT_EQ(of(""), "cuda:90");
  EXPECT_EQ(of("from triton.experimental.gluon import language as gl\n"), "cuda:90");
  EXPECT_EQ(of("from " + gl + ".nvidia.hopper import tma\n"), "cuda:90");
  EXPECT_EQ(of("from " + gl + ".nvidia.ampere import async_copy\n"), "cuda:90");
}

TEST(LikelyTarget, isTheChipWhoseModuleIsImported) {
  EXPECT_EQ(of("from " + gl + ".nvidia.blackwell import tcgen05_mma\n"), "cuda:100");
  EXPECT_EQ(of("from " + gl + ".nvidia import blackwell as b\n"), "cuda:100");
  EXPECT_EQ(of("import " + gl + ".nvidia.blackwell as b\n"), "cuda:100");
  EXPECT_EQ(
      of("try:\n    from " + gl + ".nvidia.blackwell import tma\nexcept ImportError:\n    pass\n"),
      "cuda:100");
  EXPECT_EQ(of("from " + gl + ".amd.cdna3 import mfma\n"), "hip:gfx942");
  EXPECT_EQ(of("from " + gl + ".amd import AMDMFMALayout\n"), "hip:gfx942");
  EXPECT_EQ(of("from " + gl + ".amd import AMDMFMALayout, cdna4\n"), "hip:gfx950");
  EXPECT_EQ(of("from " + gl + ".amd.gfx1250 import tdm\n"), "hip:gfx1250");
  EXPECT_EQ(of("def f(gl):\n    return gl.amd.cdna4.mfma(a, b, c)\n"), "hip:gfx950");
  EXPECT_EQ(of("def f(gl):\n    return gl.amd.AMDMFMALayout(3)\n"), "hip:gfx942");
}

TEST(LikelyTarget, isTheChipOfTheMatrixInstructions) {
  const std::string reexported = "from package.compat import gl, gluon\n";
  EXPECT_EQ(of(reexported + "L = gl.amd.AMDMFMALayout(version=4, instr_shape=[16, 16, 32])\n"),
            "hip:gfx950");
  EXPECT_EQ(of(reexported + "L = AMDMFMALayout(4, [16, 16, 32])\n"), "hip:gfx950");
  EXPECT_EQ(of("L = AMDWMMALayout(version=2)\n"), "hip:gfx1201");
  EXPECT_EQ(of("L = AMDMFMALayout(version=4)\nx = gl.amd.cdna3.mfma(a, b, c)\n"), "hip:gfx950");
  EXPECT_EQ(of("L = AMDMFMALayout(version=3)\nx = gl.amd.cdna4.mfma(a, b, c)\n"), "hip:gfx950")
      << "newer chips have what older ones have";
  EXPECT_EQ(of("L = AMDMFMALayout(3)\nM = AMDMFMALayout(4)\nx = gl.amd.cdna3.mfma(a, b, c)\n"),
            "hip:gfx942")
      << "of several chips";
  EXPECT_EQ(of("L = AMDMFMALayout(version=v)\n"), "cuda:90");
}

TEST(LikelyTarget, ofAmdIsTheChipThatTheTextNames) {
  const std::string cdna3 = "x = gl.amd.cdna3.buffer_load(p)\n";
  EXPECT_EQ(of("# for gfx950\n" + cdna3), "hip:gfx950");
  EXPECT_EQ(of("from compat import cdna4_async_copy\n" + cdna3), "hip:gfx950");
  EXPECT_EQ(of("# for CDNA4 (gfx950)\n" + cdna3), "hip:gfx950");
  EXPECT_EQ(of("# for gfx942 and gfx950\n" + cdna3), "hip:gfx942");
  EXPECT_EQ(of("# not for gfx942\nx = gl.amd.cdna4.mfma(a, b, c)\n"), "hip:gfx950");
  EXPECT_EQ(of("L = gl.amd.AMDMFMALayout(3)\n# gfx950 has a wider one\n"), "hip:gfx942");
  EXPECT_EQ(of("# for gfx950\nfrom " + gl + ".nvidia.hopper import tma\n"), "cuda:90");
  EXPECT_EQ(of("# as on gfx950\n"), "cuda:90") << "of another vendor, perhaps";
}

TEST(LikelyTarget, isAmdWhereLayoutsHaveWarpsOf64) {
  EXPECT_EQ(of("L = gl.BlockedLayout([1, 4], [1, 64], [num_warps, 1], [1, 0])\n"), "hip:gfx942");
  EXPECT_EQ(of("def k():\n    x = BlockedLayout([1], threads_per_warp=(8, 8), order=[0])\n"),
            "hip:gfx942");
  EXPECT_EQ(of("L = gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])\n"), "cuda:90");
  EXPECT_EQ(
      of("L = gl.BlockedLayout([1], [64], [4], [0])\nM = gl.BlockedLayout([1], [32], [4], [0])\n"),
      "cuda:90");
  EXPECT_EQ(of("L = gl.BlockedLayout([1], [WARP], [4], [0])\n"), "cuda:90");
  const std::string named = "L = gl.BlockedLayout([1, 8], [1, WARP], [4, 1], [1, 0])\n";
  EXPECT_EQ(of("WARP = gl.constexpr(64)\n" + named), "hip:gfx942");
  EXPECT_EQ(of("WARP: gl.constexpr = 64\n" + named), "hip:gfx942");
  EXPECT_EQ(of("WARP = 64\n" + named), "hip:gfx942");
  EXPECT_EQ(of("WARP = 64\nWARP = 32\n" + named), "cuda:90");
  EXPECT_EQ(
      of("from " + gl + ".nvidia.hopper import tma\nL = gl.BlockedLayout([1], [64], [4], [0])\n"),
      "cuda:90");
}

TEST(LikelyTarget, isTheChipThatThePathNames) {
  Interner names;
  auto at = [&](const std::string& path, const std::string& text) {
    auto source = std::make_shared<text::SourceText>(text);
    return likelyTarget(*syntax::SyntaxTree::parse(source, {}, names), path);
  };
  const std::string none = "import torch\n", cdna3 = "x = gl.amd.cdna3.buffer_load(p)\n",
                    hopper = "from " + gl + ".nvidia.hopper import tma\n";
  EXPECT_EQ(at("/w/ops/gfx950/mla/decode.py", none), "hip:gfx950");
  EXPECT_EQ(at("/w/ops/gfx950/mla/decode.py", cdna3), "hip:gfx950");
  EXPECT_EQ(at("/w/gfx942/gemm_gfx1250.py", none), "hip:gfx1250");
  EXPECT_EQ(at("/w/gemm_sm100a.py", hopper), "cuda:100");
  EXPECT_EQ(at("/w/sm100/gemm.py", cdna3), "hip:gfx942") << "of another vendor";
  EXPECT_EQ(at("/w/gfx950x/smile.py", none), "cuda:90") << "no words";
  EXPECT_EQ(at("/w/gfx9/gfx000.py", none), "cuda:90") << "no chips";
}

TEST(LikelyTarget, modulesOfHostCodeSayNothing) {
  EXPECT_EQ(of("from triton.experimental.gluon.nvidia.blackwell import TensorDescriptor\n"),
            "cuda:90");
  EXPECT_EQ(of("import triton\ntriton.experimental.gluon.nvidia.blackwell.TensorDescriptor\n"),
            "cuda:90");
  EXPECT_EQ(of("# nvidia.blackwell is not meant\n"), "cuda:90");
}

// Both modules have TMA and barriers; what only one chip has decides.
TEST(LikelyTarget, ofSeveralModulesTheOneThatIsUsed) {
  const std::string both =
      "from " + gl + ".nvidia.hopper import tma\nfrom " + gl + ".nvidia import blackwell\n";
  EXPECT_EQ(of(both + "blackwell.tcgen05_mma(a, b, c)\n"), "cuda:100");
  EXPECT_EQ(of(both), "cuda:90");
  EXPECT_EQ(of(both + "blackwell.tcgen05_mma(a, b, c)\nwarpgroup_mma(a, b, c)\n"), "cuda:90");
  EXPECT_EQ(of("from " + gl + ".nvidia import hopper\nfrom " + gl + ".amd import cdna3\n"),
            "cuda:90");
}

} // namespace
} // namespace gluond::driver
