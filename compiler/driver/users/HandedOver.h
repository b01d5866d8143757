// Finds the tables that a file puts its kernels in: `REGISTRY["copy"] = copy_kernel`,
// `register(copy_kernel)`, `@register("copy")` above a kernel, where the table may be of another
// file. Files that use the table launch the kernel without a mention of it.
#pragma once

#include "driver/users/NameFlow.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringSet.h>

namespace gluond::driver {

struct ScannedFile {
  std::string path;
  std::shared_ptr<const NameScan> scan; // null if there is none
};

struct HandedOver {
  std::string file;         // that has the tables
  std::string filler;       // the name in it that the other file uses to fill them
  llvm::StringSet<> tables; // the filler itself, or the objects that this function mentions
};

// Returns what a file gives of its names of interest. `handed` has the names that were looked at
// before, and gets the others. `imported` returns the file that an import in `user` refers to.
std::vector<HandedOver> handedOver(
    const ScannedFile& file, const NameFlow& flow, llvm::StringSet<>& handed,
    llvm::function_ref<ScannedFile(const std::string& user, llvm::StringRef module, unsigned level)>
        imported);

} // namespace gluond::driver
