// Functions of earlier releases of Triton that are methods now, of the value that their arguments
// described: a file that imports one can call the method where it names such a value.
#pragma once

#include "syntax/SyntaxTree.h"
#include "text/SourceText.h"

#include <optional>
#include <vector>

namespace gluond::driver {

// Returns the edits that remove a name from an import and replace the calls of the function, which
// the file calls `bound`, by calls of the method. Returns none if `function` did not become a
// method, or if one of its uses does not show the value.
std::vector<text::Edit> callsOfMethod(const syntax::SyntaxTree& tree,
                                      const syntax::ImportFrom& import, text::Range name,
                                      llvm::StringRef function, Name bound);

// Returns the edit that removes a name from an import, and the import with its last one; nullopt if
// it is not found there.
std::optional<text::Edit> withoutName(const syntax::SyntaxTree& tree,
                                      const syntax::ImportFrom& import, text::Range name);

} // namespace gluond::driver
