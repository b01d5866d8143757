// What the frontend makes of launch records, how long it takes, and whether it is what Triton
// makes.
//
//   source_bench REC.launches.jsonl|FOLDER [--id PART] [--check GOLDENS] [--time N]
//
// Prints the modules; with --check compares them with GOLDENS/<id>.source; with --time the best of
// N runs of each specialization (module evaluation and printing excluded).
#include "Records.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>

using namespace gluond;

int main(int argc, char** argv) {
  std::string path, id, goldens;
  int repeat = 0;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (arg == "--id" && i + 1 < argc)
      id = argv[++i];
    else if (arg == "--check" && i + 1 < argc)
      goldens = argv[++i];
    else if (arg == "--time" && i + 1 < argc)
      repeat = std::atoi(argv[++i]);
    else
      path = arg;
  }
  test::Records records;
  int same = 0, different = 0, failed = 0;
  double log = 0;
  int timed = 0;
  for (const auto& record : records.read(path)) {
    if (!id.empty() && record.id.find(id) == std::string::npos) continue;
    auto result = records.generate(record);
    if (goldens.empty() && !repeat) {
      std::fputs(result.text.c_str(), stdout);
      for (const auto& problem : result.problems)
        std::fprintf(stderr, "%s: %s\n", record.id.c_str(), problem.c_str());
      continue;
    }
    if (!goldens.empty()) {
      std::string golden = test::readText(goldens + "/" + record.id + ".source");
      if (golden.empty() && result.rejected) {
        ++same; // rejected by both
        continue;
      }
      if (result.ok && result.text == golden)
        ++same;
      else if (!result.ok) {
        ++failed;
        std::printf("FAIL %s: %s\n", record.id.c_str(),
                    result.problems.empty() ? "?" : result.problems[0].c_str());
      } else {
        ++different;
        size_t at = 0;
        while (at < golden.size() && at < result.text.size() && golden[at] == result.text[at])
          ++at;
        size_t start = golden.rfind('\n', at);
        start = start == std::string::npos ? 0 : start + 1;
        auto line = [&](const std::string& text) {
          return text.substr(std::min(start, text.size()),
                             text.find('\n', std::min(at, text.size())) -
                                 std::min(start, text.size()));
        };
        std::printf("DIFF %s\n  want %s\n  got  %s\n", record.id.c_str(), line(golden).c_str(),
                    line(result.text).c_str());
      }
    }
    if (repeat && result.ok) {
      auto& program = records.program(record);
      auto specialization = program.resolve(record);
      double best = 1e9;
      for (int i = 0; i < repeat; ++i) {
        auto start = std::chrono::steady_clock::now();
        auto module = codegen::generateSource(records.context, *specialization, program, {});
        best = std::min(best, std::chrono::duration<double, std::micro>(
                                  std::chrono::steady_clock::now() - start)
                                  .count());
      }
      auto lines = std::count(result.text.begin(), result.text.end(), '\n');
      std::printf("%8.1f us %5ld lines %6.3f us/line %s\n", best, static_cast<long>(lines),
                  best / static_cast<double>(lines), record.id.c_str());
      log += std::log(best / static_cast<double>(lines));
      ++timed;
    }
  }
  if (!goldens.empty()) std::printf("%d same, %d different, %d failed\n", same, different, failed);
  if (timed) std::printf("geometric mean %.3f us/line\n", std::exp(log / timed));
  return 0;
}
