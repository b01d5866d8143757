#include "driver/json/Json.h"

#include <gmock/gmock.h>

namespace gluond::driver {
namespace {

class JsonTest : public testing::Test {
protected:
  const JsonValue* parse(llvm::StringRef text) { return parseJson(text, arena); }
  llvm::BumpPtrAllocator arena;
};

TEST_F(JsonTest, valuesInTheOrderOfTheText) {
  const JsonValue* json =
      parse(R"( {"b": [1, -2, 1.5e3, true, null], "a": {"$k": "v"}, "b2": {}} )");
  ASSERT_TRUE(json && json->isObject());
  ASSERT_EQ(json->items().size(), 3u);
  EXPECT_EQ(json->items()[0].key(), "b");
  llvm::ArrayRef<JsonValue> items = json->find("b")->items();
  EXPECT_EQ(items[0].integer(), 1);
  EXPECT_EQ(items[1].integer(), -2);
  EXPECT_EQ(items[2].kind(), JsonValue::Kind::Real);
  EXPECT_EQ(items[2].real(), 1500.0);
  EXPECT_TRUE(items[3].boolean());
  EXPECT_EQ(items[4].kind(), JsonValue::Kind::Null);
  EXPECT_EQ(json->find("a")->textOf("$k"), "v");
  EXPECT_EQ(json->find("a")->source(), R"({"$k": "v"})");
  EXPECT_EQ(json->find("c"), nullptr);
  EXPECT_TRUE(json->find("b2")->items().empty());
}

TEST_F(JsonTest, escapes) {
  EXPECT_EQ(parse(R"("a\n\"\\\u00e9\ud83d\ude00z")")->text(), "a\n\"\\\xC3\xA9\xF0\x9F\x98\x80z");
  EXPECT_EQ(parse(R"("\ud83d")"), nullptr);
  EXPECT_EQ(parse(R"("\x")"), nullptr);
  EXPECT_EQ(parse(R"("\u12)"), nullptr);
}

TEST_F(JsonTest, integersOfAllSizes) {
  EXPECT_EQ(parse("9223372036854775807")->integer(), INT64_MAX);
  EXPECT_EQ(parse("-9223372036854775808")->integer(), INT64_MIN);
  EXPECT_TRUE(parse("18446744073709551615")->isHuge());
  EXPECT_EQ(parse("18446744073709551616")->kind(), JsonValue::Kind::Real);
}

TEST_F(JsonTest, whatIsNotJson) {
  for (llvm::StringRef text : {"", "{", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "01", "-", "1.", "1e",
                               "nul", "\"a", "\"a\nb\"", "[1] 2", "{1:2}", "'a'", "\"\xFF\""})
    EXPECT_EQ(parse(text), nullptr) << text.str();
  EXPECT_EQ(parse(std::string(100'000, '[')), nullptr); // no stack overflow
}

TEST_F(JsonTest, theLastOfAName) {
  EXPECT_EQ(parse(R"({"a":1,"a":2})")->find("a")->integer(), 2);
}

} // namespace
} // namespace gluond::driver
