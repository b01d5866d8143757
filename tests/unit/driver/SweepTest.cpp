#include "driver/benchmark/Sweep.h"

#include "driver/analysis/Analysis.h"
#include "driver/benchmark/BenchmarkHistory.h"
#include "support/TempFolder.h"

#include <fstream>
#include <gmock/gmock.h>
#include <sys/stat.h>

namespace gluond::driver {
namespace {

using testing::ElementsAre;

const std::string program =
    "import torch\nimport triton\nfrom triton.experimental import gluon\n"
    "from triton.experimental.gluon import language as gl\n\n"
    "@gluon.jit\n"
    "def scale(src, dst, count, flag: gl.constexpr, BLOCK: gl.constexpr, layout: gl.constexpr):\n"
    "    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)\n"
    "    gl.store(dst + i, gl.load(src + i, mask=i < count), mask=i < count)\n\n"
    "def run():\n    x = torch.empty(1000, device='cuda')\n    y = torch.empty_like(x)\n"
    "    layout = gl.BlockedLayout([2], [32], [4], [0])\n"
    "    scale[(triton.cdiv(1000, 256),)](x, y, 1000, True, 256, layout, num_warps=4)\nrun()\n";

class SweepTest : public testing::Test {
protected:
  SweepTest() {
    workspace.open("/w/a.py", 1, program);
    snapshot = workspace.snapshot();
    list = kernelsOf(*snapshot, snapshot->file("/w/a.py"), {});
  }
  const Variant& variant() const { return list->kernels.at(0).variants.at(0); }

  Workspace workspace{Settings{}};
  std::shared_ptr<const Snapshot> snapshot;
  std::shared_ptr<const KernelList> list;
};

TEST_F(SweepTest, whatCanBeVaried) {
  auto axes = sweepAxes(variant(), snapshot->names());
  ASSERT_EQ(axes.size(), 4u);
  EXPECT_EQ(axes[0].name, "num_warps");
  EXPECT_THAT(axes[0].suggestions, ElementsAre("2", "4", "8"));
  EXPECT_EQ(axes[1].name, "flag");
  EXPECT_THAT(axes[1].suggestions, ElementsAre("True", "False"));
  EXPECT_THAT(axes[2].suggestions, ElementsAre("128", "256", "512"));
  EXPECT_EQ(axes[3].value, "gl.BlockedLayout([2], [32], [4], [0])");
  EXPECT_EQ(axes[3].suggestions.size(), 4u); // widths 1, 2, 4, 8
}

// A launch gives an option to the parameter of its name, too: they are one axis.
TEST_F(SweepTest, anOptionThatIsAParameterAsWell) {
  std::string text = program;
  auto put = [&](const std::string& where, const std::string& what) {
    text.insert(text.find(where), what);
  };
  put("):\n    i =", ", num_warps: gl.constexpr");
  put("    i =", "    gl.static_assert(num_warps == layout.warps_per_cta[0])\n");
  workspace.open("/w/a.py", 2, text);
  snapshot = workspace.snapshot();
  list = kernelsOf(*snapshot, snapshot->file("/w/a.py"), {});
  EXPECT_EQ(sweepAxes(variant(), snapshot->names()).size(), 4u);
  auto swept = sweep(variant(), {{"num_warps", {"2", "8"}}}, snapshot->names());
  ASSERT_TRUE(swept) << swept.error();
  Worker worker;
  for (const SweptVariant& each : *swept) {
    auto ir = Analyzer(*snapshot, worker, {}).stage(each.variant, "ttgir");
    ASSERT_TRUE(ir);
    std::string warps = each.variant.label.substr(each.variant.label.find('=') + 1);
    EXPECT_NE(ir->text.find("\"ttg.num-warps\" = " + warps), std::string::npos) << ir->text;
  }
}

TEST_F(SweepTest, everyCombinationWithItsGridAndItsWarps) {
  auto swept =
      sweep(variant(), {{"num_warps", {"2", "8"}}, {"BLOCK", {"128", "512"}}}, snapshot->names());
  ASSERT_TRUE(swept) << swept.error();
  std::vector<std::string> labels;
  std::vector<int64_t> grids;
  for (const SweptVariant& each : *swept) {
    labels.push_back(each.variant.label);
    HostLaunch launch = hostLaunchOf(each.variant, snapshot->names());
    ASSERT_TRUE(launch.grid);
    grids.push_back((*launch.grid)[0]);
    EXPECT_THAT(each.notes, ElementsAre("grid[0]: computed as cdiv(count, BLOCK)"));
    // Run-time values are the launch's own.
    EXPECT_EQ(launch.arguments.at(0).tensor->shape, std::vector<int64_t>{1000});
    EXPECT_EQ(launch.arguments.at(2).integer, 1000);
  }
  EXPECT_THAT(labels, ElementsAre("num_warps=2 BLOCK=128", "num_warps=2 BLOCK=512",
                                  "num_warps=8 BLOCK=128", "num_warps=8 BLOCK=512"));
  EXPECT_THAT(grids, ElementsAre(8, 2, 8, 2));
  // What was swept compiles: the layout has as many warps as the launch.
  Worker worker;
  for (const SweptVariant& each : *swept) {
    auto result = Analyzer(*snapshot, worker, {}).analyze(each.variant);
    ASSERT_TRUE(result && result->ok) << each.variant.label;
    for (const auto& diagnostic : result->diagnostics)
      EXPECT_NE(diagnostic.severity, diagnostics::Severity::Error) << diagnostic.message;
  }
}

TEST_F(SweepTest, layoutsAsTheyAreWritten) {
  auto swept = sweep(
      variant(),
      {{"layout", {"gl.BlockedLayout([1], [32], [4], [0])", "BlockedLayout([8], [32], [4], [0])"}}},
      snapshot->names());
  ASSERT_TRUE(swept) << swept.error();
  EXPECT_EQ(swept->size(), 2u);
}

TEST_F(SweepTest, mistakesAreSentences) {
  auto error = [&](const std::vector<SweepValues>& axes) {
    auto swept = sweep(variant(), axes, snapshot->names(), 8);
    return swept ? std::string() : swept.error();
  };
  EXPECT_NE(error({{"count", {"1"}}}).find("not a constexpr of scale"), std::string::npos);
  EXPECT_NE(error({{"BLOCK", {"a * b"}}}).find("is not a number"), std::string::npos);
  EXPECT_NE(error({{"layout", {"gl.BlockedLayout([1], [32)"}}}).find("is not a number"),
            std::string::npos);
  EXPECT_NE(error({{"BLOCK", {}}}), "");
  EXPECT_NE(error({{"BLOCK", {"1", "2", "3"}}, {"num_warps", {"1", "2", "4"}}}).find("more than 8"),
            std::string::npos);
}

TEST(BenchmarkHistory, linesThatCannotBeReadArePassedOver) {
  TempFolder folder;
  Settings settings;
  settings.roots = {std::filesystem::path(folder.path(".")).parent_path().string()};
  HistoryFile file = historyFile(settings, folder.path("kernels/a.py"));
  std::string path = file.folder + "/" + file.name;
  EXPECT_EQ(path, folder.path(".gluond/history/a.jsonl"));
  EXPECT_TRUE(readHistory(file, "k").empty());
  PastResult result{"2026-11-21T00:00:00Z", "k", "k.0", "BLOCK=1", "GPU", 2.5, 2.4, 2.6, 0xFEDC};
  EXPECT_EQ(appendHistory(file, result), "");
  std::ofstream(path, std::ios::app)
      << "{\"kernel\": \"k\", \"median_us\": \"no\"}\nnonsense\n[]\n\xff\n";
  result.median = 3;
  EXPECT_EQ(appendHistory(file, result), "");
  result.kernel = "other";
  EXPECT_EQ(appendHistory(file, result), "");
  auto read = readHistory(file, "k");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].median, 2.5);
  EXPECT_EQ(read[1].median, 3);
  EXPECT_EQ(read[1].source, 0xFEDCu);
  EXPECT_NE(appendHistory({"/proc/nowhere", "a.jsonl"}, result), "");
  EXPECT_TRUE(historyFile(settings, "untitled").isNone());
}

// What a cloned project has in the place of its history is neither written nor read.
TEST(BenchmarkHistory, linksAreNotFollowed) {
  TempFolder project, home;
  Settings settings;
  settings.roots = {project.path()};
  PastResult result{"2026-11-21T00:00:00Z", "$(touch x)", "k.0", "a", "GPU", 2.5, 2.4, 2.6, 1};
  auto refused = [&] {
    HistoryFile file = historyFile(settings, project.path("a.py"));
    EXPECT_NE(appendHistory(file, result), "");
    EXPECT_TRUE(readHistory(file, result.kernel).empty());
    std::ifstream in(home.path("profile"));
    std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(text, "# mine\n");
    std::filesystem::remove_all(project.path(".gluond"));
  };
  home.write("profile", "# mine\n");
  std::filesystem::create_directories(project.path(".gluond/history"));
  std::filesystem::create_symlink(home.path("profile"), project.path(".gluond/history/a.jsonl"));
  refused();
  std::filesystem::create_directories(project.path(".gluond/history"));
  std::filesystem::create_hard_link(home.path("profile"), project.path(".gluond/history/a.jsonl"));
  refused();
  std::filesystem::create_directories(project.path(".gluond"));
  std::filesystem::create_directory_symlink(home.path(), project.path(".gluond/history"));
  refused();
  std::filesystem::create_directory_symlink(home.path(), project.path(".gluond"));
  refused();
  std::filesystem::create_directories(project.path(".gluond/history"));
  ASSERT_EQ(mkfifo(project.path(".gluond/history/a.jsonl").c_str(), 0600), 0);
  refused();
  // Nothing was left beside the file, either.
  size_t beside = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(home.path()))
    ++beside;
  EXPECT_EQ(beside, 1u);
}

} // namespace
} // namespace gluond::driver
