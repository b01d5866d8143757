// The parameters of any callable as text: builtins, functions and classes of the workspace.
#pragma once

#include "lsp/features/completion/CursorContext.h"
#include "lsp/features/names/NameResolver.h"

#include <string>
#include <vector>

namespace gluond::lsp {

struct CallableParameter {
  std::string name;           // without stars
  std::string text;           // as in the signature: "BLOCK: gl.constexpr = 64"
  std::string detail;         // annotation or default
  std::string documentation;  // Markdown
  bool takesMore = false;     // *args
  bool takesKeywords = false; // **kwargs
};
struct Callable {
  std::string name, documentation;
  std::vector<CallableParameter> parameters; // without the one that is bound for a method
  bool isKernel = false;
  const language::Builtin* builtin = nullptr;
  bool isPlain = false;      // a function of the workspace that is no kernel
  bool isHost = false;       // a function of Triton for host code: triton.autotune
  std::string label() const; // "load(pointer, mask=None)"
};
// Returns nullopt if it cannot be called, or its parameters are not known.
std::optional<Callable> callableOf(NameResolver& resolver, const Denoted& denoted);

// What host code uses of a kernel.
struct KernelMember {
  llvm::StringLiteral name, documentation;
  bool isMethod = false;
};
llvm::ArrayRef<KernelMember> kernelMemberRows();

// What the dotted name before a bracket calls, at a place where the file may be half typed.
std::optional<Callable> calledBy(NameResolver& resolver, const IndexedFile& file,
                                 llvm::StringRef dotted, text::Offset place);
// What the innermost of the open calls around `cursor` calls: a dotted name or, in a kernel, a
// member of any expression.
std::optional<Callable> calledBy(NameResolver& resolver, const IndexedFile& file,
                                 llvm::ArrayRef<OpenCall> calls, text::Offset cursor,
                                 text::Offset place, bool inKernel);

} // namespace gluond::lsp
