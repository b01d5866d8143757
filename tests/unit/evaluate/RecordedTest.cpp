// What CPython makes of hundreds of expressions and programs, recorded by
// scripts/oracle/record_python.py.
#include "Session.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <regex>

namespace gluond::evaluate {
namespace {

std::vector<nlohmann::json> load(const char* name) {
  std::ifstream in(std::string(GLUOND_SOURCE_DIR "/tests/data/evaluate/") + name);
  std::vector<nlohmann::json> rows;
  for (std::string line; std::getline(in, line);)
    rows.push_back(nlohmann::json::parse(line));
  return rows;
}

std::string withoutAddresses(const std::string& text) {
  return std::regex_replace(text, std::regex("0x[0-9a-f]{7,}"), "0x");
}

// What we do not model is Unknown ("?"): never wrong, but a test that expects an answer must name
// it here.
bool isUnknown(const std::string& text) {
  return text == "?";
}

TEST(RecordedTest, Expressions) {
  auto rows = load("expressions.jsonl");
  ASSERT_GT(rows.size(), 700u);
  unsigned unknown = 0;
  for (auto& row : rows) {
    std::string source = row["source"];
    Session session;
    std::string got = withoutAddresses(session.result("out = " + source + "\n"));
    if (isUnknown(got)) {
      ++unknown;
      continue;
    }
    EXPECT_EQ(got, row.contains("error") ? row["error"].get<std::string>()
                                         : row["repr"].get<std::string>())
        << source;
  }
  EXPECT_LE(unknown, 10u);
}

TEST(RecordedTest, Programs) {
  auto rows = load("programs.jsonl");
  ASSERT_GT(rows.size(), 30u);
  for (auto& row : rows) {
    Session session;
    std::string got = withoutAddresses(session.result(row["source"]));
    EXPECT_EQ(got, row.contains("error") ? row["error"].get<std::string>()
                                         : row["repr"].get<std::string>())
        << row["name"];
  }
}

} // namespace
} // namespace gluond::evaluate
