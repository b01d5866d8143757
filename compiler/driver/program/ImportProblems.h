// What a file's imports ask for and is not there: names that a module lacks, modules that Triton
// does not have, modules that were not found.
#pragma once

#include "driver/program/Program.h"

namespace gluond::driver {

// What Python would refuse for certain, as diagnostics of the program's own file.
void tellImportProblems(const Program& program, const Interner& names,
                        std::vector<diagnostics::Diagnostic>& out);

// The import, of those that were refused or not found, whose name a kernel (or a function of the
// file that it calls) uses.
struct LostImport {
  diagnostics::Location place;
  std::string name;   // as the kernel writes it
  std::string module; // that was not found
};
std::optional<LostImport> lostImportOf(const Program& program, const Interner& names,
                                       const language::FunctionObject& kernel);

} // namespace gluond::driver
