// The rows of stages: what must hold of every toolchain's, of those to come too.
#include "driver/stages/Stages.h"

#include "codegen/targets/Options.h"
#include "driver/stages/Compile.h"
#include "ir/Context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

class StagesTest : public testing::TestWithParam<const char*> {
protected:
  chips::Target target() const { return *chips::Target::parse(GetParam()); }
};

TEST_P(StagesTest, everyStageIsMadeOfAnEarlierOneInOneWay) {
  llvm::ArrayRef<Stage> stages = stagesOf(target());
  ASSERT_FALSE(stages.empty());
  for (const auto& [i, stage] : llvm::enumerate(stages)) {
    EXPECT_FALSE(stage.title.empty()) << stage.id.str();
    EXPECT_FALSE(stage.language.empty()) << stage.id.str();
    EXPECT_EQ(findStage(target(), stage.id), &stage) << stage.id.str() << " is there twice";
    if (i == 0) {
      EXPECT_TRUE(stage.input.empty() && !stage.transform && !stage.compile);
      continue;
    }
    const Stage* input = findStage(target(), stage.input);
    ASSERT_TRUE(input) << stage.id.str();
    EXPECT_LT(input, &stage);
    EXPECT_NE(stage.transform == nullptr, stage.compile == nullptr) << stage.id.str();
    if (input->isCompiled()) EXPECT_TRUE(stage.isCompiled()) << stage.id.str();
    EXPECT_TRUE(stage.isCompiled() || stage.form == Stage::Form::Text) << stage.id.str();
  }
}

TEST_P(StagesTest, bytesAreShownByAStageOfText) {
  for (const Stage& stage : stagesOf(target()))
    if (!stage.isText()) EXPECT_TRUE(shownBy(target(), stage)) << stage.id.str();
}

TEST_P(StagesTest, whatADeviceIsGivenIsACompiledStage) {
  const Toolchain& toolchain = toolchainOf(target());
  EXPECT_TRUE(toolchain.scratchBytes);
  EXPECT_EQ(toolchain.loaded == nullptr, toolchain.isRunnable == nullptr);
  if (!llvm::any_of(toolchain.stages, [](const Stage& stage) { return stage.isCompiled(); }))
    return;
  std::string own = target().name();
  for (const std::string& device : {own, own + "0"}) {
    llvm::StringRef stage = toolchain.loaded(target(), device, {});
    if (target().isHip() && device != own) {
      EXPECT_EQ(stage, "") << "HIP compiles nothing for other chips";
      continue;
    }
    const Stage* loaded = toolchain.find(stage);
    ASSERT_TRUE(loaded);
    EXPECT_TRUE(loaded->isCompiled());
  }
}

TEST_P(StagesTest, stagesThatAreNotCompiledAreNoneOfCompile) {
  auto context = ir::createContext();
  auto module = ir::parseModule("module {}", *context);
  auto made = compile(*module, GetParam(), "source");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, passes::FailureKind::Unsupported);
  EXPECT_EQ(made.error().message, "stage 'source' does not come after ttgir");
}

INSTANTIATE_TEST_SUITE_P(Targets, StagesTest,
                         testing::Values("cuda:80", "cuda:90", "cuda:100", "hip:gfx942",
                                         "hip:gfx1200"));

TEST(StageNames, areEveryTargetsEachOnce) {
  EXPECT_THAT(stageNames(), testing::ElementsAre("source", "ttgir", "llir", "ptx", "cubin", "sass",
                                                 "amdgcn", "hsaco", "isa"));
}

} // namespace
} // namespace gluond::driver
