// A diagnostic of a file's check, and where it comes from.
#pragma once

#include "diagnostics/Diagnostic.h"

#include <string>

namespace gluond::driver {

// A diagnostic and its origin: the kernel's qualname and the launch's id, both empty if it is about
// the file alone.
struct Finding {
  diagnostics::Diagnostic diagnostic;
  std::string kernel, launch;
};

} // namespace gluond::driver
