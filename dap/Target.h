// What a client asks to debug, and what came of it.
#pragma once

#include "debug/Debugger.h"
#include "driver/benchmark/PrepareSimulation.h"

#include <functional>

namespace gluond::dap {

// The arguments of `launch`, as gluond run has them.
struct LaunchRequest {
  std::string program; // a Python file, or launch records
  std::string kernel, launch, target, grid;
  std::vector<std::string> arguments, records, settings;
  simulate::ProgramId id = {}; // of the program of the grid
  bool runsOthersFirst = true; // those before it in the grid
  std::string folder;          // that relative paths begin at; empty: the current one
  uint64_t historyMegabytes = 512;
  uint64_t othersSeconds = 10; // for the programs before it
};

struct Target {
  std::shared_ptr<const void> kept; // what the rest needs
  std::unique_ptr<driver::PreparedSimulation> simulation;
  std::string kernel, label, file;
};

// The error is a sentence for the user.
using Prepare =
    std::function<tl::expected<Target, std::string>(const LaunchRequest&, CancellationToken)>;

} // namespace gluond::dap
