// Writing beneath a folder: no link is followed, neither in the folders on the
// way, which are made where they are missing, nor at the end; nothing but
// regular files is written.
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
// `name` is relative to `folder`, which exists: "a/b.py", without ".." in it.

// Replaces or makes a file, as a whole or not at all: written beside its place
// and renamed. A file that was there keeps its permissions; a new one has what
// the umask leaves of `mode`.
tl::expected<void, std::string> replaceFile(llvm::StringRef folder, llvm::StringRef name,
                                            llvm::StringRef text, mode_t mode = 0666);
// Writes a file in its place: for many files that nobody reads meanwhile.
tl::expected<void, std::string> overwriteFile(llvm::StringRef folder, llvm::StringRef name,
                                              llvm::StringRef text);
// Adds to the end of a file, made where it is missing, in one write. A file
// that would be larger than `maxBytes` is left as it is.
tl::expected<void, std::string> appendToFile(llvm::StringRef folder, llvm::StringRef name,
                                             llvm::StringRef text, uint64_t maxBytes);

} // namespace gluond::files
