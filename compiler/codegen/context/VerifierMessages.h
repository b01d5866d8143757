#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::codegen {

// Returns the message of one of MLIR's verifiers in Gluon's words, or unchanged if it has no names
// of the IR.
std::string verifierWords(llvm::StringRef message);

} // namespace gluond::codegen
