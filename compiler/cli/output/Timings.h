// What `gluond emit --timings` says: where the time of the process went, in milliseconds.
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

// Made first thing in a command: what the process did before counts as "start". Not thread-safe.
class Timings {
public:
  Timings();

  // Once for each file of Python that was parsed and evaluated.
  void file(llvm::StringRef name, double parse, double evaluate);
  // Each stage that was made for a record; reading the record belongs to the first.
  void record(llvm::StringRef id, double read,
              llvm::ArrayRef<std::pair<llvm::StringRef, double>> stages);
  // What belongs to no file and no record; adds up.
  void other(const char* part, double milliseconds);

  // One line. Takes the total.
  std::string json() const;

private:
  double start_; // from exec to the constructor
  Stopwatch watch_;
  nlohmann::ordered_json files_, records_, other_;
};

} // namespace gluond::cli
