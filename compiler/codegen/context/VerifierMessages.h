#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::codegen {

// Returns the message of one of MLIR's verifiers in Gluon's words (VerifierTexts.def).
std::string verifierWords(llvm::StringRef message);

} // namespace gluond::codegen
