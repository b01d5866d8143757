// One file and what belongs to it, through all of gluond but the server.
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/workspace/Workspace.h"

#include <string>

namespace gluond::fuzz {

// Small budgets, nothing of the machine.
driver::Settings settingsOfFuzzers();
// What `gluond check` does with an open document, in a workspace of its own.
struct Checked {
  Checked(driver::Settings settings, std::string program, std::string records = {});
  driver::Workspace workspace;
  std::shared_ptr<const driver::Snapshot> snapshot;
  std::shared_ptr<const driver::File> file;
  driver::Worker worker;
};

} // namespace gluond::fuzz
