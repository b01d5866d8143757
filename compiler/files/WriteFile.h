// Writes beneath a folder: no link is followed, neither in the folders on the
// way, which are created if missing, nor at the end; only regular files are
// written.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace gluond::files {

// Errors are sentences for the user: "cannot write '/a/b/c.py': Permission
// denied".
//
// `name` is relative to the existing `folder`: "a/b.py", without "..".

// Replaces or creates a file atomically: it is written under another name and
// renamed. An existing file keeps its permissions; a new one has `mode` minus the
// umask.
tl::expected<void, std::string> replaceFile(llvm::StringRef folder, llvm::StringRef name,
                                            llvm::StringRef text, mode_t mode = 0666);
// Writes a file in place: for many files that nothing reads meanwhile.
tl::expected<void, std::string> overwriteFile(llvm::StringRef folder, llvm::StringRef name,
                                              llvm::StringRef text);
// Appends to a file, created if missing, in one write. A file that would become larger than
// `maxBytes` is left unchanged.
tl::expected<void, std::string> appendToFile(llvm::StringRef folder, llvm::StringRef name,
                                             llvm::StringRef text, uint64_t maxBytes);

} // namespace gluond::files
