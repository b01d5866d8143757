// file: URIs and paths.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::lsp {

// The path of a file: URI, percent-decoded. Any other URI ("untitled:Untitled-1") is its own path:
// it names a document that is open and nowhere else.
std::string pathFromUri(llvm::StringRef uri);

// The file: URI of an absolute path; anything else is returned as it is.
std::string uriFromPath(llvm::StringRef path);

} // namespace gluond::lsp
