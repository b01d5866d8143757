// Modules that an import expects in a folder of the workspace that does not contain them: misspelt
// names of files. A module that may be built or installed later is not one of them.
#pragma once

#include "driver/workspace/Workspace.h"
#include "syntax/SyntaxTree.h"

namespace gluond::driver {

struct AbsentModule {
  size_t part = 0;             // the part of the dotted name that does not exist
  text::Range range;           // of that part in an import statement
  std::string folder;          // the name of the folder that should contain it
  std::string meant;           // the module there whose name is the closest; "" if none is close
  bool isSlip = false;         // the name is clearly a typing error for `meant`
  bool mayBeElsewhere = false; // Python also looks for it among the installed modules
};

// Returns the part of `import parts` with `level` leading dots in the file at `importingPath` that
// no folder contains. Without dots, a module counts only if a similar one exists: for the first
// part, one next to the file that defines all of `names`, which the file needs of the module.
// Returns nullopt if the module exists or may come from elsewhere.
std::optional<AbsentModule> absentModule(const Snapshot& snapshot, llvm::StringRef importingPath,
                                         llvm::ArrayRef<llvm::StringRef> parts, unsigned level,
                                         llvm::ArrayRef<llvm::StringRef> names = {});

// The same for the module or the imported name at `place` in an import statement of the file.
std::optional<AbsentModule> absentModule(const Snapshot& snapshot, const File& importing,
                                         const syntax::SyntaxTree& tree,
                                         const syntax::Node& statement, text::Range place);

} // namespace gluond::driver
