// Which argument of a builtin's call a verifier's message is about.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace gluond::codegen {

struct VerifierRow {
  llvm::StringLiteral op, words; // the message is one of this operation's and contains the words
  llvm::StringLiteral keyword;
  int position; // -1 is the receiver of a method
};
// The first row that fits counts.
llvm::ArrayRef<VerifierRow> verifierRows();

} // namespace gluond::codegen
