// The lens and the hover line: what a kernel takes of its chip, what an access costs.
#include "driver/analysis/Worker.h"
#include "lsp/features/annotations/Hover.h"
#include "lsp/features/facts/BudgetText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::lsp {
namespace {

using testing::HasSubstr;

constexpr llvm::StringLiteral program = R"py(from triton.experimental import gluon
from triton.experimental.gluon import language as gl

# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def copy(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    offs = gl.arange(0, 1024, layout)
    smem = gl.allocate_shared_memory(gl.float32, [1024], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    smem.store(gl.load(src + offs))
    gl.store(dst + offs, smem.load(layout))
)py";

struct Opened {
  Opened() : workspace(driver::Settings{}) {
    workspace.open("/p.py", 1, program.str());
    snapshot = workspace.snapshot();
    file = snapshot->file("/p.py");
  }
  std::string hover(llvm::StringRef at) {
    auto offset = static_cast<text::Offset>(program.find(at));
    NameResolver resolver(*snapshot, worker, {});
    const IndexedFile* indexed = resolver.indexed(file);
    auto info = indexed ? hoverAt(resolver, *indexed, offset, false) : std::nullopt;
    return info ? info->markdown : "";
  }
  driver::Workspace workspace;
  std::shared_ptr<const driver::Snapshot> snapshot;
  std::shared_ptr<const driver::File> file;
  driver::Worker worker;
};

TEST(Budget, SaysWhatTheChipHas) {
  lints::Budget budget;
  budget.chip = chips::findChip("cuda:100");
  budget.sharedBytes = 100 * 1024 + 512;
  budget.tensorColumns = 256;
  budget.registers = 168;
  budget.registerLimit = 255;
  budget.programs = 2;
  budget.limitedBy = "tensor memory";
  EXPECT_EQ(budgetText({budget, std::nullopt}),
            "smem 100 KB of 227 KB, TMEM 256 of 512 columns, ~168 of 255 registers, "
            "2 programs per SM (tensor memory)");
  budget.chip = nullptr;
  EXPECT_EQ(budgetText({budget, std::nullopt}), "");
}

TEST(Budget, SaysWhatMachineCodeNeeds) {
  driver::Assembled code;
  code.registers = 174, code.accumulatorRegisters = 64, code.scalarRegisters = 40;
  code.wavesPerUnit = 2;
  EXPECT_EQ(codeText(code, "hip:gfx942"),
            "174 VGPRs (64 of them AGPRs), 40 SGPRs, 2 waves per SIMD (3 with 168 VGPRs)");
  // Too many for the next step to be near.
  code.registers = 256, code.accumulatorRegisters = 0, code.spillBytes = 8, code.stackBytes = 16;
  EXPECT_EQ(codeText(code, "hip:gfx942"),
            "256 VGPRs, 40 SGPRs, 8 bytes of spilled registers, 16 bytes of scratch, "
            "2 waves per SIMD");
  code = {.registers = 97, .scalarRegisters = 1, .wavesPerUnit = 12};
  EXPECT_EQ(codeText(code, "hip:gfx1201"),
            "97 VGPRs, 1 SGPR, 12 waves per SIMD (16 with 96 VGPRs)");
  code = {.registers = 96, .scalarRegisters = 1, .wavesPerUnit = 16};
  EXPECT_EQ(codeText(code, "hip:gfx1201"), "96 VGPRs, 1 SGPR, 16 waves per SIMD");
  code = {.registers = 112, .stackBytes = 1};
  EXPECT_EQ(codeText(code, "cuda:90"), "112 registers, 1 byte of stack");
}

// What fits follows from the registers of the code, not from the estimate.
TEST(Budget, RegistersOfMachineCodeReplaceTheEstimate) {
  lints::Budget budget;
  budget.chip = chips::findChip("hip:gfx942");
  budget.sharedBytes = 16 * 1024;
  budget.registers = 100;
  budget.registerLimit = 512;
  EXPECT_THAT(budgetText(kernelBudget(budget, std::nullopt)), HasSubstr("~100 of 512 registers"));
  driver::Assembled code{.registers = 174, .scalarRegisters = 40, .wavesPerUnit = 2};
  EXPECT_EQ(budgetText(kernelBudget(budget, code)),
            "LDS 16 KB of 64 KB, 174 VGPRs, 40 SGPRs, 2 waves per SIMD (3 with 168 VGPRs), "
            "2 programs per CU (registers)");
}

TEST(Budget, LensOfAKernel) {
  Opened opened;
  auto kernels = driver::kernelsOf(*opened.snapshot, opened.file, {});
  ASSERT_TRUE(kernels);
  std::string text = budgetOf(kernels->kernels.front(), *opened.snapshot, opened.worker, {});
  EXPECT_THAT(text, HasSubstr("smem 4 KB of 227 KB"));
  EXPECT_THAT(text, HasSubstr("programs per SM"));
}

TEST(Budget, LensOfACompiledKernel) {
  Opened opened;
  std::string amd = program.str();
  amd.replace(amd.find(")\n@gluon"), 1, ", target=\"hip:gfx1201\")");
  opened.workspace.open("/q.py", 1, amd);
  opened.snapshot = opened.workspace.snapshot();
  opened.file = opened.snapshot->file("/q.py");
  auto kernels = driver::kernelsOf(*opened.snapshot, opened.file, {});
  ASSERT_TRUE(kernels);
  const driver::Kernel& kernel = kernels->kernels.front();
  EXPECT_THAT(budgetOf(kernel, *opened.snapshot, opened.worker, {}), HasSubstr(" registers"));
  driver::Analyzer analyzer(*opened.snapshot, opened.worker, {});
  EXPECT_FALSE(analyzer.codeAtHand(kernel.variants.front()));
  auto made = analyzer.stage(kernel.variants.front(), "amdgcn");
  ASSERT_TRUE(made);
  ASSERT_TRUE(made->assembled) << made->unsupported;
  EXPECT_TRUE(analyzer.codeAtHand(kernel.variants.front()));
  EXPECT_THAT(budgetOf(kernel, *opened.snapshot, opened.worker, {}), HasSubstr(" VGPRs, "));
}

TEST(Budget, HoverSaysWhatAnAccessCosts) {
  Opened opened;
  EXPECT_THAT(opened.hover("load(src"),
              HasSubstr("16 bytes per lane, 16 sectors per warp instruction (16 at least)"));
  EXPECT_THAT(opened.hover("store(gl.load"), HasSubstr("no bank conflicts"));
  EXPECT_THAT(opened.hover("arange"), testing::Not(HasSubstr("sectors")));
}

} // namespace
} // namespace gluond::lsp
