// file: URIs and paths.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::lsp {

// Returns the path of a file: URI, percent-decoded. Any other URI ("untitled:Untitled-1") is used
// as the path itself: it names an open document that is on no disk.
std::string pathFromUri(llvm::StringRef uri);

// Returns the file: URI of an absolute path; anything else is returned unchanged.
std::string uriFromPath(llvm::StringRef path);

} // namespace gluond::lsp
