// An editor in which a kernel is open in one file and its launch in another.
#include "TestServer.h"

namespace gluond::lsp {
namespace {

const std::string kernelUri = "file:///project/kern.py", hostUri = "file:///project/host.py",
                  helperUri = "file:///project/helper.py";

const char* kernelText = R"py(from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from helper import twice


@gluon.jit
def copy(src, dst, BLOCK: gl.constexpr):
    at = gl.arange(0, BLOCK, layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(dst + at, twice(gl.load(src + at)))
)py";
const char* helperText = R"py(from triton.experimental import gluon


@gluon.jit
def twice(x):
    y = x + x
    return y
)py";
std::string hostText(const char* dtype, int block) {
  return std::string("import torch\nfrom kern import copy\n\nx = torch.empty(256, dtype=torch.") +
         dtype + ", device=\"cuda\")\ncopy[(1,)](x, x, BLOCK=" + std::to_string(block) + ")\n";
}

class ProjectOfFiles : public testing::Test {
protected:
  TestServer server;
  std::map<std::string, Json> diagnostics; // as published last

  void SetUp() override {
    server.initialize();
    server.open(kernelUri, kernelText);
    server.open(helperUri, helperText);
    server.open(hostUri, hostText("float16", 128));
    pause();
  }
  void pause() {
    for (int i = 0; i < 4; ++i) {
      server.server().settle();
      server.clock.advance(std::chrono::seconds(1));
    }
    for (Json each; !(each = server.next("textDocument/publishDiagnostics")).is_null();)
      diagnostics[each["uri"]] = each["diagnostics"];
  }
  std::string codes(const std::string& uri) {
    std::string text;
    for (const Json& each : diagnostics[uri])
      text += each["code"].get<std::string>() + " ";
    return text;
  }
  std::string hints(const std::string& uri) {
    Json reply = server.request("textDocument/inlayHint",
                                dumpJson(Json{{"textDocument", {{"uri", uri}}},
                                              {"range",
                                               {{"start", {{"line", 0}, {"character", 0}}},
                                                {"end", {{"line", 100}, {"character", 0}}}}}}));
    std::string text;
    for (const Json& each : reply)
      text += each["label"].is_string() ? each["label"].get<std::string>() + "|" : "";
    return text;
  }
  Json about(const char* method, const std::string& uri) {
    return server.request(method, dumpJson(Json{{"textDocument", {{"uri", uri}}}}));
  }
};

TEST_F(ProjectOfFiles, hintsShowTheTypesOfTheLaunch) {
  EXPECT_NE(hints(kernelUri).find("*fp16"), std::string::npos) << hints(kernelUri);
  EXPECT_NE(hints(kernelUri).find("128"), std::string::npos);
  server.change(hostUri, hostText("bfloat16", 256), 2);
  EXPECT_NE(hints(kernelUri).find("*bf16"), std::string::npos) << hints(kernelUri);
  EXPECT_NE(hints(kernelUri).find("256"), std::string::npos);
}

TEST_F(ProjectOfFiles, helpersAreShownAsKernelsOfOtherFilesCallThem) {
  EXPECT_NE(hints(helperUri).find("float16[128]"), std::string::npos) << hints(helperUri);
  EXPECT_EQ(codes(helperUri), "");
}

TEST_F(ProjectOfFiles, editsOfTheLaunchAreFollowed) {
  EXPECT_EQ(codes(kernelUri), "");
  server.change(hostUri, hostText("float16", 48), 2);
  pause();
  EXPECT_EQ(codes(kernelUri), "not-power-of-two ");
  const Json& related = diagnostics[kernelUri][0]["relatedInformation"];
  EXPECT_EQ(related.back()["location"]["uri"], hostUri);
  EXPECT_EQ(related.back()["location"]["range"]["start"]["line"], 4);
  // Also shown at the launch, in a file that never says Gluon.
  EXPECT_EQ(codes(hostUri), "not-power-of-two ");
  EXPECT_EQ(diagnostics[hostUri][0]["range"]["start"]["line"], 4);
  server.change(hostUri, hostText("float16", 128), 3);
  pause();
  EXPECT_EQ(codes(kernelUri), "");
  EXPECT_EQ(codes(hostUri), "");
  server.notify("textDocument/didClose", dumpJson(Json{{"textDocument", {{"uri", hostUri}}}}));
  pause();
  EXPECT_EQ(codes(kernelUri), "typed-defaults ");
}

TEST_F(ProjectOfFiles, specializationsAndLensesNameTheOtherFile) {
  Json kernels = about("gluond/specializations", kernelUri)["kernels"];
  ASSERT_EQ(kernels.size(), 1u);
  const Json& only = kernels[0]["specializations"][0];
  EXPECT_EQ(only["id"], "copy.cuda90.0@host");
  EXPECT_EQ(only["source"]["uri"], hostUri);
  std::string lenses = dumpJson(about("textDocument/codeLens", kernelUri));
  EXPECT_EQ(lenses.find("typed defaults"), std::string::npos) << lenses;
  EXPECT_NE(lenses.find("BLOCK=128"), std::string::npos) << lenses;
}

} // namespace
} // namespace gluond::lsp
