// Finds imports that fail: names that a module lacks, modules that Triton does not have, modules
// that were not found.
#pragma once

#include "driver/program/EvaluatedFile.h"

namespace gluond::driver {

// Reports what Python is certain to refuse, as diagnostics of the program's own file.
void tellImportProblems(const EvaluatedFile& program, const Snapshot& snapshot,
                        std::vector<diagnostics::Diagnostic>& out);

// Returns the errors of imports that run when the file is imported: none of its kernels can be
// launched.
std::vector<diagnostics::Diagnostic> importErrors(const EvaluatedFile& program,
                                                  const Interner& names);

// Returns the modules that the program's own file certainly imports and that were not found, each
// once, with a dot before the name of a relative one. Python's standard library is not among them.
std::vector<std::string> modulesNotFound(const EvaluatedFile& program);

// Whether the program's own file launches something, `name[grid](...)`, that it imports from a
// module that was not found.
bool launchesLostName(const EvaluatedFile& program);

// The failed import whose name a kernel (or a function of the file that it calls)
// uses.
struct LostImport {
  diagnostics::Location place;
  std::string name;   // as the kernel writes it
  std::string module; // the module that was not found, or that does not define the name
  bool hasModule;     // the name is missing, not the module
};
std::optional<LostImport> lostImportOf(const EvaluatedFile& program, const Interner& names,
                                       const language::FunctionObject& kernel);

} // namespace gluond::driver
