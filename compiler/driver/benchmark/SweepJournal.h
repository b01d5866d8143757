// The results of a sweep on disk, so that one that was interrupted goes on where it ended: a file
// with a line of JSON for each launch that was timed or that failed by itself.
//
// The first line says what is being measured; a journal of another kernel, of an edited one or with
// other arguments is refused. A line that a crash has cut off is dropped. While a sweep writes a
// journal, no other can.
#pragma once

#include "driver/benchmark/Benchmark.h"
#include "files/Descriptor.h"

#include <map>

namespace gluond::driver {

// Everything that the times depend on and that is the same for all launches.
struct SweepIdentity {
  std::string kernel;
  uint64_t source = 0; // sourceOf() (BenchmarkHistory.h)
  std::vector<std::string> arguments;
  std::string grid;
  double budgetMs = 0;
  bool flushesL2 = true;
};

class SweepJournal {
public:
  // Creates the file if there is none. The error is a sentence.
  static tl::expected<SweepJournal, std::string> open(const std::string& path,
                                                      const SweepIdentity& identity);

  // Returns the row of a launch, by its id, that the file had when it was opened, or null.
  const BenchmarkRow* find(const std::string& id) const {
    auto it = done_.find(id);
    return it == done_.end() ? nullptr : &it->second;
  }
  // Whether a row is worth keeping: it is done, or failed for a reason that would come again.
  static bool isFinal(const BenchmarkRow& row);
  // Writes a row, which is on the disk when this returns. Returns why it is not, or "".
  std::string append(const BenchmarkRow& row);

private:
  explicit SweepJournal(std::string path, files::Descriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}
  std::string write(const std::string& line);

  std::string path_;
  files::Descriptor file_;
  std::map<std::string, BenchmarkRow> done_;
};

} // namespace gluond::driver
