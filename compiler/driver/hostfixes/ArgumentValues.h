// Arguments of Gluon's functions in host code whose value is not one that the function takes: fixes
// that write the one that is meant.
#pragma once

#include "diagnostics/Reporter.h"
#include "language/values/Value.h"
#include "syntax/SyntaxTree.h"

namespace gluond::driver {

// `path` holds the nodes around the mistake. torch.float16 where a function of Gluon needs its own
// type.
void offerDtype(diagnostics::InFlight& told, llvm::ArrayRef<const syntax::Node*> path,
                const language::ModuleObject* module, const syntax::SyntaxTree& tree);

// "swizzle_byte_width must be 0, 32, 64 or 128": the number of these that is closest.
void offerNumber(diagnostics::InFlight& told, llvm::StringRef message,
                 llvm::ArrayRef<const syntax::Node*> path, const syntax::SyntaxTree& tree);

} // namespace gluond::driver
