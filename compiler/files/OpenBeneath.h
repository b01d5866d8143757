// Opens files beneath a folder, and nothing else.
//
// The project chooses the names inside it, and its links: `a.py` may lead
// to a key of the user's, `.gluond/history` to a start-up file of the
// shell. So any file that gluond opens without the user naming it is opened
// by these functions, where a path cannot leave its folder, even if the
// folder changes meanwhile: the kernel resolves each step beneath the
// previous one.
#pragma once

#include "files/Descriptor.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <string>
#include <sys/types.h>

namespace gluond::files {

// How the steps are resolved: by openat2(), or by openat() for each step if the kernel or a sandbox
// has no openat2().
enum class PathResolution { Kernel, Steps };

// Opens `name`, relative to the folder and without "." and ".." in it, following no link at all. On
// failure errno says why: ELOOP or ENOTDIR for a link. With O_DIRECTORY `name` may be empty, which
// opens the folder.
Descriptor openWithoutLinks(int folder, llvm::StringRef name, int flags, mode_t mode = 0,
                            PathResolution resolution = PathResolution::Kernel);

// Returns the outermost of `folders` that contains `path` by its text, or "" if there is none.
// Paths are absolute.
llvm::StringRef folderAround(llvm::ArrayRef<std::string> folders, llvm::StringRef path);

// Opens `path`, which is in one of the folders. Links are followed as long as
// they stay in the folders; EXDEV means that one leads out, or that the path is
// in none of them. The folders themselves may be links, because the user chose
// them.
Descriptor openBeneath(llvm::ArrayRef<std::string> folders, llvm::StringRef path, int flags);

// Removes ".", ".." and doubled slashes, by the text of the path alone.
std::string normalized(llvm::StringRef path);
// Returns whether `path` is `folder` or inside it, by the text of both.
bool isInside(llvm::StringRef path, llvm::StringRef folder);

} // namespace gluond::files
