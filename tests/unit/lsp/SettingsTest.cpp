// Settings, workspaces and what a client may ask of the server as a whole.
#include "TestServer.h"

#include <llvm/Support/FileSystem.h>

#include <filesystem>
#include <fstream>

namespace gluond::lsp {
namespace {

constexpr const char* uri = "file:///w/a.py";
const std::string broken = "from triton.experimental import gluon\n@gluon.jit\ndef k(x:\n  pass\n";
const std::string fine = "from triton.experimental import gluon\n# gluond: launch(x=\"i32\")\n"
                         "@gluon.jit\ndef k(x):\n  pass\n";

class Folder {
public:
  Folder() {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("gluond-lsp", path));
    path_ = std::filesystem::canonical(path.str().str());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::path path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  std::string path() const { return path_.string(); }
  std::string uri(const std::string& name = "") const {
    return "file://" + (path_ / name).string();
  }

private:
  std::filesystem::path path_;
};

std::string params(const Json& json) {
  return dumpJson(json);
}
Json document(const std::string& uri) {
  return {{"textDocument", {{"uri", uri}}}};
}

TEST(Settings, positionsInUtf32) {
  TestServer client;
  client.initialize(
      R"({"capabilities":{"general":{"positionEncodings":["utf-32"]}},"initializationOptions":{"plainPython":true}})");
  // U+1F600 is one character, as is U+20AC.
  client.open(uri, "s = '\xf0\x9f\x98\x80\xe2\x82\xac'; value = 1; value\n");
  Json at = document(uri);
  at["position"] = {{"line", 0}, {"character", 22}};
  Json found = client.request("textDocument/definition", params(at));
  ASSERT_EQ(found.size(), 1u) << found;
  EXPECT_EQ(found[0]["range"]["start"]["character"], 10);
  EXPECT_EQ(found[0]["range"]["end"]["character"], 15);
}

TEST(Settings, pulledDiagnosticsAreNotPublished) {
  TestServer client;
  Json result = client.request(
      "initialize",
      R"({"capabilities":{"textDocument":{"diagnostic":{}},"workspace":{"diagnostics":{"refreshSupport":true}}}})");
  EXPECT_TRUE(result["capabilities"].contains("diagnosticProvider"));
  client.notify("initialized", "{}");
  client.open(uri, broken);
  EXPECT_TRUE(client.next("textDocument/publishDiagnostics").is_null());
  Json report = client.request("textDocument/diagnostic", params(document(uri)));
  EXPECT_EQ(report["kind"], "full");
  EXPECT_FALSE(report["items"].empty());
  Json again = document(uri);
  again["previousResultId"] = report["resultId"];
  EXPECT_EQ(client.request("textDocument/diagnostic", params(again))["kind"], "unchanged");
  client.change(uri, fine, 2);
  report = client.request("textDocument/diagnostic", params(again));
  EXPECT_EQ(report["kind"], "full");
  EXPECT_TRUE(report["items"].empty()) << report;
  client.notify("textDocument/didClose", params(document(uri)));
  EXPECT_TRUE(client.next("textDocument/publishDiagnostics").is_null());
}

TEST(Settings, publishedToAClientThatDoesNotPull) {
  TestServer client;
  Json result = client.request("initialize", R"({"capabilities":{}})");
  EXPECT_FALSE(result["capabilities"].contains("diagnosticProvider"));
  client.open(uri, broken);
  EXPECT_FALSE(client.next("textDocument/publishDiagnostics").is_null());
}

TEST(Settings, workspaceDiagnosticsWithProgress) {
  Folder folder;
  folder.write("kernels/bad.py", broken);
  folder.write("kernels/good.py", fine);
  folder.write("plain.py", "def f(:\n");
  folder.write(".venv/lib/other.py", broken);
  TestServer client;
  Json init = {{"capabilities", {{"textDocument", {{"diagnostic", Json::object()}}}}},
               {"rootUri", folder.uri()}};
  client.initialize(params(init));
  int id = client.send("workspace/diagnostic", R"({"previousResultIds":[],"workDoneToken":"t"})");
  Json report = client.reply(id);
  ASSERT_EQ(report["items"].size(), 1u) << report;
  EXPECT_EQ(report["items"][0]["uri"], folder.uri("kernels/bad.py"));
  EXPECT_TRUE(report["items"][0]["version"].is_null());
  std::vector<std::string> kinds;
  for (Json each = client.next("$/progress"); !each.is_null(); each = client.next("$/progress")) {
    EXPECT_EQ(each["token"], "t");
    kinds.push_back(each["value"]["kind"]);
  }
  ASSERT_GE(kinds.size(), 2u);
  EXPECT_EQ(kinds.front(), "begin");
  EXPECT_EQ(kinds.back(), "end");
  // What was told and is gone is taken back.
  Json previous = {
      {"previousResultIds",
       {{{"uri", folder.uri("kernels/bad.py")}, {"value", report["items"][0]["resultId"]}},
        {{"uri", folder.uri("deleted.py")}, {"value", "1"}}}}};
  report = client.request("workspace/diagnostic", params(previous));
  ASSERT_EQ(report["items"].size(), 2u) << report;
  EXPECT_EQ(report["items"][0]["kind"], "unchanged");
  EXPECT_TRUE(report["items"][1]["items"].empty());
}

TEST(Settings, cancelledWhileWaiting) {
  TestServer client;
  client.initialize();
  client.open(uri, fine);
  int id = client.send("textDocument/documentSymbol", params(document(uri)));
  client.notify("$/cancelRequest", params({{"id", id}}));
  EXPECT_EQ(errorCode(client.reply(id)), static_cast<int>(ErrorCode::RequestCancelled));
}

const std::string kernel = "import torch\nfrom triton.experimental import gluon\n"
                           "from triton.experimental.gluon import language as gl\n"
                           "@gluon.jit\ndef k(p, n):\n  x = gl.program_id(0)\n  y = x + n\n";

Json hints(TestServer& client, const std::string& uri) {
  Json request = document(uri);
  request["range"] = {{"start", {{"line", 0}, {"character", 0}}},
                      {"end", {{"line", 99}, {"character", 0}}}};
  return client.request("textDocument/inlayHint", params(request));
}
std::string target(TestServer& client, const std::string& uri) {
  Json kernels = client.request("gluond/specializations", params(document(uri)))["kernels"];
  return kernels.empty() ? "" : kernels[0]["specializations"][0]["target"].get<std::string>();
}

TEST(Settings, fromProjectsAndTheEditor) {
  Folder folder;
  folder.write("one/pyproject.toml",
               "[project]\nname = 'x'\n[tool.gluond]\ntarget = \"cuda:100\"\n");
  folder.write("two/pyproject.toml",
               "[tool.gluond]\ntarget = 'hip:gfx942'\nwrong = 1\n"
               "[tool.gluond.inlay-hints]\ntypes = false\nparameters = false\n");
  TestServer client;
  Json init = {{"capabilities", Json::object()},
               {"workspaceFolders",
                {{{"uri", folder.uri("one")}, {"name", "one"}},
                 {{"uri", folder.uri("two")}, {"name", "two"}}}}};
  client.initialize(params(init));
  // What is wrong in a pyproject.toml is shown there, open or not.
  Json told;
  do
    told = client.next("textDocument/publishDiagnostics");
  while (!told.is_null() && told["uri"] != folder.uri("two/pyproject.toml"));
  ASSERT_FALSE(told.is_null());
  ASSERT_EQ(told["diagnostics"].size(), 1u) << told;
  EXPECT_EQ(told["diagnostics"][0]["message"], "unknown setting 'wrong'");
  EXPECT_EQ(told["diagnostics"][0]["range"]["start"], (Json{{"line", 2}, {"character", 0}}));
  for (const char* name : {"one/a.py", "two/a.py", "a.py"})
    client.open(folder.uri(name), kernel);
  EXPECT_EQ(target(client, folder.uri("one/a.py")), "cuda:100");
  EXPECT_EQ(target(client, folder.uri("two/a.py")), "hip:gfx942");
  EXPECT_EQ(target(client, folder.uri("a.py")), "cuda:90");
  EXPECT_FALSE(hints(client, folder.uri("one/a.py")).empty());
  EXPECT_TRUE(hints(client, folder.uri("two/a.py")).empty());

  // The editor wins; what it takes back is the project's again.
  client.notify("workspace/didChangeConfiguration",
                R"({"settings":{"gluond":{"target":"cuda:80","inlayHints":{"types":true}}}})");
  EXPECT_EQ(target(client, folder.uri("one/a.py")), "cuda:80");
  EXPECT_FALSE(hints(client, folder.uri("two/a.py")).empty());
  client.notify("workspace/didChangeConfiguration", R"({"settings":{"gluond":{"target":null}}})");
  EXPECT_EQ(target(client, folder.uri("one/a.py")), "cuda:100");

  // Saved: read again.
  folder.write("one/pyproject.toml", "[tool.gluond]\ntarget = \"cuda:120\"\n");
  client.notify("workspace/didChangeWatchedFiles",
                params({{"changes", {{{"uri", folder.uri("one/pyproject.toml")}, {"type", 2}}}}}));
  EXPECT_EQ(target(client, folder.uri("one/a.py")), "cuda:120");
}

TEST(Settings, askedForWhereTheClientCanTell) {
  TestServer client;
  client.initialize(
      R"({"capabilities":{"workspace":{"configuration":true,"inlayHint":{"refreshSupport":true}}}})");
  client.open(uri, kernel);
  Json asked = client.next("workspace/configuration");
  ASSERT_FALSE(asked.is_null());
  EXPECT_EQ(asked["items"][0]["section"], "gluond");
  client.server().receive(
      R"({"jsonrpc":"2.0","id":"gluond-0","result":[{"target":"cuda:100","nonsense":1,"lints":"x"}]})");
  EXPECT_EQ(target(client, uri), "cuda:100");
  EXPECT_FALSE(client.next("window/logMessage").is_null());
  EXPECT_FALSE(client.next("window/logMessage").is_null());
  bool isRefreshed = false;
  for (const std::string& message : client.sent())
    isRefreshed |= message.find("workspace/inlayHint/refresh") != std::string::npos;
  EXPECT_TRUE(isRefreshed);
  // Answers nobody waits for, and refusals, change nothing.
  client.server().receive(R"({"jsonrpc":"2.0","id":"gluond-77","result":[{"target":"x"}]})");
  client.server().receive(R"({"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"no"}})");
  EXPECT_EQ(target(client, uri), "cuda:100");
}

TEST(Settings, workspaceFoldersComeAndGo) {
  Folder folder;
  folder.write("one/lib.py", "# gluon\ndef shared(): pass\n");
  TestServer client;
  client.initialize();
  EXPECT_TRUE(client.request("workspace/symbol", R"({"query":"shared"})").empty());
  Json added = {
      {"event",
       {{"added", {{{"uri", folder.uri("one")}, {"name", "one"}}}}, {"removed", Json::array()}}}};
  client.notify("workspace/didChangeWorkspaceFolders", params(added));
  EXPECT_EQ(client.request("workspace/symbol", R"({"query":"shared"})").size(), 1u);
  Json removed = {
      {"event",
       {{"removed", {{{"uri", folder.uri("one")}, {"name", "one"}}}}, {"added", Json::array()}}}};
  client.notify("workspace/didChangeWorkspaceFolders", params(removed));
  EXPECT_TRUE(client.request("workspace/symbol", R"({"query":"shared"})").empty());
}

TEST(Settings, plainPythonIsLeftToOthers) {
  TestServer client;
  client.initialize();
  client.open(uri, "def f(x:\n  return x\nf(1)\n");
  Json published = client.next("textDocument/publishDiagnostics");
  EXPECT_TRUE(published.is_null() || published["diagnostics"].empty()) << published;
  Json at = document(uri);
  at["position"] = {{"line", 2}, {"character", 0}};
  for (const char* method :
       {"textDocument/hover", "textDocument/definition", "textDocument/prepareRename",
        "textDocument/documentHighlight", "textDocument/signatureHelp"})
    EXPECT_TRUE(client.request(method, params(at)).is_null()) << method;
  EXPECT_TRUE(client.request("textDocument/completion", params(at))["items"].empty());
  for (const char* method :
       {"textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/codeLens"})
    EXPECT_TRUE(client.request(method, params(document(uri))).empty()) << method;
  // A file of Gluon's: its kernels are ours, its host code is not.
  client.open("file:///w/b.py", kernel + "def host(first):\n  return first\nhost(1)\n");
  Json host = document("file:///w/b.py");
  host["position"] = {{"line", 9}, {"character", 1}};
  EXPECT_TRUE(client.request("textDocument/hover", params(host)).is_null());
  EXPECT_FALSE(
      client.request("textDocument/documentSymbol", params(document("file:///w/b.py"))).empty());
  client.notify("workspace/didChangeConfiguration", R"({"settings":{"besidePython":true}})");
  EXPECT_TRUE(
      client.request("textDocument/documentSymbol", params(document("file:///w/b.py"))).empty());
}

// Every token is five numbers; what they say is put back together here.
struct Decoded {
  uint32_t line, start, length;
  std::string type;
  uint32_t modifiers;
};
std::vector<Decoded> decodeTokens(const Json& data, const Json& legend) {
  std::vector<Decoded> tokens;
  uint32_t line = 0, start = 0;
  for (size_t i = 0; i + 4 < data.size(); i += 5) {
    if (data[i] != 0) start = 0;
    line += data[i].get<uint32_t>();
    start += data[i + 1].get<uint32_t>();
    tokens.push_back(
        {line, start, data[i + 2], legend["tokenTypes"][data[i + 3].get<size_t>()], data[i + 4]});
  }
  return tokens;
}

TEST(SemanticTokens, kernelsTensorsMemoryAndConstants) {
  TestServer client;
  Json init = client.request("initialize", R"({"capabilities":{}})");
  Json legend = init["capabilities"]["semanticTokensProvider"]["legend"];
  const std::string text = "from triton.experimental import gluon\nfrom triton.experimental.gluon "
                           "import language as gl\n"
                           "@gluon.jit\ndef k(p, B: gl.constexpr):\n"
                           "  parent: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])\n"
                           "  shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])\n"
                           "  rows = gl.arange(0, 128, layout=parent)\n"
                           "  smem = gl.allocate_shared_memory(gl.int32, [128], shared)\n"
                           "  smem.store(rows)\n"
                           "# gluond: launch(p=\"*fp32\", B=128)\n";
  client.open(uri, text);
  Json full = client.request("textDocument/semanticTokens/full", params(document(uri)));
  std::map<std::pair<uint32_t, uint32_t>, Decoded> at;
  for (const Decoded& token : decodeTokens(full["data"], legend))
    at.emplace(std::pair(token.line, token.start), token);
  auto type = [&](uint32_t line, uint32_t start) {
    auto it = at.find({line, start});
    return it == at.end() ? std::string("none") : it->second.type;
  };
  EXPECT_EQ(type(3, 4), "kernel");
  EXPECT_EQ(type(4, 2), "layout");
  EXPECT_EQ(type(4, 28), "layout"); // BlockedLayout
  EXPECT_EQ(type(6, 2), "tensor");
  EXPECT_EQ(type(6, 9), "namespace"); // gl
  EXPECT_EQ(type(6, 12), "function");
  EXPECT_EQ(type(7, 2), "sharedMemory");
  EXPECT_EQ(type(8, 2), "sharedMemory");
  EXPECT_EQ(type(8, 7), "method");
  EXPECT_EQ(type(8, 13), "tensor");

  // An edit in front moves everything: the difference is small.
  client.change(uri, "\n" + text, 2);
  Json delta = document(uri);
  delta["previousResultId"] = full["resultId"];
  Json changed = client.request("textDocument/semanticTokens/full/delta", params(delta));
  ASSERT_TRUE(changed.contains("edits")) << changed;
  Json data = full["data"];
  for (const Json& edit : changed["edits"]) {
    auto from = data.begin() + edit["start"].get<long>();
    from = data.erase(from, from + edit["deleteCount"].get<long>());
    data.insert(from, edit["data"].begin(), edit["data"].end());
  }
  EXPECT_EQ(data,
            client.request("textDocument/semanticTokens/full", params(document(uri)))["data"]);
  // An id that is not known any more gets everything.
  EXPECT_TRUE(
      client.request("textDocument/semanticTokens/full/delta", params(delta)).contains("data"));
  Json range = document(uri);
  range["range"] = {{"start", {{"line", 7}, {"character", 0}}},
                    {"end", {{"line", 8}, {"character", 0}}}};
  for (const Decoded& token : decodeTokens(
           client.request("textDocument/semanticTokens/range", params(range))["data"], legend))
    EXPECT_EQ(token.line, 7u);
}

} // namespace
} // namespace gluond::lsp
