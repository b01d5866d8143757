// What the supervisor reads and remembers; how it replaces workers is in
// tests/cli/test_supervisor.py.
#include "lsp/protocol/Rpc.h"
#include "lsp/supervisor/MessageHead.h"
#include "lsp/supervisor/SessionReplay.h"
#include "lsp/supervisor/WorkerInput.h"
#include "lsp/transport/FramedTransport.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <optional>
#include <thread>
#include <unistd.h>
#include <utility>

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

TEST_F(MemoryTest, changesSayWhatTheyReplace) {
  begin();
  auto change = [&](Json content) {
    std::string message = makeNotification(
        "textDocument/didChange", {{"textDocument", {{"uri", "file:///a.py"}, {"version", 2}}},
                                   {"contentChanges", {std::move(content)}}});
    return replay.fromClient(headOf(message), message);
  };
  Json place = {{"line", 0}, {"character", 0}};
  auto part = change({{"range", {{"start", place}, {"end", place}}}, {"text", "x"}});
  EXPECT_EQ(part.document, "file:///a.py");
  EXPECT_FALSE(part.isWholeText);
  EXPECT_TRUE(change({{"text", "x"}}).isWholeText);
  std::string cancel = makeNotification("$/cancelRequest", {{"id", "a b"}});
  EXPECT_EQ(replay.cancelled(headOf(cancel), cancel), "\"a b\"");
  for (const char* params : {R"({"id":[]})", "[]", "[1]", "{}", "null", "1", R"("id")"}) {
    cancel = R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":)" + std::string(params) + "}";
    EXPECT_EQ(replay.cancelled(headOf(cancel), cancel), "") << params;
  }
}

// A pipe that nobody reads until readAll().
class WorkerInputTest : public testing::Test {
protected:
  WorkerInputTest() {
    EXPECT_EQ(::pipe(ends), 0);
    input.emplace(ends[1]);
  }
  ~WorkerInputTest() override {
    input.reset();
    if (ends[0] >= 0) ::close(ends[0]);
  }
  // The first letters of the messages; the pipe takes one of `full` in part.
  std::string readAll() {
    input->close();
    FdStream stream(ends[0], -1);
    FramedTransport transport(stream);
    std::string letters;
    for (Incoming each = transport.read(); each.kind == Incoming::Kind::Message;
         each = transport.read())
      letters += each.text[0];
    return letters;
  }
  const std::string full = std::string(200'000, 'a');
  int ends[2]{};
  std::optional<WorkerInput> input;
};

TEST_F(WorkerInputTest, nobodyWaitsAndNothingIsLost) {
  EXPECT_TRUE(input->post(full));
  for (char letter = 'b'; letter <= 'z'; ++letter)
    EXPECT_TRUE(input->post(std::string(50'000, letter)));
  EXPECT_EQ(readAll(), "abcdefghijklmnopqrstuvwxyz");
}

TEST_F(WorkerInputTest, requestsThatWaitCanBeDropped) {
  EXPECT_FALSE(input->drop("1"));
  input->post(full, "1");
  EXPECT_FALSE(input->drop("1")) << "written in part";
  input->post("b", "2");
  input->post("c", "3");
  EXPECT_TRUE(input->drop("2"));
  EXPECT_FALSE(input->drop("2"));
  input->postFirst("d");
  EXPECT_EQ(readAll(), "adc");
}

TEST_F(WorkerInputTest, replacedTextIsNotSent) {
  auto change = [&](const char* text, const char* document, bool isWhole) {
    input->post(text);
    input->lastChanges(document, isWhole);
  };
  input->post(full);
  change("b", "x", false);
  change("c", "y", false);
  input->post("d");
  change("e", "x", true);
  change("f", "x", false);
  change("g", "x", true);
  EXPECT_EQ(readAll(), "acdg");
}

TEST_F(WorkerInputTest, whatWaitsIsBounded) {
  std::string large(8u << 20, 'b');
  int posted = 0;
  while (posted < 100 && input->post(large))
    ++posted;
  EXPECT_LE(posted, 9);
  EXPECT_GE(posted, 7);
  input->postAlways("c");
  input->postFirst("d");
  for (int i = 0; i < 1'000'000 && input->post("e"); ++i) {
  }
  EXPECT_FALSE(input->post("e"));
}

TEST_F(WorkerInputTest, aWorkerThatIsGoneTakesNothing) {
  ::signal(SIGPIPE, SIG_IGN);
  input->post(full);
  ::close(std::exchange(ends[0], -1));
  // Once the thread that writes has seen it, nothing fills the queue any more.
  for (int i = 0; i < 1000; ++i)
    while (!input->post(std::string(1 << 20, 'b')))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

} // namespace
} // namespace gluond::lsp
