#include "lsp/protocol/Extensions.h"
#include "lsp/protocol/Rpc.h"
#include "lsp/protocol/Uri.h"

#include <gtest/gtest.h>

namespace gluond::lsp {
namespace {

Json json(std::string_view text) {
  auto parsed = parseJson(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(Json());
}

TEST(Codec, roundTrip) {
  auto params = decode<DidChangeParams>(json(R"({"textDocument":{"uri":"file:///a.py","version":3},
      "contentChanges":[{"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":5}},"text":"x"},
                        {"text":"all"}]})"));
  ASSERT_TRUE(params);
  EXPECT_EQ(params->textDocument.version, 3);
  ASSERT_EQ(params->contentChanges.size(), 2u);
  EXPECT_EQ(params->contentChanges[0].range->end.character, 5u);
  EXPECT_FALSE(params->contentChanges[1].range);
  EXPECT_EQ(dumpJson(encode(params->contentChanges[1])), R"({"text":"all"})");
}

TEST(Codec, namesThePathOfWhatIsWrong) {
  auto wrong = [](std::string_view text) { return decode<PositionParams>(json(text)).error(); };
  EXPECT_EQ(wrong("[]"), " expected an object");
  EXPECT_EQ(wrong(R"({"textDocument":{"uri":1},"position":{"line":0,"character":0}})"),
            "textDocument.uri: expected a string");
  EXPECT_EQ(wrong(R"({"textDocument":{"uri":"a"},"position":{"line":-1,"character":0}})"),
            "position.line: expected an unsigned integer");
  EXPECT_EQ(wrong(R"({"textDocument":{"uri":"a"},"position":{"line":4294967296,"character":0}})"),
            "position.line: integer out of range");
  EXPECT_EQ(wrong(R"({"textDocument":{"uri":"a"}})"), "position: missing");
}

TEST(Codec, hostileDocuments) {
  EXPECT_FALSE(parseJson("{"));
  EXPECT_FALSE(parseJson(""));
  EXPECT_FALSE(parseJson("{} {}"));
  EXPECT_FALSE(parseJson(std::string(1'000'000, '[')));
  EXPECT_FALSE(parseJson("\"\xff\""));
  EXPECT_EQ(dumpJson(Json(std::string("a\xff"))), "\"a\xef\xbf\xbd\"");
}

// However many members an object has; of several with one name the last counts, in the first's
// place.
TEST(Codec, objectsOfManyMembers) {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i)
    text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  Json wide = json(text + R"("k7":{"a":[1,{"b":null}]}})");
  EXPECT_EQ(wide.size(), 100'000u);
  EXPECT_EQ(dumpJson(wide["k7"]), R"({"a":[1,{"b":null}]})");
  EXPECT_EQ(std::next(wide.begin(), 7).key(), "k7");
  EXPECT_EQ(dumpJson(json(R"({"b":1,"a":2,"b":{"c":[]},"a":-0.5})")), R"({"b":{"c":[]},"a":-0.5})");
  EXPECT_EQ(dumpJson(json(R"([true,[],{},"\u00e9",18446744073709551615,-3])")),
            "[true,[],{},\"\u00e9\",18446744073709551615,-3]");
  EXPECT_FALSE(parseJson(R"({"a":1,})"));
  EXPECT_FALSE(parseJson(R"({"a"})"));
}

TEST(Rpc, saysWhatAMessageIs) {
  EXPECT_TRUE(
      std::holds_alternative<Request>(parseMessage(R"({"jsonrpc":"2.0","id":"x","method":"m"})")));
  EXPECT_TRUE(std::holds_alternative<Notification>(parseMessage(R"({"method":"m","params":[1]})")));
  EXPECT_TRUE(std::holds_alternative<Response>(parseMessage(R"({"id":1,"result":null})")));
  auto codeOf = [](std::string_view text) {
    Message message = parseMessage(text);
    auto* invalid = std::get_if<Invalid>(&message);
    return invalid ? invalid->error.code : ErrorCode{};
  };
  EXPECT_EQ(codeOf("nonsense"), ErrorCode::ParseError);
  EXPECT_EQ(codeOf("[]"), ErrorCode::InvalidRequest);
  EXPECT_EQ(codeOf("{}"), ErrorCode::InvalidRequest);
  EXPECT_EQ(codeOf(R"({"id":{},"method":"m"})"), ErrorCode::InvalidRequest);
  EXPECT_EQ(codeOf(R"({"id":1,"method":7})"), ErrorCode::InvalidRequest);
  EXPECT_EQ(codeOf(R"({"id":1})"), ErrorCode::InvalidRequest);
}

TEST(Uri, pathsBothWays) {
  EXPECT_EQ(pathFromUri("file:///a/b%20c/%E2%82%AC.py"), "/a/b c/\xe2\x82\xac.py");
  EXPECT_EQ(pathFromUri("file://localhost/a.py"), "/a.py");
  EXPECT_EQ(pathFromUri("untitled:Untitled-1"), "untitled:Untitled-1");
  EXPECT_EQ(pathFromUri("file:///a%2"), "/a%2");
  // No file has such a path; two documents are still two.
  std::string up;
  for (int i = 0; i < 10'000; ++i)
    up += "../";
  for (const char* scheme : {"file:///", "file://host/", "untitled:"}) {
    EXPECT_LT(pathFromUri(scheme + up + "a.py").size(), 100u);
    EXPECT_NE(pathFromUri(scheme + up + "a.py"), pathFromUri(scheme + up + "b.py"));
  }
  for (const char* path : {"/a b/c#d?.py", "/\xe2\x82\xac.py", "/plain.py"})
    EXPECT_EQ(pathFromUri(uriFromPath(path)), path);
  EXPECT_EQ(uriFromPath("untitled:Untitled-1"), "untitled:Untitled-1");
}

// A hostile notebook has them, and an edit between the halves of a pair makes them.
TEST(Json, LoneSurrogatesBecomeReplacementCharacters) {
  auto text = [](const char* json) {
    auto parsed = parseJson(json);
    return parsed && parsed->is_string() ? parsed->get<std::string>() : "no text";
  };
  EXPECT_EQ(text(R"("a\ud800z")"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(text(R"("\uDE00")"), "\xEF\xBF\xBD");
  EXPECT_EQ(text(R"("\ud83d\ud83d\ude00")"), "\xEF\xBF\xBD\xF0\x9F\x98\x80");
  EXPECT_EQ(text(R"("\\ud800\ud800\n")"), "\\ud800\xEF\xBF\xBD\n");
  EXPECT_EQ(text(R"("\ud83")"), "no text");
}

} // namespace
} // namespace gluond::lsp
