// Every record of the corpus, and of our own kernels, gives Triton's module, byte for byte. Skipped
// where the corpus is not at hand.
#include "Records.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/JSON.h>

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>

namespace gluond::test {
namespace {

// Returns the line of Triton's error: the innermost one in a function of the program, for an error
// in Triton's own library.
std::optional<unsigned> lineOfError(const std::string& golden, const std::string& program) {
  auto error = llvm::json::parse(golden);
  const llvm::json::Object* place = error ? error->getAsObject() : nullptr;
  if (!place) return ADD_FAILURE() << "no JSON", std::nullopt;
  std::vector<const llvm::json::Object*> places;
  if (const llvm::json::Array* frames = place->getArray("frames"))
    for (const llvm::json::Value& frame : *frames)
      places.push_back(frame.getAsObject());
  places.push_back(place);
  for (const llvm::json::Object* each : llvm::reverse(places)) {
    auto function = each->getString("function");
    if (function && program.find("def " + function->str() + "(") == std::string::npos) continue;
    if (auto line = each->getInteger("line")) return static_cast<unsigned>(*line);
  }
  return std::nullopt;
}

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
      auto line =
          lineOfError(readText(golden + ".error"), readText(record.folder + "/" + record.file));
      if (!line) continue; // a verifier's message, which has no place
      EXPECT_THAT(result.lines, testing::Contains(*line))
          << testing::PrintToString(result.problems);
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
