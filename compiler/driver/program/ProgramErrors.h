// The exceptions of a program: those that Triton's library raises for its launches and descriptors,
// and all others that nothing catches.
#pragma once

#include "diagnostics/Diagnostic.h"

#include <string>
#include <vector>

namespace gluond::driver {

class EvaluatedFile;

// Code that launches a kernel, but raises an exception instead.
struct FailedLaunch {
  std::string path, kernel; // the kernel's file and qualified name
  std::string exception;    // its class
  diagnostics::Location place;
};

// Reports them at the innermost place in the workspace, with the place in the program's own file
// that leads there; and which launches they prevent.
void tellProgramErrors(const EvaluatedFile& program, std::vector<diagnostics::Diagnostic>& out,
                       std::vector<FailedLaunch>& failed);

} // namespace gluond::driver
