// A file that ends the process does not take the results of the others along: the command starts
// again without it, and says so.
//
// Nothing is lost by that, because `check` prints when all is done; and nothing is paid for it by
// files that are well, as a second process would cost.
#pragma once

#include "driver/workspace/Workspace.h"

#include <string>
#include <vector>

namespace gluond::cli {

// One at a time in a process.
class CrashGuard {
public:
  // `arguments` of this process. `ended` are the values of "--ended" among them, by earlier runs.
  CrashGuard(std::vector<std::string> arguments, const std::vector<std::string>& ended);

  // From now on it is this file that is to blame for what happens.
  void begin(const std::string& path);
  // Why a file is not looked at again; empty: it is.
  std::string whyNot(const std::string& path) const;
  bool hasAny() const { return !ended_.empty(); }

private:
  std::vector<std::pair<std::string, std::string>> ended_; // path, why
};

} // namespace gluond::cli
