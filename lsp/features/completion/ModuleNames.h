// What can stand in an import statement, read from its text: while it is typed there is no tree of
// it.
#pragma once

#include "text/SourceText.h"

#include <llvm/ADT/SmallVector.h>

#include <optional>
#include <set>
#include <string>

namespace gluond::driver {
class Snapshot;
}

namespace gluond::lsp {

// `from a.b import c, |` and `import a.|`, also between parentheses over several lines.
struct ImportText {
  unsigned level = 0;     // leading dots
  std::string module;     // "a.b" of the first; "a" of the second: what stands before the last dot
  bool wantsName = false; // a name out of `module`, else the next part of a dotted module name
};
std::optional<ImportText> importAt(const text::SourceText& source, text::Offset offset);

// The next parts of dotted names that begin with `module` (empty: the first parts): of modules and
// packages in the workspace that the file at `importingPath` can import.
std::set<std::string> moduleNames(const driver::Snapshot& snapshot, llvm::StringRef importingPath,
                                  const ImportText& import);

} // namespace gluond::lsp
