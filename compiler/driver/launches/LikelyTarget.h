// The target of a file whose launches, records and settings name none, read off what it imports:
// who writes tcgen05 or MFMA means the chips that have them, and cuda:90 would only make false
// errors.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gluond::syntax {
class SyntaxTree;
}

namespace gluond::driver {

// The oldest target that has all of the vendor modules which the file uses; "cuda:90" when it uses
// none, or several that no one chip has (programs that choose at run time); "hip:gfx942" when it
// uses none and its layouts have warps of 64. Looks at import statements, at dotted names
// (`gl.amd.cdna4.mfma`) and at layouts that are written with numbers; costs a pass over each.
llvm::StringRef likelyTarget(const syntax::SyntaxTree& tree);

} // namespace gluond::driver
