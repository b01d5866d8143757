// `gluond emit` of launch records, and what it shares with `gluond emit` of one kernel. Internal to
// the command line.
#pragma once

#include "cli/input/Commands.h"
#include "driver/analysis/Check.h"
#include "driver/launches/Kernels.h"

namespace gluond::cli {

// Emits every record of options.input into options.directory. Returns the exit code.
int emitRecords(const EmitOptions& options);

// Ends the process when compilation on this many threads uses far more than each may, because a
// step does not look. Counts from now on.
void limitCompilation(unsigned threads);

// A larger file is not read.
size_t mostBytesOf(const driver::Snapshot& snapshot, const std::string& path);
// Returns why a file cannot be read, as a sentence. `isNamed` is false if gluond found the file.
std::string whyUnreadable(const driver::Snapshot& snapshot, const std::string& path, bool isNamed);
// Prints that sentence and returns the exit code.
int unreadable(const driver::Snapshot& snapshot, const std::string& path, bool isNamed = true);

// Each of these returns what went wrong, as a sentence, or "" on success.
//
// Creates the folder of `-o`, however it is named: a record chooses its own id.
std::string makeFolder(const std::string& folder);
std::string writeInto(const std::string& folder, llvm::StringRef name, llvm::StringRef text);
// Returns a file name for an id: characters with a meaning in paths become "%2F" and the like.
std::string asFileName(llvm::StringRef id);
// Writes to a file that the user named.
std::string writeFile(const std::string& path, llvm::StringRef text);

// Converts the diagnostics of a variant to the form that reports take.
std::vector<driver::Finding> asFindings(const std::vector<diagnostics::Diagnostic>& diagnostics,
                                        const driver::Variant& variant);

} // namespace gluond::cli
