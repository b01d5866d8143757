// Every record of the corpus, and of our own kernels, gives Triton's module, byte for byte. Skipped
// where the corpus is not at hand.
#include "Records.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::test {
namespace {

void compare(const std::string& folder, const std::string& goldens) {
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
  Records records;
  size_t count = 0;
  for (const auto& record : records.read(folder)) {
    std::string golden = goldens + "/" + record.id;
    Records::Result result = records.generate(record);
    SCOPED_TRACE(record.id);
    ++count;
    if (std::filesystem::exists(golden + ".source")) {
      EXPECT_TRUE(result.ok) << testing::PrintToString(result.problems);
      EXPECT_TRUE(result.text == readText(golden + ".source")) << "differs from the golden";
    } else {
      EXPECT_TRUE(result.rejected) << "Triton rejects it, gluond does not";
      std::string error = readText(golden + ".error");
      size_t at = error.find("\"line\":");
      if (at == std::string::npos) continue; // a verifier's message, which has no place
      auto line = static_cast<unsigned>(std::atoi(error.c_str() + at + 7));
      EXPECT_THAT(result.lines, testing::Contains(line)) << testing::PrintToString(result.problems);
    }
  }
  EXPECT_GT(count, 0u);
}

TEST(Corpus, SourceIsTritons) {
  compare(GLUOND_SHARED_DIR "/corpus", GLUOND_SHARED_DIR "/corpus/golden");
}

// Our own kernels, one construct each (tests/data/codegen; scripts/oracle/record_goldens.py
// refreshes the goldens).
TEST(OwnKernels, SourceIsTritons) {
  compare(GLUOND_SOURCE_DIR "/tests/data/codegen", GLUOND_SOURCE_DIR "/tests/data/codegen/golden");
}

// One kernel for each group of builtins (tests/data/rules; records.py says how they are launched).
TEST(Rules, SourceIsTritons) {
  compare(GLUOND_SOURCE_DIR "/tests/data/rules", GLUOND_SOURCE_DIR "/tests/data/rules/golden");
}

} // namespace
} // namespace gluond::test
