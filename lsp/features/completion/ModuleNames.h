// Completions in an import statement, based on its text: while it is being typed there is no tree
// for it.
#pragma once

#include "text/SourceText.h"

#include <llvm/ADT/SmallVector.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gluond::driver {
class Snapshot;
}

namespace gluond::lsp {

// `from a.b import c, |` and `import a.|`, also between parentheses over several lines.
struct ImportText {
  unsigned level = 0;      // leading dots
  std::string module;      // "a.b" of the first, "a" of the second: the part before the last dot
  bool wantsName = false;  // completes a name in `module`, or else a part of a module name
  bool wantsAlias = false; // after `as`: a new name, which nothing completes
  std::vector<std::string> imported; // names before the cursor that the statement imports already
};
std::optional<ImportText> importAt(const text::SourceText& source, text::Offset offset);

// Returns the next parts of dotted names that begin with `module` (if empty, the first parts):
// modules and packages in the workspace that the file at `importingPath` can import.
std::set<std::string> moduleNames(const driver::Snapshot& snapshot, llvm::StringRef importingPath,
                                  const ImportText& import);

} // namespace gluond::lsp
