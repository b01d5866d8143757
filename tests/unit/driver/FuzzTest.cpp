// The whole way from text and record to ttgir, on mutations of our own kernels and their launch
// records: nothing may crash, hang, fail an assertion, or end without saying anything.
//
//   GLUOND_FUZZ_SEEDS=20000 GLUOND_FUZZ_FIRST=0 build-dev/bin/driver_test --gtest_filter='Fuzz.*'
//
// runs more of them than the suite does; GLUOND_FUZZ_DATA=FOLDER takes other kernels
// (FILE.launches.jsonl beside the programs they name). A seed that once failed is kept in
// `failedOnce`. The same seed makes the same mutation as long as the kernels stay as they are; keep
// what must stay as a test of its own too.
#include "driver/analysis/Analysis.h"
#include "driver/launches/RecordVariant.h"
#include "driver/program/EvaluatedFile.h"
#include "driver/records/RecordFiles.h"
#include "support/TempFolder.h"
#include "support/Tokens.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <gtest/gtest.h>
#include <random>

namespace gluond::driver {
namespace {

using nlohmann::json;

constexpr unsigned failedOnce[] = {2010}; // a name in a record that is a number
constexpr unsigned seedsOfTheSuite = 150;
constexpr auto longest = std::chrono::seconds(20); // also under sanitizers

unsigned fromEnvironment(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  unsigned value = otherwise;
  if (text && llvm::StringRef(text).getAsInteger(10, value)) return otherwise;
  return value;
}

std::string readText(const std::filesystem::path& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path.string());
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

// Record files and what they need, smallest first, so that seeds mean the same everywhere.
std::vector<std::filesystem::path> recordFiles() {
  std::vector<std::filesystem::path> found;
  std::vector<std::filesystem::path> folders;
  if (const char* other = std::getenv("GLUOND_FUZZ_DATA"))
    folders.push_back(other);
  else
    for (const char* name : {"codegen", "rules", "passes/kernels"})
      folders.push_back(std::filesystem::path(GLUOND_SOURCE_DIR "/tests/data") / name);
  for (const auto& folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (llvm::StringRef(entry.path().string()).ends_with(".launches.jsonl"))
        found.push_back(entry.path());
  llvm::sort(found);
  return found;
}

class Mutator {
public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  size_t below(size_t count) { return count ? random_() % count : 0; }
  bool chance(unsigned percent) { return below(100) < percent; }

  std::string program(llvm::StringRef text) {
    std::vector<std::string> parts = tokensOf(text);
    std::vector<size_t> words, numbers;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (llvm::isDigit(parts[i][0]))
        numbers.push_back(i);
      else if (llvm::isAlpha(parts[i][0]))
        words.push_back(i);
    }
    for (size_t count = 1 + below(3); count && !parts.empty(); --count) {
      size_t at = below(parts.size());
      switch (below(8)) {
      case 0:
        parts[at].clear();
        break;
      case 1:
        parts[at] += parts[at];
        break;
      case 2:
        std::swap(parts[at], parts[below(parts.size())]);
        break;
      case 3:
      case 4:
        if (!numbers.empty()) parts[numbers[below(numbers.size())]] = number();
        break;
      case 5:
      case 6:
        if (!words.empty()) parts[words[below(words.size())]] = parts[words[below(words.size())]];
        break;
      default:
        parts[at] = odd();
        break;
      }
    }
    std::string result = llvm::join(parts, "");
    if (chance(30)) moveLine(result);
    return result;
  }

  void record(json& value) {
    std::vector<json*> leaves;
    collect(value, leaves);
    if (leaves.empty()) return;
    json& leaf = *leaves[below(leaves.size())];
    switch (below(6)) {
    case 0:
      leaf = number();
      break;
    case 1:
      leaf = nullptr;
      break;
    case 2:
      leaf = json::array();
      break;
    case 3:
      leaf = static_cast<int64_t>(below(1000)) - 500;
      break;
    case 4:
      leaf = *leaves[below(leaves.size())];
      break;
    default:
      leaf = std::vector<std::string>{
          "*fp16", "i64", "constexpr", "*k", "fp8e5", "tensordesc"}[below(6)];
    }
  }

private:
  std::string number() {
    static constexpr const char* numbers[] = {
        "0",         "1",     "2",    "3",     "7",          "64",
        "1024",      "-1",    "0.5",  "1e400", "2147483648", "99999999999999999999",
        "(1 << 62)", "65536", "True", "None"};
    return numbers[below(std::size(numbers))];
  }
  std::string odd() {
    static constexpr const char* odd[] = {
        "(",  ")", "[", "]", ":",    ",",    ".",    "**",   "lambda: ",     "\n", "    ", "é",
        "\"", "*", "-", "~", "not ", " is ", " in ", "self", "gl.constexpr", "@",  "="};
    return odd[below(std::size(odd))];
  }
  void moveLine(std::string& text) {
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(text).split(lines, '\n');
    llvm::StringRef line = lines[below(lines.size())];
    if (chance(50))
      lines.insert(lines.begin() + static_cast<ptrdiff_t>(below(lines.size())), line);
    else
      lines.erase(lines.begin() + static_cast<ptrdiff_t>(below(lines.size())));
    text = llvm::join(lines, "\n");
  }
  static void collect(json& value, std::vector<json*>& leaves) {
    if (!value.is_structured())
      leaves.push_back(&value);
    else
      for (json& each : value)
        collect(each, leaves);
  }

  std::mt19937 random_; // the same numbers everywhere, unlike the distributions
};

// Mutates one kernel or its record and takes it as far as it goes.
void run(unsigned seed, const std::vector<std::filesystem::path>& files) {
  Mutator mutate(seed);
  const std::filesystem::path& recordFile = files[mutate.below(files.size())];
  std::string lines = readText(recordFile);
  llvm::SmallVector<llvm::StringRef> all;
  llvm::StringRef(lines).split(all, '\n', -1, /*KeepEmpty=*/false);
  if (all.empty()) return;
  json record = json::parse(all[mutate.below(all.size())].str(), nullptr, false);
  if (!record.is_object() || !record["file"].is_string()) return;
  std::filesystem::path program = recordFile.parent_path() / record["file"].get<std::string>();
  std::string text = readText(program);
  bool both = mutate.chance(10);
  if (both || mutate.chance(75))
    text = mutate.program(text);
  else
    mutate.record(record);
  if (both) mutate.record(record);

  std::string records = recordFile.string() + ".fuzz.launches.jsonl";
  Settings settings;
  settings.recordFiles = {records};
  Workspace workspace(std::move(settings));
  workspace.open(program.string(), 1, text);
  workspace.open(records, 1, record.dump(-1, ' ', false, json::error_handler_t::replace));
  auto snapshot = workspace.snapshot();
  auto set = readRecordFile(*snapshot, records);
  ASSERT_TRUE(set);
  for (const LaunchRecord& each : set->content.records) {
    auto file = snapshot->file(each.path);
    if (!file) continue;
    Variant variant =
        variantOf({set, &each, each.hash},
                  EvaluatedFile::of(*snapshot, file, each.target.name(), each.module, {}));
    Worker worker;
    Analyzer analyzer(*snapshot, worker, {});
    auto result = analyzer.stage(variant, "ttgir");
    ASSERT_TRUE(result);
    bool isRead = file->tree(snapshot->names(), {})->errors().empty(); // else that is said
    EXPECT_TRUE(!isRead || !result->text.empty() || !result->diagnostics.empty() ||
                !result->unsupported.empty())
        << each.kernel << " of\n"
        << text;
    EXPECT_TRUE(llvm::json::isUTF8(result->text));
    for (const diagnostics::Diagnostic& diagnostic : result->diagnostics)
      if (diagnostic.location.file == file->id()) {
        EXPECT_LE(diagnostic.location.range.begin, diagnostic.location.range.end);
        EXPECT_LE(diagnostic.location.range.end, text.size());
      }
  }
}

TEST(Fuzz, MutatedKernelsAndRecords) {
  std::vector<std::filesystem::path> files = recordFiles();
  ASSERT_FALSE(files.empty());
  unsigned first = fromEnvironment("GLUOND_FUZZ_FIRST", 1);
  unsigned count = fromEnvironment("GLUOND_FUZZ_SEEDS", seedsOfTheSuite);
  bool saysSeeds = std::getenv("GLUOND_FUZZ_SAY") != nullptr; // before each: the last one is it
  std::vector<unsigned> seeds(std::begin(failedOnce), std::end(failedOnce));
  for (unsigned i = 0; i < count; ++i)
    seeds.push_back(first + i);
  for (unsigned seed : seeds) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    if (saysSeeds) fprintf(stderr, "seed %u\n", seed);
    auto start = std::chrono::steady_clock::now();
    run(seed, files);
    EXPECT_LT(std::chrono::steady_clock::now() - start, longest);
    if (testing::Test::HasFatalFailure()) return;
  }
}

} // namespace
} // namespace gluond::driver
