// The launch records of a program: finds its record files, reads each once, and caches them until
// they change.
#pragma once

#include "driver/records/LaunchRecords.h"
#include "driver/workspace/Workspace.h"

#include <map>
#include <mutex>

namespace gluond::driver {

// One record file.
struct RecordSet {
  std::shared_ptr<const File> file;
  LaunchRecordFile content;
  std::vector<uint64_t> hashes; // of the records' lines
};

// A record that belongs to a program file.
struct FoundRecord {
  std::shared_ptr<const RecordSet> set; // keeps the record alive
  const LaunchRecord* record;
  uint64_t hash;
};
struct FoundProblem {
  std::shared_ptr<const RecordSet> set;
  const RecordProblem* problem;
};
struct FoundRecords {
  std::vector<FoundRecord> records;
  std::vector<FoundProblem>
      problems; // about lines that are no records, in the program's own record files
  std::vector<std::string> missing; // files in Settings::recordFiles that cannot be read
};

// Returns the records in Settings::recordFiles that name the program, or else those found
// automatically: FILE.launches.jsonl and FILE.*.launches.jsonl beside FILE.py,
// .gluond/*.launches.jsonl in the parent folders and in the roots.
FoundRecords recordsOf(const Snapshot& snapshot, const File& program);

// Returns a record file as it is in the snapshot, or null if it cannot be read.
std::shared_ptr<const RecordSet> readRecordFile(const Snapshot& snapshot, llvm::StringRef path);

// The cache of recordsOf(). Internal to driver/.
struct RecordCache : Cache {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const RecordSet>> sets;
  struct Listing {
    uint64_t generation = 0;
    std::vector<std::string> files; // *.launches.jsonl, sorted
  };
  std::map<std::string, Listing> folders;
};

} // namespace gluond::driver
