// Opening what lies beneath a folder, and nothing else.
//
// The names inside a project are the project's choice, and so are its links:
// `a.py` may lead to a key of the user's, `.gluond/history` to a start-up file
// of the shell. What gluond opens without the user having named it is therefore
// opened through here, where a path cannot leave its folder, whatever happens
// to the folder meanwhile: the kernel resolves each step beneath the one
// before.
#pragma once

#include "files/Descriptor.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <string>
#include <sys/types.h>

namespace gluond::files {

// Who resolves the steps: openat2(), or openat() for each where the kernel or a
// sandbox has no openat2().
enum class Resolver { Kernel, Steps };

// Opens `name`, relative to the folder and without "." and ".." in it,
// following no link at all. errno says why not: ELOOP or ENOTDIR for a link.
// `name` may be empty with O_DIRECTORY: the folder.
Descriptor openWithoutLinks(int folder, llvm::StringRef name, int flags, mode_t mode = 0,
                            Resolver resolver = Resolver::Kernel);

// The folder of `folders` that `path` lies in by its text, the outermost of
// several; empty: none. Paths are absolute.
llvm::StringRef folderAround(llvm::ArrayRef<std::string> folders, llvm::StringRef path);

// Opens `path`, which lies in one of the folders. Links are followed as long as
// they stay in the folders; EXDEV says that one leads out, or that the path is
// in none of them. The folders themselves may be links: they are the user's
// word.
Descriptor openBeneath(llvm::ArrayRef<std::string> folders, llvm::StringRef path, int flags);

// Without "." and ".." and doubled slashes, by its text.
std::string normalized(llvm::StringRef path);
// `path` is `folder` or inside it, by the text of both.
bool isInside(llvm::StringRef path, llvm::StringRef folder);

} // namespace gluond::files
