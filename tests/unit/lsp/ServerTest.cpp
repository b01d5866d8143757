#include "TestServer.h"

namespace gluond::lsp {
namespace {

using namespace std::chrono_literals;

// A router with two requests of its own: "test/text" answers the document's text, "test/kept" as
// well but survives edits. Diagnostics say how long the text is.
Answer<Json> textOf(const PositionParams& params, const RequestContext& context) {
  auto file = context.snapshot.file(params.textDocument.uri.substr(7));
  if (!file) return tl::unexpected(ResponseError{ErrorCode::RequestFailed, "no such file"});
  return Json(file->text().text().str());
}

std::optional<Publication> lengthDiagnostic(const std::string& path, const RequestContext& context,
                                            bool) {
  auto file = context.snapshot.file(path);
  PublishDiagnosticsParams params{context.client.uri(path), file->version(), {}};
  params.diagnostics.emplace_back().message = std::to_string(file->text().size());
  return Publication{std::move(params), true};
}

std::function<void()> duringKept; // what happens while "test/kept" is being answered

Answer<Json> keptTextOf(const PositionParams& params, const RequestContext& context) {
  if (auto happen = std::exchange(duringKept, nullptr)) happen();
  return textOf(params, context);
}

Router testRouter() {
  Router router = makeRouter();
  router.request<PositionParams>("test/text", textOf);
  router.request<PositionParams>("test/kept", keptTextOf, OnEdit::Keep);
  router.diagnostics(lengthDiagnostic);
  return router;
}

constexpr const char* uri = "file:///w/a.py";
const std::string at =
    R"({"textDocument":{"uri":"file:///w/a.py"},"position":{"line":0,"character":0}})";

TEST(Server, lifecycle) {
  TestServer client;
  EXPECT_EQ(errorCode(client.request("textDocument/hover", "{}")),
            static_cast<int>(ErrorCode::ServerNotInitialized));
  client.notify("textDocument/didOpen", "{}"); // dropped
  Json result =
      client.request("initialize", R"({"processId":null,"rootUri":null,"capabilities":{}})");
  EXPECT_EQ(result["capabilities"]["positionEncoding"], "utf-16");
  EXPECT_EQ(result["serverInfo"]["name"], "gluond");
  EXPECT_EQ(errorCode(client.request("initialize", R"({"capabilities":{}})")),
            static_cast<int>(ErrorCode::InvalidRequest));
  EXPECT_EQ(errorCode(client.request("no/such", "{}")),
            static_cast<int>(ErrorCode::MethodNotFound));
  client.notify("no/such", "{}");
  client.notify("$/setTrace", R"({"value":"off"})");
  EXPECT_TRUE(client.request("shutdown", "null").is_null());
  EXPECT_EQ(errorCode(client.request("shutdown", "null")),
            static_cast<int>(ErrorCode::InvalidRequest));
  EXPECT_FALSE(client.server().exited());
  client.notify("exit", "null");
  EXPECT_TRUE(client.server().exited());
  EXPECT_EQ(client.server().exitCode(), 0);
}

TEST(Server, exitWithoutShutdownIsAFailure) {
  TestServer client;
  client.notify("exit", "null");
  EXPECT_TRUE(client.server().exited());
  EXPECT_EQ(client.server().exitCode(), 1);
}

TEST(Server, wrongInitializeMayBeTriedAgain) {
  TestServer client;
  EXPECT_EQ(errorCode(client.request("initialize", "[]")),
            static_cast<int>(ErrorCode::InvalidParams));
  EXPECT_TRUE(client.request("initialize", R"({"capabilities":{}})").contains("capabilities"));
}

TEST(Server, negotiatesUtf8) {
  TestServer client(testRouter());
  Json result = client.request(
      "initialize", R"({"capabilities":{"general":{"positionEncodings":["utf-16","utf-8"]}}})");
  EXPECT_EQ(result["capabilities"]["positionEncoding"], "utf-8");
  client.open(uri, "\xe2\x82\xac x");
  client.notify("textDocument/didChange",
                R"({"textDocument":{"uri":"file:///w/a.py","version":2},"contentChanges":
      [{"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":5}},"text":"y"}]})");
  EXPECT_EQ(client.request("test/text", at), "\xe2\x82\xac y");
}

TEST(Server, editsApplyInOrderInUtf16) {
  TestServer client(testRouter());
  client.initialize();
  client.open(uri, "a\xf0\x9f\x98\x80z\r\nb\n");
  client.notify("textDocument/didChange",
                R"({"textDocument":{"uri":"file:///w/a.py","version":2},"contentChanges":[
      {"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":4}},"text":"Z"},
      {"range":{"start":{"line":1,"character":0},"end":{"line":9,"character":9}},"text":"c"}]})");
  EXPECT_EQ(client.request("test/text", at), "a\xf0\x9f\x98\x80Z\r\nc");
}

TEST(Server, malformedParamsAreAnswered) {
  TestServer client(testRouter());
  client.initialize();
  Json reply = client.request("test/text", R"({"textDocument":{}})");
  EXPECT_EQ(errorCode(reply), static_cast<int>(ErrorCode::InvalidParams));
  EXPECT_EQ(reply["error"]["message"], "textDocument.uri: missing");
  client.notify("textDocument/didChange", "[1,2]");
  EXPECT_NE(client.next("window/logMessage")["message"].get<std::string>().find("didChange"),
            std::string::npos);
  client.change("file:///not/open.py", "x", 2);
  EXPECT_FALSE(client.next("window/logMessage").is_null());
}

TEST(Server, cancelledRequestSaysSo) {
  TestServer client(testRouter());
  client.initialize();
  client.open(uri, "x");
  int id = client.send("test/text", at);
  client.notify("$/cancelRequest", R"({"id":)" + std::to_string(id) + "}");
  EXPECT_EQ(errorCode(client.reply(id)), static_cast<int>(ErrorCode::RequestCancelled));
  client.notify("$/cancelRequest", R"({"id":99})");
  client.notify("$/cancelRequest", "{}");
  client.notify("$/cancelRequest", "[]");
}

TEST(Server, anEditDropsWhatItOvertakes) {
  TestServer client(testRouter());
  client.initialize();
  client.open(uri, "x");
  client.open("file:///w/b.py", "bb");
  int dropped = client.send("test/text", at), kept = client.send("test/kept", at);
  int other = client.send(
      "test/text",
      R"({"textDocument":{"uri":"file:///w/b.py"},"position":{"line":0,"character":0}})");
  client.change(uri, "yy", 2);
  EXPECT_EQ(errorCode(client.reply(dropped)), static_cast<int>(ErrorCode::ContentModified));
  EXPECT_EQ(client.reply(kept), "x"); // of the version it saw
  EXPECT_EQ(client.reply(other), "bb");
}

TEST(Server, aKeptRequestIsGivenUpWhenItsTextIsReplacedForLong) {
  TestServer client(testRouter());
  client.initialize();
  for (auto [late, isAnswered] :
       {std::pair(patienceWithKept / 2, true), {patienceWithKept, false}}) {
    client.open(uri, "x");
    duringKept = [&] {
      client.change(uri, "yy", 2);
      client.clock.advance(late);
      client.server().settle();
    };
    Json reply = client.request("test/kept", at);
    if (isAnswered)
      EXPECT_EQ(reply, "x");
    else
      EXPECT_EQ(errorCode(reply), static_cast<int>(ErrorCode::ContentModified));
  }
}

TEST(Server, oneIdOneAnswer) {
  TestServer client(testRouter());
  client.initialize();
  client.open(uri, "x");
  std::string message = R"({"id":"q","method":"test/text","params":)" + at + "}";
  client.server().receive(message);
  client.server().receive(message);
  client.server().settle();
  int results = 0, errors = 0;
  for (const std::string& sent : client.sent()) {
    Json json = *parseJson(sent);
    if (json.contains("id") && json["id"] == "q") ++(json.contains("error") ? errors : results);
  }
  EXPECT_EQ(results, 1);
  EXPECT_EQ(errors, 1);
}

TEST(Server, diagnosticsOfTheNewestVersionOnly) {
  TestServer client(testRouter());
  client.initialize();
  client.open(uri, "x");
  client.change(uri, "xy", 2);
  client.change(uri, "xyz", 3);
  Json published = client.next("textDocument/publishDiagnostics");
  EXPECT_EQ(published["version"], 3);
  EXPECT_EQ(published["diagnostics"][0]["message"], "3");
  EXPECT_TRUE(client.next("textDocument/publishDiagnostics").is_null());
}

TEST(Server, closingTakesDiagnosticsBack) {
  TestServer client(testRouter());
  client.initialize();
  client.open("file:///w/a%2Bb.py", "x");
  EXPECT_EQ(client.next("textDocument/publishDiagnostics")["uri"],
            "file:///w/a%2Bb.py"); // as the client spells it
  client.change("file:///w/a%2Bb.py", "xx", 2);
  client.notify("textDocument/didClose", R"({"textDocument":{"uri":"file:///w/a%2Bb.py"}})");
  Json published = client.next("textDocument/publishDiagnostics");
  EXPECT_EQ(published["diagnostics"], Json::array());
  EXPECT_TRUE(client.next("textDocument/publishDiagnostics").is_null());
}

TEST(Server, othersArePublishedOnlyWhenTheyDiffer) {
  TestServer client(testRouter());
  client.initialize();
  client.open(uri, "x");
  client.open("file:///w/b.py", "bb");
  EXPECT_FALSE(client.next("textDocument/publishDiagnostics").is_null());
  EXPECT_FALSE(client.next("textDocument/publishDiagnostics").is_null());
  client.change(uri, "xy", 2);
  EXPECT_EQ(client.next("textDocument/publishDiagnostics")["uri"], uri);
  EXPECT_TRUE(client.next("textDocument/publishDiagnostics").is_null()); // b.py says the same
}

// Costs ten (manual) milliseconds more than the server is willing to spend on each key.
ManualClock* slowClock = nullptr;
std::optional<Publication> slowDiagnostic(const std::string& path, const RequestContext& context,
                                          bool isQuick) {
  slowClock->advance(100ms);
  return lengthDiagnostic(path, context, isQuick);
}

TEST(Server, slowDiagnosticsWaitForAPauseInTyping) {
  Router router = testRouter();
  router.diagnostics(slowDiagnostic);
  TestServer client(std::move(router));
  slowClock = &client.clock;
  client.initialize();
  client.open(uri, "x");
  EXPECT_FALSE(
      client.next("textDocument/publishDiagnostics").is_null()); // the first is not delayed
  // Neither are the next two: opening says nothing about edits, and one slow edit little.
  client.change(uri, "xy", 2);
  EXPECT_EQ(client.next("textDocument/publishDiagnostics")["version"], 2);
  client.change(uri, "xyz", 3);
  EXPECT_EQ(client.next("textDocument/publishDiagnostics")["version"], 3);
  client.change(uri, "xy", 4);
  EXPECT_TRUE(client.next("textDocument/publishDiagnostics").is_null());
  client.clock.advance(100ms);
  EXPECT_EQ(client.next("textDocument/publishDiagnostics")["version"], 4);
}

// Quickly it knows half.
std::optional<Publication> halfDiagnostic(const std::string& path, const RequestContext& context,
                                          bool isQuick) {
  auto made = lengthDiagnostic(path, context, isQuick);
  made->isComplete = !isQuick;
  if (!isQuick) made->params.diagnostics.front().message += " in full";
  return made;
}

TEST(Server, aFullLookFollowsAQuickOneInAPause) {
  Router router = testRouter();
  router.diagnostics(halfDiagnostic);
  TestServer client(std::move(router));
  client.initialize();
  client.open(uri, "x");
  EXPECT_EQ(client.next("textDocument/publishDiagnostics")["diagnostics"][0]["message"], "1");
  client.change(uri, "xy", 2); // before the pause: the full look is dropped
  EXPECT_EQ(client.next("textDocument/publishDiagnostics")["diagnostics"][0]["message"], "2");
  EXPECT_TRUE(client.next("textDocument/publishDiagnostics").is_null());
  client.clock.advance(1s);
  EXPECT_EQ(client.next("textDocument/publishDiagnostics")["diagnostics"][0]["message"],
            "2 in full");
  EXPECT_TRUE(client.next("textDocument/publishDiagnostics").is_null());
}

TEST(Server, asksToWatchFilesWhereTheClientCan) {
  TestServer client;
  client.initialize(
      R"({"capabilities":{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}})");
  Json params = client.next("client/registerCapability");
  EXPECT_EQ(params["registrations"][0]["method"], "workspace/didChangeWatchedFiles");
  client.server().receive(R"({"jsonrpc":"2.0","id":"gluond-0","result":null})");
}

} // namespace
} // namespace gluond::lsp
