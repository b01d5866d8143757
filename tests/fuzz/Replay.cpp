// The targets without libFuzzer, in any build:
//
//   fuzz TARGET [--mutants N] [--seed N] [--save FILE] FILE|FOLDER...
//
// runs the target with every file, and then with N mutants of them. With --save, FILE holds what
// runs at the moment, and so what failed. Exit code 0, or the target's end.
#include "Mutate.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MemoryBuffer.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace gluond::fuzz;

static int usage() {
  std::fprintf(stderr,
               "usage: fuzz TARGET [--mutants N] [--seed N] [--save FILE] FILE|FOLDER...\n");
  for (const Target& each : targets())
    std::fprintf(stderr, "  %-12s%s\n", each.name.data(), each.what.data());
  return 2;
}

int main(int count, char** arguments) {
  const Target* target = count > 1 ? findTarget(arguments[1]) : nullptr;
  if (!target) return usage();
  unsigned long long mutants = 0, seed = 0;
  std::string save;
  std::vector<std::filesystem::path> paths;
  for (int i = 2; i < count; ++i) {
    llvm::StringRef argument = arguments[i];
    if (!argument.starts_with("--")) {
      paths.emplace_back(argument.str());
      continue;
    }
    llvm::StringRef value = i + 1 < count ? arguments[++i] : "";
    if (argument == "--save")
      save = value.str();
    else if (value.getAsInteger(10, argument == "--seed" ? seed : mutants) ||
             (argument != "--seed" && argument != "--mutants"))
      return usage();
  }

  std::vector<std::filesystem::path> files;
  for (const auto& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      if (std::filesystem::exists(path)) files.push_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }
  llvm::sort(files); // so that a seed means the same everywhere
  std::vector<std::string> inputs;
  using Clock = std::chrono::steady_clock;
  double slowest = 0;
  auto run = [&](const std::string& name, llvm::StringRef input) {
    if (!save.empty()) std::ofstream(save, std::ios::binary) << input.str();
    Clock::time_point start = Clock::now();
    runTarget(*target, input);
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (seconds > 1 && seconds > slowest)
      std::printf("  %s: %.1f s\n", name.c_str(), slowest = seconds);
    std::fflush(stdout);
  };
  for (const auto& file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file.string());
    if (!buffer) continue;
    inputs.push_back((*buffer)->getBuffer().str());
    run(file.string(), inputs.back());
  }
  if (inputs.empty()) inputs.emplace_back();
  for (unsigned long long i = 0; i < mutants; ++i) {
    Random random(seed + i);
    const std::string &input = random.of(inputs), &other = random.of(inputs);
    run("mutant " + std::to_string(seed + i), mutant(target->shape, input, other, random));
  }
  std::printf("%s: %zu files, %llu mutants\n", target->name.data(), files.size(), mutants);
}
