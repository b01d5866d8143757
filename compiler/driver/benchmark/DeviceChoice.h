// Which of a runner's GPUs a launch is for: machines may have several, of both vendors.
#pragma once

#include "driver/stages/Stages.h"
#include "runner/protocol/Messages.h"

#include <tl/expected.hpp>

#include <optional>

namespace gluond::driver {

// Returns the index of the GPU that runs code for `target`: the one that the user asked for, else
// the first one of that very target, else the first one that can run the code. The problem says
// why there is none.
tl::expected<unsigned, runner::Problem> chooseDevice(const runner::InitializeResult& greeting,
                                                     std::optional<unsigned> asked,
                                                     llvm::StringRef target,
                                                     WorkspaceFolders workspace);

// Returns the stage that a device loads to run code for `target`; empty if it cannot run it.
llvm::StringRef loadedStage(llvm::StringRef target, llvm::StringRef device,
                            WorkspaceFolders workspace);

} // namespace gluond::driver
