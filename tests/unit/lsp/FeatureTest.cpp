// Requests about places, through the server: decoding, feature and encoding together.
#include "FeatureFixture.h"
#include "lsp/features/annotations/SemanticTokens.h"

namespace gluond::lsp {
namespace {

class FeatureTest : public FeatureFixture {};

TEST_F(FeatureTest, hoverOnNames) {
  open("from triton.experimental.gluon import language as gl\n"
       "from triton.experimental import gluon\n@gluon.jit\n"
       "def helper(x, y=2):\n  \"\"\"Helps.\"\"\"\n  return gl.$load^load(x)\n"
       "z = hel$call^per(1)\nw = gl.nvid$module^ia.hopper\n@gluon.aggregate\nclass C:\n  n: "
       "gl.constexpr\nC$class^()\n1 + "
       "$none^2\n");
  auto text = [&](const char* name) {
    Json hover = request("textDocument/hover", at(source.point(name)));
    return hover.is_null() ? std::string() : hover["contents"]["value"].get<std::string>();
  };
  EXPECT_NE(text("load").find("load(pointer, mask=None"), std::string::npos) << text("load");
  EXPECT_NE(text("load").find("- `mask`:"), std::string::npos);
  EXPECT_NE(text("call").find("def helper(x, y=2)"), std::string::npos) << text("call");
  EXPECT_NE(text("call").find("Helps."), std::string::npos);
  EXPECT_NE(text("module").find("module triton.experimental.gluon.language.nvidia"),
            std::string::npos);
  EXPECT_NE(text("class").find("class C\n    n: gl.constexpr"), std::string::npos) << text("class");
  EXPECT_EQ(text("none"), "");
}

const std::string program = R"(import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

@gluon.jit
def $name[[scale]](src, dst, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    offsets = gl.arange(0, BLOCK, layout=$layout^layout)
    values = gl.load(src + $offsets^offsets)
    gl.store(dst + offsets, val$values^ues)

x = torch.empty(1024, device="cuda")
scale[(1,)](x, x, 128)
scale[(1,)](x, x, 256)
)";

// Code that the selected specialization leaves out is described as another one has it, and module
// constants and members of kernels are described where kernels use them.
TEST_F(FeatureTest, hoverOnBranchesThatAreLeftOutAndOnConstants) {
  open("import torch\nfrom triton.experimental import gluon\nfrom triton.experimental.gluon import "
       "language as gl\n"
       "$read^SIZE = gl.constexpr(128)\n$annotated^DEPTH: gl.constexpr = gl.constexpr(2)\n"
       "@gluon.jit\ndef k(x, n, FLAG: gl.constexpr, NEVER: gl.constexpr = False):\n"
       "    i = gl.arange(0, SIZE, gl.BlockedLayout([1], [32], [4], [0]))\n"
       "    if FLAG:\n        $dead^twice = gl.load(x + i) * 2\n        gl.store(x + i, twice)\n"
       "    if NEVER:\n        $never^gone = i * 2\n"
       "d = torch.empty(1024, device=\"cuda\")\nk[(1,)](d, 1, False)\nk[(1,)](d, 1, True)\n"
       "k.$run^run(d, 1, True, grid=(1,))\nk.__$item^getitem__((1,))(d, 1, True)\n");
  auto text = [&](const char* name) {
    Json hover = request("textDocument/hover", at(source.point(name)));
    return hover.is_null() ? std::string() : hover["contents"]["value"].get<std::string>();
  };
  EXPECT_NE(text("dead").find("twice: float32[128]"), std::string::npos) << text("dead");
  EXPECT_NE(text("dead").find("where `FLAG` is false"), std::string::npos) << text("dead");
  EXPECT_EQ(text("never").find("int32"), std::string::npos) << text("never");
  EXPECT_NE(text("never").find("where `NEVER` is false"), std::string::npos) << text("never");
  EXPECT_NE(
      request("gluond/layoutMap", at(source.point("dead"))).dump().find("where `FLAG` is false"),
      std::string::npos);
  EXPECT_NE(text("read").find("SIZE = 128"), std::string::npos) << text("read");
  EXPECT_NE(text("annotated").find("DEPTH = 2"), std::string::npos) << text("annotated");
  EXPECT_NE(text("run").find("k.run"), std::string::npos) << text("run");
  EXPECT_NE(text("item").find("kernel[grid]"), std::string::npos) << text("item");
}

TEST_F(FeatureTest, specializationsAndTheChoice) {
  open(program);
  Json kernels = request("gluond/specializations", document())["kernels"];
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0]["kernel"], "scale");
  EXPECT_EQ(kernels[0]["range"], range("name"));
  Json variants = kernels[0]["specializations"];
  ASSERT_EQ(variants.size(), 2u);
  EXPECT_EQ(variants[0]["origin"], "launch");
  EXPECT_TRUE(variants[0]["selected"]);
  EXPECT_EQ(variants[1]["label"], "BLOCK=256 num_warps=4 (cuda:90)");

  Json choice = document();
  choice["kernel"] = "scale";
  choice["specialization"] = variants[1]["id"];
  Json after = request("gluond/selectSpecialization", choice)["kernels"][0]["specializations"];
  EXPECT_TRUE(after[1]["selected"]);
  EXPECT_FALSE(after[0]["selected"]);
  Json hover = request("textDocument/hover", at(source.point("values")));
  EXPECT_NE(hover["contents"]["value"].get<std::string>().find("[256]"), std::string::npos)
      << hover;
  Json lenses = request("textDocument/codeLens", document());
  // The specialization, its IR, a debugger, a timeline, two to run it, its budget.
  ASSERT_EQ(lenses.size(), 7u);
  EXPECT_EQ(lenses[2]["command"]["command"], "gluond.debug");
  EXPECT_EQ(lenses[3]["command"]["command"], "gluond.showTimeline");
  EXPECT_EQ(lenses[5]["command"]["command"], "gluond.benchmark");
  EXPECT_EQ(lenses[0]["command"]["title"], "BLOCK=256 num_warps=4 (cuda:90)  (2 of 2)");
}

// Text after a long label would be cut off by the editor.
TEST_F(FeatureTest, aLensSaysOfALongLabelWhatTellsItApart) {
  std::string text = "import torch\nfrom triton.experimental import gluon\n"
                     "from triton.experimental.gluon import language as gl\n\n"
                     "@gluon.jit\ndef many(a, LONG_NAME_OF_ONE: gl.constexpr, LONG_NAME_OF_TWO: "
                     "gl.constexpr, LONG_NAME_OF_THREE: gl.constexpr):\n    pass\n\n";
  for (const char* last : {"[3, 4]", "[5, 6]"})
    text += std::string("many[(1,)](torch.empty(4), 1, 2, ") + last + ")\n";
  open(text);
  Json lenses = request("textDocument/codeLens", document());
  EXPECT_EQ(lenses[0]["command"]["title"],
            "LONG_NAME_OF_ONE=1 LONG_NAME_OF_THREE=[3, 4] (cuda:90)  (1 of 2)");
}

TEST_F(FeatureTest, aLensTellsLaunchesApartAsMenusDo) {
  auto title = [&](const std::string& parameters, std::initializer_list<const char*> launches) {
    std::string text = "import torch\nfrom triton.experimental import gluon\n"
                       "from triton.experimental.gluon import language as gl\n\n"
                       "@gluon.jit\ndef many(" +
                       parameters + "):\n    pass\n\n";
    for (const char* launch : launches)
      text += std::string("many[(1,)](") + launch + ")\n";
    open(text);
    return request("textDocument/codeLens", document())[0]["command"]["title"].get<std::string>();
  };
  // Blanks within brackets separate nothing.
  EXPECT_EQ(title("x_ptr, out_ptr, rows, layout: gl.constexpr",
                  {"torch.empty(64), torch.empty(64), 5, gl.BlockedLayout([1], [32], [4], [0])",
                   "torch.empty(64), torch.empty(64), 5, gl.BlockedLayout([1], [32], [8], [0]), "
                   "num_warps=8",
                   "torch.empty(64), torch.empty(64), 5, gl.BlockedLayout([4], [32], [4], [0])"}),
            "layout=BlockedLayout([1], [32], [4], [0]) num_warps=4 (cuda:90)  (1 of 3)");
  // Of parameters that tell the same, the last ones are left out first.
  EXPECT_EQ(title("x_ptr, w_ptr, out_ptr, cols, SOME_LONG_NAME: gl.constexpr",
                  {"torch.empty(64), torch.empty(64), torch.empty(64), 16, 1024",
                   "torch.empty(63)[1:], torch.empty(63)[1:], torch.empty(63)[1:], 16, 1024",
                   "torch.empty(64), torch.empty(64), torch.empty(64), 17, 1024"}),
            "x_ptr=*fp32:16 w_ptr=*fp32:16 cols=i32:16 (cuda:90)  (1 of 3)");
}

TEST_F(FeatureTest, docstringsMakeNoPicturesOrLinks) {
  std::string hostile = "from triton.experimental import gluon\n\n@gluon.jit\ndef helper(x):\n    "
                        "\"\"\"![p](http://x/y.png) <img src=x> [l](http://z) "
                        "\xE2\x80\xAEgnp.exe\"\"\"\n    return x\n";
  open(hostile);
  Json params = document();
  params["position"] = {{"line", 3}, {"character", 5}};
  std::string text = request("textDocument/hover", params)["contents"]["value"];
  EXPECT_NE(text.find("http://x/y.png"), std::string::npos) << text;
  EXPECT_EQ(text.find("![p]("), std::string::npos) << text;
  EXPECT_EQ(text.find("<img"), std::string::npos) << text;
  EXPECT_EQ(text.find("[l]("), std::string::npos) << text;
  EXPECT_NE(text.find("\\u202egnp.exe"), std::string::npos) << text;
  EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos) << text;
}

TEST_F(FeatureTest, hoverOnValues) {
  open(program);
  std::string values =
      request("textDocument/hover", at(source.point("values")))["contents"]["value"];
  EXPECT_NE(values.find("values: float32[128]"), std::string::npos) << values;
  EXPECT_NE(values.find("BlockedLayout("), std::string::npos) << values;
  EXPECT_NE(values.find("512 bytes"), std::string::npos) << values;
  EXPECT_NE(values.find("1 element (4 bytes) per thread"), std::string::npos) << values;
  EXPECT_NE(values.find("lane = [[1], [2], [4], [8], [16]]"), std::string::npos) << values;
  std::string layout =
      request("textDocument/hover", at(source.point("layout")))["contents"]["value"];
  EXPECT_NE(layout.find("layout = gl.BlockedLayout("), std::string::npos) << layout;
}

TEST_F(FeatureTest, inlayHints) {
  open(program);
  Json params = document();
  params["range"] = {{"start", {{"line", 0}, {"character", 0}}},
                     {"end", {{"line", 99}, {"character", 0}}}};
  Json hints = request("textDocument/inlayHint", params);
  std::vector<std::string> labels;
  for (const Json& hint : hints)
    labels.push_back(hint["label"]);
  EXPECT_EQ(labels, (std::vector<std::string>{": *fp32", ": *fp32", " = 128",
                                              ": int32[128] Blocked", ": float32[128] Blocked"}));
}

// What AutoLayout became, and what an access that is warned of costs.
TEST_F(FeatureTest, inlayHintsOfChosenLayoutsAndOfCosts) {
  open(R"(from triton.experimental import gluon
from triton.experimental.gluon import language as gl

# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def kernel(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [0, 1])
    i = gl.arange(0, 128, layout=gl.AutoLayout())
    j = gl.arange(0, 32, layout=gl.AutoLayout())
    where = i[:, None] * 32 + j[None, :]
    w^here = gl.set_auto_layout(where, layout)
    gl.store(dst + where, gl.load(src + where))
)");
  Json params = document();
  params["range"] = {{"start", {{"line", 0}, {"character", 0}}},
                     {"end", {{"line", 99}, {"character", 0}}}};
  std::vector<std::string> labels;
  std::string all;
  for (const Json& hint : request("textDocument/inlayHint", params)) {
    labels.push_back(hint["label"]);
    all += labels.back() + "\n";
  }
  EXPECT_NE(all.find(": int32[128] Slice(1, Blocked) (auto)"), std::string::npos) << all;
  EXPECT_NE(all.find(": int32[128, 32] Blocked"), std::string::npos) << all;
  EXPECT_NE(all.find("  16 bytes per lane, 32 sectors per warp instruction (16 at least)"),
            std::string::npos)
      << all;
  params["range"]["end"]["line"] = 7; // above the accesses
  for (const Json& hint : request("textDocument/inlayHint", params))
    EXPECT_EQ(hint["label"].get<std::string>().find("bytes per lane"), std::string::npos);
}

TEST_F(FeatureTest, completionShowsTheWholeSignature) {
  open("from triton.experimental.gluon import language as gl\nx = gl.program_i^\n");
  Json list = request("textDocument/completion", at(source.point()));
  bool isThere = false;
  for (const Json& item : list["items"]) {
    if (item["label"] != "program_id") continue;
    isThere = true;
    EXPECT_EQ(item["detail"], "program_id" + item["labelDetails"]["detail"].get<std::string>());
    EXPECT_EQ(item["labelDetails"]["detail"].get<std::string>().substr(0, 5), "(axis") << item;
  }
  EXPECT_TRUE(isThere) << list;
}

TEST_F(FeatureTest, stageIRWithLines) {
  open(program);
  Json params = document();
  params["kernel"] = "scale";
  params["stage"] = "ttgir";
  Json result = request("gluond/stageIR", params);
  std::string ir = result["text"];
  EXPECT_NE(ir.find("tt.func public @scale"), std::string::npos) << result;
  EXPECT_EQ(result["stages"].size(), 5u);
  ASSERT_FALSE(result["lines"].empty());
  for (const Json& line : result["lines"])
    EXPECT_EQ(line["uri"], uri);

  std::string broken = source.text;
  broken.replace(broken.find("values)"), 7, "undefined)");
  client.change(uri, broken, 2);
  Json stale = request("gluond/stageIR", params);
  EXPECT_TRUE(stale["stale"]) << stale;
  EXPECT_EQ(stale["version"], 1);
  EXPECT_EQ(stale["text"], ir);
  EXPECT_FALSE(stale["diagnostics"].empty());
  params["stage"] = "amdgcn";
  EXPECT_EQ(errorCode(request("gluond/stageIR", params)),
            static_cast<int>(ErrorCode::RequestFailed));
  params["kernel"] = "none";
  EXPECT_EQ(errorCode(request("gluond/stageIR", params)),
            static_cast<int>(ErrorCode::RequestFailed));
}

// A name from a module that nobody looks into may be anything: the editor's grammar colors it.
TEST(SemanticTokens, ofImportedNames) {
  TestServer server;
  server.initialize();
  server.open("file:///w/tokens.py",
              "from triton.experimental import gluon\n"
              "from triton.experimental.gluon.nvidia.hopper import TensorDescriptor as TD\n"
              "from unknown import helper\n"
              "import unknown\n");
  Json data = server.request("textDocument/semanticTokens/full",
                             R"({"textDocument":{"uri":"file:///w/tokens.py"}})")["data"];
  std::vector<std::pair<uint32_t, std::string>> tokens; // line and type
  uint32_t line = 0;
  for (size_t i = 0; i < data.size(); i += 5) {
    line += data[i].get<uint32_t>();
    tokens.emplace_back(line, tokenTypeNames()[data[i + 3].get<size_t>()].str());
  }
  using Token = std::pair<uint32_t, std::string>;
  EXPECT_THAT(tokens, testing::Contains(Token(1, "class")));
  EXPECT_THAT(tokens, testing::Contains(Token(3, "namespace")));
  EXPECT_THAT(tokens, testing::Not(testing::Contains(testing::Field(&Token::first, 2u))));
}

// A constant is no module, wherever it comes from; a change is no declaration; an object of a class
// of Gluon's is the user's own.
TEST(SemanticTokens, ofImportedConstantsAndChanges) {
  TestServer server;
  server.initialize();
  server.open("file:///w/tiles.py", "from triton.experimental.gluon import language as gl\n"
                                    "BLOCK: gl.constexpr = gl.constexpr(128)\n");
  const std::string text = "from triton.experimental import gluon\n"
                           "from triton.experimental.gluon import language as gl\n"
                           "from triton.language.core import _aggregate as aggregate\n"
                           "from tiles import BLOCK\n"
                           "@aggregate\nclass Ring:\n  slots: gl.shared_memory_descriptor\n"
                           "  @gluon.constexpr_function\n"
                           "  def __init__(self, slots):\n    self.slots = slots\n"
                           "@gluon.jit\ndef k(p):\n"
                           "  i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))\n"
                           "  i += BLOCK\n  gl.store(p + i, i)\n";
  server.open("file:///w/tokens.py", text);
  Json data = server.request("textDocument/semanticTokens/full",
                             R"({"textDocument":{"uri":"file:///w/tokens.py"}})")["data"];
  std::map<std::pair<uint32_t, uint32_t>, std::pair<std::string, uint32_t>> at;
  uint32_t line = 0, start = 0;
  for (size_t i = 0; i < data.size(); i += 5) {
    start =
        data[i].get<uint32_t>() ? data[i + 1].get<uint32_t>() : start + data[i + 1].get<uint32_t>();
    line += data[i].get<uint32_t>();
    at[{line, start}] = {tokenTypeNames()[data[i + 3].get<size_t>()].str(),
                         data[i + 4].get<uint32_t>()};
  }
  constexpr uint32_t declaration = 1, defaultLibrary = 4;
  EXPECT_EQ((at[{3, 18}].first), "variable");
  EXPECT_EQ((at[{13, 7}].first), "variable");
  EXPECT_EQ((at[{9, 9}].first), "property");
  EXPECT_FALSE((at[{9, 9}].second & defaultLibrary));
  EXPECT_TRUE((at[{12, 2}].second & declaration));
  EXPECT_EQ((at[{13, 2}].first), "tensor");
  EXPECT_FALSE((at[{13, 2}].second & declaration));
  Json hover = server.request(
      "textDocument/hover",
      R"({"textDocument":{"uri":"file:///w/tokens.py"},"position":{"line":3,"character":19}})");
  EXPECT_THAT(hover.dump(), testing::HasSubstr("BLOCK = 128"));
}

TEST_F(FeatureTest, layoutMaps) {
  open(program);
  Json result = request("gluond/layoutMap", at(source.point("offsets")));
  EXPECT_EQ(result["shape"], Json::array({128})) << result;
  EXPECT_EQ(result["map"]["dims"][0], "register");
  Json expression = {{"expression", "gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0])"},
                     {"shape", {32, 64}}};
  EXPECT_EQ(request("gluond/layoutMap", expression)["map"]["bases"]["lane"].size(), 5u);
  EXPECT_EQ(errorCode(request("gluond/layoutMap", Json::object())),
            static_cast<int>(ErrorCode::InvalidParams));
  EXPECT_EQ(errorCode(request("gluond/layoutMap", at(0))),
            static_cast<int>(ErrorCode::RequestFailed));
}

TEST_F(FeatureTest, mistakesInKernelsWhileTyping) {
  open(program);
  Json published = client.next("textDocument/publishDiagnostics");
  EXPECT_EQ(published["diagnostics"], Json::array()) << published;
  std::string broken = source.text;
  broken.replace(broken.find("gl.load("), 8, "gl.laod(");
  client.change(uri, broken, 2);
  published = client.next("textDocument/publishDiagnostics");
  ASSERT_FALSE(published["diagnostics"].empty());
  EXPECT_EQ(published["diagnostics"][0]["range"]["start"]["line"], 8);
  client.change(uri, source.text, 3);
  EXPECT_EQ(client.next("textDocument/publishDiagnostics")["diagnostics"], Json::array());
}

// The other launch is shown by hints and panels.
TEST_F(FeatureTest, findingsNameALaunchThatIsNotShown) {
  open(R"(import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

@gluon.jit
def copy(src, dst, V: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([V], [32], [4], [0])
    offsets = gl.arange(0, 1024, layout=layout)
    gl.store(dst + offsets, gl.load(src + offsets))

x = torch.empty(1024, device="cuda", dtype=torch.float16)
copy[(1,)](x, x, 4)
$launch[[copy[(1,)](x, x, 1)]]
)");
  // What is published last: lints come after the others.
  auto settled = [&] {
    Json found;
    for (int pause = 0; pause < 3; ++pause) {
      client.clock.advance(std::chrono::seconds(1));
      for (Json each; !(each = client.next("textDocument/publishDiagnostics")).is_null();)
        found = each["diagnostics"];
    }
    return found;
  };
  Json published = settled();
  ASSERT_FALSE(published.empty());
  for (const Json& each : published) {
    const Json& note = each["relatedInformation"].back();
    EXPECT_EQ(note["message"], "in the launch V=1 num_warps=4 (cuda:90)");
    EXPECT_EQ(note["location"]["range"], range("launch"));
  }
  Json choice = document();
  choice["kernel"] = "copy";
  choice["specialization"] =
      request("gluond/specializations", document())["kernels"][0]["specializations"][1]["id"];
  request("gluond/selectSpecialization", choice);
  published = settled();
  ASSERT_FALSE(published.empty());
  for (const Json& each : published)
    EXPECT_FALSE(each.contains("relatedInformation")) << each;
}

TEST_F(FeatureTest, syntaxErrorsArePublishedWhileTyping) {
  open("import gluon\ndef f(:\n  pass\n");
  Json published = client.next("textDocument/publishDiagnostics");
  ASSERT_FALSE(published["diagnostics"].empty());
  EXPECT_EQ(published["diagnostics"][0]["severity"], 1);
  EXPECT_EQ(published["diagnostics"][0]["source"], "gluond");
  client.change(uri, "import gluon\ndef f():\n  pass\n", 2);
  EXPECT_EQ(client.next("textDocument/publishDiagnostics")["diagnostics"], Json::array());
}

// A file that ends anywhere, asked everything at its end: each request gets one answer, and no
// internal error.
TEST_F(FeatureTest, everythingIsAnsweredInHalfTypedCode) {
  MarkedSource whole(program);
  for (size_t length = 60; length < whole.text.size(); length += 5) {
    std::string doc = "file:///w/half.py";
    client.open(doc, whole.text.substr(0, length));
    text::SourceText now(whole.text.substr(0, length));
    text::Position end = now.position(now.size());
    Json position = {{"line", end.line}, {"character", end.character}};
    Json params = {{"textDocument", {{"uri", doc}}},
                   {"position", position},
                   {"positions", Json::array({position})},
                   {"newName", "other"},
                   {"query", ""}};
    params["range"] = {{"start", {{"line", 0}, {"character", 0}}}, {"end", position}};
    for (const char* method :
         {"textDocument/hover", "textDocument/completion", "textDocument/signatureHelp",
          "textDocument/definition", "textDocument/typeDefinition", "textDocument/references",
          "textDocument/documentHighlight", "textDocument/prepareRename", "textDocument/rename",
          "textDocument/inlayHint", "textDocument/codeAction", "textDocument/semanticTokens/full",
          "textDocument/selectionRange", "textDocument/foldingRange", "textDocument/documentSymbol",
          "textDocument/codeLens", "textDocument/prepareCallHierarchy", "workspace/symbol",
          "gluond/specializations"}) {
      Json answer = request(method, params);
      EXPECT_NE(errorCode(answer), static_cast<int>(ErrorCode::InternalError)) << method;
      EXPECT_NE(errorCode(answer), static_cast<int>(ErrorCode::InvalidParams)) << method << answer;
    }
    client.notify("textDocument/didClose", dumpJson(Json{{"textDocument", {{"uri", doc}}}}));
  }
}

// After any edits the diagnostics are those of a server that saw the final text only.
TEST_F(FeatureTest, randomEditsEndWhereAFreshServerBegins) {
  const std::string pieces[] = {"\n",
                                "(",
                                ")",
                                "  ",
                                "def f(x):\n  return x\n",
                                "x = [1, 2\n",
                                "'",
                                "\"\"\"",
                                ":",
                                "\t",
                                "\xf0\x9f\x98\x80",
                                "@gluon.jit\n",
                                "if x:\n",
                                "# c\n",
                                "\r\n",
                                "=",
                                "else:\n",
                                "return"};
  unsigned seed = 12345;
  auto random = [&seed](unsigned below) {
    return (seed = seed * 1103515245 + 12345) / 65536 % below;
  };
  for (int run = 0; run < 20; ++run) {
    std::string doc = "file:///w/random" + std::to_string(run) + ".py";
    std::string content =
        "import triton\n@gluon.jit\ndef kernel(x, BLOCK):\n  y = x + 1\n  return y\n";
    client.open(doc, content);
    Json published = client.next("textDocument/publishDiagnostics");
    text::SourceText now(content);
    for (int version = 2; version < 30; ++version) {
      text::Offset begin = random(now.size() + 1), end = std::min(now.size(), begin + random(6));
      begin = now.offset(now.position(begin)),
      end = now.offset(now.position(end)); // whole characters
      std::string insert = pieces[random(std::size(pieces))];
      auto position = [&](text::Offset offset) {
        text::Position p = now.position(offset);
        return Json{{"line", p.line}, {"character", p.character}};
      };
      Json change = {{"range", {{"start", position(begin)}, {"end", position(end)}}},
                     {"text", insert}};
      Json params = {{"textDocument", {{"uri", doc}, {"version", version}}},
                     {"contentChanges", Json::array({change})}};
      now = now.apply({{begin, end}, insert});
      client.notify("textDocument/didChange", dumpJson(params));
      if (random(3) == 0) client.server().settle(); // else overtaken
    }
    for (Json next = client.next("textDocument/publishDiagnostics"); !next.is_null();
         next = client.next("textDocument/publishDiagnostics"))
      published = next;
    TestServer fresh;
    fresh.initialize(plainPython);
    fresh.open(doc, now.text().str(), 29);
    EXPECT_EQ(dumpJson(published), dumpJson(fresh.next("textDocument/publishDiagnostics")))
        << now.text().str();
  }
}

} // namespace
} // namespace gluond::lsp
