// The programs a workspace keeps: the newest of each file, target and name. Internal to driver/.
#pragma once

#include "driver/Lazy.h"
#include "driver/Program.h"

#include <list>
#include <mutex>

namespace gluond::driver {

struct ProgramCache {
  struct Slot {
    std::shared_ptr<const File> file;
    std::shared_ptr<const Program> before; // an evaluation that may hold for this version, too
    Lazy<Program> program;
  };
  // The slot for this version of the file; a new one when what is kept does not hold in this
  // snapshot any more.
  std::shared_ptr<Slot> slot(const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                             const std::string& key);

private:
  static constexpr size_t most = 64;
  std::mutex mutex_;
  std::list<std::pair<std::string, std::shared_ptr<Slot>>> slots_; // least recently used first
};

} // namespace gluond::driver
