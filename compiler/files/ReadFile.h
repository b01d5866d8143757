// Reading files without surprises: regular files only, so that no pipe or
// device is waited for; the size is looked at before anything is read, and no
// more than it allows is read of a file that grows.
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
// A file that the user named: links are followed, wherever they lead.
tl::expected<OpenFile, std::string> openFile(llvm::StringRef path);
// A file that gluond found by itself: it lies in one of the folders, and links
// do not change that.
tl::expected<OpenFile, std::string> openFileBeneath(llvm::ArrayRef<std::string> folders,
                                                    llvm::StringRef path);

// All of it, if that is no more than `maxBytes`. `path` is for the error.
tl::expected<std::string, std::string> readAll(const OpenFile& file, llvm::StringRef path,
                                               size_t maxBytes);

tl::expected<std::string, std::string> readFile(llvm::StringRef path, size_t maxBytes);
tl::expected<std::string, std::string> readFileBeneath(llvm::ArrayRef<std::string> folders,
                                                       llvm::StringRef path, size_t maxBytes);

} // namespace gluond::files
