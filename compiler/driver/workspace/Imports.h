// Which file of the workspace an import means.
#pragma once

#include "driver/workspace/Workspace.h"

#include <memory>

namespace gluond::driver {

// The file that `import module` (dotted; empty for `from . import`) with `level` leading dots loads
// in the file at `importingPath`: module.py or module/__init__.py in the folder (for level 0: in
// the importing file's folder, then in those around it that are in the workspace and in its roots,
// and in their src/). Null: not in the workspace. Open documents win over what is on disk.
std::shared_ptr<const File> findImport(const Snapshot& snapshot, llvm::StringRef importingPath,
                                       llvm::StringRef module, unsigned level);

} // namespace gluond::driver
