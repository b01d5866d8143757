// The tables of passes, what is told after each, and how failures are told.
#include "passes/Pipeline.h"

#include "ir/Context.h"
#include "support/Allowance.h"

#include <llvm/Support/MemoryBuffer.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/Parser/Parser.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(chips::Vendor vendor) {
  std::vector<std::string> result;
  for (const passes::Pass& pass : passes::gluonToTtgir(vendor))
    result.push_back(pass.name.str());
  return result;
}

TEST(Pipeline, Tables) {
  EXPECT_THAT(names(chips::Vendor::Nvidia),
              ElementsAre("gluon-inline", "gluon-infer-coalesced-encodings",
                          "gluon-resolve-auto-encodings", "triton-nvidia-tma-lowering",
                          "gluon-canonicalize", "sccp", "triton-loop-aware-cse",
                          "gluon-canonicalize", "tritongpu-combine-tensor-select-and-if",
                          "symbol-dce", "triton-nvidia-check-matmul-two-cta"));
  EXPECT_THAT(names(chips::Vendor::Amd),
              ElementsAre("gluon-inline", "gluon-infer-coalesced-encodings",
                          "gluon-resolve-auto-encodings", "sccp", "triton-loop-aware-cse",
                          "gluon-canonicalize", "triton-loop-unroll",
                          "tritongpu-combine-tensor-select-and-if", "tritonamdgpu-warp-pipeline",
                          "tritongpu-allocate-warp-groups"));
}

class Run : public testing::Test {
protected:
  std::unique_ptr<mlir::MLIRContext> context = ir::createContext();
  passes::PassResources resources{*context};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<std::string> seen;

  passes::Result run(llvm::StringRef text, chips::Vendor vendor = chips::Vendor::Nvidia) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
    EXPECT_TRUE(module);
    return passes::runPasses(
        *module, passes::gluonToTtgir(vendor), resources,
        [&](const passes::Pass& pass, mlir::ModuleOp) { seen.push_back(pass.name.str()); });
  }
  passes::Result runGolden(const std::string& name, chips::Vendor vendor) {
    auto buffer = llvm::MemoryBuffer::getFile(
        GLUOND_SOURCE_DIR "/tests/data/passes/kernels/golden/" + name + ".source");
    EXPECT_TRUE(buffer) << name;
    return run((*buffer)->getBuffer(), vendor);
  }
};

TEST_F(Run, TellsAfterEachPass) {
  ASSERT_TRUE(run("module { tt.func public @k() { tt.return } }"));
  EXPECT_EQ(seen, names(chips::Vendor::Nvidia));
}

TEST_F(Run, ConflictNamesBothEncodings) {
  auto result = runGolden("layouts.auto_conflict.cuda90.0", chips::Vendor::Nvidia);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, passes::FailureKind::LayoutConflict);
  EXPECT_EQ(result.error().pass, "gluon-resolve-auto-encodings");
  EXPECT_THAT(result.error().message, HasSubstr("found conflicting encodings for value:"));
  ASSERT_TRUE(result.error().first && result.error().second);
  EXPECT_NE(result.error().first, result.error().second);
  EXPECT_THAT(seen, ElementsAre("gluon-inline", "gluon-infer-coalesced-encodings"));
}

TEST_F(Run, CoalescedConflict) {
  auto result = runGolden("layouts.coalesced_copy.cuda90.1", chips::Vendor::Nvidia);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, passes::FailureKind::LayoutConflict);
  EXPECT_EQ(result.error().pass, "gluon-infer-coalesced-encodings");
}

TEST_F(Run, UndeterminedLayout) {
  auto result = runGolden("layouts.auto_undetermined.cuda90.0", chips::Vendor::Nvidia);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, passes::FailureKind::LayoutUndetermined);
}

TEST_F(Run, OneStageIsNoPipeline) {
  auto result = runGolden("pipelines.one_stage.hipgfx942.0", chips::Vendor::Amd);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, passes::FailureKind::WarpPipeline);
  EXPECT_THAT(result.error().message, HasSubstr("at least two borders"));
}

TEST_F(Run, LayoutAcrossCall) {
  auto result = run(R"(module attributes {"ttg.num-warps" = 4 : i32} {
    tt.func private @f(%x: tensor<128xi32, #gluon.auto_encoding>) attributes {noinline = true} { tt.return }
    tt.func public @k() {
      %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #gluon.auto_encoding>
      tt.call @f(%0) : (tensor<128xi32, #gluon.auto_encoding>) -> ()
      tt.return
    }
  })");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, passes::FailureKind::LayoutAcrossCall);
}

// Functions that call themselves or each other end inlining and the analyses of calls, although
// ir::parseModule takes none: codegen's modules do not come from there.
TEST_F(Run, Recursion) {
  EXPECT_TRUE(run(R"(module attributes {"ttg.num-warps" = 4 : i32} {
    tt.func private @f(%x: i32) { tt.call @g(%x) : (i32) -> () tt.return }
    tt.func private @g(%x: i32) { tt.call @f(%x) : (i32) -> () tt.return }
    tt.func private @h(%x: i32) { tt.call @h(%x) : (i32) -> () tt.return }
    tt.func public @k(%x: i32) {
      tt.call @f(%x) : (i32) -> ()
      tt.call @h(%x) : (i32) -> ()
      tt.return
    }
  })"));
}

// Each function calls the next one twice: inlining all would take 2^40 copies.
TEST_F(Run, StopsWhenTheAllowanceIsSpent) {
  std::string text = "module attributes {\"ttg.num-warps\" = 4 : i32} {\n";
  for (int i = 0; i < 40; ++i) {
    std::string callee = i < 39 ? "@f" + std::to_string(i + 1) : "@last";
    text += "tt.func " + std::string(i ? "private" : "public") + " @f" + std::to_string(i) +
            "(%p: !tt.ptr<i32>, %x: i32) {\n";
    for (int time = 0; time < 2; ++time)
      text += "tt.call " + callee + "(%p, %x) : (!tt.ptr<i32>, i32) -> ()\n";
    text += "tt.return }\n";
  }
  text += "tt.func private @last(%p: !tt.ptr<i32>, %x: i32) { tt.store %p, %x : !tt.ptr<i32> "
          "tt.return }\n}";
  Allowance allowance({.cpu = std::chrono::milliseconds(50)});
  Spending spending(&allowance);
  auto result = run(text);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, passes::FailureKind::Cancelled);
}

} // namespace
} // namespace gluond
