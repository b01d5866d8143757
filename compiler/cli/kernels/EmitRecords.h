// `gluond emit` of launch records, and what it shares with `gluond emit` of one kernel. Internal to
// the command line.
#pragma once

#include "cli/input/Commands.h"
#include "driver/analysis/Check.h"
#include "driver/launches/Kernels.h"

namespace gluond::cli {

// Every record of options.input into options.directory. Returns the exit code.
int emitRecords(const EmitOptions& options);

// Why a file cannot be read, as a sentence. `isNamed`: by the user, and not found by gluond.
std::string whyUnreadable(const driver::Snapshot& snapshot, const std::string& path, bool isNamed);
// Says it; the exit code.
int unreadable(const driver::Snapshot& snapshot, const std::string& path, bool isNamed = true);

// What went wrong, as a sentence; empty: nothing.
//
// Into the folder of `-o`, whatever the name has in it: an id is a record's own choice.
std::string makeFolder(const std::string& folder);
std::string writeInto(const std::string& folder, llvm::StringRef name, llvm::StringRef text);
// A name for the file of an id: '/' and whatever else means something in a path as "%2F".
std::string asFileName(llvm::StringRef id);
// To a file that the user named.
std::string writeFile(const std::string& path, llvm::StringRef text);

// What was found in a variant, as reports take it.
std::vector<driver::Finding> asFindings(const std::vector<diagnostics::Diagnostic>& diagnostics,
                                        const driver::Variant& variant);

} // namespace gluond::cli
