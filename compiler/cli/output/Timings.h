// The output of `gluond emit --timings`: how the process spent its time, in milliseconds.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace gluond::cli {

class Stopwatch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// Create it first thing in a command: time before that counts as "start". Not thread-safe.
class Timings {
public:
  Timings();

  // Adds a Python file that was parsed and evaluated; call it once for each.
  void file(llvm::StringRef name, double parse, double evaluate);
  // Adds the stages that were made for a record; reading the record counts towards the first.
  void record(llvm::StringRef id, double read,
              llvm::ArrayRef<std::pair<llvm::StringRef, double>> stages);
  // Adds time that belongs to no file and no record.
  void other(const char* part, double milliseconds);

  // Returns one line with all times and the total, measured now.
  std::string json() const;

private:
  double start_; // from exec to the constructor
  Stopwatch watch_;
  nlohmann::ordered_json files_, records_, other_;
};

} // namespace gluond::cli
