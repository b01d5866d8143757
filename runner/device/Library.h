// Shared libraries that are opened at run time. They stay open as long as the process lives.
#pragma once

#include "runner/device/Driver.h"

#include <vector>

namespace gluond::runner::device {

struct Library {
  void* handle = nullptr;
  std::string name; // as it was opened

  // Returns null if the library has no such function.
  void* find(const char* symbol) const;
};

// Opens the library that the environment variable names, or the first candidate that is there if
// the variable is not set. `what` names it in the error: "CUDA driver library".
tl::expected<Library, CannotOpen> openLibrary(const char* variable, const char* what,
                                              std::vector<std::string> candidates);

} // namespace gluond::runner::device
