// The kernel that a client asks to debug, and the launch that was prepared for it.
#pragma once

#include "debug/Debugger.h"
#include "driver/simulation/PrepareSimulation.h"

#include <functional>

namespace gluond::dap {

// The arguments of the request `launch`. They are those of gluond run.
struct LaunchRequest {
  std::string program; // a Python file or a file with launch records
  std::string kernel, launch, target, grid;
  std::vector<std::string> arguments, records, settings;
  simulate::ScheduleName schedule;
  simulate::ProgramId id = {}; // the program of the grid
  bool runsOthersFirst = true; // run the programs before it in the grid first
  std::string folder;          // the folder of relative paths; empty for the current one
  uint64_t historyMegabytes = 512;
  uint64_t othersSeconds = 10; // limit for running the programs before it
};

struct Debuggee {
  std::shared_ptr<const void> kept; // owns the data that `simulation` refers to
  std::unique_ptr<driver::PreparedSimulation> simulation;
  std::string kernel, label, file;
};

// Prepares a launch. The error is a sentence for the user.
using Prepare =
    std::function<tl::expected<Debuggee, std::string>(const LaunchRequest&, CancellationToken)>;

} // namespace gluond::dap
