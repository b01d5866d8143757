// Reads files safely: regular files only, so that it never waits for a pipe or device;
// the size is checked before reading, and no more than allowed is read from a file that
// grows.
#pragma once

#include "files/Descriptor.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <string>
#include <sys/stat.h>

namespace gluond::files {

// An open regular file.
struct OpenFile {
  Descriptor descriptor;
  struct stat status{};
};
// Errors are sentences for the user: "cannot read 'x.py': No such file or
// directory".
//
// For a file that the user named: links are followed, wherever they lead.
tl::expected<OpenFile, std::string> openFile(llvm::StringRef path);
// For a file that gluond found itself: it must be in one of the folders, even after following
// links.
tl::expected<OpenFile, std::string> openFileBeneath(llvm::ArrayRef<std::string> folders,
                                                    llvm::StringRef path);

// Reads all of it, up to `maxBytes`. `path` is for the error message.
tl::expected<std::string, std::string> readAll(const OpenFile& file, llvm::StringRef path,
                                               size_t maxBytes);

tl::expected<std::string, std::string> readFile(llvm::StringRef path, size_t maxBytes);
tl::expected<std::string, std::string> readFileBeneath(llvm::ArrayRef<std::string> folders,
                                                       llvm::StringRef path, size_t maxBytes);

} // namespace gluond::files
