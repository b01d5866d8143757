// The release of Triton that a file is checked against: that of the settings, else the one that the
// selected Python environment has installed, else the newest one that the project's requirements
// allow, else the newest that gluond knows. Nothing of the environment is run: its release is in
// the name of a folder.
#pragma once

#include "driver/workspace/Workspace.h"
#include "releases/Release.h"

namespace gluond::driver {

struct ChosenRelease {
  releases::Release release = releases::newest;
  // "the setting triton", "/home/me/env has Triton 3.8.0", "requirements.txt requires ..."; empty
  // if nothing chose it.
  std::string because;
};
ChosenRelease tritonOf(const Snapshot& snapshot, llvm::StringRef file);

// Returns the version of Triton that a Python environment has installed, or "" if none is found.
std::string installedTriton(llvm::StringRef environment);

} // namespace gluond::driver
