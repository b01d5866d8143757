// Keeps the results of other files when one file crashes the process, or takes more CPU time or
// memory than it may: the command restarts without that file and reports it.
//
// Nothing is lost by restarting: the command leaves out what it has printed (Commands.h), and files
// that do not crash cost nothing extra, as a second process would.
#pragma once

#include "driver/workspace/Workspace.h"

#include <string>
#include <vector>

namespace gluond::cli {

// There is at most one at a time in a process.
class CrashGuard {
public:
  // `arguments` are this process's; `ended` are the "--ended" values that earlier runs added.
  CrashGuard(std::vector<std::string> arguments, const std::vector<std::string>& ended);

  // From now on a crash is attributed to this file, and the file's limits count. `printed` is the
  // number of findings that were printed so far.
  void begin(const std::string& path, size_t printed);
  // Returns why a file is skipped, or "" if it is not.
  std::string whyNot(const std::string& path) const;
  // Whether this file and those after it are left out, because too many before it ended the
  // process, and says so. Asked for each file, in their order.
  bool leavesOut(const std::string& path);
  // Whether a file crashed the process, as opposed to one that was ended at its limit, or files
  // were left out.
  bool hasCrashed() const { return hasCrashed_; }

private:
  std::vector<std::pair<std::string, std::string>> ended_; // path, why
  bool hasCrashed_ = false, hasPassedLast_ = false;
};

} // namespace gluond::cli
