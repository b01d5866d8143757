// Conversations that an independent client had with the server (tests/clients/scenario.py, which
// records them), replayed: every answer must have the form that client understood. What the answers
// say is tested elsewhere; here values may differ, fields and their types may not.
#include "TestServer.h"

#include <filesystem>
#include <fstream>

namespace gluond::lsp {
namespace {

// Whether `actual` has all that `expected` has; where not, the path to it.
std::string difference(const Json& expected, const Json& actual, const std::string& path = "") {
  bool areNumbers = expected.is_number() && actual.is_number();
  if (expected.type() != actual.type() && !areNumbers)
    return path + ": " + dumpJson(actual) + " where there was " + dumpJson(expected);
  if (expected.is_object()) {
    bool isMap = !expected.empty() && expected.begin().key().find("://") != std::string::npos;
    for (const auto& [key, value] : expected.items()) {
      if (!actual.contains(key)) return path + "." + key + " is missing";
      if (std::string found = difference(value, actual[key], path + "." + key); !found.empty())
        return found;
      if (isMap) break;
    }
  }
  if (expected.is_array() && !expected.empty()) {
    if (actual.empty()) return path + " is empty";
    return difference(expected[0], actual[0], path + "[0]");
  }
  return "";
}

void replay(const std::filesystem::path& file) {
  SCOPED_TRACE(file.filename().string());
  std::vector<Json> sent;
  Router router = makeRouter();
  ManualClock clock;
  Server server(router, {0, &clock, {}},
                [&](std::string message) { sent.push_back(*parseJson(message)); });
  std::map<std::string, Json> answers; // recorded, by id
  std::vector<Json> ours;              // the client's messages
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    auto json = parseJson(line);
    ASSERT_TRUE(json) << line;
    if (json->contains("client")) {
      ours.push_back((*json)["client"]);
    } else {
      const Json& message = (*json)["server"];
      if (message.contains("id") && !message.contains("method"))
        answers[dumpJson(message["id"])] = message;
    }
  }
  ASSERT_FALSE(ours.empty());
  for (const Json& message : ours) {
    sent.clear();
    server.receive(dumpJson(message));
    for (int i = 0; i < 3; ++i) { // what follows a pause, too
      server.settle();
      clock.advance(std::chrono::seconds(1));
    }
    if (!message.contains("id") || !message.contains("method")) continue;
    const Json* answer = nullptr;
    for (const Json& each : sent)
      if (each.contains("id") && each["id"] == message["id"] && !each.contains("method"))
        answer = &each;
    ASSERT_TRUE(answer) << dumpJson(message);
    std::string found = difference(answers[dumpJson(message["id"])], *answer);
    EXPECT_EQ(found, "") << dumpJson(message) << "\n" << dumpJson(*answer);
  }
  EXPECT_TRUE(server.exited());
  EXPECT_EQ(server.exitCode(), 0);
}

TEST(Conversation, recordedOnesAreAnsweredAlike) {
  unsigned count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GLUOND_SOURCE_DIR "/tests/data/lsp"))
    if (entry.path().extension() == ".jsonl") {
      replay(entry.path());
      ++count;
    }
  EXPECT_GE(count, 3u);
}

} // namespace
} // namespace gluond::lsp
