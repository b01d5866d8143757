// What the supervisor reads and remembers; how it replaces workers is in
// tests/cli/test_supervisor.py.
#include "lsp/protocol/Rpc.h"
#include "lsp/supervisor/MessageHead.h"
#include "lsp/supervisor/SessionReplay.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace gluond::lsp {
namespace {

TEST(MessageHead, ofEachKind) {
  MessageHead head = headOf(R"({"jsonrpc":"2.0","id":5,"method":"a/b","params":{"id":6}})");
  EXPECT_EQ(head.id, "5");
  EXPECT_EQ(head.method, "a/b");
  EXPECT_TRUE(head.isRequest() && head.isWhole && !head.isResponse);
  head = headOf(" { \"params\" : [1, {\"method\": \"x\"}, \"]}\\\"\"] , \"method\" : \"n\" } ");
  EXPECT_EQ(head.method, "n");
  EXPECT_TRUE(head.isNotification() && head.isWhole);
  head = headOf(R"({"id":"a","result":null})");
  EXPECT_EQ(head.id, "\"a\"");
  EXPECT_TRUE(head.isResponse && head.isWhole);
}

TEST(MessageHead, ofNonsense) {
  for (const char* text : {"", "{", "[1]", "{\"id\"", "{\"id\":", "{\"id\":\"", "{\"id\":\"\\",
                           "{\"a\":[[[", "{\"id\":1}}", "{\"id\":1}Content-Length: 5", "\xff\xfe"})
    EXPECT_FALSE(headOf(text).isWhole) << text;
  EXPECT_EQ(headOf(R"({"id":7}Content-Length: 5)").id, "7");
  EXPECT_TRUE(headOf(R"({"id":1,"method":"a\u0062"})").method.empty());
  std::string deep(1 << 20, '[');
  EXPECT_FALSE(headOf("{\"params\":" + deep).isWhole);
}

TEST(MessageHead, ofOurs) {
  // A head refers to its message.
  std::string message = makeResult(5, {{"method", "x"}});
  MessageHead head = headOfOurs(message);
  EXPECT_EQ(head.id, "5");
  EXPECT_TRUE(head.isResponse && head.method.empty());
  message = makeRequest("gluond-1", "client/registerCapability", Json::object());
  head = headOfOurs(message);
  EXPECT_EQ(head.id, "\"gluond-1\"");
  EXPECT_EQ(head.method, "client/registerCapability");
  message = makeError(nullptr, {ErrorCode::ParseError, "x"});
  head = headOfOurs(message);
  EXPECT_TRUE(head.isResponse);
}

class MemoryTest : public testing::Test {
protected:
  void say(const char* method, Json params, Json id = nullptr) {
    std::string message =
        id.is_null() ? makeNotification(method, params) : makeRequest(id, method, params);
    replay.fromClient(headOf(message), message);
  }
  void edit(int line, int from, int to, std::string text, int version) {
    say("textDocument/didChange",
        {{"textDocument", {{"uri", "file:///a.py"}, {"version", version}}},
         {"contentChanges",
          {{{"range",
             {{"start", {{"line", line}, {"character", from}}},
              {"end", {{"line", line}, {"character", to}}}}},
            {"text", text}}}}});
  }
  std::vector<Json> replayed(bool wasAnswered = true) {
    std::vector<Json> messages;
    for (const std::string& each : replay.replay(wasAnswered))
      messages.push_back(*parseJson(each));
    return messages;
  }
  void begin() {
    say("initialize", {{"processId", 42}, {"capabilities", Json::object()}}, 1);
    say("initialized", Json::object());
    say("textDocument/didOpen", {{"textDocument",
                                  {{"uri", "file:///a.py"},
                                   {"languageId", "python"},
                                   {"version", 1},
                                   {"text", "a = '\xf0\x9f\x98\x80' + b\nc\n"}}}});
  }
  SessionReplay replay;
};

TEST_F(MemoryTest, nothingSaidNothingReplayed) {
  EXPECT_TRUE(replayed().empty());
}

TEST_F(MemoryTest, documentsAsTheyAreNow) {
  begin();
  EXPECT_EQ(replay.clientProcess(), 42);
  edit(0, 11, 12, "xyz", 2); // UTF-16, as long as nothing else is agreed on
  edit(1, 0, 1, "", 3);
  auto messages = replayed();
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0]["method"], "initialize");
  EXPECT_TRUE(messages[0]["id"].get<std::string>().starts_with(SessionReplay::replayPrefix));
  EXPECT_EQ(messages[1]["method"], "initialized");
  EXPECT_EQ(messages[2]["params"]["textDocument"]["text"], "a = '\xf0\x9f\x98\x80' + xyz\n\n");
  EXPECT_EQ(messages[2]["params"]["textDocument"]["version"], 3);
  EXPECT_EQ(replayed(false)[0]["id"], 1) << "the client still waits for it";
  say("textDocument/didClose", {{"textDocument", {{"uri", "file:///a.py"}}}});
  EXPECT_EQ(replayed().size(), 2u);
}

TEST_F(MemoryTest, choicesAndSettings) {
  begin();
  auto select = [&](const char* which) {
    say("gluond/selectSpecialization",
        {{"textDocument", {{"uri", "file:///a.py"}}}, {"kernel", "k"}, {"specialization", which}},
        7);
  };
  select("a");
  select("b");
  say("workspace/didChangeConfiguration", {{"settings", {{"lints", false}}}});
  say("workspace/didChangeConfiguration", {{"settings", {{"lints", true}}}});
  auto messages = replayed();
  ASSERT_EQ(messages.size(), 5u);
  EXPECT_EQ(messages[2]["params"]["settings"]["lints"], true);
  EXPECT_EQ(messages[4]["params"]["specialization"], "b");
  EXPECT_TRUE(messages[4]["id"].get<std::string>().starts_with(SessionReplay::replayPrefix));
}

TEST_F(MemoryTest, nonsenseIsNotKept) {
  begin();
  for (const char* method : {"textDocument/didOpen", "textDocument/didChange",
                             "textDocument/didClose", "gluond/selectSpecialization", "initialize"})
    say(method, {{"textDocument", 5}});
  edit(99, 99, 100, "z", 2); // clamped, as the server does
  EXPECT_EQ(replayed().size(), 3u);
}

} // namespace
} // namespace gluond::lsp
