// Benchmarks through the server, on gluond-runner over the fake drivers of tests/unit/runner.
#include "TestServer.h"
#include "chips/Target.h"
#include "driver/stages/Stages.h"
#include "support/TempFolder.h"

#include <chrono>
#include <cstdlib>
#include <thread>

namespace gluond::lsp {
namespace {

constexpr const char* program = R"(import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

@gluon.jit
def copy_blocks(src, dst, count, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=gl.BlockedLayout([1], [32], [gl.num_warps()], [0]))
    gl.store(dst + i, gl.load(src + i, mask=i < count), mask=i < count)

@gluon.jit
def fault_700(dst):
    gl.store(dst, 1.0)

@gluon.jit
def nobody_launches(dst, count):
    gl.store(dst, count)

def run():
    x = torch.empty(1000, device='cuda')
    y = torch.empty_like(x)
    copy_blocks[(triton.cdiv(1000, 256),)](x, y, 1000, 256)
    copy_blocks[(triton.cdiv(1000, 128),)](x, y, 1000, 128)
    fault_700[(1,)](y)
run()
)";

class Benchmarks : public testing::Test {
protected:
  void begin(const std::string& command = "", const std::string& text = program,
             const char* cuda = GLUOND_FAKE_CUDA, const char* hip = "/nowhere") {
    ::setenv("GLUOND_CUDA_LIBRARY", cuda, 1);
    ::setenv("GLUOND_HIP_LIBRARY", hip, 1);
    ::setenv("GLUOND_RUNNER", command.empty() ? GLUOND_RUNNER_PROGRAM : command.c_str(), 1);
    uri = "file://" + folder.path("a.py");
    client.initialize(
        dumpJson({{"capabilities", Json::object()}, {"rootUri", "file://" + folder.path("")}}));
    client.open(uri, text);
  }
  Json request(const char* method, const Json& params) {
    return client.request(method, dumpJson(params));
  }
  Json params(const char* what, const char* kernel = "copy_blocks") const {
    return {{"textDocument", {{"uri", uri}}}, {"kernel", kernel}, {"what", what}};
  }
  Json plan(const char* kernel = "copy_blocks") {
    return request("gluond/benchmarkPlan", {{"textDocument", {{"uri", uri}}}, {"kernel", kernel}});
  }
  // All rows of a benchmark that has ended, by index.
  std::vector<Json> rowsOf(const Json& params) {
    Json started = request("gluond/benchmark", params);
    EXPECT_TRUE(started.contains("run")) << started;
    if (!started.contains("run")) return {};
    run = started["run"];
    std::vector<Json> rows(started["rows"].get<size_t>());
    Json news = {{"sequence", 0}, {"done", false}};
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!news["done"].get<bool>() && std::chrono::steady_clock::now() < end) {
      news = request("gluond/benchmarkRows", {{"run", run}, {"after", news["sequence"]}});
      if (!news.contains("rows")) break;
      for (const Json& row : news["rows"])
        rows.at(row["index"].get<size_t>()) = row;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_EQ(news["done"], true);
    return rows;
  }

  TempFolder folder;
  std::string uri, run;
  TestServer client;
};

TEST_F(Benchmarks, whatAKernelCanBeRunWith) {
  begin();
  Json found = plan();
  EXPECT_EQ(found["launches"], 2) << found;
  EXPECT_EQ(found["grid"], "4,1,1");
  EXPECT_EQ(found["arguments"][0]["text"], "fp32[1000]");
  EXPECT_EQ(found["arguments"][2]["text"], "1000");
  EXPECT_EQ(found["arguments"][2]["assumed"], false);
  EXPECT_EQ(found["axes"][1]["name"], "BLOCK");
  EXPECT_EQ(found["history"], Json::array());
  found = plan("nobody_launches");
  EXPECT_EQ(found["arguments"][1]["assumed"], true) << found;
  EXPECT_EQ(found["grid"], "");
  EXPECT_EQ(errorCode(plan("no_kernel")), static_cast<int>(ErrorCode::RequestFailed));
}

TEST_F(Benchmarks, timesAndKeepsThem) {
  begin();
  std::vector<Json> rows = rowsOf(params("all"));
  ASSERT_EQ(rows.size(), 2u);
  for (const Json& row : rows) {
    EXPECT_EQ(row["state"], "done") << row;
    EXPECT_GT(row["median"].get<double>(), 0);
    EXPECT_GT(row["gigabytesPerSecond"].get<double>(), 0);
    EXPECT_FALSE(row.contains("before"));
  }
  EXPECT_EQ(rows[0]["grid"], (Json{4, 1, 1}));
  EXPECT_EQ(plan()["history"].size(), 2u);
  // Again, and after an edit of the kernel.
  rows = rowsOf(params("launch"));
  ASSERT_TRUE(rows.at(0).contains("before")) << rows[0];
  EXPECT_EQ(rows[0]["before"]["edited"], false);
  std::string edited = program;
  edited.replace(edited.find("BlockedLayout([1]"), 17, "BlockedLayout([2]");
  client.change(uri, edited, 2);
  rows = rowsOf(params("launch"));
  EXPECT_EQ(rows.at(0)["before"]["edited"], true) << rows[0];
  EXPECT_EQ(plan()["history"].size(), 4u);
}

TEST_F(Benchmarks, onAnAmdGpu) {
  if (!driver::findStage(*chips::Target::parse("hip:gfx942"), "hsaco"))
    GTEST_SKIP() << "gluond does not compile for AMD yet";
  folder.write("pyproject.toml", "[tool.gluond]\ntarget = \"hip:gfx942\"\n");
  std::string text = program;
  text.replace(text.find("[32]"), 4, "[64]");
  begin("", text, GLUOND_FAKE_CUDA, GLUOND_FAKE_HIP); // a machine with both
  std::vector<Json> rows = rowsOf(params("all"));
  ASSERT_EQ(rows.size(), 2u);
  for (const Json& row : rows) {
    EXPECT_EQ(row["state"], "done") << row;
    EXPECT_EQ(row["device"], "AMD Instinct MI300X");
    EXPECT_GT(row["percentOfPeak"].get<double>(), 0);
  }
  EXPECT_EQ(plan()["target"], "hip:gfx942");
  EXPECT_EQ(plan()["history"].size(), 2u);
  EXPECT_EQ(plan()["history"][0]["device"], "AMD Instinct MI300X");
  Json what = params("sweep");
  what["axes"] = {{{"name", "num_warps"}, {"values", {"1", "2"}}}};
  for (const Json& row : rowsOf(what))
    EXPECT_EQ(row["state"], "done") << row;
  EXPECT_EQ(rowsOf(params("run")).at(0)["state"], "done");
  Json failed = rowsOf(params("run", "fault_700")).at(0);
  EXPECT_EQ(failed["state"], "failed");
  EXPECT_THAT(failed.dump(), testing::HasSubstr("hipErrorIllegalAddress"));
}

TEST_F(Benchmarks, aGpuOfTheOtherVendorIsNamed) {
  begin("", program, "/nowhere", GLUOND_FAKE_HIP);
  for (const char* what : {"launch", "run"}) {
    Json row = rowsOf(params(what)).at(0);
    EXPECT_EQ(row["state"], "failed");
    EXPECT_THAT(row.dump(), testing::HasSubstr("this launch is for cuda:90, but the GPU is AMD "
                                               "Instinct MI300X (hip:gfx942)"));
  }
}

TEST_F(Benchmarks, sweeps) {
  begin();
  Json what = params("sweep");
  what["axes"] = {{{"name", "num_warps"}, {"values", {"1", "2"}}},
                  {{"name", "BLOCK"}, {"values", {"64", "128", "512"}}}};
  std::vector<Json> rows = rowsOf(what);
  ASSERT_EQ(rows.size(), 6u);
  for (const Json& row : rows)
    EXPECT_EQ(row["state"], "done") << row;
  EXPECT_EQ(rows[5]["label"], "num_warps=2 BLOCK=512");
  EXPECT_EQ(rows[5]["warps"], 2);
  EXPECT_EQ(rows[5]["grid"], (Json{2, 1, 1}));
  what["axes"][1]["values"] = {"nonsense"};
  EXPECT_EQ(errorCode(request("gluond/benchmark", what)),
            static_cast<int>(ErrorCode::RequestFailed));
  EXPECT_EQ(errorCode(request("gluond/benchmark", params("dance"))),
            static_cast<int>(ErrorCode::InvalidParams));
}

TEST_F(Benchmarks, faultsAreRowsAndTheNextOneRuns) {
  begin();
  std::vector<Json> rows = rowsOf(params("launch", "fault_700"));
  EXPECT_EQ(rows.at(0)["state"], "failed") << rows[0];
  EXPECT_EQ(rows[0]["problem"]["kind"], "fault");
  EXPECT_EQ(plan("fault_700")["history"], Json::array());
  EXPECT_EQ(rowsOf(params("launch")).at(0)["state"], "done");
}

TEST_F(Benchmarks, onceWithItsTensors) {
  begin();
  std::vector<Json> rows = rowsOf(params("run"));
  ASSERT_EQ(rows.at(0)["state"], "done") << rows[0];
  EXPECT_EQ(rows[0]["tensors"][0]["name"], "src");
  EXPECT_EQ(rows[0]["tensors"][0]["changed"], false);
  EXPECT_EQ(rows[0]["tensors"][1]["shape"], (Json{1000}));
  EXPECT_EQ(plan()["history"], Json::array());
}

TEST_F(Benchmarks, withoutARunnerItSaysSo) {
  begin("echo no GPU here; exit 3");
  std::vector<Json> rows = rowsOf(params("all"));
  for (const Json& row : rows) {
    EXPECT_EQ(row["state"], "failed");
    EXPECT_FALSE(row["problem"]["message"].get<std::string>().empty()) << row;
  }
  // A run that another one replaced is gone; one that ended cannot be stopped.
  EXPECT_EQ(request("gluond/stopBenchmark", {{"run", run}})["stopped"], false);
  std::string before = run;
  rowsOf(params("launch"));
  EXPECT_EQ(errorCode(request("gluond/benchmarkRows", {{"run", before}, {"after", 0}})),
            static_cast<int>(ErrorCode::RequestFailed));
}

} // namespace
} // namespace gluond::lsp
