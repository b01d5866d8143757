// `gluond emit` of launch records, and what it shares with `gluond emit` of one kernel. Internal to
// the command line.
#pragma once

#include "cli/Commands.h"
#include "driver/Check.h"
#include "driver/Kernels.h"

namespace gluond::cli {

// Every record of options.input into options.directory. Returns the exit code.
int emitRecords(const EmitOptions& options);

// Says why a file cannot be read; the exit code.
int unreadable(const driver::Snapshot& snapshot, const std::string& path);

// What went wrong, as a sentence; empty: nothing.
std::string writeFile(const std::string& path, llvm::StringRef text);

// What was found in a variant, as reports take it.
std::vector<driver::Finding> asFindings(const std::vector<diagnostics::Diagnostic>& diagnostics,
                                        const driver::Variant& variant);

} // namespace gluond::cli
