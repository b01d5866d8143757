// The programs a workspace keeps: the newest of each file, target and name. Internal to driver/.
//
// Of open documents all are kept; of other files, which `check` and imports ask for, those used
// last, up to so many bytes.
#pragma once

#include "driver/program/Program.h"
#include "driver/workspace/Lazy.h"

#include <list>
#include <mutex>

namespace gluond::driver {

struct ProgramCache : Memory {
  struct Slot {
    std::shared_ptr<const File> file;
    std::shared_ptr<const Program> before; // an evaluation that may hold for this version, too;
                                           // until there is one of this version
    Lazy<Program> program;
  };
  // The slot for this version of the file; a new one when what is kept does not hold in this
  // snapshot any more.
  std::shared_ptr<Slot> slot(const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                             const std::string& key);

  // The slot has its program: forgets what came before it, and other files' programs past the
  // limits.
  void filled(const Snapshot& snapshot, Slot& slot);
  // Whether the file's newest programs read imports that are others in this snapshot.
  bool isOvertaken(const Snapshot& snapshot, const File& file);
  // Forgets the programs of a document that was closed.
  void drop(llvm::StringRef path) override;

private:
  static constexpr size_t most = 256, mostBytes = size_t{256} << 20;
  std::mutex mutex_;
  std::list<std::pair<std::string, std::shared_ptr<Slot>>> slots_; // least recently used first
};

} // namespace gluond::driver
