// The target of a file whose launches, records and settings name none, derived from its imports: a
// program that uses tcgen05 or MFMA is for chips that have them, and cuda:90 would only cause false
// errors.
#pragma once

#include "chips/Chip.h"

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace gluond::syntax {
class SyntaxTree;
}

namespace gluond::driver {

// Returns the oldest target that has all vendor modules which the file uses; "cuda:90" if it uses
// none, or several that no single chip has (programs that choose at run time); "hip:gfx942" if it
// uses none and its layouts have warps of 64. It examines import statements, dotted names
// (`gl.amd.cdna4.mfma`), layouts with numbers (`AMDMFMALayout(version=4)`) and, to tell AMD's chips
// apart, the words of the text, at the cost of a pass over each.
llvm::StringRef likelyTarget(const syntax::SyntaxTree& tree);
// The same for a file at `path`: a chip that its name or its folders' names contain as a word
// ("kernels/gfx950/mla.py", "gemm_sm100.py") counts if what the file uses is for that vendor or
// says nothing.
std::string likelyTarget(const syntax::SyntaxTree& tree, llvm::StringRef path);

// Returns the vendor whose modules alone a file uses; nullopt if it uses none, or both vendors'.
std::optional<chips::Vendor> vendorOf(const syntax::SyntaxTree& tree);

} // namespace gluond::driver
