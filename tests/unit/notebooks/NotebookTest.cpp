#include "driver/notebooks/Magics.h"
#include "lsp/notebooks/NotebookTransport.h"
#include "unit/lsp/TestServer.h"

#include <gmock/gmock.h>

namespace gluond::lsp {
namespace {

// ---------------------------------------------------------------- magics

TEST(Magics, BecomePythonWithTheSameLines) {
  const std::pair<const char*, const char*> cases[] = {
      {"x = 1\n", "x = 1\n"},
      {"%matplotlib inline\nx = 1", "pass\nx = 1"},
      {"!pip install triton\n!!ls", "pass\npass"},
      {"if a:\n    !ls\n    %cd ..\nb = 2", "if a:\n    pass\n    pass\nb = 2"},
      {"files = !ls -l\ntime = %timeit -o f()", "files = get_ipython()\ntime = _        ; f()"},
      {"x.a, y[0] = !ls", "x.a, y[0] = get_ipython()"},
      {"%time y = f(1)", "if 1: y = f(1)"},
      {"%timeit -n 10 -r3 k[g](x)", "if             1: k[g](x)"},
      {"%prun -l 4 f(a=1)", "if      1: f(a=1)"},
      {"%timeit y = f()\n%timeit -n\n%timeit", "pass\npass\npass"},
      {"f?\nf.g??\n?f\n??f.g\n%time?", "pass\npass\npass\npass\npass"},
      {"%%time\nx = 1", "\nx = 1"},
      {"\n%%bash\nls\nx = (\n", "\n\n\n\n"},
      {"%%gluon --check\n@gluon.jit\ndef f(): pass", "\n@gluon.jit\ndef f(): pass"},
      {"!ls \\\n  -l\nx = 1", "pass\n\nx = 1"},
      // Not at the start of a statement:
      {"x = (a\n  % b\n  !=c)", "x = (a\n  % b\n  !=c)"},
      {"s = '''\n%magic\n!ls\n'''", "s = '''\n%magic\n!ls\n'''"},
      {"s = 'it\\'s [' \n%magic", "s = 'it\\'s [' \npass"},
      {"x = a \\\n  % b", "x = a \\\n  % b"},
      {"# (\n%magic", "# (\npass"},
      {"x == !1", "x == !1"}, // neither Python nor IPython
      {"a != b", "a != b"},
      {"x = 1 % 2", "x = 1 % 2"},
      {"%%time\r\n%cd x\r\ny = 1\r\n", "\r\npass\r\ny = 1\r\n"},
      {"", ""},
      {"x)\n%magic", "x)\npass"},
  };
  for (auto [cell, python] : cases) {
    EXPECT_EQ(driver::withoutMagics(cell), python) << cell;
    EXPECT_EQ(text::SourceText(cell).lineCount(),
              text::SourceText(driver::withoutMagics(cell)).lineCount())
        << cell;
  }
}

// ---------------------------------------------------------------- a client with a notebook

// A client and a server with the translation between them.
class NotebookClient {
public:
  explicit NotebookClient(std::string_view initialize = R"({"capabilities":{}})") {
    capabilities = request("initialize", std::string(initialize))["capabilities"];
    notify("initialized", "{}");
  }
  Json capabilities;

  void notify(std::string_view method, const std::string& params) {
    pass(R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":)" + params + "}");
  }
  Json request(std::string_view method, const std::string& params) {
    std::string id = std::to_string(nextId_++);
    pass(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + std::string(method) +
         R"(","params":)" + params + "}");
    for (const Json& message : receive())
      if (message.contains("id") && message["id"].dump() == id)
        return message.contains("error") ? Json{{"error", message["error"]}} : message["result"];
    return "no answer";
  }
  // The last published diagnostics of a document; null if there are none since the last call.
  Json published(const std::string& uri) {
    receive();
    Json found;
    for (auto it = notifications_.begin(); it != notifications_.end();) {
      if ((*it)["method"] == "textDocument/publishDiagnostics" && (*it)["params"]["uri"] == uri) {
        found = (*it)["params"]["diagnostics"];
        it = notifications_.erase(it);
      } else {
        ++it;
      }
    }
    return found;
  }

  static Json item(const std::string& uri, const std::string& text,
                   const char* language = "python") {
    return {{"uri", uri}, {"languageId", language}, {"version", 1}, {"text", text}};
  }
  void open(const std::vector<Json>& items) {
    Json cells = Json::array();
    for (const Json& each : items)
      cells.push_back({{"kind", 2}, {"document", each["uri"]}});
    notify("notebookDocument/didOpen", dumpJson({{"notebookDocument",
                                                  {{"uri", notebook},
                                                   {"notebookType", "jupyter-notebook"},
                                                   {"version", 1},
                                                   {"cells", cells}}},
                                                 {"cellTextDocuments", items}}));
  }
  void change(const Json& cells) {
    notify("notebookDocument/didChange",
           dumpJson({{"notebookDocument", {{"uri", notebook}, {"version", 2}}},
                     {"change", {{"cells", cells}}}}));
  }
  void changeText(const std::string& uri, const Json& change) {
    Json changes = Json::array({change});
    Json content = {{"document", {{"uri", uri}, {"version", 2}}}, {"changes", changes}};
    this->change({{"textContent", Json::array({content})}});
  }
  static std::string at(const std::string& uri, int line, int character) {
    return dumpJson({{"textDocument", {{"uri", uri}}},
                     {"position", {{"line", line}, {"character", character}}}});
  }
  static std::string document(const std::string& uri) {
    return dumpJson({{"textDocument", {{"uri", uri}}}});
  }

  static constexpr const char* notebook = "file:///n/x.ipynb";

private:
  void pass(std::string message) {
    for (const std::string& each : notebooks_.fromClient(std::move(message)))
      server_.server().receive(each);
  }
  std::vector<Json> receive() {
    server_.server().settle();
    std::vector<Json> responses;
    for (std::string& message : server_.sent())
      for (const std::string& each : notebooks_.fromServer(std::move(message))) {
        Json json = *parseJson(each);
        (json.contains("method") ? notifications_ : responses).push_back(json);
      }
    server_.sent().clear();
    return responses;
  }

  Notebooks notebooks_;
  TestServer server_;
  std::vector<Json> notifications_;
  int nextId_ = 1;
};

const std::string first = "vscode-notebook-cell:/n/x.ipynb#W0", second = first + "1",
                  third = first + "2", note = first + "3";

const char* const imports = "%load_ext gluond\n"
                            "from triton.experimental import gluon\n"
                            "from triton.experimental.gluon import language as gl\n";
const char* const kernel = "@gluon.jit\n"
                           "def double(x, n, BLOCK: gl.constexpr):\n"
                           "    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])\n"
                           "    i = gl.arange(0, BLOCK, layout=layout)\n"
                           "    v = gl.load(x + i, mask=i < n)\n"
                           "    gl.store(x + i, v * 2, mask=i < n)\n";
const char* const launch = "import torch\n"
                           "x = torch.empty(100, device='cuda')\n"
                           "double[(1,)](x, 100, 128)";

class NotebookTest : public testing::Test {
protected:
  void SetUp() override {
    client.open({NotebookClient::item(first, imports),
                 NotebookClient::item(note, "# Not ( Python", "markdown"),
                 NotebookClient::item(second, kernel), NotebookClient::item(third, launch)});
  }
  NotebookClient client;
};

TEST_F(NotebookTest, IsOffered) {
  EXPECT_EQ(client.capabilities["notebookDocumentSync"]["notebookSelector"][0]["notebook"], "*");
}

TEST_F(NotebookTest, CellsAreOneProgram) {
  for (const std::string& cell : {first, second, third})
    EXPECT_EQ(client.published(cell), Json::array()) << cell;
  EXPECT_EQ(client.published(note), Json());
  Json hover = client.request("textDocument/hover", NotebookClient::at(second, 4, 4));
  EXPECT_THAT(hover["contents"]["value"].get<std::string>(), testing::HasSubstr("float32[128]"));
  EXPECT_EQ(hover["range"]["start"]["line"], 4);
  Json definition = client.request("textDocument/definition", NotebookClient::at(third, 2, 2));
  EXPECT_EQ(definition[0]["uri"], second);
  EXPECT_EQ(definition[0]["range"]["start"]["line"], 1);
}

TEST_F(NotebookTest, FindingsAreInTheirCell) {
  client.changeText(second, {{"range",
                              {{"start", {{"line", 4}, {"character", 11}}},
                               {"end", {{"line", 4}, {"character", 15}}}}},
                             {"text", "lod"}});
  Json found = client.published(second);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["range"]["start"], (Json{{"line", 4}, {"character", 8}}));
  EXPECT_EQ(client.published(first), Json::array());

  // The fix is an edit of the cell.
  Json actions =
      client.request("textDocument/codeAction", dumpJson({{"textDocument", {{"uri", second}}},
                                                          {"range", found[0]["range"]},
                                                          {"context", {{"diagnostics", found}}}}));
  ASSERT_FALSE(actions.empty());
  ASSERT_TRUE(actions[0]["edit"]["changes"].contains(second)) << actions;
  Json edit = actions[0]["edit"]["changes"][second][0];
  EXPECT_EQ(edit["range"]["start"]["line"], 4);
  client.changeText(second, {{"range", edit["range"]}, {"text", edit["newText"]}});
  EXPECT_EQ(client.published(second), Json::array());
}

TEST_F(NotebookTest, ListsHoldTheCellsOwn) {
  Json symbols = client.request("textDocument/documentSymbol", NotebookClient::document(second));
  ASSERT_EQ(symbols.size(), 1u);
  EXPECT_EQ(symbols[0]["name"], "double");
  EXPECT_EQ(symbols[0]["selectionRange"]["start"]["line"], 1);
  Json lenses = client.request("textDocument/codeLens", NotebookClient::document(second));
  ASSERT_FALSE(lenses.empty());
  EXPECT_EQ(lenses[0]["command"]["arguments"][0], second);
  EXPECT_TRUE(client.request("textDocument/codeLens", NotebookClient::document(first)).empty());
  Json folds = client.request("textDocument/foldingRange", NotebookClient::document(second));
  ASSERT_EQ(folds.size(), 1u);
  EXPECT_EQ(folds[0]["startLine"], 1);
  EXPECT_EQ(folds[0]["endLine"], 5);
  Json kernels = client.request("gluond/specializations", NotebookClient::document(second));
  ASSERT_EQ(kernels["kernels"].size(), 1u);
  EXPECT_EQ(kernels["kernels"][0]["range"]["start"]["line"], 1);
  EXPECT_EQ(kernels["kernels"][0]["specializations"][0]["source"]["uri"], third);
  EXPECT_EQ(kernels["kernels"][0]["specializations"][0]["source"]["range"]["start"]["line"], 2);
  EXPECT_EQ(kernels["version"], 1);
}

TEST_F(NotebookTest, TokensCountFromTheCell) {
  Json data =
      client.request("textDocument/semanticTokens/full", NotebookClient::document(second))["data"];
  ASSERT_GT(data.size(), 10u);
  uint32_t line = 0;
  for (size_t i = 0; i < data.size(); i += 5)
    line += data[i].get<uint32_t>();
  EXPECT_LE(line, 5u);
  // A difference to the notebook's tokens would be none to the cell's.
  Json delta =
      client.request("textDocument/semanticTokens/full/delta",
                     dumpJson({{"textDocument", {{"uri", second}}}, {"previousResultId", "1"}}));
  EXPECT_EQ(delta["data"], data);
}

TEST_F(NotebookTest, RenamingReachesOtherCells) {
  Json params = *parseJson(NotebookClient::at(second, 1, 5));
  params["newName"] = "twice";
  Json changes = client.request("textDocument/rename", dumpJson(params))["changes"];
  ASSERT_EQ(changes.size(), 2u) << changes;
  EXPECT_EQ(changes[second][0]["range"]["start"]["line"], 1);
  EXPECT_EQ(changes[third][0]["range"]["start"]["line"], 2);
}

TEST_F(NotebookTest, LinesOfTheIRAreTheCells) {
  Json ir = client.request(
      "gluond/stageIR",
      dumpJson({{"textDocument", {{"uri", second}}}, {"kernel", "double"}, {"stage", "ttgir"}}));
  ASSERT_FALSE(ir["lines"].empty()) << ir;
  for (const Json& line : ir["lines"]) {
    EXPECT_EQ(line["uri"], second);
    EXPECT_LE(line["sourceLine"].get<uint32_t>(), 5u);
  }
}

TEST_F(NotebookTest, PanelsShowTheValuesOfACell) {
  Json map = client.request("gluond/layoutMap", NotebookClient::at(second, 5, 15)); // `x + i`
  ASSERT_TRUE(map.contains("value")) << map;
  EXPECT_EQ(map["value"], "x + i");
  EXPECT_EQ(map["range"]["start"], (Json{{"line", 5}, {"character", 13}}));
  EXPECT_EQ(map["elementBits"], 64); // of a pointer
  EXPECT_EQ(map["source"]["uri"], second);
  EXPECT_EQ(map["source"]["range"]["start"]["line"], 2);
}

TEST_F(NotebookTest, CellsComeGoAndMove) {
  client.published(second);
  // The launch goes to the front, where its kernel is not defined yet, and the note goes away.
  client.change({{"structure",
                  {{"array",
                    {{"start", 0},
                     {"deleteCount", 4},
                     {"cells", Json::array({{{"kind", 2}, {"document", third}},
                                            {{"kind", 2}, {"document", first}},
                                            {{"kind", 2}, {"document", second}}})}}}}}});
  Json definition = client.request("textDocument/definition", NotebookClient::at(third, 2, 2));
  EXPECT_EQ(definition[0]["uri"], second);
  EXPECT_EQ(definition[0]["range"]["start"]["line"], 1);
  EXPECT_NE(client.published(second), Json());

  // A new cell with a mistake, then it is deleted: its finding goes, too.
  const std::string added = first + "9";
  client.change({{"structure",
                  {{"array",
                    {{"start", 3},
                     {"deleteCount", 0},
                     {"cells", Json::array({{{"kind", 2}, {"document", added}}})}}},
                   {"didOpen", Json::array({NotebookClient::item(added, "x = = 1\n")})}}}});
  ASSERT_EQ(client.published(added).size(), 1u);
  client.change({{"structure", {{"array", {{"start", 3}, {"deleteCount", 1}}}}}});
  EXPECT_EQ(client.published(added), Json::array());
}

TEST_F(NotebookTest, ClosingClearsItsFindings) {
  client.changeText(second, {{"text", "x = = 1\n"}});
  EXPECT_EQ(client.published(second).size(), 1u);
  client.notify("notebookDocument/didClose",
                dumpJson({{"notebookDocument", {{"uri", NotebookClient::notebook}}},
                          {"cellTextDocuments", Json::array()}}));
  EXPECT_EQ(client.published(second), Json::array());
}

TEST_F(NotebookTest, StrangeMessagesChangeNothing) {
  for (const char* method : {"notebookDocument/didOpen", "notebookDocument/didChange",
                             "notebookDocument/didClose", "notebookDocument/didSave"})
    for (
        const char* params :
        {"null", "[]", "{}", R"({"notebookDocument":{"uri":7}})",
         R"({"notebookDocument":{"uri":"file:///n/x.ipynb"},"change":{"cells":{"structure":{"array":{"start":4000000000,"deleteCount":4000000000,"cells":[{"document":"?"}]}}}}})",
         R"({"notebookDocument":{"uri":"file:///n/x.ipynb"},"change":{"cells":{"textContent":[{"document":{"uri":"?","version":1},"changes":[]}]}}})"})
      client.notify(method, params);
  Json hover = client.request("textDocument/hover", NotebookClient::at(second, 4, 4));
  // didClose of `{"uri": "file:///n/x.ipynb"}` closed it, so that the cell is not known any more.
  EXPECT_TRUE(hover.contains("error")) << hover;
}

} // namespace
} // namespace gluond::lsp
