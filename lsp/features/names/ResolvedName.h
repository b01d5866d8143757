// Resolves a dotted name by the imports of its file: from `ttgl.nvidia.hopper.tma` to a row of the
// builtin table. It needs no evaluation, so it works in files that do not run yet.
#pragma once

#include "language/types/Builtin.h"
#include "lsp/features/names/NameIndex.h"
#include "releases/Release.h"

namespace gluond::lsp {

struct ResolvedName {
  const language::BuiltinModule* module =
      nullptr;                                // a namespace of Gluon's (or a class with members)
  const language::Builtin* builtin = nullptr; // a row of the table
  const Entity* entity = nullptr;             // a name of the file itself, if it is neither
};

// Resolves `dotted` as read at `offset`: the first part by Python's scopes, the rest as members.
ResolvedName resolveName(const syntax::SyntaxTree& tree, const NameIndex& index,
                         llvm::StringRef dotted, text::Offset offset);

// Returns "load(pointer, mask=None, ...)", and in `parameters`, if given, the ranges of the
// parameters in it.
std::string signatureText(const language::Builtin& builtin,
                          releases::Release release = releases::newest,
                          std::vector<text::Range>* parameters = nullptr);
// Returns the documentation without the lines about parameters, and the line of one parameter (""
// if there is none).
llvm::StringRef documentation(const language::Builtin& builtin);
llvm::StringRef parameterDocumentation(const language::Builtin& builtin, llvm::StringRef parameter);

} // namespace gluond::lsp
