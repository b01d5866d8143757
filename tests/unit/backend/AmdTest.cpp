// AMD's back end: what kernels become, by the instructions that matter.
#include "AmdCode.h"
#include "LoweredTtgir.h"
#include "backend/amd/GluondAmdgpu.h"
#include "ir/Context.h"
#include "ir/ttg/ModuleTarget.h"
#include "lowering/amd/AmdTarget.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/FileSystem.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

// Copies through buffers; `isMasked`: where the offset is below n.
std::string bufferCopy(llvm::StringRef target, unsigned lanes, bool isMasked) {
  std::string mask = isMasked ? ", %m" : "";
  return amdModule(
      target, lanes, amdBlocked(lanes),
      "tt.func public @k(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> "
      "{tt.divisibility = 16 : i32}, %n: i32) {\n"
      "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>\n"
      "%ns = tt.splat %n : i32 -> tensor<1024xi32, #b>\n"
      "%m = arith.cmpi slt, %r, %ns : tensor<1024xi32, #b>\n"
      "%v = amdg.buffer_load %a[%r]" +
          mask + " : !tt.ptr<f32> -> tensor<1024xf32, #b>\namdg.buffer_store %v, %c[%r]" + mask +
          " : !tt.ptr<f32> -> tensor<1024xf32, #b>\ntt.return\n}");
}

TEST(Amd, BufferAccessesAreWideAndMasksMakeNoBranches) {
  AmdCode wide = codeOf(bufferCopy("hip:gfx942", 64, false));
  EXPECT_EQ(count(wide.assembly, "buffer_load_dwordx4"), 1u) << wide.problem << wide.assembly;
  EXPECT_EQ(count(wide.assembly, "buffer_store_dwordx4"), 1u);
  AmdCode masked = codeOf(bufferCopy("hip:gfx942", 64, true));
  EXPECT_EQ(count(masked.assembly, "buffer_load_dword"), 4u) << masked.problem << masked.assembly;
  EXPECT_EQ(count(masked.assembly, "s_cbranch"), 0u) << masked.assembly;
  // A load gives zeros where the mask excludes it, without being told.
  std::string text = bufferCopy("hip:gfx942", 64, true);
  std::string load = "%v = amdg.buffer_load %a[%r], %m";
  text.replace(text.find(load), load.size(),
               "%z = arith.constant dense<0.0> : tensor<1024xf32, #b>\n" + load + ", %z");
  AmdCode zeros = codeOf(text);
  EXPECT_EQ(count(zeros.assembly, "v_"), count(masked.assembly, "v_"))
      << zeros.problem << zeros.assembly;
  AmdCode rdna = codeOf(bufferCopy("hip:gfx1200", 32, false));
  EXPECT_EQ(count(rdna.assembly, "buffer_load_b128"), 2u) << rdna.problem << rdna.assembly;
}

TEST(Amd, CacheModifiersAreOnTheAccesses) {
  std::string text = bufferCopy("hip:gfx942", 64, false);
  std::string load = "%v = amdg.buffer_load %a[%r]";
  text.insert(text.find(load) + load.size(),
              " {cachePolicy = #tt.cache_policy<cache_modifier = cv, eviction_policy = "
              "evict_normal>}");
  AmdCode code = codeOf(text);
  EXPECT_TRUE(llvm::StringRef(code.assembly).contains("offen sc0 sc1"))
      << code.problem << code.assembly;
}

TEST(Amd, ArgumentsArePreloadedButOnGfx1250) {
  AmdCode old = codeOf(bufferCopy("hip:gfx942", 64, false));
  EXPECT_THAT(old.assembly, HasSubstr(".amdhsa_user_sgpr_kernarg_preload_length"));
  EXPECT_THAT(old.assembly, Not(HasSubstr("hidden_"))) << "arguments that nobody asked for";
  AmdCode young = codeOf(bufferCopy("hip:gfx1250", 32, false));
  EXPECT_THAT(young.assembly, HasSubstr(".amdhsa_user_sgpr_kernarg_preload_length 0"))
      << young.problem;
}

TEST(Amd, LaunchOptionsReachTheCode) {
  auto with = [](llvm::StringRef name, llvm::StringRef value, llvm::StringRef target) {
    chips::CodeOptions options;
    EXPECT_TRUE(chips::findCodeOption(name, chips::Vendor::Amd)->set(options, value)) << name.str();
    AmdCode code = codeOf(bufferCopy(target, target == "hip:gfx942" ? 64 : 32, false), options);
    EXPECT_EQ(code.problem, "");
    return code;
  };
  constexpr llvm::StringLiteral cdna = "hip:gfx942", rdna = "hip:gfx1200";
  EXPECT_THAT(with("allow_flush_denorm", "false", cdna).assembly,
              HasSubstr(".amdhsa_float_denorm_mode_32 3"));
  EXPECT_THAT(with("allow_flush_denorm", "true", cdna).assembly,
              HasSubstr(".amdhsa_float_denorm_mode_32 0"));
  EXPECT_THAT(with("wgp_cu_mode", "wgp", rdna).assembly,
              HasSubstr(".amdhsa_workgroup_processor_mode 1"));
  EXPECT_THAT(with("wgp_cu_mode", "cu", rdna).assembly,
              HasSubstr(".amdhsa_workgroup_processor_mode 0"));
  // So that no more than two waves run on a SIMD, the kernel takes a third of its 512 registers.
  EXPECT_THAT(with("waves_per_eu", "2", cdna).assembly, HasSubstr(".amdhsa_next_free_vgpr 169"));
  EXPECT_THAT(with("llvm_fn_attrs", "amdgpu-ieee=false", cdna).assembly,
              HasSubstr(".amdhsa_ieee_mode 0"));
}

TEST(Amd, MultiplicationAndAdditionAreFusedUnlessTheLaunchForbidsIt) {
  std::string ttgir = amdModule("hip:gfx942", 64, "", R"(
    tt.func public @k(%p: !tt.ptr<f32>, %a: f32, %b: f32) {
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %m, %a : f32
      tt.store %p, %s : !tt.ptr<f32>
      tt.return
    })");
  chips::CodeOptions apart;
  apart.fusesMultiplyAdd = false;
  AmdCode fused = codeOf(ttgir), unfused = codeOf(ttgir, apart);
  EXPECT_THAT(fused.assembly, AnyOf(HasSubstr("v_fma"), HasSubstr("v_fmac"))) << fused.problem;
  EXPECT_THAT(unfused.assembly, AllOf(HasSubstr("v_mul_f32"), HasSubstr("v_add_f32")))
      << unfused.problem;
}

TEST(Amd, EveryChipOfTheTableGivesACodeObject) {
  for (const chips::Chip& chip : chips::allChips()) {
    if (chip.vendor() != chips::Vendor::Amd || chip.processor.empty()) continue;
    AmdCode code = codeOf(bufferCopy(chip.target, chip.warpSize, true));
    ASSERT_TRUE(code.problem.empty()) << chip.target.str() << ": " << code.problem;
    EXPECT_GT(code.resources.vectorRegisters, 0u) << chip.target.str();
    EXPECT_GT(code.resources.scalarRegisters, 0u) << chip.target.str();
    EXPECT_EQ(code.resources.scratchBytes, 0u) << chip.target.str();
    auto hsaco = backend::amd::assemble(code.assembly, chip);
    ASSERT_TRUE(hsaco) << chip.target.str() << ": " << hsaco.error();
    constexpr size_t elfType = 16, elfMachine = 18;
    constexpr char sharedObject = 3;
    ASSERT_GT(hsaco->size(), 64u);
    EXPECT_EQ((*hsaco)[elfType], sharedObject);
    EXPECT_EQ(static_cast<unsigned char>((*hsaco)[elfMachine]), 224) << "AMD's number";
    auto text = backend::amd::disassemble(*hsaco, chip);
    ASSERT_TRUE(text) << text.error();
    EXPECT_THAT(*text, HasSubstr("k:\n"));
    EXPECT_THAT(*text, HasSubstr("s_endpgm"));
    EXPECT_THAT(*text, HasSubstr("buffer_load"));
  }
}

TEST(Amd, AnAssemblersMistakeIsItsMessage) {
  auto made = backend::amd::assemble("  not_an_instruction v0\n", *chips::findChip("hip:gfx942"));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error(), HasSubstr("invalid instruction"));
}

// A product of 64x64 with operands of `element`. All tiles of a warp are equal, so that LLVM keeps
// one of them.
std::string product(llvm::StringRef target, unsigned lanes, llvm::StringRef encoding,
                    unsigned kWidth, llvm::StringRef element) {
  std::string width = kWidth ? ", kWidth = " + std::to_string(kWidth) : "";
  std::string a = "tensor<64x64x" + element.str() + ", #ttg.dot_op<{opIdx = 0, parent = #m" +
                  width + "}>>",
              b = "tensor<64x64x" + element.str() + ", #ttg.dot_op<{opIdx = 1, parent = #m" +
                  width + "}>>";
  return amdModule(
      target, lanes, encoding,
      "tt.func public @k(%p: !tt.ptr<f32>, %x: " + element.str() + ") {\n%a = tt.splat %x : " +
          element.str() + " -> " + a + "\n%b = tt.splat %x : " + element.str() + " -> " + b +
          "\n%c = arith.constant dense<0.0> : tensor<64x64xf32, #m>\n%d = tt.dot %a, %b, "
          "%c : " +
          a + " * " + b +
          " -> tensor<64x64xf32, #m>\n"
          "%q = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #m>\n"
          "tt.store %q, %d : tensor<64x64x!tt.ptr<f32>, #m>\ntt.return\n}");
}

TEST(Amd, ProductsUseTheInstructionOfTheirLayout) {
  struct Row {
    const char *target, *encoding, *element, *instruction;
    unsigned lanes, kWidth, instructions;
  };
  const Row rows[] = {
      {"hip:gfx908",
       "#m = #ttg.amd_mfma<{version = 1, warpsPerCTA = [2, 2], instrShape = [16, 16, 16], "
       "isTransposed = true}>",
       "f16", "v_mfma_f32_16x16x16f16", 64, 4, 4},
      {"hip:gfx908",
       "#m = #ttg.amd_mfma<{version = 1, warpsPerCTA = [2, 2], instrShape = [32, 32, 4], "
       "isTransposed = true}>",
       "bf16", "v_mfma_f32_32x32x4bf16", 64, 2, 16},
      {"hip:gfx90a",
       "#m = #ttg.amd_mfma<{version = 2, warpsPerCTA = [2, 2], instrShape = [16, 16, 8], "
       "isTransposed = true}>",
       "bf16", "v_mfma_f32_16x16x8bf16", 64, 2, 8},
      {"hip:gfx90a",
       "#m = #ttg.amd_mfma<{version = 2, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], "
       "isTransposed = true}>",
       "bf16", "v_mfma_f32_32x32x8bf16_1k", 64, 4, 8},
      {"hip:gfx942",
       "#m = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], "
       "isTransposed = false}>",
       "f16", "v_mfma_f32_32x32x8_f16", 64, 4, 8},
      {"hip:gfx942",
       "#m = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, 16, 16], "
       "isTransposed = true}>",
       "bf16", "v_mfma_f32_16x16x16_bf16", 64, 4, 4},
      {"hip:gfx950",
       "#m = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [16, 16, 32], "
       "isTransposed = true}>",
       "f16", "v_mfma_f32_16x16x32_f16", 64, 8, 2},
      {"hip:gfx1100",
       "#m = #ttg.amd_wmma<{version = 1, ctaLayout = {warp = [[0, 1], [1, 0]]}, isTranspose = "
       "true}>",
       "f16", "v_wmma_f32_16x16x16_f16", 32, 16, 4},
      {"hip:gfx1200",
       "#m = #ttg.amd_wmma<{version = 2, ctaLayout = {warp = [[0, 1], [1, 0]]}, isTranspose = "
       "true}>",
       "f16", "v_wmma_f32_16x16x16_f16", 32, 8, 4},
      // Twice as long along K as the operands.
      {"hip:gfx1250",
       "#m = #ttg.amd_wmma<{version = 3, ctaLayout = {warp = [[0, 1], [1, 0]]}, isTranspose = "
       "true, instrShape = [16, 16, 128]}>",
       "f8E5M2", "v_wmma_f32_16x16x128_bf8_bf8", 32, 8, 1},
  };
  for (const Row& row : rows) {
    AmdCode code = codeOf(product(row.target, row.lanes, row.encoding, row.kWidth, row.element));
    ASSERT_TRUE(code.problem.empty()) << row.target << ": " << code.problem;
    EXPECT_EQ(count(code.assembly, row.instruction), row.instructions)
        << row.target << code.assembly;
  }
}

// In Triton's words, as a mistake of the kernel.
TEST(Amd, AShapeThatTheTypeLacksIsRefused) {
  struct Row {
    const char *target, *version, *shape, *element, *name;
  };
  const Row rows[] = {{"hip:gfx908", "1", "16, 16, 16", "bf16", "bf16"},
                      {"hip:gfx90a", "2", "16, 16, 32", "f8E5M2FNUZ", "f8E5M2FNUZ"},
                      {"hip:gfx942", "3", "16, 16, 32", "f16", "f16"},
                      {"hip:gfx950", "4", "16, 16, 64", "f8E4M3FN", "f8E4M3FN"},
                      {"hip:gfx950", "4", "16, 16, 128", "f8E5M2", "f8E5M2"},
                      {"hip:gfx950", "4", "32, 32, 64", "bf16", "bf16"},
                      {"hip:gfx950", "3", "16, 16, 32", "f8E4M3FN", "f8E4M3FN"},
                      {"hip:gfx942", "4", "16, 16, 32", "f8E5M2FNUZ", "f8E5M2FNUZ"}};
  for (const Row& row : rows) {
    std::string encoding = "#m = #ttg.amd_mfma<{version = " + std::string(row.version) +
                           ", warpsPerCTA = [2, 2], instrShape = [" + row.shape +
                           "], isTransposed = true}>";
    AmdCode code = codeOf(product(row.target, 64, encoding, 8, row.element));
    EXPECT_THAT(code.problem,
                HasSubstr("no matching matrix core intrinsic for mfma version " +
                          std::string(row.version) + " with instruction shape [" + row.shape +
                          "] and element types A='" + row.name + "', B='" + row.name + "'."));
    EXPECT_TRUE(code.isRefused) << row.target << ": " << row.shape;
  }
  AmdCode wmma = codeOf(product(
      "hip:gfx1250", 32,
      "#m = #ttg.amd_wmma<{version = 3, ctaLayout = {warp = [[0, 1], [1, 0]]}, isTranspose = "
      "true, instrShape = [16, 16, 64]}>",
      8, "f16"));
  EXPECT_THAT(wmma.problem, HasSubstr("no matching matrix core intrinsic for wmma version 3 with "
                                      "instruction shape [16, 16, 64]"));
  EXPECT_TRUE(wmma.isRefused);
}

// 64 elements of a thread, 256 apart: what differs by a constant needs no address of its own.
TEST(Amd, ConstantOffsetsArePartOfTheInstruction) {
  for (const char* target : {"hip:gfx942", "hip:gfx1200"}) {
    unsigned lanes = chips::findChip(target)->warpSize, threads = lanes * 4;
    std::string type = "tensor<" + std::to_string(threads * 64) + "x";
    AmdCode code = codeOf(amdModule(
        target, lanes,
        "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [" + std::to_string(lanes) +
            "], warpsPerCTA = [4], order = [0]}>",
        "tt.func public @k(%a: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i32) {\n"
        "%p = tt.get_program_id x : i32\n%size = arith.constant " +
            std::to_string(threads * 64) +
            " : i32\n%first = arith.muli %p, %size : i32\n"
            "%r = tt.make_range {end = " +
            std::to_string(threads * 64) + " : i32, start = 0 : i32} : " + type +
            "i32, #b>\n"
            "%f = tt.splat %first : i32 -> " +
            type + "i32, #b>\n%i = arith.addi %f, %r : " + type +
            "i32, #b>\n%as = tt.splat %a : "
            "!tt.ptr<f32> -> " +
            type + "!tt.ptr<f32>, #b>\n%ap = tt.addptr %as, %i : " + type + "!tt.ptr<f32>, #b>, " +
            type + "i32, #b>\n%v = tt.load %ap : " + type +
            "!tt.ptr<f32>, #b>\n%cs = tt.splat %c : !tt.ptr<f32> -> " + type +
            "!tt.ptr<f32>, #b>\n%cp = tt.addptr %cs, %i : " + type + "!tt.ptr<f32>, #b>, " + type +
            "i32, #b>\ntt.store %cp, %v : " + type + "!tt.ptr<f32>, #b>\ntt.return\n}"));
    EXPECT_EQ(count(code.assembly, "global_load"), 64u) << code.problem;
    EXPECT_EQ(count(code.assembly, "v_lshlrev_b64"), 1u) << code.assembly;
    EXPECT_LT(count(code.assembly, "v_"), 110u) << target << code.assembly;
    EXPECT_LE(code.resources.vectorRegisters, 100u) << target;
  }
}

// A tile of 16 floats for each thread, of which rows and columns differ by constants: one address.
TEST(Amd, ConstantOffsetsOfRowsAndColumnsArePartOfTheInstruction) {
  const std::string rows = "#ttg.slice<{dim = 1, parent = #b}>",
                    columns = "#ttg.slice<{dim = 0, parent = #b}>";
  AmdCode code = codeOf(amdModule(
      "hip:gfx942", 64,
      "#b = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 4], warpsPerCTA = [1, 4], "
      "order = [0, 1]}>",
      "tt.func public @k(%c: !tt.ptr<f32>) {\n%r = tt.make_range {end = 64 : i32, start = 0 : i32} "
      ": "
      "tensor<64xi32, " +
          rows + ">\n%n = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, " +
          columns + ">\n%re = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, " + rows +
          "> -> tensor<64x1xi32, #b>\n%ne = tt.expand_dims %n {axis = 0 : i32} : tensor<64xi32, " +
          columns +
          "> -> tensor<1x64xi32, #b>\n%width = arith.constant dense<64> : tensor<64x1xi32, #b>\n"
          "%rw = arith.muli %re, %width : tensor<64x1xi32, #b>\n%rb = tt.broadcast %rw : "
          "tensor<64x1xi32, #b> -> tensor<64x64xi32, #b>\n%nb = tt.broadcast %ne : "
          "tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>\n%i = arith.addi %rb, %nb : "
          "tensor<64x64xi32, #b>\n%cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, "
          "#b>\n%cp = tt.addptr %cs, %i : tensor<64x64x!tt.ptr<f32>, #b>, tensor<64x64xi32, #b>\n"
          "%v = arith.constant dense<1.0> : tensor<64x64xf32, #b>\ntt.store %cp, %v : "
          "tensor<64x64x!tt.ptr<f32>, #b>\ntt.return\n}"));
  EXPECT_EQ(count(code.assembly, "global_store_dword"), 16u) << code.problem;
  EXPECT_LE(count(code.assembly, "v_"), 6u) << code.assembly;
}

// A row of floats for each of four warps, of which a thread has `groups` times `run` in a row.
AmdCode rowsOfWarps(llvm::StringRef target, unsigned run, unsigned groups) {
  const std::string rows = "#ttg.slice<{dim = 1, parent = #b}>",
                    columns = "#ttg.slice<{dim = 0, parent = #b}>";
  unsigned lanes = chips::findChip(target)->warpSize;
  std::string width = std::to_string(lanes * run * groups), tile = "tensor<4x" + width + "x";
  return codeOf(amdModule(
      target, lanes,
      "#b = #ttg.blocked<{sizePerThread = [1, " + std::to_string(run) + "], threadsPerWarp = [1, " +
          std::to_string(lanes) + "], warpsPerCTA = [4, 1], order = [1, 0]}>",
      "tt.func public @k(%c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %width: i32 "
      "{tt.divisibility = 16 : i32}) {\n"
      "%r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, " +
          rows + ">\n%n = tt.make_range {end = " + width + " : i32, start = 0 : i32} : tensor<" +
          width + "xi32, " + columns +
          ">\n%re = tt.expand_dims %r {axis = 1 : i32} : tensor<4xi32, " + rows +
          "> -> tensor<4x1xi32, #b>\n%ne = tt.expand_dims %n {axis = 0 : i32} : tensor<" + width +
          "xi32, " + columns + "> -> tensor<1x" + width +
          "xi32, #b>\n%ws = tt.splat %width : i32 -> tensor<4x1xi32, #b>\n"
          "%rw = arith.muli %re, %ws : tensor<4x1xi32, #b>\n%rb = tt.broadcast %rw : "
          "tensor<4x1xi32, #b> -> " +
          tile + "i32, #b>\n%nb = tt.broadcast %ne : tensor<1x" + width + "xi32, #b> -> " + tile +
          "i32, #b>\n%i = arith.addi %rb, %nb : " + tile +
          "i32, #b>\n%cs = tt.splat %c : !tt.ptr<f32> -> " + tile +
          "!tt.ptr<f32>, #b>\n%cp = tt.addptr %cs, %i : " + tile + "!tt.ptr<f32>, #b>, " + tile +
          "i32, #b>\n%v = arith.constant dense<1.0> : " + tile +
          "f32, #b>\ntt.store %cp, %v : " + tile + "!tt.ptr<f32>, #b>\ntt.return\n}"));
}

// The scalar unit finds the row, by a lane's number of the thread or, from gfx12 on, by the
// register that has the warp's.
TEST(Amd, RowsOfWarpsAreScalar) {
  for (auto [target, source] : {std::pair("hip:gfx942", "v_readfirstlane"),
                                {"hip:gfx1100", "v_readfirstlane"},
                                {"hip:gfx1201", "ttmp8"},
                                {"hip:gfx1250", "ttmp8"}}) {
    AmdCode code = rowsOfWarps(target, 1, 1);
    EXPECT_THAT(code.assembly, HasSubstr(source)) << target << code.problem;
    EXPECT_EQ(count(code.assembly, "v_lshrrev_b32"), 0u) << target << code.assembly;
  }
}

// Each of a thread's four copies has a place of its own in one of two buffers.
TEST(Amd, PlacesOfCopiesAreScalar) {
  const std::string columns = "tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>",
                    buffer = "128x64xf16, #s, #smem, mutable>";
  for (const char* swizzle :
       {"vec = 1, perPhase = 1, maxPhase = 1", "vec = 8, perPhase = 1, maxPhase = 8"}) {
    AmdCode code = codeOf(amdModule(
        "hip:gfx950", 64,
        "#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], "
        "order = [1, 0]}>\n#s = #ttg.swizzled_shared<{" +
            std::string(swizzle) + ", order = [1, 0]}>\n#smem = #ttg.shared_memory",
        "tt.func public @k(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %i: i32) {\n"
        "%c = tt.make_range {end = 64 : i32, start = 0 : i32} : " +
            columns + "\n%c1 = tt.expand_dims %c {axis = 0 : i32} : " + columns +
            " -> tensor<1x64xi32, #b>\n"
            "%at = tt.broadcast %c1 : tensor<1x64xi32, #b> -> tensor<128x64xi32, #b>\n"
            "%ms = ttg.local_alloc : () -> !ttg.memdesc<2x" +
            buffer + "\n%m = ttg.memdesc_index %ms[%i] : !ttg.memdesc<2x" + buffer +
            " -> !ttg.memdesc<" + buffer +
            "\n%t = amdg.buffer_load_to_local %a[%at] into %m {contiguity = 8 : i32} : "
            "!tt.ptr<f16>[tensor<128x64xi32, #b>] -> <" +
            buffer + "\ntt.return\n}"));
    EXPECT_EQ(count(code.assembly, "buffer_load_dwordx4"), 4u) << code.problem << code.assembly;
    EXPECT_LE(count(code.assembly, "v_readfirstlane"), 1u) << code.assembly;
  }
}

// The rows of a thread lie at four swizzled addresses; two rows at each of them are one
// instruction.
TEST(Amd, StoresAtOneAddressArePairs) {
  const std::string buffer = "!ttg.memdesc<64x32xf32, #s, #smem, mutable>";
  AmdCode code = codeOf(amdModule(
      "hip:gfx942", 64,
      "#b = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [2, 32], warpsPerCTA = [4, 1], "
      "order = [1, 0]}>\n#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = "
      "[1, 0]}>\n#smem = #ttg.shared_memory",
      "tt.func public @k(%x: f32) {\n%v = tt.splat %x : f32 -> tensor<64x32xf32, #b>\n"
      "%m = ttg.local_alloc : () -> " +
          buffer + "\nttg.local_store %v, %m : tensor<64x32xf32, #b> -> " + buffer +
          "\ntt.return\n}"));
  EXPECT_EQ(count(code.assembly, "ds_write2"), 4u) << code.problem << code.assembly;
  EXPECT_EQ(count(code.assembly, "ds_write_"), 0u) << code.assembly;
}

// Of four parts of a row, the last one has no address of its own either.
TEST(Amd, PartsOfARowShareAnAddress) {
  for (const char* target : {"hip:gfx942", "hip:gfx1100", "hip:gfx1201", "hip:gfx1250"}) {
    AmdCode code = rowsOfWarps(target, 4, 4);
    EXPECT_THAT(code.assembly, HasSubstr("global_store")) << target << code.problem;
    EXPECT_EQ(count(code.assembly, "v_or_b32"), 0u) << target << code.assembly;
  }
}

// A block of 32x64 halves by a descriptor, to shared memory with padding after each row.
std::string blockCopy(llvm::StringRef target, unsigned lanes) {
  return amdModule(
      target, lanes,
      "#s = #ttg.padded_shared<[64:+4] {order = [1, 0], shape = [32, 64]}>\n"
      "#smem = #ttg.shared_memory",
      "tt.func public @k(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %n: i32) {\n"
      "%one = arith.constant 1 : i64\n%stride = arith.extsi %n : i32 to i64\n"
      "%d = tt.make_tensor_descriptor %p, [%m, %n], [%stride, %one] : <f16>, <32x64xf16, #s>\n"
      "%b = ttg.local_alloc : () -> !ttg.memdesc<32x64xf16, #s, #smem, mutable>\n"
      "%t = amdg.async_tdm_copy_global_to_local %d into %b : !tt.tensordesc<32x64xf16, #s> -> "
      "!ttg.memdesc<32x64xf16, #s, #smem, mutable>\n"
      "%w = amdg.async_tdm_wait {num = 0 : i32}\ntt.return\n}");
}

TEST(Amd, ADescriptorsCopyIsOneInstructionOfAWarp) {
  AmdCode code = codeOf(blockCopy("hip:gfx1250", 32));
  EXPECT_EQ(count(code.assembly, "tensor_load_to_lds"), 1u) << code.problem << code.assembly;
  EXPECT_EQ(count(code.assembly, "s_wait_tensorcnt"), 1u) << code.assembly;
  // Two bytes, padding of two words behind 32.
  EXPECT_THAT(code.assembly, HasSubstr("0x3110000"));
  AmdCode older = codeOf(blockCopy("hip:gfx950", 64));
  EXPECT_THAT(older.problem, HasSubstr("tensor descriptors need gfx1250"));
}

// Halves that a thread has alone: no instruction copies two bytes.
TEST(Amd, TwoBytesLeaveSharedMemoryOneByOne) {
  AmdCode code = codeOf(amdModule(
      "hip:gfx1250", 32,
      "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
      "[0]}>\n#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>\n"
      "#smem = #ttg.shared_memory",
      "tt.func public @k(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {\n"
      "%v = arith.constant dense<1.0> : tensor<128xf16, #b>\n"
      "%m = ttg.local_alloc %v : (tensor<128xf16, #b>) -> !ttg.memdesc<128xf16, #s, #smem, "
      "mutable>\n"
      "%i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>\n"
      "%ps = tt.splat %p : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #b>\n"
      "%at = tt.addptr %ps, %i : tensor<128x!tt.ptr<f16>, #b>, tensor<128xi32, #b>\n"
      "%c = amdg.async_copy_local_to_global %m, %at : !ttg.memdesc<128xf16, #s, #smem, mutable> -> "
      "tensor<128x!tt.ptr<f16>, #b>\n%g = ttg.async_commit_group\n"
      "%w = ttg.async_wait {num = 0 : i32}\ntt.return\n}"));
  EXPECT_EQ(count(code.assembly, "global_store_async_from_lds_b8"), 2u) << code.problem;
}

TEST(Amd, WhatIsNotCompiledIsNamed) {
  AmdCode code = codeOf(amdModule("hip:gfx950", 64, amdBlocked(64),
                                  "tt.func public @k() {\n"
                                  "ttng.fence_async_shared {bCluster = false}\ntt.return\n}"));
  EXPECT_EQ(code.problem, "gluond cannot compile `ttng.fence_async_shared` for this target yet");
}

// Rows and halves of a warp change places without the LDS.
TEST(Amd, ConversionsSwapLanesOnCdna4) {
  auto converted = [](llvm::StringRef target) {
    return codeOf(amdModule(
        target, 64,
        "#b = #ttg.linear<{register = [[1], [2], [16]], lane = [[32], [64], [128], [256], [4], "
        "[8]], warp = [[512], [1024]], block = []}>\n"
        "#o = #ttg.linear<{register = [[1], [2], [4]], lane = [[32], [64], [128], [256], [8], "
        "[16]], warp = [[512], [1024]], block = []}>\n",
        "tt.func public @k(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {\n"
        "%r = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #b>\n"
        "%x = arith.sitofp %r : tensor<2048xi32, #b> to tensor<2048xf16, #b>\n"
        "%y = ttg.convert_layout %x : tensor<2048xf16, #b> -> tensor<2048xf16, #o>\n"
        "%q = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #o>\n"
        "%s = tt.splat %a : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>, #o>\n"
        "%p = tt.addptr %s, %q : tensor<2048x!tt.ptr<f16>, #o>, tensor<2048xi32, #o>\n"
        "tt.store %p, %y : tensor<2048x!tt.ptr<f16>, #o>\ntt.return\n}"));
  };
  AmdCode swapped = converted("hip:gfx950"), shuffled = converted("hip:gfx942");
  EXPECT_EQ(count(swapped.assembly, "v_permlane16_swap"), 2u) << swapped.problem;
  EXPECT_EQ(count(swapped.assembly, "v_permlane32_swap"), 2u) << swapped.assembly;
  EXPECT_EQ(count(swapped.assembly, "ds_"), 0u) << swapped.assembly;
  EXPECT_GT(count(shuffled.assembly, "ds_"), 0u) << shuffled.problem << shuffled.assembly;
}

// A thread's atomic accesses are ordered together: caches are written back and dropped once.
TEST(Amd, AtomicAccessesAreOrderedTogether) {
  auto sums = [](llvm::StringRef target, unsigned lanes, llvm::StringRef order) {
    return codeOf(amdModule(target, lanes, amdBlocked(lanes),
                            ("tt.func public @k(%a: !tt.ptr<i32> {tt.divisibility = 16 : i32}) {\n"
                             "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : "
                             "tensor<1024xi32, #b>\n"
                             "%s = tt.splat %a : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>, #b>\n"
                             "%p = tt.addptr %s, %r : tensor<1024x!tt.ptr<i32>, #b>, "
                             "tensor<1024xi32, #b>\n"
                             "%m = arith.constant dense<true> : tensor<1024xi1, #b>\n"
                             "%o = tt.atomic_rmw add, " +
                             order +
                             ", gpu, %p, %r, %m : (tensor<1024x!tt.ptr<i32>, #b>, "
                             "tensor<1024xi32, #b>, tensor<1024xi1, #b>) -> tensor<1024xi32, #b>\n"
                             "tt.return\n}")
                                .str()));
  };
  AmdCode both = sums("hip:gfx1250", 32, "acq_rel"), none = sums("hip:gfx1250", 32, "relaxed");
  EXPECT_GE(count(both.assembly, "global_atomic_add_u32"), 4u) << both.problem;
  EXPECT_EQ(count(both.assembly, "global_wb"), 1u) << both.assembly;
  EXPECT_EQ(count(both.assembly, "global_inv"), 1u) << both.assembly;
  EXPECT_EQ(count(none.assembly, "global_wb"), 0u) << none.assembly;
  AmdCode older = sums("hip:gfx942", 64, "acq_rel");
  EXPECT_EQ(count(older.assembly, "buffer_wbl2"), 1u) << older.problem << older.assembly;
  EXPECT_EQ(count(older.assembly, "buffer_inv"), 1u) << older.assembly;
}

TEST(Amd, SomeOfTheWarpsMeet) {
  AmdCode code = codeOf(amdModule("hip:gfx950", 64, amdBlocked(64),
                                  "tt.func public @k(%n: i32) {\n%z = arith.constant 0 : i32\n"
                                  "%c = arith.cmpi sgt, %n, %z : i32\n"
                                  "amdg.cond_barrier %c\ntt.return\n}"));
  EXPECT_EQ(count(code.assembly, "s_barrier"), 1u) << code.problem << code.assembly;
  EXPECT_EQ(count(code.assembly, "s_cbranch"), 1u) << code.assembly;
}

// Every recorded kernel for AMD becomes a code object, or gluond says what it lacks.
TEST(Amd, OwnGoldens) {
  unsigned done = 0;
  for (const std::string& path : ttgirUnder(GLUOND_SOURCE_DIR "/tests/data")) {
    std::string text = readText(path);
    if (!llvm::StringRef(text).contains("ttg.target = \"hip:")) continue;
    AmdCode code = codeOf(text);
    // Groups of warps on gfx942, whose barriers are for all warps.
    if (llvm::StringRef(path).ends_with("passes/ir/warp-groups.ttgir")) continue;
    if (llvm::StringRef(code.problem).contains("device library")) continue;
    EXPECT_TRUE(code.problem.empty()) << path << ": " << code.problem;
    if (code.assembly.empty()) continue;
    auto hsaco = backend::amd::assemble(code.assembly, *code.chip);
    EXPECT_TRUE(hsaco) << path << ": " << hsaco.error();
    ++done;
  }
  EXPECT_GE(done, 40u);
}

} // namespace
} // namespace gluond::test
