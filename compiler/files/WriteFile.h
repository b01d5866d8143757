// Writes beneath a folder: no link is followed, neither in the folders on the
// way, which are created if missing, nor at the end; only regular files are
// written.
#pragma once

#include "files/ReadFile.h"

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

// Opens a regular file with the flags of open(), O_CREAT among them: for a file that is read, too.
tl::expected<OpenFile, std::string> openToWrite(llvm::StringRef folder, llvm::StringRef name,
                                                int flags);
// Makes a folder beneath an existing one, with those on the way.
tl::expected<void, std::string> makeFolder(llvm::StringRef folder, llvm::StringRef name);

// A path that the user named: which folder of it the user's word stands for, and the rest (which
// may be empty). The project chooses what its folders contain, such as `out ->
// ~/.config/fish/conf.d`, so that the rest is for the functions above: all that lies beneath the
// current folder, else the last part of the path. Paths around the current folder are all the
// user's.
struct NamedPath {
  std::string folder, name;
  // Of a file in it, if it is a folder.
  NamedPath inside(llvm::StringRef file) const {
    return {folder, name.empty() ? file.str() : name + "/" + file.str()};
  }
};
NamedPath namedPath(llvm::StringRef path);

} // namespace gluond::files
