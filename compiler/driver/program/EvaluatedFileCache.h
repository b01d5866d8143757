// The programs that a workspace keeps: the newest by file, target and name. Internal to driver/.
//
// Programs of open documents are all kept; those of other files, used by `check` and imports, are
// dropped least recently used first, beyond a total size.
#pragma once

#include "driver/program/EvaluatedFile.h"
#include "driver/workspace/Lazy.h"

#include <list>
#include <mutex>

namespace gluond::driver {

struct EvaluatedFileCache : Cache {
  struct Slot {
    std::shared_ptr<const File> file;
    std::shared_ptr<const EvaluatedFile> before; // an evaluation that may hold for this version,
                                                 // too; set until this version has its own
    Lazy<EvaluatedFile> program;
  };
  // All that the evaluation of a file depends on besides the texts of its program.
  static std::string keyOf(const Snapshot& snapshot, const File& file, llvm::StringRef target,
                           llvm::StringRef name);
  // Returns the slot for this version of the file, or a new one if the cached one is not valid in
  // this snapshot any more.
  std::shared_ptr<Slot> slot(const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                             const std::string& key);

  // Drops earlier programs of the file, and other files' programs beyond the limits. Call it when
  // the slot has its program.
  void filled(const Snapshot& snapshot, Slot& slot);
  // Returns whether imports read by the file's newest programs differ in this snapshot.
  bool isOvertaken(const Snapshot& snapshot, const File& file);
  // Drops the programs of a document that was closed.
  void drop(llvm::StringRef path) override;

private:
  static constexpr size_t most = 256, mostBytes = size_t{64} << 20;
  std::mutex mutex_;
  std::list<std::pair<std::string, std::shared_ptr<Slot>>> slots_; // least recently used first
};

} // namespace gluond::driver
